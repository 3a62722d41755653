//! The remarks about reports that a reader must know before trusting their values.

use super::merged::Merged;
use crate::words::listed;
use crate::{Missing, Source};

/// The most processes that a sentence names.
const NAMED: usize = 8;

/// A sentence for each thing that is wrong with some of the reports.
pub fn remarks(merged: &Merged) -> Vec<String> {
    let mut sentences: Vec<String> =
        merged.missing.iter().map(|missing| missing.sentence()).collect();
    let sources = &merged.sources;
    sentences.extend(of_incomplete(sources));
    let names = named(sources, |source| source.interrupted);
    if !names.is_empty() {
        sentences.push(format!("a run was interrupted: {names}"));
    }
    let names = named(sources, |source| source.checkpoint_s.is_some());
    if !names.is_empty() {
        let times = sources.iter().filter_map(|source| source.checkpoint_s);
        let first = times.fold(f64::INFINITY, f64::min);
        sentences.push(format!(
            "a process was killed, and its counts are those until its last checkpoint, the earliest after {first:.1} s: {names}"
        ));
    }
    let names = named(sources, |source| source.failed_runs > 0);
    if !names.is_empty() {
        let runs: u64 = sources.iter().map(|source| source.failed_runs).sum();
        let runs = if runs == 1 { "1 run".to_string() } else { format!("{runs} runs") };
        sentences.push(format!("the command failed in {runs}: {names}"));
    }
    sentences.extend(merged.differences.iter().map(|of| of.sentence(sources)));
    sentences
}

/// The reason why there is no total of all processes.
pub(super) fn gap(sources: &[Source], missing: &[Missing]) -> Option<String> {
    missing.first().map(Missing::sentence).or_else(|| of_incomplete(sources))
}

fn of_incomplete(sources: &[Source]) -> Option<String> {
    let names = named(sources, |source| source.incomplete);
    (!names.is_empty()).then(|| format!("a report ends before its summary: {names}"))
}

fn named(sources: &[Source], is_wanted: impl Fn(&Source) -> bool) -> String {
    let names: Vec<String> = sources.iter().filter(|source| is_wanted(source)).map(name).collect();
    listed(&names, NAMED)
}

/// The name of a process in a sentence.
pub(super) fn name(source: &Source) -> String {
    match source.process.rank {
        Some(rank) => format!("rank {rank}"),
        None => source.file.clone(),
    }
}
