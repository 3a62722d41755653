//! `counterpoint profile`, over programs whose time goes to known places.

use crate::profile_regions::addresses;
use crate::signals::{interrupt, start};
use crate::{has_tools, run, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// Spends three quarters of `argv[1]` seconds of CPU time in `thrice` and one in `once`; exits with `argv[2]`, and forks before all that if there is an `argv[3]`.
const SPLIT: &str = r#"
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
volatile unsigned long sink;
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}
__attribute__((noinline)) void thrice(long n) { for (long i = 0; i < n; i++) sink = sink * 31 + i; }
__attribute__((noinline)) void once(long n) { for (long i = 0; i < n; i++) sink = sink * 33 + i; }
int main(int argc, char **argv) {
    if (argc > 3) fork();
    double end = now() + atof(argv[1]);
    /* Turns of ever other lengths: even ones could keep step with the samples. */
    for (unsigned turn = 1; now() < end;) {
        turn = turn * 1664525 + 1013904223;
        long n = 5000 + (turn >> 16) % 20000;
        thrice(3 * n);
        once(n);
    }
    if (argc > 3) while (wait(0) > 0);
    return argc > 2 ? atoi(argv[2]) : 0;
}
"#;

/// The program, built with the machine's C compiler: with symbols, at a fixed place, and stripped.
pub(crate) fn split(kind: &str) -> PathBuf {
    static BUILT: std::sync::Once = std::sync::Once::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = |kind: &str| folder.join(format!("split-{kind}"));
    BUILT.call_once(|| {
        let source = folder.join("split.c");
        std::fs::write(&source, SPLIT).unwrap();
        for (kind, flags) in
            [("pie", ["-g", "-pie"]), ("fixed", ["-g", "-no-pie"]), ("stripped", ["-s", "-pie"])]
        {
            let mut gcc = Command::new("gcc");
            gcc.args(["-O1", "-falign-functions=16"])
                .args(flags)
                .arg("-fPIE")
                .arg("-o")
                .arg(program(kind))
                .arg(&source);
            assert!(gcc.status().unwrap().success());
        }
    });
    program(kind)
}

pub(crate) fn profile(options: &[&str], kind: &str, arguments: &[&str]) -> Output {
    let program = split(kind);
    let mut all = vec!["profile"];
    all.extend(options);
    all.extend(["--", program.to_str().unwrap()]);
    all.extend(arguments);
    run(&all)
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|e| panic!("{e}: {}", stderr(output)))
}

/// The samples of a function.
pub(crate) fn count(profile: &Value, function: &str) -> f64 {
    let functions = profile["functions"].as_array().unwrap();
    let of = |f: &&Value| f["function"] == function;
    functions.iter().find(of).map_or(0.0, |f| f["count"].as_f64().unwrap())
}

/// Asserts that three quarters of the samples are in `thrice`, within five standard errors.
fn assert_split(profile: &Value, at_least: f64) {
    assert!(is_split(profile, at_least), "{profile}");
}

fn is_split(profile: &Value, at_least: f64) -> bool {
    let (thrice, once) = (count(profile, "thrice"), count(profile, "once"));
    let all = thrice + once;
    let error = (0.75 * 0.25 / all).sqrt();
    all >= at_least && (thrice / all - 0.75).abs() < 5.0 * error
}

/// A profile by software that [`is_split`] accepts, as it accepts another one of at most five. On a machine that is busy with
/// others, the program that reads the counter comes late, so that many samples have one address.
fn split_by_software(options: &[&str]) -> Value {
    let mut refused = Vec::new();
    let mut accepted = Vec::new();
    while accepted.len() < 2 {
        let profile = json(&profile(options, "pie", &["0.4"]));
        if is_split(&profile, 150.0) {
            accepted.push(profile)
        } else {
            refused.push((count(&profile, "thrice"), count(&profile, "once")))
        }
        assert!(refused.len() < 4, "samples of both functions: {refused:?}");
    }
    accepted.remove(0)
}

