//! Itanium 2 (McKinley, Madison).

use super::assign;
use super::code::{self, Mix, Pairs, Placed, data_configuration};
use super::events::Kind;
use super::input::{BranchBuffer, Ear, OpcodeMatch, Ranges};
use super::itanium::unknown_mode;
use super::ranges::{self, FineMode};
use super::registers::{
    EVERY_BRANCH, InRange, branch_buffer, counter, data_ear, field, instruction_ear,
    itanium2_opcode,
};
use super::session::Session;
use crate::libpfm3::engine::Counters;
use crate::libpfm3::{DispatchError, ErrorKind};

const INTERRUPT: u64 = 1 << 5;
/// Matches every opcode in every slot.
const EVERY_OPCODE: u64 = 0xffff_ffff_3fff_ffff;
const PAGE: FineMode = FineMode { page_bits: 12 };

pub(super) fn itanium2(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let counters = assign::itanium2(&session.facts, &session.allowed())?;
    let is_assigned = !assign::libpfm3_refuses_itanium2(&session.facts);
    features(session, &counters).map_err(|error| after_assignment(error, is_assigned))
}

/// The error of what comes after the counters, which libpfm-3 reaches only if it finds those of its own.
pub(super) fn after_assignment(error: DispatchError, is_assigned: bool) -> DispatchError {
    if is_assigned { error } else { error.libpfm3(ErrorKind::NoAssign) }
}

fn features(session: &mut Session<'_>, counters: &Counters) -> Result<(), DispatchError> {
    session.count(counters, |facts, monitor, event| {
        counter(facts, monitor, event) | INTERRUPT | field(event.options.instruction_set, 24, 2)
    });
    instruction_ears(session, 10, [0, 1], None)?;
    data_ears(session, 11, [2, 3, 17], None)?;
    let placed = code_range(session)?;
    placed.answer(after_ranges(session, &placed))
}

fn after_ranges(session: &mut Session<'_>, placed: &Placed) -> Result<(), DispatchError> {
    if session.input.code.is_some() {
        session.pmc(14, placed.configuration())?;
    }
    data_range(session, 13, placed.fine)?;
    opcodes(session)?;
    branch_buffers(session, 12, 8..=16)
}

/// The registers in use without their event, or those of the first event that drives them; `set` replaces their
/// instruction set mask.
pub(super) fn instruction_ears(
    session: &mut Session<'_>,
    number: u32,
    data: [u32; 2],
    set: Option<u32>,
) -> Result<(), DispatchError> {
    let of_event = session.facts.iter().find_map(|facts| match facts.kind {
        Kind::InstructionEar(mode) => Some(Ear::of_event(mode, facts.umask)),
        _ => None,
    });
    let Some(ear) = session.input.instruction_ear.or(of_event) else {
        return Ok(());
    };
    if ear.mode > 1 {
        return Err(unknown_mode());
    }
    let ear = Ear { instruction_set: set.unwrap_or(ear.instruction_set), ..ear };
    session.pmc(number, instruction_ear(&ear, session.monitor(ear.plm)))?;
    session.pmds(data);
    Ok(())
}

/// As [`instruction_ears`].
pub(super) fn data_ears(
    session: &mut Session<'_>,
    number: u32,
    data: [u32; 3],
    set: Option<u32>,
) -> Result<(), DispatchError> {
    let of_event = session.facts.iter().find_map(|facts| match facts.kind {
        Kind::DataEar(mode) => Some(Ear::of_event(mode, facts.umask)),
        _ => None,
    });
    let Some(ear) = session.input.data_ear.or(of_event) else {
        return Ok(());
    };
    if ear.mode > 2 {
        return Err(unknown_mode());
    }
    let ear = Ear { instruction_set: set.unwrap_or(ear.instruction_set), ..ear };
    session.pmc(number, data_ear(&ear, session.monitor(ear.plm)))?;
    session.pmds(data);
    Ok(())
}

