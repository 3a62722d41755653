//! The rules of an address: how the frame and the registers of the caller are found.

use crate::registers::{self, IP, REGISTERS, Registers, SP, Step, VOLATILE};
use crate::table::{Bytes, Section, Table};
use crate::{CannotUnwind, Rule};
use gimli::{
    BaseAddresses, CfaRule, CommonInformationEntry, Encoding, EvaluationResult, Expression,
    Location, Register, RegisterRule, UnwindContext, UnwindExpression, UnwindSection,
    UnwindTableRow, Value,
};

/// The rules of an address.
#[derive(Debug)]
pub(crate) struct Row {
    cfa: Cfa,
    /// The rules of registers, by their numbers.
    registers: Vec<(usize, RegisterRule<usize>)>,
    /// A rule for a register needs the value of another one.
    reads_registers: bool,
    return_address: usize,
    is_signal: bool,
    section: Section,
    encoding: Encoding,
}

#[derive(Debug)]
enum Cfa {
    Offset(usize, i64),
    Expression(UnwindExpression<usize>),
}

static NONE: Registers = [None; REGISTERS];
/// The most operations of an expression: those of compilers have some ten.
const MOST_OPERATIONS: u32 = 1000;

impl Row {
    /// The rules at an address of a file; `None` if no function is there.
    pub(crate) fn at(table: &Table, address: u64) -> Result<Option<Row>, CannotUnwind> {
        let Some(place) = table.function(address) else { return Ok(None) };
        match place.0 {
            Section::EhFrame => read(&table.eh_frame(), table.bases(), place, address),
            Section::DebugFrame => read(&table.debug_frame(), table.bases(), place, address),
        }
        .map(Some)
    }

    fn new(
        row: &UnwindTableRow<usize>,
        common: &CommonInformationEntry<Bytes<'_>>,
        section: Section,
    ) -> Result<Row, CannotUnwind> {
        let number =
            |register: Register| Some(usize::from(register.0)).filter(|number| *number < REGISTERS);
        let cfa = match *row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                Cfa::Offset(number(register).ok_or(CannotUnwind::Damaged)?, offset)
            }
            CfaRule::Expression(expression) => Cfa::Expression(expression),
        };
        // Registers without a number here are those of floating point, and the like.
        let rules = row.registers().filter_map(|(of, rule)| Some((number(*of)?, rule.clone())));
        let registers: Vec<_> = rules.collect();
        let reads_stack = |rule: &RegisterRule<usize>| {
            use RegisterRule::{Offset, Undefined, ValOffset};
            matches!(rule, Offset(_) | Undefined | ValOffset(_))
        };
        Ok(Row {
            cfa,
            reads_registers: !registers.iter().all(|(_, rule)| reads_stack(rule)),
            registers,
            return_address: number(common.return_address_register())
                .ok_or(CannotUnwind::Damaged)?,
            is_signal: common.is_signal_trampoline(),
            section,
            encoding: common.encoding(),
        })
    }

    pub(crate) fn step(
        &self,
        table: &Table,
        is_exact: bool,
        registers: &mut Registers,
        stack: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<Step, CannotUnwind> {
        let before = registers[SP].unwrap_or(0);
        // Most rules read the stack only: a copy of all registers would take as long as everything else.
        let copy: Registers;
        let own = if self.reads_registers {
            copy = *registers;
            &copy
        } else {
            &NONE
        };
        let cfa = Frame { row: self, table, registers, stack }.cfa()?;
        let is_above = cfa > before || (cfa == before && is_exact);
        if !self.is_signal && !is_above {
            return Err(CannotUnwind::NoProgress);
        }
        // The link register has the return address of a function that has not saved it.
        let is_linked = is_exact && self.return_address != IP;
        let link = registers[self.return_address].filter(|_| is_linked);
        VOLATILE.iter().for_each(|number| registers[*number] = None);
        registers[self.return_address] = link;
        registers[SP] = Some(cfa);
        let mut frame = Frame { row: self, table, registers: own, stack };
        for (number, rule) in &self.registers {
            registers[*number] = match frame.register(*number, rule, cfa) {
                // Only what is needed is missed.
                Err(_) if *number != self.return_address && *number != SP => None,
                other => other?,
            };
        }
        let returns = registers[self.return_address].map(registers::unsigned);
        registers[IP] = returns;
        // Some stacks end with a null.
        Ok(Step { caller: returns.filter(|at| *at != 0), is_signal: self.is_signal })
    }
}

