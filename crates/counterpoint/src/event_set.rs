//! A set of events: the type that most programs begin with. Its methods look names up, plan, open and profile.
//!
//! # How an event is counted
//!
//! Each step makes a new value and leaves the old one as it is, so that no later step can change what an earlier one decided.
//!
//! ```text
//! text ─ syntax::parse ─> EventSpec ─ lookup ─> Candidate ─ resolve ─> Resolved ─> Schedule ─> Counters ─> Snapshot ─> Report
//! ```
//!
//! 1. `pmu::syntax` splits the list of `-e` into groups and events with spans. It leaves names whole, because what follows a `:` depends on what the name turns out to be.
//! 2. `names::lookup` of the facade finds what each event stands for. `FINDERS` lists every kind of name, in the order of lookup: definitions and presets, codes, sources, `pmu/terms/`, the kernel's events, events of core PMUs in sysfs, events of the tables, events of vendors' files (before the tables if the user named the files), tracepoints, likwid's names for any of these. `stat` counts the first candidate, `show` prints all of them, `check` asks the same function of a machine that has the PMUs of a block, and suggestions come from the same walk. A name with `*`, `?` or `[…]` that nothing has is a pattern: `names::patterns` looks up each name that matches.
//! 3. An `EventId` is the usual name of an event (PMU, name, modifiers). Its `Display` is the canonical string; no code parses that string again.
//! 4. `Resolved` holds the requested metrics, the native events and the sources that they need, each once, the groups as written, and the plan once it is computed. A `Native` has one `perf::Attr` for each box of its PMU. A `Source` (`sources`) is anything else that is counted, such as a time: it needs no counter and no group.
//! 5. `Schedule` has the groups in which the events are opened. Each group knows its origin: braces, a pass of a plan, or the group that all software events share. Hardware events outside braces share a group if the tables say that they fit one pass (`counterpoint::planning`) and the kernel runs that group in a trial. Events in braces that have no counter beside the others are conflicting, and get no number.
//! 6. `counting::open` opens the groups at every placement of the target (thread, CPU, cgroup on a CPU). A group is opened stopped and started whole: an event that joins a running group counts nothing until the thread is next scheduled, and its times do not show that. `Counters` manage the open events from then on: start, read, accumulate, reset, stop. Events of PMUs with a `cpumask` need a target of CPUs, unless `NodeEvents` says that this process counts its node: then they are opened beside the target, or else left to another process.
//! 7. A `Snapshot` is one `Count { raw, enabled, running }` for each part that is open, and one number for each source, or the reason why there is none. `report::labels` decides to which row a part belongs (CPU, core, cache, die, socket, node, thread, cgroup). `report::totals` adds parts up, scales each, and `report::evaluation` evaluates formulas over the sums: derived values are computed from aggregated inputs, never added. An input of a formula is a native event, a source or a machine value (`machine::values`), which is looked up when the events are opened.
//!
//! A thread that counts itself alone reads its group without a system call where the kernel offers it (`perf::user_read`): all members or none, in one sequence of the leader's page.

use crate::counting::availability::{Availability, try_resolved};
use crate::counting::choice::{Choice, choose};
use crate::counting::counters::Counters;
use crate::counting::node_events::NodeEvents;
use crate::counting::open::Options;
use crate::counting::resolve::{resolve, resolve_all};
use crate::counting::resolved::Resolved;
use crate::counting::schedule::Schedule;
use crate::counting::target::Target;
use crate::error::Error;
use crate::error::set::SetError;
use crate::machine::pmus::Machine;
use crate::metrics::Metrics;
use crate::names::candidate::Candidate;
use crate::names::lookup::{self, Names};
use crate::names::spec::spec;
use crate::planning::Planning;
#[cfg(feature = "profile")]
use crate::profile::Profiles;
use counterpoint_definitions::{Definition, Library};
use counterpoint_perf::{Host, UserReads};
use counterpoint_pmu::{Privilege, syntax};
use std::cell::OnceCell;