#[test]
fn time_goes_where_the_program_spends_it() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    for kind in ["pie", "fixed"] {
        let output = profile(&["--format", "json", "-e", "task-clock:u"], kind, &["0.4", "3"]);
        assert_eq!(output.status.code(), Some(3), "the command's own: {}", stderr(&output));
        let profile = json(&output);
        assert_split(&profile, 200.0);
        assert_eq!((&profile["schema"], &profile["frequency"]), (&1.into(), &1000.into()));
        let sum = |key: &str| profile[key].as_u64().unwrap();
        let regions = profile["regions"].as_array().unwrap();
        let counted: u64 = regions
            .iter()
            .flat_map(|region| region["buckets"].as_array().unwrap())
            .map(|bucket| bucket[1].as_u64().unwrap())
            .sum();
        assert_eq!(counted + sum("outside") + sum("dropped"), sum("samples"));
        let address = |value: &Value| {
            u64::from_str_radix(value.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap()
        };
        for region in regions {
            assert_eq!(region["width"], 32, "the bits of a count");
            for bucket in region["buckets"].as_array().unwrap() {
                let range = address(&region["start"])..address(&region["end"]);
                assert!(range.contains(&address(&bucket[0])), "{region}");
            }
        }
        // The lines of the two loops are known from debug information.
        let line = &profile["lines"][0];
        assert!(line["file"].as_str().unwrap().ends_with("split.c"), "{line}");
        assert_eq!((&line["function"], &line["line"]), (&"thrice".into(), &12.into()));
    }
}

#[test]
fn the_table_names_functions_with_their_errors() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let output = profile(&["-e", "task-clock:u"], "pie", &["0.2"]);
    let text = stderr(&output);
    assert!(stdout(&output).is_empty(), "standard output is the command's");
    let row = text.lines().find(|line| line.ends_with("thrice  split-pie"));
    assert!(row.is_some_and(|row| row.contains('%') && row.contains('±')), "{text}");
    assert!(text.contains("split.c:12  thrice"), "{text}");
}

#[test]
fn stripped_programs_are_said_to_be() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let output = profile(&["-e", "task-clock:u"], "stripped", &["0.2"]);
    let text = stderr(&output);
    assert!(text.contains("[stripped]  split-stripped"), "{text}");
    assert!(text.contains("split-stripped is stripped"), "{text}");
    assert!(!text.contains("thrice"), "{text}");
}

#[test]
fn children_add_to_the_same_functions() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let output = profile(&["--format", "json", "-e", "task-clock:u"], "pie", &["0.2", "0", "fork"]);
    let profile = json(&output);
    // Two processes of 0.2 s each.
    assert_split(&profile, 250.0);
    let alone = self::profile(
        &["--format", "json", "-e", "task-clock:u", "--no-inherit"],
        "pie",
        &["0.2", "0", "fork"],
    );
    assert_split(&json(&alone), 100.0);
    assert!(json(&alone)["samples"].as_u64() < profile["samples"].as_u64());
}

#[test]
fn software_finds_the_same_and_takes_a_period() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let options = ["--format", "json", "-e", "task-clock:u", "--software", "-c", "1000000"];
    assert_eq!(split_by_software(&options)["software"], true);
    let output = self::profile(&["--software"], "pie", &["0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("-c 100000"), "{}", stderr(&output));
}

/// Weights are not called samples, and it is said where there are none.
#[test]
fn weights_are_said_where_there_are_any() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let options = ["-e", "task-clock:u", "--weighted", "-c", "1000000"];
    let exact = stderr(&self::profile(&options, "pie", &["0.1"]));
    assert!(exact.contains("--weighted has no effect on task-clock:u"), "{exact}");
    let software = [&options[..], &["--software", "--format", "json"]].concat();
    let output = self::profile(&software, "pie", &["0.4"]);
    assert!(!stderr(&output).contains("no effect"), "{}", stderr(&output));
    let profile = json(&output);
    assert_eq!(profile["unit"], "weight", "{profile}");
    assert_eq!(json(&self::profile(&["--format", "json"], "pie", &["0.1"]))["unit"], "samples");
}

