//! Code with known counts: each [`Kernel`] says what a turn of it counts, before it runs.
//!
//! The loops are assembly, for x86-64, AArch64, RISC-V and POWER (64 bits), so that no compiler changes what they count.
//! Kernels of page faults, context switches and times, which the kernel of the system counts, are on every architecture.
//!
//! ```
//! use counterpoint_kernels::{Quantity, kernels};
//!
//! for mut kernel in kernels(&[]) {
//!     let instructions = kernel.expected(Quantity::Instructions);
//!     // Start a counter here …
//!     kernel.run(1000)?;
//!     // … and stop it here: it has counted what is expected of 1000 turns, and a few instructions around the loop.
//!     if let Some(expected) = instructions {
//!         println!("{}: {} instructions", kernel.name(), expected.of(1000));
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! What is around a loop (the call, starting and stopping a counter) is the same for any number of turns: the count of `2 * n` turns minus that of `n` turns is that of `n` turns and nothing else.

#![cfg_attr(
    not(assembly),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        reason = "the loops are left out where there is no assembly"
    )
)]

mod all;
mod branch;
mod chase;
mod code;
mod isa;
mod kernel;
mod memory;
mod quantity;
mod system;

pub use all::kernels;
pub use branch::BranchLoop;
pub use chase::Cache;
pub use kernel::{Expected, Kernel};
pub use quantity::Quantity;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
