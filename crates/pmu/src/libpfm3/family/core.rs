//! Core and Atom: two general counters and three fixed ones, with sampling without skid on counter 0.
//! Source: Intel SDM volume 3, "Performance Monitoring (Processors Based on Intel Core Microarchitecture)".

use crate::libpfm3::Assignment;
use crate::libpfm3::engine::{MOST, assign};
use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::family::core_duo::value;
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{
    PEBS_ENABLE, Slots, check_default_plm, check_flags, check_plm, no_assign, only_once,
};
use crate::libpfm3::request::{CounterOptions, EventRequest, ModelInput, Request};
use crate::libpfm3::table::{Marks, Table};

pub(crate) fn core(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(Core::new(table, false))
}

pub(crate) fn atom(_: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(Core::new(table, true))
}

const MARKS: [&str; 9] =
    ["cspec", "mesi", "pmc0", "pmc1", "fixed2_only", "umask_ncombo", "pebs", "fixed0", "fixed1"];
const COUNTER0: u32 = 4;
const COUNTER1: u32 = 8;
const FIXED2_ONLY: u32 = 0x10;
const NO_COMBINATION: u32 = 0x20;
const PEBS: u32 = 0x40;

struct Core {
    atom: bool,
    slots: Vec<Slots>,
    marks: Marks,
}

impl Core {
    fn new(table: &Table, atom: bool) -> Core {
        let slots = table.events.iter().map(|row| Slots::from_pmds(row.words.number("counters")));
        Core { atom, slots: slots.collect(), marks: table.marks(&MARKS) }
    }

    /// The marks of an event, and those that all its unit masks have.
    fn marks(&self, table: &Table, event: &EventRequest) -> u32 {
        let masks = self.marks.of_masks(table, event.event, &event.masks);
        let common = masks.reduce(|common, marks| common & marks).unwrap_or(0);
        self.marks.of_event(event.event) | common
    }

    /// The check of an event without the others; `pinned` has the counters that are taken so far.
    fn check(
        &self,
        table: &Table,
        event: &EventRequest,
        position: usize,
        pinned: &mut u32,
    ) -> Result<(), DispatchError> {
        check_plm(event, position)?;
        let any_thread = if self.atom { CounterOptions::ANY_THREAD } else { 0 };
        let filters = CounterOptions::INVERT | CounterOptions::EDGE;
        check_flags(event, position, filters | any_thread)?;
        let marks = self.marks.of_event(event.event);
        let refused = |reason| Err(DispatchError::new(ErrorKind::NoAssign, reason).at(position));
        if marks & NO_COMBINATION != 0 && event.masks.len() > 1 {
            return refused("its unit masks cannot be combined");
        }
        only_once(pinned, marks & (COUNTER0 | COUNTER1 | FIXED2_ONLY), position)?;
        let filtered = event.options.threshold != 0 || event.options.flags & !any_thread != 0;
        if marks & FIXED2_ONLY != 0 && filtered {
            return refused("its fixed counter has no filters");
        }
        for marks in self.marks.of_masks(table, event.event, &event.masks) {
            only_once(pinned, marks & FIXED2_ONLY, position)?;
            if marks & FIXED2_ONLY != 0 && !event.options.is_plain() {
                return refused("its fixed counter has no filters");
            }
        }
        Ok(())
    }

    /// The counters for an event that is to be sampled without skid, or is not.
    fn allowed(&self, table: &Table, request: &Request, event: &EventRequest) -> Slots {
        let slots = self.slots.get(event.event).copied().unwrap_or_default();
        let marks = self.marks(table, event);
        let options = &event.options;
        let plain = options.threshold == 0
            && (options.flags == 0 || self.atom && options.flags == CounterOptions::ANY_THREAD);
        let slots = if marks & FIXED2_ONLY != 0 {
            Slots(1 << 2)
        } else if !plain || pebs_used(request) && marks & PEBS != 0 {
            slots.general()
        } else {
            slots
        };
        slots.available(&request.unavailable)
    }