#[test]
fn a_derived_event_has_a_profile() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile.csv");
    std::fs::write(&file, "EVENT,HALF,DERIVED_INFIX,N0/2,task-clock:u\n").unwrap();
    let options = ["--format", "json", "-f", file.to_str().unwrap(), "-e", "HALF", "-c", "500000"];
    let profile = split_by_software(&options);
    assert_eq!((&profile["event"], &profile["software"]), (&"HALF".into(), &true.into()));
}

/// A frequency is kept by sampling: of a formula one term, the first unless another is named, and it is said which.
#[test]
fn of_a_derived_event_a_term_is_sampled() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terms.csv");
    std::fs::write(&file, "EVENT,BOTH,DERIVED_ADD,task-clock:u,cpu-clock:u\n").unwrap();
    let of = |more: &[&str]| {
        let options = ["-f", file.to_str().unwrap(), "-e", "BOTH"];
        self::profile(&[&options, more].concat(), "pie", &["0.4"])
    };
    let chosen = json(&of(&["--format", "json"]));
    assert_eq!((&chosen["software"], &chosen["terms"][0]), (&false.into(), &"task-clock:u".into()));
    assert_split(&chosen, 150.0);
    let table = stderr(&of(&["--term", "cpu-clock", "-c", "1000000"]));
    assert!(table.contains("BOTH is a derived event: cpu-clock:u was sampled instead"), "{table}");
    let refused = of(&["--term", "page-faults"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("its terms are `task-clock:u`, `cpu-clock:u`"));
}

#[test]
fn other_formats_hold_the_function() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let of = |format| profile(&["--format", format, "-e", "task-clock:u"], "pie", &["0.1"]);
    let folded = stdout(&of("folded"));
    assert!(folded.lines().any(|line| line.starts_with("thrice ")), "{folded}");
    let svg = stdout(&of("svg"));
    assert!(svg.starts_with("<svg") && svg.contains("thrice"), "{svg}");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("profile.pb");
    let options = ["--format", "pprof", "-o", file.to_str().unwrap(), "-e", "task-clock:u"];
    assert!(profile(&options, "pie", &["0.1"]).status.success());
    let pprof = unpacked(&std::fs::read(&file).unwrap());
    let holds = |text: &[u8]| pprof.windows(text.len()).any(|bytes| bytes == text);
    assert!(holds(b"thrice") && holds(b"nanoseconds"));
    // The file of the program, with its build id.
    let program = split("pie").to_str().unwrap().as_bytes().to_vec();
    assert!(holds(&program));
}

/// The contents of a compressed file.
pub(crate) fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut contents = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut contents).unwrap();
    contents
}

/// Rare events at a frequency: the kernel's periods add up to another number than there were.
#[test]
fn a_total_of_periods_is_said_to_be_an_estimate() {
    let table = stderr(&run(&["profile", "-e", "page-faults:u", "--", "true"]));
    assert!(table.contains("page-faults:u: about "), "{table}");
    let exact = stderr(&run(&["profile", "-e", "page-faults:u", "-c", "1", "--", "true"]));
    assert!(!exact.contains("about"), "{exact}");
}

/// Not in that of their names.
#[test]
fn events_are_shown_in_the_order_in_which_they_were_given() {
    let events = "task-clock:u,page-faults:u,cpu-clock:u";
    let output = run(&["profile", "--format", "json", "-e", events, "--", "true"]);
    let shown = stdout(&output);
    let event = |line: &str| serde_json::from_str::<Value>(line).unwrap()["event"].clone();
    let shown: Vec<Value> = shown.lines().map(event).collect();
    let given: Vec<Value> = events.split(',').map(Value::from).collect();
    assert_eq!(shown, given);
}

