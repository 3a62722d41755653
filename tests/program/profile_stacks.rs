//! `counterpoint profile --call-graph`, over a program whose calls are known.

use crate::profile::json;
use crate::{has_tools, run, stderr, stdout};
use object::{Object, ObjectSection};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// Spends `argv[1]` seconds of CPU time: three quarters below `f`, which goes through the library, and one below a recursion.
const CALLS: &str = r#"
#include <stdlib.h>
#include <time.h>
void in_library(void (*work)(long), long n);
volatile unsigned long sink;
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}
static inline __attribute__((always_inline)) void inlined(long n) {
    for (long i = 0; i < n; i++) sink = sink * 31 + i;
}
#define FUNCTION __attribute__((noinline, noclone))
/* A function that calls none has no frame, even with frame pointers. */
FUNCTION void nothing(void) { __asm__ volatile(""); }
FUNCTION void leaf(long n) { inlined(n); nothing(); sink++; }
FUNCTION void f(long n) { in_library(leaf, n); sink++; }
FUNCTION void recursion(int depth, long n) {
    if (depth > 0) recursion(depth - 1, n); else leaf(n);
    sink++;
}
int main(int argc, char **argv) {
    double end = now() + atof(argv[1]);
    /* Turns of ever other lengths: even ones could keep step with the samples. */
    for (unsigned turn = 1; now() < end;) {
        turn = turn * 1664525 + 1013904223;
        long n = 5000 + (turn >> 16) % 20000;
        f(3 * n);
        recursion(4, n);
    }
    return 0;
}
"#;

const LIBRARY: &str = r#"
extern volatile unsigned long sink;
void in_library(void (*work)(long), long n) { work(n); sink++; }
"#;

/// The stacks below `main` in which the program spends its time.
const BELOW_F: &str = "main;f;in_library;leaf;inlined";
const BELOW_RECURSION: &str = "main;recursion;recursion;recursion;recursion;recursion;leaf;inlined";

/// The program, built with the machine's C compiler: with frame pointers (`fp`) and without (`nofp`).
pub(crate) fn calls(kind: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    BUILT.call_once(|| {
        let (program, library) = (folder.join("calls.c"), folder.join("library.c"));
        std::fs::write(&program, CALLS).unwrap();
        std::fs::write(&library, LIBRARY).unwrap();
        let pointers: &[&str] = &["-fno-omit-frame-pointer", "-fno-shrink-wrap"];
        for (kind, flags) in [("fp", pointers), ("nofp", &["-fomit-frame-pointer"])] {
            let gcc = |arguments: &[&str], source: &Path, to: &Path| {
                let mut gcc = Command::new("gcc");
                gcc.args(["-O2", "-g", "-fno-optimize-sibling-calls"]).args(flags);
                let built = gcc.arg("-o").arg(to).arg(source).args(arguments).status();
                assert!(built.unwrap().success());
            };
            let shared = folder.join(format!("libcalls-{kind}.so"));
            gcc(&["-shared", "-fPIC"], &library, &shared);
            gcc(&[shared.to_str().unwrap()], &program, &folder.join(format!("calls-{kind}")));
        }
    });
    folder.join(format!("calls-{kind}"))
}

pub(crate) fn profile(options: &[&str], program: &Path, seconds: &str) -> Output {
    let mut all = vec!["profile", "-e", "task-clock:u"];
    all.extend(options);
    all.extend(["--", program.to_str().unwrap(), seconds]);
    run(&all)
}

/// Returns true if copies of stacks are unwound on this processor.
fn can_unwind() -> bool {
    let is_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    if !is_known {
        println!("skipped: needs x86-64 or arm64");
    }
    is_known
}

pub(crate) fn has_compiler() -> bool {
    can_unwind() && has_tools(&["gcc"])
}

/// The stacks of JSON from `main` on, with their counts.
pub(crate) fn stacks(profile: &Value) -> Vec<(String, u64)> {
    let frames = profile["frames"].as_array().unwrap();
    let name = |index: &Value| {
        frames[index.as_u64().unwrap() as usize]["function"].as_str().unwrap().to_string()
    };
    let stack = |stack: &Value| {
        let names: Vec<String> = stack["frames"].as_array().unwrap().iter().map(name).collect();
        let main = names.iter().position(|name| name == "main").unwrap_or(0);
        (names[main..].join(";"), stack["count"].as_u64().unwrap())
    };
    profile["stacks"].as_array().unwrap().iter().map(stack).collect()
}

