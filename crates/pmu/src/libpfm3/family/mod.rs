//! The families of models, a file each.

pub(super) mod amd64;
pub(super) mod cell;
pub(super) mod core;
pub(super) mod core_duo;
pub(super) mod gen_ia32;
pub mod ia64;
pub(super) mod mips;
pub(super) mod nehalem;
pub(super) mod p6;
pub(super) mod pentium4;
pub(super) mod power;
pub(super) mod sparc;
pub(super) mod uncore;
