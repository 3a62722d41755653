//! Nehalem, Nehalem-EX and Westmere: four general counters and three fixed ones in each core, a fixed one and
//! eight general ones in the uncore, sampling without skid, load latencies, off-core responses, branch records.
//! Source: Intel SDM volume 3, "Performance Monitoring for Processors Based on Nehalem Microarchitecture".

use crate::libpfm3::Assignment;
use crate::libpfm3::engine::{Counters, MOST, assign};
use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::family::uncore;
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{
    FIXED_CONTROL, PEBS_ENABLE, Slots, check_default_plm, check_plm, filtered, no_assign, only_once,
};
use crate::libpfm3::request::{
    CounterOptions, EventRequest, Lbr, ModelInput, NehalemInput, Request,
};
use crate::libpfm3::table::{Marks, Table};
use crate::privilege::Privilege;

pub(crate) fn rules(model: &Model, table: &Table) -> Box<dyn Rules> {
    let slots = table.events.iter().map(|row| Slots::from_pmds(row.words.number("counters")));
    Box::new(Nehalem {
        aaj80: model.words().get("erratum") == Some("AAJ80"),
        options_general: model.words().get("pebs-options") == Some("general"),
        slots: slots.collect(),
        marks: table.marks(&MARKS),
    })
}

const MARKS: [&str; 9] = [
    "pmc0",
    "pmc01",
    "fixed2_only",
    "unc",
    "unc_fixed",
    "umask_ncombo",
    "pebs",
    "offcore_rsp0",
    "offcore_rsp1",
];
const COUNTER0: u32 = 1;
const COUNTERS01: u32 = 2;
const FIXED2_ONLY: u32 = 4;
const UNCORE: u32 = 8;
const UNCORE_FIXED: u32 = 0x10;
const NO_COMBINATION: u32 = 0x20;
const PEBS: u32 = 0x40;
/// The marks of the two off-core response events, whose registers are the PMCs of the same place.
const OFFCORE: [u32; 2] = [0x80, 0x100];
const OFFCORE_PMCS: [u32; 2] = [19, 31];

const LATENCY_THRESHOLD: u32 = 18;
const UNCORE_FIXED_CONTROL: u32 = 20;
const LBR_SELECT: u32 = 30;
/// The top of the stack of branch records, and the records.
const LBR_PMDS: std::ops::Range<u32> = 31..64;

struct Nehalem {
    aaj80: bool,
    /// When something is sampled, events with options prefer general counters (Westmere, as libpfm-3 has it).
    options_general: bool,
    slots: Vec<Slots>,
    marks: Marks,
}

/// The counters that the events so far have taken.
#[derive(Default)]
struct Taken {
    once: u32,
    counters01: u32,
    offcore: [u64; 2],
    /// The first event whose unit masks turned out not to go together in spite of its counter mask.
    uncombined: Option<usize>,
}

/// Counters that sample, as bits.
#[derive(Default)]
struct Sampled {
    pebs: u64,
    latency: u64,
}

impl Nehalem {
    fn check(
        &self,
        table: &Table,
        request: &Request,
        position: usize,
        taken: &mut Taken,
    ) -> Result<(), DispatchError> {
        let event = &request.events[position];
        let marks = self.marks.of_event(event.event);
        let refused = |kind, reason| Err(DispatchError::new(kind, reason).at(position));
        check_plm(event, position)?;
        if self.aaj80 && table.events[event.event].code & 0xff == 0xc5 {
            let reason = "erratum AAJ80: this stepping counts mispredicted branches wrongly";
            return refused(ErrorKind::NotSupported, reason);
        }
        if event.flags > 7 {
            let reason = "the event has a flag that the model does not know";
            return refused(ErrorKind::Invalid, reason);
        }
        if marks & NO_COMBINATION != 0 && !combines(table, event) {
            // libpfm-3 checks all of the first event only; other errors of later events come first.
            if position == 0 || event.options.threshold == 0 {
                return Err(uncombined(position));
            }
            taken.uncombined.get_or_insert(position);
        }
        only_once(&mut taken.once, marks & (UNCORE_FIXED | COUNTER0 | FIXED2_ONLY), position)?;
        taken.counters01 += u32::from(marks & COUNTERS01 != 0);
        if taken.counters01 > 2 {
            let reason = "two events before it have the counters that can hold it";
            return refused(ErrorKind::NoAssign, reason);
        }
        let options = &event.options;
        let any_thread_only = options.flags & !CounterOptions::ANY_THREAD == 0;
        if marks & UNCORE_FIXED != 0 && !options.is_plain()
            || marks & FIXED2_ONLY != 0 && (options.threshold != 0 || !any_thread_only)
        {
            return refused(ErrorKind::NoAssign, "its fixed counter has no filters");
        }
        for (place, mark) in OFFCORE.iter().enumerate() {
            if marks & mark != 0 {
                self.check_offcore(table, request, position, place, taken)?;
            }
        }
        let both = Privilege::KERNEL | Privilege::USER;
        if marks & (UNCORE | UNCORE_FIXED) != 0 && request.plm != both && event.plm != both {
            let reason = "the uncore counts the kernel and user space together only";
            return refused(ErrorKind::NoAssign, reason);
        }
        Ok(())
    }