fn count(stacks: &[(String, u64)], of: &str) -> f64 {
    stacks.iter().filter(|(stack, _)| stack == of).map(|(_, count)| *count as f64).sum()
}

#[test]
fn stacks_are_exact_and_their_shares_within_the_error() {
    if !has_compiler() {
        return;
    }
    for (kind, graph) in [("fp", "fp"), ("fp", "dwarf"), ("nofp", "dwarf,4096")] {
        let options = ["--call-graph", graph, "--format", "json"];
        let output = profile(&options, &calls(kind), "0.5");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let profile = json(&output);
        let stacks = stacks(&profile);
        let (f, recursion) = (count(&stacks, BELOW_F), count(&stacks, BELOW_RECURSION));
        let (all, samples) = (f + recursion, profile["samples"].as_f64().unwrap());
        assert!(all > 200.0 && all >= 0.95 * samples, "{kind} {graph}: {stacks:?}");
        let error = (0.75 * 0.25 / all).sqrt();
        assert!((f / all - 0.75).abs() < 5.0 * error, "{kind} {graph}: {f} and {recursion}");
        let counted: u64 = stacks.iter().map(|(_, count)| count).sum();
        assert_eq!(counted as f64, samples, "every sample has a stack");
        let main =
            profile["children"].as_array().unwrap().iter().find(|of| of["function"] == "main");
        let main = main.unwrap();
        assert!(main["count"].as_f64().unwrap() >= all && main["self"].as_f64().unwrap() < all);
    }
}

#[test]
fn without_frame_pointers_stacks_are_said_to_be_cut_off() {
    if !has_compiler() {
        return;
    }
    let output = profile(&["-g", "--format", "json"], &calls("nofp"), "0.2");
    let profile = json(&output);
    // A value at the place of a frame pointer may look like a caller.
    let cut = |why: &str| profile["cut_off"][why].as_u64().unwrap();
    let without = cut("without_caller") + cut("unmapped");
    let samples = profile["samples"].as_u64().unwrap();
    assert!(samples > 50 && without * 10 >= samples * 9, "{}", profile["cut_off"]);
    assert_eq!(count(&stacks(&profile), BELOW_F), 0.0);
    let text = stderr(&self::profile(&["-g"], &calls("nofp"), "0.1"));
    assert!(text.contains("the code has no frame pointers (use --call-graph dwarf)"), "{text}");
}

#[test]
fn a_copy_that_is_too_small_cuts_stacks_off() {
    if !has_compiler() {
        return;
    }
    let text = stderr(&profile(&["--call-graph", "dwarf,16"], &calls("nofp"), "0.2"));
    let remark = "cut off: the copy of the stack ended (--call-graph dwarf,SIZE copies more)";
    assert!(text.contains(remark), "{text}");
    assert!(text.contains("  leaf  calls-nofp"), "{text}");
}

#[test]
fn tables_show_children_callers_and_callees() {
    if !has_compiler() {
        return;
    }
    // All rows: samples of the start may push what has none of its own out of the first ones.
    let options = ["--call-graph", "dwarf", "--limit", "all"];
    let text = stderr(&profile(&options, &calls("nofp"), "0.2"));
    let assert_row = |text: &str, end: &str| {
        assert!(text.lines().any(|line| line.ends_with(end)), "{end}:\n{text}");
    };
    assert!(text.contains("\n   self   error  children   error  samples  function\n"), "{text}");
    assert_row(&text, "  in_library  libcalls-nofp.so");
    assert_row(&text, "  inlined (inlined)  calls-nofp");
    let options = ["--call-graph", "dwarf", "--callers", "leaf", "--callees", "f"];
    let text = stderr(&profile(&options, &calls("nofp"), "0.2"));
    let callers = &text[text.find("\n callers of leaf\n").expect(&text)..];
    let (callers, callees) = callers.split_at(callers.find("\n callees of f\n").expect(&text));
    for row in ["  leaf  calls-nofp", "    in_library  libcalls-nofp.so", "      f  calls-nofp"] {
        assert_row(callers, row);
    }
    for row in ["  f  calls-nofp", "    in_library  libcalls-nofp.so", "      leaf  calls-nofp"] {
        assert_row(callees, row);
    }
    assert!(!text.contains("children"), "{text}");
    let options = ["-g", "--callers", "no_such_function"];
    let text = stderr(&profile(&options, &calls("fp"), "0.1"));
    let sentence = "\n no stack contains a function no_such_function: most samples are in `";
    assert!(text.contains(sentence), "{text}");
}

