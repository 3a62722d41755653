//! `counterpoint report` on recordings as perf makes them, written here record by record, or by perf itself.

use crate::profile::json;
use crate::{counterpoint, has_tools, run, stderr, stdout};
use counterpoint_recording::file::{Contents, Event, Facts, Writer, comm, mmap};
use serde_json::Value;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const IP: u64 = 1 << 0;
const TID: u64 = 1 << 1;
const TIME: u64 = 1 << 2;
const READ: u64 = 1 << 4;
const CALLCHAIN: u64 = 1 << 5;
const PERIOD: u64 = 1 << 8;
const BRANCH_STACK: u64 = 1 << 11;
const IDENTIFIER: u64 = 1 << 16;
const TRACEPOINT: u64 = 2;
const USER: u16 = 2;
/// Behind all records but samples: the thread, the time and the event.
const TRAILER: usize = 3 * 8;

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// An event with these words of its attribute, each at its offset, and one id.
pub(crate) fn event(name: &str, id: u64, words: &[(usize, u64)]) -> Event {
    let mut attr = vec![0; 112];
    attr[4] = 112;
    // All records have a trailer.
    attr[42] = 1 << 2;
    for (offset, word) in words {
        for (to, byte) in attr[*offset..].iter_mut().zip(word.to_ne_bytes()) {
            *to |= byte;
        }
    }
    Event { name: name.into(), attr, ids: vec![id] }
}

pub(crate) fn record(kind: u32, misc: u16, words: &[u64]) -> Vec<u8> {
    let size = 8 + 8 * words.len() as u16;
    let head = [&kind.to_ne_bytes()[..], &misc.to_ne_bytes(), &size.to_ne_bytes()].concat();
    [head, words.iter().flat_map(|word| word.to_ne_bytes()).collect()].concat()
}

pub(crate) fn pair(pid: u32, tid: u32) -> u64 {
    u64::from(pid) | u64::from(tid) << 32
}

/// A record of a name or a mapping, with its trailer: the thread, the time, the event.
fn at(mut record: Vec<u8>, pid: u32, time: u64) -> Vec<u8> {
    let trailer = [pair(pid, pid), time, 1].map(u64::to_ne_bytes).concat();
    let start = record.len() - TRAILER;
    record[start..].copy_from_slice(&trailer);
    record
}

pub(crate) fn written(name: &str, events: &[Event], records: &[Vec<u8>]) -> PathBuf {
    let path = path(name);
    let mut writer = Writer::begin(File::create(&path).unwrap(), events).unwrap();
    records.iter().for_each(|record| writer.records(record).unwrap());
    writer.finish(&Facts::default()).unwrap();
    path
}

