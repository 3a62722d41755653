//! Runs the command, or waits, and takes readings.

use super::format::Counted;
use super::hooks::{Stage, interrupted};
use super::intervals::Intervals;
use super::job::Job;
use super::output::Output;
use super::summary::Summary;
use crate::args::Attached;
use crate::begin::Begin;
use crate::control::{Command, Control};
use crate::failure::Failure;
use crate::show;
use crate::supervisor::{self, Outcome, Run, Supervisor};
use counterpoint::events::{Native, PmuBox, Resolved};
use counterpoint::perf::process::Streams;
use counterpoint::perf::{Readiness, TaskStat};
use counterpoint::{Counters, Reason, Report, Row, Slices, Snapshot, Split, State, Target};
use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

/// The time between two looks at whether a process that is not our child has ended.
const LOOK: Duration = Duration::from_millis(50);

/// The time between two readings of levels, such as temperatures, and between the first ones: a command may be short.
const LEVELS: Duration = Duration::from_millis(100);
const LEVELS_AT_FIRST: Duration = Duration::from_millis(1);

pub fn run(
    job: &Job,
    resolved: &Resolved,
    control: &mut Option<Control>,
    output: &mut Output,
) -> Result<u8, Failure> {
    let supervisor = Supervisor::new()?;
    let stage = Stage { supervisor: &supervisor, output: None };
    let mut series = Series { summary: job.summary(), readings: Vec::new(), last: None };
    let nothing = job.hooks.around_runs(stage, || {
        for _ in 0..job.warmup {
            match silently(job, resolved, stage)? {
                Err(counting) => return Ok(Some(counting)),
                Ok(done) if done.outcome.is_interrupted => return Err(interrupted(&done.outcome)),
                Ok(_) => {}
            }
        }
        series.run(job, resolved, stage, control, output)
    })?;
    if let Some(counting) = nothing {
        return Err(nothing_counted(job, counting, output)?);
    }
    let Series { summary, readings, last } = series;
    let Some(counting) = last else { return Err(Failure::new("nothing was run")) };
    let report = match readings.as_slice() {
        [reading] => counting.report(reading, &job.split),
        _ => counting.report_runs(&readings, &job.split),
    };
    if job.interval.is_none() || job.has_summary {
        let length = summary.mean_elapsed();
        output.write(&Counted::whole(&report, length, &summary, job.topdown.as_ref()))?;
    }
    output.end(&summary)?;
    let exit_code = supervisor::exit_code(summary.exit_code, output.failure())?;
    if exit_code == 0 && resolved.natives().is_empty() && is_nothing_shown(&report) {
        return Err(none_can_be_counted());
    }
    Ok(exit_code)
}

/// Returns true if there is no value, because the machine does not show any of the numbers of files.
fn is_nothing_shown(report: &Report) -> bool {
    let is_missing = |row: &Row| row.value.as_f64().is_none();
    let is_not_shown = |row: &Row| matches!(row.value.reason(), Some(Reason::NotShown(_)));
    report.rows.iter().all(is_missing) && report.rows.iter().any(is_not_shown)
}

/// Runs the command with these events; returns them if none of them can be counted.
fn once(
    job: &Job,
    resolved: &Resolved,
    stage: Stage<'_>,
    intervals: Intervals<'_>,
    control: &mut Option<Control>,
) -> Result<Result<Done, Counters>, Failure> {
    job.hooks.around_run(stage, || {
        match begin(job, &job.command, None, resolved, stage.supervisor)? {
            Begun::Counting(counting, run) => {
                Ok(Ok(follow(job, counting, run, intervals, control)?))
            }
            Begun::Nothing(counting) => Ok(Err(counting)),
        }
    })
}

/// The same, for runs that print nothing.
fn silently(
    job: &Job,
    resolved: &Resolved,
    stage: Stage<'_>,
) -> Result<Result<Done, Counters>, Failure> {
    let mut no_intervals = |_: &_, _, _| Ok(());
    once(job, resolved, stage, Intervals::new(job, &mut no_intervals), &mut None)
}

/// The runs of a command so far.
struct Series {
    summary: Summary,
    readings: Vec<Snapshot>,
    /// The events of the last run.
    last: Option<Counters>,
}

