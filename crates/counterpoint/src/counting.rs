//! Open events: opened group by group at every spot, read as one snapshot.

use crate::resolved::Metric;
use crate::target::Spot;
use crate::{Error, Machine, Native, PmuBox, Reading, Reason, Report, Resolved, Split, Target};
use counterpoint_perf::{
    Attr, Cause, Count, CpuSet, Exclude, Group, Host, OpenError, Placement, Setup, pmu_type,
};
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub inherit: bool,
    pub delayed: bool,
}

/// Events that are open and count.
pub struct Counting {
    pub(crate) resolved: Resolved,
    pub(crate) states: Vec<State>,
    pub(crate) parts: Arc<[Part]>,
    pub(crate) clock_rate: Option<f64>,
    groups: Vec<OpenGroup>,
    pub(crate) host: Host,
    base: Option<Reading>,
}

/// What became of an event when it was opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Why it could not be opened at one place at least; a sum that lacks a place is no number for the whole.
    pub refused: Option<Reason>,
    pub note: Option<Note>,
}

/// How an event is counted otherwise than asked for, so that it is counted at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// In user space only: this user may not count the kernel.
    UserOnly,
    /// At every privilege level: its PMU does not tell them apart.
    EveryLevel,
    /// Apart from its group, into which it did not fit.
    Alone,
    /// A preset, by an event of the kernel: no table says how this processor counts it.
    Generic,
    /// Without the children and threads that started later: this kernel does not give their values with samples.
    NoChildren,
}

impl Note {
    /// What it means, as a sentence without its end.
    pub fn text(self) -> &'static str {
        match self {
            Note::UserOnly => "counted in user space only, as this user may not count the kernel",
            Note::EveryLevel => {
                "counted at every privilege level, as its PMU does not tell them apart"
            }
            Note::NoChildren => {
                "without children and threads that started later, whose values this kernel does not give with samples"
            }
            Note::Alone => "counted apart from its group, into which it did not fit",
            Note::Generic => {
                "counted by the kernel's own event, as no table says how this processor counts it"
            }
        }
    }
}

/// A count of one event at one spot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub native: usize,
    /// A state at the time of reading, not an amount.
    pub snapshot: bool,
    pub cpu: Option<u32>,
    pub thread: Option<u32>,
}

struct OpenGroup {
    group: Group,
    first_part: usize,
}

impl Counting {
    pub(crate) fn open(
        machine: &Machine,
        resolved: Resolved,
        target: &Target,
        options: Options,
    ) -> Result<Counting, Error> {
        let host = machine.host();
        let spots = target.spots(host)?;
        if target.is_cpu_wide() {
            check_cores(&resolved, &spots)?;
        }
        let setup = setup(target, options);
        let needs_rate = resolved.metrics.iter().any(|metric| metric.needs_clock_rate());
        let mut opener = Opener {
            host,
            target,
            setup,
            states: vec![State::default(); resolved.natives.len()],
            parts: Vec::new(),
            groups: Vec::new(),
        };
        for index in &resolved.apart {
            opener.states[*index].note = Some(Note::Alone);
        }
        for members in &resolved.groups {
            opener.group(&resolved.natives, members, &spots)?;
        }
        opener.count_open_files(&resolved, &spots);
        let Opener { states, parts, groups, .. } = opener;
        let clock_rate = if needs_rate { host.max_mhz().map(|mhz| mhz * 1e6) } else { None };
        let mut counting = Counting {
            resolved,
            states,
            parts: parts.into(),
            clock_rate,
            groups,
            host: host.clone(),
            base: None,
        };
        if !options.delayed && !setup.enable_on_exec {
            counting.start()?;
        }
        Ok(counting)
    }

    /// Whether at least one event is open.
    pub fn is_any_open(&self) -> bool {
        !self.parts.is_empty()
    }

    /// How many counters are open, over all events and places.
    pub fn open_count(&self) -> usize {
        self.parts.len()
    }

    /// Starts or goes on counting.
    #[doc(alias = "PAPI_start")]
    pub fn start(&mut self) -> Result<(), Error> {
        self.groups
            .iter_mut()
            .try_for_each(|open| open.group.enable())
            .map_err(|e| Error::kernel("start counting", e))
    }

    /// Stops; the counts stay and can be read.
    #[doc(alias = "PAPI_stop")]
    pub fn stop(&mut self) -> Result<(), Error> {
        self.groups
            .iter_mut()
            .try_for_each(|open| open.group.disable())
            .map_err(|e| Error::kernel("stop counting", e))
    }

    /// Lets later reads begin at zero.
    ///
    /// The kernel's own reset forgets neither children that have ended nor the times, so the zero is kept here.
    #[doc(alias = "PAPI_reset")]
    pub fn reset(&mut self) -> Result<(), Error> {
        self.base = None;
        self.base = Some(self.reading()?);
        Ok(())
    }