pub(crate) fn report(path: &Path, options: &[&str]) -> String {
    let output = run(&[&["report", path.to_str().unwrap()], options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output)
}

/// The rows of `--sort KEY` of the first event, by their names, in percent.
fn sorted(path: &Path, key: &str) -> Vec<(String, f64)> {
    let line = report(path, &["--sort", key, "--format", "json"]);
    let report: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    let rows = report["sorted"].as_array().unwrap().iter();
    rows.map(|row| (row[key].as_str().unwrap_or("-").into(), row["percent"].as_f64().unwrap()))
        .collect()
}

/// `-g` beside `-b` of all branches: they are what ran last, and no callers.
#[test]
fn branches_are_callers_only_where_they_are_a_call_stack() {
    let chain = [3, -512_i64 as u64, 0x1010, 0x1020];
    let branches = [2, 0x3010, 0x1010, 0, 0x3020, 0x3010, 0];
    let call_stack = 1 << 11;
    for (branch_type, index, expected) in [
        (1 << 3, None, "[unknown];[unknown] 1\n"),
        (1 << 3 | 1 << 17, Some(7), "[unknown];[unknown] 1\n"),
        // The sample, and the two calls.
        (call_stack, None, "[unknown];[unknown];[unknown] 1\n"),
        (call_stack | 1 << 17, Some(7), "[unknown];[unknown];[unknown] 1\n"),
    ] {
        let kinds = IDENTIFIER | IP | TID | TIME | CALLCHAIN | BRANCH_STACK;
        let event = event("cycles:u", 1, &[(16, 1), (24, kinds), (72, branch_type)]);
        // The calls that a processor records are in place of the chain.
        let chain = if branch_type & call_stack != 0 { &[0][..] } else { &chain };
        let (count, branches) = branches.split_at(1);
        let index: Vec<u64> = index.into_iter().collect();
        let words = [&[1, 0x1010, pair(5, 5), 100], chain, count, &index, branches].concat();
        let records = [
            at(mmap(Contents::Code(5), 0x1000..0x4000, 0, b"/nowhere/program", TRAILER), 5, 0),
            record(9, USER, &words),
        ];
        let path = written("branches.perf", &[event], &records);
        assert_eq!(report(&path, &["--format", "folded"]), expected, "{branch_type:#x}");
    }
}

/// `sched:sched_stat_runtime` is sampled every time, and its period is the time.
#[test]
fn samples_of_a_fixed_period_count_as_their_recorded_ones() {
    let kinds = IDENTIFIER | IP | TID | TIME | PERIOD;
    let event = event("sched:sched_stat_runtime", 1, &[(0, TRACEPOINT), (16, 1), (24, kinds)]);
    let sample = |pid, period| record(9, USER, &[1, 0x1010, pair(pid, pid), 100, period]);
    let records = [
        at(comm(5, 5, b"sh", TRAILER), 5, 0),
        at(comm(6, 6, b"sort", TRAILER), 6, 0),
        at(mmap(Contents::Code(5), 0x1000..0x4000, 0, b"/nowhere/sh", TRAILER), 5, 0),
        at(mmap(Contents::Code(6), 0x1000..0x4000, 0, b"/nowhere/sort", TRAILER), 6, 0),
        sample(5, 800),
        sample(6, 100),
        sample(6, 100),
    ];
    let path = written("periods.perf", &[event], &records);
    for (key, names) in [("comm", ["sh", "sort"]), ("module", ["sh", "sort"])] {
        let rows = sorted(&path, key);
        assert_eq!(rows, [(names[0].to_string(), 80.0), (names[1].to_string(), 20.0)]);
    }
    let table = report(&path, &[]);
    assert!(table.contains("1000 events"), "{table}");
    assert!(report(&path, &["--comm", "sort", "--format", "folded"]).ends_with(" 200\n"));
}

/// perf writes the buffer of one CPU after that of another.
#[test]
fn a_thread_has_the_name_of_its_creator_wherever_that_is_in_the_file() {
    let kinds = IDENTIFIER | IP | TID | TIME;
    let event = event("cycles:u", 1, &[(16, 1), (24, kinds)]);
    let task = [pair(6, 5), pair(6, 5), 50, pair(5, 5), 50, 1];
    let records = [
        record(7, 0, &task),
        record(9, USER, &[1, 0x1010, pair(6, 6), 60]),
        at(comm(5, 5, b"sh", TRAILER), 5, 10),
    ];
    let path = written("forks.perf", &[event], &records);
    assert_eq!(sorted(&path, "comm"), [("sh".to_string(), 100.0)]);
    assert!(report(&path, &["--comm", "sh"]).contains("1 sample"));
}

/// `perf record --per-thread`: the place in the file is the order, and a sample is of what its process was there.
#[test]
fn samples_without_times_are_of_what_was_before_them() {
    let kinds = IDENTIFIER | IP | TID | PERIOD;
    let event = event("cycles:u", 1, &[(16, 1), (24, kinds)]);
    let trailer = 2 * 8;
    let at = |mut record: Vec<u8>, pid: u32| {
        let start = record.len() - trailer;
        record[start..].copy_from_slice(&[pair(pid, pid), 1].map(u64::to_ne_bytes).concat());
        record
    };
    let map =
        |pid, path: &[u8]| at(mmap(Contents::Code(pid), 0x1000..0x4000, 0, path, trailer), pid);
    let sample = |pid| record(9, USER, &[1, 0x1010, pair(pid, pid), 1]);
    let records = [
        // Nothing is said of it before.
        sample(6),
        at(comm(5, 5, b"sh", trailer), 5),
        map(5, b"/nowhere/sh"),
        sample(5),
        at(comm(5, 5, b"awk", trailer), 5),
        map(5, b"/nowhere/awk"),
        sample(5),
        at(comm(6, 6, b"later", trailer), 6),
        map(6, b"/nowhere/later"),
    ];
    let path = written("timeless.perf", &[event], &records);
    for key in ["comm", "module"] {
        let mut rows = sorted(&path, key);
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["awk", "later", "sh"], "{rows:?}");
    }
}