impl Series {
    /// Runs the command as often as was asked for, or until someone interrupts it; returns the events if none of them can be counted.
    fn run(
        &mut self,
        job: &Job,
        resolved: &Resolved,
        stage: Stage<'_>,
        control: &mut Option<Control>,
        output: &mut Output,
    ) -> Result<Option<Counters>, Failure> {
        for _ in 0..job.repeat {
            // Which of the two runs of a round is first is random.
            let mut alone = None;
            if job.has_own_cost && fastrand::bool() {
                alone = self.alone(job, stage)?;
                if alone.is_none() {
                    break;
                }
            }
            let done = match self.counted(job, resolved, stage, control, output)? {
                Ok(done) => done,
                Err(counting) => return Ok(Some(counting)),
            };
            let outcome = self.add(done);
            if outcome.is_interrupted {
                break;
            }
            if job.has_own_cost && alone.is_none() {
                alone = self.alone(job, stage)?;
            }
            match (&mut self.summary.own_cost, alone) {
                (None, _) => {}
                (Some(own), Some(alone)) => {
                    own.add(&alone.outcome, &outcome);
                }
                (Some(_), None) => break,
            }
        }
        Ok(None)
    }

    /// Runs the command once; returns the events if none of them can be counted.
    fn counted(
        &self,
        job: &Job,
        resolved: &Resolved,
        stage: Stage<'_>,
        control: &mut Option<Control>,
        output: &mut Output,
    ) -> Result<Result<Done, Counters>, Failure> {
        let summary = &self.summary;
        let mut print = |report: &Report, length, at: Option<Duration>| {
            if at.is_none() {
                let summary = &summary.so_far(length);
                output.checkpoint(&Counted { report, length, at, summary, topdown: None });
                return Ok(());
            }
            output.write(&Counted { report, length, at, summary, topdown: None })
        };
        let intervals = Intervals::new(job, &mut print);
        once(job, resolved, stage, intervals, control)
    }

    /// Adds a run; returns how it ended.
    fn add(&mut self, done: Done) -> Outcome {
        let Done { counting, reading, elapsed, outcome, has_begun } = done;
        if outcome.is_interrupted {
            self.summary.interrupt(&outcome);
        }
        // A run that was cut short would distort the averages; alone, it is all that there is.
        if !outcome.is_interrupted || self.readings.is_empty() {
            self.summary.add(elapsed, &outcome, has_begun);
            self.readings.push(reading);
            self.last = Some(counting);
        }
        outcome
    }

    /// Runs the command without counting; `None` if someone interrupted it after other runs.
    fn alone(&mut self, job: &Job, stage: Stage<'_>) -> Result<Option<Done>, Failure> {
        match silently(job, &Resolved::default(), stage)? {
            Err(_) => Err(none_can_be_counted()),
            Ok(done) if !done.outcome.is_interrupted => Ok(Some(done)),
            Ok(done) if self.readings.is_empty() => Err(interrupted(&done.outcome)),
            Ok(done) => {
                self.summary.interrupt(&done.outcome);
                Ok(None)
            }
        }
    }
}

/// The counts of a run, and how it ended.
pub struct Done {
    pub counting: Counters,
    pub reading: Snapshot,
    /// From the start of counting to its end.
    pub elapsed: Duration,
    pub outcome: Outcome,
    /// False if the command ended before counting began.
    pub has_begun: bool,
}

/// A run that has begun.
pub enum Begun<'s> {
    Counting(Counters, Run<'s>),
    /// No event can be counted, and so the command does not run.
    Nothing(Counters),
}