    /// The off-core response register can hold one set of unit masks, with a request and a response.
    fn check_offcore(
        &self,
        table: &Table,
        request: &Request,
        position: usize,
        place: usize,
        taken: &mut Taken,
    ) -> Result<(), DispatchError> {
        let event = &request.events[position];
        let wanted = table.mask_codes(&table.events[event.event], &event.masks);
        let (kind, reason) = if taken.offcore[place] != 0 && taken.offcore[place] != wanted {
            (ErrorKind::NoAssign, "an event before it needs the off-core register with other masks")
        } else if request.unavailable.contains(OFFCORE_PMCS[place]) {
            (ErrorKind::NoAssign, "its off-core register is not available")
        } else if wanted & 0xff == 0 || wanted & 0xff00 == 0 {
            (ErrorKind::Invalid, "it needs a unit mask of a request and one of a response")
        } else {
            taken.offcore[place] = wanted;
            return Ok(());
        };
        Err(DispatchError::new(kind, reason).at(position))
    }

    /// The event or one of its unit masks can be sampled without skid.
    fn samples(&self, table: &Table, event: &EventRequest) -> bool {
        let mut masks = self.marks.of_masks(table, event.event, &event.masks);
        self.marks.of_event(event.event) & PEBS != 0 || masks.any(|marks| marks & PEBS != 0)
    }

    fn allowed(&self, table: &Table, request: &Request, event: &EventRequest) -> Slots {
        let slots = self.slots.get(event.event).copied().unwrap_or_default();
        let options = &event.options;
        let fixed_counts_it = options.is_plain()
            || options.threshold == 0
                && options.flags == CounterOptions::ANY_THREAD
                && (self.options_general || !(pebs_used(request) && self.samples(table, event)));
        let slots = if fixed_counts_it { slots } else { slots.general() };
        slots.available(&request.unavailable)
    }

    /// The slot of each event; those that only two counters can hold choose first.
    fn slots(&self, table: &Table, request: &Request) -> Option<[u8; MOST]> {
        let mut order = [0u8; MOST];
        let mut allowed = [0; MOST];
        let mut next = 0;
        for first in [true, false] {
            for (position, event) in request.events.iter().enumerate() {
                if (self.marks.of_event(event.event) & COUNTERS01 != 0) == first {
                    order[next] = position as u8;
                    allowed[next] = self.allowed(table, request, event).0;
                    next += 1;
                }
            }
        }
        let order = &order[..request.events.len()];
        let found = if pebs_used(request) {
            self.sampling(table, request, order, &allowed[..order.len()])?
        } else {
            assign(&allowed[..order.len()])?
        };
        let mut slots = [0; MOST];
        for (position, slot) in order.iter().zip(found.iter()) {
            slots[usize::from(*position)] = *slot;
        }
        Some(slots)
    }

    /// Counters in the given order when events are to be sampled.
    fn sampling(
        &self,
        table: &Table,
        request: &Request,
        order: &[u8],
        allowed: &[u64],
    ) -> Option<Counters> {
        let event = |order: u8| &request.events[usize::from(order)];
        let samples = |order: u8| self.samples(table, event(order));
        let general_if = |keep_off: &dyn Fn(u8) -> bool| {
            let mut slots = [0; MOST];
            for ((order, allowed), slots) in order.iter().zip(allowed).zip(&mut slots) {
                let off = keep_off(*order);
                *slots = if off { Slots(*allowed).general().0 } else { *allowed };
            }
            assign(&slots[..order.len()])
        };
        let has_options = |order: u8| !event(order).options.is_plain();
        let found = Some(self.options_general)
            .filter(|general| *general)
            .and_then(|_| general_if(&has_options))
            .or_else(|| assign(allowed))?;
        // Fixed counters cannot sample: if they have all events that could be sampled, none is.
        let fixed = |slot: u8| Slots::general_counter(slot).is_none();
        let mut sampled = order.iter().zip(found.iter()).filter(|(order, _)| samples(**order));
        let all_fixed = sampled.all(|(_, slot)| fixed(*slot)) && order.iter().any(|o| samples(*o));
        if all_fixed && !request.unavailable.contains(PEBS_ENABLE) {
            return general_if(&samples).or(Some(found));
        }
        Some(found)
    }