    /// The values since the start, or since [`Counting::reset`], one row an event.
    #[doc(alias = "PAPI_read")]
    pub fn read(&mut self) -> Result<Report, Error> {
        let reading = self.reading()?;
        Ok(self.report(&reading, &Split::Total))
    }

    /// A snapshot of all counters, for differences and for other ways to add up.
    pub fn reading(&mut self) -> Result<Reading, Error> {
        let mut counts = vec![Count::default(); self.parts.len()];
        let mut lost = Vec::new();
        for OpenGroup { group, first_part } in &mut self.groups {
            let end = *first_part + group.len();
            group
                .read_into(&mut counts[*first_part..end])
                .map_err(|e| Error::kernel("read counters", e))?;
            lost.extend(
                (*first_part..end).filter(|part| group.has_lost_counter(part - *first_part)),
            );
        }
        let reading = Reading { counts, parts: self.parts.clone(), lost };
        Ok(match &self.base {
            Some(base) => reading.since(base),
            None => reading,
        })
    }

    /// What a snapshot, or the difference of two, comes to.
    pub fn report(&self, reading: &Reading, split: &Split) -> Report {
        Report::new(self, &[reading], split, &self.host)
    }

    /// The mean over several runs of the same events, with its deviation; formulas are computed from the mean counts.
    pub fn report_runs(&self, runs: &[Reading], split: &Split) -> Report {
        Report::new(self, &runs.iter().collect::<Vec<_>>(), split, &self.host)
    }
}

pub(crate) fn setup(target: &Target, options: Options) -> Setup {
    let on_exec = matches!(target, Target::Command(_)) && !options.delayed;
    Setup {
        inherit: options.inherit && !target.is_cpu_wide(),
        enable_on_exec: on_exec,
        // All start together when all are open.
        disabled: true,
    }
}

struct Opener<'a> {
    host: &'a Host,
    target: &'a Target,
    setup: Setup,
    states: Vec<State>,
    parts: Vec<Part>,
    groups: Vec<OpenGroup>,
}

impl Opener<'_> {
    /// Opens a group at every spot, and on every box of its PMU.
    fn group(
        &mut self,
        natives: &[Native],
        members: &[usize],
        spots: &[Spot],
    ) -> Result<(), Error> {
        for index in members {
            self.check_cpus(&natives[*index], spots)?;
        }
        // Of a group in braces the first event holds the modifier.
        let weak = members.iter().any(|index| natives[*index].weak);
        let boxes = members.iter().map(|index| natives[*index].boxes.len()).max().unwrap_or(0);
        for place in 0..boxes {
            for spot in spots_of(natives, members, place, spots) {
                let mut open = OpenGroup::new(self.host, &spot, self.setup, self.parts.len());
                let mut apart = Vec::new();
                for index in members.iter().copied() {
                    let Some(PmuBox { attr, .. }) = natives[index].boxes.get(place) else {
                        continue;
                    };
                    match self.member(&mut open, &natives[index], index, attr, &spot) {
                        Err(reason) if weak && is(&reason, &Cause::GroupDoesNotFit) => {
                            self.states[index].note = Some(Note::Alone);
                            apart.push((index, attr));
                        }
                        result => self.note_refusal(index, result),
                    }
                }
                self.keep(open);
                for (index, attr) in apart {
                    let mut open = OpenGroup::new(self.host, &spot, self.setup, self.parts.len());
                    let result = self.member(&mut open, &natives[index], index, attr, &spot);
                    self.note_refusal(index, result);
                    self.keep(open);
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, open: OpenGroup) {
        if !open.group.is_empty() {
            self.groups.push(open);
        }
    }

    /// Whether any of the spots is one that the event's PMU counts at.
    fn check_cpus(&self, native: &Native, spots: &[Spot]) -> Result<(), Error> {
        let masks: Option<Vec<_>> = native.boxes.iter().map(|b| b.cpumask.as_ref()).collect();
        let Some(masks) = masks else { return Ok(()) };
        if !self.target.is_cpu_wide() {
            return Err(Error::needs_cpus(&native.canonical));
        }
        among(spots, &native.canonical, masks)
    }

    /// Opens one event into a group.
    fn member(
        &mut self,
        open: &mut OpenGroup,
        native: &Native,
        index: usize,
        attr: &Attr,
        spot: &Spot,
    ) -> Result<(), Reason> {
        if self.states[index].refused.is_some() {
            return Ok(());
        }
        if let Err(error) = open.group.add(attr) {
            let note = self.otherwise(open, native, attr, &spot.placement, error)?;
            self.states[index].note = Some(note);
        }
        let snapshot = native.snapshot;
        self.parts.push(Part { native: index, snapshot, cpu: spot.cpu, thread: spot.thread });
        Ok(())
    }

    /// Says of events that met the limit of open files how many all of them need.
    fn count_open_files(&mut self, resolved: &Resolved, spots: &[Spot]) {
        let natives = &resolved.natives;
        for state in &mut self.states {
            let Some(Reason::Refused(OpenError {
                cause: Cause::TooManyOpenFiles { limit }, ..
            })) = state.refused
            else {
                continue;
            };
            let places = (0..natives.len()).flat_map(|event| {
                (0..natives[event].boxes.len())
                    .map(move |place| spots_of(natives, &[event], place, spots))
            });
            let needed = places.map(|spots| spots.len()).sum();
            state.refused = Some(Reason::TooManyOpenFiles { needed, limit });
        }
    }

    fn note_refusal(&mut self, index: usize, result: Result<(), Reason>) {
        let Err(reason) = result else { return };
        // A thread may end between being listed and being opened.
        let gone =
            matches!(self.target, Target::Processes(_)) && is(&reason, &Cause::NoSuchProcess);
        if !gone {
            self.states[index].refused.get_or_insert(reason);
        }
    }

    /// Opens with less than was asked for, where that still means something.
    fn otherwise(
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
                opened.map(|_| Note::EveryLevel).map_err(|second| telling(error, second))
            }
            Cause::Permission { .. }
                if counts_every_level(attr) && attr.kind != pmu_type::TRACEPOINT =>
            {
                let user_only = attr.user_only();
                if !native.kernel_only {
                    let opened = open.group.add(&user_only);
                    return opened.map(|_| Note::UserOnly).map_err(|second| telling(error, second));
                }
                Err(match self.host.probe(&user_only, placement) {
                    Ok(()) => Reason::KernelOnly,
                    Err(second) => telling(error, second),
                })
            }
            _ => Err(Reason::Refused(error)),
        }
    }
}

