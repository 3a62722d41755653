//! The events that are counted, how often they are read, and how their rows are split.

use super::args::{Cache, StatArgs};
use super::hooks::Hooks;
use super::summary::Summary;
use super::topdown::Topdown;
use crate::args::Attached;
use crate::begin::Begin;
use crate::failure::Failure;
use crate::own_cost::{self, OwnCost};
use counterpoint::perf::Host;
use counterpoint::planning::PmuPlan;
use counterpoint::{EventSet, Split, Target};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

pub struct Job {
    pub set: EventSet,
    pub target: Attached,
    pub command: Vec<OsString>,
    /// The name of the command, if it was given one.
    pub name: Option<String>,
    /// What is done around the runs of the command.
    pub hooks: Hooks,
    /// The runs that are left out before the others.
    pub warmup: u32,
    pub split: Split,
    pub begin: Begin,
    pub timeout: Option<Duration>,
    pub interval: Option<Duration>,
    /// True if the counts so far are written now and then, and when someone asks for an end.
    pub has_checkpoints: bool,
    /// True if the counts of the whole time follow the intervals.
    pub has_summary: bool,
    /// The most intervals that are printed.
    pub interval_count: Option<u64>,
    pub repeat: u32,
    /// True if the errors of estimates follow from slices of the run; several runs show by themselves how they vary.
    pub has_slices: bool,
    /// True if the command is also run without counting.
    pub has_own_cost: bool,
    pub verbose: Cell<bool>,
    /// The tree of metrics that is printed.
    pub topdown: Option<Topdown>,
    /// The PMUs whose events take turns.
    pub turns: Vec<PmuPlan>,
}

impl Job {
    /// Without an event yet, and nothing open.
    pub fn new(args: &StatArgs, set: EventSet, target: Attached) -> Result<Job, Failure> {
        let begin = args.begin.begin()?;
        // A target that is counted beside a command starts with it; after a delay nothing does.
        let is_beside = matches!(target, Attached::To(_)) && !args.command.is_empty();
        let split = split(args, &target, set.machine().host())?;
        Ok(Job {
            split,
            set: set
                .domain(args.levels.levels())
                .inherit(!args.no_inherit)
                .merge_boxes(!args.no_merge)
                .delayed(begin != Begin::WithCommand || is_beside),
            target,
            command: args.command.clone(),
            name: args.hooks.command_name.first().cloned(),
            hooks: args.hooks.of(0, &[]),
            warmup: args.hooks.warmup.unwrap_or(0),
            begin,
            timeout: args.timeout.map(Duration::from_millis),
            interval: args.interval.map(Duration::from_millis),
            has_checkpoints: args.has_checkpoints(),
            has_summary: args.summary,
            interval_count: args.interval_count,
            repeat: args.repeat.unwrap_or(if args.own_cost { own_cost::ROUNDS } else { 1 }),
            has_slices: args.repeat.unwrap_or(1) == 1 && !args.own_cost && !args.is_comparison(),
            has_own_cost: args.own_cost,
            verbose: Cell::new(args.verbose),
            topdown: None,
            turns: Vec::new(),
        })
    }

    /// The summary of runs that are to come.
    pub fn summary(&self) -> Summary {
        let mut summary =
            Summary::new(&self.target, &self.command, self.repeat, self.turns.clone());
        summary.own_cost = self.has_own_cost.then(OwnCost::default);
        if let Some(name) = &self.name {
            summary.title = format!("'{name}'");
        }
        if let Attached::To(target) = &self.target {
            summary.threads = thread_names(self.set.machine().host(), target);
        }
        summary
    }
}

/// The names of the threads of a target that has threads.
fn thread_names(host: &Host, target: &Target) -> BTreeMap<u32, String> {
    let threads: Vec<u32> = match target {
        Target::Threads(threads) => threads.clone(),
        Target::Processes(pids) => {
            let of_process = |pid: &u32| host.names(format!("/proc/{pid}/task"));
            pids.iter().flat_map(of_process).filter_map(|name| name.parse().ok()).collect()
        }
        _ => Vec::new(),
    };
    let named = |thread| Some((thread, host.text(format!("/proc/{thread}/comm")).ok()?));
    threads.into_iter().filter_map(named).collect()
}

/// The split of the rows, and the option that requests it.
fn split_option(args: &StatArgs) -> (Split, &'static str) {
    match args {
        StatArgs { per_cpu: true, .. } => (Split::Cpu, "-A"),
        StatArgs { per_core: true, .. } => (Split::Core, "--per-core"),
        StatArgs { per_socket: true, .. } => (Split::Socket, "--per-socket"),
        StatArgs { per_die: true, .. } => (Split::Die, "--per-die"),
        StatArgs { per_node: true, .. } => (Split::Node, "--per-node"),
        StatArgs { per_cache: Some(Cache(level)), .. } => (Split::Cache(*level), "--per-cache"),
        StatArgs { per_thread: true, .. } => (Split::Thread, "--per-thread"),
        StatArgs { for_each_cgroup, .. } if !for_each_cgroup.is_empty() => {
            (Split::Cgroup, "--for-each-cgroup")
        }
        _ => (Split::Total, ""),
    }
}

fn split(args: &StatArgs, target: &Attached, host: &Host) -> Result<Split, Failure> {
    let is_cpu_wide = matches!(target, Attached::To(target) if target.is_cpu_wide());
    let has_threads =
        matches!(target, Attached::To(Target::Processes(_) | Target::Threads(_) | Target::User(_)));
    let (split, option) = split_option(args);
    match split {
        Split::Total | Split::Cgroup => Ok(split),
        Split::Thread if has_threads => Ok(split),
        Split::Thread => {
            Err(Failure::new("--per-thread needs a target with threads (-p, -t or -u)"))
        }
        _ if !is_cpu_wide => {
            Err(Failure::new(format!("{option} needs a CPU-wide target (-a or -C)")).help(format!(
                "counterpoint stat -a {option} -- COMMAND counts every CPU while COMMAND runs"
            )))
        }
        // The machine may not show its cores and sockets, as in a container, and then each CPU has its row.
        Split::Cpu | Split::Core | Split::Socket => Ok(split),
        _ => match host.online_cpus().iter().find(|cpu| split.placement(host, *cpu).is_none()) {
            None => Ok(split),
            Some(cpu) => Err(Failure::new(format!(
                "{option}: this machine does not show in /sys/devices/system to which of them CPU {cpu} belongs"
            ))
            .help("use --per-core, --per-socket or -A")),
        },
    }
}
