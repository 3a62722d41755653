//! AMD's processors from K7 to family 15h: four or six counters that take any event, and instruction-based
//! sampling from family 10h on.
//! Source: AMD's BIOS and Kernel Developer's Guides, "Performance Monitor Control Registers" and
//! "Instruction Based Sampling Registers".

use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{
    ENABLE, check_default_plm, check_flags, check_plm, flags, no_assign, plain,
};
use crate::libpfm3::request::{Amd64Input, CounterOptions, EventRequest, Ibs, ModelInput, Request};
use crate::libpfm3::table::{Marks, Row, Table};
use crate::libpfm3::{Assignment, ModelOutput};
use crate::privilege::Privilege;

pub(crate) fn rules(model: &Model, table: &Table) -> Box<dyn Rules> {
    let ibs = |row: &Row| match row.words.get("ibs") {
        Some("fetch") => Some(Part::Fetch),
        Some("op") => Some(Part::Op),
        _ => None,
    };
    Box::new(Amd64 {
        revision: model.words().number("rev"),
        counters: (1 << model.words().number("counters")) - 1,
        ibs: table.events.iter().map(ibs).collect(),
        marks: table.marks(&["combo"]),
    })
}

/// The first revision that has instruction-based sampling, and code and filter bits above 32: family 10h B.
const FAMILY_10H: u64 = 8;
/// The first revision that can sample dispatched operations: family 10h C.
const FAMILY_10H_C: u64 = 9;
/// The highest counter mask that the counters can reach.
const MOST_THRESHOLD: u32 = 3;

const GUEST: u64 = 1 << 40;
const HOST: u64 = 1 << 41;

/// The parts of instruction-based sampling.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Fetch,
    Op,
}

impl Part {
    fn pmc(self) -> u32 {
        match self {
            Part::Fetch => 6,
            Part::Op => 7,
        }
    }

    fn pmd(self) -> u32 {
        match self {
            Part::Fetch => 6,
            Part::Op => 9,
        }
    }

    /// Enabled with this option (a random period, or dispatched operations).
    fn value(self, option: bool) -> u64 {
        match self {
            Part::Fetch => 1 << 48 | u64::from(option) << 57,
            Part::Op => 1 << 17 | u64::from(option) << 19,
        }
    }
}

struct Amd64 {
    revision: u64,
    /// The counters, as bits.
    counters: u64,
    /// The part that an event of the table samples.
    ibs: Vec<Option<Part>>,
    marks: Marks,
}

fn bad_host(reason: &'static str) -> DispatchError {
    DispatchError::new(ErrorKind::BadHost, reason)
}

impl Amd64 {
    fn check(
        &self,
        table: &Table,
        event: &EventRequest,
        position: usize,
    ) -> Result<(), DispatchError> {
        check_plm(event, position)?;
        self.check_masks(event, position)?;
        if !table.events[event.event].supported {
            return Err(bad_host("this revision does not have the event").at(position));
        }
        self.check_options(event, position)
    }

    fn check_masks(&self, event: &EventRequest, position: usize) -> Result<(), DispatchError> {
        if event.masks.len() > 1 && self.marks.of_event(event.event) == 0 {
            let reason = "its unit masks cannot be combined";
            return Err(DispatchError::new(ErrorKind::FeatureCombination, reason).at(position));
        }
        Ok(())
    }

    fn check_options(&self, event: &EventRequest, position: usize) -> Result<(), DispatchError> {
        let host_and_guest = CounterOptions::GUEST | CounterOptions::HOST;
        let known = CounterOptions::INVERT | CounterOptions::EDGE | host_and_guest;
        check_flags(event, position, known)?;
        if event.options.threshold > MOST_THRESHOLD {
            let reason = "the counter mask is above 3";
            return Err(DispatchError::new(ErrorKind::Invalid, reason).at(position));
        }
        Ok(())
    }

    fn part(&self, event: &EventRequest) -> Option<Part> {
        self.ibs.get(event.event).copied().flatten()
    }

    fn value(
        &self,
        table: &Table,
        request: &Request,
        event: &EventRequest,
    ) -> Result<u64, DispatchError> {
        let row = &table.events[event.event];
        let known = table.masks(row);
        if event.masks.iter().any(|mask| known.get(*mask).is_some_and(|mask| !mask.supported)) {
            return Err(bad_host("this revision does not have the unit mask"));
        }
        let masks = table.mask_codes(row, &event.masks);
        match self.part(event) {
            Some(Part::Op) if masks == 2 && self.revision < FAMILY_10H_C => {
                Err(bad_host("this revision samples cycles only"))
            }
            Some(Part::Op) => Ok(Part::Op.value(masks != 1)),
            Some(Part::Fetch) => Ok(Part::Fetch.value(masks == 1)),
            None => self.event_select(row.code, masks, request.plm(event), &event.options),
        }
    }

    fn event_select(
        &self,
        code: u64,
        masks: u64,
        plm: Privilege,
        options: &CounterOptions,
    ) -> Result<u64, DispatchError> {
        let guest = if options.flags & CounterOptions::GUEST != 0 { GUEST } else { 0 };
        let host = if options.flags & CounterOptions::HOST != 0 { HOST } else { 0 };
        let high = (code >> 8 & 0xf) << 32 | guest | host;
        if high != 0 && self.revision < FAMILY_10H {
            return Err(bad_host("the event select register has no such bits before family 10h"));
        }
        let threshold = u64::from(options.threshold) << 24;
        Ok(plain(code & 0xff, masks, plm) | ENABLE | flags(options) | threshold | high)
    }

