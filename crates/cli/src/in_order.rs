//! Work on many items by several threads, with the results in the order of the items.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Builder};

/// The most results of a thread that wait, so that the threads do not run far ahead of the caller.
const WAITING: usize = 1;

/// The fewest items for which a thread is worth its start.
const FEWEST: usize = 8;

/// The most threads: more of them wait for the disk or for the caller.
const MOST: usize = 8;

/// Calls `each` with every item and what `work` makes of it.
pub fn in_order<'i, T: Sync, R: Send>(
    items: &'i [T],
    work: impl Fn(&T) -> R + Sync,
    each: impl FnMut(&'i T, R),
) {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    by_threads(processors.min(MOST).min(items.len() / FEWEST), items, work, each);
}

/// The same with this number of threads; with less than two, the caller works itself.
fn by_threads<'i, T: Sync, R: Send>(
    threads: usize,
    items: &'i [T],
    work: impl Fn(&T) -> R + Sync,
    mut each: impl FnMut(&'i T, R),
) {
    if threads < 2 {
        return items.iter().for_each(|item| each(item, work(item)));
    }
    let work = &work;
    thread::scope(|scope| {
        let start = |first| {
            let (results, taken) = sync_channel(WAITING);
            let run = move || {
                let mut own = items.iter().skip(first).step_by(threads);
                own.try_for_each(|item| results.send(work(item)).ok())
            };
            // If the thread cannot be started, nothing is sent.
            let _ = Builder::new().spawn_scoped(scope, run);
            taken
        };
        let taken: Vec<Receiver<R>> = (0..threads).map(start).collect();
        for (at, item) in items.iter().enumerate() {
            let result = taken[at % threads].recv();
            // A thread that could not be started, or that panicked, which the scope repeats, sends nothing.
            each(item, result.unwrap_or_else(|_| work(item)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    #[test]
    fn every_item_is_worked_on_and_in_its_order() {
        for (threads, count) in [(0, 20), (1, 20), (2, 0), (2, 1), (3, 50), (8, 100)] {
            let items: Vec<u64> = (0..count).collect();
            let work = |item: &u64| {
                // The threads end their work in another order.
                thread::sleep(Duration::from_micros(item * 7919 % 500));
                item * 3
            };
            let mut results = Vec::new();
            by_threads(threads, &items, work, |item, result| results.push((*item, result)));
            let expected: Vec<(u64, u64)> = items.iter().map(|item| (*item, item * 3)).collect();
            assert_eq!(results, expected);
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_ends_the_threads() {
        let items: Vec<u32> = (0..100).collect();
        let in_work = || by_threads(3, &items, |item| assert_ne!(*item, 50), |_, ()| {});
        assert!(catch_unwind(AssertUnwindSafe(in_work)).is_err());
        let in_each = || by_threads(3, &items, |item| *item, |_, result| assert_ne!(result, 50));
        assert!(catch_unwind(AssertUnwindSafe(in_each)).is_err());
    }
}