    /// Returns true if libpfm-3 finds counters, of which each event takes the first that is free.
    fn libpfm3_fits(&self, table: &Table, request: &Request) -> bool {
        let is_free = |pmc| !request.unavailable.contains(pmc);
        let marked = |mark| {
            let is_it = move |event: &&EventRequest| self.marks.of_event(event.event) & mark != 0;
            request.events.iter().filter(is_it).count() as u32
        };
        if marked(COUNTER0) > 0 && !is_free(0)
            || marked(UNCORE_FIXED) > 0 && !is_free(UNCORE_FIXED_CONTROL)
        {
            return false;
        }
        let mut general = (u32::from(marked(COUNTER0) > 0)..4).filter(|counter| is_free(*counter));
        for _ in 0..marked(COUNTERS01) {
            if general.next().is_none_or(|counter| counter > 1) {
                return false;
            }
        }
        let mut fixed = if is_free(FIXED_CONTROL) { 0b111 } else { 0 };
        let mut left = 0;
        for event in &request.events {
            if self.marks.of_event(event.event) & (COUNTER0 | COUNTERS01 | UNCORE | UNCORE_FIXED)
                != 0
            {
                continue;
            }
            let samples = self.options_general || self.samples(table, event);
            let is_kept_off = !event.options.is_plain()
                && (pebs_used(request) && samples
                    || event.options.flags != CounterOptions::ANY_THREAD);
            let slots = self.slots.get(event.event).copied().unwrap_or_default();
            let own = if is_kept_off { 0 } else { slots.0 & fixed };
            fixed &= !(own & own.wrapping_neg());
            left += u32::from(own == 0);
        }
        let uncore = (UNCORE_FIXED_CONTROL + 1..29).filter(|pmc| is_free(*pmc)).count() as u32;
        general.count() as u32 >= left && uncore >= marked(UNCORE)
    }

    fn registers(
        &self,
        table: &Table,
        request: &Request,
        slots: &[u8],
        taken: &Taken,
    ) -> Result<Assignment, DispatchError> {
        let mut assignment = Assignment::with_capacity(request.events.len());
        Slots::push_fixed(slots, table, request, &mut assignment);
        let sampled = self.push_core(table, request, slots, &mut assignment)?;
        self.push_uncore(table, request, slots, &mut assignment)?;
        assignment.pmds.extend(slots.iter().map(|slot| table.pmd(Slots::pmd(*slot))));
        push_sampling(table, request, &sampled, &mut assignment)?;
        for (pmc, value) in OFFCORE_PMCS.iter().zip(taken.offcore) {
            if value != 0 {
                assignment.pmcs.push(table.pmc(*pmc, value));
            }
        }
        if let Some(lbr) = input(request).and_then(|input| input.lbr.as_ref()) {
            push_lbr(table, request, lbr, &mut assignment)?;
        }
        taken.uncombined.map_or(Ok(assignment), |position| Err(uncombined(position)))
    }

    /// The registers of the core's general counters; which of them sample.
    fn push_core(
        &self,
        table: &Table,
        request: &Request,
        slots: &[u8],
        assignment: &mut Assignment,
    ) -> Result<Sampled, DispatchError> {
        let mut sampled = Sampled::default();
        for (position, (event, slot)) in request.events.iter().zip(slots).enumerate() {
            let Some(counter) = Slots::general_counter(*slot) else { continue };
            let row = &table.events[event.event];
            let offcore = self.marks.of_event(event.event) & (OFFCORE[0] | OFFCORE[1]) != 0;
            let masks = if offcore { 0 } else { table.mask_codes(row, &event.masks) };
            if event.options.flags & CounterOptions::RESET_OCCUPANCY != 0 {
                let reason = "only the uncore's counters have occupancies to reset";
                return Err(DispatchError::new(ErrorKind::Invalid, reason).at(position));
            }
            let value = filtered(row.code, masks, request.plm(event), &event.options)
                .map_err(|error| error.at(position))?;
            assignment.pmcs.push(table.pmc(counter, value));
            sampled.pebs |= u64::from(self.samples(table, event)) << counter;
            let latency = value & 0xff == 0x0b && value >> 8 & 0x10 != 0;
            sampled.latency |= u64::from(latency) << counter;
        }
        Ok(sampled)
    }

