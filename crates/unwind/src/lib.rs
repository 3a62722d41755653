//! Finds callers from registers and a copy of the stack, by the unwind information of ELF files.
//!
//! An [`Unwinder`] has the unwind information of files, each at some addresses; [`Unwinder::caller`] takes one step from a function to its caller.
//! The addresses of code need not be those of a process: a profile has files at addresses of its own, so that the processes of a program share what the unwinder caches.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod elf;

use elf::Sections;
#[cfg(not(target_arch = "x86_64"))]
use framehop::aarch64::{
    CacheAarch64 as Cache, PtrAuthMask, UnwindRegsAarch64 as Known, UnwinderAarch64 as Rules,
};
#[cfg(target_arch = "x86_64")]
use framehop::x86_64::{CacheX86_64 as Cache, UnwindRegsX86_64 as Known, UnwinderX86_64 as Rules};
use framehop::{FrameAddress, Module, Unwinder as _};
use std::fmt;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};

/// Whether programs of this processor can be unwound: x86-64 and arm64.
pub const IS_SUPPORTED: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// The registers of a function that determine its caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The instruction pointer.
    pub ip: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The frame pointer.
    pub fp: u64,
    /// The link register; ignored on x86-64, which has none.
    pub lr: u64,
}

/// A caller cannot be found: a word of the stack is missing, or the unwind information is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CannotUnwind;

/// The unwind information of files.
#[derive(Default)]
pub struct Unwinder {
    rules: Rules<Vec<u8>>,
    cache: Cache,
    /// The number of files that were added since the cache was made.
    added: u16,
}

/// The cache tells as many versions of the rules apart as 16 bits can count.
const VERSIONS: u16 = 60_000;

impl Unwinder {
    /// Adds the unwind information of a file, of which the bytes from `offset` on are code at the addresses `code`; returns whether it has any.
    pub fn add(&mut self, code: Range<u64>, offset: u64, file: &[u8]) -> bool {
        let Some(Sections { start, sections }) = elf::sections(file, offset) else { return false };
        let base = code.start.wrapping_sub(start);
        self.rules.add_module(Module::new(String::new(), code, base, sections));
        self.added += 1;
        if self.added > VERSIONS {
            (self.cache, self.added) = (Cache::default(), 0);
        }
        true
    }

    /// Finds the caller of a function, and changes the registers to those of the caller.
    ///
    /// `address` is the address of an instruction of the function, where the file was added: the one that ran if `is_innermost`, or one within the instruction that called.
    /// `stack` returns the word at an address of the stack.
    /// An address that is in no file is unwound by its frame pointer.
    /// Returns the return address, as it is on the stack; `None` if there is no caller.
    ///
    /// # Errors
    /// Returns an error if a word of the stack is missing, and if the registers would make no progress.
    pub fn caller(
        &mut self,
        address: u64,
        is_innermost: bool,
        registers: &mut Registers,
        stack: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<Option<u64>, CannotUnwind> {
        let frame = match is_innermost {
            true => FrameAddress::from_instruction_pointer(address),
            false => {
                let behind = address.checked_add(1).ok_or(CannotUnwind)?;
                FrameAddress::from_return_address(behind).ok_or(CannotUnwind)?
            }
        };
        let mut known = to_known(registers);
        let mut word = |address| stack(address).ok_or(());
        // In builds with checks of overflow, framehop panics over some information that lies; in others, it returns an error.
        let step = || self.rules.unwind_frame(frame, &mut known, &mut self.cache, &mut word);
        let Ok(caller) = panic::catch_unwind(AssertUnwindSafe(step)) else {
            self.cache = Cache::default();
            return Err(CannotUnwind);
        };
        let caller = match caller {
            // Code without information is unwound by the frame pointer, which is 0 where a program begins, in the dynamic linker.
            Err(
                framehop::Error::FramepointerUnwindingMovedBackwards
                | framehop::Error::CouldNotReadStack(8),
            ) if registers.fp == 0 => None,
            other => other.map_err(|_| CannotUnwind)?,
        };
        if let Some(caller) = caller {
            *registers = from_known(&known, caller);
        }
        // Some stacks end with a null.
        Ok(caller.filter(|caller| *caller != 0))
    }
}

#[cfg(target_arch = "x86_64")]
fn to_known(registers: &Registers) -> Known {
    Known::new(registers.ip, registers.sp, registers.fp)
}

#[cfg(target_arch = "x86_64")]
fn from_known(known: &Known, ip: u64) -> Registers {
    Registers { ip, sp: known.sp(), fp: known.bp(), lr: 0 }
}

/// The bits of an address of a program; those above them sign it.
#[cfg(not(target_arch = "x86_64"))]
const ADDRESS: PtrAuthMask = PtrAuthMask((1 << 48) - 1);

#[cfg(not(target_arch = "x86_64"))]
fn to_known(registers: &Registers) -> Known {
    Known::new_with_ptr_auth_mask(ADDRESS, registers.lr, registers.sp, registers.fp)
}

#[cfg(not(target_arch = "x86_64"))]
fn from_known(known: &Known, ip: u64) -> Registers {
    Registers { ip, sp: known.sp(), fp: known.fp(), lr: known.lr() }
}

impl fmt::Debug for Unwinder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unwinder").field("added", &self.added).finish_non_exhaustive()
    }
}

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