    /// The registers of the events; apart from other reasons, whether one is taken.
    fn push_events(
        &self,
        table: &Table,
        request: &Request,
        assignment: &mut Assignment,
    ) -> Result<Result<(), DispatchError>, DispatchError> {
        let mut free = self.counters & !request.unavailable.low();
        let mut counting = 0;
        for (position, event) in request.events.iter().enumerate() {
            self.check(table, event, position)?;
            counting += u32::from(self.part(event).is_none());
            if counting > free.count_ones() {
                return Err(no_assign().at(position));
            }
        }
        // If there are enough, an event of instruction-based sampling leaves a counter free, as in libpfm-3.
        let leave_free = request.events.len() <= free.count_ones() as usize;
        let mut conflict = Ok(());
        for (position, event) in request.events.iter().enumerate() {
            let value = self.value(table, request, event).map_err(|error| error.at(position))?;
            let part = self.part(event);
            let counter = free.trailing_zeros();
            if part.is_none() || leave_free {
                free &= free.wrapping_sub(1);
            }
            let (pmc, pmd) = part.map_or((counter, counter), |part| (part.pmc(), part.pmd()));
            let taken = || assignment.pmcs.iter().any(|done| done.number == pmc);
            if conflict.is_ok() && part.is_some() && (request.unavailable.contains(pmc) || taken())
            {
                conflict = Err(sampling_taken().at(position));
            }
            assignment.pmcs.push(table.pmc(pmc, value));
            assignment.pmds.push(table.pmd(pmd));
        }
        Ok(conflict)
    }

    /// The error of libpfm-3 before it builds registers: it gives each event a counter, those of instruction-based
    /// sampling too, and looks for the revision at the event whose place in the request is the next counter.
    fn libpfm3_refusal(&self, table: &Table, request: &Request) -> Option<ErrorKind> {
        let mut next = 0;
        for (position, event) in request.events.iter().enumerate() {
            let at_next = request.events.get(next as usize).map_or(0, |event| event.event);
            let masks = check_plm(event, position).and_then(|()| self.check_masks(event, position));
            if let Err(error) = masks {
                return Some(error.kind());
            }
            if !table.events[at_next].supported {
                return Some(ErrorKind::BadHost);
            }
            if let Err(error) = self.check_options(event, position) {
                return Some(error.kind());
            }
            while request.unavailable.contains(next) {
                next += 1;
            }
            if self.counters >> next & 1 == 0 {
                return Some(ErrorKind::NoAssign);
            }
            next += 1;
        }
        None
    }

    fn registers(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let input = input(request);
        let mut assignment = Assignment::with_capacity(request.events.len());
        // A register that is taken is the last of all reasons.
        let mut conflict = self.push_events(table, request, &mut assignment)?;
        let sampling = input.fetch.is_some() || input.op.is_some();
        if sampling && !request.wants_output {
            let reason = "instruction-based sampling needs the model's output";
            return Err(DispatchError::new(ErrorKind::Invalid, reason));
        }
        if sampling && self.revision < FAMILY_10H {
            return Err(bad_host("instruction-based sampling begins with family 10h"));
        }
        let mut bases = [0, 0];
        let parts = [(Part::Fetch, &input.fetch), (Part::Op, &input.op)];
        for ((part, ibs), base) in parts.into_iter().zip(&mut bases) {
            let Some(ibs) = ibs else { continue };
            *base = self.push_ibs(table, (part, ibs), &mut assignment)?;
            if request.unavailable.contains(part.pmc()) {
                conflict = conflict.and(Err(sampling_taken()));
            }
        }
        conflict?;
        let [fetch, op] = bases;
        assignment.output = request.wants_output.then_some(ModelOutput::Amd64 { fetch, op });
        Ok(assignment)
    }

    /// The part that the input asks for, after the events; the position of its register among the PMDs.
    /// An event may have added it already, without a period: the last value counts.
    fn push_ibs(
        &self,
        table: &Table,
        (part, ibs): (Part, &Ibs),
        assignment: &mut Assignment,
    ) -> Result<u32, DispatchError> {
        let option = ibs.options & 1 != 0;
        if part == Part::Op && option && self.revision < FAMILY_10H_C {
            return Err(bad_host("this revision samples cycles only"));
        }
        let base = assignment.pmds.len() as u32;
        let value = part.value(option) | u64::from(ibs.period >> 4 & 0xffff);
        assignment.pmcs.push(table.pmc(part.pmc(), value));
        assignment.pmds.push(table.pmd(part.pmd()));
        Ok(base)
    }
}

fn sampling_taken() -> DispatchError {
    let reason =
        "the register of instruction-based sampling is not available a second time, or at all";
    DispatchError::new(ErrorKind::NoAssign, reason)
}

fn input(request: &Request) -> Amd64Input {
    match &request.input {
        Some(ModelInput::Amd64(input)) => *input,
        _ => Amd64Input::default(),
    }
}

impl Rules for Amd64 {
    fn family(&self) -> &'static str {
        "amd64"
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        matches!(input, ModelInput::Amd64(_))
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let Amd64Input { fetch, op } = input(request);
        if request.events.is_empty() && fetch.is_none() && op.is_none() {
            let reason = "there are neither events nor instruction-based sampling";
            return Err(DispatchError::new(ErrorKind::Invalid, reason));
        }
        if !request.events.is_empty() {
            check_default_plm(request)?;
        }
        self.registers(table, request).map_err(|error| match self.libpfm3_refusal(table, request) {
            Some(kind) => error.libpfm3(kind),
            None => error,
        })
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        let Some(event) = request.events.get(event) else { return 0 };
        match self.part(event) {
            Some(part) if request.unavailable.contains(part.pmc()) => 0,
            Some(part) => 1 << part.pmd(),
            None => self.counters & !request.unavailable.low(),
        }
    }
}