/// Whether each event that was asked for is one of cores that are counted; of several kinds one is enough.
fn check_cores(resolved: &Resolved, spots: &[Spot]) -> Result<(), Error> {
    for event in resolved.metrics.chunk_by(|a, b| a.event == b.event) {
        let natives = event.iter().filter_map(Metric::native);
        let boxes = natives.flat_map(|native| &resolved.natives[native].boxes);
        let cpus: Option<Vec<_>> = boxes.map(|b| b.cpus.as_ref()).collect();
        if let Some(cpus) = cpus.filter(|cpus| !cpus.is_empty()) {
            among(spots, &event[0].event, cpus)?;
        }
    }
    Ok(())
}

/// Whether the event is counted at one of the spots at least.
fn among(spots: &[Spot], event: &str, cpus: Vec<&CpuSet>) -> Result<(), Error> {
    let all: CpuSet = cpus.into_iter().flat_map(CpuSet::iter).collect();
    if spots.iter().any(|spot| spot.cpu.is_some_and(|cpu| all.contains(cpu))) {
        Ok(())
    } else {
        Err(Error::wrong_cpus(event, &all))
    }
}

/// The spots at which box number `place` of the members can be opened.
fn spots_of(natives: &[Native], members: &[usize], place: usize, spots: &[Spot]) -> Vec<Spot> {
    let boxes: Vec<_> =
        members.iter().filter_map(|index| natives[*index].boxes.get(place)).collect();
    let has = |set: &Option<CpuSet>, cpu: u32| set.as_ref().is_none_or(|set| set.contains(cpu));
    let is_for_all = |spot: &&Spot| {
        spot.cpu.is_none_or(|cpu| boxes.iter().all(|b| has(&b.cpumask, cpu) && has(&b.cpus, cpu)))
    };
    spots.iter().filter(is_for_all).cloned().collect()
}

/// Whether nobody has chosen levels, so that the kernel may be left out.
fn counts_every_level(attr: &Attr) -> bool {
    let Exclude { user, kernel, hv, .. } = attr.exclude;
    !(user || kernel || hv)
}

/// Of the refusals of a request and of one that asks for other levels, the one that says more.
fn telling(first: OpenError, second: OpenError) -> Reason {
    // An unprivileged user is told that he may not count the kernel before anything else; these may come of leaving it out.
    let of_levels = matches!(
        second.cause,
        Cause::Permission { .. } | Cause::Blocked | Cause::ExcludeUnsupported | Cause::InvalidEvent
    );
    Reason::Refused(if of_levels { first } else { second })
}

fn is(reason: &Reason, cause: &Cause) -> bool {
    matches!(reason, Reason::Refused(error) if error.cause == *cause)
}

impl OpenGroup {
    fn new(host: &Host, spot: &Spot, setup: Setup, first_part: usize) -> OpenGroup {
        OpenGroup { group: host.group(spot.placement.clone(), setup), first_part }
    }
}