/// Reads the rules of a function that is at a place of its section.
fn read<'a, S: UnwindSection<Bytes<'a>>>(
    section: &S,
    bases: &BaseAddresses,
    (kind, offset): (Section, usize),
    address: u64,
) -> Result<Row, CannotUnwind> {
    let damaged = |_: gimli::Error| CannotUnwind::Damaged;
    let fde = section
        .fde_from_offset(bases, S::Offset::from(offset), S::cie_from_offset)
        .map_err(damaged)?;
    let mut context = UnwindContext::new();
    let row =
        fde.unwind_info_for_address(section, bases, &mut context, address).map_err(damaged)?;
    Row::new(row, fde.cie(), kind)
}

/// A frame whose caller is looked for.
struct Frame<'a> {
    row: &'a Row,
    table: &'a Table,
    registers: &'a Registers,
    stack: &'a mut dyn FnMut(u64) -> Option<u64>,
}

impl Frame<'_> {
    fn cfa(&mut self) -> Result<u64, CannotUnwind> {
        match self.row.cfa {
            Cfa::Offset(register, offset) => {
                let missing = CannotUnwind::Register(Rule::Frame, register as u16);
                let base = self.registers[register].ok_or(missing)?;
                Ok(base.wrapping_add_signed(offset))
            }
            Cfa::Expression(expression) => self.evaluate(expression, None, Rule::FrameExpression),
        }
    }

    /// The value of a register of the caller; `None` if there is none.
    fn register(
        &mut self,
        number: usize,
        rule: &RegisterRule<usize>,
        cfa: u64,
    ) -> Result<Option<u64>, CannotUnwind> {
        let evaluated = Rule::RegisterExpression(number as u16);
        Ok(match *rule {
            RegisterRule::Undefined => None,
            RegisterRule::SameValue => self.registers[number],
            RegisterRule::Offset(offset) => Some(self.word(cfa.wrapping_add_signed(offset))?),
            RegisterRule::ValOffset(offset) => Some(cfa.wrapping_add_signed(offset)),
            RegisterRule::Register(of) => {
                let missing = CannotUnwind::Register(Rule::Register(number as u16), of.0);
                Some(self.registers.get(usize::from(of.0)).copied().flatten().ok_or(missing)?)
            }
            RegisterRule::Expression(expression) => {
                let address = self.evaluate(expression, Some(cfa), evaluated)?;
                Some(self.word(address)?)
            }
            RegisterRule::ValExpression(expression) => {
                Some(self.evaluate(expression, Some(cfa), evaluated)?)
            }
            RegisterRule::Constant(value) => Some(value),
            _ => return Err(CannotUnwind::Damaged),
        })
    }

    fn word(&mut self, address: u64) -> Result<u64, CannotUnwind> {
        (self.stack)(address).ok_or(CannotUnwind::Stack(address))
    }

    /// The address or value that an expression describes.
    fn evaluate(
        &mut self,
        expression: UnwindExpression<usize>,
        initial: Option<u64>,
        rule: Rule,
    ) -> Result<u64, CannotUnwind> {
        let failed = |_: gimli::Error| CannotUnwind::Expression(rule);
        let table = self.table;
        let expression: Expression<Bytes<'_>> = match self.row.section {
            Section::EhFrame => expression.get(&table.eh_frame()),
            Section::DebugFrame => expression.get(&table.debug_frame()),
        }
        .map_err(failed)?;
        let mut evaluation = expression.evaluation(self.row.encoding);
        evaluation.set_max_iterations(MOST_OPERATIONS);
        if let Some(initial) = initial {
            evaluation.set_initial_value(initial);
        }
        let mut state = evaluation.evaluate().map_err(failed)?;
        loop {
            state = match state {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresMemory { address, size, .. } => {
                    let word = self.word(address)?;
                    let bits = u32::from(size) * 8;
                    let value = if bits < 64 { word & ((1 << bits) - 1) } else { word };
                    evaluation.resume_with_memory(Value::Generic(value))
                }
                EvaluationResult::RequiresRegister { register, .. } => {
                    let known = self.registers.get(usize::from(register.0)).copied().flatten();
                    let known = known.ok_or(CannotUnwind::Register(rule, register.0))?;
                    evaluation.resume_with_register(Value::Generic(known))
                }
                EvaluationResult::RequiresCallFrameCfa => {
                    let cfa = initial.ok_or(CannotUnwind::Expression(rule))?;
                    evaluation.resume_with_call_frame_cfa(cfa)
                }
                _ => return Err(CannotUnwind::Expression(rule)),
            }
            .map_err(failed)?;
        }
        // The result is an address as far as DWARF is concerned, also where it stands for a value.
        match evaluation.as_result() {
            [piece] => match piece.location {
                Location::Address { address } => Ok(address),
                Location::Value { value } => value.to_u64(u64::MAX).map_err(failed),
                _ => Err(CannotUnwind::Expression(rule)),
            },
            _ => Err(CannotUnwind::Expression(rule)),
        }
    }
}
