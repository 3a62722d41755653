//! The processes that had samples, and what is measured of each.
//!
//! Times and page faults are those that the kernel keeps of every process. Counters cost a file for each thread and event, so that metrics are counted of a few processes only, and while they are shown.

use super::args::TopArgs;
use super::counted::Counted;
use counterpoint::events::Resolved;
use counterpoint::perf::{Host, TaskStat};
use counterpoint::profile::Profiled;
use counterpoint::{EventSet, Target};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// The processes that have had samples.
pub struct Processes {
    host: Host,
    /// The last reading of each, and when it was made.
    before: HashMap<u32, (TaskStat, Instant)>,
    metrics: Metrics,
}

/// The measured values of a process in an interval; `None` is one that was not measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The command with its arguments; empty for threads of the kernel and what has ended.
    pub command: String,
    /// The CPUs in use.
    pub cpus: Option<f64>,
    /// The page faults per second.
    pub faults: Option<f64>,
    /// The values of the metrics, without units.
    pub metrics: Vec<Option<String>>,
}

/// The metrics of the processes that run most.
struct Metrics {
    set: EventSet,
    /// `None` if no metric can be counted.
    resolved: Option<Resolved>,
    /// Nothing was asked for by name.
    is_default: bool,
    names: Vec<String>,
    counted: HashMap<u32, Attached>,
}

/// The counters of a process.
struct Attached {
    /// When the process began, and its threads then: others are not counted.
    threads: (u64, Vec<String>),
    counted: Counted,
}

/// The metric that is counted without `-M`.
const DEFAULT: &str = "ipc";
/// The most processes whose metrics are counted.
const MOST_COUNTED: usize = 16;
/// The most threads of a process whose metrics are counted.
const MOST_THREADS: usize = 64;

impl Processes {
    /// Counts by the names and options of a set.
    pub fn new(args: &TopArgs, set: EventSet) -> Processes {
        let is_default = args.metric.is_empty();
        let metrics = if is_default { &[DEFAULT.to_string()][..] } else { &args.metric };
        let resolved = set.resolve_both(&[], metrics).ok();
        // Counters that are inherited count child processes, too, which are processes of their own here.
        let set = set.inherit(false);
        let (names, counted) = (Vec::new(), HashMap::new());
        let metrics = Metrics { set, resolved, is_default, names, counted };
        Processes { host: Host::local(), before: HashMap::new(), metrics }
    }

    /// The names of the metrics.
    pub fn metrics(&self) -> &[String] {
        &self.metrics.names
    }

    /// Measures the processes that have samples in an interval; metrics are counted if `counts` is true.
    pub fn take(&mut self, profiles: &[Arc<Profiled>], counts: bool) -> HashMap<u32, Measured> {
        let mut samples: HashMap<u32, u64> = HashMap::new();
        for of in profiles.iter().filter_map(|of| of.threads.as_ref()).flat_map(|of| &of.threads) {
            *samples.entry(of.pid).or_default() += of.samples();
        }
        // Those that had samples before are read, too, so that the next difference is that of an interval.
        let pids: Vec<u32> = self.before.keys().chain(samples.keys()).copied().collect();
        let read = |pid| Some((pid, (self.host.task_stat(pid).ok()?, Instant::now())));
        let now: HashMap<_, _> = pids.into_iter().filter_map(read).collect();
        let before = std::mem::replace(&mut self.before, now);
        let mut busiest: Vec<(u32, u64)> = samples.into_iter().collect();
        busiest.sort_by_key(|(pid, samples)| (Reverse(*samples), *pid));
        let busiest: Vec<u32> = busiest.into_iter().map(|(pid, _)| pid).collect();
        let most = if counts { MOST_COUNTED.min(busiest.len()) } else { 0 };
        let mut metrics = self.metrics.take(&self.host, &busiest[..most], &self.before);
        let measured = |pid: u32| {
            let command = self.host.text(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let rates = before.get(&pid).zip(self.before.get(&pid)).and_then(|(a, b)| rates(a, b));
            let (cpus, faults) = rates.unzip();
            let command = command.replace('\0', " ").trim_end().to_string();
            let metrics = metrics.remove(&pid).unwrap_or_default();
            (pid, Measured { command, cpus, faults, metrics })
        };
        busiest.into_iter().map(measured).collect()
    }
}

/// The CPUs in use, and the page faults per second, between two readings of one process.
fn rates(before: &(TaskStat, Instant), now: &(TaskStat, Instant)) -> Option<(f64, f64)> {
    let ((before, from), (now, to)) = (before, now);
    let seconds = (*to - *from).as_secs_f64();
    let time = |stat: &TaskStat| stat.times.0 + stat.times.1;
    let faults = |stat: &TaskStat| stat.faults.0 + stat.faults.1;
    let is_same = before.started == now.started && seconds > 0.0;
    is_same.then(|| {
        let cpus = time(now).saturating_sub(time(before)).as_secs_f64();
        let faults = faults(now).saturating_sub(faults(before)) as f64;
        (cpus / seconds, faults / seconds)
    })
}

impl Metrics {
    /// The values of the metrics of these processes since the last call; those of others are counted no more.
    fn take(
        &mut self,
        host: &Host,
        pids: &[u32],
        read: &HashMap<u32, (TaskStat, Instant)>,
    ) -> HashMap<u32, Vec<Option<String>>> {
        let mut before = std::mem::take(&mut self.counted);
        let mut values = HashMap::new();
        for (pid, (stat, _)) in pids.iter().filter_map(|pid| Some((*pid, read.get(pid)?))) {
            let Ok(threads) = host.directory(format!("/proc/{pid}/task")) else { continue };
            let threads = (stat.started, threads);
            match before.remove(&pid).filter(|attached| attached.threads == threads) {
                Some(mut attached) => {
                    if attached.counted.take().is_ok() {
                        values.insert(pid, self.values(&attached.counted));
                        self.counted.insert(pid, attached);
                    }
                }
                None => {
                    let counted = self.open(pid, threads.1.len());
                    self.counted.extend(counted.map(|of| (pid, Attached { threads, counted: of })));
                }
            }
        }
        values
    }

    fn open(&self, pid: u32, threads: usize) -> Option<Counted> {
        let resolved = self.resolved.clone().filter(|_| threads <= MOST_THREADS)?;
        let target = Target::Processes(vec![pid]);
        let mut counted = Counted::open(&self.set, resolved, &target, self.is_default).ok()?;
        counted.start().ok().map(|()| counted)
    }

    fn values(&mut self, counted: &Counted) -> Vec<Option<String>> {
        self.names = counted.series.iter().map(|of| of.name.clone()).collect();
        counted.series.iter().map(|of| of.number().map(str::to_string)).collect()
    }
}
