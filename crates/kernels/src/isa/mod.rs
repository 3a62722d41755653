//! The loops of each architecture, in assembly. Every turn has the same instructions.

#[cfg(all(assembly, target_arch = "aarch64"))]
mod aarch64;
mod loops;
#[cfg(all(assembly, target_arch = "powerpc64"))]
mod powerpc64;
#[cfg(all(assembly, target_arch = "riscv64"))]
mod riscv64;
#[cfg(all(assembly, target_arch = "x86_64"))]
mod x86_64;

#[cfg(all(assembly, target_arch = "aarch64"))]
pub(crate) use aarch64::{CODE, branch_loop, chase};
pub(crate) use loops::{Code, Line, MULTIPLICATIONS, RANDOM};
#[cfg(all(assembly, target_arch = "powerpc64"))]
pub(crate) use powerpc64::{CODE, branch_loop, chase};
#[cfg(all(assembly, target_arch = "riscv64"))]
pub(crate) use riscv64::{CODE, branch_loop, chase};
#[cfg(all(assembly, target_arch = "x86_64"))]
pub(crate) use x86_64::{CODE, branch_loop, chase};
