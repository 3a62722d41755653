//! What is in a file of samples.

use super::decoder::{self, Decoder, SAMPLE};
use super::filter::Filters;
use super::kernel::Texts;
use super::limit::Limit;
use super::source;
use crate::commands::profile::origin::Origin;
use crate::commands::profile::{build_ids, unwinder};
use crate::failure::Failure;
use crate::show;
use counterpoint::perf::Host;
use counterpoint::perf::records::Record;
use counterpoint::pmu::kernel;
use counterpoint::profil::{BucketWidth, Scale};
use counterpoint::profile::{CallGraph, Profile, Profiled, Replay, ThreadNames};
use counterpoint_perfdata::{Event, Facts, Problem, Reader};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

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
    let mut decoder = Decoder::new(reader.events())?;
    let is_dwarf = reader.events().iter().any(|event| event.stack_bytes() > 0);
    let has_times = decoder.has_times();
    let mut replays: Vec<Replay> = Vec::new();
    for (event, name) in reader.events().iter().zip(&names) {
        let graph = decoder::call_graph(event, unwinder::new);
        let profile =
            Profile::every(decoder::every(event)).text(Scale::TWO_ADDRESSES, BucketWidth::Bits64);
        let mut profile = with(profile, graph);
        if !has_times {
            // The places in the file are an order, and not times.
            profile = profile.threads_over_time(1);
        }
        if event.is_frequency() && !event.is_clock() {
            profile = profile.by_events();
        }
        replays.push(Replay::new(&host, name, &profile));
    }
    let (mut texts, mut names) = (Texts::default(), ThreadNames::default());
    let mut limit = Limit::default();
    // What is said of processes need not be before the samples.
    let first = reader.records(|raw| {
        if raw.kind == SAMPLE {
            return;
        }
        let Some((event, mut record)) = decoder.decode(&raw) else { return };
        if !has_times {
            put_in_order(&mut record, raw.offset);
        }
        names.take(&record);
        match &record {
            Record::Mmap(map) if map.executable && !limit.admits(map) => {}
            Record::Mmap(map) if texts.take(map) => {}
            Record::Mmap(_) | Record::Comm(_) | Record::Fork(_) => {
                replays.iter_mut().for_each(|replay| replay.take(&record));
            }
            record => replays[event].take(record),
        }
    });
    first.map_err(|error| error.to_string())?;
    let (kernel, is_other_kernel) = texts.symbols(&host);
    for replay in &mut replays {
        replay.kernel(kernel.clone());
    }
    let (mut all, mut wanted) = (0_u64, 0_u64);
    let second = reader.records(|raw| {
        if raw.kind != SAMPLE {
            return;
        }
        let Some((event, mut record)) = decoder.decode(&raw) else { return };
        let Record::Sample(sample) = &record else { return };
        all += 1;
        if filters.is_wanted(sample, &names) {
            wanted += 1;
            if !has_times {
                put_in_order(&mut record, raw.offset);
            }
            replays[event].take(&record);
        }
    });
    second.map_err(|error| error.to_string())?;
    let is_compressed = |problem: &&Problem| matches!(problem, Problem::Compressed(_));
    if all == 0
        && let Some(compressed) = reader.problems().iter().find(is_compressed)
    {
        return Err(compressed.to_string());
    }
    let mut remarks = Vec::new();
    if decoder.unreadable > 0 {
        let (count, offset) = (decoder.unreadable, decoder.first_unreadable);
        remarks.push(format!("{count} records cannot be decoded, the first at byte {offset}"));
    }
    if limit.refused > 0 {
        let count = limit.refused;
        remarks.push(format!("{count} mappings of code are left out, because they are longer than 1 GiB, together longer than 8 GiB, or at impossible addresses"));
    }
    if all > 0 && wanted == 0 {
        remarks.push(format!("none of its {all} samples is one of those asked for"));
    }
    if is_other_kernel {
        remarks.push("it was recorded with another kernel, or this user may not read the addresses of this one: its functions have no names".to_string());
    }
    let shown = reader.events().iter().zip(replays.into_iter().map(Replay::finish));
    // An event of perf that only carries other records is not one of the user's.
    let shown = shown.filter(|(event, profiled)| !event.is_dummy() || profiled.samples > 0);
    let shown = shown.map(|(_, profiled)| profiled);
    let profiled: Vec<Profiled> = shown.filter(|of| filters.is_event(&of.event)).collect();
    remarks.extend(changed(reader.facts(), &profiled));
    let origin = Origin::recorded(reader.facts());
    Ok((Recorded { profiled, is_dwarf, origin }, remarks))
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

/// Gives a record without a time its place in the file as one, and a sample the last: the buffers of the CPUs are one after another in the file, so that a sample may be before the memory of its process.
fn put_in_order(record: &mut Record<'_>, place: u64) {
    match record {
        Record::Sample(sample) => sample.time = Some(u64::MAX - 1),
        Record::Mmap(map) => map.time = Some(place),
        Record::Comm(comm) => comm.time = Some(place),
        Record::Fork(task) | Record::Exit(task) => task.time = place,
        _ => {}
    }
}

/// Sentences about files that are not what they were when they were recorded.
fn changed(facts: &Facts, profiled: &[Profiled]) -> Vec<String> {
    use std::os::unix::ffi::OsStrExt;
    let modules = profiled.iter().flat_map(|profiled| &profiled.modules);
    let mut paths: Vec<&PathBuf> = modules.map(|module| &module.path).collect();
    paths.sort();
    paths.dedup();
    let is_other = |path: &&PathBuf| {
        let bytes = path.as_os_str().as_bytes();
        let recorded = facts.build_ids.iter().find(|of| of.path == bytes && !of.is_kernel);
        recorded.is_some_and(|of| build_ids::of_file(path).is_some_and(|id| id != of.id))
    };
    let sentence = |path: &PathBuf| {
        format!(
            "{} has another build id than when it was recorded: the names of its functions may be wrong",
            path.display()
        )
    };
    paths.into_iter().filter(is_other).map(sentence).collect()
}
