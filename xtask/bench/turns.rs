//! Two things that are measured in turn, so that what happens beside them happens to both.

use std::time::Instant;

/// Nanoseconds a call of each, in each of a number of rounds.
#[allow(dead_code, reason = "some benchmarks prepare each round themselves")]
pub(crate) fn turns(
    rounds: usize,
    calls: usize,
    mut ours: impl FnMut(),
    mut peer: impl FnMut(),
) -> Vec<(f64, f64)> {
    (0..rounds).map(|round| turn(round, calls, &mut ours, &mut peer)).collect()
}

/// Nanoseconds a call of each in one round. Each goes first in every other round, so that neither always finds the caches warm.
#[allow(dead_code, reason = "some benchmarks only take medians")]
pub(crate) fn turn(
    round: usize,
    calls: usize,
    mut ours: impl FnMut(),
    mut peer: impl FnMut(),
) -> (f64, f64) {
    if round.is_multiple_of(2) {
        let ours = time(calls, &mut ours);
        (ours, time(calls, &mut peer))
    } else {
        let peer = time(calls, &mut peer);
        (time(calls, &mut ours), peer)
    }
}

#[allow(dead_code, reason = "some benchmarks only take medians")]
fn time(calls: usize, call: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