#[test]
fn page_faults_are_profiled_one_by_one() {
    let output =
        run(&["profile", "--format", "json", "-e", "page-faults:u", "-c", "1", "--", "true"]);
    let profile = json(&output);
    assert_eq!((&profile["event"], &profile["period"]), (&"page-faults:u".into(), &1.into()));
    assert!(profile["samples"].as_u64().unwrap() > 20, "{profile}");
    let modules: Vec<&str> = profile["regions"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|r| r["module"].as_str())
        .collect();
    assert!(modules.iter().any(|module| module.contains("ld-")), "{modules:?}");
}

#[test]
fn an_event_that_is_listed_twice_is_profiled_once() {
    let profiles = |events: &str| -> Vec<(String, u64)> {
        let output = run(&["profile", "--format", "json", "-e", events, "-c", "1", "--", "true"]);
        let lines = stdout(&output);
        let profiles = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let name = |profile: &Value| profile["event"].as_str().unwrap().to_string();
        profiles.map(|profile| (name(&profile), profile["samples"].as_u64().unwrap())).collect()
    };
    let once = profiles("page-faults:u")[0].1;
    for (events, names) in [
        ("page-faults:u,page-faults:u", &["page-faults:u"][..]),
        ("faults:u,page-faults:u", &["faults:u", "page-faults:u"]),
    ] {
        let found = profiles(events);
        assert_eq!(found.iter().map(|(name, _)| name).collect::<Vec<_>>(), names, "{events}");
        for (_, samples) in found {
            assert!(samples.abs_diff(once) * 4 < once, "{events}: {samples}, alone {once}");
        }
    }
}

#[test]
fn a_running_process_is_profiled_until_it_ends_or_the_time_is_over() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let mut child = Command::new(split("pie")).arg("20").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let pid = child.id().to_string();
    let options =
        ["profile", "--format", "json", "-e", "task-clock:u", "-p", &pid, "--timeout", "600"];
    let output = run(&options);
    let alive = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(alive && output.status.success(), "{}", stderr(&output));
    assert_split(&json(&output), 20.0);

    let mut child = Command::new(split("pie")).arg("0.4").spawn().unwrap();
    let pid = child.id().to_string();
    let output = run(&["profile", "-e", "task-clock:u", "-p", &pid]);
    assert!(child.wait().unwrap().success() && output.status.success());
    assert!(stderr(&output).contains("thrice"), "{}", stderr(&output));
}

