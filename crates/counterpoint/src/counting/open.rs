//! Opens events, group by group at every placement, and keeps the outcome of each.

use super::node_events::NodeEvents;
use super::requested::{GroupOrigin, Metric, Rule};
use super::schedule::Schedule;
use super::target::{Target, TargetPlacement};
use crate::counting::error::CountError;
use crate::error::Error;
use crate::machine::values as machine_values;
use crate::machine::values::MachineValue;
use crate::names::native::{Native, PmuBox, counts_every_level};
use crate::report::note::Note;
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_perf::{
    Attr, Cause, CpuSet, Exclude, Group, Host, OpenError, Placement, Setup, UserReads, pmu_type,
};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub inherit: bool,
    pub delayed: bool,
    /// True if hardware events are pinned, so that they do not take turns.
    pub never_shared: bool,
    /// True if the boxes of an event have one value together.
    pub merge_boxes: bool,
    pub user_reads: UserReads,
    pub node_events: NodeEvents,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            inherit: true,
            delayed: false,
            never_shared: false,
            merge_boxes: true,
            user_reads: UserReads::default(),
            node_events: NodeEvents::default(),
        }
    }
}

/// The open events, with what a report of their counts needs.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub schedule: Schedule,
    /// The outcome of each native event.
    pub outcomes: Vec<Outcome>,
    pub parts: Arc<[Part]>,
    /// The machine values that formulas need, by their usual names.
    pub values: BTreeMap<&'static str, Result<MachineValue, Reason>>,
    pub host: Host,
    /// The facts about each source.
    pub beside: Vec<Beside>,
}

/// The facts about a source that is read beside the events.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    /// The differences of its target from that of the events.
    pub notes: Vec<Note>,
    /// True if it counts for the whole node, and another process of the node counts it.
    pub is_elsewhere: bool,
    /// True if it is a counter, which has a number of its own.
    pub is_counter: bool,
    /// The CPUs of which it has values; `None` if it has one for all.
    pub cpus: Option<CpuSet>,
}

/// The facts about the sources of a schedule, for a target.
fn beside(schedule: &Schedule, host: &Host, target: &Target, choice: NodeEvents) -> Vec<Beside> {
    let of = |source: &Source| Beside {
        notes: {
            let is_everywhere = choice == NodeEvents::Everywhere && source.is_of_machine();
            source.note(target).into_iter().chain(is_everywhere.then_some(Note::OfNode)).collect()
        },
        is_elsewhere: choice == NodeEvents::Elsewhere && source.is_of_machine(),
        is_counter: source.is_counter(),
        cpus: source.cpus(host).map(|cpus| match target {
            Target::Cpus(own) => cpus.intersection(own),
            _ => cpus,
        }),
    };
    schedule.sources.iter().map(of).collect()
}

impl Opened {
    /// The result for a target without a placement: no event is open.
    pub(crate) fn nothing(schedule: Schedule, host: &Host) -> Opened {
        let outcomes = vec![Outcome::default(); schedule.natives.len()];
        let values = BTreeMap::new();
        let beside = beside(&schedule, host, &Target::ThisThread, NodeEvents::OfTarget);
        Opened { schedule, outcomes, parts: [].into(), values, host: host.clone(), beside }
    }

    /// The error of the first requested event that could not be opened.
    pub(crate) fn failure(&self) -> Option<Error> {
        self.schedule.metrics.iter().find_map(|metric| {
            let failure = |native: usize| {
                self.outcomes[native].failure.clone().filter(|reason| !reason.is_elsewhere())
            };
            let reason = match &metric.rule {
                Rule::Unavailable(reason) => Some(reason.clone()),
                Rule::Native(_) | Rule::Box { .. } | Rule::Derived { .. } | Rule::Source(_) => {
                    metric.natives().find_map(failure)
                }
            };
            Some(Error::from(CountError::Uncountable {
                event: metric.event.to_string(),
                reason: reason?,
            }))
        })
    }
}

/// The outcome of opening an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// The reason why it could not be opened at one placement at least: a sum without it would not be the total.
    pub failure: Option<Reason>,
    pub notes: Vec<Note>,
}

