//! The ranks of jobs that have no report.

use crate::{Missing, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Of each job that tells how many ranks it has.
pub(super) fn missing(sources: &[Source]) -> Vec<Missing> {
    let mut jobs: BTreeMap<Option<&str>, (u64, BTreeSet<u64>)> = BTreeMap::new();
    for source in sources {
        let process = &source.process;
        let (ranks, seen) = jobs.entry(process.job.as_deref()).or_default();
        *ranks = (*ranks).max(process.ranks.unwrap_or(0));
        seen.extend(process.rank);
    }
    let of_job = |(job, (ranks, seen)): (Option<&str>, (u64, BTreeSet<u64>))| {
        let gaps = gaps(ranks, &seen);
        let count = gaps.iter().map(|gap| gap.end() - gap.start() + 1).sum();
        let text = |gap: &RangeInclusive<u64>| {
            if gap.start() == gap.end() {
                gap.start().to_string()
            } else {
                format!("{}-{}", gap.start(), gap.end())
            }
        };
        let missing = gaps.iter().map(text).collect::<Vec<_>>().join(",");
        (!gaps.is_empty()).then(|| Missing { job: job.map(str::to_string), ranks, count, missing })
    };
    jobs.into_iter().filter_map(of_job).collect()
}

/// The warnings about jobs whose reports do not tell the same number of ranks: files of an earlier run may be among them.
pub fn disagreements(sources: &[Source]) -> Vec<String> {
    let mut jobs: BTreeMap<Option<&str>, BTreeSet<u64>> = BTreeMap::new();
    for source in sources {
        jobs.entry(source.process.job.as_deref()).or_default().extend(source.process.ranks);
    }
    let of_job = |(job, sizes): (Option<&str>, BTreeSet<u64>)| {
        let (least, most) = (sizes.first()?, sizes.last()?);
        let of_job = job.map_or(String::new(), |job| format!(" of job {job}"));
        (least < most).then(|| {
            format!("the reports{of_job} are of runs with {least} ranks and with {most}: older files may be among them")
        })
    };
    jobs.into_iter().filter_map(of_job).collect()
}

/// The numbers below `end` that were not seen, as ranges: nobody knows how many there are.
fn gaps(end: u64, seen: &BTreeSet<u64>) -> Vec<RangeInclusive<u64>> {
    let mut gaps = Vec::new();
    let mut next = 0;
    for rank in seen.range(..end).copied().chain([end]) {
        if next < rank {
            gaps.push(next..=rank - 1);
        }
        next = rank.saturating_add(1);
    }
    gaps
}

impl Missing {
    /// As a sentence.
    pub fn sentence(&self) -> String {
        let Missing { job, ranks, count, missing } = self;
        let of_job = job.as_deref().map_or(String::new(), |job| format!(" of job {job}"));
        match count {
            1 => format!("1 of {ranks} ranks{of_job} has no report: {missing}"),
            _ => format!("{count} of {ranks} ranks{of_job} have no report: {missing}"),
        }
    }
}
