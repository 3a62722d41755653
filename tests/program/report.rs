//! `counterpoint profile --format perf` and `counterpoint report`, beside perf.

use crate::profile::{count, json, profile, split};
use crate::{has_tools, run, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Records the program for a moment, and returns the file and the number of its samples.
fn record(name: &str, options: &[&str]) -> (PathBuf, u64) {
    let path = file(name);
    let all = [&["--format", "perf", "-o", path.to_str().unwrap()], options].concat();
    let output = profile(&all, "pie", &["0.3", "3"]);
    assert_eq!(output.status.code(), Some(3), "the command's own: {}", stderr(&output));
    let told = stderr(&output);
    let samples = told.strip_prefix("counterpoint: ").unwrap().split(' ').next().unwrap();
    (path, samples.replace(',', "").parse().unwrap())
}

fn report(path: &Path, options: &[&str]) -> Value {
    let output = run(&[&["report", path.to_str().unwrap(), "--format", "json"], options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json(&output)
}

/// The lines of `perf script`, one for each sample without a stack.
fn script(path: &Path, options: &[&str]) -> Vec<String> {
    let mut perf = Command::new("perf");
    let output = perf.arg("script").arg("-i").arg(path).args(options).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().map(str::to_string).collect()
}

#[test]
fn perf_reads_what_is_recorded_and_finds_the_same_samples() {
    if !has_tools(&["gcc", "nm", "perf"]) {
        return;
    }
    for event in ["task-clock:u", "cpu-clock:u"] {
        let (path, samples) = record("ours.perf", &["-e", event]);
        assert!(samples > 100, "{samples} samples");
        let of_perf = script(&path, &["-F", "ip,sym"]);
        assert_eq!(of_perf.len() as u64, samples);
        let ours = report(&path, &[]);
        assert_eq!((&ours["samples"], &ours["event"]), (&samples.into(), &event.into()));
        for function in ["thrice", "once"] {
            let named = format!(" {function}");
            let lines = of_perf.iter().filter(|line| line.ends_with(&named)).count();
            assert_eq!(count(&ours, function), lines as f64, "{function}: {ours}");
        }
        let mut perf = Command::new("perf");
        let table = perf.args(["report", "--stdio", "-i"]).arg(&path).output().unwrap();
        let table = stdout(&table);
        let place = |function| table.find(function).unwrap_or_else(|| panic!("{table}"));
        assert!(place("[.] thrice") < place("[.] once"), "{table}");
    }
}

/// Every page fault is a sample, so that the two ways of counting have the same.
#[test]
fn a_recording_shows_the_functions_of_a_profile() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let options = ["-e", "page-faults:u", "-c", "1"];
    let (path, samples) = record("faults.perf", &options);
    let read = report(&path, &[]);
    let live = json(&profile(&[&options[..], &["--format", "json"]].concat(), "pie", &["0.3"]));
    assert_eq!((&read["samples"], &read["period"]), (&samples.into(), &live["period"]));
    let function = live["functions"][0]["function"].as_str().unwrap();
    let (before, after) = (count(&live, function), count(&read, function));
    assert!(after > 0.0 && (before - after).abs() <= 3.0, "{function}: {before} and {after}");
    let sum: f64 =
        read["functions"].as_array().unwrap().iter().map(|f| f["count"].as_f64().unwrap()).sum();
    assert_eq!(sum, samples as f64);
}

#[test]
fn what_perf_records_is_read_with_its_stacks() {
    if !has_tools(&["gcc", "nm", "perf"]) {
        return;
    }
    for graph in ["fp", "dwarf"] {
        let path = file("theirs.perf");
        let mut perf = Command::new("perf");
        perf.args(["record", "-q", "-e", "task-clock:u", "-F", "500", "--call-graph", graph, "-o"]);
        let output = perf.arg(&path).arg(split("pie")).args(["0.3"]).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let of_perf = script(&path, &["-G", "-F", "sym,ip"]);
        let of_perf: Vec<_> = of_perf.iter().filter(|line| !line.trim().is_empty()).collect();
        let ours = report(&path, &[]);
        assert_eq!(ours["samples"], of_perf.len() as u64, "{graph}");
        let lines = of_perf.iter().filter(|line| line.ends_with(" thrice")).count();
        assert!(lines > 50, "{lines} of {}", of_perf.len());
        assert_eq!(count(&ours, "thrice"), lines as f64, "{graph}");
        if graph == "dwarf" {
            let stacks = run(&["report", path.to_str().unwrap(), "--format", "folded"]);
            let stacks = stdout(&stacks);
            assert!(stacks.lines().any(|line| line.contains("main;thrice ")), "{stacks}");
        }
    }
}

#[test]
fn samples_are_filtered_and_sorted() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (path, samples) = record("filtered.perf", &["-e", "task-clock:u"]);
    let of = |options: &[&str]| report(&path, options)["samples"].as_u64().unwrap();
    let name = "split-pie";
    assert_eq!((of(&["--comm", name]), of(&["--comm", "another"])), (samples, 0));
    assert_eq!((of(&["--pid", "1"]), of(&["--tid", "1"])), (0, 0));
    assert_eq!((of(&["--time", "0,"]), of(&["--time", ",0.5"])), (samples, 0));
    let all_cpus: Vec<u64> = (0..8).map(|cpu| of(&["--cpu", &cpu.to_string()])).collect();
    if std::thread::available_parallelism().unwrap().get() <= 8 {
        assert_eq!(all_cpus.iter().sum::<u64>(), samples, "{all_cpus:?}");
    }
    let thrice = report(&path, &["--symbol", "thrice"]);
    assert_eq!(thrice["functions"].as_array().unwrap().len(), 1, "{thrice}");
    assert_eq!(count(&thrice, "thrice"), count(&report(&path, &[]), "thrice"));
    for (key, title) in [("comm", name), ("pid", "process"), ("tid", "thread"), ("cpu", "CPU")] {
        let table = stdout(&run(&["report", path.to_str().unwrap(), "--sort", key]));
        assert!(table.contains(title) && table.contains(&format!("{samples} samples")), "{table}");
    }
    let refused = run(&["report", path.to_str().unwrap(), "--sort", "comm", "--format", "svg"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("leave out --format"), "{}", stderr(&refused));
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_shown() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (path, samples) = record("damaged.perf", &["-e", "task-clock:u"]);
    let bytes = std::fs::read(&path).unwrap();
    let cut = file("cut.perf");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let output = run(&["report", cut.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("the rest is missing"), "{}", stderr(&output));
    let left = json(&output)["samples"].as_u64().unwrap();
    assert!(left > samples / 4 && left < samples, "{left} of {samples}");
    let mut foreign = bytes;
    foreign[..8].reverse();
    std::fs::write(&cut, &foreign).unwrap();
    for (path, why) in [
        (cut.to_str().unwrap(), "the other byte order"),
        ("Cargo.toml", "it is not a file of perf record"),
        ("no-such-file", "No such file"),
    ] {
        let output = run(&["report", path]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

/// Lengths of mappings decide how many buckets there are.
#[test]
fn impossible_mappings_are_left_out_and_told() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (path, samples) = record("mapped.perf", &["-e", "task-clock:u"]);
    let bytes = std::fs::read(&path).unwrap();
    let word = |at: usize| u64::from_ne_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    let (start, size) = (word(40), word(48));
    // Beyond all addresses, and far longer than any code.
    for (length, is_left_out) in [(u64::MAX, true), (1 << 46, false)] {
        let mut hostile = bytes.clone();
        let mut at = start;
        while at < start + size {
            if [1, 10].contains(&hostile[at]) {
                hostile[at + 24..at + 32].copy_from_slice(&length.to_ne_bytes());
            }
            at += usize::from(u16::from_ne_bytes([bytes[at + 6], bytes[at + 7]]));
        }
        let path = file("hostile.perf");
        std::fs::write(&path, &hostile).unwrap();
        let output = run(&["report", path.to_str().unwrap(), "--format", "json"]);
        let told = stderr(&output).contains("mappings of code are left out");
        assert_eq!(told, is_left_out, "{}", stderr(&output));
        let shown = json(&output);
        let outside = if is_left_out { samples } else { 0 };
        assert_eq!((&shown["samples"], &shown["outside"]), (&samples.into(), &outside.into()));
    }
}

#[test]
fn a_recording_has_what_the_kernel_samples_only() {
    let path = file("refused.perf");
    let path = path.to_str().unwrap();
    for (options, why) in [
        (&["--region", "rest"][..], "--region is not for --format perf"),
        (&["--software", "-c", "1000"], "--software is not for --format perf"),
    ] {
        let output =
            run(&[&["profile", "--format", "perf", "-o", path], options, &["--", "true"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    let output = run(&["profile", "--format", "perf", "-o", "-", "--", "true"]);
    assert!(stderr(&output).contains("not written to standard output"), "{}", stderr(&output));
}

/// The reader that samply and other programs are made with.
#[test]
fn another_reader_finds_the_same_samples_names_and_build_ids() {
    use linux_perf_data::linux_perf_event_reader::EventRecord;
    use linux_perf_data::{PerfFileReader, PerfFileRecord};
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (path, samples) = record("others.perf", &["-e", "task-clock:u", "--call-graph", "dwarf"]);
    let opened = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let PerfFileReader { mut perf_file, mut record_iter } =
        PerfFileReader::parse_file(opened).unwrap();
    assert_eq!(perf_file.event_attributes().len(), 1);
    let ids = perf_file.build_ids().unwrap();
    let program = split("pie");
    let is_program =
        |of: &&linux_perf_data::DsoInfo| of.path == program.as_os_str().as_encoded_bytes();
    let id = &ids.values().find(is_program).unwrap().build_id;
    let bytes = std::fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    assert_eq!(object::Object::build_id(&file).unwrap(), Some(&id[..]));
    let (mut found, mut mapped, mut named, mut last) = (0, false, false, 0);
    while let Some(record) = record_iter.next_record(&mut perf_file).unwrap() {
        let PerfFileRecord::EventRecord { record, .. } = record else { continue };
        match record.parse().unwrap() {
            EventRecord::Sample(sample) => {
                found += 1;
                let (ip, time) = (sample.ip.unwrap(), sample.timestamp.unwrap());
                assert!(ip > 0 && time >= last && sample.user_stack.is_some());
                last = time;
            }
            EventRecord::Mmap2(map) => {
                mapped |= map.path.as_slice() == program.as_os_str().as_encoded_bytes();
            }
            EventRecord::Comm(comm) => named |= *comm.name.as_slice() == b"split-pie"[..],
            _ => {}
        }
    }
    assert_eq!((found, mapped, named), (samples, true, true));
}

#[test]
fn a_recording_in_the_place_of_a_command_is_answered_with_the_command_that_reads_it() {
    let (path, _) = if has_tools(&["gcc", "nm"]) {
        record("command.perf", &["-e", "page-faults:u", "-c", "1"])
    } else {
        return;
    };
    let output = run(&["profile", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("is a recording") && told.contains("counterpoint report "), "{told}");
}

#[test]
fn a_recording_is_not_overwritten_by_its_report() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (path, _) = record("kept.perf", &["-e", "page-faults:u", "-c", "1"]);
    let link = file("kept.link");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let (path, link) = (path.to_str().unwrap(), link.to_str().unwrap());
    let before = std::fs::read(path).unwrap();
    for args in [
        &["report", path, "-o", path][..],
        &["report", path, "-o", link],
        &["report", link, "--html", path],
        &["annotate", "main", path, "-o", path],
        &["report", "diff", path, path, "-o", path],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("the result would overwrite"), "{}", stderr(&output));
        assert_eq!(std::fs::read(path).unwrap(), before, "{args:?}");
    }
}

#[test]
fn what_selects_nothing_is_said() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let (path, samples) = record("none.perf", &["-e", "page-faults:u", "-c", "1"]);
    let path = path.to_str().unwrap();
    let told = stderr(&run(&["report", path, "--comm", "nobody"]));
    assert!(told.contains(&format!("none of its {samples} samples is one of those")), "{told}");
    let told = stderr(&run(&["report", path, "-S", "nothing"]));
    assert!(told.contains("no sample is in a function nothing"), "{told}");
    let told = stderr(&run(&["report", path, "--time", "5,1"]));
    assert!(told.contains("5 is not before 1"), "{told}");
    let told = stderr(&run(&["report", path, "--children"]));
    assert!(told.contains("it has no call stacks"), "{told}");
}

/// At a frequency, the kernel takes fewer samples of what is frequent, and each stands for several events.
#[test]
fn samples_at_a_frequency_count_as_the_events_that_they_stand_for() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let (source, program) = (file("faults.c"), file("faults"));
    let text = r#"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#define FUNCTION __attribute__((noinline, noclone))
static inline __attribute__((always_inline)) void touch(long pages) {
    char *memory = mmap(0, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, pages * 4096, MADV_NOHUGEPAGE);
    for (long i = 0; i < pages; i++) memory[i * 4096] = 1;
    munmap(memory, pages * 4096);
}
FUNCTION void often(long pages) { touch(pages); __asm__ volatile(""); }
FUNCTION void seldom(long pages) {
    struct timespec pause = {0, 1000000};
    while (pages--) { touch(1); nanosleep(&pause, 0); }
}
int main(void) {
    for (int i = 0; i < 30; i++) { often(2000); seldom(50); }
    return 0;
}
"#;
    std::fs::write(&source, text).unwrap();
    let mut gcc = Command::new("gcc");
    assert!(gcc.args(["-O1", "-o"]).arg(&program).arg(&source).status().unwrap().success());
    let recording = file("frequency.perf");
    let (recording, program) = (recording.to_str().unwrap(), program.to_str().unwrap());
    let options = ["profile", "-e", "page-faults:u", "-F", "1000"];
    let live = run(&[&options[..], &["--format", "json", "--", program]].concat());
    run(&[&options[..], &["-g", "--format", "perf", "-o", recording, "--", program]].concat());
    let recorded = report(Path::new(recording), &[]);
    let only = report(Path::new(recording), &["-S", "often"]);
    assert_eq!(count(&only, "often"), count(&recorded, "often"));
    for profile in [json(&live), recorded] {
        assert_eq!(profile["unit"], "events");
        let (often, seldom) = (count(&profile, "often"), count(&profile, "seldom"));
        let samples = profile["samples"].as_f64().unwrap();
        // The shares of the functions are not compared: the kernel's period of a sample is much too great or too small while
        // it searches for the right one.
        assert!(often > 0.0 && often + seldom > 3.0 * samples, "{profile}");
    }
}

#[test]
fn a_recording_that_was_killed_is_read_up_to_there() {
    let path = file("killed.perf");
    let _ = std::fs::remove_file(&path);
    let mut profile = crate::counterpoint(&["profile", "--format", "perf", "-e", "task-clock:u"]);
    let spin = ["sh", "-c", "exec timeout 20 sh -c 'while :; do :; done'"];
    profile.arg("-o").arg(&path).arg("--").args(spin);
    let mut child = profile.spawn().unwrap();
    let start = std::time::Instant::now();
    while path.metadata().map_or(0, |about| about.len()) < 50_000 {
        assert!(start.elapsed().as_secs() < 20, "nothing is written");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let output = run(&["report", path.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(json(&output)["samples"].as_u64().unwrap() > 100, "{}", stdout(&output));
    assert!(stderr(&output).contains("counterpoint: "), "it is said that the file is cut off");
}

#[test]
fn samples_without_times_are_of_the_last_memory_of_their_process() {
    if !has_tools(&["gcc", "nm", "perf"]) {
        return;
    }
    let path = file("timeless.perf");
    let mut perf = Command::new("perf");
    perf.args(["record", "-q", "-e", "task-clock:u", "-F", "500", "--no-timestamp", "-o"]);
    let output = perf.arg(&path).arg(split("pie")).args(["0.3"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let ours = report(&path, &[]);
    let samples = ours["samples"].as_f64().unwrap();
    assert!(samples > 50.0, "{ours}");
    assert!(count(&ours, "thrice") + count(&ours, "once") > 0.9 * samples, "{ours}");
}
