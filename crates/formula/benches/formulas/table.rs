//! Measures contenders side by side.

use super::turns::{in_turn, once};
use std::hint::black_box;

/// Items per call; this many rows fit the first-level cache.
pub(crate) const ROWS: usize = 256;

/// One contender: a call does the work once.
pub(crate) type Contender<'a> = Box<dyn FnMut() + 'a>;

/// The nanoseconds per item for every contender, in each of many short rounds.
pub(crate) fn measure<const N: usize>(
    items: usize,
    contenders: [Contender<'_>; N],
) -> Vec<[f64; N]> {
    let rounds = if items > 1 << 16 { 100 } else { 1500 };
    let mut timed = contenders.map(|mut work| move || once(&mut work) / items as f64);
    in_turn(rounds, timed.each_mut().map(|work| work as &mut dyn FnMut() -> f64))
}

/// Evaluates every row; the evaluation is inlined if possible.
pub(crate) fn each_row<'a>(
    rows: &'a [[f64; 8]],
    width: usize,
    mut eval: impl FnMut(&[f64]) -> f64 + 'a,
) -> Contender<'a> {
    let work = move || {
        for row in rows {
            black_box(eval(black_box(&row[..width])));
        }
    };
    Box::new(work)
}

/// Does the same work `ROWS` times.
pub(crate) fn repeated<'a>(mut work: impl FnMut() + 'a) -> Contender<'a> {
    Box::new(move || (0..ROWS).for_each(|_| work()))
}
