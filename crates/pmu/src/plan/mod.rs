//! Which events can be counted together, and in how few passes they can all be counted.
//!
//! A PMU has a few counters, and an event can often sit on some of them only.
//! [`place`] finds a counter for each event of a set, or says which of them are in each other's way; [`plan`] spreads a
//! longer list over as few passes as there can be.
//!
//! ```
//! use counterpoint_pmu::plan::{Demand, place, plan};
//!
//! // Two counters; the third event can only sit on the first of them.
//! let events = [Demand::on(0b11), Demand::on(0b11), Demand::on(0b01)];
//! assert_eq!(place(&events[1..]).unwrap(), [1, 0]);
//! assert_eq!(place(&events).unwrap_err().events, [0, 1, 2]);
//!
//! // A formula divides the first event by the second: they stay together.
//! let plan = plan(&events, &[vec![0, 1]]);
//! assert_eq!(plan.passes.len(), 2);
//! assert!(plan.optimal);
//! ```

mod bound;
mod pass;
mod search;

use pass::Pass;
use std::fmt;

/// What an event asks of the pass that it is counted in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Demand {
    /// The counters that can count it, one a bit. Of several free ones the highest is taken, so that a counter of fixed
    /// purpose belongs above the general ones.
    pub counters: u64,
    /// What it writes to registers that it shares with other events.
    pub claims: Vec<Claim>,
}

/// A value that an event needs in a register that is not a counter's own: two events of one pass that need different
/// values need two such registers.
///
/// The offcore response registers of Intel's processors are such: two of them, for any number of events.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Claim {
    /// The kind of register.
    pub register: u32,
    /// How many the PMU has of it.
    pub copies: u32,
    /// What is written there.
    pub value: u64,
}

impl Demand {
    /// An event that can sit on these counters, and needs nothing else.
    pub fn on(counters: u64) -> Demand {
        Demand { counters, claims: Vec::new() }
    }
}

/// The passes that count every event, as few as were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Each with the events that it counts; an event of several units may be in several passes.
    pub passes: Vec<Vec<Slot>>,
    /// No plan with fewer passes keeps the same units together.
    pub optimal: bool,
    /// No plan can have fewer passes than this.
    pub at_least: usize,
    /// The units that no pass can hold, by their index; their events were planned one by one.
    pub separated: Vec<usize>,
    /// The events that no counter can count.
    pub impossible: Vec<usize>,
}

/// An event on its counter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot {
    /// The index of the event.
    pub event: usize,
    /// The bit of the counter in [`Demand::counters`].
    pub counter: u32,
}

/// Plans the fewest passes that count every event, and every unit of `together` in one pass.
///
/// A unit is a list of indices of events whose counts are only good if they were taken together: the terms of a formula.
/// Events in no unit are on their own.
///
/// The plan is the best there is, and says so, whenever events stand alone and claim nothing, and otherwise for as much
/// search as takes some tens of milliseconds; up to 24 events that is nearly always enough.
/// The same arguments always give the same plan.
pub fn plan(events: &[Demand], together: &[Vec<usize>]) -> Plan {
    let possible: Vec<bool> =
        (0..events.len()).map(|event| Pass::of(events, [event]).is_some()).collect();
    let impossible = (0..events.len()).filter(|&event| !possible[event]).collect();
    let mut plan = Plan { impossible, ..Plan::default() };
    let units = units(events, possible, together, &mut plan.separated);
    search::fill(&mut plan, events, &units);
    plan
}

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
pub struct Conflict {
    /// Their indices.
    pub events: Vec<usize>,
    /// What they need more of than there is.
    pub over: Over,
}

/// What there is too little of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Over {
    /// The counters that these events can sit on, one a bit; fewer than there are events.
    Counters(u64),
    /// A register that several events need different values in.
    Register {
        /// Its kind.
        register: u32,
        /// How many the PMU has of it.
        copies: u32,
    },
}

/// In a sentence, with numbers only: who knows the events' names says them.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = self.events.len();
        match self.over {
            Over::Counters(0) => write!(f, "no counter of this PMU can count the event"),
            Over::Counters(counters) => {
                let plural = if counters.count_ones() == 1 { "" } else { "s" };
                let counters = counters.count_ones();
                write!(f, "{events} events can only sit on the same {counters} counter{plural}")
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

/// The lists of events to keep together, the hardest to place first: the caller's, and each other event alone; without
/// those that are part of another one.
fn units(
    events: &[Demand],
    possible: Vec<bool>,
    together: &[Vec<usize>],
    separated: &mut Vec<usize>,
) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    let mut alone = possible.clone();
    for (index, unit) in together.iter().enumerate() {
        let counted = |event: &usize| possible.get(*event) == Some(&true);
        let mut unit: Vec<usize> = unit.iter().copied().filter(counted).collect();
        unit.sort_by_key(|&event| (&events[event], event));
        unit.dedup();
        if Pass::of(events, unit.iter().copied()).is_some() {
            unit.iter().for_each(|&event| alone[event] = false);
            units.push(unit);
        } else {
            separated.push(index);
        }
    }
    units.extend((0..events.len()).filter(|&event| alone[event]).map(|event| vec![event]));
    units.sort_by_cached_key(|unit| {
        let demands: Vec<&Demand> = unit.iter().map(|&event| &events[event]).collect();
        let choices: u32 = demands.iter().map(|demand| demand.counters.count_ones()).sum();
        (std::cmp::Reverse(unit.len()), choices, demands)
    });
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for unit in units {
        let is_part = |of: &Vec<usize>| unit.iter().all(|event| of.contains(event));
        if !unit.is_empty() && !kept.iter().any(is_part) {
            kept.push(unit);
        }
    }
    kept
}
