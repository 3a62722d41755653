//! The modules that have the addresses of a sample.

use super::module::Module;
use super::processes::Space;
use counterpoint_perf::records::Level;

/// The address of user code that is in no known module.
pub const UNKNOWN: u64 = 0;
/// The address of code of the kernel that is in no known module, or whose addresses this user may not know.
pub const UNKNOWN_KERNEL: u64 = u64::MAX - 1;

/// The place of a sample, by addresses of the profile, which are those of [`Module::range`](super::Module::range).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Located {
    /// The address; `None` if no module has it.
    pub address: Option<u64>,
    /// The call stack, the innermost frame first, also of [`UNKNOWN`] and [`UNKNOWN_KERNEL`]; empty if none was asked for.
    pub stack: Vec<u64>,
}

/// The modules at the time of a sample.
pub(crate) struct Places<'a> {
    pub(crate) modules: &'a [Module],
    pub(crate) space: &'a Space,
    /// The indexes of the modules of the kernel.
    pub(crate) kernel: std::ops::Range<usize>,
}

impl Places<'_> {
    /// The module of an address of code that runs at this level, and the address in the profile; `None` for the code of a guest.
    pub(crate) fn of(&self, address: u64, level: Level) -> Option<(usize, u64)> {
        match level {
            Level::Kernel => {
                let mut kernel = self.kernel.clone();
                let elsewhere = || Some((self.kernel.clone().last()?, UNKNOWN_KERNEL));
                let module = kernel.find(|module| self.modules[*module].range.contains(&address));
                module.map(|module| (module, address)).or_else(elsewhere)
            }
            Level::User | Level::Unknown => {
                let (module, offset) = self.space.find(address)?;
                Some((module, self.modules[module].range.start + offset))
            }
            _ => None,
        }
    }
}
