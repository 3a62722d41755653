//! Performance events by their names in the kernel, perf, libpfm and sysfs, and how each is programmed.
//!
//! ```
//! use counterpoint_pmu::{Context, Layer, encode};
//!
//! let encoding = encode("perf::L1-DCACHE-LOADS:u", &Context::new(Layer::PerfEvent)).unwrap();
//! let perf = encoding.perf.unwrap();
//! assert_eq!((perf.kind, perf.config, perf.exclude_kernel), (3, 0, true));
//! assert_eq!(encoding.canonical, "perf::PERF_COUNT_HW_CACHE_L1D:READ:ACCESS:u=1:k=0:h=0:mh=1");
//! ```
//!
//! - [`encode()`]: libpfm's event strings, from [`Context`] and text to [`Encoding`].
//! - [`all`], [`find`]: the PMUs that have tables, their [`Event`]s and each event's [`Attribute`]s.
//! - [`named`]: a PMU by what people and compilers call its processor.
//! - [`detect`]: the PMUs of a processor, from its identity.
//! - [`plan`]: which events can be counted together, and in how few passes all can.
//! - [`counters`]: the counters of a PMU, and those that can count an event.
//! - [`libpfm3`]: register dispatch as libpfm-3 does it, for the processors that it knows.
//! - [`syntax`]: perf's `-e` language, from a text to groups of events.
//! - [`kernel`]: the events that Linux itself names.
//! - [`sysfs`]: PMUs as the kernel describes them, from the texts of their files.
//! - [`vendor`]: vendors' events and descriptions, from their JSON files (feature `json`).
//! - [`similar`]: names near one that does not exist.
//!
//! The tables of each vendor are a feature, all on by default: `intel`, `amd`, `arm`, `power`, `s390x`,
//! `sparc`, `mips`, `riscv`; `libpfm3` has its own. `tables/README.md` documents them, `DIFFERENCES.md` lists where
//! answers differ from libpfm's.
//!
//! Everything is a function of its arguments: no file is read and no state is kept.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]
#![cfg_attr(
    not(all(
        feature = "intel",
        feature = "amd",
        feature = "arm",
        feature = "power",
        feature = "s390x",
        feature = "sparc",
        feature = "mips",
        feature = "riscv"
    )),
    allow(
        dead_code,
        unused_variables,
        reason = "only the tables that are left out need some items"
    )
)]

mod attribute;
pub mod counters;
mod cpu;
mod debug;
mod detect;
mod encode;
mod events;
mod family;
mod field;
pub mod kernel;
mod layer;
#[cfg(feature = "libpfm3")]
pub mod libpfm3;
mod list;
mod listing;
mod machine;
mod modifier;
mod named;
pub mod plan;
mod pmu;
mod privilege;
mod short;
mod similar;
pub mod syntax;
pub mod sysfs;
mod tables;
pub mod vendor;

pub use attribute::{Attribute, AttributeKind, Controller, Speculative};
pub use cpu::CpuId;
pub use detect::detect;
pub use encode::{
    Codes, EncodeError, EncodeErrorKind, Encoding, PerfEncoding, Program, encode, program,
};
pub use layer::Layer;
pub use list::{all, find, left_out};
pub use machine::{Context, Machine};
pub use named::{cores_named, named, unit_named, units_beside};
pub use pmu::{Event, Pmu, PmuKind};
pub use privilege::{NotPrivilege, Privilege};
pub use similar::similar;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
