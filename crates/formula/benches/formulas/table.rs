//! Measures contenders side by side.

use std::hint::black_box;
use std::time::Instant;

/// Items per call; this many rows fit the first-level cache.
pub(crate) const ROWS: usize = 256;

/// One contender: a call does the work once.
pub(crate) type Contender<'a> = Box<dyn FnMut() + 'a>;

/// The nanoseconds per item for every contender.
///
/// Contenders take turns in short rounds, of which the fastest counts: other load on the machine slows down all of them or none.
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
