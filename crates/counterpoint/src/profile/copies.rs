//! Call stacks from copies of the stack, by the unwind information of the modules.

use super::code_files::code_files;
use super::places::Places;
use counterpoint_perf::records::{Level, Sample};
use counterpoint_symbols::{CodeFile, CodeFiles};
use counterpoint_unwind::{CannotUnwind, REGISTERS, Registers, Unwinder};
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};

/// True where the crate `counterpoint-unwind` knows this processor: on x86-64 and arm64.
///
/// Needs the feature `unwind`.
pub const CAN_UNWIND: bool = counterpoint_unwind::IS_SUPPORTED;

/// The usual limit of the size of a stack: an address further away is not in it, but wrong.
const STACK: usize = 8 << 20;

/// The registers of a program, and a copy of its stack from the stack pointer up.
#[derive(Clone, Debug)]
pub(crate) struct UserStack {
    registers: Registers,
    ip: u64,
    sp: u64,
    copy: Vec<u8>,
}

/// A frame: its module, and its address in the profile; `None` if it is in no known module.
pub(crate) type Frame = Option<(usize, u64)>;

/// The end of a stack.
pub(crate) enum End {
    /// At the outermost frame.
    Outermost,
    /// At a frame that is in no module.
    Unmapped,
    /// At the end of the copy, or at the most frames.
    Truncated,
    /// At a module that has no unwind information.
    WithoutInformation(usize),
    /// At a rule of a module that could not be followed.
    Failed(usize, CannotUnwind),
}

/// The unwind information of modules, each read when the first frame is there.
#[derive(Clone)]
pub(crate) struct Unwinding {
    files: CodeFiles,
    unwinder: Arc<Mutex<Unwinder>>,
    /// For each module, true if it has unwind information; `None` before it was asked for.
    informed: Vec<Option<bool>>,
    /// The frames of the last stack, the innermost first.
    pub(crate) frames: Vec<Frame>,
}

impl UserStack {
    /// Puts that of a sample in the place of another one; `None` if it has no registers of 64 bits.
    pub(crate) fn read(stack: &mut Option<Box<UserStack>>, sample: &Sample<'_>) {
        let Some(registers) = sample.registers.filter(|registers| registers.is_64_bit()) else {
            *stack = None;
            return;
        };
        let empty = || UserStack { registers: [None; REGISTERS], ip: 0, sp: 0, copy: Vec::new() };
        let user = stack.get_or_insert_with(|| Box::new(empty()));
        user.registers = registers.by_dwarf();
        (user.ip, user.sp) = (registers.ip(), registers.sp());
        user.copy.clear();
        user.copy.extend_from_slice(sample.stack.unwrap_or_default());
    }

    /// The bytes that it takes beside itself.
    pub(crate) fn size(&self) -> usize {
        self.copy.len()
    }

    /// The word at an address; sets `beyond` for one behind the copy.
    fn word(&self, address: u64, beyond: &mut bool) -> Option<u64> {
        let offset = usize::try_from(address.checked_sub(self.sp)?).ok()?;
        let bytes = self.copy.get(offset..).and_then(|rest| rest.first_chunk());
        *beyond |= bytes.is_none() && offset < STACK;
        bytes.map(|bytes| u64::from_ne_bytes(*bytes))
    }
}

impl Unwinding {
    pub(crate) fn new() -> Unwinding {
        let (unwinder, informed, frames) = Default::default();
        Unwinding { files: code_files(), unwinder, informed, frames }
    }

    /// Finds the frames of a stack, at most so many.
    pub(crate) fn unwind(&mut self, user: &UserStack, places: &Places<'_>, most: usize) -> End {
        let Unwinding { files, unwinder, informed, frames } = self;
        let mut unwinder = unwinder.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut registers, mut beyond) = (user.registers, false);
        // The address of an instruction that ran, or where a called function returns to.
        let (mut ip, mut is_exact) = (user.ip, true);
        frames.clear();
        for _ in 0..most {
            let place = places.of(ip.saturating_sub(u64::from(!is_exact)), Level::User);
            frames.push(place);
            let Some((module, at)) = place else { return End::Unmapped };
            if informed.len() <= module {
                informed.resize(module + 1, None);
            }
            let of_module = &mut informed[module];
            if !*of_module.get_or_insert_with(|| add(&mut unwinder, files, places, module)) {
                return End::WithoutInformation(module);
            }
            let mut word = |address| user.word(address, &mut beyond);
            let step = match unwinder.step(at, is_exact, &mut registers, &mut word) {
                Ok(step) => step,
                Err(_) if beyond => return End::Truncated,
                Err(error) => return End::Failed(module, error),
            };
            if step.is_signal && !is_exact {
                // The kernel had the handler return to the first instruction of this function, which called nothing.
                frames.pop();
                frames.push(places.of(ip, Level::User));
            }
            let Some(caller) = step.caller else { return End::Outermost };
            (ip, is_exact) = (caller, step.is_signal);
        }
        End::Truncated
    }
}

/// Adds the unwind information of a module; returns whether it has any.
fn add(unwinder: &mut Unwinder, files: &CodeFiles, places: &Places<'_>, module: usize) -> bool {
    let module = &places.modules[module];
    let (range, offset) = (module.range.clone(), module.offset);
    match module.code_file(files) {
        Some(CodeFile::Path(path)) => {
            File::open(path).is_ok_and(|file| unwinder.add_file(range, offset, file))
        }
        Some(CodeFile::Bytes { bytes, .. }) => unwinder.add(range, offset, &bytes),
        None => false,
    }
}

/// The sentence of an error, which has no address of a stack, so that there are few.
pub(crate) fn sentence(error: CannotUnwind) -> String {
    match error {
        CannotUnwind::Stack(_) => "a rule refers to memory outside of the stack".to_string(),
        other => other.to_string(),
    }
}
