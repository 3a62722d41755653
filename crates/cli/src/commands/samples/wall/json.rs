use super::measured::Measured;
use super::row::Doing;
use super::text::notes;
use crate::commands::samples::About;
use crate::commands::samples::origin::Origin;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::records::Process;
use counterpoint::wall::{Amount, State};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// Where the wall time of a recording goes. All times are in milliseconds.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The recorded command, or the file.
    title: &'a str,
    #[serde(flatten)]
    process: &'a Process,
    /// The time from the first record to the last.
    wall_ms: f64,
    /// The part of it in which no thread was there.
    outside_ms: f64,
    /// The time from the begin of the first thread to its end, over which the critical path goes; null if wake-ups are not known.
    path_ms: Option<f64>,
    /// The number of times that a thread stopped.
    switches: u64,
    /// The event that was sampled while threads ran.
    event: &'a str,
    /// The number of its samples.
    samples: u64,
    /// The number of records that the kernel lost.
    lost: u64,
    /// The threads, in the order in which they began.
    threads: Vec<Thread<'a>>,
    /// The time by thread, state and stack; the parts of the wall time of all, with `outside_ms`, add up to `wall_ms`.
    stacks: Vec<Stack<'a>>,
    /// What is not known, in words.
    notes: Vec<String>,
}

/// A thread.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Thread<'a> {
    /// The process.
    pid: u32,
    /// The thread.
    tid: u32,
    /// Its last name.
    comm: Option<&'a str>,
    /// When it began, or the recording did, from the begin of the recording on.
    start_ms: f64,
    /// When it ended, or the recording did.
    end_ms: f64,
}

/// The time of a thread in a state, at one place.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Stack<'a> {
    /// The index of the thread.
    thread: usize,
    /// `running`, `waiting`, `queued` (it was woken or is new, and no CPU runs it yet), `preempted` or `unknown` (a record is missing).
    state: &'static str,
    /// What it waits for: `lock`, `I/O`, `sleep`, `child` or `signal`; null of other states, and if it is not known.
    wait: Option<&'static str>,
    /// The time of the thread.
    thread_ms: f64,
    /// The part of the wall time.
    wall_ms: f64,
    /// The standard error of that part by chance in taking samples; null of states that are measured and not sampled.
    error_ms: Option<f64>,
    /// The part of the critical path; null if wake-ups are not known.
    path_ms: Option<f64>,
    /// The number of samples while it ran, or of times that it was in the state.
    count: u64,
    /// The functions, the innermost first; empty if it is not known where it was.
    frames: Vec<Frame<'a>>,
}

/// A function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Frame<'a> {
    /// Its name.
    function: &'a str,
    /// The file that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'a str>,
    /// True if it was inlined into the next one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inlined: bool,
}

pub fn write(
    out: &mut dyn Write,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured,
) -> io::Result<()> {
    let wall = &measured.wall;
    let thread = |of: &'_ counterpoint::wall::WallThread| (of.start, of.end);
    let threads = wall.threads.iter().map(|of| {
        let (start, end) = thread(of);
        Thread {
            pid: of.pid,
            tid: of.tid,
            comm: of.name.as_deref(),
            start_ms: ms((start - wall.start) as f64),
            end_ms: ms((end - wall.start) as f64),
        }
    });
    let path = wall.path.filter(|_| wall.has_wakes);
    let line = Line {
        schema: 1,
        title: &about.title,
        process: &origin.process,
        wall_ms: ms(wall.length() as f64),
        outside_ms: ms(wall.outside),
        path_ms: path.map(|(_, start, end)| ms((end - start) as f64)),
        switches: wall.switches,
        event: &measured.clock,
        samples: wall.samples,
        lost: wall.lost,
        threads: threads.collect(),
        stacks: wall.amounts.iter().map(|of| stack(measured, of)).collect(),
        notes: notes(measured),
    };
    show::json(out, &line)
}

fn ms(nanoseconds: f64) -> f64 {
    nanoseconds / 1e6
}

fn stack<'m>(measured: &'m Measured, of: &Amount) -> Stack<'m> {
    let frames = of.stack.into_iter().flat_map(|stack| measured.frames(stack));
    let frame = |name: &'m counterpoint::profil::write::Symbol| Frame {
        function: &name.function,
        module: name.module.as_deref(),
        inlined: name.inlined,
    };
    let is_sampled = of.state == State::Running && of.stack.is_some();
    Stack {
        thread: of.thread,
        state: match of.state {
            State::Running => "running",
            State::Waiting => "waiting",
            State::Queued => "queued",
            State::Preempted => "preempted",
            _ => "unknown",
        },
        wait: Doing::of(measured, of).wait.map(|wait| wait.name()),
        thread_ms: ms(of.time),
        wall_ms: ms(of.wall),
        error_ms: is_sampled.then(|| ms(of.squares.sqrt())),
        path_ms: measured.wall.has_wakes.then(|| ms(of.path)),
        count: of.count,
        frames: frames.map(|(name, _)| frame(name)).collect(),
    }
}
