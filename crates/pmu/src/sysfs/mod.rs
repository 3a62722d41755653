//! PMUs as the kernel describes them under `/sys/bus/event_source/devices`: the files' texts in,
//! `perf_event_attr`'s config fields out.
//!
//! The rules are those of the kernel's `Documentation/ABI/testing/sysfs-bus-event_source-devices-format`
//! and `-events`. No file is read: the caller passes names and contents.

mod boxes;
mod encode;
mod error;
mod format;
mod pmu;
mod standard;
mod units;

pub use boxes::{boxes, matches_glob};
pub use encode::Config;
pub use error::{FileError, FileErrorKind, TermError, TermErrorKind};
pub use format::{Format, Register};
pub use pmu::{Event, Pmu, is_about};
pub use standard::{has_own_register, is_of_linux, standard_core, standard_others};
pub use units::{standard_unit, unit_counters};
