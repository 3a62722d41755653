use super::module::Module;
use super::stacks::{CannotUnwind, Step, Unwind, UserRegisters};
use counterpoint_unwind::Unwinder;
use std::fs::File;

/// Opens the file of a module; `None` if it cannot be read.
type Open = fn(&Module) -> Option<Contents>;

/// The contents of a module.
#[derive(Debug)]
pub enum Contents {
    /// A file, of which only the parts are read that are needed.
    File(File),
    /// The bytes of what has no file, such as the vdso.
    Bytes(Vec<u8>),
}

/// The unwind information of modules, each read when the first frame is there.
struct Files {
    open: Open,
    unwinder: Unwinder,
}

/// Whether the crate `counterpoint-unwind` knows this processor: x86-64 and arm64.
pub const CAN_UNWIND: bool = counterpoint_unwind::IS_SUPPORTED;

/// Finds callers by the files of modules, which `open` opens; `None` if a file cannot be read.
///
/// Needs the feature `unwind`.
///
/// ```
/// use counterpoint::perf::Every;
/// use counterpoint::profile::{CallGraph, Contents, Profile, unwind_files};
/// use std::fs::File;
///
/// let unwinder = || unwind_files(|module| File::open(&module.path).ok().map(Contents::File));
/// let profile = Profile::every(Every::Frequency(1000))
///     .call_graph(CallGraph::Copies { bytes: 8192, unwinder });
/// # drop(profile);
/// ```
pub fn unwind_files(open: Open) -> Box<dyn Unwind> {
    Box::new(Files { open, unwinder: Unwinder::default() })
}

impl Unwind for Files {
    fn add(&mut self, module: &Module) -> bool {
        let (range, offset) = (module.range.clone(), module.offset);
        match (self.open)(module) {
            Some(Contents::File(file)) => self.unwinder.add_file(range, offset, file),
            Some(Contents::Bytes(bytes)) => self.unwinder.add(range, offset, &bytes),
            None => false,
        }
    }

    fn step(
        &mut self,
        address: u64,
        is_exact: bool,
        registers: &mut UserRegisters,
        stack: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Result<Step, CannotUnwind> {
        let step = self.unwinder.step(address, is_exact, registers, stack);
        let counterpoint_unwind::Step { caller, is_signal } = step.map_err(sentence)?;
        Ok(Step { caller, is_signal })
    }
}

/// The sentence of an error, which has no address of a stack, so that there are few.
fn sentence(error: counterpoint_unwind::CannotUnwind) -> CannotUnwind {
    CannotUnwind(match error {
        counterpoint_unwind::CannotUnwind::Stack(_) => {
            "a rule refers to memory outside of the stack".to_string()
        }
        other => other.to_string(),
    })
}
