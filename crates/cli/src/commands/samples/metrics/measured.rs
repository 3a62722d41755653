//! The metrics of the functions, lines and stacks of a recording.

use super::asked::Asked;
use super::bound::{Bound, bound, is_everywhere, is_of_levels};
use super::place::{At, Function, Line, Places};
use super::tally::Tally;
use crate::commands::samples::About;
use crate::failure::Failure;
use counterpoint::perf::Fields;
use counterpoint::perf::records::Record;
use counterpoint::symbols::Binaries;
use counterpoint_recording::file::Event;
use counterpoint_recording::{Growth, LocatedSample, Remark, Samples};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::ControlFlow;

/// The metrics of a recording.
pub struct Measured<'a> {
    pub metrics: &'a [Asked],
    /// The groups of events whose counts are in samples, as far as they have a metric.
    pub groups: Vec<Group<'a>>,
    pub functions: Vec<Function>,
    pub lines: Vec<Line>,
    /// The numbers of functions, the innermost first.
    pub stacks: Vec<Vec<u32>>,
    /// The source files that may be shown.
    pub sources: BTreeSet<String>,
    /// Samples have call stacks.
    pub has_stacks: bool,
    pub lost: u64,
    pub remarks: Vec<Remark>,
}

/// Events that are counted together.
pub struct Group<'a> {
    /// The event that is sampled.
    pub sampled: String,
    /// It occurs wherever the program runs.
    pub is_everywhere: bool,
    /// What is counted occurs at the privilege levels of the samples alone.
    pub is_of_levels: bool,
    /// Those that are counted, in the order of the counts.
    pub events: Vec<String>,
    pub metrics: Vec<Bound<'a>>,
    pub all: Tally,
    pub by_function: Vec<Tally>,
    /// Of functions with what they called, if there are call stacks.
    pub with_called: Vec<Tally>,
    pub by_line: Vec<Tally>,
    pub by_stack: Vec<Tally>,
    /// The first samples of streams, whose counts are those of a time without samples, and are left out.
    pub left_out: u64,
}

impl<'a> Measured<'a> {
    /// Reads the file, which errors call `name`.
    pub fn read(
        mut samples: Samples,
        name: &str,
        metrics: &'a [Asked],
        about: &About<'_>,
        binaries: &Binaries,
    ) -> Result<Measured<'a>, Failure> {
        let failed = |error: &dyn Display| Failure::new(format!("{name}: {error}"));
        let (events, names) = (samples.attributes().to_vec(), samples.events().to_vec());
        if !events.iter().any(has_counts) {
            let text = format!("{name}: its samples have no counts of other events");
            return Err(Failure::new(text).help(RECORD));
        }
        let filters = about.filters.filters();
        filters.check(&names).map_err(|error| failed(&error))?;
        let mut lost = 0;
        samples
            .records(|record| match record {
                Record::Lost { lost: count, .. } | Record::LostSamples { lost: count } => {
                    lost += count;
                }
                _ => {}
            })
            .map_err(|error| failed(&error))?;
        let has_stacks = events.iter().any(has_stack);
        let places = Places::new(samples.symbols(binaries));
        let groups = names.iter().map(|_| None).collect();
        let mut taking = Taking { metrics, events, names, places, groups, last: Vec::new() };
        let (mut all, mut wanted) = (0, 0_u64);
        let mut remarks = samples
            .each_counted(|of| {
                all += 1;
                let is_wanted = filters.wants(&taking.names[of.event], of.sample, of.comm);
                wanted += u64::from(is_wanted);
                taking.sample(&of, is_wanted);
                ControlFlow::Continue(())
            })
            .map_err(|error| failed(&error))?;
        if wanted == 0 && all > 0 {
            remarks.push(Remark::NoneAsked(all));
        }
        let Taking { groups, places, names, .. } = taking;
        let groups: Vec<Group<'a>> = groups.into_iter().flatten().collect();
        check(metrics, &groups, &names, name)?;
        let is_measured = |group: &Group<'_>| !group.metrics.is_empty();
        let groups = groups.into_iter().filter(is_measured).map(Group::with_sums).collect();
        let sources = places.sources();
        let (functions, lines) = (places.functions.values, places.lines.values);
        Ok(Measured {
            metrics,
            groups,
            functions,
            lines,
            stacks: places.stacks.values,
            sources,
            has_stacks,
            lost,
            remarks,
        })
    }
}

const RECORD: &str =
    "record with counterpoint record -M METRIC, or perf record -e '{task-clock,EVENT,…}:S'";

fn has_counts(event: &Event) -> bool {
    event.sample_type() & Fields::READ.bits() != 0
}

fn has_stack(event: &Event) -> bool {
    event.sample_type() & (Fields::CALLCHAIN | Fields::STACK_USER).bits() != 0
}

