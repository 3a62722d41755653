//! `cargo xtask conformance recordings DIR`: what is read of every recording in a folder, compared with what perf says of the same file.
//!
//! Of ours, the example `dump` of the crate `recording` prints what was decoded, and `counterpoint report` the totals.
//! Of perf, `report -D` prints each record and sample as it is in the file, `script` the samples as events with words for the sources of data, and `report` the header and the totals.

mod ours;
mod read;
mod theirs;

use super::symbols::counterpoint;
use crate::project::{root, target};
use read::{Read, Sample};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The fields that tell which sample it is.
const IDENTITY: [&str; 4] = ["time", "pid", "tid", "ip"];

/// What was compared of a recording.
#[derive(Default)]
struct Compared {
    agreed: Vec<String>,
    differences: Vec<String>,
}

pub(super) fn compare() -> Result<(), String> {
    let folder = std::env::args().nth(3).ok_or("usage: cargo xtask conformance recordings DIR")?;
    if Command::new("perf").arg("--version").output().is_err() {
        println!("skipped: perf is not installed");
        return Ok(());
    }
    match compare_all(Path::new(&folder))? {
        0 => Ok(()),
        n => Err(format!("{n} differences")),
    }
}

/// Prints a line for each recording below a folder, and returns the number of differences.
fn compare_all(folder: &Path) -> Result<usize, String> {
    let mut files = Vec::new();
    walk(folder, &mut files)?;
    files.sort();
    let (dump, counterpoint) = (dump()?, counterpoint()?);
    let (mut differences, mut compared) = (0, 0);
    for file in &files {
        let name = file.strip_prefix(folder).unwrap_or(file).display();
        let mut ours = match ours::read(&dump, &counterpoint, file) {
            Ok(ours) => ours,
            Err(why) if why.contains("PERFILE2") => continue,
            Err(why) => {
                println!("{name}\n  refused: {}", why.trim());
                continue;
            }
        };
        let theirs = match theirs::read(file) {
            Ok(theirs) => theirs,
            Err(why) => {
                print(&name.to_string(), &ours, &Compared::default());
                println!("  skipped: perf: {why}");
                continue;
            }
        };
        compared += 1;
        if theirs.is_made {
            ours.samples.clear();
            ours.kinds.remove("SAMPLE");
        }
        let found = Compared::of(&ours, &theirs);
        differences += found.differences.len();
        print(&name.to_string(), &ours, &found);
    }
    match compared {
        0 => Err(format!("{}: no recordings", folder.display())),
        _ => {
            println!("{compared} recordings compared, {differences} differences");
            Ok(differences)
        }
    }
}

fn print(name: &str, ours: &Read, found: &Compared) {
    let word = |key: &str| ours.facts.get(key).map_or("?", String::as_str);
    println!("{name}: {}, {}", word("arch"), word("os release"));
    let events = ours.sampled.iter().map(|(event, samples)| format!("{samples} of {event}"));
    println!("  samples: {}", events.collect::<Vec<_>>().join(", "));
    if !found.agreed.is_empty() {
        println!("  agreed: {}", found.agreed.join(", "));
    }
    ours.remarks.iter().for_each(|remark| println!("  said: {remark}"));
    found.differences.iter().for_each(|difference| println!("  DIFFERS: {difference}"));
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The example that prints what is read, built.
fn dump() -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "-p", "counterpoint-recording", "--example", "dump"]);
    let built = cargo.current_dir(root()).status().map_err(|e| format!("cargo: {e}"))?;
    let program = target().join("debug/examples/dump");
    if built.success() { Ok(program) } else { Err("the example dump does not build".to_owned()) }
}

impl Compared {
    fn of(ours: &Read, theirs: &Read) -> Compared {
        let mut compared = Compared::default();
        compared.maps("facts", &ours.facts, &theirs.facts);
        if !ours.build_ids.is_empty() {
            let ids = |of: &Read| of.build_ids.iter().map(|id| (id.clone(), 1)).collect();
            compared.counts("build ids", &ids(ours), &ids(theirs));
        }
        compared.counts("numbers of records", &ours.kinds, &theirs.kinds);
        compared.counts("records", &ours.records, &theirs.records);
        compared.samples(&ours.samples, &theirs.samples);
        compared.counts("samples of events", &ours.events, &theirs.events);
        compared.maps("sources of data", &ours.sources, &theirs.sources);
        compared.maps("numbers of samples", &ours.sampled, &theirs.sampled);
        compared.maps("numbers of events", &ours.totals, &theirs.totals);
        compared
    }

