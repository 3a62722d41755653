//! The PMUs of a vendor, found by their names.

use super::layout::Slots;
use super::table::{Image, same};
use crate::pmu::Pmu;
use crate::vendor::processor::Processor;

/// The PMUs of a vendor.
pub(crate) struct Pmus {
    pub(super) image: Image,
    pub(super) slots: Slots,
    pub(crate) list: &'static [Pmu],
    pub(crate) processors: &'static [Processor],
}

impl Pmus {
    pub(crate) fn find(&self, hash: u32, name: &str) -> Option<&'static Pmu> {
        self.slots.find(self.image.numbers, hash, |number| {
            self.list.get(number).filter(|pmu| same(pmu.name, name))
        })
    }
}
