//! Finds callers from registers and a copy of the stack, by the unwind information of ELF files.
//!
//! An [`Unwinder`] has the unwind information of files, each at some addresses; [`Unwinder::step`] goes from a function to its caller.
//! The addresses of code need not be those of a process: a profile has files at addresses of its own, so that the processes of a program share what the unwinder keeps.
//!
//! The rules are those of DWARF 5, section 6.4, which `gimli` reads; all of them are followed, expressions included, and nothing is guessed in the place of one that fails.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod elf;
mod error;
mod registers;
mod row;
mod table;

pub use error::{CannotUnwind, Rule};
pub use registers::{FP, IP, LR, REGISTERS, Registers, SP, Step};

use elf::{Bounded, Sections};
use row::Row;
use std::fmt;
use std::fs::File;
use std::ops::Range;
use table::Table;

/// True if programs of this processor can be unwound: x86-64 and arm64.
pub const IS_SUPPORTED: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// The unwind information of files.
#[derive(Default)]
pub struct Unwinder {
    /// By the first address of their code.
    modules: Vec<Module>,
    /// The rules of addresses, each at the place that its number chooses: another one there is replaced.
    rows: Vec<Option<(Key, Row)>>,
    /// The bytes of all sections.
    bytes: usize,
}

struct Module {
    code: Range<u64>,
    /// From an address in the file to one of the code.
    base: u64,
    /// Its place in the order in which files were added.
    number: usize,
    table: Table,
}

/// The file, and the address in it.
type Key = (usize, u64);

/// The most addresses whose rules are kept.
const MOST_ROWS: usize = 1 << 14;
/// The most bytes of the unwind information of all files.
const MOST_BYTES: usize = 160 << 20;

impl Unwinder {
    /// Adds the unwind information of a file, of which the bytes from `offset` on are code at the addresses `code`; returns whether it has any.
    ///
    /// Sections of more than 64 MiB, and of more than 160 MiB together, are not taken.
    pub fn add(&mut self, code: Range<u64>, offset: u64, file: &[u8]) -> bool {
        self.add_sections(code, elf::sections(file, offset))
    }

    /// The same for an open file, of which only the parts are read that are needed.
    pub fn add_file(&mut self, code: Range<u64>, offset: u64, file: File) -> bool {
        self.add_sections(code, elf::sections(&object::ReadCache::new(Bounded(file)), offset))
    }

    fn add_sections(&mut self, code: Range<u64>, sections: Option<Sections>) -> bool {
        let Some(sections) = sections else { return false };
        let bytes = sections.bytes();
        if bytes > MOST_BYTES - self.bytes {
            return false;
        }
        self.bytes += bytes;
        let base = code.start.wrapping_sub(sections.start);
        let number = self.modules.len();
        let place = self.modules.partition_point(|module| module.code.start <= code.start);
        self.modules.insert(place, Module { code, base, number, table: Table::new(sections) });
        true
    }

    /// Finds the caller of a function, and changes the registers to those of the caller.
    ///
    /// `address` is the address of an instruction of the function, where the file was added: the one that ran or was interrupted if `is_exact`, or one within the instruction that called.
    /// `stack` returns the word at an address of the stack.
    /// An address without unwind information is unwound by its frame pointer.
    ///
    /// # Errors
    /// Returns an error if a rule cannot be followed, because a word of the stack or a register is missing, and if the registers would make no progress.
    pub fn step(
        &mut self,
        address: u64,
        is_exact: bool,
        registers: &mut Registers,
        stack: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<Step, CannotUnwind> {
        let after = self.modules.partition_point(|module| module.code.start <= address);
        let module = self.modules[..after].last().filter(|module| module.code.contains(&address));
        let Some(module) = module else { return registers::by_frame_pointer(registers, stack) };
        let linked = address.wrapping_sub(module.base);
        let key = (module.number, linked);
        if self.rows.is_empty() {
            self.rows.resize_with(MOST_ROWS, || None);
        }
        let place = &mut self.rows[(linked as usize ^ module.number) % MOST_ROWS];
        if place.as_ref().is_none_or(|(known, _)| *known != key) {
            let Some(row) = Row::at(&module.table, linked)? else {
                return registers::by_frame_pointer(registers, stack);
            };
            *place = Some((key, row));
        }
        match place {
            Some((_, row)) => row.step(&module.table, is_exact, registers, stack),
            None => Err(CannotUnwind::NoRule),
        }
    }
}

impl fmt::Debug for Unwinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unwinder").field("modules", &self.modules.len()).finish_non_exhaustive()
    }
}

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
