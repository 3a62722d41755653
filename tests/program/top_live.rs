//! Processes, metrics and names in `counterpoint top`, in a terminal of the test.

use crate::has_tools;
use crate::top::{PATIENCE, Top, build, line, spin};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Has the lease of the file `argv[1]`, which nobody else can open until its standard input ends; prints whether it has it.
const LEASE: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int file = open(argv[1], O_RDWR);
    /* The signal that somebody waits is one that is ignored. */
    int is_leased = fcntl(file, F_SETSIG, SIGURG) == 0 && fcntl(file, F_SETLEASE, F_WRLCK) == 0;
    puts(is_leased ? "leased" : "not leased");
    fflush(stdout);
    char byte;
    while (read(0, &byte, 1) > 0) {
    }
    return 0;
}
"#;

/// The columns before the name of a row.
fn numbers<'a>(screen: &'a str, name: &str) -> Option<&'a str> {
    let mut rows = screen.lines().skip_while(|line| !line.contains("   share "));
    Some(rows.find(|line| line.contains(name))?.split(name).next().unwrap())
}

/// The columns of a row of the view of processes without metrics: the pid, the share of a CPU in percent, and the page faults per second.
fn of_process(screen: &str, name: &str) -> Option<(u32, f64, f64)> {
    let numbers = numbers(screen, name)?.split('%').skip(2).collect::<String>();
    let [_, pid, cpu, faults] = numbers.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    let faults = faults.replace(',', "").parse().ok()?;
    Some((pid.parse().ok()?, cpu.parse().ok()?, faults))
}

#[test]
fn processes_have_their_own_times_and_page_faults() {
    let Some(spin) = spin() else { return };
    // The path of the tests may be longer than the column of a name.
    let script = format!(
        "cd '{}'
        ./spin faulting 1000 faults & first=$!
        ./spin quiet 1000 & second=$!
        trap 'kill $first $second' TERM
        wait",
        spin.parent().unwrap().display()
    );
    let options = ["-d", "0.5", "--stat", "task-clock", "--", "sh", "-c", &script];
    let mut top = Top::start(120, 24, &options, &[]);
    top.press("4");
    let both = |screen: &str| of_process(screen, " faulting ").zip(of_process(screen, " quiet "));
    let screen = top.wait("processes", |screen| {
        both(screen).is_some_and(|(faulting, quiet)| {
            faulting.1 > 0.0 && quiet.1 > 0.0 && faulting.2 > 100.0 && quiet.2 < 10.0
        })
    });
    line(&screen, "[4 processes]");
    line(&screen, "faults/s  process");
    line(&screen, "./spin faulting 1000 faults");
    let (faulting, quiet) = both(&screen).unwrap();
    let name = |pid: u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
    assert_eq!([name(faulting.0), name(quiet.0)], ["faulting\n", "quiet\n"]);
    top.press("s");
    top.wait("both by their names", |screen| {
        let place = |name| screen.lines().skip(4).position(|line| line.contains(name));
        let places = place(" faulting ").zip(place(" quiet "));
        screen.contains("by process") && places.is_some_and(|(first, second)| first < second)
    });
    top.press("/quiet\r");
    top.wait("filtered", |screen| {
        numbers(screen, " quiet ").is_some() && numbers(screen, " faulting ").is_none()
    });
    top.press("q");
    assert_eq!(top.end().code, Some(0));
    for pid in [faulting.0, quiet.0] {
        let begun = Instant::now();
        while Path::new("/proc").join(pid.to_string()).exists() {
            assert!(begun.elapsed() < PATIENCE, "process {pid} is left");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn metrics_are_counted_of_the_target_and_of_its_processes() {
    let Some(spin) = spin() else { return };
    let command = ["--", spin.to_str().unwrap(), "faulting", "1000", "faults"];
    let options = ["-d", "0.5", "-M", "page_fault_rate,cpu_utilization"];
    let mut top = Top::start(120, 24, &[&options[..], &command].concat(), &[]);
    let screen = top.wait("metrics", |screen| {
        let has_value = |line: &str| line.contains(" /s") && line.contains(" CPUs");
        screen.lines().any(|line| line.contains("page_fault_rate ") && has_value(line))
    });
    line(&screen, " cpu_utilization ");
    assert!(!screen.contains("context-switches"), "only what was asked for:\n{screen}");
    top.press("4");
    // Those without a percent sign: samples, pid, page faults, and the metrics.
    let of_row = |row: &str| -> Vec<f64> {
        row.replace(',', "").split_whitespace().filter_map(|of| of.parse().ok()).collect()
    };
    // A busy machine leaves the process little or no time in some intervals.
    let screen = top.wait("metrics of the process", |screen| {
        numbers(screen, " faulting ")
            .is_some_and(|row| matches!(of_row(row)[..], [_, _, _, rate, _] if rate > 100.0))
    });
    line(&screen, "page_fault_… cpu_utiliza…  process");
    let numbers = of_row(numbers(&screen, " faulting ").unwrap());
    let [_, _, faults, rate, cpus] = numbers[..] else { panic!("{screen}") };
    assert!(cpus > 0.0 && cpus < 1.5, "{screen}");
    assert!((0.5..2.0).contains(&(faults / rate)), "the kernel and the counter agree:\n{screen}");
    top.press("q");
    top.end();
}

/// The file of symbols cannot be opened until the lease ends.
#[test]
fn counters_go_on_while_symbols_are_read() {
    let Some(spin) = spin() else { return };
    if !has_tools(&["objcopy", "strip"]) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slow_symbols");
    std::fs::create_dir_all(&folder).unwrap();
    let [debug, slow, lease] = ["slow.debug", "slow", "lease"].map(|name| folder.join(name));
    let did = |program: &str, args: &[&str], files: &[&Path]| {
        assert!(Command::new(program).args(args).args(files).status().unwrap().success());
    };
    did("objcopy", &["--only-keep-debug"], &[&spin, &debug]);
    did("strip", &["-o"], &[&slow, &spin]);
    did("objcopy", &[&format!("--add-gnu-debuglink={}", debug.display())], &[&slow]);
    build(&lease, LEASE);
    let mut lease = Command::new(lease);
    let lease = lease.arg(&debug).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut lease = lease.spawn().unwrap();
    let mut answer = String::new();
    BufReader::new(lease.stdout.as_mut().unwrap()).read_line(&mut answer).unwrap();
    if answer != "leased\n" {
        println!("skipped: this file system has no leases");
        lease.wait().unwrap();
        return;
    }
    let command =
        ["-d", "0.25", "--stat", "task-clock", "--", slow.to_str().unwrap(), "slow", "1000"];
    let mut top = Top::start(80, 24, &command, &[]);
    let bars = |screen: &str| {
        let counter = screen.lines().find(|line| line.contains(" CPUs "));
        counter.map_or(0, |line| line.chars().filter(|c| ('▁'..='█').contains(c)).count())
    };
    let is_reading = |screen: &str| {
        let mut rows = screen.lines().filter(|line| line.contains("[reading symbols]"));
        rows.any(|row| row.trim_end().ends_with("slow")) && screen.contains("reading symbols …")
    };
    top.wait("counters", |screen| is_reading(screen) && bars(screen) >= 1);
    top.wait("more counters", |screen| is_reading(screen) && bars(screen) >= 5);
    top.press("2");
    top.wait("threads", |screen| screen.contains(" tid  name") && screen.contains("100.00%"));
    top.press("1");
    drop(lease.stdin.take());
    top.wait("names", |screen| screen.contains("hottest") && !screen.contains("reading symbols"));
    lease.wait().unwrap();
    top.press("q");
    top.end();
}
