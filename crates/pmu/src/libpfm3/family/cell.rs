//! The Cell Broadband Engine: signals of at most two groups on the trace bus, counted by up to eight counters
//! (Cell Broadband Engine Programming Handbook).

use super::super::engine::{self, Counters};
use super::super::model::{Model, Rules};
use super::super::table::Table;
use super::super::{
    Assignment, CellCounter, CellInput, DispatchError, ErrorKind, ModelInput, Request,
};
use crate::privilege::Privilege;

/// Counters run.
const ENABLE: u32 = 0x8000_0000;
/// Bits of `pm_control` that split a 32-bit counter in two.
const SPLIT: u32 = 0x01e0_0000;
/// The mode bits of `pm_control`: which levels are counted.
const MODE: u32 = 0xc_0000;
/// `group_control`, `debug_bus_control`, `trace_address`, `ext_tr_timer`, `pm_status`, `pm_control`, `pm_interval`
/// and `pm_start_stop`, in this order.
const COMMON: std::ops::Range<u32> = 16..24;
/// `debug_bus_control` without the words of the groups.
const NO_WORDS: u64 = 0x55_5500;
/// The control of a counter that counts cycles.
const COUNT_CYCLES: u64 = 0x42c0_0000;
/// Of a counter, the PMC that names its event comes so much after the one that controls it.
const EVENT: u32 = 8;

struct Cell {
    signals: Vec<Signal>,
}

/// The signals of an event.
struct Signal {
    code: u64,
    kind: u32,
    bit: u64,
    /// Counts events, not cycles.
    counts_events: bool,
    /// The clock of its unit on the bus.
    frequency: u64,
    /// The words of the bus that can carry it, as bits.
    words: u64,
}

/// Signals that are carried together.
#[derive(Clone, Copy, PartialEq)]
struct Group {
    kind: u32,
    subunit: u32,
    frequency: u64,
    words: u64,
    /// The word that carries it.
    word: u32,
}

pub(crate) fn cell(_: &Model, table: &Table) -> Box<dyn Rules> {
    let signals = table.events.iter().map(|event| {
        let number = event.code as u32;
        Signal {
            code: event.code,
            kind: number / 100,
            bit: u64::from(number % 100),
            counts_events: event.words.number("type") == 3,
            frequency: event.words.number("freq"),
            words: event.words.number("words"),
        }
    });
    Box::new(Cell { signals: signals.collect() })
}

impl Signal {
    fn is_cycles(&self) -> bool {
        self.kind == 0
    }

    /// Cycles and two types of the SPUs need no group.
    fn needs_group(&self) -> bool {
        !matches!(self.kind, 0 | 42 | 43)
    }

    /// Signals of SPUs and of MFCs are those of one unit.
    fn has_subunit(&self) -> bool {
        (41..=56).contains(&self.kind)
    }

    fn group(&self, subunit: u32) -> Group {
        let subunit = if self.has_subunit() { subunit } else { 0 };
        let Signal { kind, frequency, words, .. } = *self;
        Group { kind, subunit, frequency, words, word: 0 }
    }

    fn is_of(&self, group: &Group, subunit: u32) -> bool {
        self.kind == group.kind && (!self.has_subunit() || subunit == group.subunit)
    }

    /// The control and the event of a counter.
    fn registers(&self, options: &CellCounter, groups: &[Group]) -> (u64, u64) {
        if self.is_cycles() {
            return (COUNT_CYCLES, self.code);
        }
        let own = groups.iter().position(|group| self.is_of(group, options.spe_subunit));
        let control = self.bit << 26
            | u64::from(options.input_control & 1) << 25
            | u64::from(options.polarity & 1) << 24
            | u64::from(!self.counts_events) << 23
            | 1 << 22
            | u64::from(own == Some(1)) << 31;
        let word = own.map_or(0, |own| groups[own].word);
        let subunit = if self.has_subunit() { options.spe_subunit } else { 0 };
        (control, self.code | u64::from(word) << 48 | u64::from(subunit) << 32)
    }
}

/// The groups of the signals, with their words.
fn groups<'a>(
    signals: impl Iterator<Item = (&'a Signal, u32)> + Clone,
) -> Result<Vec<Group>, DispatchError> {
    let refusal = |kind, reason| Err(DispatchError::new(kind, reason));
    let mut groups: Vec<Group> = Vec::with_capacity(2);
    let grouped = signals.filter(|(signal, _)| signal.needs_group());
    let is_held = |groups: &[Group], signal: &Signal, subunit| {
        groups.iter().any(|group| signal.is_of(group, subunit))
    };
    for (signal, subunit) in grouped.clone() {
        if groups.len() < 2 && !is_held(&groups, signal, subunit) {
            groups.push(signal.group(subunit));
        } else if groups.iter().all(|group| group.kind != signal.kind) {
            return refusal(ErrorKind::NoAssign, "the signals are of more than two groups");
        }
    }
    if !place_on_bus(&mut groups) {
        return refusal(ErrorKind::NoAssign, "no words of the bus carry both groups of signals");
    }
    if grouped.clone().any(|(signal, subunit)| !is_held(&groups, signal, subunit)) {
        return refusal(ErrorKind::Invalid, "the signals are of more than two units");
    }
    Ok(groups)
}

