//! Measuring contenders side by side.

use std::hint::black_box;
use std::time::Instant;

/// Items of one call; so many rows fit into the nearest cache.
pub(crate) const ROWS: usize = 256;

/// What is measured: one call does the work once.
pub(crate) type Contender<'a> = Box<dyn FnMut() + 'a>;

/// For every contender the nanoseconds per item.
///
/// They take turns in short rounds of which the fastest counts: what else the machine does slows down all or none.
pub(crate) fn measure<const N: usize>(
    items: usize,
    mut contenders: [Contender<'_>; N],
) -> [f64; N] {
    const ROUNDS: usize = 1500;
    let mut fastest = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (work, fastest) in contenders.iter_mut().zip(&mut fastest) {
            let start = Instant::now();
            work();
            *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9 / items as f64);
        }
    }
    fastest
}

/// Evaluates every row; the evaluation is inlined where it can be.
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

/// Does the same `ROWS` times.
pub(crate) fn repeated<'a>(mut work: impl FnMut() + 'a) -> Contender<'a> {
    Box::new(move || (0..ROWS).for_each(|_| work()))
}
