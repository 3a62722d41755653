//! A long loop with one branch, for the distance of samples from the instruction that caused them.

use crate::isa::MULTIPLICATIONS;
#[cfg(assembly)]
use crate::isa::branch_loop;

/// A loop whose only branch is its last instruction, so that a sample of branches tells how many instructions were executed behind the branch that caused it.
///
/// ```
/// use counterpoint_kernels::BranchLoop;
/// if let Some(code) = BranchLoop::new() {
///     // Sample branches here …
///     code.run(1000);
///     // … and look at the addresses of samples.
///     assert_eq!(code.skid(code.branch()), Some(0));
///     assert_eq!(code.skid(code.branch() + 1000), None, "it is not in the loop");
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BranchLoop {
    start: u64,
    branch: u64,
}

/// The size of a multiplication, on every architecture.
const BYTES: u64 = 4;

impl BranchLoop {
    /// The loop; `None` on architectures for which there is none.
    pub fn new() -> Option<BranchLoop> {
        #[cfg(assembly)]
        {
            let (start, branch) = branch_loop(1);
            Some(BranchLoop { start, branch })
        }
        #[cfg(not(assembly))]
        None
    }

    /// The address of the branch.
    pub fn branch(&self) -> u64 {
        self.branch
    }

    /// The instructions of a turn.
    pub fn instructions(&self) -> u64 {
        MULTIPLICATIONS + 2
    }

    /// Runs so many turns, at least one: each has one branch, which is taken but the last time.
    pub fn run(&self, turns: u64) {
        #[cfg(assembly)]
        branch_loop(turns.max(1));
        #[cfg(not(assembly))]
        let _ = turns;
    }

    /// The number of instructions from the branch to the one at this address, as they are executed: 1 for the one behind the branch; `None` outside of the loop.
    ///
    /// A skid that is longer than a turn cannot be told from one that is shorter by as much.
    pub fn skid(&self, address: u64) -> Option<u64> {
        let offset = address.checked_sub(self.start)?;
        match offset {
            _ if address == self.branch => Some(0),
            _ if offset < MULTIPLICATIONS * BYTES => Some(offset / BYTES + 1),
            // The one that counts the turns.
            _ if address < self.branch => Some(MULTIPLICATIONS + 1),
            _ => None,
        }
    }
}
