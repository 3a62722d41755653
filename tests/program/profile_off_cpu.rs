//! `counterpoint profile --off-cpu`, of a program whose waits are known.

use crate::{has_tools, objects, run, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// Waits 100 ms in `naps`, 300 ms in `sleeps`, and 80 ms for a lock that another thread has.
const WAITS: &str = r#"
#include <pthread.h>
#include <time.h>
#define FUNCTION __attribute__((noinline, noclone))
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
FUNCTION void nap(long ms) {
    struct timespec time = {0, ms * 1000000};
    nanosleep(&time, 0);
    __asm__ volatile("");
}
FUNCTION void naps(void) { for (int i = 0; i < 10; i++) nap(10); }
FUNCTION void sleeps(void) { for (int i = 0; i < 10; i++) nap(30); }
FUNCTION void *waits_for_lock(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    naps();
    sleeps();
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, waits_for_lock, 0);
    nap(80);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
"#;

fn waits() -> PathBuf {
    static BUILT: Once = Once::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("waits.c"), folder.join("waits"));
    BUILT.call_once(|| {
        std::fs::write(&source, WAITS).unwrap();
        let flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"];
        let mut gcc = Command::new("gcc");
        gcc.args(flags).arg("-pthread").arg("-o").arg(&program).arg(&source);
        assert!(gcc.status().unwrap().success());
    });
    program
}

/// The profile of the program; `None`, with the reason, where it cannot be taken.
fn off_cpu(options: &[&str]) -> Option<Output> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let program = waits();
    let all = [&["profile", "--off-cpu"], options, &["--", program.to_str().unwrap()]].concat();
    let output = run(&all);
    let problem = stderr(&output);
    if output.status.code() == Some(2) && problem.contains("perf_event_paranoid") {
        println!("skipped: needs the right to sample the kernel");
        return None;
    }
    assert!(output.status.success(), "{problem}");
    Some(output)
}

/// The time of the stacks with a function, in ms.
fn below(stacks: &str, function: &str) -> f64 {
    let of = |line: &str| {
        let (stack, time) = line.rsplit_once(' ').unwrap();
        let is_below = stack.split(';').any(|frame| frame == function);
        if is_below { time.parse::<f64>().unwrap() / 1000.0 } else { 0.0 }
    };
    stacks.lines().map(of).sum()
}

#[test]
fn waits_are_as_long_as_they_were_and_where_they_were() {
    for graph in ["fp", "dwarf"] {
        if graph == "dwarf" && !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            continue;
        }
        let Some(output) = off_cpu(&["--call-graph", graph, "--format", "folded"]) else { return };
        let stacks = stdout(&output);
        // A thread may run later than its timer ends, on a busy machine much later, and not earlier.
        let (naps, sleeps) = (below(&stacks, "naps"), below(&stacks, "sleeps"));
        assert!((99.0..600.0).contains(&naps), "{naps} in {stacks}");
        assert!((299.0..1200.0).contains(&sleeps), "{sleeps} in {stacks}");
        // The lock is taken when the other thread has just begun to wait.
        let lock: f64 = stacks
            .lines()
            .filter(|line| line.contains("lll_lock_wait") || line.contains("mutex_lock"))
            .map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap() / 1000.0)
            .sum();
        assert!((40.0..600.0).contains(&lock), "{lock} in {stacks}");
    }
}

#[test]
fn the_table_names_the_functions_of_the_program_and_not_those_of_the_scheduler() {
    let Some(output) = off_cpu(&[]) else { return };
    let table = stderr(&output);
    let first = table.lines().find(|line| line.contains('%')).unwrap();
    assert!(first.contains("nanosleep") && first.contains("libc"), "{table}");
    assert!(table.contains(" off-cpu: ") && table.contains("  ms  function"), "{table}");
    assert!(!table.contains("task-clock") && !table.contains("schedule"), "{table}");
}

#[test]
fn both_sides_of_a_program_are_in_one_profile() {
    let Some(output) = off_cpu(&["-e", "task-clock", "--format", "json"]) else { return };
    let profiles = objects(&output);
    let of = |event: &str| profiles.iter().find(|of| of["event"] == event).unwrap();
    let (waits, clock) = (of("off-cpu"), of("task-clock"));
    assert_eq!((&waits["unit"], &clock["unit"]), (&Value::from("µs"), &Value::from("samples")));
    assert!(waits["preempted"].is_u64() && clock.get("preempted").is_none(), "{waits}");
    assert_eq!((&waits["unfinished"], &waits["lost"]), (&Value::from(0), &Value::from(0)));
    let times = waits["functions"].as_array().unwrap().iter().map(|f| f["count"].as_u64().unwrap());
    assert!((480_000..3_000_000).contains(&times.sum::<u64>()), "{waits}");
}

#[test]
fn options_that_do_not_fit_say_so() {
    let refused = |options: &[&str]| {
        let all = [&["profile", "--off-cpu"], options, &["--", "true"]].concat();
        let output = run(&all);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        stderr(&output)
    };
    assert!(refused(&["-e", "context-switches"]).contains("leave out one of them"));
    assert!(refused(&["--format", "perf"]).contains("--off-cpu is not for --format perf"));
    assert!(refused(&["--weighted"]).contains("--off-cpu"));
    let several = refused(&["-e", "task-clock", "--format", "folded"]);
    assert!(several.contains("only one event"), "{several}");
}