/// A count of one event at one placement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub native: usize,
    /// The index of the box among those of the event.
    pub number: usize,
    /// True if the value is a state at the time of the read instead of an amount.
    pub snapshot: bool,
    pub cpu: Option<u32>,
    pub thread: Option<u32>,
    pub cgroup: Option<u32>,
}

/// An open group; the counts of its events are the parts from `first_part` on.
pub(crate) struct OpenGroup {
    pub group: Group,
    /// True if it counts the target, and not packages beside it.
    pub is_of_target: bool,
    pub first_part: usize,
}

/// Opens all events without starting them.
pub(crate) fn open(
    host: &Host,
    schedule: Schedule,
    target: &Target,
    options: Options,
) -> Result<(Opened, Vec<OpenGroup>), Error> {
    let placements = target.placements(host)?;
    if target.is_cpu_wide() {
        check_cores(&schedule, &placements)?;
    }
    let mut opener = Opener {
        host,
        target,
        setup: setup(target, options),
        options,
        outcomes: vec![Outcome::default(); schedule.natives.len()],
        parts: Vec::new(),
        groups: Vec::new(),
    };
    for index in &schedule.split {
        Note::PlanSplit.join(&mut opener.outcomes[*index].notes);
    }
    for (index, reason) in &schedule.conflicting {
        opener.outcomes[*index].failure = Some(reason.clone());
    }
    for group in &schedule.groups {
        if group.origin == GroupOrigin::SplitBraces {
            for index in &group.members {
                Note::Split.join(&mut opener.outcomes[*index].notes);
            }
        }
        // In braces, the first event has the modifier; a planned group was not requested by the user.
        let is_weak = group.members.iter().any(|index| schedule.natives[*index].weak)
            || matches!(group.origin, GroupOrigin::Ungrouped | GroupOrigin::Planned);
        opener.group(&schedule.natives, &group.members, is_weak, &placements)?;
    }
    opener.count_open_files(&schedule.natives, &placements);
    let Opener { outcomes, parts, groups, .. } = opener;
    let names = schedule.metrics.iter().flat_map(|metric| metric.machine_values());
    let values = names.map(|name| (name, machine_values::find(host, name, target))).collect();
    let beside = beside(&schedule, host, target, options.node_events);
    let parts = parts.into();
    let opened = Opened { schedule, outcomes, parts, values, host: host.clone(), beside };
    Ok((opened, groups))
}

/// Returns true if counting begins when a held command is executed.
pub(crate) fn begins_on_exec(target: &Target, options: Options) -> bool {
    matches!(target, Target::Command(_)) && !options.delayed
}

pub(crate) fn setup(target: &Target, options: Options) -> Setup {
    Setup {
        inherit: options.inherit && !target.is_cpu_wide(),
        enable_on_exec: begins_on_exec(target, options),
        // All events start together once they are open.
        disabled: true,
        user_reads: options.user_reads,
    }
}

struct Opener<'a> {
    host: &'a Host,
    target: &'a Target,
    setup: Setup,
    options: Options,
    outcomes: Vec<Outcome>,
    parts: Vec<Part>,
    groups: Vec<OpenGroup>,
}