#[test]
fn folded_stacks_and_the_flame_graph_have_callers() {
    if !has_compiler() {
        return;
    }
    let options = ["--call-graph", "dwarf", "--format"];
    let folded = stdout(&profile(&[&options[..], &["folded"]].concat(), &calls("nofp"), "0.2"));
    for stack in [BELOW_F, BELOW_RECURSION] {
        assert!(folded.contains(&format!(";{stack} ")), "{folded}");
    }
    let svg = stdout(&profile(&[&options[..], &["svg"]].concat(), &calls("nofp"), "0.2"));
    assert!(svg.contains("<title>in_library (libcalls-nofp.so): "), "{svg}");
}

#[test]
fn damaged_unwind_information_costs_only_the_callers() {
    if !has_compiler() {
        return;
    }
    let damaged = calls("nofp").with_file_name("calls-damaged");
    let mut bytes = std::fs::read(calls("nofp")).unwrap();
    let part = |name: &str| {
        let file = object::File::parse(&*bytes).unwrap();
        let (start, size) = file.section_by_name(name).unwrap().file_range().unwrap();
        start as usize..(start + size) as usize
    };
    for part in [".eh_frame", ".eh_frame_hdr", ".debug_info"].map(part) {
        bytes[part].fill(0xff);
    }
    std::fs::copy(calls("nofp"), &damaged).unwrap();
    std::fs::write(&damaged, bytes).unwrap();
    let output = profile(&["--call-graph", "dwarf"], &damaged, "0.2");
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("  leaf  calls-damaged") && text.contains("cut off: "), "{text}");
}

#[test]
fn a_program_that_was_deleted_is_named() {
    if !has_compiler() {
        return;
    }
    // In the folder of the original, that one would be found by its build id.
    let deleted = calls("nofp").with_file_name("alone").join("calls-deleted");
    std::fs::create_dir_all(deleted.parent().unwrap()).unwrap();
    std::fs::copy(calls("nofp"), &deleted).unwrap();
    let script = "\"$0\" 0.3 & sleep 0.1; rm \"$0\"; wait";
    let path = deleted.to_str().unwrap();
    let graph = ["--call-graph", "dwarf", "--", "sh", "-c", script, path];
    let output = run(&[&["profile", "-e", "task-clock:u"][..], &graph[..]].concat());
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains(&format!("cut off: {path} is not a file any more")), "{text}");
    assert!(text.contains("  [unknown]  calls-deleted"), "{text}");
    let reason = format!("\n{path} is not a file any more: its functions have no names");
    assert!(text.contains(&reason), "{text}");
}

#[test]
fn a_running_program_that_was_deleted_has_its_functions() {
    if !has_compiler() {
        return;
    }
    let deleted = calls("fp").with_file_name("calls-running");
    std::fs::copy(calls("fp"), &deleted).unwrap();
    let mut running = Command::new(&deleted).arg("60").spawn().unwrap();
    // It has begun when it has used the CPU.
    let stat = format!("/proc/{}/stat", running.id());
    let ticks = || std::fs::read_to_string(&stat).unwrap().split(' ').nth(13) != Some("0");
    while !ticks() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::fs::remove_file(&deleted).unwrap();
    let pid = running.id().to_string();
    let options = ["profile", "-e", "task-clock:u", "--timeout", "300", "-p", &pid];
    let output = run(&[&options[..], &["--call-graph", "dwarf", "--format", "folded"]].concat());
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("main;f;in_library;leaf;inlined "), "{}", stdout(&output));
}

#[test]
fn functions_of_the_kernel_are_called_by_the_program() {
    if !has_tools(&["dd"]) {
        return;
    }
    for graph in ["fp", "dwarf"] {
        let dd = ["--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=3000"];
        let options = ["profile", "-e", "cpu-clock", "--format", "json", "--call-graph", graph];
        let profile = json(&run(&[&options[..], &dd[..]].concat()));
        let frames = profile["frames"].as_array().unwrap();
        let is_kernel =
            |index: &Value| frames[index.as_u64().unwrap() as usize]["module"] == "[kernel]";
        if !frames.iter().any(|frame| frame["module"] == "[kernel]") {
            return println!("skipped: needs the right to sample the kernel and see its addresses");
        }
        let called = profile["stacks"].as_array().unwrap().iter().filter(|stack| {
            let frames = stack["frames"].as_array().unwrap();
            is_kernel(frames.last().unwrap()) && !is_kernel(&frames[0])
        });
        let called: u64 = called.map(|stack| stack["count"].as_u64().unwrap()).sum();
        assert!(
            called * 2 > profile["samples"].as_u64().unwrap(),
            "{graph}: {}",
            profile["stacks"]
        );
    }
}

