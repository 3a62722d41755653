//! `counterpoint profile --wall`, of a program that measures itself how long it runs and waits.

use crate::{has_tools, objects, run, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;

/// Runs in `spin` for 60 ms of CPU time, sleeps for 150 ms, waits for a lock that another thread has for 80 ms, and for a byte of a pipe that comes after 120 ms; at last two threads share one CPU. It prints how long each took by its own clock, and what the scheduler says of the two threads.
const PARTS: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#define FUNCTION __attribute__((noinline, noclone))
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pipes[2];
static volatile unsigned long sum;
static double of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}
static double now(void) { return of(CLOCK_MONOTONIC); }
FUNCTION void spin(double ms) {
    for (double end = of(CLOCK_THREAD_CPUTIME_ID) + ms; of(CLOCK_THREAD_CPUTIME_ID) < end;)
        for (int i = 0; i < 20000; i++) sum += i;
}
FUNCTION double nap(long ms) {
    struct timespec time = {0, ms * 1000000};
    double begin = now();
    nanosleep(&time, 0);
    return now() - begin;
}
static double locked, slept_in_thread;
FUNCTION void *takes_lock(void *unused) {
    double begin = now();
    pthread_mutex_lock(&lock);
    locked = now() - begin;
    pthread_mutex_unlock(&lock);
    return unused;
}
FUNCTION void *writes(void *unused) {
    slept_in_thread = nap(120);
    return write(pipes[1], "x", 1) == 1 ? unused : 0;
}
struct shared { double ran, queued; };
FUNCTION void *shares_cpu(void *result) {
    struct shared *shared = result;
    unsigned long long ran = 0, queued = 0;
    spin(60);
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (!file || fscanf(file, "%llu %llu", &ran, &queued) != 2) queued = 0;
    if (file) fclose(file);
    shared->ran = of(CLOCK_THREAD_CPUTIME_ID);
    shared->queued = queued / 1e6;
    return result;
}
int main(void) {
    pthread_t one, two;
    struct shared shared[2];
    char byte;
    spin(60);
    double slept = nap(150);
    pthread_mutex_lock(&lock);
    pthread_create(&one, 0, takes_lock, 0);
    slept += nap(80);
    pthread_mutex_unlock(&lock);
    pthread_join(one, 0);
    if (pipe(pipes)) return 1;
    pthread_create(&one, 0, writes, 0);
    double begin = now();
    if (read(pipes[0], &byte, 1) != 1) return 1;
    double read_for = now() - begin;
    pthread_join(one, 0);
    cpu_set_t cpu;
    sched_getaffinity(0, sizeof cpu, &cpu);
    int first = 0;
    while (!CPU_ISSET(first, &cpu)) first++;
    CPU_ZERO(&cpu);
    CPU_SET(first, &cpu);
    sched_setaffinity(0, sizeof cpu, &cpu);
    pthread_create(&one, 0, shares_cpu, shared);
    pthread_create(&two, 0, shares_cpu, shared + 1);
    pthread_join(one, 0);
    pthread_join(two, 0);
    printf("{\"slept\":%f,\"locked\":%f,\"slept_in_thread\":%f,\"read\":%f,", slept, locked,
           slept_in_thread, read_for);
    printf("\"ran\":[%f,%f],\"queued\":[%f,%f]}\n", shared[0].ran, shared[1].ran,
           shared[0].queued, shared[1].queued);
    return 0;
}
"#;

fn parts() -> PathBuf {
    static BUILT: Once = Once::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("parts.c"), folder.join("parts"));
    BUILT.call_once(|| {
        std::fs::write(&source, PARTS).unwrap();
        let flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls"];
        let mut gcc = Command::new("gcc");
        gcc.args(flags).arg("-pthread").arg("-o").arg(&program).arg(&source);
        assert!(gcc.status().unwrap().success());
    });
    program
}