/// Gives each group a word of the bus that can carry it; the one with the fewest chooses first, that of SPUs second.
fn place_on_bus(groups: &mut [Group]) -> bool {
    if let [first, second] = groups
        && (first.frequency == 1
            || second.frequency != 1 && first.words.count_ones() > second.words.count_ones())
    {
        groups.swap(0, 1);
    }
    let [first, rest @ ..] = groups else { return true };
    first.word = first.words.trailing_zeros();
    for second in rest {
        let left = second.words & !(1 << first.word);
        // A group that every word can carry goes only beside one that has no choice.
        if left == 0 || second.words == 0xf && !first.words.is_power_of_two() {
            return false;
        }
        second.word = left.trailing_zeros();
    }
    true
}

impl Cell {
    fn signal(&self, request: &Request, event: usize) -> &Signal {
        &self.signals[request.events[event].event]
    }

    /// Pinned events first, then the others.
    fn place(&self, request: &Request) -> Result<Counters, DispatchError> {
        let pins = || request.events.iter().map(|event| event.options.cell.counter);
        let invalid = |event, reason| Err(DispatchError::new(ErrorKind::Invalid, reason).at(event));
        for (event, pin) in pins().enumerate().filter(|(_, pin)| *pin != 0) {
            if pin > 8 {
                return invalid(event, "there is no such counter");
            }
            if pins().take(event).any(|before| before == pin) {
                return invalid(event, "another event takes the same counter");
            }
        }
        let allowed: Vec<u64> = (0..request.events.len())
            .map(|event| self.free(request) & pinned(request.events[event].options.cell))
            .collect();
        let mut order: Vec<usize> = (0..request.events.len()).collect();
        order.sort_by_key(|&event| request.events[event].options.cell.counter == 0);
        engine::assign_in_order(&allowed, &order).ok_or_else(|| {
            let reason = "the counters that are left are not available";
            DispatchError::new(ErrorKind::NoAssign, reason)
        })
    }

    /// The counters both of whose registers are available.
    fn free(&self, request: &Request) -> u64 {
        let unavailable = request.unavailable.low();
        !(unavailable | unavailable >> EVENT) & 0xff
    }
}

/// The counters that an event is not kept from; none for a number that is too large.
fn pinned(options: CellCounter) -> u64 {
    options.counter.checked_sub(1).map_or(0xff, |counter| 1u64.checked_shl(counter).unwrap_or(0))
}

/// Returns true if no event wants a counter that one before it took; libpfm-3 places them in their order.
fn libpfm3_places(request: &Request) -> bool {
    let mut free = 0xff;
    request.events.iter().all(|event| {
        let open = pinned(event.options.cell) & free;
        free &= !(open & open.wrapping_neg());
        open != 0
    })
}

/// The registers that all counters share.
fn common(input: &CellInput, plm: Privilege, groups: &[Group]) -> [u64; 8] {
    let mut control = 0;
    let mut bus = NO_WORDS;
    for (group, at) in groups.iter().zip([30, 28]) {
        control |= u64::from(group.word) << at;
        bus |= group.frequency << (24 + 2 * (3 - group.word));
    }
    let mode = match plm.bits() {
        1 | 2 => 0,
        4 => 0x4_0000,
        8 => 0x8_0000,
        _ => MODE,
    };
    let pm_control = input.control & !MODE | mode;
    [control, bus, 0, 0, 0, pm_control.into(), input.interval.into(), input.triggers.into()]
}

impl Rules for Cell {
    fn family(&self) -> &'static str {
        "cell"
    }

    fn accepts(&self, input: &ModelInput) -> bool {
        matches!(input, ModelInput::Cell(_))
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let input = match &request.input {
            Some(ModelInput::Cell(input)) => Some(input),
            _ => None,
        };
        let default = CellInput { control: ENABLE, interval: 0, triggers: 0 };
        let common_input = input.unwrap_or(&default);
        let count = request.events.len();
        if count == 0 {
            let refusal = DispatchError::new(ErrorKind::Invalid, "there are no events");
            return Err(refusal.libpfm3(ErrorKind::NotFound));
        }
        if count > if common_input.control & SPLIT == 0 { 4 } else { 8 } {
            let reason = "there are more events than counters, which are not split into halves";
            return Err(DispatchError::new(ErrorKind::TooMany, reason));
        }
        let options = |event: usize| match input {
            Some(_) => request.events[event].options.cell,
            None => CellCounter { polarity: 1, ..CellCounter::default() },
        };
        let signals = || (0..count).map(|event| (self.signal(request, event), options(event)));
        let groups = groups(signals().map(|(signal, options)| (signal, options.spe_subunit)))?;
        let counters = self.place(request)?;
        if COMMON.clone().any(|register| request.unavailable.contains(register)) {
            let reason = "a register that all counters share is not available";
            let refusal = DispatchError::new(ErrorKind::NoAssign, reason);
            return Err(if libpfm3_places(request) {
                refusal
            } else {
                refusal.libpfm3(ErrorKind::Invalid)
            });
        }
        let mut assignment = Assignment::with_capacity(2 * count + COMMON.len());
        for (number, value) in COMMON.zip(common(common_input, request.plm, &groups)) {
            assignment.pmcs.push(table.pmc(number, value));
        }
        for ((signal, options), &counter) in signals().zip(counters.iter()) {
            let (control, event) = signal.registers(&options, &groups);
            assignment.pmcs.push(table.pmc(counter.into(), control));
            assignment.pmcs.push(table.pmc(u32::from(counter) + EVENT, event));
            assignment.pmds.push(table.pmd(counter.into()));
        }
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        self.free(request) & pinned(request.events[event].options.cell)
    }
}
