//! The line that every benchmark of the project prints per measurement; `cargo xtask bench` collects them.

use std::time::Instant;

/// Milliseconds of the fastest of a number of rounds, without the time to drop the result.
#[allow(dead_code, reason = "some benchmarks let contenders take turns")]
pub(crate) fn least<T>(rounds: usize, call: impl Fn() -> T) -> f64 {
    let time = |_| {
        let start = Instant::now();
        let made = call();
        let elapsed = start.elapsed();
        drop(made);
        elapsed.as_secs_f64() * 1e3
    };
    (0..rounds).map(time).fold(f64::INFINITY, f64::min)
}

/// The limit on our cost.
#[allow(dead_code, reason = "each benchmark uses only some kinds of limits")]
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// No limit: the number is informative.
    None,
    /// A multiple of the peer's cost.
    Times(f64),
    /// An amount above the peer's cost, in the row's unit.
    More(f64),
    /// An absolute amount in the row's unit, whatever the peer's cost.
    Most(f64),
}

/// Prints a measurement in `unit`, with that of a peer if there is one; returns false if it exceeds the limit.
///
/// The columns, separated by tabs: name, ours, peer, ratio, limit, verdict.
pub(crate) fn row(
    name: &str,
    unit: &str,
    ours: f64,
    peer: Option<(&str, f64)>,
    limit: Limit,
) -> bool {
    let show = |value: f64| format!("{value:.*} {unit}", if value < 100.0 { 2 } else { 0 });
    let beside = peer.map_or(f64::NAN, |(_, time)| time);
    let (within, most) = match limit {
        Limit::None => (true, String::new()),
        Limit::Times(times) => (ours <= times * beside, format!("x {times:.3}")),
        Limit::More(more) => (ours <= beside + more, format!("+{more} {unit}")),
        Limit::Most(most) => (ours <= most, format!("{most} {unit}")),
    };
    let verdict = match limit {
        Limit::None => "",
        _ if within => "ok",
        _ => "over",
    };
    let ratio = peer.map(|_| format!("x {:.3}", ours / beside)).unwrap_or_default();
    let peer = peer.map(|(peer, time)| format!("{peer} {}", show(time))).unwrap_or_default();
    println!("{name:<46}\t{:>12}\t{peer:>28}\t{ratio:>8}\t{most:>9}\t{verdict}", show(ours));
    within
}
