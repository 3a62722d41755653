//! Which counter holds which event, with the cache events that select a set for their neighbours.

use super::events::{Cache, Facts};
use crate::libpfm3::engine::{self, Counters};
use crate::libpfm3::{DispatchError, ErrorKind};

/// The counters of Montecito.
const EVERY: u64 = 0xfff0;

/// Itanium 2: the L1D event on PMC5 and the L2 event on PMC4 select the set of all events of their cache, and the
/// latter their unit mask too (Itanium 2 Reference Manual for Software Development and Optimization).
pub(super) fn itanium2(events: &[&Facts], allowed: &[u64]) -> Result<Counters, DispatchError> {
    let clash = first_clash(events);
    if clash == Some(ErrorKind::EventSets) {
        return Err(DispatchError::new(ErrorKind::EventSets, "cache events of several sets"));
    }
    if let Some(refusal) = two_cancelled(events) {
        return Err(if clash.is_some() { no_assignment() } else { refusal });
    }
    if sets(events, Cache::L1d).count() > 1 || sets(events, Cache::L2).count() > 1 {
        return Err(no_assignment());
    }
    engine::assign_accepted(allowed, |counters| selects(events, counters)).ok_or_else(no_assignment)
}

/// Returns true if libpfm-3 refuses events that [`itanium2`] finds counters for: their order decides there.
pub(super) fn libpfm3_refuses_itanium2(events: &[&Facts]) -> bool {
    first_clash(events).is_some()
}

pub(super) fn no_assignment() -> DispatchError {
    DispatchError::new(ErrorKind::NoAssign, "the events want the same counters")
}

/// The first pair of events of a cache that may not be together: two sets, or two unit masks of an L2 set.
fn first_clash(events: &[&Facts]) -> Option<ErrorKind> {
    let pairs = events
        .iter()
        .enumerate()
        .flat_map(|(index, first)| events[index + 1..].iter().map(move |second| (first, second)));
    pairs
        .filter(|(first, second)| first.cache == second.cache && first.cache != Cache::None)
        .find_map(|(first, second)| {
            let masks = first.cache == Cache::L2 && !matches!(first.set, 1 | 2);
            if first.set != second.set {
                Some(ErrorKind::EventSets)
            } else if masks && second.umask != 0 && second.umask != first.umask {
                Some(ErrorKind::NoAssign)
            } else {
                None
            }
        })
}

fn selects(events: &[&Facts], counters: &[u8]) -> bool {
    let on = |counter| counters.iter().position(|&c| c == counter).map(|index| events[index]);
    let counts = |cache| events.iter().any(|event| event.cache == cache);
    if counts(Cache::L1d) && on(5).is_none_or(|event| event.cache != Cache::L1d) {
        return false;
    }
    if !counts(Cache::L2) {
        return true;
    }
    on(4).is_some_and(|key| {
        let other_mask = |event: &&Facts| {
            event.cache == Cache::L2 && event.umask != 0 && event.umask != key.umask
        };
        key.cache == Cache::L2 && (matches!(key.set, 1 | 2) || !events.iter().any(other_mask))
    })
}

/// Montecito: an L1D event on PMC5 selects the set of all L1D events; the L2D events on PMC4 and PMC6 select two
/// sets (Dual-Core Update to the Itanium 2 Processor Reference Manual).
pub(super) fn montecito(events: &[&Facts], allowed: &[u64]) -> Result<Counters, DispatchError> {
    if sets(events, Cache::L1d).count() > 1 || sets(events, Cache::L2).count() > 2 {
        return Err(DispatchError::new(ErrorKind::EventSets, "cache events of too many sets"));
    }
    if let Some(refusal) = two_cancelled(events) {
        return Err(refusal);
    }
    usual_slots(events, allowed).or_else(|| keys_first(events, allowed)).ok_or_else(no_assignment)
}

/// Returns true if libpfm-3 finds counters: each event takes the lowest one that is left.
pub(super) fn libpfm3_assigns_montecito(events: &[&Facts], allowed: &[u64]) -> bool {
    let (pinned, order) = usual(events, allowed);
    engine::fits_in_order(&pinned, &order)
}

fn usual_slots(events: &[&Facts], allowed: &[u64]) -> Option<Counters> {
    let (pinned, order) = usual(events, allowed);
    engine::assign_in_order(&pinned, &order)
}

/// The slots that libpfm-3 uses, and the order in which the events choose: 5 for the last L1D event; 4, 5, 8 and 6, 7, 9 for
/// the first events of each L2D set; for the others what is left, first for those that not every counter can hold.
fn usual(events: &[&Facts], allowed: &[u64]) -> (Vec<u64>, Vec<usize>) {
    let mut slots: Vec<Option<u8>> = vec![None; events.len()];
    if let Some(last) = events.iter().rposition(|event| event.cache == Cache::L1d) {
        slots[last] = Some(5);
    }
    for (set, usual) in sets(events, Cache::L2).zip(SLOTS) {
        let members = (0..events.len()).filter(|&index| is_of(events[index], Cache::L2, set));
        for (index, slot) in members.zip(usual) {
            slots[index] = Some(slot);
        }
    }
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by_key(|&index| (slots[index].is_none(), events[index].counters == EVERY));
    let pinned = slots
        .iter()
        .zip(allowed)
        .map(|(slot, allowed)| slot.map_or(*allowed, |slot| allowed & 1 << slot));
    (pinned.collect(), order)
}

/// The slots of a set, its key first: PMC4 or PMC6 selects for its two neighbours.
const SLOTS: [[u8; 3]; 2] = [[4, 5, 8], [6, 7, 9]];

/// An event on each key counter, small sets on the slots of their key, and any assignment of the others.
///
/// Every counter can hold a cache event, so that the first of each set can be the key.
fn keys_first(events: &[&Facts], allowed: &[u64]) -> Option<Counters> {
    let mut pinned = allowed.to_vec();
    if let Some(key) = events.iter().position(|event| event.cache == Cache::L1d) {
        pinned[key] &= 1 << 5;
    }
    [[SLOTS[0], SLOTS[1]], [SLOTS[1], SLOTS[0]]].into_iter().find_map(|slots| {
        let mut pinned = pinned.clone();
        for (set, slots) in sets(events, Cache::L2).zip(slots) {
            let members: Vec<usize> =
                (0..events.len()).filter(|&index| is_of(events[index], Cache::L2, set)).collect();
            pinned[members[0]] &= 1 << slots[0];
            if members.len() <= slots.len() {
                members.iter().for_each(|&index| {
                    pinned[index] &= slots.iter().fold(0, |set, slot| set | 1 << slot)
                });
            }
        }
        engine::assign(&pinned)
    })
}

/// The sets that events of a cache belong to, in the order of their first events.
fn sets(events: &[&Facts], cache: Cache) -> impl Iterator<Item = u8> {
    events.iter().enumerate().filter_map(move |(index, event)| {
        let seen = events[..index].iter().any(|before| is_of(before, cache, event.set));
        (event.cache == cache && !seen).then_some(event.set)
    })
}

fn is_of(event: &Facts, cache: Cache, set: u8) -> bool {
    event.cache == cache && event.set == set
}

fn two_cancelled(events: &[&Facts]) -> Option<DispatchError> {
    let cancelled = events.iter().filter(|event| event.cancel).count();
    let reason = "only one event of cancelled requests can be counted";
    (cancelled > 1).then(|| DispatchError::new(ErrorKind::Invalid, reason))
}
