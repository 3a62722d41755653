//! Bounds on the number of passes.

use super::demand::Demand;
use super::pass::bits;
use std::collections::{BTreeMap, BTreeSet};

/// The events on each counter over all passes, as evenly as can be.
///
/// The longest of them is the fewest passes that there can be: a pass uses each counter once.
/// For events that are in no unit and claim nothing it is also enough, because any choice of one event of each counter makes
/// a pass.
pub(super) struct Spread {
    pub(super) counters: [Vec<usize>; 64],
    pub(super) passes: usize,
}

impl Spread {
    pub(super) fn new(demands: &[Demand], events: &BTreeSet<usize>) -> Spread {
        let mut spread = Spread { counters: [const { Vec::new() }; 64], passes: 0 };
        for &event in events {
            while !spread.slot(demands, event) {
                spread.passes += 1;
            }
        }
        spread
    }

    /// Gives an event a counter that has fewer events than there are passes, moving others where that helps: breadth
    /// first over counters and the events on them.
    fn slot(&mut self, demands: &[Demand], event: usize) -> bool {
        // The event that is to be moved, from which place in the queue it was reached, and the counter it has now.
        let mut queue = vec![(event, 0, 64)];
        let (mut head, mut reached) = (0, 0u64);
        while head < queue.len() {
            for counter in bits(demands[queue[head].0].counters & !reached) {
                reached |= 1 << counter;
                if self.counters[counter].len() < self.passes {
                    self.move_along(&queue, head, counter);
                    return true;
                }
                queue.extend(self.counters[counter].iter().map(|&owner| (owner, head, counter)));
            }
            head += 1;
        }
        false
    }

    /// Moves the event at `place` of the queue to a counter, the one that reached it to where it was, and so on.
    fn move_along(
        &mut self,
        queue: &[(usize, usize, usize)],
        mut place: usize,
        mut counter: usize,
    ) {
        loop {
            let (event, reached_by, left) = queue[place];
            self.counters[counter].push(event);
            if place == 0 {
                return;
            }
            self.counters[left].retain(|&owner| owner != event);
            (place, counter) = (reached_by, left);
        }
    }
}

/// So many passes that their registers together have room for every value that is claimed.
pub(super) fn by_claims(demands: &[Demand], events: &BTreeSet<usize>) -> usize {
    let mut values: BTreeMap<(u32, u32), BTreeSet<u64>> = BTreeMap::new();
    for claim in events.iter().flat_map(|&event| &demands[event].claims) {
        values.entry((claim.register, claim.copies)).or_default().insert(claim.value);
    }
    let passes =
        values.iter().map(|((_, copies), values)| values.len().div_ceil((*copies).max(1) as usize));
    passes.max().unwrap_or(0)
}