#[test]
fn call_graphs_that_cannot_be_are_refused_with_what_to_use() {
    let refused = |options: &[&str], words: &[&str]| {
        let output = run(&[&["profile", "-e", "task-clock"], options, &["--", "true"]].concat());
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {text}");
        assert!(words.iter().all(|word| text.contains(word)), "{options:?}: {text}");
    };
    refused(&["--call-graph", "lbr"], &["does not record calls (LBR)", "use --call-graph fp"]);
    refused(&["--call-graph", "dwarf,65536"], &["`65536` is not a size of 8 to 65528 bytes"]);
    refused(&["--call-graph", "lbr,8"], &["write fp, dwarf, dwarf,SIZE or lbr"]);
    refused(&["--children"], &["--children needs call stacks", "add --call-graph fp"]);
    refused(&["-g", "--callers", "f", "--format", "json"], &["--callers is for the table"]);
    refused(&["-g", "--format", "gmon"], &["is written without call stacks", "pprof"]);
}

#[test]
fn the_files_of_a_container_are_read_through_its_process() {
    if !has_compiler() || !has_tools(&["unshare", "mount"]) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mounted");
    std::fs::create_dir_all(&folder).unwrap();
    let (from, to) = (calls("fp"), folder.join("hidden"));
    let (from, to, folder) =
        (from.to_str().unwrap(), to.to_str().unwrap(), folder.to_str().unwrap());
    let script = r#"mount -t tmpfs none "$2" && cp "$0" "$1" && exec "$1" 60"#;
    let mut unshare = Command::new("unshare");
    unshare.args(["--mount", "sh", "-c", script, from, to, folder]);
    let mut child = unshare.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let program = PathBuf::from(format!("/proc/{}/exe", child.id()));
    while program.read_link().is_ok_and(|path| !path.ends_with("hidden")) {
        if child.try_wait().unwrap().is_some() {
            println!("skipped: needs the right to mount");
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    let options = ["--call-graph", "dwarf", "--format", "json", "-p", &pid, "--timeout", "1000"];
    let output = run(&[&["profile", "-e", "task-clock:u"], &options[..]].concat());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!Path::new(to).exists());
    let profile = json(&output);
    let stacks = stacks(&profile);
    let (of_f, all) = (count(&stacks, BELOW_F), stacks.iter().map(|(_, n)| *n as f64).sum::<f64>());
    assert!(of_f > 0.6 * all, "{stacks:?}");
}

/// Short processes spend their time in the dynamic linker, whose first function has no unwind information.
#[test]
fn stacks_end_where_a_process_begins() {
    if !has_compiler() {
        return;
    }
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true; done";
    let options = ["-e", "task-clock:u", "-F", "10000", "--call-graph", "dwarf"];
    let command = ["--format", "json", "--", "sh", "-c", script];
    let profile = json(&run(&[&["profile"], &options[..], &command].concat()));
    let samples = profile["samples"].as_u64().unwrap();
    let failed = profile["cut_off"]["failed"].as_u64().unwrap();
    assert!(samples > 20 && failed * 10 < samples, "{failed} of {samples}: {profile}");
}

/// A handler that works while the program is interrupted.
const INTERRUPTED: &str = r#"
#include <signal.h>
#include <sys/time.h>
static volatile unsigned long sink;
static volatile int n;
__attribute__((noinline)) void handler_work(void) { for (long i = 0; i < 20000000; i++) sink += i; }
void handler(int s) { handler_work(); n++; }
__attribute__((noinline)) void interrupted(void) { while (n < 20) sink ^= 1; }
__attribute__((noinline)) void caller_of_interrupted(void) { interrupted(); sink++; }
int main(void) {
    signal(SIGALRM, handler);
    struct itimerval every = {{0, 8000}, {0, 8000}};
    setitimer(ITIMER_REAL, &every, 0);
    caller_of_interrupted();
}
"#;

/// Locals of 64 bytes, for which the stack is aligned, so that only an expression finds the caller.
const REALIGNED: &str = r#"
#include <string.h>
typedef double wide __attribute__((vector_size(64)));
volatile double out;
__attribute__((noinline)) void leaf(wide *p, long n) {
    for (long i = 0; i < n; i++) for (int k = 0; k < 8; k++) (*p)[k] += i;
}
__attribute__((noinline)) void realigned(long n) {
    wide a __attribute__((aligned(64))) = {0};
    char b[n % 100 + 1];
    memset(b, 0, sizeof b);
    leaf(&a, n);
    out = a[0] + b[0];
}
__attribute__((noinline)) void caller(long n) { realigned(n); out += 1; }
int main(void) { for (int i = 0; i < 40; i++) caller(1000000); }
"#;

/// The stacks of a program by their functions, with their samples; `None` without a compiler.
fn stacks_of(name: &str, source: &str, flags: &[&str], graph: &str) -> Option<Vec<(String, u64)>> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let program = crate::symbols::built(name, source, flags);
    let program = program.to_str().unwrap();
    let options = ["profile", "-e", "task-clock:u", "--call-graph", graph, "--format", "folded"];
    let output = run(&[&options[..], &["--", program]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let stack = |line: &str| {
        let (stack, count) = line.rsplit_once(' ').unwrap();
        (stack.to_string(), count.parse().unwrap())
    };
    Some(stdout(&output).lines().map(stack).collect())
}

/// The share of the samples below a function whose stack has these functions one below the other.
fn share(stacks: &[(String, u64)], below: &str, expected: &str) -> f64 {
    let sum = |part: &str| -> u64 {
        stacks.iter().filter(|(stack, _)| stack.contains(part)).map(|(_, count)| count).sum()
    };
    assert!(sum(below) > 20, "{stacks:?}");
    sum(expected) as f64 / sum(below) as f64
}

#[test]
fn a_stack_goes_on_below_a_signal_handler() {
    if !can_unwind() {
        return;
    }
    let whole = "main;caller_of_interrupted;interrupted;";
    let (frame, handler) = ("__restore_rt;", "handler;handler_work");
    let Some(stacks) = stacks_of("signal", INTERRUPTED, &["-O1", "-g"], "dwarf") else { return };
    // Samples in the first and the last instructions of functions are rare.
    let has_name = stacks.iter().any(|(stack, _)| stack.contains(frame));
    let frame = if has_name { frame } else { "[unknown];" };
    let expected = format!("{whole}{frame}{handler}");
    let found = share(&stacks, "handler_work", &expected);
    assert!(found > 0.9, "{found} {stacks:#?}");
    // By frame pointers, the handler's caller is the function to which it returns; a function that calls none has no frame.
    let flags = ["-O1", "-g", "-fno-omit-frame-pointer"];
    let Some(stacks) = stacks_of("signal-fp", INTERRUPTED, &flags, "fp") else { return };
    if has_name && cfg!(target_arch = "x86_64") {
        let found = share(&stacks, "handler_work", "__restore_rt;");
        assert!(found > 0.9, "{found} {stacks:#?}");
    }
}

#[test]
fn a_function_with_a_realigned_stack_has_callers() {
    if !can_unwind() {
        return;
    }
    let flags = if cfg!(target_arch = "x86_64") {
        &["-g", "-O2", "-mforce-drap"][..]
    } else {
        &["-g", "-O2"]
    };
    let Some(stacks) = stacks_of("realigned", REALIGNED, flags, "dwarf") else { return };
    let found = share(&stacks, "leaf", "main;caller;realigned;leaf");
    assert!(found > 0.95, "{found} {stacks:#?}");
}

/// perf needs all general registers, and the mappings in which files have their unwind information.
#[test]
fn perf_unwinds_the_stacks_of_our_recordings() {
    if !can_unwind() || !has_tools(&["gcc", "perf"]) {
        return;
    }
    let program = crate::symbols::built("by-perf", INTERRUPTED, &["-O1", "-g"]);
    let path = program.with_file_name("stacks.perf");
    let (program, perf) = (program.to_str().unwrap(), path.to_str().unwrap());
    let options = ["profile", "-e", "task-clock:u", "--call-graph", "dwarf", "--format", "perf"];
    let output = run(&[&options[..], &["-o", perf, "--", program]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let script =
        Command::new("perf").args(["script", "-F", "ip,sym", "-i", perf]).output().unwrap();
    let text = stdout(&script);
    let stacks: Vec<&str> =
        text.split("\n\n").filter(|stack| stack.contains("handler_work")).collect();
    let has = |stack: &&&str, function: &str| stack.lines().any(|line| line.ends_with(function));
    let whole = stacks.iter().filter(|stack| has(stack, "caller_of_interrupted"));
    let (whole, all) = (whole.count(), stacks.len());
    if stacks.iter().all(|stack| !has(&stack, "handler")) {
        return println!("skipped: this perf does not unwind");
    }
    assert!(all > 5 && whole * 10 > all * 9, "{whole} of {all}: {}", stacks[0]);
}