/// The result of the program, with these options; `None`, with the reason, where it cannot be taken.
fn wall(options: &[&str]) -> Option<Output> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let program = parts();
    let all = [&["profile", "--wall"], options, &["--", program.to_str().unwrap()]].concat();
    let output = run(&all);
    let problem = stderr(&output);
    if output.status.code() == Some(2) && problem.contains("perf_event_paranoid") {
        println!("skipped: needs the right to sample the kernel");
        return None;
    }
    assert!(output.status.success(), "{problem}");
    Some(output)
}

/// The sum of a time over the stacks that are wanted, in milliseconds.
fn sum(result: &Value, time: &str, is_wanted: impl Fn(&Value) -> bool) -> f64 {
    let stacks = result["stacks"].as_array().unwrap().iter();
    stacks.filter(|of| is_wanted(of)).map(|of| of[time].as_f64().unwrap()).sum()
}

/// What the clocks of the program and the records may differ by, in milliseconds for each wait.
const APART: f64 = 2.0;

/// Asserts that a wait is no longer than the program says, and no shorter than that without the time for which the thread could run.
fn agrees(what: &str, measured: f64, of_program: f64, could_run: f64) {
    let least = of_program - could_run - APART;
    assert!(
        (least..=of_program + APART).contains(&measured),
        "{what}: {measured} ms, and not {least} to {of_program} ms"
    );
}

#[test]
fn each_state_is_as_long_as_the_program_and_the_scheduler_say() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = dir.join("wall.json");
    let Some(output) = wall(&["--format", "json", "-o", path.to_str().unwrap()]) else { return };
    let own: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let result: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(result["lost"], 0, "{result}");
    let own = |key: &str| own[key].as_f64().unwrap();
    let could_run = |thread: u64| {
        let states = ["running", "queued", "preempted"].map(Value::from);
        sum(&result, "thread_ms", |of| of["thread"] == thread && states.contains(&of["state"]))
    };
    let waits = |thread: u64, wait: &str| {
        sum(&result, "thread_ms", |of| of["thread"] == thread && of["wait"] == wait)
    };
    agrees("sleep", waits(0, "sleep"), own("slept"), could_run(0));
    assert!(waits(0, "sleep") >= 230.0 - APART, "{result}");
    agrees("pipe", waits(0, "I/O"), own("read"), could_run(0));
    // The other threads, in the order in which they were created.
    assert_eq!(result["threads"].as_array().unwrap().len(), 5, "{result}");
    agrees("lock", waits(1, "lock"), own("locked"), could_run(1));
    agrees("sleep of a thread", waits(2, "sleep"), own("slept_in_thread"), could_run(2));
    of_two_threads(&result, &serde_json::from_str(&stdout(&output)).unwrap());
    let all = sum(&result, "wall_ms", |_| true) + result["outside_ms"].as_f64().unwrap();
    assert!((all - result["wall_ms"].as_f64().unwrap()).abs() < 0.001, "{result}");
    if let Some(path) = result["path_ms"].as_f64() {
        assert!((sum(&result, "path_ms", |_| true) - path).abs() < 0.001, "{result}");
        // The end of the program waits for the threads that share a CPU, and not for a lock.
        let of_lock = sum(&result, "path_ms", |of| of["wait"] == "lock");
        assert!(of_lock < 20.0, "{of_lock} in {result}");
    }
}

/// Two threads on one CPU: what each ran and was in a run queue is what the scheduler says of it.
fn of_two_threads(result: &Value, own: &Value) {
    for (index, thread) in [3, 4].into_iter().enumerate() {
        let of = |states: &[&str]| {
            let is_one = |of: &Value| states.iter().any(|state| of["state"] == *state);
            sum(result, "thread_ms", |of| of["thread"] == thread && is_one(of))
        };
        let ran = own["ran"][index].as_f64().unwrap();
        let queued = own["queued"][index].as_f64().unwrap();
        assert!((of(&["running"]) - ran).abs() < 5.0, "{} of {ran}", of(&["running"]));
        // A kernel without statistics of the scheduler says 0; others may run once more before the thread ends.
        let in_queue = of(&["queued", "preempted"]);
        let is_right = (queued - APART..queued + 100.0).contains(&in_queue);
        assert!(queued == 0.0 || is_right, "{in_queue} of {queued}");
    }
}

