//! What is in a file of samples.

use super::decoder::{self, Decoder, SAMPLE};
use super::filter::Filters;
use super::kernel::Texts;
use super::limit::Limit;
use super::source;
use crate::commands::profile::origin::Origin;
use crate::commands::profile::{build_ids, code_files, unwinder};
use crate::failure::Failure;
use crate::show;
use counterpoint::perf::Host;
use counterpoint::perf::records::{BuildId, FileId, Record};
use counterpoint::pmu::kernel;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::profile::{CallGraph, Module, Profile, Profiled, Replay, ThreadNames};
use counterpoint_perfdata::{Event, Facts, Problem, Reader};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What is in a file.
pub struct Recorded {
    pub profiled: Vec<Profiled>,
    pub is_dwarf: bool,
    pub origin: Origin,
}

impl Recorded {
    /// Whether an event has call stacks.
    pub fn has_stacks(&self) -> bool {
        self.profiled.iter().any(|profiled| profiled.stacks.is_some())
    }

    /// Reads a file, and says on standard error what is wrong with it; `with` adds to each event's profile what is to be counted.
    pub fn read(
        path: &Path,
        filters: &Filters,
        with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    ) -> Result<Recorded, Failure> {
        let failed = |error: String| {
            Failure::new(format!("{}: {error}", show::printable(&path.to_string_lossy())))
        };
        let file = source::open(path)?;
        let mut reader = Reader::open(file).map_err(|problem| failed(problem.to_string()))?;
        let (recorded, remarks) = read(filters, with, &mut reader).map_err(failed)?;
        let (mut err, path) = (show::stderr(), path.to_string_lossy());
        for problem in reader.problems() {
            writeln!(err, "counterpoint: {}: {problem}", show::printable(&path))?;
        }
        for remark in remarks {
            writeln!(
                err,
                "counterpoint: {}: {}",
                show::printable(&path),
                show::printable(&remark)
            )?;
        }
        Ok(recorded)
    }
}

/// The samples, and sentences about what is wrong.
fn read(
    filters: &Filters,
    with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
    reader: &mut Reader<File>,
) -> Result<(Recorded, Vec<String>), String> {
    let host = Host::local();
    let names: Vec<String> = reader.events().iter().enumerate().map(name).collect();
    filters.check(&names)?;
    let decoder = Decoder::new(reader.events())?;
    let is_dwarf = reader.events().iter().any(|event| event.stack_bytes() > 0);
    let replays = replays(&host, reader, &names, decoder.has_times(), with);
    let mut reading = Reading::new(decoder, replays);
    reading.processes(reader).map_err(|error| error.to_string())?;
    let is_other_kernel = reading.kernel(&host, reader.facts());
    reading.samples(reader, filters).map_err(|error| error.to_string())?;
    if reading.all == 0
        && let Some(aux) = reader.problems().iter().find(is_aux)
    {
        let instead = "perf inject --itrace -o FILE makes them";
        return Err(format!("{aux}, and it has no samples: {instead}"));
    }
    let remarks = reading.remarks(is_other_kernel);
    let shown = reader.events().iter().zip(reading.replays.into_iter().map(Replay::finish));
    // An event that only carries other records, or AUX data, is not one of those sampled.
    let has_aux = reader.problems().iter().any(|problem| is_aux(&problem));
    let is_carrier = |event: &Event| event.is_dummy() || (has_aux && event.period() == 1);
    let shown = shown.filter(|(event, profiled)| !is_carrier(event) || profiled.samples > 0);
    let shown = shown.map(|(_, profiled)| profiled);
    let mut profiled: Vec<Profiled> = shown.filter(|of| filters.is_event(&of.event)).collect();
    for module in profiled.iter_mut().flat_map(|profiled| &mut profiled.modules) {
        identify(module, reader.facts(), is_other_kernel);
    }
    let origin = Origin::recorded(reader.facts());
    Ok((Recorded { profiled, is_dwarf, origin }, remarks))
}

fn is_aux(problem: &&Problem) -> bool {
    matches!(problem, Problem::Aux { .. })
}

/// What is known of a file while it is read: once for what it says of processes, and once for its samples.
struct Reading {
    decoder: Decoder,
    replays: Vec<Replay>,
    names: ThreadNames,
    texts: Texts,
    limit: Limit,
    /// Where each process is named first, in a file without times.
    first: HashMap<u32, u64>,
    /// The samples, and those that were asked for.
    all: u64,
    wanted: u64,
}

impl Reading {
    fn new(decoder: Decoder, replays: Vec<Replay>) -> Reading {
        let (names, texts, limit, first) = Default::default();
        Reading { decoder, replays, names, texts, limit, first, all: 0, wanted: 0 }
    }

    /// Takes all records but samples: what is said of processes need not be before the samples.
    fn processes(&mut self, reader: &mut Reader<File>) -> io::Result<()> {
        let Reading { decoder, replays, names, texts, limit, first, .. } = self;
        reader.records(|raw| {
            if raw.kind == SAMPLE {
                return;
            }
            let Some((event, mut record)) = decoder.decode(&raw) else { return };
            if !decoder.has_times() {
                put_in_order(&mut record, raw.offset);
                if let Some(pid) = process(&record) {
                    first.entry(pid).or_insert(raw.offset);
                }
            }
            names.take(&record);
            match &record {
                Record::Mmap(map) if texts.take(map) => {}
                Record::Mmap(map) if map.executable && !limit.admits(map) => {}
                Record::Mmap(_) | Record::Comm(_) | Record::Fork(_) => {
                    replays.iter_mut().for_each(|replay| replay.take(&record));
                }
                record => replays[event].take(record),
            }
        })
    }

