//! IBM's POWER processors. From POWER8 on a code holds the number of its counter (Power ISA, "Performance Monitor
//! Facility"); earlier ones count in groups of events.

use super::plain::PLAIN;
use crate::counters::set::{CounterSet, FIXED};
use crate::field::{Field, bits};
use crate::pmu::{Family, Pmu};

pub(crate) static FAMILY: Family = Family { counters, ..PLAIN };

/// The counter that counts the event, 0 for any of the general ones.
const PMC: Field = bits(16, 4);

/// PMC1 to PMC4 are general; PMC5 and PMC6 count instructions and cycles.
fn counters(_: &Pmu, set: CounterSet, code: u64, _: Option<u64>) -> u64 {
    match PMC.get(code) {
        0 => set.general,
        pmc @ 1..=4 => 1 << (pmc - 1),
        pmc @ 5..=6 => 1 << (u64::from(FIXED) + pmc - 5),
        _ => 0,
    }
}
