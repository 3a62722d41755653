//! The one line that every benchmark of the project prints for what it measured; `cargo xtask bench` collects them.

/// The most that ours may cost.
#[allow(dead_code, reason = "each benchmark has limits of its own kinds")]
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// None: the number is for reading.
    None,
    /// So many times the peer.
    Times(f64),
    /// So much more than the peer, in the row's unit.
    More(f64),
    /// So much, in the row's unit, whatever a peer takes.
    Most(f64),
}

/// Prints what was measured in `unit`, beside a peer if there is one; false if it is over the limit.
///
/// The columns, between tabs: name, ours, peer, ratio, limit, verdict.
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
