//! Generic IA-64 and Itanium.

use super::assign::no_assignment;
use super::events::Kind;
use super::input::{Ear, OpcodeMatch};
use super::ranges;
use super::registers::{EVERY_BRANCH, counter, field, itanium_branch_buffer, itanium_ear};
use super::session::Session;
use crate::libpfm3::engine::{self, Counters};
use crate::libpfm3::{DispatchError, ErrorKind};

/// Set in every counter configuration: the overflow interrupt.
const INTERRUPT: u64 = 1 << 5;
/// Instruction and data event address registers.
const IEAR: u32 = 10;
const DEAR: u32 = 11;
/// PMC11: instructions are not selected by tags of data addresses.
const PASS_TAGS: u64 = 1 << 28;
const BRANCH_BUFFER: u32 = 12;
const CODE_RANGE: u32 = 13;

/// Any IA-64 processor: counters without features.
pub(super) fn generic(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let counters = place(session)?;
    session
        .count(&counters, |facts, monitor, _| monitor.bits() | field(facts.code, 8, 8) | INTERRUPT);
    Ok(())
}

pub(super) fn itanium(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let counters = place(session)?;
    session.count(&counters, |facts, monitor, event| {
        counter(facts, monitor, event) | INTERRUPT | field(event.options.instruction_set, 24, 2)
    });
    instruction_ear(session)?;
    data_ear(session)?;
    for (number, opcode) in [8, 9].into_iter().zip(session.input.opcodes) {
        if let Some(OpcodeMatch::Register(value)) = opcode {
            session.pmc(number, value)?;
        }
    }
    branch_buffer(session)?;
    code_range(session)?;
    data_range(session)
}

fn place(session: &Session<'_>) -> Result<Counters, DispatchError> {
    engine::assign(&session.allowed()).ok_or_else(no_assignment)
}

/// The registers in use without their event, or those of the last event that drives them.
fn instruction_ear(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let of_event = session.facts.iter().rev().find_map(|facts| match facts.kind {
        Kind::InstructionEar(mode) => Some(Ear::of_event(mode, facts.umask)),
        _ => None,
    });
    let Some(ear) = session.input.instruction_ear.or(of_event) else {
        return Ok(());
    };
    if ear.mode > 2 {
        return Err(unknown_mode());
    }
    session.pmc(IEAR, itanium_ear(&ear, session.monitor(ear.plm)))?;
    session.pmds([0, 1]);
    Ok(())
}

fn data_ear(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let of_event = session.facts.iter().rev().find_map(|facts| match facts.kind {
        Kind::DataEar(mode) => Some(Ear::of_event(mode, facts.umask)),
        _ => None,
    });
    let tagged = session.input.data_ear.is_some() && session.input.data.is_some();
    let Some(ear) = session.input.data_ear.or(of_event) else {
        return Ok(());
    };
    if ear.mode > 2 {
        return Err(unknown_mode());
    }
    let pass = if tagged { 0 } else { PASS_TAGS };
    session.pmc(DEAR, itanium_ear(&ear, session.monitor(ear.plm)) | pass)?;
    if let Some(register) = session.assignment.pmcs.last_mut() {
        // libpfm-3 names no alternate address here.
        register.alternate = 0;
    }
    session.pmds([2, 3, 17]);
    Ok(())
}

fn branch_buffer(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let of_event = session.has(Kind::BranchBuffer).then_some(EVERY_BRANCH);
    if let Some(buffer) = session.input.branch_buffer.or(of_event) {
        let value = itanium_branch_buffer(&buffer, session.monitor(buffer.plm));
        session.pmc(BRANCH_BUFFER, value)?;
        session.pmds(8..=16);
    }
    Ok(())
}

fn code_range(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let Some(code) = &session.input.code else {
        return Ok(());
    };
    session.needs_output()?;
    let limits = ranges::code_limits(code)?;
    session.output.code =
        ranges::exact(limits, session.request.plm).ok_or_else(ranges::too_many_code)?;
    session.pmc(CODE_RANGE, 0)
}

/// Data ranges tag instructions in the register of the data EAR, which an event of it has set already.
fn data_range(session: &mut Session<'_>) -> Result<(), DispatchError> {
    let Some(data) = &session.input.data else {
        return Ok(());
    };
    session.needs_output()?;
    let limits = ranges::data_limits(data)?;
    session.output.data =
        ranges::exact(limits, session.request.plm).ok_or_else(ranges::too_many_data)?;
    if session.facts.iter().any(|facts| matches!(facts.kind, Kind::DataEar(_))) {
        return Ok(());
    }
    session.pmc(DEAR, field(session.request.plm.bits(), 0, 4))
}

pub(super) fn unknown_mode() -> DispatchError {
    DispatchError::new(ErrorKind::Invalid, "the event address registers have no such mode")
}
