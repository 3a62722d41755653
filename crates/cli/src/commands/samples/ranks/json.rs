//! The ranks for other programs.

use super::differences::{differences, totals};
use super::mpi::Mpi;
use super::text::share;
use super::{Rank, Ranks};
use crate::commands::samples::named::Event;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The ranks of several recordings, and the samples below calls of MPI.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Parallel {
    /// Of several recordings, their ranks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rank_samples: Vec<RankSamples>,
    /// The functions whose share differs between the ranks by more than chance, the greatest difference first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<RankDifference>,
    /// The samples below calls of MPI, by the outermost one of each stack.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mpi: Vec<MpiCall>,
}

/// The samples of a rank.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RankSamples {
    /// `rank` and its number, or the name of the recording that does not tell it.
    name: String,
    /// The rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    /// Its node.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// Its samples, or what else counts are (`unit`).
    count: u64,
    /// Those of them that are below a call of MPI, if there are call stacks with some.
    #[serde(skip_serializing_if = "Option::is_none")]
    below_mpi: Option<u64>,
}

/// A function whose share of the samples of a rank differs from that of all other ranks together.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RankDifference {
    /// The name of the rank.
    name: String,
    /// The function.
    function: String,
    /// The file that contains it.
    module: Option<String>,
    /// Its share of the samples of the rank, in percent.
    percent: f64,
    /// Its share of the samples of the other ranks, in percent.
    others_percent: f64,
    /// The difference in percentage points.
    points: f64,
    /// The least and the greatest difference of its 95 % interval.
    interval: [f64; 2],
}

/// The samples below a function of MPI that one function calls.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct MpiCall {
    /// The function of MPI.
    call: String,
    /// The function that calls it, if it is known.
    caller: Option<String>,
    /// The samples.
    count: u64,
    /// Their share of all samples, in percent.
    percent: f64,
    /// The standard error of that share, in percent.
    error: f64,
}

pub fn parallel(event: &Event<'_>, ranks: Option<&Ranks<'_>>) -> Parallel {
    let stacks = event.profiled.stacks.as_ref();
    let mpi = stacks.and_then(|stacks| Mpi::of(stacks, event.symbols));
    let calls = mpi.iter().flat_map(|mpi| &mpi.calls).flat_map(|call| {
        call.callers.iter().map(|(caller, count)| {
            let (percent, error) = share(event, *count);
            let (call, caller) = (call.function.clone(), caller.clone());
            MpiCall { call, caller, count: *count, percent, error }
        })
    });
    let calls = calls.collect();
    let Some(ranks) = ranks else {
        return Parallel { rank_samples: Vec::new(), differences: Vec::new(), mpi: calls };
    };
    let totals = totals(event.profiled, ranks);
    let below = mpi.zip(stacks).and_then(|(mpi, stacks)| mpi.by_recording(stacks, ranks));
    let samples = |(recording, Rank { number, node, name }): (usize, &Rank)| RankSamples {
        name: name.clone(),
        rank: *number,
        node: node.clone(),
        count: totals[recording],
        below_mpi: below.as_ref().map(|below| below[recording]),
    };
    let difference = |of: super::differences::Difference| {
        let change = of.comparison.difference;
        RankDifference {
            name: ranks.ranks[of.recording].name.clone(),
            function: of.function,
            module: of.module,
            percent: 100.0 * of.share,
            others_percent: 100.0 * of.others,
            points: 100.0 * change.estimate,
            interval: [100.0 * change.low, 100.0 * change.high],
        }
    };
    let differences = differences(&event.full, event.profiled, ranks);
    Parallel {
        rank_samples: ranks.all().into_iter().map(samples).collect(),
        differences: differences.into_iter().map(difference).collect(),
        mpi: calls,
    }
}
