//! Assignment of events to registers that share a few counters: groups of registers, of each of
//! which only so many can be used at once.
//!
//! As in [`engine`](super::engine), a lower bit is preferred, and the answer is the lexicographically first one.

use super::engine::{Counters, MOST};

const NOBODY: u8 = u8::MAX;

/// The registers of each group, and how many of them can be used at once.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a> {
    pub(crate) members: &'a [u64],
    pub(crate) capacity: &'a [u32],
}

impl Groups<'_> {
    /// The registers of a set that can still be used besides those that are.
    fn open(&self, used: u64) -> u64 {
        let groups = self.members.iter().zip(self.capacity);
        groups.fold(0, |open, (members, capacity)| {
            let full = (members & used).count_ones() >= *capacity;
            if full { open } else { open | members & !used }
        })
    }

    /// The registers that share a group with one of these.
    fn around(&self, registers: u64) -> u64 {
        let groups = self.members.iter().filter(|members| *members & registers != 0);
        groups.fold(0, |all, members| all | members)
    }
}

/// The register of each event, in the same order; `None` when there is none.
pub(crate) fn assign_grouped(allowed: &[u64], groups: Groups<'_>) -> Option<Counters> {
    let mut registers = Counters::none(allowed.len())?;
    if first_fit(allowed, groups, &mut registers) {
        return Some(registers);
    }
    let mut settled = [0; MOST];
    let settled = settled.get_mut(..allowed.len())?;
    settled.copy_from_slice(allowed);
    let mut matching = fitting(settled, groups)?;
    let mut used = 0;
    for event in 0..allowed.len() {
        let found = matching.register[event];
        // The registers that those before it leave free.
        let better = allowed[event] & ((1 << found) - 1) & groups.open(used);
        settled[event] = 1 << found;
        for register in bits(better) {
            settled[event] = 1 << register;
            if let Some(other) = fitting(settled, groups) {
                matching = other;
                break;
            }
            settled[event] = 1 << found;
        }
        used |= settled[event];
        registers.set(event, settled[event].trailing_zeros() as u8);
    }
    Some(registers)
}

fn first_fit(allowed: &[u64], groups: Groups<'_>, registers: &mut Counters) -> bool {
    let mut used = 0;
    allowed.iter().enumerate().all(|(event, allowed)| {
        let free = allowed & groups.open(used);
        used |= free & free.wrapping_neg();
        registers.set(event, free.trailing_zeros() as u8);
        free != 0
    })
}

/// Some register for every event.
fn fitting(allowed: &[u64], groups: Groups<'_>) -> Option<Matching> {
    let mut matching = Matching { register: [0; MOST], owner: [NOBODY; 64], used: 0 };
    let fits = (0..allowed.len()).all(|event| matching.augment(allowed, groups, event));
    fits.then_some(matching)
}

struct Matching {
    register: [u8; MOST],
    owner: [u8; 64],
    used: u64,
}

impl Matching {
    /// Finds a register for an event that has none, moving others where it must: the owner of a register
    /// that it wants, or, where the group is full, any owner in the group.
    fn augment(&mut self, allowed: &[u64], groups: Groups<'_>, event: usize) -> bool {
        let mut queue = [0u8; MOST];
        // For each event that has to move, the one for which it does, and the register that this one takes.
        let mut parent = [(NOBODY, 0u8); MOST];
        let (mut next, mut end) = (0, 1);
        let mut seen = 0;
        let open = groups.open(self.used);
        queue[0] = event as u8;
        while next < end {
            let from = queue[next];
            next += 1;
            let wanted = allowed[usize::from(from)];
            if wanted & open != 0 {
                self.shift(event as u8, from, (wanted & open).trailing_zeros() as u8, &parent);
                return true;
            }
            for register in bits(wanted) {
                let own = 1 << register;
                let in_way = if self.used & own != 0 { own } else { groups.around(own) };
                for taken in bits(in_way & self.used & !seen) {
                    let owner = self.owner[usize::from(taken)];
                    if owner != from {
                        seen |= 1 << taken;
                        parent[usize::from(owner)] = (from, register);
                        queue[end] = owner;
                        end += 1;
                    }
                }
            }
        }
        false
    }

    /// Gives `from` the open register, and each event that led to it the register that it wanted.
    fn shift(&mut self, event: u8, mut from: u8, mut register: u8, parent: &[(u8, u8); MOST]) {
        loop {
            let old = self.register[usize::from(from)];
            if from != event {
                self.used &= !(1 << old);
            }
            self.register[usize::from(from)] = register;
            self.owner[usize::from(register)] = from;
            self.used |= 1 << register;
            if from == event {
                return;
            }
            (from, register) = parent[usize::from(from)];
        }
    }
}

/// The places of the bits of a set, from the lowest on.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The first of all complete assignments, in lexicographic order.
    fn brute_force(allowed: &[u64], groups: Groups<'_>, used: u64) -> Option<Vec<u8>> {
        let Some((first, rest)) = allowed.split_first() else { return Some(Vec::new()) };
        bits(first & groups.open(used)).find_map(|register| {
            let mut tail = brute_force(rest, groups, used | 1 << register)?;
            tail.insert(0, register);
            Some(tail)
        })
    }

    proptest! {
        #[test]
        fn the_answer_is_the_first_of_all(
            allowed in prop::collection::vec(0u64..256, 0..7),
            capacity in prop::collection::vec(0u32..3, 3),
        ) {
            let groups = Groups { members: &[0b111, 0b11000, 0b11100000], capacity: &capacity };
            let found = assign_grouped(&allowed, groups).map(|found| found.to_vec());
            prop_assert_eq!(found, brute_force(&allowed, groups, 0));
        }
    }
}
