//! The PMUs of a vendor, found by their names.

use super::table::{find_place, same};
use crate::pmu::Pmu;

/// The PMUs of a vendor.
pub(crate) struct Pmus {
    pub(super) slots: &'static [u16],
    pub(crate) list: &'static [Pmu],
}

impl Pmus {
    pub(crate) fn find(&self, hash: u32, name: &str) -> Option<&'static Pmu> {
        find_place(self.slots, hash, |number| {
            self.list.get(number).filter(|pmu| same(pmu.name, name))
        })
    }
}