    fn registers(
        &self,
        table: &Table,
        request: &Request,
        slots: &[u8],
        is_sampled: bool,
        pinned: u32,
    ) -> Result<Assignment, DispatchError> {
        let mut assignment = Assignment::with_capacity(request.events.len());
        Slots::push_fixed(slots, table, request, &mut assignment);
        for (position, slot) in slots.iter().enumerate() {
            assignment.pmds.push(table.pmd(Slots::pmd(*slot)));
            if let Some(counter) = Slots::general_counter(*slot) {
                let value = value(&self.marks, table, request, position)?;
                assignment.pmcs.push(table.pmc(counter, value));
            }
        }
        // An event of counter 0 alone needs the register too, as in libpfm-3: the register marks that it does not sample.
        let needed = is_sampled || pebs_used(request) && pinned & COUNTER0 != 0;
        if needed && request.unavailable.contains(PEBS_ENABLE) {
            let reason = "the register that enables sampling without skid is not available";
            return Err(DispatchError::new(ErrorKind::NoAssign, reason));
        }
        if is_sampled {
            assignment.pmcs.push(table.pmc(PEBS_ENABLE, 1));
        }
        Ok(assignment)
    }

    /// The error if nothing fits. libpfm-3 can put two events on one counter here; it then goes on to their registers,
    /// and an invalid counter mask is the reason.
    fn refusal(&self, table: &Table, request: &Request) -> DispatchError {
        let positions = 0..request.events.len();
        match positions
            .clone()
            .find_map(|position| value(&self.marks, table, request, position).err())
        {
            Some(invalid) if self.libpfm3_fits(table, request) => invalid,
            _ => no_assign(),
        }
    }

    /// Returns true if libpfm-3 finds counters: it uses those of pinned events only to find where the others begin.
    fn libpfm3_fits(&self, table: &Table, request: &Request) -> bool {
        let (mut begin, mut sampled) = (0, false);
        let mut others = Vec::new();
        for event in &request.events {
            let marks = self.marks(table, event);
            let pinned =
                if marks & COUNTER0 != 0 || !sampled && pebs_used(request) && marks & PEBS != 0 {
                    (begin, sampled) = (1, true);
                    0
                } else if marks & COUNTER1 != 0 {
                    begin = if begin == 1 { 2 } else { 0 };
                    1
                } else {
                    others.push(self.allowed(table, request, event));
                    continue;
                };
            if request.unavailable.contains(pinned) {
                return false;
            }
        }
        let open = Slots::from_pmds(0b11 & !((1 << begin) - 1) | 0b111 << 16);
        let others: Vec<u64> = others.into_iter().map(|slots| slots.0 & open.0).collect();
        assign(&others).is_some()
    }
}

fn pebs_used(request: &Request) -> bool {
    match &request.input {
        Some(ModelInput::Core(pebs) | ModelInput::Atom(pebs)) => pebs.used,
        _ => false,
    }
}

impl Rules for Core {
    fn family(&self) -> &'static str {
        if self.atom { "atom" } else { "core" }
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        match input {
            ModelInput::Core(_) => !self.atom,
            ModelInput::Atom(_) => self.atom,
            _ => false,
        }
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        check_default_plm(request)?;
        let mut allowed = [0; MOST];
        let mut pinned = 0;
        let mut sampled = None;
        for (position, event) in request.events.iter().enumerate() {
            self.check(table, event, position, &mut pinned)?;
            allowed[position] = self.allowed(table, request, event).0;
            // Counter 0 alone samples without skid: the first event that can be sampled so has it.
            if sampled.is_none() && pebs_used(request) && self.marks(table, event) & PEBS != 0 {
                sampled = Some(position);
                allowed[position] &= Slots::from_pmds(1).0;
            }
        }
        let slots =
            assign(&allowed[..request.events.len()]).ok_or_else(|| self.refusal(table, request))?;
        self.registers(table, request, &slots, sampled.is_some(), pinned).map_err(|error| {
            if self.libpfm3_fits(table, request) {
                error
            } else {
                error.libpfm3(ErrorKind::NoAssign)
            }
        })
    }

    fn counters(&self, table: &Table, request: &Request, event: usize) -> u64 {
        let event = request.events.get(event);
        event.map_or(0, |event| self.allowed(table, request, event).pmds())
    }
}
