//! Checks formulas: their names and texts.

use super::{Checker, placed};
use crate::diagnostic::Code;
use crate::page0::Section;
use crate::records::Formula;

impl Checker<'_> {
    pub(super) fn formulas(&mut self) {
        let groups = self.catalog.groups.len();
        for (index, at, formula) in placed(self.catalog, Section::Formula, &self.catalog.formulas) {
            let place = (Section::Formula, Some(index));
            if formula.reserved != 0 {
                self.reserved(place, at + 2);
            }
            if formula.reserved_end != [0; 6] {
                self.reserved(place, at + 10);
            }
            let grouped = formula.flags & Formula::GROUPED != 0;
            if grouped && usize::from(formula.group) >= groups {
                self.add(Code::NoGroup, place, at + 8, "group", || {
                    format!("group {} does not exist; the catalog has {groups}", formula.group)
                });
            }
        }
    }
}