impl Opener<'_> {
    /// Opens a group at every placement, and on every box of its PMU.
    fn group(
        &mut self,
        natives: &[Native],
        members: &[usize],
        weak: bool,
        placements: &[TargetPlacement],
    ) -> Result<(), Error> {
        let beside;
        let placements = match self.node_events(natives, members) {
            NodeEvents::OfTarget => placements,
            NodeEvents::Elsewhere => {
                for index in members {
                    self.outcomes[*index].failure.get_or_insert(Reason::CountedElsewhere);
                }
                return Ok(());
            }
            NodeEvents::Here | NodeEvents::Everywhere if self.target.is_cpu_wide() => placements,
            NodeEvents::Here | NodeEvents::Everywhere => {
                beside = Target::AllCpus.placements(self.host)?;
                &beside
            }
        };
        for index in members {
            check_cpus(&natives[*index], placements)?;
        }
        let boxes = members.iter().map(|index| natives[*index].boxes.len()).max().unwrap_or(0);
        for number in 0..boxes {
            for placement in placements_of(natives, members, number, placements) {
                let mut open = self.begin(&placement);
                let mut split = Vec::new();
                for index in members.iter().copied() {
                    let Some(PmuBox { attr, .. }) = natives[index].boxes.get(number) else {
                        continue;
                    };
                    let of = (index, number);
                    match self.member(&mut open, &natives[index], of, attr, &placement) {
                        Err(reason) if weak && is(&reason, &Cause::GroupDoesNotFit) => {
                            Note::Split.join(&mut self.outcomes[index].notes);
                            split.push((index, attr));
                        }
                        result => self.note_failure(index, result),
                    }
                }
                self.keep(open);
                for (index, attr) in split {
                    let mut open = self.begin(&placement);
                    let of = (index, number);
                    let result = self.member(&mut open, &natives[index], of, attr, &placement);
                    self.note_failure(index, result);
                    self.keep(open);
                }
            }
        }
        Ok(())
    }

    /// A group at a placement, without an event yet.
    fn begin(&self, placement: &TargetPlacement) -> OpenGroup {
        let is_of_target = placement.cpu.is_none() || self.target.is_cpu_wide();
        let setup = if is_of_target {
            self.setup
        } else {
            Setup { inherit: false, enable_on_exec: false, ..self.setup }
        };
        let group = self.host.group(placement.placement.clone(), setup);
        OpenGroup { group, is_of_target, first_part: self.parts.len() }
    }

    fn keep(&mut self, open: OpenGroup) {
        if !open.group.is_empty() {
            self.groups.push(open);
        }
    }

    /// The process that counts the events of a group: as those of the target, unless they are of the node.
    fn node_events(&mut self, natives: &[Native], members: &[usize]) -> NodeEvents {
        let is_of_packages = || members.iter().all(|index| natives[*index].is_of_packages());
        if !self.target.is_cpu_wide() && !is_of_packages() {
            return NodeEvents::OfTarget;
        }
        if self.options.node_events == NodeEvents::Everywhere {
            for index in members {
                Note::OfNode.join(&mut self.outcomes[*index].notes);
            }
        }
        self.options.node_events
    }

    /// Opens one box of an event into a group.
    fn member(
        &mut self,
        open: &mut OpenGroup,
        native: &Native,
        (index, number): (usize, usize),
        attr: &Attr,
        placement: &TargetPlacement,
    ) -> Result<(), Reason> {
        if self.outcomes[index].failure.is_some() {
            return Ok(());
        }
        let leads = open.group.is_empty();
        let pinned = self.options.never_shared && leads && !native.is_software();
        let attr = &Attr { pinned: attr.pinned || pinned, ..attr.clone() };
        if let Err(error) = open.group.add(attr) {
            let note = self.with_fewer_levels(open, native, attr, &placement.placement, error)?;
            note.join(&mut self.outcomes[index].notes);
        }
        let snapshot = native.snapshot;
        self.parts.push(Part {
            native: index,
            number,
            snapshot,
            cpu: placement.cpu,
            thread: placement.thread,
            cgroup: placement.cgroup,
        });
        Ok(())
    }

    /// Adds the number of files that all events need to the outcome of those that reached the limit of open files.
    fn count_open_files(&mut self, natives: &[Native], placements: &[TargetPlacement]) {
        for outcome in &mut self.outcomes {
            let Some(Reason::NotOpened(OpenError {
                cause: Cause::TooManyOpenFiles { limit }, ..
            })) = outcome.failure
            else {
                continue;
            };
            let all = (0..natives.len()).flat_map(|event| {
                (0..natives[event].boxes.len())
                    .map(move |number| placements_of(natives, &[event], number, placements))
            });
            let needed = all.map(|placements| placements.len()).sum();
            outcome.failure = Some(Reason::TooManyOpenFiles { needed, limit });
        }
    }

    fn note_failure(&mut self, index: usize, result: Result<(), Reason>) {
        let Err(reason) = result else { return };
        // A thread may end after it was listed and before it is opened.
        let has_ended = matches!(self.target, Target::Processes(_) | Target::User(_))
            && is(&reason, &Cause::NoSuchProcess);
        if !has_ended {
            self.outcomes[index].failure.get_or_insert(reason);
        }
    }

    /// Opens an event at other privilege levels than requested, if its count is still meaningful.
    fn with_fewer_levels(
        &self,
        open: &mut OpenGroup,
        native: &Native,
        attr: &Attr,
        placement: &Placement,
        error: OpenError,
    ) -> Result<Note, Reason> {
        match error.cause {
            Cause::ExcludeUnsupported => {
                let every_level = Attr { exclude: Exclude::default(), ..attr.clone() };
                let opened = open.group.add(&every_level);
                opened.map(|_| Note::EveryLevel).map_err(|second| more_specific(error, second))
            }
            Cause::Permission { .. }
                if counts_every_level(attr) && attr.kind != pmu_type::TRACEPOINT =>
            {
                let user_only = attr.user_only();
                if !native.kernel_only {
                    let opened = open.group.add(&user_only);
                    return opened
                        .map(|_| Note::UserOnly)
                        .map_err(|second| more_specific(error, second));
                }
                Err(match self.host.probe(&user_only, placement) {
                    Ok(()) => Reason::KernelOnly,
                    Err(second) => more_specific(error, second),
                })
            }
            _ => Err(Reason::NotOpened(error)),
        }
    }
}

