//! The folders in which others keep the metrics of a processor.

use crate::machine::pmus::Machine;
use crate::names::likwid::likwid_folder;

impl Machine {
    /// The name of the directory in which likwid keeps the groups of this processor; `None` if likwid has none.
    pub fn likwid_folder(&self) -> Option<&'static str> {
        self.tables().pmus.iter().find_map(|pmu| likwid_folder(pmu.name))
    }

    /// The PMU of the tables whose groups likwid keeps in a directory; `None` if the tables have none.
    ///
    /// It has a clock, because all groups compute times from the rate of the clock.
    pub fn of_likwid_folder(folder: &str) -> Option<Machine> {
        let is_it = |pmu: &&counterpoint_pmu::Pmu| likwid_folder(pmu.name) == Some(folder);
        counterpoint_pmu::all().find(|pmu| is_it(pmu)).map(Machine::example)
    }
}