/// `perf record -e '{a,b}:S'`: the leader is sampled, and each sample has the counts of both.
#[test]
fn events_that_were_read_with_their_leader_are_weighted_by_their_counts() {
    let kinds = IDENTIFIER | IP | TID | TIME | READ;
    let (id, group, lost) = (1 << 2, 1 << 3, 1 << 4);
    let member =
        |name, number| event(name, number, &[(16, 1000), (24, kinds), (32, id | group | lost)]);
    let events = [member("task-clock", 1), member("page-faults", 2)];
    let sample = |pid, time, clock, faults| {
        let counts = [2, clock, 1, 0, faults, 2, 0];
        record(9, USER, &[&[1, 0x1010, pair(pid, pid), time], &counts[..]].concat())
    };
    let records = [
        at(comm(5, 5, b"a", TRAILER), 5, 0),
        at(comm(6, 6, b"b", TRAILER), 6, 0),
        sample(5, 10, 1000, 30),
        // The member has not occurred since.
        sample(6, 20, 2000, 30),
        sample(6, 30, 4000, 40),
    ];
    let path = written("counts.perf", &events, &records);
    let lines = report(&path, &["--sort", "comm", "--format", "json"]);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let counts = |of: &Value| -> Vec<(String, u64)> {
        let rows = of["sorted"].as_array().unwrap().iter();
        rows.map(|row| (row["comm"].as_str().unwrap().into(), row["count"].as_u64().unwrap()))
            .collect()
    };
    assert_eq!(rows.len(), 2, "{lines}");
    assert_eq!(counts(&rows[0]), [("b".to_string(), 3000), ("a".to_string(), 1000)]);
    assert_eq!(counts(&rows[1]), [("a".to_string(), 30), ("b".to_string(), 10)]);
    // A sample that is left out counts for what has been counted before the next one.
    let lines = report(&path, &["--time", "0.00000002,", "--sort", "comm", "--format", "json"]);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(counts(&first), [("b".to_string(), 3000)]);
}

/// As perf 3.4 wrote it: the text of the kernel from 0 on, and the module within.
#[test]
fn samples_of_the_kernel_are_of_the_kernel_whatever_its_mapping_says() {
    let kinds = IDENTIFIER | IP | TID | TIME;
    let event = event("cycles", 1, &[(16, 1), (24, kinds)]);
    let (text, module) = (0xffff_ffff_8100_0000_u64, 0xffff_ffff_a000_0000_u64);
    let sample = |ip| record(9, 1, &[1, ip, pair(5, 5), 100]);
    let kernel = b"[kernel.kallsyms]_stext";
    let records = [
        mmap(Contents::Kernel, 0..module - 1, text + 0x190, kernel, TRAILER),
        mmap(
            Contents::Kernel,
            module..module + 0x6000,
            0,
            b"/lib/modules/3.4.0/joydev.ko",
            TRAILER,
        ),
        sample(text + 0x2000),
        sample(module + 0x10),
        // Below the text, and where nothing is mapped.
        sample(0xffff_ffff_8000_0000),
        sample(0x10),
    ];
    let path = written("kernel.perf", &[event], &records);
    let expected = [("[kernel]".to_string(), 75.0), ("[joydev]".to_string(), 25.0)];
    assert_eq!(sorted(&path, "module"), expected);
    // All tables of one report say the same.
    let table = report(&path, &[]);
    assert!(!table.contains("[elsewhere]"), "{table}");
}

