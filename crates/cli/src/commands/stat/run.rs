//! Runs the command, or waits, and takes readings.

use super::output::{Output, Summary};
use super::{Attached, Job, program};
use crate::failure::Failure;
use counterpoint::perf::process::{Ended, Held, Running, Signal, Signals, children_times};
use counterpoint::{Counting, Native, PmuBox, Reading, Resolved, Target};
use std::io;
use std::time::{Duration, Instant};

/// How long a command that was told to end may take before its counts are printed without it.
const GRACE: Duration = Duration::from_millis(1000);
/// How often it is looked whether a process that is no child of ours still lives.
const LOOK: Duration = Duration::from_millis(50);
const SIGTERM: i32 = 15;

pub fn run(job: &Job, resolved: &Resolved, output: &mut Output) -> Result<u8, Failure> {
    let signals = Signals::block()?;
    let mut readings = Vec::new();
    let mut summary = Summary::new(job);
    let mut last = None;
    for _ in 0..job.repeat {
        let done = Run::begin(job, resolved, &signals, output)?.follow(job, &signals, output)?;
        summary.add(&done);
        readings.push(done.reading);
        last = Some(done.counting);
        if done.stopped {
            break;
        }
    }
    let Some(counting) = last else { return Err(Failure::new("nothing was run")) };
    let report = match readings.as_slice() {
        [reading] => counting.report(reading, &job.split),
        _ => counting.report_runs(&readings, &job.split),
    };
    if job.interval.is_none() {
        output.report(&report, &summary)?;
    }
    output.end(&summary)?;
    let code = summary.exit_code();
    match output.failure() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("the result cannot be written: {error}")).code(if code == 0 {
                2
            } else {
                code
            }))
        }
        _ => Ok(code),
    }
}

/// One run: what is open, and the command if there is one.
struct Run {
    counting: Counting,
    command: Option<Running>,
    begun: Instant,
    children: (Duration, Duration),
}

/// What a run came to.
pub struct Done {
    counting: Counting,
    reading: Reading,
    /// From the start of counting to its end.
    pub elapsed: Duration,
    /// User and system time of the command.
    pub times: Option<(Duration, Duration)>,
    /// How the command ended; `None` without one, and if it still runs.
    pub ended: Option<Ended>,
    /// Somebody wanted an end.
    pub stopped: bool,
}

impl Run {
    /// Opens the events, then lets the command go; if no event can be counted the command does not run.
    fn begin(
        job: &Job,
        resolved: &Resolved,
        signals: &Signals,
        output: &mut Output,
    ) -> Result<Run, Failure> {
        let own_command = matches!(job.target, Attached::Command);
        if own_command {
            program::check(&job.command, job.set.machine().host())?;
        }
        let held = match job.command.is_empty() {
            true => None,
            false => Some(Held::fork(&job.command, Some(signals))?),
        };
        let children = children_times()?;
        let own = held.as_ref().map(|held| Target::Command(held.pid()));
        let target = match &job.target {
            Attached::To(target) => target,
            Attached::Command => own.as_ref().ok_or_else(|| Failure::new("no command"))?,
        };
        let mut counting = job.set.open_resolved(resolved.clone(), target)?;
        if !counting.is_any_open() {
            let reading = counting.reading()?;
            output.report(
                &counting.report(&reading, &counterpoint::Split::Total),
                &Summary::new(job),
            )?;
            let failure = Failure::new("none of these events can be counted here");
            return Err(failure.help(
                "`counterpoint doctor` says what can be, and what stands in the way of the rest",
            ));
        }
        if job.verbose {
            for native in resolved.natives() {
                output.note(&opened(native));
            }
            output.note(&format!("{} counters are open", counting.open_count()));
        }
        // What is counted beside the command starts together with it.
        let attached_to_command = held.is_some() && matches!(job.target, Attached::To(_));
        if attached_to_command && job.delay.is_none() {
            counting.start()?;
        }
        let begun = Instant::now();
        let command = held.map(|held| program::start(held, &job.command)).transpose()?;
        Ok(Run { counting, command, begun, children })
    }

    /// Waits until the run is over, printing intervals as they pass.
    fn follow(
        mut self,
        job: &Job,
        signals: &Signals,
        output: &mut Output,
    ) -> Result<Done, Failure> {
        let mut delay = job.delay;
        let mut intervals = Intervals::new(job);
        let mut stops = Stops::default();
        let mut ended = None;
        loop {
            let now = self.begun.elapsed();
            if delay.is_some_and(|at| now >= at) {
                self.counting.start()?;
                delay = None;
                intervals.begin(now);
            }
            if intervals.is_time(now) {
                intervals.print(&mut self.counting, now, output)?;
            }
            if let Some(command) = &mut self.command {
                ended = command.try_wait()?;
            }
            let is_past = |at: Option<Duration>| at.is_some_and(|at| now >= at);
            if ended.is_some() || is_past(job.timeout) || is_past(stops.by) || self.target_gone(job)
            {
                break;
            }
            let look = self.command.is_none().then(|| now + LOOK);
            let wake =
                [delay, intervals.next, job.timeout, stops.by, look].into_iter().flatten().min();
            if let Some(Signal::Stop { number, from_terminal }) =
                signals.wait(wake.map(|at| at.saturating_sub(now)))?
            {
                let Some(command) = &self.command else {
                    stops.count += 1;
                    break;
                };
                // A terminal sends it to the command as well.
                if !from_terminal {
                    command.kill(number)?;
                }
                stops.add(command, self.begun)?;
            }
        }
        let now = self.begun.elapsed();
        let reading = self.counting.reading()?;
        if job.interval.is_some() {
            intervals.print(&mut self.counting, now, output)?;
        }
        if let Some(command) = self.command.as_mut().filter(|_| ended.is_none()) {
            ended = end(command, signals)?;
            if ended.is_none() {
                output.note(&format!("the command goes on as process {}", command.pid()));
            }
        }
        // Times are known of what was collected only.
        let times = ended.is_some().then(|| self.times()).transpose()?;
        let elapsed = now.saturating_sub(intervals.counted_from);
        let stopped = stops.count > 0;
        Ok(Done { counting: self.counting, reading, elapsed, times, ended, stopped })
    }

