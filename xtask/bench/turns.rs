//! Things that are measured in turn, so that what happens beside them happens to all of them.

#![allow(dead_code, reason = "each benchmark uses only some of it")]

use std::time::Instant;

/// Nanoseconds a call of each, in each of a number of rounds.
pub(crate) fn turns(
    rounds: usize,
    calls: usize,
    mut ours: impl FnMut(),
    mut peer: impl FnMut(),
) -> Vec<(f64, f64)> {
    (0..rounds).map(|round| turn(round, calls, &mut ours, &mut peer)).collect()
}

/// Nanoseconds a call of each in one round. Each goes first in every other round, so that neither always finds the caches warm.
pub(crate) fn turn(
    round: usize,
    calls: usize,
    ours: impl FnMut(),
    peer: impl FnMut(),
) -> (f64, f64) {
    if round.is_multiple_of(2) {
        let ours = each(calls, ours);
        (ours, each(calls, peer))
    } else {
        let peer = each(calls, peer);
        (each(calls, ours), peer)
    }
}

/// The measurements of each contender, in each of a number of rounds.
///
/// Their order is reversed from one round to the next, so that none always finds the caches as the same other left them.
pub(crate) fn in_turn<const N: usize>(
    rounds: usize,
    mut contenders: [&mut dyn FnMut() -> f64; N],
) -> Vec<[f64; N]> {
    let one = |round: usize| {
        let mut measured = [0.0; N];
        for place in 0..N {
            let place = if round.is_multiple_of(2) { place } else { N - 1 - place };
            measured[place] = contenders[place]();
        }
        measured
    };
    (0..rounds).map(one).collect()
}

/// The least that each contender measured in so many rounds after each other, as one round.
///
/// For differences between contenders, which what disturbs one of them would hide.
pub(crate) fn least<const N: usize>(rounds: &[[f64; N]], of: usize) -> Vec<[f64; N]> {
    let least = |rounds: &[[f64; N]]| {
        std::array::from_fn(|nth| {
            rounds.iter().map(|round| round[nth]).fold(f64::INFINITY, f64::min)
        })
    };
    rounds.chunks_exact(of).map(least).collect()
}

/// Of these rounds, those of two contenders.
pub(crate) fn pairs<const N: usize>(
    rounds: &[[f64; N]],
    ours: usize,
    peer: usize,
) -> Vec<(f64, f64)> {
    rounds.iter().map(|round| (round[ours], round[peer])).collect()
}

/// Both numbers of each round, multiplied: nanoseconds in another unit.
pub(crate) fn scaled(rounds: &[(f64, f64)], by: f64) -> Vec<(f64, f64)> {
    rounds.iter().map(|(ours, peer)| (ours * by, peer * by)).collect()
}

/// Nanoseconds a call.
pub(crate) fn each(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Nanoseconds of one call, without the time to drop what it makes.
pub(crate) fn once<T>(call: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let made = call();
    let elapsed = start.elapsed();
    drop(made);
    elapsed.as_nanos() as f64
}