#[test]
fn data_of_a_tracer_are_named_and_not_taken_for_samples() {
    let kinds = IDENTIFIER | IP | TID | TIME;
    let traced = event("intel_pt//u", 1, &[(0, 8), (16, 1), (24, kinds)]);
    let info = record(70, 0, &[1, 0]);
    // The data that the record announces are behind it.
    let aux = [record(71, 0, &[64, 0, 0, 0, 0]), vec![0x5a; 64]].concat();
    let path = written("traced.perf", &[traced], &[info, aux]);
    let output = run(&["report", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let told = stderr(&output);
    assert!(told.contains("64 bytes of AUX data (Intel PT) are not decoded"), "{told}");
    assert!(told.contains("perf inject --itrace"), "{told}");
}

#[test]
fn two_neighbouring_functions_of_one_byte_have_rows_of_their_own() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let folder = path("neighbours");
    std::fs::create_dir_all(&folder).unwrap();
    let (source, program) = (folder.join("program.s"), folder.join("program"));
    let functions = "first: ret\n.size first, 1\nsecond: ret\n.size second, 1\n";
    let types = ".type first, @function\n.type second, @function\n";
    let text = format!(".text\n.globl _start\n.balign 16\n{types}{functions}_start: ret\n");
    std::fs::write(&source, text).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-nostdlib", "-static", "-Wl,-Ttext=0x401000,--build-id=none", "-o"]);
    assert!(gcc.arg(&program).arg(&source).status().unwrap().success());
    let kinds = IDENTIFIER | IP | TID | TIME;
    let event = event("cycles:u", 1, &[(16, 1), (24, kinds)]);
    let name = program.to_str().unwrap().as_bytes();
    let sample = |ip| record(9, USER, &[1, ip, pair(5, 5), 100]);
    let records = [
        at(mmap(Contents::Code(5), 0x401000..0x402000, 0x1000, name, TRAILER), 5, 0),
        sample(0x401000),
        sample(0x401001),
        sample(0x401001),
    ];
    let path = written("neighbours.perf", &[event], &records);
    let rows: Vec<String> = sorted(&path, "function").into_iter().map(|(name, _)| name).collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0].contains("second") && rows[1].contains("first"), "{rows:?}");
}

/// A recording by `perf record`, in each of its ways, has the samples that `perf script` prints.
#[test]
fn recordings_of_pipes_and_compressed_ones_have_the_samples_that_perf_finds() {
    if !has_tools(&["perf", "sh"]) {
        return;
    }
    let work = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; true";
    for (name, options) in [
        ("pipe", &["-o", "-"][..]),
        ("compressed", &["-z"]),
        ("strongly", &["-z22"]),
        ("build-ids", &["--buildid-mmap"]),
        ("group", &["-e", "{task-clock:u,page-faults:u}:S"]),
    ] {
        let path = path(&format!("by-perf-{name}.perf"));
        let mut perf = Command::new("perf");
        perf.args(["record", "-q", "-F", "2000"]);
        if name == "pipe" {
            perf.stdout(File::create(&path).unwrap());
        } else {
            perf.arg("-o").arg(&path).stdout(Stdio::null());
        }
        if name != "group" {
            perf.args(["-e", "task-clock:u"]);
        }
        let status = perf.args(options).args(["--", "sh", "-c", work]).stderr(Stdio::null());
        if !status.status().unwrap().success() {
            println!("skipped: perf cannot record {name} here");
            continue;
        }
        let mut script = Command::new("perf");
        script.args(["script", "-F", "comm,event,period", "-i"]).arg(&path);
        let of_perf = stdout(&script.output().unwrap());
        let of_perf = of_perf.lines().filter(|line| line.contains("task-clock")).count();
        assert!(of_perf > 5, "{name}: {of_perf}");
        let lines = report(&path, &["--format", "json"]);
        let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(first["samples"], of_perf, "{name}");
        assert_eq!(sorted(&path, "comm").first().map(|row| row.0.as_str()), Some("sh"), "{name}");
    }
}

/// A recording that comes through a pipe is one like any other, and what is none ends at once.
#[test]
fn what_comes_through_a_pipe_is_read_and_what_is_no_recording_is_refused_at_once() {
    let kinds = IDENTIFIER | IP | TID | TIME;
    let event = event("cycles:u", 1, &[(16, 1), (24, kinds)]);
    let records = [record(9, USER, &[1, 0x1010, pair(5, 5), 100])];
    let bytes = std::fs::read(written("piped.perf", &[event], &records)).unwrap();
    let mut command = counterpoint(&["report", "-", "--format", "json"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(json(&output)["samples"], 1, "{}", stderr(&output));
    for endless in ["/dev/zero", "/dev/urandom"] {
        let output = run(&["report", endless]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("not a file of perf record"), "{}", stderr(&output));
    }
}
