//! Assignment of events to counters: exact, in the model's order of preference, without allocation.
//!
//! A family gives each event the set of counters that may hold it, as bits; a lower bit is preferred.
//! Events come in the order in which they choose. The answer is the lexicographically first complete one:
//! the first event has the best counter with which all others still find theirs, and so on.
//! First fit finds it whenever first fit finds any; otherwise augmenting paths do.

/// At most this many events are assigned at once.
pub(crate) const MOST: usize = 64;

/// The counter of each event, in the same order; `None` when there is none.
pub(crate) fn assign(allowed: &[u64]) -> Option<Counters> {
    let mut counters = Counters { of: [0; MOST], count: allowed.len().min(MOST) };
    if allowed.len() > MOST || !(first_fit(allowed, &mut counters) || exact(allowed, &mut counters))
    {
        return None;
    }
    Some(counters)
}

/// As [`assign`], but the events choose in this order, which holds each once.
pub(crate) fn assign_in_order(allowed: &[u64], order: &[usize]) -> Option<Counters> {
    let mut chosen = [0; MOST];
    for (place, &event) in order.iter().enumerate().take(MOST) {
        chosen[place] = allowed[event];
    }
    let found = assign(&chosen[..order.len().min(MOST)])?;
    let mut counters = found;
    for (place, &event) in order.iter().enumerate() {
        counters.of[event] = found.of[place];
    }
    Some(counters)
}

/// Returns true if the events find counters where each takes the first that is free, in this order, and none gives way.
pub(crate) fn fits_in_order(allowed: &[u64], order: &[usize]) -> bool {
    let mut used = 0u64;
    order.iter().all(|&event| {
        let free = allowed[event] & !used;
        used |= free & free.wrapping_neg();
        free != 0
    })
}

/// The lexicographically first complete assignment that is accepted, for families whose rules look at
/// several counters at once. It tries them all, so the events must be few or the rules kind.
pub(crate) fn assign_accepted(
    allowed: &[u64],
    mut accept: impl FnMut(&[u8]) -> bool,
) -> Option<Counters> {
    let mut counters = Counters { of: [0; MOST], count: allowed.len() };
    let mut used = 0u64;
    // The counters that each event has still to try; those below the current event have one taken.
    let mut left = [0u64; MOST];
    let mut event = 0;
    if allowed.len() > MOST {
        return None;
    }
    left[..1].copy_from_slice(allowed.get(..1).unwrap_or(&[0]));
    loop {
        if event == allowed.len() {
            if accept(&counters) {
                return Some(counters);
            }
        } else if left[event] & !used != 0 {
            let counter = (left[event] & !used).trailing_zeros() as u8;
            left[event] &= !(1 << counter) & !((1 << counter) - 1);
            counters.of[event] = counter;
            used |= 1 << counter;
            event += 1;
            if event < allowed.len() {
                left[event] = allowed[event];
            }
            continue;
        }
        if event == 0 {
            return None;
        }
        event -= 1;
        used &= !(1 << counters.of[event]);
    }
}

/// The counter of each event.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    of: [u8; MOST],
    count: usize,
}

impl Counters {
    /// For so many events, all on counter 0 as yet; `None` if they are too many.
    pub(crate) fn none(count: usize) -> Option<Counters> {
        (count <= MOST).then_some(Counters { of: [0; MOST], count })
    }

    pub(crate) fn set(&mut self, event: usize, counter: u8) {
        self.of[event] = counter;
    }
}

impl std::ops::Deref for Counters {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.of[..self.count]
    }
}

fn first_fit(allowed: &[u64], counters: &mut Counters) -> bool {
    let mut used = 0u64;
    for (allowed, counter) in allowed.iter().zip(&mut counters.of) {
        let free = allowed & !used;
        if free == 0 {
            return false;
        }
        used |= free & free.wrapping_neg();
        *counter = free.trailing_zeros() as u8;
    }
    true
}

fn exact(allowed: &[u64], counters: &mut Counters) -> bool {
    let mut matching = Matching::new();
    if !(0..allowed.len()).all(|event| matching.augment(allowed, event, 0)) {
        return false;
    }
    let mut settled = 0u64;
    for (event, allowed_here) in allowed.iter().enumerate() {
        let own = matching.counter[event];
        let mut better = allowed_here & !settled & ((1u64 << own) - 1);
        while better != 0 {
            let wanted = better.trailing_zeros() as u8;
            better &= better - 1;
            if matching.take(allowed, event, wanted, settled) {
                break;
            }
        }
        settled |= 1 << matching.counter[event];
    }
    counters.of = matching.counter;
    true
}

const NOBODY: u8 = u8::MAX;