    /// Whether what was attached to is no more.
    fn target_gone(&self, job: &Job) -> bool {
        let host = job.set.machine().host();
        let ended = |stat: String| {
            // The state follows the name, which may hold anything but ends with the last parenthesis.
            let stat = host.text(stat).unwrap_or_default();
            stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
        };
        // A process may live on when its first thread has ended.
        let gone = |id: &u32| {
            let tasks = host.names(format!("/proc/{id}/task"));
            tasks.iter().all(|task| ended(format!("/proc/{id}/task/{task}/stat")))
        };
        match &job.target {
            _ if self.command.is_some() => false,
            Attached::To(Target::Processes(ids)) => ids.iter().all(gone),
            Attached::To(Target::Threads(ids)) => {
                ids.iter().all(|id| ended(format!("/proc/{id}/stat")))
            }
            _ => false,
        }
    }

    fn times(&self) -> io::Result<(Duration, Duration)> {
        let (user, system) = children_times()?;
        Ok((user.saturating_sub(self.children.0), system.saturating_sub(self.children.1)))
    }
}

/// What the kernel is asked for, in the terms of `perf_event_open(2)`.
fn opened(native: &Native) -> String {
    let of_box = |PmuBox { attr, .. }: &PmuBox| {
        let words = [attr.config, attr.config1, attr.config2, attr.config3, attr.config4];
        let used = words.iter().rposition(|word| *word != 0).unwrap_or(0);
        let words: Vec<String> = words[..=used].iter().map(|word| format!("{word:#x}")).collect();
        format!("type {} config {} exclude {}", attr.kind, words.join(" "), attr.exclude.letters())
    };
    let boxes: Vec<String> = native.boxes.iter().map(of_box).collect();
    format!("{}: {}", native.canonical, boxes.join("; "))
}

/// The intervals that are printed; times are those since the run began.
struct Intervals<'a> {
    job: &'a Job,
    counted_from: Duration,
    next: Option<Duration>,
    before: Option<(Reading, Duration)>,
}

impl Intervals<'_> {
    fn new(job: &Job) -> Intervals<'_> {
        let next = job.interval.filter(|_| job.delay.is_none());
        Intervals { job, counted_from: Duration::ZERO, next, before: None }
    }

    /// Counting begins only now.
    fn begin(&mut self, now: Duration) {
        self.counted_from = now;
        self.next = self.job.interval.map(|every| now + every);
    }

    /// Whether one is over. They keep their beat; those that were slept through are one.
    fn is_time(&mut self, now: Duration) -> bool {
        let (Some(at), Some(every)) = (self.next, self.job.interval) else { return false };
        if now < at {
            return false;
        }
        self.next = Some(at + every * ((now - at).as_nanos() / every.as_nanos() + 1) as u32);
        true
    }

    fn print(
        &mut self,
        counting: &mut Counting,
        now: Duration,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let now = now.saturating_sub(self.counted_from);
        let reading = counting.reading()?;
        let (difference, from) = match &self.before {
            Some((earlier, from)) => (reading.since(earlier), *from),
            None => (reading.clone(), Duration::ZERO),
        };
        let report = counting.report(&difference, &self.job.split);
        output.interval(&report, now, now.saturating_sub(from))?;
        self.before = Some((reading, now));
        Ok(())
    }
}

/// The wishes for an end that have come.
#[derive(Default)]
struct Stops {
    count: u32,
    /// When the last one is met without the command.
    by: Option<Duration>,
}

impl Stops {
    /// The first lets the command clean up for as long as it needs, the second is a demand.
    fn add(&mut self, command: &Running, begun: Instant) -> io::Result<()> {
        self.count += 1;
        if self.count > 1 {
            command.kill(SIGTERM)?;
            self.by = Some(begun.elapsed() + GRACE);
        }
        Ok(())
    }
}

/// Tells a command to end, and gives it some time to do so.
fn end(command: &mut Running, signals: &Signals) -> io::Result<Option<Ended>> {
    command.kill(SIGTERM)?;
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        if let Some(ended) = command.try_wait()? {
            return Ok(Some(ended));
        }
        signals.wait(Some(GRACE.saturating_sub(begun.elapsed())))?;
    }
    Ok(None)
}
