//! `counterpoint report`: the samples of a file, shown as `profile` shows those that it takes.

mod args;
mod by;
mod decoder;
mod filter;
mod kernel;
mod limit;
mod names;

pub use args::ReportArgs;

use crate::commands::profile::{Output, Seen, build_ids, unwinder};
use crate::failure::Failure;
use crate::show;
use by::Counts;
use counterpoint::perf::Host;
use counterpoint::perf::records::Record;
use counterpoint::profile::{Profile, Profiled, Replay};
use counterpoint_perfdata::{Facts, Reader};
use decoder::Decoder;
use kernel::Texts;
use limit::Limit;
use names::Names;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

/// The exit status is 0, and 2 if nothing could be read.
pub fn run(args: &ReportArgs) -> Result<u8, Failure> {
    args.check()?;
    let path = args.file.to_string_lossy();
    let failed = |error: String| Failure::new(format!("{}: {error}", show::printable(&path)));
    let file = File::open(&args.file).map_err(|error| failed(error.to_string()))?;
    let mut reader = Reader::open(file).map_err(|problem| failed(problem.to_string()))?;
    let output = Output::of(args.format, &args.output, false, false, false)?;
    let read = read(args, &mut reader).map_err(failed)?;
    let mut err = show::stderr();
    for problem in reader.problems() {
        writeln!(err, "counterpoint: {}: {problem}", show::printable(&path))?;
    }
    for remark in read.remarks {
        writeln!(err, "counterpoint: {}: {}", show::printable(&path), show::printable(&remark))?;
    }
    if let Some(key) = args.sort {
        let mut out = output.into_writer();
        for (profiled, counts) in read.profiled.iter().zip(&read.counts) {
            counts.write(&mut out, key, &profiled.event)?;
        }
        out.flush()?;
        return Ok(0);
    }
    if read.profiled.len() > 1 && !args.format.holds_several() {
        return Err(failed("this format holds only one event, and the file has several".into())
            .help("use --format table or --format json"));
    }
    output.write(
        &args.shown(read.is_dwarf, read.is_other_kernel),
        &read.profiled,
        &Seen::default(),
    )?;
    Ok(0)
}

/// What is in a file.
struct Recorded {
    profiled: Vec<Profiled>,
    /// For `--sort`, in the same order.
    counts: Vec<Counts>,
    is_dwarf: bool,
    is_other_kernel: bool,
    remarks: Vec<String>,
}

fn read(args: &ReportArgs, reader: &mut Reader<File>) -> Result<Recorded, String> {
    let host = Host::local();
    let mut decoder = Decoder::new(reader.events())?;
    let graph = |event| decoder::call_graph(event, unwinder::new);
    let is_dwarf = reader.events().iter().any(|event| event.stack_bytes() > 0);
    let mut replays: Vec<Replay> = Vec::new();
    for (index, event) in reader.events().iter().enumerate() {
        let mut profile = Profile::every(decoder::every(event));
        if let Some(graph) = graph(event).filter(|_| args.sort.is_none()) {
            profile = profile.call_graph(graph);
        }
        let name = match event.name.as_str() {
            "" => format!("event {}", index + 1),
            name => name.to_string(),
        };
        replays.push(Replay::new(&host, &name, &profile));
    }
    let (mut texts, mut names) = (Texts::default(), Names::default());
    let mut limit = Limit::default();
    // What is said of processes need not be before the samples.
    let first = reader.records(|raw| {
        if raw.kind == SAMPLE {
            return;
        }
        let Some((event, record)) = decoder.decode(&raw) else { return };
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
    let mut counts: Vec<Counts> = replays.iter().map(|_| Counts::default()).collect();
    for replay in &mut replays {
        replay.kernel(texts.ranges.clone());
    }
    let second = reader.records(|raw| {
        if raw.kind != SAMPLE {
            return;
        }
        let Some((event, record)) = decoder.decode(&raw) else { return };
        let Record::Sample(sample) = &record else { return };
        if filter::is_wanted(args, sample, &names) {
            if let Some(key) = args.sort {
                counts[event].add(key, sample, &names);
            }
            replays[event].take(&record);
        }
    });
    second.map_err(|error| error.to_string())?;
    let mut remarks = Vec::new();
    if decoder.unreadable > 0 {
        let (count, offset) = (decoder.unreadable, decoder.first_unreadable);
        remarks.push(format!("{count} records cannot be decoded, the first at byte {offset}"));
    }
    if limit.refused > 0 {
        let count = limit.refused;
        remarks.push(format!("{count} mappings of code are left out, because they are longer than 1 GiB, together longer than 8 GiB, or at impossible addresses"));
    }
    let is_other_kernel = texts.is_other();
    if is_other_kernel {
        remarks.push("it was recorded with another kernel, or this user may not read the addresses of this one: its functions have no names".to_string());
    }
    let shown = reader.events().iter().zip(replays.into_iter().map(Replay::finish)).zip(counts);
    // An event of perf that only carries other records is not one of the user's.
    let shown = shown.filter(|((event, profiled), _)| !event.is_dummy() || profiled.samples > 0);
    let (profiled, counts): (Vec<Profiled>, Vec<Counts>) =
        shown.map(|((_, profiled), counts)| (profiled, counts)).unzip();
    remarks.extend(changed(reader.facts(), &profiled));
    Ok(Recorded { profiled, counts, is_dwarf, is_other_kernel, remarks })
}

/// `PERF_RECORD_SAMPLE`.
const SAMPLE: u32 = 9;

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