#[test]
fn a_recording_shows_the_same_as_the_program_that_was_just_run() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wall.perf");
    let file = file.to_str().unwrap();
    if wall(&["--format", "perf", "-o", file]).is_none() {
        return;
    }
    let report = |options: &[&str]| {
        let output = run(&[&["report", "--wall"], options, &[file]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        output
    };
    let result = objects(&report(&["--format", "json"])).remove(0);
    // In folded stacks, all parts of the wall time are below what the threads did.
    let folded = stdout(&report(&["--format", "folded"]));
    let time = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap() / 1000.0;
    let all: f64 = folded.lines().map(time).sum();
    let rounded = 0.001 * result["stacks"].as_array().unwrap().len() as f64;
    let expected = result["wall_ms"].as_f64().unwrap() - result["outside_ms"].as_f64().unwrap();
    assert!((all - expected).abs() < rounded, "{all} of {expected}");
    assert!(
        folded.lines().any(|line| line.starts_with("waiting: sleep;") && line.contains(";writes;"))
    );
    assert!(folded.lines().any(|line| line.starts_with("running;") && line.contains(";spin")));
    let svg = stdout(&report(&["--format", "svg"]));
    assert!(svg.starts_with("<svg") && svg.contains("waiting: sleep"), "{svg}");
    let table = stdout(&report(&[]));
    assert!(
        table.contains("  thread ms  state\n") && table.contains("  waiting: sleep\n"),
        "{table}"
    );
    // One thread has its own time, and nothing of the others.
    let pid = result["threads"][0]["pid"].to_string();
    let one = objects(&report(&["--tid", &pid, "--format", "json"])).remove(0);
    assert_eq!(one["threads"].as_array().unwrap().len(), 1, "{one}");
    let alone = sum(&one, "wall_ms", |of| of["wait"] == "sleep");
    let slept = sum(&result, "thread_ms", |of| of["thread"] == 0 && of["wait"] == "sleep");
    assert!((alone - slept).abs() < 0.001, "{alone} of {slept}");
}

/// Nothing tells how long a wait lasts that has not ended: the last record is not the end of the time.
#[test]
fn a_wait_that_has_not_ended_is_told() {
    if wall(&["--format", "json"]).is_none() {
        return;
    }
    let waits = |command: &[&str]| {
        let options = ["profile", "--wall", "--format", "json", "--timeout", "300", "--"];
        let output = run(&[&options[..], command].concat());
        objects(&output).remove(0)["notes"].to_string()
    };
    let told = "waited when the last record was made";
    let text = waits(&["sleep", "2"]);
    assert!(text.contains(&format!("1 thread {told}")), "{text}");
    assert!(!waits(&["sleep", "0.01"]).contains(told));
}

#[test]
fn what_does_not_fit_says_what_to_use() {
    let refused = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        stderr(&output)
    };
    assert!(refused(&["profile", "--wall", "--off-cpu", "--", "true"]).contains("--off-cpu"));
    assert!(refused(&["profile", "--wall", "-a", "--", "true"]).contains("--all-cpus"));
    let format = refused(&["profile", "--wall", "--format", "pprof", "--", "true"]);
    assert!(format.contains("--format table, json, folded or svg"), "{format}");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without-switches.perf");
    let file = file.to_str().unwrap();
    let recorded = run(&["record", "-e", "page-faults:u", "-c", "1", "-o", file, "--", "true"]);
    if recorded.status.success() {
        let text = refused(&["report", "--wall", file]);
        assert!(text.contains("counterpoint record --wall"), "{text}");
        let comm = refused(&["report", "--wall", "--comm", "true", file]);
        assert!(comm.contains("--pid and --tid"), "{comm}");
    }
    let missing = refused(&["report", "--wall", "no-such-file.perf"]);
    assert!(missing.contains("No such file"), "{missing}");
}