/// The branch buffer, which captures data addresses instead while data EARs look at TLBs or the ALAT.
pub(super) fn branch_buffers(
    session: &mut Session<'_>,
    number: u32,
    data: impl IntoIterator<Item = u32>,
) -> Result<(), DispatchError> {
    let of_event =
        session.has(Kind::BranchBuffer).then_some(BranchBuffer { ds: 0, ..EVERY_BRANCH });
    let buffer = session.input.branch_buffer.or(of_event);
    let taken = session.facts.iter().any(|facts| matches!(facts.kind, Kind::DataEar(1 | 2)))
        || session.input.data_ear.is_some_and(|ear| matches!(ear.mode, 1 | 2));
    let value = buffer.map_or(0, |buffer| branch_buffer(&buffer, session.monitor(buffer.plm)));
    if taken && value != 0 {
        let reason = "the branch buffer is used, and data EARs look at TLBs or the ALAT";
        return Err(DispatchError::new(ErrorKind::Incompatible, reason));
    }
    if taken || buffer.is_some() {
        session.pmc(number, value)?;
    }
    if buffer.is_some() {
        session.pmds(data);
    }
    Ok(())
}

fn code_range(session: &mut Session<'_>) -> Result<Placed, DispatchError> {
    let Some(code) = &session.input.code else {
        return Ok(Placed::default());
    };
    session.needs_output()?;
    let mix = Mix::of(session);
    let pairs = || Ok(Pairs { base: usize::from(mix.prefetches), both: false });
    let accept = |placed: &Placed| {
        let crossed =
            |pair| placed.registers.uses(pair) && session.input.opcodes[1 - pair % 2].is_some();
        if mix.only_retired && (0..4).any(crossed) {
            let reason =
                "the other opcode matcher belongs to the debug registers of the code range";
            return Err(DispatchError::new(ErrorKind::FeatureCombination, reason));
        }
        if mix.only_retired && !placed.fine {
            return code::check_tagged(session, placed);
        }
        Ok(())
    };
    let placed =
        code::place(session, ranges::code_limits(code)?, PAGE.unless_refused(code), pairs, accept)?;
    session.output.code = placed.registers;
    Ok(placed)
}

pub(super) fn data_range(
    session: &mut Session<'_>,
    number: u32,
    fine: bool,
) -> Result<(), DispatchError> {
    if let Some(data) = &session.input.data {
        session.needs_output()?;
        let limits = ranges::data_limits(data)?;
        session.output.data =
            ranges::exact(limits, session.request.plm).ok_or_else(ranges::too_many_data)?;
    }
    if session.input.code.is_none() && session.input.data.is_none() {
        return Ok(());
    }
    session.pmc(number, data_configuration(session, fine))
}

/// The relation of opcode matchers to the code range.
pub(super) fn in_range(session: &Session<'_>) -> InRange {
    match &session.input.code {
        None => InRange::Ignored,
        Some(code) if code.flags & Ranges::INVERT != 0 => InRange::Outside,
        Some(_) => InRange::Inside,
    }
}

fn opcodes(session: &mut Session<'_>) -> Result<(), DispatchError> {
    if session.request.input.is_none() {
        return Ok(());
    }
    let [first, second] = session.input.opcodes;
    if first.is_some() || session.input.code.is_some() {
        let matches = first.map(register).unwrap_or(EVERY_OPCODE);
        session.pmc(8, itanium2_opcode(matches, in_range(session)))?;
    }
    if let Some(matches) = second.map(register) {
        if !Mix::of(session).only_retired {
            let reason = "PMC9 matches instructions retired only";
            return Err(DispatchError::new(ErrorKind::FeatureCombination, reason));
        }
        session.pmc(9, itanium2_opcode(matches, InRange::Ignored))?;
    }
    session.pmc(15, tagged_opcodes(session))
}

/// PMC15: a zero for each pair of debug registers whose tags an opcode matcher restricts.
fn tagged_opcodes(session: &Session<'_>) -> u64 {
    let mut value = 0xffff_ffff;
    for (matcher, opcode) in session.input.opcodes.iter().enumerate() {
        let tagged = |pair: usize| session.facts.iter().any(|facts| facts.tags == Some(pair as u8));
        let (low, high) = (tagged(matcher), tagged(matcher + 2));
        if opcode.is_some() {
            let clear_low = low || !high;
            let clear_high = high || !low;
            value &= !(u64::from(clear_low) << matcher | u64::from(clear_high) << (matcher + 2));
        }
    }
    value
}

fn register(opcode: OpcodeMatch) -> u64 {
    match opcode {
        OpcodeMatch::Register(value) => value,
        OpcodeMatch::Fields { matches, .. } => matches,
    }
}
