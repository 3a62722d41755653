//! Times: the elapsed time for which events are counted, and the CPU time of their target.

use super::source::{Kind, Measure, Meter, Opening, Reading, Source};
use crate::counting::target::Target;
use crate::report::no_cpu_time::NoCpuTime;
use crate::report::values::Reason;
use counterpoint_perf::process::{self, CommandTimes, CpuTimes};
use counterpoint_perf::{Host, TaskStat};
use std::time::{Duration, Instant};

/// The kind of these sources.
pub(super) struct Times;

/// A time that can be named like an event, as perf's PMU `tool` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    Elapsed,
    User,
    System,
}

/// The times, by name.
const TIMES: [(&str, Time, &str); 3] = [
    ("duration_time", Time::Elapsed, "Elapsed time while events are counted"),
    ("user_time", Time::User, "CPU time of the target in user space"),
    ("system_time", Time::System, "CPU time of the target in the kernel"),
];

impl Kind for Times {
    fn word(&self) -> &'static str {
        "tool"
    }

    fn all(&self, _: &Host) -> Vec<Source> {
        TIMES.iter().map(source).collect()
    }

    fn find(&self, name: &str) -> Option<Source> {
        TIMES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(source)
    }

    fn check(&self, _: &Source, _: &Host) -> Result<(), Reason> {
        Ok(())
    }

    fn open(&self, sources: &[(usize, &Source)], opening: &Opening<'_>) -> Box<dyn Meter> {
        let time = |(place, source): &(usize, &Source)| {
            let known = TIMES.iter().find(|(name, ..)| *name == source.name())?;
            Some((*place, known.1))
        };
        Box::new(Clock::new(sources.iter().filter_map(time).collect(), opening))
    }
}

/// The elapsed time.
pub(crate) fn elapsed() -> Source {
    source(&TIMES[0])
}

fn source((name, _, description): &(&'static str, Time, &'static str)) -> Source {
    Source::new(&Times, *name, *description, Some("ns".into()))
}

/// The times since counting began, or the difference of two.
#[derive(Clone, Copy, Debug)]
struct Passed {
    elapsed: Duration,
    cpu: Result<CpuTimes, NoCpuTime>,
}

impl Default for Passed {
    fn default() -> Passed {
        Passed { elapsed: Duration::ZERO, cpu: Ok(CpuTimes::default()) }
    }
}

impl Passed {
    fn reading(&self, time: Time) -> Reading {
        let time = match time {
            Time::Elapsed => Ok(self.elapsed),
            Time::User => self.cpu.map(|cpu| cpu.user),
            Time::System => self.cpu.map(|cpu| cpu.system),
        };
        let time = time.map_err(Reason::NoCpuTime)?;
        Ok(Measure::count(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)))
    }

    fn plus(&self, other: &Passed) -> Passed {
        self.with(other, Duration::saturating_add)
    }

    fn since(&self, earlier: &Passed) -> Passed {
        self.with(earlier, Duration::saturating_sub)
    }

    fn with(&self, other: &Passed, both: impl Fn(Duration, Duration) -> Duration) -> Passed {
        let cpu = self.cpu.and_then(|own| {
            let other = other.cpu?;
            let (user, system) = (both(own.user, other.user), both(own.system, other.system));
            Ok(CpuTimes { user, system })
        });
        Passed { elapsed: both(self.elapsed, other.elapsed), cpu }
    }
}

/// Measures times: a reading costs as much as that of a counter, or more.
#[derive(Debug)]
struct Clock {
    /// The times that are wanted, each with its place among the readings.
    times: Vec<(usize, Time)>,
    needs_cpu: bool,
    owner: Owner,
    /// The times until the last stop.
    counted: Passed,
    /// When counting began or was resumed, and the CPU times at that point; `None` while it is stopped.
    from: Option<(Instant, Result<CpuTimes, NoCpuTime>)>,
}

/// Whose CPU time is measured.
#[derive(Clone, Debug)]
enum Owner {
    ThisThread(u32),
    /// A command, and whether counting begins with its exec.
    Command(u32, bool),
    Processes(Vec<u32>),
    Threads(Vec<u32>),
    Unknown(NoCpuTime),
}