/// Events by name, and the target to count them for.
///
/// ```
/// use counterpoint::{EventSet, Target};
///
/// let mut counters = EventSet::new(Target::ThisThread).event("task-clock").event("page-faults").open()?;
/// let pages = vec![1_u8; 1 << 20];
/// let report = counters.read()?;
/// for row in &report.rows {
///     println!("{:?} {}", row.value, row.event);
/// }
/// assert!(pages.len() > 0 && report.rows[0].value.as_f64().is_some());
/// # Ok::<(), counterpoint::Error>(())
/// ```
#[derive(Debug)]
pub struct EventSet {
    names: Names,
    /// The resolved events, until the set changes.
    resolved: OnceCell<Resolved>,
    target: Target,
    lists: Vec<String>,
    /// The filter of the last event of each list.
    filters: Vec<Option<String>>,
    metrics: Vec<String>,
    domain: Privilege,
    options: Options,
    #[cfg(feature = "profile")]
    profiles: Profiles,
}

/// The choice if events may take turns on the hardware counters.
#[doc(alias = "PAPI_set_multiplex")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Multiplexing {
    /// Events take turns; each value has the share of the time for which it was measured.
    #[default]
    Allow,
    /// An event keeps its counter all the time, or has no value ([`Reason::LostCounter`](crate::Reason::LostCounter)).
    Refuse,
}

impl EventSet {
    /// Creates an empty set, to be counted for `target` on this machine.
    pub fn new(target: Target) -> EventSet {
        EventSet::on(Host::local(), target)
    }

    /// Creates an empty set for another host.
    pub fn on(host: Host, target: Target) -> EventSet {
        EventSet::with_machine(Machine::new(host), target)
    }

    /// Creates an empty set whose names are looked up on `machine`.
    pub fn with_machine(machine: Machine, target: Target) -> EventSet {
        let options = Options::default();
        EventSet {
            names: Names::new(machine),
            resolved: OnceCell::new(),
            target,
            lists: Vec::new(),
            filters: Vec::new(),
            metrics: Vec::new(),
            domain: Privilege::ALL,
            options,
            #[cfg(feature = "profile")]
            profiles: Profiles::default(),
        }
    }

    /// Adds an event, or several as a list in perf's syntax: `cycles:u`, `{a,b}`, `pmu/event/`.
    #[doc(alias = "PAPI_add_named_event")]
    pub fn event(mut self, list: impl Into<String>) -> EventSet {
        self.push(list.into());
        self
    }

    /// Counts the last event that was added, which is a tracepoint, only where a condition over its fields is true; of a pattern, all events.
    ///
    /// The condition is in the language of the kernel's tracefs, such as `prev_pid != 0 && prev_prio < 120`; several conditions must all be true.
    ///
    /// # Errors
    /// Returns an error if no event was added before. That an event is not a tracepoint is found when it is looked up.
    #[doc(alias = "PERF_EVENT_IOC_SET_FILTER")]
    pub fn filter(mut self, condition: &str) -> Result<EventSet, Error> {
        let Some(filter) = self.filters.last_mut() else {
            return Err(Error::from(SetError::NothingToFilter { filter: condition.to_string() }));
        };
        *filter = Some(match filter.take() {
            Some(other) => format!("({other}) && ({condition})"),
            None => condition.to_string(),
        });
        self.resolved = OnceCell::new();
        Ok(self)
    }

