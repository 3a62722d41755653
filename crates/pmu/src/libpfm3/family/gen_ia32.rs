//! Architectural performance monitoring of Intel, versions 1 to 3: a few general counters, which take any
//! event, and from version 2 on fixed ones for three.
//! Source: Intel SDM volume 3, "Architectural Performance Monitoring".

use crate::libpfm3::Assignment;
use crate::libpfm3::engine::{MOST, assign};
use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{
    Slots, check_default_plm, check_flags, check_plm, filtered, no_assign,
};
use crate::libpfm3::request::{CounterOptions, EventRequest, ModelInput, Request};
use crate::libpfm3::table::Table;

pub(crate) fn version1(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(GenIa32::new(1, table))
}

pub(crate) fn version2(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(GenIa32::new(2, table))
}

pub(crate) fn version3(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(GenIa32::new(3, table))
}

struct GenIa32 {
    version: u8,
    /// The counters that may count each event.
    slots: Vec<Slots>,
}

impl GenIa32 {
    fn new(version: u8, table: &Table) -> GenIa32 {
        let slots =
            table.events.iter().map(|event| Slots::from_pmds(event.words.number("counters")));
        GenIa32 { version, slots: slots.collect() }
    }

    fn check(&self, event: &EventRequest, position: usize) -> Result<(), DispatchError> {
        check_plm(event, position)?;
        if self.version == 1 && event.flags > 7 {
            let reason = "the event has a flag that the model does not know";
            return Err(DispatchError::new(ErrorKind::Invalid, reason).at(position));
        }
        match self.version {
            // Version 1 looks at further flags only when it builds the register.
            1 => check_flags(event, position, !CounterOptions::ANY_THREAD),
            2 => check_flags(event, position, 3),
            _ => check_flags(event, position, 7),
        }
    }

    /// The error if nothing fits. An invalid option is the first reason if it is found without looking at whether the
    /// control of the fixed counters is available, as libpfm-3 does.
    fn refusal(&self, table: &Table, request: &Request) -> DispatchError {
        let anywhere = Request { unavailable: request.unavailable.without(16), ..request.clone() };
        let allowed: Vec<u64> =
            request.events.iter().map(|event| self.allowed(&anywhere, event).0).collect();
        let slots = assign(&allowed);
        let built = slots.map_or(Err(no_assign()), |slots| self.build(table, &anywhere, &slots));
        built.err().unwrap_or_else(no_assign)
    }

    fn build(
        &self,
        table: &Table,
        request: &Request,
        slots: &[u8],
    ) -> Result<Assignment, DispatchError> {
        let mut assignment = Assignment::with_capacity(request.events.len());
        Slots::push_fixed(slots, table, request, &mut assignment);
        for (position, (event, slot)) in request.events.iter().zip(slots).enumerate() {
            assignment.pmds.push(table.pmd(Slots::pmd(*slot)));
            if let Some(counter) = Slots::general_counter(*slot) {
                check_flags(event, position, 7)?;
                let code = table.events[event.event].code;
                let value = filtered(code, 0, request.plm(event), &event.options)
                    .map_err(|error| error.at(position))?;
                assignment.pmcs.push(table.pmc(counter, value));
            }
        }
        Ok(assignment)
    }

    /// Fixed counters have no filters, and any thread only from version 3 on.
    fn allowed(&self, request: &Request, event: &EventRequest) -> Slots {
        let options = &event.options;
        let no_filter = options.threshold == 0 && options.flags & !CounterOptions::ANY_THREAD == 0;
        let slots = self.slots.get(event.event).copied().unwrap_or_default();
        let slots = if no_filter { slots } else { slots.general() };
        slots.available(&request.unavailable)
    }
}

impl Rules for GenIa32 {
    fn family(&self) -> &'static str {
        "gen_ia32"
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        matches!(input, ModelInput::GenIa32)
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        check_default_plm(request)?;
        let mut allowed = [0; MOST];
        for (position, event) in request.events.iter().enumerate() {
            self.check(event, position)?;
            let slots = self.allowed(request, event).0;
            if self.version == 1 && slots.count_ones() as usize <= position {
                return Err(no_assign().libpfm3(ErrorKind::TooMany));
            }
            allowed[position] = slots;
        }
        let slots =
            assign(&allowed[..request.events.len()]).ok_or_else(|| self.refusal(table, request))?;
        self.build(table, request, &slots)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        request.events.get(event).map_or(0, |event| self.allowed(request, event).pmds())
    }
}
