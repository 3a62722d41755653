//! Unwinds copies of stacks by the files of the modules.

use super::symbols::{contents, reachable};
use counterpoint::profile::{CannotUnwind, Module, Unwind, UserRegisters};
use counterpoint_unwind::{Registers, Unwinder};

struct Files(Unwinder);

/// An unwinder that reads the file of each module when the first frame is there.
pub fn new() -> Box<dyn Unwind> {
    Box::new(Files(Unwinder::default()))
}

impl Unwind for Files {
    fn add(&mut self, module: &Module) -> bool {
        let file = contents(&reachable(module));
        file.is_some_and(|file| self.0.add(module.range.clone(), module.offset, &file))
    }

    fn caller(
        &mut self,
        address: u64,
        is_innermost: bool,
        registers: &mut UserRegisters,
        stack: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<Option<u64>, CannotUnwind> {
        let UserRegisters { ip, sp, fp, lr } = *registers;
        let mut known = Registers { ip, sp, fp, lr };
        let caller = self.0.caller(address, is_innermost, &mut known, stack);
        let Registers { ip, sp, fp, lr } = known;
        *registers = UserRegisters { ip, sp, fp, lr };
        caller.map_err(|_| CannotUnwind)
    }
}