    /// Gives the replays the kernel's symbols; returns whether it is another kernel, or cannot be told.
    fn kernel(&mut self, host: &Host, facts: &Facts) -> bool {
        let (kernel, is_other) = std::mem::take(&mut self.texts).symbols(host, facts);
        self.replays.iter_mut().for_each(|replay| replay.kernel(kernel.clone()));
        is_other
    }

    fn samples(&mut self, reader: &mut Reader<File>, filters: &Filters) -> io::Result<()> {
        let Reading { decoder, replays, names, first, all, wanted, .. } = self;
        reader.records(|raw| {
            if raw.kind != SAMPLE {
                return;
            }
            let Some((event, Record::Sample(mut sample))) = decoder.decode(&raw) else { return };
            if !decoder.has_times() {
                // The buffers of CPUs may be one after another, so that a sample is before its process.
                let first = sample.pid.and_then(|pid| first.get(&pid));
                let is_after = first.is_some_and(|first| *first <= raw.offset);
                sample.time = Some(if is_after { raw.offset } else { LAST });
            }
            *all += 1;
            let is_wanted = filters.is_wanted(&sample, names);
            *wanted += u64::from(is_wanted);
            // A sample that is not wanted has the counts from which others start.
            for (event, sample) in decoder.expand(event, sample) {
                if is_wanted {
                    replays[event].take(&Record::Sample(sample));
                }
            }
        })
    }

    /// Sentences about what is missing.
    fn remarks(&self, is_other_kernel: bool) -> Vec<String> {
        let mut remarks = Vec::new();
        let Decoder { unreadable, first_unreadable, .. } = self.decoder;
        if unreadable > 0 {
            remarks.push(format!(
                "{unreadable} records cannot be decoded, the first at byte {first_unreadable}"
            ));
        }
        if self.limit.refused > 0 {
            let count = self.limit.refused;
            remarks.push(format!("{count} mappings of code are left out, because they are at impossible addresses, or there are more than 65536"));
        }
        if self.all > 0 && self.wanted == 0 {
            let all = self.all;
            remarks.push(format!("none of its {all} samples is one of those asked for"));
        }
        if is_other_kernel {
            remarks.push("it was recorded with another kernel, or this user may not read the addresses of this one: its functions have no names".to_string());
        }
        remarks
    }
}

/// What counts the samples of each event.
fn replays(
    host: &Host,
    reader: &Reader<File>,
    names: &[String],
    has_times: bool,
    with: &dyn Fn(Profile, Option<CallGraph>) -> Profile,
) -> Vec<Replay> {
    let arch = &reader.facts().arch;
    let is_native = arch.is_empty() || arch == std::env::consts::ARCH;
    let replay = |(event, name): (&Event, &String)| {
        let graph = decoder::call_graph(event, is_native, unwinder::new);
        let profile =
            Profile::every(decoder::every(event)).text(Scale::ONE_ADDRESS, BucketWidth::Bits64);
        let mut profile = with(profile, graph);
        if !has_times {
            // The places in the file are an order, and not times.
            profile = profile.threads_over_time(1);
        }
        if decoder::is_weighted(event) {
            profile = profile.by_events();
        }
        Replay::new(host, name, &profile)
    };
    reader.events().iter().zip(names).map(replay).collect()
}

/// Adds what the file says of a module beside the record of its mapping.
fn identify(module: &mut Module, facts: &Facts, is_other_kernel: bool) {
    let path = module.path.as_os_str().as_bytes();
    let mut of_path = facts.build_ids.iter().filter(|of| of.path == path && !of.is_kernel);
    // Several files may have had the path.
    if let (Some(of), None, None) = (of_path.next(), of_path.next(), module.build_id()) {
        // perf reads the build id by the path when all is over: it may be that of another file, which is not the one that was mapped.
        let is_of_another = code_files::is_other_inode(module)
            && build_ids::of_file(&module.path).is_some_and(|id| id == of.id);
        if !is_of_another {
            module.file = BuildId::new(&of.id).map(FileId::BuildId).or(module.file);
        }
    }
    // The kernel maps its own code into every process: another kernel, other code.
    if is_other_kernel && path == b"[vdso]" && module.build_id().is_none() {
        module.pid = None;
    }
}

/// The name of an event; if the file has none, because it ends before its names, that of the kernel.
fn name((index, event): (usize, &Event)) -> String {
    if !event.name.is_empty() {
        return event.name.clone();
    }
    let is_known = |known: &kernel::KernelEvent| {
        (known.kind(), known.config) == (event.kind(), event.config())
    };
    let modifiers = if event.excludes_kernel() { ":u" } else { "" };
    match kernel::all().find(is_known) {
        Some(known) => format!("{known}{modifiers}"),
        None => format!("event {}", index + 1),
    }
}

/// The time of a sample of which nothing is said before it.
const LAST: u64 = u64::MAX - 1;

/// The process of which a record tells something.
fn process(record: &Record<'_>) -> Option<u32> {
    match record {
        Record::Mmap(map) => Some(map.pid),
        Record::Comm(comm) => Some(comm.pid),
        Record::Fork(task) => Some(task.pid),
        _ => None,
    }
}

/// Gives a record without a time its place in the file as one.
fn put_in_order(record: &mut Record<'_>, place: u64) {
    match record {
        Record::Mmap(map) => map.time = Some(place),
        Record::Comm(comm) => comm.time = Some(place),
        Record::Fork(task) | Record::Exit(task) => task.time = place,
        _ => {}
    }
}