    /// Compares what both have.
    fn maps<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        ours: &BTreeMap<String, T>,
        theirs: &BTreeMap<String, T>,
    ) {
        let both = ours.iter().filter_map(|(key, our)| Some((key, our, theirs.get(key)?)));
        let differ = both.clone().filter(|(_, our, their)| our != their);
        let differences = differ.map(|(key, our, their)| format!("{key}: {our:?}, perf {their:?}"));
        let differences: Vec<String> = differences.collect();
        self.add(what, both.count(), differences);
    }

    /// Compares how often there is each.
    fn counts(&mut self, what: &str, ours: &BTreeMap<String, u64>, theirs: &BTreeMap<String, u64>) {
        let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
        let count = |of: &BTreeMap<String, u64>, key: &String| of.get(key).copied().unwrap_or(0);
        let pairs = keys.into_iter().map(|key| (key, count(ours, key), count(theirs, key)));
        let differ = pairs.filter(|(_, our, their)| our != their);
        let differences = differ.map(|(key, our, their)| format!("{key}: {our}, perf {their}"));
        self.add(what, ours.values().sum::<u64>() as usize, differences.collect());
    }

    /// Compares each field that ours have.
    fn samples(&mut self, ours: &[Sample], theirs: &[Sample]) {
        let (ours, theirs) = (identified(ours), identified(theirs));
        let mut fields: BTreeMap<&str, (usize, Vec<String>)> = BTreeMap::new();
        let lacking = ours.keys().filter(|who| !theirs.contains_key(*who)).count();
        if lacking > 0 {
            self.differences.push(format!("{lacking} samples that perf does not have"));
        }
        let lacking: Vec<_> = theirs.keys().filter(|who| !ours.contains_key(*who)).collect();
        if let Some(first) = lacking.first() {
            let count = lacking.len();
            self.differences
                .push(format!("{count} samples that only perf has, the first {first:?}"));
        }
        for (who, our) in &ours {
            let Some(their) = theirs.get(who) else { continue };
            for (field, value) in *our {
                let (count, differences) = fields.entry(field).or_default();
                *count += 1;
                let perf = their.get(field);
                if perf != Some(value) {
                    differences.push(format!("{who:?}: {value}, perf {perf:?}"));
                }
            }
        }
        for (field, (count, differences)) in fields {
            self.add(field, count, differences);
        }
    }

    /// Adds how many were equal, and of many differences the first ones.
    fn add(&mut self, what: &str, count: usize, differences: Vec<String>) {
        const MOST: usize = 3;
        if differences.is_empty() && count > 0 {
            self.agreed.push(format!("{what} {count}"));
        }
        let all = differences.len();
        if all > MOST {
            self.differences.push(format!("{what}: {all} of {count}, the first:"));
        }
        let first = differences.into_iter().take(MOST);
        self.differences.extend(first.map(|difference| format!("{what}: {difference}")));
    }
}

/// Samples by what tells which one each is; of equal ones, their number tells them apart.
fn identified(samples: &[Sample]) -> BTreeMap<(Vec<&str>, usize), &Sample> {
    let mut by: BTreeMap<Vec<&str>, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        let who = IDENTITY.iter().map(|field| sample.get(field).map_or("", String::as_str));
        by.entry(who.collect()).or_default().push(sample);
    }
    let mut identified = BTreeMap::new();
    for (who, mut equal) in by {
        equal.sort();
        let numbered = equal.into_iter().enumerate();
        identified.extend(numbered.map(|(number, sample)| ((who.clone(), number), sample)));
    }
    identified
}

#[cfg(test)]
mod tests {
    use super::{compare_all, target};
    use std::process::Command;

    #[test]
    #[allow(clippy::print_stdout, reason = "a test says what it skips")]
    fn a_recording_of_perf_is_read_as_perf_reads_it() {
        let folder = target().join("conformance/recordings");
        std::fs::create_dir_all(&folder).unwrap();
        let record = |name: &str, options: &[&str]| {
            let mut perf = Command::new("perf");
            perf.args(["record", "-q", "-o"]).arg(folder.join(name)).args(options);
            let program = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
            perf.args(["--", "sh", "-c", program]).output().is_ok_and(|made| made.status.success())
        };
        let clock = ["-e", "task-clock:u,page-faults:u", "-c", "100000", "-g", "-d"];
        if !record("clock.data", &clock) || !record("weak.data", &["-e", "cpu-clock:u", "-z"]) {
            return println!("skipped: perf is not installed, or may not record");
        }
        assert_eq!(compare_all(&folder), Ok(0));
    }
}