    fn push_uncore(
        &self,
        table: &Table,
        request: &Request,
        slots: &[u8],
        assignment: &mut Assignment,
    ) -> Result<(), DispatchError> {
        if slots.iter().any(|slot| Slots::pmd(*slot) == UNCORE_FIXED_CONTROL) {
            assignment.pmcs.push(table.pmc(UNCORE_FIXED_CONTROL, 5));
        }
        for (position, (event, slot)) in request.events.iter().zip(slots).enumerate() {
            let pmd = Slots::pmd(*slot);
            if pmd > UNCORE_FIXED_CONTROL {
                let row = &table.events[event.event];
                let masks = table.mask_codes(row, &event.masks);
                let value = uncore::event_select(row.code, masks, &event.options)
                    .map_err(|error| error.at(position))?;
                assignment.pmcs.push(table.pmc(pmd, value));
            }
        }
        Ok(())
    }
}

/// Unit masks that exclude each other can be combined only with a counter mask, and if no bit is in two.
fn combines(table: &Table, event: &EventRequest) -> bool {
    let row = &table.events[event.event];
    let mut seen = 0;
    let apart = event.masks.iter().all(|mask| {
        let code = table.mask_codes(row, std::slice::from_ref(mask));
        let apart = seen & code == 0;
        seen |= code;
        apart
    });
    event.masks.len() < 2 || event.options.threshold != 0 && apart
}

fn uncombined(position: usize) -> DispatchError {
    DispatchError::new(ErrorKind::NoAssign, "its unit masks cannot be combined").at(position)
}

fn pebs_used(request: &Request) -> bool {
    input(request).is_some_and(|input| input.pebs.used)
}

fn input(request: &Request) -> Option<&NehalemInput> {
    match &request.input {
        Some(ModelInput::Nehalem(input)) => Some(input),
        _ => None,
    }
}

/// A register that a feature needs, if it is available.
fn push_needed(
    table: &Table,
    request: &Request,
    (pmc, value): (u32, u64),
    assignment: &mut Assignment,
) -> Result<(), DispatchError> {
    if request.unavailable.contains(pmc) {
        let reason = "a register that a feature needs is not available";
        return Err(DispatchError::new(ErrorKind::NoAssign, reason));
    }
    assignment.pmcs.push(table.pmc(pmc, value));
    Ok(())
}

/// The registers of sampling without skid.
fn push_sampling(
    table: &Table,
    request: &Request,
    sampled: &Sampled,
    assignment: &mut Assignment,
) -> Result<(), DispatchError> {
    let Some(input) = input(request).filter(|input| input.pebs.used && sampled.pebs != 0) else {
        return Ok(());
    };
    let latency = if input.load_latency == 0 { 0 } else { sampled.latency };
    push_needed(table, request, (PEBS_ENABLE, sampled.pebs | latency << 32), assignment)?;
    if latency == 0 {
        return Ok(());
    }
    if !(3..=0xffff).contains(&input.load_latency) {
        let reason = "the load latency is not 3 to 65535 cycles";
        return Err(DispatchError::new(ErrorKind::Invalid, reason));
    }
    push_needed(table, request, (LATENCY_THRESHOLD, input.load_latency.into()), assignment)
}

/// The registers of the last branch records.
fn push_lbr(
    table: &Table,
    request: &Request,
    lbr: &Lbr,
    assignment: &mut Assignment,
) -> Result<(), DispatchError> {
    let plm = if lbr.plm.is_empty() { request.plm } else { lbr.plm };
    let kernel_left_out = u64::from(!plm.contains(Privilege::KERNEL));
    let user_left_out = u64::from(!plm.contains(Privilege::USER)) << 1;
    let select = u64::from(lbr.filter & 0x1fc) | user_left_out | kernel_left_out;
    push_needed(table, request, (LBR_SELECT, select), assignment)?;
    assignment.pmds.extend(LBR_PMDS.map(|pmd| table.pmd(pmd)));
    Ok(())
}

impl Rules for Nehalem {
    fn family(&self) -> &'static str {
        "nehalem"
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        matches!(input, ModelInput::Nehalem(_))
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        check_default_plm(request)?;
        let mut taken = Taken::default();
        for position in 0..request.events.len() {
            self.check(table, request, position, &mut taken)?;
        }
        let slots = self.slots(table, request).ok_or_else(no_assign)?;
        let slots = &slots[..request.events.len()];
        self.registers(table, request, slots, &taken).map_err(|error| {
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