/// Checks that the PMU of the event counts at one of the placements.
fn check_cpus(native: &Native, placements: &[TargetPlacement]) -> Result<(), Error> {
    let masks: Option<Vec<_>> = native.boxes.iter().map(|b| b.cpumask.as_ref()).collect();
    let Some(masks) = masks else { return Ok(()) };
    if placements.iter().all(|placement| placement.cpu.is_none()) {
        return Err(Error::from(CountError::NeedsCpus { event: native.id.to_string() }));
    }
    among(placements, &native.id.to_string(), masks)
}

/// Checks that the cores of each requested event are among the placements; for several kinds of cores, one suffices.
fn check_cores(schedule: &Schedule, placements: &[TargetPlacement]) -> Result<(), Error> {
    for event in schedule.metrics.chunk_by(|a, b| a.event == b.event) {
        let natives = event.iter().filter_map(Metric::native);
        let boxes = natives.flat_map(|native| &schedule.natives[native].boxes);
        let cpus: Option<Vec<_>> = boxes.map(|b| b.cpus.as_ref()).collect();
        if let Some(cpus) = cpus.filter(|cpus| !cpus.is_empty()) {
            among(placements, &event[0].event, cpus)?;
        }
    }
    Ok(())
}

/// Checks that one of the placements is on these CPUs.
fn among(placements: &[TargetPlacement], event: &str, cpus: Vec<&CpuSet>) -> Result<(), Error> {
    let all: CpuSet = cpus.into_iter().flat_map(CpuSet::iter).collect();
    if placements.iter().any(|placement| placement.cpu.is_some_and(|cpu| all.contains(cpu))) {
        Ok(())
    } else {
        Err(Error::from(CountError::WrongCpus { event: event.to_string(), cpus: all }))
    }
}

/// The placements at which box number `number` of the members can be opened.
fn placements_of(
    natives: &[Native],
    members: &[usize],
    number: usize,
    placements: &[TargetPlacement],
) -> Vec<TargetPlacement> {
    let boxes: Vec<_> =
        members.iter().filter_map(|index| natives[*index].boxes.get(number)).collect();
    let has = |set: &Option<CpuSet>, cpu: u32| set.as_ref().is_none_or(|set| set.contains(cpu));
    let is_for_all = |placement: &&TargetPlacement| {
        placement
            .cpu
            .is_none_or(|cpu| boxes.iter().all(|b| has(&b.cpumask, cpu) && has(&b.cpus, cpu)))
    };
    placements.iter().filter(is_for_all).cloned().collect()
}

/// Selects the more specific of the open errors of a request and of its retry at other levels.
fn more_specific(first: OpenError, second: OpenError) -> Reason {
    // For an unprivileged user, the error about the kernel precedes all others; the second error may be due to excluding the kernel.
    let of_levels = matches!(
        second.cause,
        Cause::Permission { .. }
            | Cause::Blocked { .. }
            | Cause::ExcludeUnsupported
            | Cause::InvalidEvent
    );
    Reason::NotOpened(if of_levels { first } else { second })
}

fn is(reason: &Reason, cause: &Cause) -> bool {
    matches!(reason, Reason::NotOpened(error) if error.cause == *cause)
}