/// A thread by its number, and what runs on CPUs while a command runs, as with `counterpoint stat`.
#[test]
fn threads_and_cpus_are_profiled() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let mut child = Command::new(split("fixed")).arg("20").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let (tid, thrice) = (child.id().to_string(), addresses("thrice"));
    let json_of = |options: &[&str]| {
        let output = run(&[&["profile", "--format", "json"], options].concat());
        (output.status.success(), stderr(&output), serde_json::from_str(&stdout(&output)))
    };
    let thread = json_of(&["-e", "task-clock:u", "-t", &tid, "--timeout", "300"]);
    // Without the names of all that runs here, which may be much.
    let cpus = json_of(&["-e", "cpu-clock:u", "-a", "--region", &thrice, "--", "sleep", "0.3"]);
    let none = json_of(&["-C", "999", "--timeout", "1"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(thread.0, "{}", thread.1);
    assert_split(&thread.2.unwrap(), 20.0);
    match cpus {
        // Others' processes are for those who may.
        (false, why, _) if why.contains("cannot be profiled") => println!("skipped: -a: {why}"),
        (_, why, profile) => {
            let profile = profile.unwrap_or_else(|e| panic!("{e}: {why}"));
            let inside =
                profile["samples"].as_u64().unwrap() - profile["outside"].as_u64().unwrap();
            assert!(inside > 10, "{profile}");
        }
    }
    assert!(!none.0 && none.1.contains("no CPU 999 "), "{}", none.1);
}

/// A process may run code of a device that has no end; nothing is read of it.
#[test]
fn a_mapped_device_has_no_names() {
    if !has_tools(&["gcc"]) {
        return;
    }
    const RUNS_ZEROS: &str = r#"
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
static void end(int signal) { _exit(signal != 0 ? 5 : 6); }
int main(void) {
    void *zeros = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open("/dev/zero", O_RDWR), 0);
    if (zeros == MAP_FAILED) return 7;
    signal(SIGSEGV, end); signal(SIGILL, end); signal(SIGTRAP, end);
    ((void (*)(void))zeros)();
    return 8;
}
"#;
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs-zeros");
    let source = program.with_extension("c");
    std::fs::write(&source, RUNS_ZEROS).unwrap();
    assert!(Command::new("gcc").arg("-o").args([&program, &source]).status().unwrap().success());
    // The first instruction faults; the limit of memory is for a reader that does not end.
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_counterpoint")])
        .args(["profile", "--format", "json", "-e", "page-faults:u", "-c", "1", "--"])
        .arg(&program)
        .output()
        .unwrap();
    match output.status.code() {
        Some(7) => return println!("skipped: /dev/zero cannot be mapped"),
        code => assert_eq!(code, Some(5), "{}", stderr(&output)),
    }
    let profile = json(&output);
    let functions = profile["functions"].as_array().unwrap();
    assert!(functions.iter().any(|f| f["module"] == "zero"), "{profile}");
}

#[test]
fn an_interrupt_ends_the_profile_and_shows_it() {
    if !has_tools(&["gcc", "nm"]) {
        return;
    }
    let program = split("pie");
    let arguments = ["profile", "-e", "task-clock:u", "--", program.to_str().unwrap(), "20"];
    let child = start(&arguments);
    std::thread::sleep(Duration::from_millis(600));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "the command was told to end");
    assert!(stderr(&output).contains("thrice"), "{}", stderr(&output));
}

#[test]
fn mistakes_are_said_before_anything_runs() {
    let refused = |arguments: &[&str], what: &str| {
        let mut all = vec!["profile"];
        all.extend(arguments);
        let output = run(&all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(what), "{arguments:?}: {}", stderr(&output));
        assert!(!stdout(&output).contains("ran"), "{arguments:?}");
    };
    refused(&[], "no command");
    refused(&["-e", "no-such-event", "--", "echo", "ran"], "no-such-event");
    refused(&["-c", "0", "--", "echo", "ran"], "at least 1");
    refused(&["-c", "1", "-F", "2", "--", "echo", "ran"], "cannot be used with");
    refused(&["--scale", "1", "--", "echo", "ran"], "1 is not a scale: use 131072");
    refused(&["--scale", "0x30000", "--", "echo", "ran"], "'0x30000' for '--scale <N>'");
    refused(&["--scale", "0x", "--", "echo", "ran"], "`0x` is not a scale, such as 131072");
    for scale in ["x", "3x", "99999999999"] {
        let text = format!("`{scale}` is not a scale, such as 131072 or 0x10000");
        let region = format!("1-2:{scale}");
        refused(&["--region", &region, "--", "echo", "ran"], &text);
    }
    refused(&["--region", "1-y", "--", "echo", "ran"], "`y` is not an address, such as 0x401000");
    refused(
        &["--debug-dir", "/nonexistent", "--", "echo", "ran"],
        "/nonexistent: this is not a directory",
    );
    let two = ["--format", "gmon", "--region", "1-9", "--region", "9-20:16", "--", "echo", "ran"];
    refused(&two, "--format gmon has one scale for all regions");
    refused(&["--region", "5-1", "--", "echo", "ran"], "the end must be above");
    refused(&["--region", "x", "--", "echo", "ran"], "0x401000-0x402000");
    refused(&["--bucket", "8", "--", "echo", "ran"], "16, 32, 64");
    refused(&["-F", "9999999999", "--", "echo", "ran"], "samples a second");
    refused(&["--format", "svg", "-e", "task-clock,page-faults", "--", "echo", "ran"], "one event");
    refused(&["-o", "/no/such/folder/file", "--", "echo", "ran"], "/no/such/folder/file");
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept.json");
    std::fs::write(&kept, "before").unwrap();
    let file = kept.to_str().unwrap();
    refused(&["-o", file, "-e", "no-such-event", "--", "echo", "ran"], "no-such-event");
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "before", "a mistake empties no file");
    let missing = run(&["profile", "--", "no-such-program-here"]);
    assert_eq!(missing.status.code(), Some(127), "{}", stderr(&missing));
    let gone = run(&["profile", "-p", "4194304"]);
    assert!(stderr(&gone).contains("no process 4194304"), "{}", stderr(&gone));
}

