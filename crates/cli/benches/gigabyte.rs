//! Reports of recordings of a gigabyte beside perf's: call chains, copies of the stack, the same compressed, and the same from a pipe; their wall time and their memory.
//!
//! `cargo bench -p counterpoint-cli --bench gigabyte` records a recursion, needs a C compiler and 3 GB of disk, and fails when a limit is passed.
//! Call chains of a gigabyte would take minutes to record: those of some seconds are repeated, at later times.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_recording::file::{Event, Reader, Writer};
use nix::sys::resource::{UsageWho, getrusage};
use row::{Limit, alone, compared};
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;
use turns::{in_turn, pairs};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 3;
/// Of perf's wall time.
const OF_PERF: Limit = Limit::Times(0.3);
/// Megabytes.
const MEMORY: Limit = Limit::Most(200.0);
const BYTES: u64 = 1_000_000_000;
const FREQUENCY: &str = "10000";
/// The greatest depths of the recursion with long and with short call chains, which have some 60 and 4 frames.
const LONG: u32 = 80;
const SHORT: u32 = 1;
/// The argument with which this program reports a file and prints the most memory that this took.
const MEMORY_OF: &str = "--memory";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some(MEMORY_OF) => println!("{}", most_memory(&arguments.next().unwrap())),
        Some("--bench") => return measure(),
        _ => println!("skipped: run it with cargo bench"),
    }
    ExitCode::SUCCESS
}

fn measure() -> ExitCode {
    if Command::new("perf").arg("--version").output().is_err() {
        println!("skipped: perf record: not installed (Debian: apt-get install linux-perf)");
        return ExitCode::SUCCESS;
    }
    let folder = Folder(Path::new(env!("CARGO_TARGET_TMPDIR")).join("gigabyte"));
    let _ = fs::remove_dir_all(&folder.0);
    fs::create_dir_all(&folder.0).unwrap();
    let program = match recursion(&folder.0) {
        Ok(program) => program,
        Err(reason) => {
            println!("skipped: a recursion with frame pointers: {reason}");
            return ExitCode::SUCCESS;
        }
    };
    let file = folder.0.join("recorded");
    let mut within = true;
    for (name, depth) in [("with fp, some 60 frames", LONG), ("with fp, some 4 frames", SHORT)] {
        if is_recorded(name, &program, &["--call-graph", "fp"], &file, (depth, 5)) {
            let chains = repeated(&file);
            within &= reported(name, &chains);
            fs::remove_file(chains).unwrap();
        }
    }
    for (name, options) in [
        ("with dwarf", &["--call-graph", "dwarf"][..]),
        ("with dwarf, compressed", &["--call-graph", "dwarf", "-z"]),
        ("with dwarf, from a pipe", &["--call-graph", "dwarf", "-o", "-"]),
    ] {
        if is_recorded(name, &program, options, &file, (LONG, 12)) {
            within &= reported(name, &file);
        }
    }
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A folder that is removed at the end, also if that is a panic.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn recursion(folder: &Path) -> Result<PathBuf, String> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/recursion.c");
    let program = folder.join("recursion");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-g", "-fno-omit-frame-pointer", "-o"]).arg(&program).arg(source);
    match cc.status() {
        Ok(status) if status.success() => Ok(program),
        Ok(_) => Err("cc failed".to_string()),
        Err(error) => Err(format!("cc: {error}")),
    }
}

/// The rows of a file.
fn reported(kind: &str, file: &Path) -> bool {
    let mut ours = report(file);
    let mut perf = Command::new("perf");
    perf.args(["report", "--stdio", "-i"]).arg(file);
    // The memory is that of the greatest child so far, of which perf's report would be one.
    let own = std::env::current_exe().unwrap();
    let output = Command::new(own).arg(MEMORY_OF).arg(file).output().unwrap();
    let memory: f64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    let rounds = in_turn(ROUNDS, [&mut || seconds(&mut ours), &mut || seconds(&mut perf)]);
    let megabytes = file.metadata().unwrap().len() / 1_000_000;
    let name = format!("report of {megabytes} MB {kind}");
    [
        compared(&name, "s", "perf report", &pairs(&rounds, 0, 1), OF_PERF),
        alone("its memory", "MB", &[memory], MEMORY),
    ] == [true; 2]
}

fn report(file: &Path) -> Command {
    let mut report = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    report.arg("report").arg(file);
    report
}

/// The most memory of a report, in megabytes.
fn most_memory(file: &str) -> f64 {
    seconds(&mut report(Path::new(file)));
    getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss() as f64 * 1024.0 / 1e6
}

/// The seconds that a command takes.
fn seconds(command: &mut Command) -> f64 {
    let begun = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
    begun.elapsed().as_secs_f64()
}

/// Records a recursion of so many frames for so many seconds into a file, also if perf writes to its output; false if this perf may not, or cannot.
fn is_recorded(
    name: &str,
    program: &Path,
    options: &[&str],
    to: &Path,
    (depth, seconds): (u32, u32),
) -> bool {
    let mut perf = Command::new("perf");
    perf.args(["record", "-e", "cpu-clock:u", "-F", FREQUENCY, "-o"]).arg(to).args(options);
    perf.arg("--").arg(program).args([depth, seconds].map(|number| number.to_string()));
    if options.contains(&"-") {
        perf.stdout(File::create(to).unwrap());
    }
    let output = perf.output().unwrap();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        println!("skipped: {name}: {}", said.lines().next().unwrap_or("perf record failed"));
    }
    output.status.success()
}

/// A recording with the samples of another one, again and again until it is a gigabyte.
fn repeated(file: &Path) -> PathBuf {
    const SAMPLE: u32 = 9;
    let mut reader = Reader::open(File::open(file).unwrap()).unwrap();
    let events: Vec<Event> = reader.events().to_vec();
    let time = time_offset(&events[0]);
    let to = file.with_extension("repeated");
    let mut writer = Writer::begin(BufWriter::new(File::create(&to).unwrap()), &events).unwrap();
    let (mut written, mut samples, mut first, mut last) = (0, Vec::new(), u64::MAX, 0);
    reader
        .records(|raw| {
            writer.records(raw.bytes).unwrap();
            written += raw.bytes.len() as u64;
            if raw.kind == SAMPLE {
                let at = word(&raw.bytes[time..]);
                (first, last) = (at.min(first), at.max(last));
                samples.push(raw.bytes.to_vec());
            }
        })
        .unwrap();
    let span = last - first + 100_000;
    for round in 1.. {
        for sample in &samples {
            let mut bytes = sample.clone();
            let later = word(&bytes[time..]) + round * span;
            bytes[time..time + 8].copy_from_slice(&later.to_ne_bytes());
            writer.records(&bytes).unwrap();
            written += bytes.len() as u64;
        }
        if written >= BYTES {
            break;
        }
    }
    writer.finish(reader.facts()).unwrap();
    to
}

/// The place of the time in a sample.
fn time_offset(event: &Event) -> usize {
    const IDENTIFIER: u64 = 1 << 16;
    const BEFORE: [u64; 3] = [IDENTIFIER, 1 << 0, 1 << 1];
    8 + 8 * BEFORE.iter().filter(|bit| event.sample_type() & *bit != 0).count()
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_ne_bytes(*bytes.first_chunk().unwrap())
}