/// A matching of events with counters that grows.
struct Matching {
    counter: [u8; MOST],
    owner: [u8; 64],
    used: u64,
}

impl Matching {
    fn new() -> Matching {
        Matching { counter: [0; MOST], owner: [NOBODY; 64], used: 0 }
    }

    /// Finds a counter for an event that has none, moving others where it must, but off none of `settled`.
    fn augment(&mut self, allowed: &[u64], event: usize, settled: u64) -> bool {
        let mut queue = [0u8; MOST];
        let mut parent = [NOBODY; 64];
        let (mut next, mut end) = (0, 1);
        let mut seen = settled;
        queue[0] = event as u8;
        while next < end {
            let from = queue[next];
            next += 1;
            let new = allowed[usize::from(from)] & !seen;
            let free = new & !self.used;
            if free != 0 {
                self.shift(event as u8, from, free.trailing_zeros() as u8, &parent);
                return true;
            }
            seen |= new;
            let mut rest = new;
            while rest != 0 {
                let owner = self.owner[rest.trailing_zeros() as usize];
                rest &= rest - 1;
                parent[usize::from(owner)] = from;
                queue[end] = owner;
                end += 1;
            }
        }
        false
    }

    /// Gives `from` the free counter, `from`'s own to the event that led to it, and so on up to `event`.
    fn shift(&mut self, event: u8, mut from: u8, mut free: u8, parent: &[u8; 64]) {
        self.used |= 1 << free;
        loop {
            let old = self.counter[usize::from(from)];
            self.counter[usize::from(from)] = free;
            self.owner[usize::from(free)] = from;
            if from == event {
                return;
            }
            free = old;
            from = parent[usize::from(from)];
        }
    }

    /// Moves an event to a counter, if its owner then finds another.
    fn take(&mut self, allowed: &[u64], event: usize, wanted: u8, settled: u64) -> bool {
        let (old, owner) = (self.counter[event], self.owner[usize::from(wanted)]);
        let wanted_used = self.used >> wanted & 1 != 0;
        self.used = self.used & !(1 << old) | 1 << wanted;
        self.counter[event] = wanted;
        self.owner[usize::from(wanted)] = event as u8;
        if !wanted_used || self.augment(allowed, owner.into(), settled | 1 << wanted) {
            return true;
        }
        self.used |= 1 << old;
        self.counter[event] = old;
        self.owner[usize::from(wanted)] = owner;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every complete assignment, in lexicographic order; the first one.
    fn brute_force(allowed: &[u64], used: u64) -> Option<Vec<u8>> {
        let Some((first, rest)) = allowed.split_first() else { return Some(Vec::new()) };
        (0..64).filter(|counter| first & !used & 1 << counter != 0).find_map(|counter| {
            let mut tail = brute_force(rest, used | 1 << counter)?;
            tail.insert(0, counter);
            Some(tail)
        })
    }

    proptest! {
        #[test]
        fn the_answer_is_the_first_of_all(allowed in prop::collection::vec(0u64..64, 0..7)) {
            let found = assign(&allowed).map(|found| found.to_vec());
            prop_assert_eq!(&found, &brute_force(&allowed, 0));
            let accepted = assign_accepted(&allowed, |_| true).map(|found| found.to_vec());
            prop_assert_eq!(&found, &accepted);
        }

        #[test]
        fn the_order_of_events_decides_nothing(
            allowed in prop::collection::vec(prop_oneof![0u64..4096, Just(3), Just(0xc0f)], 0..13),
        ) {
            let found = assign(&allowed).is_some();
            let reversed: Vec<u64> = allowed.iter().rev().copied().collect();
            prop_assert_eq!(found, assign(&reversed).is_some());
            let mut sorted = allowed.clone();
            sorted.sort_unstable();
            prop_assert_eq!(found, assign(&sorted).is_some());
        }

        #[test]
        fn only_accepted_ones_are_taken(allowed in prop::collection::vec(0u64..32, 1..5)) {
            let last_on_even = |counters: &[u8]| counters.last().is_some_and(|last| last % 2 == 0);
            if let Some(found) = assign_accepted(&allowed, last_on_even) {
                prop_assert!(last_on_even(&found));
                prop_assert!(found.iter().zip(&allowed).all(|(c, allowed)| allowed >> c & 1 != 0));
            } else {
                let mut even = allowed.clone();
                *even.last_mut().expect("one event") &= 0x5555_5555;
                prop_assert!(assign(&even).is_none());
            }
        }
    }

    #[test]
    fn twelve_equal_events_on_eleven_counters_are_refused() {
        assert!(assign(&[0x7ff; 12]).is_none());
        assert!(assign(&[0xfff; 12]).is_some());
        assert!(assign(&[u64::MAX; 64]).is_some());
    }
}
