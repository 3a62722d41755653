use super::module::Module;
use super::stacks::{CannotUnwind, Unwind, UserRegisters};
use counterpoint_unwind::{Registers, Unwinder};

/// Reads the contents of a module's file; `None` if they cannot be read.
type Read = fn(&Module) -> Option<Vec<u8>>;

/// The unwind information of modules, each read when the first frame is there.
struct Files {
    read: Read,
    unwinder: Unwinder,
}

/// Whether the crate `counterpoint-unwind` knows this processor: x86-64 and arm64.
pub const CAN_UNWIND: bool = counterpoint_unwind::IS_SUPPORTED;

/// Finds callers by the files of modules, whose contents `read` returns; `None` if a file cannot be read.
///
/// Needs the feature `unwind`.
///
/// ```
/// use counterpoint::perf::Every;
/// use counterpoint::profile::{CallGraph, Profile, unwind_files};
///
/// let unwinder = || unwind_files(|module| std::fs::read(&module.path).ok());
/// let profile = Profile::every(Every::Frequency(1000))
///     .call_graph(CallGraph::Copies { bytes: 8192, unwinder });
/// # drop(profile);
/// ```
pub fn unwind_files(read: Read) -> Box<dyn Unwind> {
    Box::new(Files { read, unwinder: Unwinder::default() })
}

impl Unwind for Files {
    fn add(&mut self, module: &Module) -> bool {
        let file = (self.read)(module);
        file.is_some_and(|file| self.unwinder.add(module.range.clone(), module.offset, &file))
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
        let caller = self.unwinder.caller(address, is_innermost, &mut known, stack);
        let Registers { ip, sp, fp, lr } = known;
        *registers = UserRegisters { ip, sp, fp, lr };
        caller.map_err(|_| CannotUnwind)
    }
}