/// The second process of the shell was there before sampling began.
#[test]
fn sampling_begins_after_a_delay_also_in_children_and_in_recordings() {
    let work = "i=0; (while [ $i -lt 1000000 ]; do i=$((i+1)); done) & wait";
    let name = format!("counterpoint-delay-{}.data", std::process::id());
    let file = std::env::temp_dir().join(name);
    let file = file.to_str().unwrap();
    for args in [&["profile", "--format", "json"][..], &["record", "-o", file]] {
        let delayed = ["-D", "60", "--all-user", "--", "sh", "-c", work];
        let mut output = run(&[args, &delayed].concat());
        if args[0] == "record" {
            assert!(output.status.success(), "{}", stderr(&output));
            output = run(&["report", "--format", "json", file]);
            std::fs::remove_file(file).unwrap();
        }
        let text = stdout(&output);
        let read: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
        assert!(read["samples"].as_u64() > Some(20), "{read}");
        let module = read["regions"][0]["module"].as_str().unwrap();
        assert!(module.starts_with('/'), "the shell was mapped before: {read}");
    }
    let never = run(&["profile", "-D", "60000", "--", "true"]);
    assert_eq!(never.status.code(), Some(2));
    assert!(stderr(&never).contains("before sampling began"), "{}", stderr(&never));
    let nobody = run(&["profile", "-D", "-1", "--", "true"]);
    assert!(stderr(&nobody).contains("add --control fifo:CTL"), "{}", stderr(&nobody));
}

#[test]
fn levels_and_users_are_those_of_stat() {
    let event = |args: &[&str]| {
        let output =
            run(&[&["profile", "--format", "json", "-c", "1", "-e", "page-faults"], args].concat());
        let text = stdout(&output);
        let read: Option<serde_json::Value> = serde_json::from_str(text.trim()).ok();
        read.map(|read| read["samples"].as_u64().unwrap()).ok_or_else(|| stderr(&output))
    };
    // The kernel writes into new memory of it.
    let command = ["--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=1", "status=none"];
    let all = event(&command).unwrap();
    let user = event(&[&["--all-user"], &command[..]].concat()).unwrap();
    assert!(user > 10 && user + 200 < all, "{user} of {all} are in user space");
    let both = event(&["--all-user", "--all-kernel", "--", "true"]).unwrap_err();
    assert!(both.contains("cannot be used with"), "{both}");
    let mut sleeper = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let id = std::process::Command::new("id").arg("-u").output().unwrap();
    let own = event(&["-u", stdout(&id).trim(), "--timeout", "50"]);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert!(own.is_ok(), "{own:?}");
    let unknown = event(&["-u", "no-such-user", "--timeout", "50"]).unwrap_err();
    assert!(unknown.contains("no user is called `no-such-user`"), "{unknown}");
}
