//! What a recording says of accesses to data, with the names of the data and of the code.

use super::allocations::{Sites, is_probe};
use crate::commands::samples::About;
use crate::commands::samples::frames::Frames;
use crate::failure::Failure;
use counterpoint::memory::{
    Access, Accesses, Key, Line, MappingRecords, Nodes, Object, Objects, Page, SharedLines, Sums,
};
use counterpoint::perf::records::{Record, Sample};
use counterpoint::perf::{CpuSet, Fields};
use counterpoint::profil::Stacks;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::Module;
use counterpoint::symbols::Binaries;
use counterpoint_recording::file::{Event, Facts};
use counterpoint_recording::{Filters, LocatedSample, ReadError, Remark, Samples};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// The size of the lines of most caches, in bytes.
const LINE: u64 = 64;
/// More CPUs than Linux knows, of which each is of one node.
const MOST_CPUS: usize = 1 << 16;

/// The accesses to data of a recording.
pub struct Measured {
    /// The events of the accesses.
    pub events: Vec<String>,
    /// All events of the recording.
    pub all_events: Vec<String>,
    pub sums: Vec<(Key, Sums)>,
    pub all: Sums,
    pub pages: Vec<Page>,
    /// The lines that threads share, if they were asked for.
    pub lines: Vec<Line>,
    pub line_bytes: u64,
    /// The machine has several nodes of memory.
    pub has_nodes: bool,
    pub objects: Vec<Object>,
    /// The number of the object of each line, and the place in it.
    pub of_lines: Vec<(usize, u64)>,
    /// Several processes have accesses.
    pub has_processes: bool,
    /// The names of threads.
    pub threads: BTreeMap<u32, String>,
    /// The places of the code; addresses are numbers of [`Measured::names`].
    pub stacks: Stacks,
    pub names: Vec<Vec<Symbol>>,
    pub beyond: Beyond,
    pub lost: u64,
    pub remarks: Vec<Remark>,
}

/// What there are too many of to be kept.
#[derive(Default)]
pub struct Beyond {
    pub mappings: u64,
    /// The calls and returns of allocators.
    pub allocations: u64,
    /// The accesses that are in no row, and those whose page or line was not kept.
    pub accesses: u64,
    pub pages: u64,
    pub lines: u64,
}

impl Measured {
    /// Reads the file, which errors call `name`; `has_lines` if the lines that threads share are wanted.
    pub fn read(
        mut samples: Samples,
        (name, has_lines): (&str, bool),
        about: &About<'_>,
        binaries: &Binaries,
    ) -> Result<Measured, Failure> {
        let failed = |error: ReadError| Failure::new(format!("{name}: {error}"));
        let (filters, all_events) = (about.filters.filters(), samples.events().to_vec());
        let events = events(&samples, name)?;
        filters.check(&all_events).map_err(failed)?;
        check_wanted(&all_events, &events, &filters, name)?;
        let (mappings, lost) = mappings(&mut samples).map_err(failed)?;
        let modules = (0..all_events.len()).flat_map(|event| samples.modules(event));
        let modules: Vec<Module> = modules.cloned().collect();
        let symbols = samples.symbols(binaries);
        let mut sites = Sites::new(&symbols, &samples);
        if all_events.iter().any(|name| is_probe(name)) {
            samples.first_pass(|of| sites.take(&of)).map_err(failed)?;
        }
        let (sites, allocations) = sites.finish();
        let mut beyond = Beyond { allocations: allocations.beyond, ..Beyond::default() };
        let mappings = mappings.finish(allocations);
        beyond.mappings = mappings.beyond;
        let objects = Objects::new(binaries, mappings, &modules).sites(sites);
        let mut taking = Taking::new(objects, nodes(samples.facts()), has_lines);
        let mut all = 0;
        let each = samples.each(|of| {
            all += 1;
            let is_wanted = filters.wants(&all_events[of.event], of.sample, of.comm);
            if events[of.event].is_some() && is_wanted {
                taking.sample(&of);
            }
            ControlFlow::Continue(())
        });
        let mut remarks = each.map_err(failed)?;
        if taking.accesses.all.accesses == 0 && all > 0 && about.filters.is_any() {
            remarks.push(Remark::NoneAsked(all));
        }
        let named = |(event, address): &(usize, u64)| symbols[*event].frames(*address);
        let names = taking.frames.addresses.iter().map(named).collect();
        Ok(taking.finish((events, all_events), names, beyond, (lost, remarks)))
    }

    /// Returns true if samples say whether they are loads or stores.
    pub fn has_operations(&self) -> bool {
        self.sums.iter().any(|(key, _)| key.source.operation().is_some())
    }

    /// The functions of a stack, the innermost first.
    pub fn frames(&self, stack: u32) -> impl Iterator<Item = &Symbol> {
        self.stacks.stack(stack as usize).flat_map(|frame| &self.names[frame.address as usize])
    }

    /// The innermost function of a stack.
    pub fn function(&self, stack: u32) -> Option<&Symbol> {
        self.frames(stack).next()
    }

    /// The innermost function at an address of the code.
    pub fn code(&self, number: u32) -> Option<&Symbol> {
        self.names.get(number as usize)?.first()
    }
}

/// What is made of the samples.
struct Taking<'b> {
    objects: Objects<'b>,
    frames: Frames,
    accesses: Accesses,
    nodes: Nodes,
    lines: Option<SharedLines>,
    threads: BTreeMap<u32, String>,
}

