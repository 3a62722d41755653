//! The rules by which the events of related PMUs are listed, encoded and placed on counters: a file for each family.
//!
//! Each has a [`FAMILY`](crate::pmu::Family), which the word of `pmus.list` that is the file's name refers to. They share
//! [`plain`], which has the rules of most, [`groups`] of unit masks that exclude or complete each other, and the modifiers of
//! x86 ([`event_select`]).

pub(crate) mod amd;
pub(crate) mod amd_rapl;
pub(crate) mod arm;
pub(crate) mod arm_uncore;
mod event_select;
mod groups;
pub(crate) mod intel_client_uncore;
pub(crate) mod intel_core;
pub(crate) mod intel_server_uncore;
pub(crate) mod mips;
pub(crate) mod nehalem_uncore;
pub(crate) mod netburst;
pub(crate) mod perf;
pub(crate) mod perf_raw;
pub(crate) mod plain;
pub(crate) mod power;
pub(crate) mod power_nest;
pub(crate) mod rapl;
pub(crate) mod riscv;
pub(crate) mod s390x;
pub(crate) mod sparc;
pub(crate) mod torrent;
