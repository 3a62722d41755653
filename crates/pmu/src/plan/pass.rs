//! A pass while it is filled.

use super::demand::{Claim, Demand};

/// An event on its counter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// The index of the event.
    pub event: usize,
    /// The bit of the counter in [`Demand::counters`].
    pub counter: u32,
}

/// Events that are counted together, each on its counter.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    /// The event on each counter, where `used` has its bit.
    owner: [usize; 64],
    used: u64,
    claims: Vec<Claim>,
}

impl Pass {
    pub(super) fn empty() -> Pass {
        Pass { owner: [0; 64], used: 0, claims: Vec::new() }
    }

    /// A pass of these events, if they fit.
    pub(super) fn of(demands: &[Demand], events: impl IntoIterator<Item = usize>) -> Option<Pass> {
        let mut pass = Pass::empty();
        events.into_iter().all(|event| pass.slot(demands, event)).then_some(pass)
    }

    /// This pass with all of these events, if they fit.
    pub(super) fn with(&self, demands: &[Demand], unit: &[usize]) -> Option<Pass> {
        let mut pass = self.clone();
        unit.iter().all(|&event| pass.slot(demands, event)).then_some(pass)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The slot of each event, by event.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = (0..64u32)
            .filter(|&counter| self.used >> counter & 1 != 0)
            .map(|counter| Slot { event: self.owner[counter as usize], counter })
            .collect();
        slots.sort_unstable();
        slots
    }

    pub(super) fn holds(&self, event: usize) -> bool {
        bits(self.used).any(|counter| self.owner[counter] == event)
    }

    /// Finds a counter for one more event, moving others where that helps; changes nothing if there is none.
    fn slot(&mut self, demands: &[Demand], event: usize) -> bool {
        if self.holds(event) {
            return true;
        }
        let claims = self.claims.len();
        for &claim in &demands[event].claims {
            if !self.claim(claim) {
                self.claims.truncate(claims);
                return false;
            }
        }
        let found = self.augment(demands, event);
        if !found {
            self.claims.truncate(claims);
        }
        found
    }

    fn claim(&mut self, claim: Claim) -> bool {
        let same = |held: &&Claim| held.register == claim.register;
        if self.claims.iter().filter(same).any(|held| held.value == claim.value) {
            return true;
        }
        let free = self.claims.iter().filter(same).count() < claim.copies as usize;
        if free {
            self.claims.push(claim);
        }
        free
    }

    /// Breadth first from the new event over counters it can have, to the events on them, to counters they can
    /// have instead, until one is free (an augmenting path of a bipartite matching).
    fn augment(&mut self, demands: &[Demand], event: usize) -> bool {
        // The event that is to be moved, and the counter that it has now; the new event has none.
        let mut queue = [(event, 64u8); 65];
        // For each counter reached, the place in the queue that reached it.
        let mut from = [0u8; 64];
        let (mut head, mut tail, mut reached) = (0, 1, 0u64);
        while head < tail {
            let open = demands[queue[head].0].counters & !reached;
            let free = open & !self.used;
            if free != 0 {
                let mut counter = 63 - free.leading_zeros() as usize;
                self.used |= 1 << counter;
                let mut place = head;
                loop {
                    let (mover, left) = queue[place];
                    self.owner[counter] = mover;
                    if place == 0 {
                        return true;
                    }
                    counter = left as usize;
                    place = from[counter] as usize;
                }
            }
            for counter in bits(open) {
                reached |= 1 << counter;
                from[counter] = head as u8;
                queue[tail] = (self.owner[counter], counter as u8);
                tail += 1;
            }
            head += 1;
        }
        false
    }
}

/// The bits that are set, lowest first.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
