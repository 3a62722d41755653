//! The P6 family: Pentium Pro to Pentium M. Two counters, some events on one of them only.
//! Source: Intel SDM volume 3, "Performance Monitoring (P6 Family Processor)".

use crate::libpfm3::Assignment;
use crate::libpfm3::engine::{MOST, assign};
use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{
    ENABLE, check_default_plm, check_flags, check_plm, flags, no_assign, plain, threshold,
};
use crate::libpfm3::request::{CounterOptions, ModelInput, Request};
use crate::libpfm3::table::{Marks, Table};

pub(crate) fn rules(_: &Model, table: &Table) -> Box<dyn Rules> {
    let counters = table.events.iter().map(|event| event.words.number("counters"));
    Box::new(P6 { counters: counters.collect(), marks: table.marks(&["umask_combo"]) })
}

struct P6 {
    counters: Vec<u64>,
    marks: Marks,
}

impl Rules for P6 {
    fn family(&self) -> &'static str {
        "p6"
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        matches!(input, ModelInput::P6)
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        check_default_plm(request)?;
        let mut allowed = [0; MOST];
        for (position, event) in request.events.iter().enumerate() {
            check_plm(event, position)?;
            check_flags(event, position, CounterOptions::INVERT | CounterOptions::EDGE)?;
            if event.masks.len() > 1 && self.marks.of_event(event.event) == 0 {
                let reason = "its unit masks cannot be combined";
                return Err(DispatchError::new(ErrorKind::FeatureCombination, reason).at(position));
            }
            allowed[position] = self.counters(table, request, position);
        }
        let counters = assign(&allowed[..request.events.len()]).ok_or_else(no_assign)?;
        let mut assignment = Assignment::with_capacity(request.events.len());
        for (position, (event, counter)) in request.events.iter().zip(counters.iter()).enumerate() {
            let row = &table.events[event.event];
            let masks = table.mask_codes(row, &event.masks);
            let threshold = threshold(&event.options).map_err(|error| error.at(position))?;
            let enable = if *counter == 0 { ENABLE } else { 0 };
            let value = plain(row.code, masks, request.plm(event)) | enable;
            let value = value | threshold | flags(&event.options);
            assignment.pmcs.push(table.pmc((*counter).into(), value));
            assignment.pmds.push(table.pmd((*counter).into()));
        }
        // The register of counter 0 enables both.
        if !counters.contains(&0) && !request.unavailable.contains(0) {
            assignment.pmcs.push(table.pmc(0, ENABLE));
        }
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        let event = request.events.get(event).and_then(|event| self.counters.get(event.event));
        event.map_or(0, |counters| counters & !request.unavailable.low())
    }
}
