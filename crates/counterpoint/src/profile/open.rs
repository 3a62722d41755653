//! Opens the events of profiles, by hardware where it can be done, else by software.

use super::count::{State, Value};
use super::{About, Phase, Profile, Profiling, Running, is_called};
use crate::opening::setup;
use crate::resolved::{Metric, Resolved, Rule};
use crate::target::Spot;
use crate::{Error, EventSet, Note, PmuBox, Target};
use counterpoint_perf::{
    Attr, Cause, Every, Fields, OpenError, Sampler, Sampling, Setup, pmu_type,
};

/// How often a clock is sampled that looks at a count, in ns.
const LOOK: Every = Every::Period(100_000);
const CPU_CLOCK: u64 = 0;
const TASK_CLOCK: u64 = 1;

pub(crate) fn open(set: &EventSet) -> Result<Profiling, Error> {
    let resolved = set.resolve()?;
    let host = set.machine().host();
    let opener = Opener {
        set,
        resolved: &resolved,
        spots: set.target().spots(host)?,
        setup: Setup { disabled: true, ..setup(set.target(), set.options()) },
    };
    let mut running = Vec::new();
    for (event, profile) in set.profiles() {
        running.push(opener.event(event, profile)?);
    }
    let mut profiling = Profiling { running };
    if !set.options().delayed {
        profiling.run(!opener.setup.enable_on_exec)?;
    }
    Ok(profiling)
}

struct Opener<'a> {
    set: &'a EventSet,
    resolved: &'a Resolved,
    spots: Vec<Spot>,
    setup: Setup,
}

/// What is opened together: a clock with what is counted beside it, or one event.
type Together = Vec<Attr>;

/// Events, and what the count of each is multiplied with.
type Factors = Vec<(usize, f64)>;