/// Opens the events, then lets the command go; its standard output is `output`, or that of the program.
pub fn begin<'s>(
    job: &Job,
    command: &[OsString],
    output: Option<BorrowedFd<'_>>,
    resolved: &Resolved,
    supervisor: &'s Supervisor,
) -> Result<Begun<'s>, Failure> {
    let held = supervisor.hold(command, Streams { output, ..Streams::default() })?;
    let own = held.as_ref().map(|held| Target::Command(held.pid()));
    let target = match &job.target {
        Attached::To(target) => target,
        Attached::Command => own.as_ref().ok_or_else(|| Failure::new("no command"))?,
    };
    let mut counting = job.set.open_resolved(resolved.clone(), target)?;
    let is_any_requested = resolved.ids().next().is_some();
    if is_any_requested && !counting.is_any_open() {
        return Ok(Begun::Nothing(counting));
    }
    if is_any_requested && job.verbose.take() {
        for native in resolved.natives() {
            show::note(&opened(native));
        }
        show::note(&format!("{} counters are open", counting.open_count()));
    }
    // A target that is counted beside the command starts together with it.
    let is_beside = held.is_some() && matches!(job.target, Attached::To(_));
    if is_beside && job.begin == Begin::WithCommand {
        counting.start()?;
    }
    Ok(Begun::Counting(counting, supervisor.start(held, command, job.timeout)?))
}

/// Writes why each event cannot be counted.
fn nothing_counted(
    job: &Job,
    mut counting: Counters,
    output: &mut Output,
) -> Result<Failure, Failure> {
    let reading = counting.snapshot()?;
    let report = counting.report(&reading, &Split::Total);
    let summary = job.summary();
    output.write(&Counted::whole(&report, Duration::ZERO, &summary, job.topdown.as_ref()))?;
    output.publish();
    Ok(none_can_be_counted())
}

pub fn none_can_be_counted() -> Failure {
    Failure::new("none of these events can be counted here")
        .help("`counterpoint doctor` shows what prevents it and prints the fix")
}

/// Waits until the run is over, printing intervals as they pass, and obeying the commands of `--control`.
pub fn follow(
    job: &Job,
    counting: Counters,
    mut run: Run<'_>,
    intervals: Intervals<'_>,
    control: &mut Option<Control>,
) -> Result<Done, Failure> {
    let slices = Slices::since(counting.zero());
    let mut this = Following {
        slice: job.has_slices.then(|| slices.wait()),
        slices,
        counting,
        intervals,
        has_begun: job.begin == Begin::WithCommand,
        begin: if let Begin::After(delay) = job.begin { Some(delay) } else { None },
        level: None,
        is_stopped: false,
    };
    loop {
        let now = run.elapsed();
        if this.begin.is_some_and(|at| now >= at) {
            this.start(now)?;
        }
        if this.intervals.is_time(now) {
            this.print(now)?;
        }
        let is_done = !run.has_command() && (this.intervals.are_done() || is_gone(job));
        if is_done || this.is_stopped || run.is_over()? {
            break;
        }
        let look = (!run.has_command()).then(|| now + LOOK);
        let level = this.read_levels(now);
        this.read_slice(now)?;
        let wakes = [this.begin, this.intervals.next, look, level, this.slice];
        let wake = wakes.into_iter().flatten().min();
        let was_interrupted = run.is_interrupted();
        let readiness = run.wait(wake, control.as_ref().and_then(Control::file))?;
        // A launcher soon kills who does not end at its signal.
        if job.has_checkpoints && !was_interrupted && run.is_interrupted() {
            this.print(run.elapsed())?;
        }
        if let Some(control) = control {
            this.obey(control, readiness, run.elapsed())?;
        }
    }
    let now = run.elapsed();
    let mut reading = this.counting.snapshot()?;
    if job.interval.is_none() {
        reading = this.slices.total(&reading);
    }
    if job.interval.is_some() && !this.intervals.are_done() {
        this.print(now)?;
    }
    let outcome = run.end()?;
    if let Some(pid) = outcome.left {
        show::note(&format!("the command did not terminate and still runs as process {pid}"));
    }
    let elapsed = now.saturating_sub(this.intervals.counted_from);
    let Following { counting, has_begun, .. } = this;
    Ok(Done { counting, reading, elapsed, outcome, has_begun })
}

/// A run that is being counted.
struct Following<'a> {
    counting: Counters,
    intervals: Intervals<'a>,
    has_begun: bool,
    /// When counting begins, if a time was given.
    begin: Option<Duration>,
    /// When levels are to be read next.
    level: Option<Duration>,
    /// The slices of the run, or of the interval, from which the errors of estimates follow.
    slices: Slices,
    /// When the next slice ends, if they are read.
    slice: Option<Duration>,
    is_stopped: bool,
}

