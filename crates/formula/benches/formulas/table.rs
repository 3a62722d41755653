//! Measuring contenders side by side.

use std::hint::black_box;
use std::time::Instant;

/// Items of one call; so many rows fit into the nearest cache.
pub(crate) const ROWS: usize = 256;

/// What is measured: one call does the work once.
pub(crate) type Contender<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// Prints for every contender the nanoseconds per item, and how many times those of the first that is.
///
/// They take turns in short rounds of which the fastest counts: what else the machine does slows down all or none.
pub(crate) fn row(title: &str, items: usize, contenders: &mut [Contender<'_>]) {
    const ROUNDS: usize = 1500;
    let mut fastest = vec![f64::INFINITY; contenders.len()];
    for _ in 0..ROUNDS {
        for ((_, work), fastest) in contenders.iter_mut().zip(&mut fastest) {
            let start = Instant::now();
            work();
            *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9 / items as f64);
        }
    }
    print!("{title:<24}");
    for ((name, _), time) in contenders.iter().zip(&fastest) {
        print!("  {name} {time:.2} ({:.2})", time / fastest[0]);
    }
    println!();
}

/// Evaluates every row; the evaluation is inlined where it can be.
pub(crate) fn each_row<'a>(
    name: &'static str,
    rows: &'a [[f64; 8]],
    width: usize,
    mut eval: impl FnMut(&[f64]) -> f64 + 'a,
) -> Contender<'a> {
    let work = move || {
        for row in rows {
            black_box(eval(black_box(&row[..width])));
        }
    };
    (name, Box::new(work))
}

/// Does the same `ROWS` times.
pub(crate) fn repeated<'a>(name: &'static str, mut work: impl FnMut() + 'a) -> Contender<'a> {
    (name, Box::new(move || (0..ROWS).for_each(|_| work())))
}