    /// Adds a metric, or all metrics of a group, by name.
    ///
    /// The events of a metric are counted at the same time where they fit; the report has its value, with its unit, but not
    /// those of its events.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target, definitions};
    /// let text = "metric pages\n formula `page-faults` * 4\n unit KiB\n group paging\n";
    /// let set = EventSet::new(Target::ThisThread).define((definitions::metrics::TABLE.read)(text, definitions::Origin::Text));
    /// let mut counters = set.metric("paging").open()?;
    /// let report = counters.read()?;
    /// assert_eq!((report.rows[0].event.as_str(), report.rows[0].unit.as_deref()), ("pages", Some("KiB")));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    pub fn metric(mut self, name: impl Into<String>) -> EventSet {
        self.metrics.push(name.into());
        self.resolved = OnceCell::new();
        self
    }

    /// The names of metrics and groups that were added.
    pub(crate) fn requested_metrics(&self) -> &[String] {
        &self.metrics
    }

    /// The metrics of the machine: those that are built in, and those of the definitions that were added.
    pub fn metrics(&self) -> &Metrics {
        self.names.metrics()
    }

    fn push(&mut self, list: String) {
        self.lists.push(list);
        self.filters.push(None);
        self.resolved = OnceCell::new();
    }

    /// Looks up an event, or a list of events, and adds all of them, or none.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let mut set = EventSet::new(Target::ThisThread);
    /// set.add("task-clock")?;
    /// assert!(set.add("page-faults,no-such-event").is_err_and(|e| e.is_unknown_event()));
    /// set.add("page-faults")?;
    /// set.remove("task-clock")?;
    /// assert_eq!(set.open()?.read()?.rows[0].event, "page-faults");
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    #[doc(alias = "PAPI_add_event")]
    #[doc(alias = "PAPI_add_events")]
    pub fn add(&mut self, list: &str) -> Result<(), Error> {
        resolve(&self.names, &[list.to_string()], self.levels())?;
        self.push(list.to_string());
        Ok(())
    }

    /// Removes an event that was added under this text, also from a list or group.
    ///
    /// # Errors
    /// Returns an error if the set has no such event.
    #[doc(alias = "PAPI_remove_event")]
    #[doc(alias = "PAPI_remove_named_event")]
    pub fn remove(&mut self, event: &str) -> Result<(), Error> {
        for index in 0..self.lists.len() {
            let groups = syntax::parse(&self.lists[index])?;
            let Some(rest) = without(&self.lists[index], &groups, event) else { continue };
            if rest.is_empty() {
                self.lists.remove(index);
                self.filters.remove(index);
            } else {
                self.lists[index] = rest;
            }
            #[cfg(feature = "profile")]
            self.profiles.remove(event);
            self.resolved = OnceCell::new();
            return Ok(());
        }
        Err(Error::from(SetError::NotInSet { event: event.to_string() }))
    }

    /// Adds definitions: a [`Library`], or text in the language of PAPI's event-definition files.
    ///
    /// They hide earlier definitions of the same names.
    /// A faulty line is skipped; [`Library::diagnostics`] reports it.
    pub fn define(mut self, definitions: impl Into<Library>) -> EventSet {
        self.names.define(definitions.into());
        self.resolved = OnceCell::new();
        self
    }

    /// Counts threads and children that start later too (the default), or leaves them out.
    pub fn inherit(mut self, inherit: bool) -> EventSet {
        self.options.inherit = inherit;
        self
    }

    /// Gives the boxes of a PMU, such as the channels of memory, one value together (the default), or one each.
    pub fn merge_boxes(mut self, merge: bool) -> EventSet {
        self.options.merge_boxes = merge;
        self
    }

    /// Makes counting wait for [`Counters::start`]; by default it begins with [`EventSet::open`], or with the exec of a held command.
    pub fn delayed(mut self, delayed: bool) -> EventSet {
        self.options.delayed = delayed;
        self
    }

    /// The privilege levels at which events are counted that name none; [`Privilege::ALL`] by default.
    ///
    /// An event whose PMU does not distinguish levels is counted at every level, and a [`Note`](crate::Note) reports that.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target, pmu::Privilege};
    /// let set = EventSet::new(Target::ThisThread).domain(Privilege::USER).event("page-faults");
    /// assert_eq!(set.resolve()?.natives()[0].id.to_string(), "page-faults:u");
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    #[doc(alias = "PAPI_set_domain")]
    pub fn domain(mut self, levels: Privilege) -> EventSet {
        self.domain = levels;
        self.resolved = OnceCell::new();
        self
    }

    /// Lets hardware events take turns on the counters (the default), or refuses that.
    pub fn multiplexing(mut self, choice: Multiplexing) -> EventSet {
        self.options.never_shared = choice == Multiplexing::Refuse;
        self
    }

    /// Chooses if hardware counters are read without a system call, if the kernel allows it to a thread that counts itself.
    ///
    /// This applies to [`Target::ThisThread`] without children ([`EventSet::inherit`]), and to regions; other targets are read with system calls, and the values are the same.
    #[doc(alias = "rdpmc")]
    pub fn user_reads(mut self, reads: UserReads) -> EventSet {
        self.options.user_reads = reads;
        self
    }

    /// Chooses the process that counts events of the whole node, if several processes of a parallel job count on it.
    pub fn node_events(mut self, choice: NodeEvents) -> EventSet {
        self.options.node_events = choice;
        self
    }

    /// Removes all events.
    #[doc(alias = "PAPI_cleanup_eventset")]
    pub fn clear(&mut self) {
        self.lists.clear();
        self.filters.clear();
        self.metrics.clear();
        self.resolved = OnceCell::new();
        #[cfg(feature = "profile")]
        self.profiles.clear();
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }

    #[cfg(feature = "profile")]
    pub(crate) fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    #[cfg(feature = "profile")]
    pub(crate) fn profiles_mut(&mut self) -> &mut Profiles {
        &mut self.profiles
    }

    /// The machine on which names are looked up.
    pub fn machine(&self) -> &Machine {
        self.names.machine()
    }

    /// The candidates for an event as written, in the order in which they are looked up; the first one is counted.
    ///
    /// ```
    /// use counterpoint::events::CandidateEvent;
    /// use counterpoint::{EventSet, Target};
    /// let set = EventSet::new(Target::ThisThread).define("EVENT,task-clock,NOT_DERIVED,page-faults");
    /// let candidates = set.candidates("task-clock")?;
    /// assert!(matches!(candidates[0].events[..], [CandidateEvent::Definition { .. }]));
    /// assert!(matches!(candidates[1].events[..], [CandidateEvent::Kernel(_)]));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no candidate, or the text after the name is invalid.
    pub fn candidates(&self, event: &str) -> Result<Vec<Candidate>, Error> {
        let found = lookup::all(self.machine(), self.names.views_for(event), &spec(event));
        match (found, syntax::parse(event)) {
            (Err(error), Err(mistake)) if error.is_unknown_event() => Err(mistake.into()),
            (found, _) => found,
        }
    }

    /// The definitions that were added to the set, from last to first, whether or not they apply to the machine.
    pub fn definitions(&self) -> impl Iterator<Item = Definition> {
        let of_library = |library: &Library| {
            let library = library.clone();
            (0..library.len()).rev().map(move |index| library.definition(index))
        };
        self.names.libraries().iter().rev().flat_map(of_library)
    }

    /// Looks up all names, without opening anything.
    ///
    /// # Errors
    /// Returns an error for the first name that is not found, and for text that is not a list of events.
    pub fn resolve(&self) -> Result<Resolved, Error> {
        self.resolved().cloned()
    }

    /// Like [`EventSet::resolve`], for a list of events other than those in the set.
    pub fn resolve_list(&self, list: &str) -> Result<Resolved, Error> {
        resolve(&self.names, &[list.to_string()], self.levels())
    }

    /// Like [`EventSet::resolve`], for lists of events and names of metrics other than those in the set.
    pub fn resolve_both(&self, lists: &[String], metrics: &[String]) -> Result<Resolved, Error> {
        resolve_all(&self.names, lists, &[], metrics, self.levels(), &self.target)
    }

    fn resolve_own(&self) -> Result<Resolved, Error> {
        let (lists, filters) = (&self.lists, &self.filters);
        resolve_all(&self.names, lists, filters, &self.metrics, self.levels(), &self.target)
    }

    /// The resolved events; they are looked up once, until the set changes.
    pub(crate) fn resolved(&self) -> Result<&Resolved, Error> {
        if let Some(resolved) = self.resolved.get() {
            return Ok(resolved);
        }
        let resolved = self.resolve_own()?;
        Ok(self.resolved.get_or_init(|| resolved))
    }

    /// Plans how the events share the counters: in how few passes they can be counted, and which events conflict.
    ///
    /// Events of a PMU whose counters are not in the tables are opened for a moment to find out; none stay open.
    pub fn plan(&self) -> Result<Planning, Error> {
        let mut planning = self.plan_resolved(self.resolved()?);
        planning.try_the_rest(self.machine(), self.resolved()?.natives());
        Ok(planning)
    }

    /// Looks up all names and opens the events.
    ///
    /// An event that cannot be opened is not an error: its value has the reason.
    pub fn open(&self) -> Result<Counters, Error> {
        self.open_resolved(self.resolved()?.clone(), &self.target)
    }

    /// Like [`EventSet::open`], but an event that cannot be opened is an error, which reports whether more privileges or a higher limit would help.
    pub fn open_all(&self) -> Result<Counters, Error> {
        let counters = self.open()?;
        counters.opened.failure().map_or(Ok(counters), Err)
    }

    /// Opens events that were resolved before, for another target.
    pub fn open_resolved(&self, resolved: Resolved, target: &Target) -> Result<Counters, Error> {
        Counters::open(self.machine().host(), self.schedule(resolved), target, self.options)
    }

    /// Like [`EventSet::plan`], for lists of events other than those in the set.
    pub fn plan_of(&self, lists: &[String]) -> Result<Planning, Error> {
        let resolved = resolve(&self.names, lists, self.levels())?;
        let mut planning = self.plan_resolved(&resolved);
        planning.try_the_rest(self.machine(), resolved.natives());
        Ok(planning)
    }

    /// Tests whether the events of a list, which may name definitions of this set, can be counted, each at a placement of
    /// its PMU; a value that is computed is as available as the worst of its events.
    ///
    /// # Errors
    /// Returns an error for the first name that is not found, and for text that is not a list of events.
    pub fn availability(&self, list: &str) -> Result<Vec<Availability>, Error> {
        Ok(try_resolved(self.machine(), &self.resolve_list(list)?))
    }

    /// Chooses the first of several events, definitions and metrics with `|` between them that can be counted, such as
    /// `instructions|task-clock`.
    ///
    /// ```
    /// use counterpoint::{EventSet, Target};
    /// let set = EventSet::new(Target::ThisThread);
    /// let choice = set.choose("no-such-event|task-clock")?;
    /// assert_eq!((choice.event.as_str(), choice.is_metric), ("task-clock", false));
    /// assert_eq!(choice.passed_over[0].0, "no-such-event");
    /// let metric = set.choose("cpu_utilization")?;
    /// let mut counters = set.chosen(&choice).chosen(&metric).open()?;
    /// assert_eq!(counters.read()?.rows.len(), 2);
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error with the reasons if none can be counted.
    pub fn choose(&self, choices: &str) -> Result<Choice, Error> {
        choose(choices, |name| match self.availability(name) {
            Err(_) if !self.metrics().find(name).is_empty() => {
                let resolved = self.resolve_both(&[], &[name.to_string()])?;
                Ok((try_resolved(self.machine(), &resolved), true))
            }
            of_event => of_event.map(|all| (all, false)),
        })
    }

    /// Adds what was chosen.
    pub fn chosen(self, choice: &Choice) -> EventSet {
        if choice.is_metric {
            self.metric(choice.event.clone())
        } else {
            self.event(choice.event.clone())
        }
    }

    /// Like [`EventSet::plan`], for events that were resolved before; events whose counters are not in the tables are not tried.
    pub fn plan_resolved(&self, resolved: &Resolved) -> Planning {
        resolved.planning(self.machine()).clone()
    }

    /// The groups in which events are opened.
    pub(crate) fn schedule(&self, resolved: Resolved) -> Schedule {
        let mut schedule = Schedule::new(self.machine(), resolved, self.options.never_shared);
        if !self.options.merge_boxes {
            schedule.report_boxes(self.machine());
        }
        schedule
    }

    /// The levels at which events that name none are counted; empty for all levels.
    fn levels(&self) -> syntax::Modifiers {
        let levels = syntax::Modifiers {
            user: self.domain.contains(Privilege::USER),
            kernel: self.domain.contains(Privilege::KERNEL),
            hypervisor: self.domain.contains(Privilege::HYPERVISOR),
            ..syntax::Modifiers::default()
        };
        let all = levels.user && levels.kernel && levels.hypervisor;
        if all { syntax::Modifiers::default() } else { levels }
    }
}

/// The list without the first event with this text; `None` if there is no such event.
fn without(list: &str, groups: &[syntax::Group], event: &str) -> Option<String> {
    let mut events = groups.iter().flat_map(|group| group.events.iter().map(move |e| (group, e)));
    let (group, found) = events.find(|(_, e)| e.text == event)?;
    let mut span = found.span.clone();
    if group.braces && group.events.len() == 1 {
        // The braces, and the modifiers after them, are removed with their last event.
        span.start = list[..span.start].rfind('{')?;
        span.end = list[span.end..].find(',').map_or(list.len(), |comma| span.end + comma);
    }
    // One of the adjacent commas is removed too.
    let before = list[..span.start].trim_end();
    let after = list[span.end..].trim_start();
    if before.ends_with(',') {
        span.start = before.len() - 1;
    } else if after.starts_with(',') {
        span.end = list.len() - after.len() + 1;
    }
    Some(format!("{}{}", &list[..span.start], &list[span.end..]).trim().to_string())
}
