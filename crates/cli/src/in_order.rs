//! Work on many items by all processors, with the results in the order of the items.

use std::num::NonZero;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Builder};

/// How many results of a thread may wait: the threads are not far ahead of who takes the results.
const WAITING: usize = 4;

/// The fewest items for which a thread is worth its start.
const FEWEST: usize = 8;

/// Calls `each` with every item and what `work` makes of it.
pub fn in_order<'i, T: Sync, R: Send>(
    items: &'i [T],
    work: impl Fn(&T) -> R + Sync,
    mut each: impl FnMut(&'i T, R),
) {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = processors.min(items.len() / FEWEST).max(1);
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
        let taken: Vec<Receiver<R>> = (0..threads).filter(|_| threads > 1).map(start).collect();
        for (at, item) in items.iter().enumerate() {
            let result = taken.get(at % threads).and_then(|taken| taken.recv().ok());
            each(item, result.unwrap_or_else(|| work(item)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn every_item_is_worked_on_once_and_in_its_order() {
        for count in 0..100 {
            let items: Vec<u32> = (0..count).collect();
            let mut results = Vec::new();
            in_order(&items, |item| item * 3, |item, result| results.push((*item, result)));
            let expected: Vec<(u32, u32)> = items.iter().map(|item| (*item, item * 3)).collect();
            assert_eq!(results, expected);
        }
    }
}