impl<'b> Taking<'b> {
    fn new(objects: Objects<'b>, nodes: Nodes, has_lines: bool) -> Taking<'b> {
        let (frames, accesses, threads) = Default::default();
        let lines = has_lines.then(|| SharedLines::new(LINE));
        Taking { objects, frames, accesses, nodes, lines, threads }
    }

    fn sample(&mut self, of: &LocatedSample<'_>) {
        let Some(access) = Access::of(of.sample) else { return };
        self.objects.learn(of.sample);
        let object = self.objects.find(&access).object;
        let stack = self.frames.stack(of);
        self.accesses.add(&access, (object, stack, of.event), &self.nodes);
        if let Some(lines) = &mut self.lines {
            let shared = self.objects.shared(&access);
            lines.add(&access, shared, self.frames.innermost());
        }
        if let Some(comm) = of.comm
            && self.threads.get(&access.tid).is_none_or(|known| known != comm)
        {
            self.threads.insert(access.tid, comm.to_string());
        }
    }

    /// The sums; `events` has those with data, and all, and `names` the functions of the code.
    fn finish(
        self,
        (with_data, all_events): (Vec<Option<String>>, Vec<String>),
        names: Vec<Vec<Symbol>>,
        beyond: Beyond,
        (lost, remarks): (u64, Vec<Remark>),
    ) -> Measured {
        let Taking { mut objects, frames, accesses, lines, threads, nodes } = self;
        let beyond = Beyond {
            accesses: accesses.beyond,
            pages: accesses.beyond_pages,
            lines: lines.as_ref().map_or(0, |lines| lines.beyond),
            ..beyond
        };
        let lines = lines.map_or(Vec::new(), SharedLines::finish);
        // An access in the middle of the recording is as good as any to find the object of a line.
        let of_lines = lines.iter().map(|line| of_line(&mut objects, line)).collect();
        let sums = accesses.sums();
        let is_there =
            |event: usize| sums.is_empty() || sums.iter().any(|(key, _)| key.event == event);
        let there = with_data.into_iter().enumerate().filter(|(event, _)| is_there(*event));
        let first = sums.first().map(|(key, _)| key.pid);
        Measured {
            events: there.filter_map(|(_, event)| event).collect(),
            all_events,
            has_processes: sums.iter().any(|(key, _)| Some(key.pid) != first),
            sums,
            all: accesses.all,
            pages: accesses.pages(),
            lines,
            line_bytes: LINE,
            has_nodes: nodes.are_several(),
            objects: objects.finish(),
            of_lines,
            threads,
            stacks: frames.stacks,
            names,
            beyond,
            lost,
            remarks,
        }
    }
}

/// What is known of memory before the samples, and the number of samples that were lost.
fn mappings(samples: &mut Samples) -> Result<(MappingRecords, u64), ReadError> {
    let (mut mappings, mut lost) = (MappingRecords::default(), 0);
    samples.records(|record| match record {
        Record::Lost { lost: count, .. } | Record::LostSamples { lost: count } => lost += count,
        record => mappings.take(record),
    })?;
    Ok((mappings, lost))
}

/// Refuses filters by which no event with data is wanted.
fn check_wanted(
    names: &[String],
    with_data: &[Option<String>],
    filters: &Filters,
    name: &str,
) -> Result<(), Failure> {
    let wanted = |name: &&String| filters.is_event(name);
    let with_data: Vec<&str> = with_data.iter().flatten().map(String::as_str).collect();
    if with_data.iter().any(|name| filters.is_event(name)) {
        return Ok(());
    }
    let asked = names.iter().find(wanted).map_or("", String::as_str);
    let text = format!("{name}: the samples of `{asked}` have no addresses of data");
    let help = format!("those of these events have: {}", with_data.join(", "));
    Err(Failure::new(text).help(help))
}

/// The nodes of the machine that was recorded.
fn nodes(facts: &Facts) -> Nodes {
    let mut left = MOST_CPUS;
    let mut cpus: Vec<(u32, CpuSet)> = Vec::new();
    for node in &facts.nodes {
        let Ok(of_node) = node.cpus.parse::<CpuSet>() else { continue };
        let Some(rest) = left.checked_sub(of_node.iter().count()) else { break };
        left = rest;
        cpus.push((node.number, of_node));
    }
    Nodes::new(&cpus, facts.node_memory.clone())
}

/// The object in which a line is.
fn of_line(objects: &mut Objects<'_>, line: &Line) -> (usize, u64) {
    let first = line.places.keys().next().map_or(0, |(offset, _)| *offset);
    let addr = Some(line.address + first);
    let sample = Sample { addr, pid: line.pid, ..Sample::default() };
    let place = Access::of(&sample).map(|access| objects.find(&access));
    place.map_or((0, 0), |place| (place.object, place.offset))
}

/// The name of each event whose samples have addresses of data; refuses a file that has none.
fn events(samples: &Samples, name: &str) -> Result<Vec<Option<String>>, Failure> {
    let has = |event: &Event, name: &str| {
        event.sample_type() & Fields::ADDR.bits() != 0 && !event.is_dummy() && !is_probe(name)
    };
    let events = samples.attributes().iter().zip(samples.events());
    let events: Vec<_> =
        events.map(|(event, name)| has(event, name).then(|| name.clone())).collect();
    if events.iter().all(Option::is_none) {
        let text = format!("{name}: its samples have no addresses of data");
        return Err(Failure::new(text)
            .help("record with counterpoint record --memory, perf mem record or perf c2c record"));
    }
    Ok(events)
}
