//! The line that every benchmark of the project prints for each measurement; `cargo xtask bench` collects them.
//!
//! A measurement is a number of rounds, in each of which the contenders take turns (`turns.rs`).
//! The columns, separated by tabs: name, median, minimum, peer with its median, ratio, spread, limit, verdict.
//! The spread is that of what the limit is about: it reaches from the lower to the upper quartile over the rounds, and as far as what follows from the minima alone.
//! A row is over its limit only if the whole spread is: on a busy machine, rounds that were held up do not make a row fail.

#![allow(dead_code, reason = "each benchmark uses only some of it")]

/// The limit on our cost.
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

/// Prints a measurement beside that of a peer, each round with our cost and the peer's in `unit`; returns false if it is over the limit.
pub(crate) fn compared(
    name: &str,
    unit: &str,
    peer: &str,
    rounds: &[(f64, f64)],
    limit: Limit,
) -> bool {
    let (ours, theirs): (Vec<f64>, Vec<f64>) = rounds.iter().copied().unzip();
    let by = |of: fn(f64, f64) -> f64| {
        let each: Vec<f64> = rounds.iter().map(|(ours, theirs)| of(*ours, *theirs)).collect();
        let minima = [minimum(&ours), minimum(&theirs)];
        // Differences of measurements may be negative; their minima say nothing.
        let are_costs = minima.iter().all(|minimum| *minimum > 0.0);
        Spread::new(&each, are_costs.then(|| of(minima[0], minima[1])))
    };
    let ratio = by(|ours, theirs| ours / theirs);
    let (spread, limit) = match limit {
        Limit::None => (ratio.shown(""), None),
        Limit::Times(times) => (ratio.shown(""), Some((format!("x {times:.3}"), ratio, times))),
        Limit::More(more) => {
            let difference = by(|ours, theirs| ours - theirs);
            (difference.shown(unit), Some((format!("+{more} {unit}"), difference, more)))
        }
        Limit::Most(most) => {
            let own = Spread::new(&ours, Some(minimum(&ours)));
            (own.shown(unit), Some((format!("{most} {unit}"), own, most)))
        }
    };
    let peer = format!("{peer} {}", shown(median(&theirs), unit));
    print(name, unit, &ours, [&peer, &format!("x {:.3}", ratio.median), &spread], limit)
}

/// Prints a measurement without a peer, each round in `unit`; returns false if it is over the limit.
///
/// # Panics
///
/// If the limit is relative to a peer.
pub(crate) fn alone(name: &str, unit: &str, rounds: &[f64], limit: Limit) -> bool {
    let own = Spread::new(rounds, Some(minimum(rounds)));
    let limit = match limit {
        Limit::None => None,
        Limit::Most(most) => Some((format!("{most} {unit}"), own, most)),
        Limit::Times(_) | Limit::More(_) => panic!("{name}: a relative limit, and no peer"),
    };
    print(name, unit, rounds, ["", "", &own.shown(unit)], limit)
}

/// Prints a row, with the limit as text, what it is held against, and its number.
fn print(
    name: &str,
    unit: &str,
    ours: &[f64],
    [peer, ratio, spread]: [&str; 3],
    limit: Option<(String, Spread, f64)>,
) -> bool {
    let within = limit.as_ref().is_none_or(|(_, held, limit)| held.low <= *limit);
    let verdict = match limit {
        None => "",
        Some(_) if within => "ok",
        Some(_) => "over",
    };
    let [median, minimum] = [median(ours), minimum(ours)].map(|value| shown(value, unit));
    let limit = limit.map(|(text, ..)| text).unwrap_or_default();
    println!(
        "{name:<46}\t{median:>12}\t{minimum:>12}\t{peer:>30}\t{ratio:>8}\t{spread:>20}\t{limit:>10}\t{verdict}"
    );
    within
}

/// The median over the rounds, and the interval in which a value lies.
#[derive(Clone, Copy)]
struct Spread {
    median: f64,
    low: f64,
    high: f64,
}

impl Spread {
    /// The interval of the quartiles, extended to the value that follows from the minima.
    fn new(rounds: &[f64], of_minima: Option<f64>) -> Spread {
        let [low, median, high] = [0.25, 0.5, 0.75].map(|part| quantile(rounds, part));
        let of_minima = of_minima.unwrap_or(median);
        Spread { median, low: low.min(of_minima), high: high.max(of_minima) }
    }

    fn shown(self, unit: &str) -> String {
        format!("{:.*} to {}", decimals(self.high), self.low, shown(self.high, unit))
            .trim_end()
            .to_string()
    }
}

fn shown(value: f64, unit: &str) -> String {
    format!("{value:.*} {unit}", decimals(value))
}

fn decimals(value: f64) -> usize {
    match value.abs() {
        100.0.. => 0,
        10.0.. => 2,
        _ => 3,
    }
}

/// The median over the rounds.
pub(crate) fn median(rounds: &[f64]) -> f64 {
    quantile(rounds, 0.5)
}

/// The value below which this part of the rounds lies; NaN without rounds.
fn quantile(rounds: &[f64], part: f64) -> f64 {
    let mut sorted = rounds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1) as f64;
    sorted.get((part * last).round() as usize).copied().unwrap_or(f64::NAN)
}

fn minimum(rounds: &[f64]) -> f64 {
    rounds.iter().copied().fold(f64::INFINITY, f64::min)
}