impl Following<'_> {
    /// Counting begins, or continues.
    fn start(&mut self, now: Duration) -> Result<(), Failure> {
        self.begin = None;
        if std::mem::replace(&mut self.has_begun, true) {
            self.end_interval(now)?;
        } else {
            self.intervals.begin(now);
        }
        Ok(self.counting.start()?)
    }

    fn stop(&mut self, now: Duration) -> Result<(), Failure> {
        self.begin = None;
        if self.counting.state() == State::Running {
            self.counting.stop()?;
            self.end_interval(now)?;
        }
        Ok(())
    }

    /// An interval ends where the events are enabled or disabled, so that it has one of both only.
    fn end_interval(&mut self, now: Duration) -> Result<(), Failure> {
        if self.intervals.next.is_some() { self.print(now) } else { Ok(()) }
    }

    /// Reads the levels if it is time, and returns when they are to be read next; `None` without levels.
    fn read_levels(&mut self, now: Duration) -> Option<Duration> {
        if !self.counting.has_levels() {
            return None;
        }
        if self.level.is_none_or(|at| now >= at) {
            self.counting.read_levels();
            self.level = Some(now + (now / 4).clamp(LEVELS_AT_FIRST, LEVELS));
        }
        self.level
    }

    fn read_slice(&mut self, now: Duration) -> Result<(), Failure> {
        if self.slice.is_some_and(|at| now >= at) {
            self.slices.read(&mut self.counting)?;
            self.slice = Some(now + self.slices.wait());
        }
        Ok(())
    }

    fn print(&mut self, now: Duration) -> Result<(), Failure> {
        self.intervals.print(&mut self.counting, &mut self.slices, now)?;
        self.slice = self.slice.map(|_| now + self.slices.wait());
        Ok(())
    }

    /// Does what has been written to the file of `--control`.
    fn obey(
        &mut self,
        control: &mut Control,
        readiness: Readiness,
        now: Duration,
    ) -> Result<(), Failure> {
        control.obey(readiness, &mut |command| {
            match command {
                Command::Enable if self.counting.state() == State::Running => {}
                Command::Enable => self.start(now)?,
                Command::Disable => self.stop(now)?,
                Command::Evlist => {
                    let names: Vec<String> =
                        self.counting.read()?.rows.iter().map(|row| row.event.clone()).collect();
                    show::note(&names.join(", "));
                }
                Command::Stop => self.is_stopped = true,
                Command::Ping => {}
            }
            Ok(())
        })
    }
}

/// Returns true if the processes or threads that were attached to have ended.
fn is_gone(job: &Job) -> bool {
    let host = job.set.machine().host();
    let has_ended = |stat: io::Result<TaskStat>| stat.map_or(true, |stat| stat.has_ended());
    // A process may live on when its first thread has ended.
    let is_gone = |id: &u32| {
        let tasks = host.names(format!("/proc/{id}/task"));
        let mut tasks = tasks.iter().filter_map(|task| task.parse().ok());
        tasks.all(|task| has_ended(host.thread_stat(*id, task)))
    };
    match &job.target {
        Attached::To(Target::Processes(ids)) => ids.iter().all(is_gone),
        Attached::To(Target::Threads(ids)) => ids.iter().all(|id| has_ended(host.task_stat(*id))),
        Attached::To(Target::User(user)) => host.processes_of(*user).is_empty(),
        _ => false,
    }
}

/// The attributes with which an event is opened, in the terms of `perf_event_open(2)`.
fn opened(native: &Native) -> String {
    let of_box = |PmuBox { attr, .. }: &PmuBox| {
        let words = [attr.config, attr.config1, attr.config2, attr.config3, attr.config4];
        let used = words.iter().rposition(|word| *word != 0).unwrap_or(0);
        let words: Vec<String> = words[..=used].iter().map(|word| format!("{word:#x}")).collect();
        format!("type {} config {} exclude {}", attr.kind, words.join(" "), attr.exclude.letters())
    };
    let boxes: Vec<String> = native.boxes.iter().map(of_box).collect();
    format!("{}: {}", native.id, boxes.join("; "))
}
