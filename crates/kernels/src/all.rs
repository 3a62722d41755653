//! All kernels of a machine.

use crate::chase::{self, Cache};
use crate::kernel::Kernel;
use crate::{code, system};

/// All kernels that this machine can run; those of cache misses need the sizes of its data and unified caches.
///
/// Memory is taken when a kernel first runs: at most 1 GiB, by the one that misses every cache.
///
/// ```
/// use counterpoint_kernels::{Cache, Quantity, kernels};
/// let l1 = Cache { level: 1, bytes: 32 << 10, line: 64 };
/// let l2 = Cache { level: 2, bytes: 1 << 20, line: 64 };
/// let all = kernels(&[l1, l2]);
/// let misses = Quantity::CacheMisses(1);
/// # if cfg!(target_arch = "x86_64") {
/// assert!(all.iter().any(|kernel| kernel.expected(misses).is_some()));
/// # }
/// ```
pub fn kernels(caches: &[Cache]) -> Vec<Kernel> {
    let mut kernels = code::kernels();
    kernels.extend(chase::kernels(caches));
    kernels.extend(system::kernels());
    kernels
}
