//! Opens the events of profiles: sampled by hardware if possible, otherwise by software.

use super::contents::{Rings, sampling};
use super::kernel::Kernel;
use super::recorder::{RecordedEvent, Recorder};
use super::request::Profile;
use super::running::{About, Phase, Profiling, Running};
use super::state::{State, Value};
use crate::counting::error::CountError;
use crate::counting::open::setup;
use crate::counting::requested::{Metric, Rule};
use crate::counting::resolved::Resolved;
use crate::counting::target::{Target, TargetPlacement};
use crate::error::Error;
use crate::error::profile::ProfileError;
use crate::event_set::EventSet;
use crate::machine::values as machine_values;
use crate::names::native::{PmuBox, is_tracepoint};
use crate::report::note::Note;
use crate::report::values::Reason;
use counterpoint_formula::Op;
use counterpoint_perf::{Attr, Cause, Every, Fields, OpenError, Opened, Sampler, Setup, pmu_type};
use counterpoint_profil::Flags;
use std::sync::Arc;

/// The period in ns of the clock that checks a count.
const LOOK: Every = Every::Period(100_000);
const CPU_CLOCK: u64 = 0;
const TASK_CLOCK: u64 = 1;
const CONTEXT_SWITCHES: u64 = 3;

pub(crate) fn open(
    set: &EventSet,
    recorder: Option<&Arc<dyn Recorder>>,
) -> Result<Profiling, Error> {
    let resolved = set.resolved()?;
    let host = set.machine().host();
    let opener = Opener {
        set,
        resolved,
        placements: set.target().placements(host)?,
        all_cpus: Target::AllCpus.placements(host)?,
        setup: Setup { disabled: true, ..setup(set.target(), set.options()) },
        kernel: Kernel::default(),
        is_recorded: recorder.is_some(),
    };
    let mut running = Vec::new();
    for (event, profile) in set.profiles().iter() {
        running.push(opener.event(event, profile)?);
    }
    if let Some(recorder) = recorder {
        record(&mut running, recorder, &attached(set))?;
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
    placements: Vec<TargetPlacement>,
    all_cpus: Vec<TargetPlacement>,
    setup: Setup,
    kernel: Kernel,
    is_recorded: bool,
}

/// Passes the records of all events to a recorder.
fn record(
    running: &mut [Running],
    recorder: &Arc<dyn Recorder>,
    attached: &[u32],
) -> Result<(), Error> {
    let mut events = Vec::new();
    for Running { about, phase } in running.iter_mut() {
        let Phase::Waiting(waiting) = phase else { continue };
        for (index, Opened { attr, ids, .. }) in waiting.0.opened().iter().enumerate() {
            let (attr, ids) = (attr.clone(), ids.clone());
            let counted = index.checked_sub(1).and_then(|index| about.counted.get(index));
            let name = counted.unwrap_or(&about.event).clone();
            events.push(RecordedEvent { name, attr, ids });
        }
        let recorder = recorder.clone();
        waiting.0.copy_records(move |bytes| recorder.records(bytes));
    }
    recorder.begin(&events, attached).map_err(Error::from)
}

/// An event to profile.
struct Requested<'a> {
    event: &'a str,
    profile: &'a Profile,
    /// The metrics that the event names.
    metrics: Vec<&'a Metric>,
}

impl Requested<'_> {
    /// The facts about the event as it is sampled by hardware, with the note about how it is opened.
    fn about(&self, note: Option<Note>) -> About {
        let generic = self.metrics.iter().find_map(|metric| metric.note);
        About {
            event: self.event.to_string(),
            every: self.profile.every,
            software: false,
            notes: [generic, note].into_iter().flatten().collect(),
            terms: Vec::new(),
            counted: self.profile.counted.clone(),
            is_everywhere: self.profile.wake_ups,
        }
    }

    fn unavailable(&self, reason: Reason) -> Error {
        Error::from(ProfileError::Unavailable { event: self.event.to_string(), reason })
    }

    fn failed(&self, error: OpenError) -> Error {
        Error::from(ProfileError::Profile { event: self.event.to_string(), error })
    }
}

/// Events that are sampled by hardware.
struct Sampled {
    /// The groups, one for each box of each event.
    groups: Vec<Together>,
    /// The terms that are sampled in place of the event, if it is computed.
    terms: Vec<String>,
}

