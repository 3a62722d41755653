//! What there may be many of, and the command that meets them.

use crate::samples::{Drawn, IDENTIFIER, IP, PID, TID, TIME, code, event, pair, written};
use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;

/// Something of which there may be many.
pub(crate) struct Subject {
    /// The command.
    pub(crate) what: &'static str,
    /// What is counted.
    pub(crate) items: &'static str,
    pub(crate) sizes: &'static [usize],
    /// The command that meets so many, or why there cannot be so many here.
    pub(crate) case: fn(usize) -> Result<Case, String>,
}

/// A command, and what must run beside it.
pub(crate) struct Case {
    pub(crate) command: Command,
    beside: Option<Child>,
}

impl Drop for Case {
    fn drop(&mut self) {
        if let Some(beside) = &mut self.beside {
            let _ = beside.kill();
            let _ = beside.wait();
        }
    }
}

impl From<Command> for Case {
    fn from(command: Command) -> Case {
        Case { command, beside: None }
    }
}

const SIZES: &[usize] = &[10, 100, 1_000, 10_000];

pub(crate) fn subjects() -> [Subject; 6] {
    let subject = |what, items, case| Subject { what, items, sizes: SIZES, case };
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

/// Removes what the commands were given.
pub(crate) struct CleanUp;

impl Drop for CleanUp {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth"));
        let Ok(root) = cgroup_root() else { return };
        for entry in root.read_dir().into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(CGROUP) {
                remove_cgroups(&entry.path());
            }
        }
    }
}

fn counterpoint(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(words);
    command
}

/// A folder for so many items, without the files of a run before.
fn new_folder(name: &str, count: usize) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("growth/{name}-{count}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Counters of different names.
fn events(count: usize) -> Result<Case, String> {
    let kinds = ["page-faults", "task-clock", "context-switches", "cpu-migrations"];
    let names: Vec<String> =
        (0..count).map(|index| format!("{}/name=e{index}/", kinds[index % 4])).collect();
    let mut command = counterpoint(&["stat"]);
    in_lists(&mut command, "-e", &names);
    command.args(["--", "true"]);
    Ok(command.into())
}

/// Adds names to a command, not too many in one argument: the kernel takes 128 KiB.
fn in_lists(command: &mut Command, option: &str, names: &[String]) {
    for names in names.chunks(1000) {
        command.arg(option).arg(names.join(","));
    }
}

fn definitions(count: usize) -> Result<Case, String> {
    let file = new_folder("definitions", count)?.join("definitions.csv");
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
    Ok(counterpoint(&["check", &file.to_string_lossy()]).into())
}

/// The threads of a process that runs already.
fn threads(count: usize) -> Result<Case, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut process = Command::new(own);
    process.args(["--threads", &count.to_string()]).stdout(Stdio::piped());
    let mut process = process.spawn().map_err(|error| error.to_string())?;
    let mut said = String::new();
    let output = process.stdout.take().ok_or("it has no output")?;
    let read = BufReader::new(output).read_line(&mut said);
    let (pid, beside) = (process.id().to_string(), Some(process));
    let command =
        counterpoint(&["stat", "--per-thread", "-e", "page-faults", "-p", &pid, "--", "true"]);
    let case = Case { command, beside };
    match read {
        Ok(1..) => Ok(case),
        _ => Err("this system has no room for so many".to_string()),
    }
}

/// Starts as many threads as the second argument says, says so, and waits to be killed.
pub(crate) fn wait_in_threads() {
    let count = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(1);
    let all = Barrier::new(count + 1);
    std::thread::scope(|scope| {
        for _ in 0..count {
            let thread = std::thread::Builder::new().stack_size(1 << 16);
            let waits = || {
                all.wait();
                std::thread::park();
            };
            if thread.spawn_scoped(scope, waits).is_err() {
                // The others wait for ever.
                std::process::exit(1);
            }
        }
        all.wait();
        println!("{count}");
    });
}

/// The name of the cgroup that has the others, before their number.
const CGROUP: &str = "counterpoint-growth";

/// The hierarchy of perf_event of version 1, or the one of version 2.
fn cgroup_root() -> Result<&'static Path, String> {
    let roots = [
        ("/sys/fs/cgroup/perf_event", "cgroup.procs"),
        ("/sys/fs/cgroup/unified", "cgroup.controllers"),
        ("/sys/fs/cgroup", "cgroup.controllers"),
    ];
    let root = roots.into_iter().find(|(root, file)| Path::new(root).join(file).exists());
    root.map(|(root, _)| Path::new(root)).ok_or("no hierarchy of cgroups is mounted".to_string())
}

fn remove_cgroups(parent: &Path) {
    for entry in parent.read_dir().into_iter().flatten().flatten() {
        let _ = fs::remove_dir(entry.path());
    }
    if let Err(error) = fs::remove_dir(parent) {
        println!("{}: {error}", parent.display());
    }
}

fn cgroups(count: usize) -> Result<Case, String> {
    let root = cgroup_root()?;
    let parent = format!("{CGROUP}-{count}");
    let names: Vec<String> = (0..count).map(|index| format!("{parent}/g{index}")).collect();
    for name in [&parent].into_iter().chain(&names) {
        let path = root.join(name);
        match fs::create_dir(&path) {
            // Of a run that was ended.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => made.map_err(|error| format!("{}: {error}", path.display()))?,
        }
    }
    let mut command = counterpoint(&["stat", "-e", "page-faults"]);
    in_lists(&mut command, "--for-each-cgroup", &names);
    command.args(["--", "true"]);
    Ok(command.into())
}

/// A report of 20 rows of each rank.
fn ranks(count: usize) -> Result<Case, String> {
    let folder = new_folder("ranks", count)?;
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
    Ok(counterpoint(&["merge", "--json", &folder.to_string_lossy()]).into())
}

/// A recording of samples of 48 bytes in the code of this program.
fn samples(count: usize) -> Result<Case, String> {
    let folder = new_folder("samples", count)?;
    let bytes = 48 * count as u64 + GIGABYTE;
    let free = free_bytes(&folder).ok_or("the free space is not known")?;
    if free < bytes {
        return Err(format!("it needs {} GB of disk", bytes.div_ceil(GIGABYTE)));
    }
    let kinds = IDENTIFIER | IP | TID | TIME;
    let event = event("cpu-clock", 1, &[(0, 1), (8, 0), (16, 1_000_000), (24, kinds)]);
    let code = code();
    let mut drawn = Drawn(7);
    let (mut place, mut number) = (code.range.start, 0);
    let name = format!("growth/samples-{count}/samples.perf");
    let file = written(&name, &[event], &code, count as u64, || {
        number += 1;
        if number % 8 == 0 {
            place = code.range.start + drawn.below(code.range.end - code.range.start);
        }
        vec![1, place, pair(PID + drawn.below(16) as u32), 1_000_000 * number]
    });
    Ok(counterpoint(&["report", &file.to_string_lossy()]).into())
}

const GIGABYTE: u64 = 1_000_000_000;

fn free_bytes(folder: &Path) -> Option<u64> {
    let about = nix::sys::statvfs::statvfs(folder).ok()?;
    Some(about.blocks_available() as u64 * about.fragment_size() as u64)
}
