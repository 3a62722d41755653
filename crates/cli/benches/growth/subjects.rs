//! What there may be many of, and the command that meets them.

use crate::samples::{Drawn, IDENTIFIER, IP, PID, TID, TIME, code, event, pair, written};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Barrier;
use std::time::Duration;

/// Something of which there may be many.
pub(crate) struct Subject {
    /// The command.
    pub(crate) what: &'static str,
    /// What is counted.
    pub(crate) items: &'static str,
    pub(crate) sizes: &'static [usize],
    /// The command that meets so many, or why there cannot be so many here.
    pub(crate) command: fn(usize) -> Result<Command, String>,
}

const SIZES: &[usize] = &[10, 100, 1_000, 10_000];

pub(crate) fn subjects() -> [Subject; 6] {
    let subject = |what, items, command| Subject { what, items, sizes: SIZES, command };
    [
        subject("stat", "events", events),
        subject("check", "definitions", definitions),
        subject("stat --per-thread", "threads", threads),
        subject("stat --for-each-cgroup", "cgroups", cgroups),
        subject("merge", "ranks", ranks),
        Subject {
            sizes: &[100_000, 1_000_000, 10_000_000, 100_000_000],
            ..subject("report", "samples", samples)
        },
    ]
}

fn counterpoint(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(words);
    command
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth").join(name)
}

/// A folder without the files of a run before.
fn new_folder(name: &str) -> Result<PathBuf, String> {
    let folder = folder(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Counters of different names.
fn events(count: usize) -> Result<Command, String> {
    let kinds = ["page-faults", "task-clock", "context-switches", "cpu-migrations"];
    let list: Vec<String> =
        (0..count).map(|index| format!("{}/name=e{index}/", kinds[index % 4])).collect();
    Ok(counterpoint(&["stat", "-e", &list.join(","), "true"]))
}

fn definitions(count: usize) -> Result<Command, String> {
    let file = new_folder("definitions")?.join("definitions.csv");
    let mut text = String::new();
    for index in 0..count {
        match index % 10 {
            0 => _ = writeln!(text, "EVENT,D{index},DERIVED_ADD,page-faults,task-clock"),
            _ => {
                let last = index - 1;
                _ = writeln!(
                    text,
                    "EVENT,D{index},DERIVED_INFIX,N0/N1+N2,page-faults,task-clock,D{last}"
                );
            }
        }
    }
    fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok(counterpoint(&["check", &file.to_string_lossy()]))
}

/// This program with so many threads.
fn threads(count: usize) -> Result<Command, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = counterpoint(&["stat", "--per-thread", "-e", "page-faults", "--"]);
    command.arg(own).args(["--threads", &count.to_string()]);
    Ok(command)
}

/// Starts as many threads as the second argument says, all of which are there at the same time.
pub(crate) fn sleep_in_threads() {
    let count = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(1);
    let all = Barrier::new(count);
    std::thread::scope(|scope| {
        for _ in 0..count {
            let thread = std::thread::Builder::new().stack_size(1 << 16);
            thread.spawn_scoped(scope, || all.wait()).expect("a thread can be started");
        }
    });
}

/// Cgroups, which are removed when the next number of them is asked for.
fn cgroups(count: usize) -> Result<Command, String> {
    let mounted = ["/sys/fs/cgroup/perf_event", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"];
    let mounted = mounted.into_iter().map(Path::new);
    let root = mounted
        .filter(|root| root.ends_with("perf_event") || root.join("cgroup.controllers").exists());
    let root = root.into_iter().next().ok_or("no hierarchy of cgroups with perf_event")?;
    let parent = root.join("counterpoint-growth");
    if let Ok(entries) = parent.read_dir() {
        entries.flatten().for_each(|entry| drop(fs::remove_dir(entry.path())));
    }
    let made = |path: &Path| match fs::create_dir(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(format!("{}: {error}", path.display()))
        }
        _ => Ok(()),
    };
    made(&parent)?;
    let names: Vec<String> =
        (0..count).map(|index| format!("counterpoint-growth/g{index}")).collect();
    names.iter().try_for_each(|name| made(&root.join(name)))?;
    let list = names.join(",");
    Ok(counterpoint(&["stat", "--for-each-cgroup", &list, "-e", "page-faults", "--", "true"]))
}

/// A report of 20 rows of each rank.
fn ranks(count: usize) -> Result<Command, String> {
    let folder = new_folder("ranks")?;
    for rank in 0..count {
        let mut text = String::new();
        for row in 0..20 {
            let value = 1_000_000_007 * (rank + 3) % (977 * (row + 1)) + 100_000;
            _ = writeln!(
                text,
                "{{\"schema\":1,\"region\":\"region {row}\",\"calls\":12,\"rank\":{rank},\"ranks\":{count},\"host\":\"node{}\",\"pid\":{},\"event\":\"event\",\"value\":{value},\"status\":\"counted\",\"unit\":null,\"raw\":{value}}}",
                rank / 64,
                rank + 1000
            );
        }
        let file = folder.join(format!("rank.{rank:05}.jsonl"));
        fs::write(file, text).map_err(|error| error.to_string())?;
    }
    Ok(counterpoint(&["merge", "--json", &folder.to_string_lossy()]))
}

/// A recording of samples of 48 bytes in the code of this program.
fn samples(count: usize) -> Result<Command, String> {
    let folder = new_folder("samples")?;
    let bytes = 48 * count as u64;
    let free = free_bytes(&folder).ok_or("the free space is not known")?;
    if free < 2 * bytes {
        return Err(format!("it needs {} GB of disk", (2 * bytes).div_ceil(1_000_000_000)));
    }
    let kinds = IDENTIFIER | IP | TID | TIME;
    let event = event("cpu-clock", 1, &[(0, 1), (8, 0), (16, 1_000_000), (24, kinds)]);
    let code = code();
    let mut drawn = Drawn(7);
    let (mut place, mut time) = (code.range.start, 1000);
    let file = written("growth/samples/samples.perf", &[event], &code, count as u64, || {
        time += 1_000_000;
        if time % 8 == 0 {
            place = code.range.start + drawn.below(code.range.end - code.range.start);
        }
        vec![1, place, pair(PID + drawn.below(16) as u32), time]
    });
    Ok(counterpoint(&["report", &file.to_string_lossy()]))
}

fn free_bytes(folder: &Path) -> Option<u64> {
    let about = nix::sys::statvfs::statvfs(folder).ok()?;
    Some(about.blocks_available() as u64 * about.fragment_size() as u64)
}