/// Events that are opened together: a clock with the counted events, or one event.
type Together = Vec<Attr>;

/// Events, each with the factor of its count.
type Factors = Vec<(usize, f64)>;

impl Opener<'_> {
    /// Opens an event: sampled by hardware if possible, otherwise by software.
    fn event(&self, event: &str, profile: &Profile) -> Result<Running, Error> {
        let requested = Requested { event, profile, metrics: self.resolved.called(event) };
        // No sample can say when a time passes a threshold.
        if let Some(source) = requested.metrics.iter().flat_map(|metric| metric.sources()).next() {
            let name = self.resolved.requested.sources[source].name();
            let reason = format!("{name} is measured, and not counted by the kernel");
            return Err(requested.unavailable(Reason::Failed(reason)));
        }
        if profile.off_cpu && !self.is_context_switches(&requested.metrics) {
            let reason = "the time off the CPU is measured with context-switches";
            return Err(requested.unavailable(Reason::Failed(reason.to_string())));
        }
        match self.by_hardware(&requested)? {
            Some(running) => Ok(running),
            None => self.by_software(&requested),
        }
    }

    /// Opens an event that the kernel samples; `None` if overflows are found by software.
    fn by_hardware(&self, requested: &Requested<'_>) -> Result<Option<Running>, Error> {
        let Some(Sampled { groups, terms }) = self.sampled(requested)? else { return Ok(None) };
        let weighed = weighed(requested.profile, &groups);
        match self.open_counted(&groups, Fields::default(), &weighed) {
            Ok((sampler, note)) => {
                let about = About { terms, ..requested.about(note) };
                self.running(about, &weighed, sampler, None).map(Some)
            }
            Err(error)
                if error.cause == Cause::CannotSample && requested.profile.term.is_none() =>
            {
                Ok(None)
            }
            Err(error) => Err(requested.failed(error)),
        }
    }

    /// Opens an event that a clock reads.
    fn by_software(&self, requested: &Requested<'_>) -> Result<Running, Error> {
        let Requested { event, profile, metrics } = requested;
        if self.is_recorded {
            let reason = "the kernel cannot sample it by itself, and a recording has what the kernel samples";
            return Err(requested.unavailable(Reason::Failed(reason.to_string())));
        }
        if matches!(profile.every, Every::Frequency(_)) {
            return Err(Error::from(ProfileError::NeedsPeriod { event: event.to_string() }));
        }
        let failed = |error| requested.failed(error);
        let (groups, natives) = self.counted(requested)?;
        let opened = self.open_counted(&groups, Fields::READ, profile);
        let (sampler, note) = opened.map_err(failed)?;
        let formula = match metrics.first().map(|metric| &metric.rule) {
            Some(Rule::Derived { formula, inputs }) => Some((formula.clone(), inputs.clone())),
            _ => None,
        };
        let (host, target) = (self.set.machine().host(), self.set.target());
        let names = metrics.iter().flat_map(|metric| metric.machine_values());
        let value = |name| Some((name, machine_values::find(host, name, target).ok()?.value));
        let values = names.filter_map(value).collect();
        let value = Value { numbers: sampler.event_ids(), formula, natives, values };
        let about = About { software: true, ..requested.about(note) };
        self.running(about, profile, sampler, Some(value))
    }

    /// Returns true if an event is that of the kernel for threads that stop to run, with the kernel counted.
    fn is_context_switches(&self, metrics: &[&Metric]) -> bool {
        let natives = metrics.iter().filter_map(|metric| metric.native());
        let mut boxes = natives.flat_map(|native| &self.resolved.natives()[native].boxes);
        let wanted = Attr::new(pmu_type::SOFTWARE, CONTEXT_SWITCHES);
        !metrics.is_empty() && boxes.all(|PmuBox { attr, .. }| *attr == wanted)
    }

    /// The events to sample by hardware; `None` if overflows are found by software.
    fn sampled(&self, requested: &Requested<'_>) -> Result<Option<Sampled>, Error> {
        let Requested { event, profile, metrics } = requested;
        let mut sampled = Sampled { groups: Vec::new(), terms: Vec::new() };
        for metric in metrics {
            let chosen = match (&metric.rule, &profile.term) {
                (_, Some(term)) => Some(self.term(event, metric, term)?),
                (Rule::Native(native), None) => Some(*native),
                (_, None) => chosen_term(metric, profile.every),
            };
            let Some(native) = chosen.filter(|_| !profile.software) else { return Ok(None) };
            let every = profile.every;
            let leader = profile.leader.as_deref().map(|name| self.beside(name)).transpose()?;
            let counted = profile.counted.iter().map(|name| self.beside(name));
            let counted = counted.collect::<Result<Vec<Attr>, Error>>()?;
            let native = &self.resolved.natives()[native];
            let groups = native.boxes.iter();
            let group = |PmuBox { attr, .. }: &PmuBox| {
                let event = Attr { every, ..attr.clone() };
                leader.iter().cloned().chain([event]).chain(counted.iter().cloned()).collect()
            };
            sampled.groups.extend(groups.map(group));
            if metric.native().is_none() {
                sampled.terms.push(native.id.to_string());
            }
        }
        Ok(Some(sampled))
    }

    /// An event that is opened in the group of another one.
    fn beside(&self, name: &str) -> Result<Attr, Error> {
        let resolved = self.set.resolve_list(name)?;
        let mut boxes = resolved.natives().iter().flat_map(|native| &native.boxes);
        match (boxes.next(), boxes.next()) {
            (Some(PmuBox { attr, cpumask: None, .. }), None) => Ok(attr.clone()),
            _ => Err(Error::from(CountError::NeedsCpus { event: name.to_string() })),
        }
    }

    /// The event with this name among those from which a metric is computed.
    fn term(&self, event: &str, metric: &Metric, name: &str) -> Result<usize, Error> {
        let resolved = self.set.machine().resolve(name);
        let natives = resolved.as_ref().map_or(&[][..], |resolved| resolved.natives());
        let is_named = |native: &usize| {
            let native = &self.resolved.natives()[*native];
            native.id.to_string() == name || natives.iter().any(|other| other.is_same_code(native))
        };
        metric.natives().find(is_named).ok_or_else(|| {
            let known = metric.natives().map(|n| self.resolved.natives()[n].id.to_string());
            Error::from(ProfileError::NoTerm {
                event: event.to_string(),
                name: name.to_string(),
                terms: known.collect(),
            })
        })
    }

    /// A clock with the events of a metric, and the factors of their counts.
    fn counted(&self, requested: &Requested<'_>) -> Result<(Vec<Together>, Factors), Error> {
        let code = if self.set.target().is_cpu_wide() { CPU_CLOCK } else { TASK_CLOCK };
        let clock = Attr { every: LOOK, ..Attr::new(pmu_type::SOFTWARE, code) };
        let (mut groups, mut all) = (Vec::new(), Vec::new());
        for metric in &requested.metrics {
            if let Rule::Unavailable(reason) = &metric.rule {
                return Err(requested.unavailable(reason.clone()));
            }
            let mut natives: Vec<usize> = metric.natives().collect();
            natives.sort_unstable();
            natives.dedup();
            let mut group = vec![clock.clone()];
            for native in &natives {
                let boxes = &self.resolved.natives()[*native].boxes;
                let [PmuBox { attr, cpumask: None, .. }] = boxes.as_slice() else {
                    return Err(Error::from(CountError::NeedsCpus {
                        event: self.resolved.natives()[*native].id.to_string(),
                    }));
                };
                group.push(attr.clone());
            }
            groups.push(group);
            let scale = |native: usize| self.resolved.natives()[native].scale.unwrap_or(1.0);
            all = natives.into_iter().map(|native| (native, scale(native))).collect();
        }
        Ok((groups, all))
    }

    /// Opens every group; without children where the kernel does not count them apart, if samples have counts.
    fn open_counted(
        &self,
        groups: &[Together],
        more: Fields,
        profile: &Profile,
    ) -> Result<(Sampler, Option<Note>), OpenError> {
        match self.open(groups, self.setup, more, profile) {
            Err(error) if error.cause == Cause::NoInheritedValues => {
                let alone = Setup { inherit: false, ..self.setup };
                let (sampler, note) = self.open(groups, alone, more, profile)?;
                Ok((sampler, note.or(Some(Note::NoChildren))))
            }
            other => other,
        }
    }

    /// Opens every group at every placement, without the kernel if this user may not sample it.
    fn open(
        &self,
        groups: &[Together],
        setup: Setup,
        more: Fields,
        profile: &Profile,
    ) -> Result<(Sampler, Option<Note>), OpenError> {
        let host = self.set.machine().host();
        // No program starts what is on all CPUs.
        let everywhere = Setup { inherit: false, enable_on_exec: false, disabled: false, ..setup };
        let (placements, setup) =
            if profile.wake_ups { (&self.all_cpus, everywhere) } else { (&self.placements, setup) };
        let open = |user_only: bool| {
            let (sampling, rings) = sampling(profile, more, self.is_recorded);
            let mut sampler = host.sampler(sampling, setup);
            if let Some(Rings { all, least, most }) = rings {
                let cpus = host.online_cpus().len();
                let count = placements.len().max(cpus).max(1);
                sampler = sampler.ring_bytes((all / count).clamp(least, most));
            }
            for group in groups {
                let user = |attr: &Attr| if user_only { attr.user_only() } else { attr.clone() };
                let group: Together = group.iter().map(user).collect();
                for placement in placements {
                    let added = match (&profile.leader, &*group) {
                        (Some(_), [leader, event]) => {
                            sampler.add_behind(leader, event, &placement.placement)
                        }
                        _ => sampler.add(&group, &placement.placement),
                    };
                    match added {
                        // A thread may end after it is listed and before it is opened.
                        Err(e) if e.cause == Cause::NoSuchProcess && placements.len() > 1 => {}
                        other => drop(other?),
                    }
                }
            }
            Ok(sampler)
        };
        match open(false) {
            Err(OpenError { cause: Cause::Permission { .. }, .. })
                if !self.set.target().is_cpu_wide() && !profile.off_cpu && !profile.wake_ups =>
            {
                Ok((open(true)?, Some(Note::UserOnly)))
            }
            other => Ok((other?, None)),
        }
    }

    fn running(
        &self,
        about: About,
        profile: &Profile,
        sampler: Sampler,
        value: Option<Value>,
    ) -> Result<Running, Error> {
        let host = self.set.machine().host();
        let mut state = State::new(profile, host, self.kernel.clone(), value, Some(host));
        for pid in attached(self.set) {
            // Samples of a process that this user may not inspect belong to no module.
            if let Ok(maps) = host.maps(Some(pid)) {
                state.attach(pid, &maps);
            }
        }
        Ok(Running { about, phase: Phase::Waiting(Box::new((sampler, state))) })
    }
}

