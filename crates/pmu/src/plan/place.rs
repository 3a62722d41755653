//! One pass: a counter for each event, or the events that conflict.

use std::fmt;

use super::demand::{Claim, Demand};
use super::pass::Pass;

/// Finds a counter for each event, all in one pass: the bit of each, in the order of the events.
///
/// # Errors
/// [`Conflict`] when not all of them can be counted together.
pub fn place(events: &[Demand]) -> Result<Vec<u32>, Conflict> {
    match Pass::of(events, 0..events.len()) {
        Some(pass) => {
            let mut counters = vec![0; events.len()];
            for slot in pass.slots() {
                counters[slot.event] = slot.counter;
            }
            Ok(counters)
        }
        None => Err(conflict(events)),
    }
}

/// Events of which any can be counted together with all others but one: leaving out any single one lets the rest fit.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Conflict {
    /// Their indices.
    pub events: Vec<usize>,
    /// The resource of which they need more than there is.
    pub over: Over,
}

/// A resource of which a set of events needs more than there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Over {
    /// The counters that can count these events, one a bit; fewer than there are events.
    Counters(u64),
    /// A register that several events need different values in.
    Register {
        /// Its kind.
        register: u32,
        /// The number that the PMU has of it.
        copies: u32,
    },
}

/// A sentence with numbers only, because a conflict does not know the names of the events.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = self.events.len();
        match self.over {
            Over::Counters(0) => write!(f, "no counter of this PMU can count the event"),
            Over::Counters(counters) => {
                let plural = if counters.count_ones() == 1 { "" } else { "s" };
                let counters = counters.count_ones();
                write!(
                    f,
                    "{events} events can only be counted by the same {counters} counter{plural}"
                )
            }
            Over::Register { copies, .. } => {
                let plural = if copies == 1 { "" } else { "s" };
                write!(
                    f,
                    "{events} events need different values in {copies} shared register{plural}"
                )
            }
        }
    }
}

impl std::error::Error for Conflict {}

/// Leaves out every event without which the rest still does not fit.
fn conflict(events: &[Demand]) -> Conflict {
    let mut left: Vec<usize> = (0..events.len()).collect();
    for event in 0..events.len() {
        let without: Vec<usize> = left.iter().copied().filter(|&other| other != event).collect();
        if Pass::of(events, without.iter().copied()).is_none() {
            left = without;
        }
    }
    let counters = left.iter().fold(0, |counters, &event| counters | events[event].counters);
    let claims = || left.iter().flat_map(|&event| &events[event].claims);
    let crowded = claims().find(|claim| {
        let values = claims().filter(|other| other.register == claim.register);
        let mut values: Vec<u64> = values.map(|other| other.value).collect();
        values.sort_unstable();
        values.dedup();
        values.len() > claim.copies as usize
    });
    let over = match crowded {
        Some(&Claim { register, copies, .. }) => Over::Register { register, copies },
        None => Over::Counters(counters),
    };
    Conflict { events: left, over }
}