impl Clock {
    fn new(times: Vec<(usize, Time)>, opening: &Opening<'_>) -> Clock {
        let Opening { target, inherit, on_exec, .. } = *opening;
        let owner = match target {
            Target::Command(pid) => Owner::Command(*pid, on_exec),
            Target::Processes(pids) => Owner::Processes(each_once(pids)),
            Target::ThisThread | Target::Threads(_) if inherit => {
                Owner::Unknown(NoCpuTime::Children)
            }
            Target::ThisThread => Owner::ThisThread(process::this_thread()),
            Target::Threads(tids) => Owner::Threads(each_once(tids)),
            Target::AllCpus
            | Target::Cpus(_)
            | Target::Cgroup(_)
            | Target::Cgroups(_)
            | Target::User(_) => Owner::Unknown(NoCpuTime::NotAProcess),
        };
        let needs_cpu = times.iter().any(|(_, time)| *time != Time::Elapsed);
        let counted = Passed::default();
        Clock { times, needs_cpu, owner, counted, from: None }
    }

    /// The times for which events have counted so far.
    fn measure(&self, host: &Host) -> Passed {
        let Some((from, cpu_then)) = self.from else { return self.counted };
        let mut now = Instant::now();
        let mut from = Some(from);
        if let Owner::Command(pid, on_exec) = self.owner
            && let Some(CommandTimes { began, ended, .. }) = process::command_times(pid)
        {
            now = ended.map_or(now, |(end, _)| end);
            from = if on_exec { began } else { from };
        }
        let elapsed = from.map_or(Duration::ZERO, |from| now.saturating_duration_since(from));
        let since = Passed { elapsed, cpu: self.cpu(host) }
            .since(&Passed { elapsed: Duration::ZERO, cpu: cpu_then });
        self.counted.plus(&since)
    }

    /// The CPU times of the target since it exists.
    fn cpu(&self, host: &Host) -> Result<CpuTimes, NoCpuTime> {
        if !self.needs_cpu {
            return Ok(CpuTimes::default());
        }
        let sum = |ids: &[u32], of: &dyn Fn(u32) -> Option<CpuTimes>| {
            ids.iter().try_fold(CpuTimes::default(), |sum, id| {
                let own = of(*id).ok_or(NoCpuTime::Ended(*id))?;
                Ok(CpuTimes { user: sum.user + own.user, system: sum.system + own.system })
            })
        };
        match &self.owner {
            Owner::ThisThread(tid) if *tid == process::this_thread() => {
                process::thread_times().map_err(|_| NoCpuTime::OtherThread)
            }
            Owner::ThisThread(_) => Err(NoCpuTime::OtherThread),
            Owner::Command(pid, _) => of_command(host, *pid),
            Owner::Processes(pids) => {
                sum(pids, &|pid| Some(with_children(host.task_stat(pid).ok()?)))
            }
            Owner::Threads(tids) => sum(tids, &|tid| {
                let (user, system) = host.thread_stat(tid, tid).ok()?.times;
                Some(CpuTimes { user, system })
            }),
            Owner::Unknown(why) => Err(*why),
        }
    }
}

impl Meter for Clock {
    fn start(&mut self, host: &Host) {
        if self.from.is_none() {
            // The times of a command that begins later are zero until then.
            let begins_later = matches!(self.owner, Owner::Command(_, true));
            let cpu = if begins_later { Ok(CpuTimes::default()) } else { self.cpu(host) };
            self.from = Some((Instant::now(), cpu));
        }
    }

    fn stop(&mut self, host: &Host) {
        self.counted = self.measure(host);
        self.from = None;
        // From now on, it begins with `start`.
        if let Owner::Command(_, on_exec) = &mut self.owner {
            *on_exec = false;
        }
    }

    fn read(&mut self, host: &Host, readings: &mut [Reading]) {
        let passed = self.measure(host);
        for (place, time) in &self.times {
            readings[*place] = passed.reading(*time);
        }
    }
}

/// The CPU times of a command: exact once it was waited for, and until then those that the kernel shows.
fn of_command(host: &Host, pid: u32) -> Result<CpuTimes, NoCpuTime> {
    let ended = || Some(process::command_times(pid)?.ended?.1.times);
    if let Some(times) = ended() {
        return Ok(times);
    }
    let shown = host.task_stat(pid).ok();
    // If it was waited for meanwhile, the file may already be that of another process.
    ended().or(shown.map(with_children)).ok_or(NoCpuTime::Ended(pid))
}

/// The CPU times of a process, with the children for which it waited.
fn with_children(stat: TaskStat) -> CpuTimes {
    let ((user, system), (children_user, children_system)) = (stat.times, stat.children_times);
    CpuTimes { user: user + children_user, system: system + children_system }
}

fn each_once(ids: &[u32]) -> Vec<u32> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids
}
