//! The errata of the processor about events.

use super::native::Native;
use crate::event_set::EventSet;

impl EventSet {
    /// The numbers of the processor's errata by which an event may count wrongly, by the vendor's list; of a preset or another definition, those of the processor's events that it stands for. Empty for a name that is not found.
    ///
    /// ```
    /// use counterpoint::{EventSet, Machine, Target, pmu};
    ///
    /// let haswell = Machine::of_pmu(pmu::find("hsw").unwrap());
    /// let set = EventSet::with_machine(haswell, Target::ThisThread);
    /// assert_eq!(set.errata("PAPI_LD_INS"), ["HSD29", "HSM30"]);
    /// assert_eq!(set.errata("hsw::MEM_UOPS_RETIRED:ALL_LOADS:u"), ["HSD29", "HSM30"]);
    /// assert!(set.errata("page-faults").is_empty());
    /// ```
    pub fn errata(&self, event: &str) -> Vec<String> {
        let Ok(resolved) = self.resolve_list(event) else { return Vec::new() };
        let of = |native: &Native| {
            let mut parts = native.id.name.split(':');
            self.machine().vendor().errata(parts.next()?, parts.next())
        };
        let lists: Vec<String> = resolved.natives().iter().filter_map(of).collect();
        let numbers =
            lists.iter().flat_map(|list| list.split(',')).map(|number| number.trim().to_string());
        let mut numbers: Vec<String> = numbers.collect();
        numbers.sort();
        numbers.dedup();
        numbers
    }
}
