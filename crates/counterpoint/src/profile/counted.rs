use super::kernel::KernelSymbols;
use super::module::Module;
use super::off_cpu::OffCpu;
use super::parts::Part;
use super::stacks::CallStacks;
use counterpoint_profil::{Histogram, Snapshot};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The result of a profile.
#[derive(Default)]
pub(crate) struct Counted {
    pub(crate) snapshot: Snapshot,
    pub(crate) modules: Vec<Module>,
    pub(crate) kernel: KernelSymbols,
    pub(crate) stacks: Option<CallStacks>,
    pub(crate) parts: Vec<Part>,
    pub(crate) histogram: Option<Histogram>,
    pub(crate) off_cpu: Option<OffCpu>,
    pub(crate) by_events: bool,
    pub(crate) jit_dumps: BTreeMap<u32, PathBuf>,
}
