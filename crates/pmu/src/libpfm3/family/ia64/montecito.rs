//! Montecito, the dual-core Itanium 2.

use super::assign;
use super::code::{self, Mix, Pairs, Placed};
use super::events::{Facts, Kind, Prefetch};
use super::input::{OpcodeMatch, Ranges};
use super::itanium2::{
    after_assignment, branch_buffers, data_ears, data_range, in_range, instruction_ears,
};
use super::ranges::{self, FineMode};
use super::registers::{InRange, Monitor, counter, field, montecito_opcode_mask};
use super::session::Session;
use crate::libpfm3::engine::Counters;
use crate::libpfm3::{CounterOptions, DispatchError, ErrorKind, EventRequest};

/// Events are seen in every instruction set.
const EVERY_SET: u32 = 2;
/// PMC32: every bit of an opcode ignored, in every slot.
const EVERY_OPCODE: u64 = 0x000f_01ff_ffff_ffff;
const PAGE: FineMode = FineMode { page_bits: 16 };

pub(super) fn montecito(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let allowed = session.allowed();
    let counters = assign::montecito(&session.facts, &allowed)?;
    let is_assigned = assign::libpfm3_assigns_montecito(&session.facts, &allowed);
    features(session, &counters).map_err(|error| after_assignment(error, is_assigned))
}

fn features(session: &mut Session<'_>, counters: &Counters) -> Result<(), DispatchError> {
    let all_threads = |event: &EventRequest| event.options.flags & CounterOptions::ALL_THREADS != 0;
    if let Some(event) = session.request.events.iter().position(all_threads) {
        let reason = "no event counts for both threads";
        return Err(DispatchError::new(ErrorKind::NotSupported, reason).at(event));
    }
    session.count(counters, counter_value);
    instruction_ears(session, 37, [34, 35], Some(0))?;
    data_ears(session, 40, [32, 33, 36], Some(EVERY_SET))?;
    let placed = code_range(session)?;
    placed.answer(after_ranges(session, &placed))
}

fn after_ranges(session: &mut Session<'_>, placed: &Placed) -> Result<(), DispatchError> {
    if session.input.code.is_some() {
        session.pmc(38, placed.configuration())?;
    }
    data_range(session, 41, placed.fine)?;
    opcodes(session)?;
    branch_buffers(session, 39, [38, 39].into_iter().chain(48..=63))?;
    ip_ear(session)
}

fn counter_value(facts: &Facts, monitor: Monitor, event: &EventRequest) -> u64 {
    let states = event.masks.iter().fold(0u64, |states, mask| states | 1 << mask);
    let every_state = if event.masks.is_empty() { 0xf } else { states };
    let mesi = if facts.mesi { field(every_state, 27, 4) } else { 0 };
    counter(facts, monitor, event) | field(EVERY_SET, 24, 2) | mesi
}

fn code_range(session: &mut Session<'_>) -> Result<Placed, DispatchError> {
    let Some(code) = &session.input.code else {
        return Ok(Placed::default());
    };
    session.needs_output()?;
    let limits = ranges::code_limits(code)?;
    let mix = Mix::of(session);
    let fine_mode = PAGE.unless_refused(code);
    let seems_fine = |mode: FineMode| limits.iter().all(|range| mode.seems_inside(range));
    let meant_fine = fine_mode.is_some_and(seems_fine);
    let not_coarse = || {
        let reason = "the code range is not inside a page";
        DispatchError::new(ErrorKind::FeatureCombination, reason)
    };
    let accept = |placed: &Placed| {
        if placed.fine {
            Ok(())
        } else if mix.only_retired {
            code::check_tagged(session, placed)
        } else if !mix.no_others && meant_fine {
            // The block around it would be of 4 GiB or more.
            Err(not_coarse())
        } else {
            Ok(())
        }
    };
    let placed = code::place(session, limits, fine_mode, || pairs(session, code), accept);
    let mut placed = placed.map_err(|refusal| match refusal.kind() {
        ErrorKind::CodeRangeTooBig | ErrorKind::CodeRange if !mix.no_others => not_coarse(),
        _ => refusal,
    })?;
    if !placed.fine && !mix.no_others {
        // libpfm-3 has no coarse ranges for ordinary events, and checks that first.
        placed.refused = Some(not_coarse());
    }
    session.output.code = placed.registers;
    Ok(placed)
}

/// Prefetches look at pair 1; events that see fetches and prefetches at pair 0, pair 1 or both, as asked.
fn pairs(session: &Session<'_>, code: &Ranges) -> Result<Pairs, DispatchError> {
    let any = |prefetch| session.facts.iter().any(|facts| facts.prefetch == prefetch);
    let either = any(Prefetch::Either);
    let fetches = code.flags & Ranges::DEMAND_FETCH != 0;
    let prefetches = code.flags & Ranges::PREFETCH_MATCH != 0;
    if either && !fetches && !prefetches {
        let reason = "an event sees fetches and prefetches: DEMAND_FETCH or PREFETCH_MATCH says which to count";
        return Err(DispatchError::new(ErrorKind::CodeRangeFlags, reason));
    }
    let on_pair_0 = either && fetches;
    let on_pair_1 = any(Prefetch::Yes) || either && prefetches;
    let pairs = Pairs { base: usize::from(on_pair_1 && !on_pair_0), both: on_pair_0 && on_pair_1 };
    if on_pair_1 && session.facts.iter().any(|facts| facts.cycles) {
        let reason = "cycles are counted, and prefetches look at another pair of debug registers";
        return Err(DispatchError::new(ErrorKind::FeatureCombination, reason));
    }
    Ok(pairs)
}

/// PMC32 to PMC35. PMC36, which ties matchers to pairs of debug registers, keeps its default.
fn opcodes(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let [first, second] = session.input.opcodes;
    if first.is_some() || session.input.code.is_some() {
        let range = match in_range(session) {
            InRange::Ignored => 0b10,
            InRange::Inside => 0b00,
            InRange::Outside => 0b01,
        };
        let mask = first.as_ref().map_or(EVERY_OPCODE, montecito_opcode_mask);
        session.pmc(32, mask | range << 56)?;
    }
    if let Some(opcode) = first {
        session.pmc(33, matches(opcode))?;
    }
    if let Some(opcode) = second {
        session.pmc(34, montecito_opcode_mask(&opcode))?;
        session.pmc(35, matches(opcode))?;
    }
    Ok(())
}

fn matches(opcode: OpcodeMatch) -> u64 {
    match opcode {
        OpcodeMatch::Fields { matches, .. } | OpcodeMatch::Register(matches) => {
            field(matches, 0, 41)
        }
    }
}

/// The execution trace buffer captures instruction pointers, unless it traces branches.
fn ip_ear(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let Some(ear) = session.input.ip_ear else {
        return Ok(());
    };
    if session.input.branch_buffer.is_some() || session.has(Kind::BranchBuffer) {
        let reason = "IP-EARs are used, and the trace buffer traces branches";
        return Err(DispatchError::new(ErrorKind::FeatureCombination, reason));
    }
    let value = session.monitor(ear.plm).bits() | field(4u64, 8, 3) | field(ear.delay, 11, 8);
    session.pmc(42, value)?;
    session.pmds([38, 39].into_iter().chain(48..=63));
    Ok(())
}