/// The profile, by events if samples stand for different numbers of them: that of a clock does not, and a tracepoint may say how often it occurred.
fn weighed(profile: &Profile, groups: &[Together]) -> Profile {
    let mut events = groups.iter().flatten();
    let is_clock = |attr: &Attr| {
        attr.kind == pmu_type::SOFTWARE && matches!(attr.config, CPU_CLOCK | TASK_CLOCK)
    };
    let is_fixed = match profile.every {
        Every::Frequency(_) => events.all(is_clock),
        Every::Period(1) => events.all(|attr| !is_tracepoint(attr)),
        _ => true,
    };
    if is_fixed || profile.flags != Flags::default() {
        profile.clone()
    } else {
        profile.clone().by_events()
    }
}

/// The term that is sampled in place of a computed event: its only term, or the first of its formula.
///
/// Software can check the value itself if there is a period; only sampling can keep a frequency.
fn chosen_term(metric: &Metric, every: Every) -> Option<usize> {
    let Rule::Derived { formula, .. } = &metric.rule else { return None };
    let is_name = matches!(formula.ops(), [Op::Input(_)]);
    let first = metric.natives().next()?;
    (is_name || matches!(every, Every::Frequency(_))).then_some(first)
}

/// The processes that run already.
fn attached(set: &EventSet) -> Vec<u32> {
    let host = set.machine().host();
    match set.target() {
        Target::ThisThread => vec![std::process::id()],
        Target::Processes(pids) => pids.clone(),
        Target::Threads(tids) => tids.iter().filter_map(|tid| process_of(set, *tid)).collect(),
        Target::Command(_) => Vec::new(),
        Target::User(user) => host.processes_of(*user),
        Target::AllCpus | Target::Cpus(_) | Target::Cgroup(_) | Target::Cgroups(_) => {
            host.names("/proc").iter().filter_map(|name| name.parse().ok()).collect()
        }
    }
}

/// The process of a thread.
fn process_of(set: &EventSet, tid: u32) -> Option<u32> {
    let status = set.machine().host().text(format!("/proc/{tid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok())
}