/// Refuses a file whose samples have the events of no metric.
fn check(
    metrics: &[Asked],
    groups: &[Group<'_>],
    names: &[String],
    name: &str,
) -> Result<(), Failure> {
    if groups.is_empty() || groups.iter().any(|group| !group.metrics.is_empty()) {
        return Ok(());
    }
    let wanted: Vec<&str> = metrics.iter().map(|of| of.name.as_str()).collect();
    let needs = metrics.iter().filter_map(|of| of.as_written.as_ref().or(of.here.as_ref().ok()));
    let terms = needs.flat_map(|needs| &needs.terms).map(|term| term.name.as_str());
    let terms: Vec<&str> = terms.collect();
    let text = format!(
        "{name}: no samples have the events of {} together ({}); the events are {}",
        wanted.join(", "),
        terms.join(", "),
        names.join(", ")
    );
    Err(Failure::new(text).help(RECORD))
}

/// What is made of the samples.
struct Taking<'a, 'b> {
    metrics: &'a [Asked],
    events: Vec<Event>,
    names: Vec<String>,
    places: Places<'b>,
    /// By the event that is sampled.
    groups: Vec<Option<Group<'a>>>,
    /// By stream: where its last sample was, and the one before it.
    last: Vec<[Option<At>; 2]>,
}

impl<'a> Taking<'a, '_> {
    fn sample(&mut self, of: &LocatedSample<'_>, is_wanted: bool) {
        let Some(growth) = of.growth else { return };
        let at = self.places.of(of);
        if self.last.len() <= growth.stream {
            self.last.resize(growth.stream + 1, [None; 2]);
        }
        let last = &mut self.last[growth.stream];
        if growth.is_first {
            *last = [None; 2];
        }
        let before = *last;
        *last = [Some(at), before[0]];
        if self.groups[of.event].is_none() {
            self.groups[of.event] = Some(self.group(of.event, growth));
        }
        let is_cut = growth.is_first && self.events[of.event].is_overwritten();
        if let Some(group) = self.groups[of.event].as_mut().filter(|_| is_wanted) {
            let counts: Vec<u64> = growth.counts.iter().map(|(_, count)| *count).collect();
            group.left_out += u64::from(is_cut);
            // On a CPU, another thread may have run before.
            let before = before.map(|of| of.filter(|of| of.tid == at.tid));
            let counts = (!is_cut).then_some(&*counts);
            group.add(at, before, counts);
            group.add_with_called(&self.places, at, before, counts);
        }
    }

    fn group(&self, sampled: usize, growth: &Growth) -> Group<'a> {
        let counted = growth.counts.iter().map(|(event, _)| *event);
        let events: Vec<(&str, &Event)> =
            counted.map(|event| (self.names[event].as_str(), &self.events[event])).collect();
        Group {
            sampled: self.names[sampled].clone(),
            is_everywhere: is_everywhere(&self.events[sampled], &self.names[sampled]),
            is_of_levels: events.iter().all(|(_, of)| is_of_levels(of, &self.events[sampled])),
            events: events.iter().map(|(name, _)| (*name).to_string()).collect(),
            metrics: bound(self.metrics, &events),
            all: Tally::default(),
            by_function: Vec::new(),
            with_called: Vec::new(),
            by_line: Vec::new(),
            by_stack: Vec::new(),
            left_out: 0,
        }
    }
}

impl Group<'_> {
    /// Says of each metric whether it adds up, when everything is counted.
    fn with_sums(mut self) -> Self {
        for metric in &mut self.metrics {
            metric.is_sum = self.all.is_sum(metric);
        }
        self
    }

    fn add(&mut self, at: At, before: [Option<At>; 2], counts: Option<&[u64]>) {
        let is = |same: &dyn Fn(&At) -> bool| before.map(|of| of.as_ref().is_some_and(same));
        self.all.add(counts, is(&|_| true));
        let function = is(&|of| of.function == at.function);
        tally(&mut self.by_function, at.function).add(counts, function);
        tally(&mut self.by_stack, at.stack).add(counts, is(&|of| of.stack == at.stack));
        if let Some(line) = at.line {
            tally(&mut self.by_line, line).add(counts, is(&|of| of.line == at.line));
        }
    }

    /// Adds to the functions of a stack, each once.
    fn add_with_called(
        &mut self,
        places: &Places<'_>,
        at: At,
        before: [Option<At>; 2],
        counts: Option<&[u64]>,
    ) {
        let members = |stack: u32| places.members(stack);
        for function in members(at.stack) {
            let had = |of: Option<At>| {
                of.is_some_and(|of| members(of.stack).binary_search(function).is_ok())
            };
            tally(&mut self.with_called, *function).add(counts, before.map(had));
        }
    }
}

fn tally(tallies: &mut Vec<Tally>, number: u32) -> &mut Tally {
    let number = number as usize;
    if tallies.len() <= number {
        tallies.resize(number + 1, Tally::default());
    }
    &mut tallies[number]
}