impl Opener<'_> {
    fn event(&self, event: &str, profile: &Profile) -> Result<Running, Error> {
        let metrics: Vec<&Metric> =
            self.resolved.metrics.iter().filter(|metric| is_called(metric, event)).collect();
        let refused = |error| Error::refused(event, error);
        let by_hardware = match profile.software {
            true => None,
            false => self.sampled(&metrics, profile.every),
        };
        if let Some(groups) = by_hardware {
            match self.open(&groups, self.setup, Fields::default()) {
                Ok((sampler, note)) => {
                    return self.running(event, profile, sampler, note, None);
                }
                Err(error) if error.cause == Cause::CannotSample => {}
                Err(error) => return Err(refused(error)),
            }
        }
        if matches!(profile.every, Every::Frequency(_)) {
            return Err(Error::needs_period(event));
        }
        let (groups, natives) = self.counted(event, &metrics)?;
        let (sampler, note) = match self.open(&groups, self.setup, Fields::READ) {
            Err(error) if error.cause == Cause::NoInheritedValues => {
                let alone = Setup { inherit: false, ..self.setup };
                let (sampler, note) = self.open(&groups, alone, Fields::READ).map_err(refused)?;
                (sampler, note.or(Some(Note::NoChildren)))
            }
            other => other.map_err(refused)?,
        };
        let formula = match metrics.first().map(|metric| &metric.rule) {
            Some(Rule::Derived { formula, inputs }) => Some((formula.clone(), inputs.clone())),
            _ => None,
        };
        let host = self.set.machine().host();
        let clock_rate = host.max_mhz().map_or(f64::NAN, |mhz| mhz * 1e6);
        let value = Value { numbers: sampler.numbers(), formula, natives, clock_rate };
        self.running(event, profile, sampler, note, Some(value))
    }

    /// One group for each box of each event; none if one of them is computed.
    fn sampled(&self, metrics: &[&Metric], every: Every) -> Option<Vec<Together>> {
        let mut groups = Vec::new();
        for metric in metrics {
            let Rule::Native(native) = metric.rule else { return None };
            let boxes = self.resolved.natives[native].boxes.iter();
            groups.extend(boxes.map(|PmuBox { attr, .. }| vec![Attr { every, ..attr.clone() }]));
        }
        Some(groups)
    }

    /// A clock, and what a metric needs beside it: the events, and what their counts are multiplied with.
    fn counted(&self, event: &str, metrics: &[&Metric]) -> Result<(Vec<Together>, Factors), Error> {
        let code = if self.set.target().is_cpu_wide() { CPU_CLOCK } else { TASK_CLOCK };
        let clock = Attr { every: LOOK, ..Attr::new(pmu_type::SOFTWARE, code) };
        let (mut groups, mut all) = (Vec::new(), Vec::new());
        for metric in metrics {
            if let Rule::Unavailable(reason) = &metric.rule {
                return Err(Error::unavailable(event, reason.clone()));
            }
            let mut natives: Vec<usize> = metric.natives().collect();
            natives.sort_unstable();
            natives.dedup();
            let mut group = vec![clock.clone()];
            for native in &natives {
                let boxes = &self.resolved.natives[*native].boxes;
                let [PmuBox { attr, cpumask: None, .. }] = boxes.as_slice() else {
                    return Err(Error::needs_cpus(&self.resolved.natives[*native].canonical));
                };
                group.push(attr.clone());
            }
            groups.push(group);
            let scale = |native: usize| self.resolved.natives[native].scale.unwrap_or(1.0);
            all = natives.into_iter().map(|native| (native, scale(native))).collect();
        }
        Ok((groups, all))
    }

    /// Opens every group at every spot; without the kernel where this user may not look at it.
    fn open(
        &self,
        groups: &[Together],
        setup: Setup,
        more: Fields,
    ) -> Result<(Sampler, Option<Note>), OpenError> {
        let open = |user_only: bool| {
            let fields = Fields::IP | Fields::TID | Fields::TIME | more;
            let sampling = Sampling { tasks: true, ..Sampling::new(fields) };
            let mut sampler = self.set.machine().host().sampler(sampling, setup);
            for group in groups {
                let user = |attr: &Attr| if user_only { attr.user_only() } else { attr.clone() };
                let group: Together = group.iter().map(user).collect();
                for spot in &self.spots {
                    match sampler.add(&group, &spot.placement) {
                        // A thread may end between being listed and being opened.
                        Err(e) if e.cause == Cause::NoSuchProcess && self.spots.len() > 1 => {}
                        other => drop(other?),
                    }
                }
            }
            Ok(sampler)
        };
        match open(false) {
            Err(OpenError { cause: Cause::Permission { .. }, .. })
                if !self.set.target().is_cpu_wide() =>
            {
                Ok((open(true)?, Some(Note::UserOnly)))
            }
            other => Ok((other?, None)),
        }
    }

    fn running(
        &self,
        event: &str,
        profile: &Profile,
        sampler: Sampler,
        note: Option<Note>,
        value: Option<Value>,
    ) -> Result<Running, Error> {
        let host = self.set.machine().host();
        let software = value.is_some();
        let mut state = State::new(profile, host, value);
        let attached = match self.set.target() {
            Target::ThisThread => vec![std::process::id()],
            Target::Processes(pids) => pids.clone(),
            Target::Threads(tids) => {
                tids.iter().filter_map(|tid| process_of(self.set, *tid)).collect()
            }
            Target::Command(_) => Vec::new(),
            Target::AllCpus | Target::Cpus(_) | Target::Cgroup(_) => {
                host.names("/proc").iter().filter_map(|name| name.parse().ok()).collect()
            }
        };
        for pid in attached {
            // A process that may not be looked at has samples without a module.
            if let Ok(maps) = host.maps(Some(pid)) {
                state.attach(pid, &maps);
            }
        }
        let about = About { event: event.to_string(), every: profile.every, software, note };
        Ok(Running { about, phase: Phase::Waiting(Box::new((sampler, state))) })
    }
}

/// The process of a thread.
fn process_of(set: &EventSet, tid: u32) -> Option<u32> {
    let status = set.machine().host().text(format!("/proc/{tid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
}
