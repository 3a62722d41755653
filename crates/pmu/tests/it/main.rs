//! Everything that the crate promises, one module per subject.

#[cfg(feature = "descriptions")]
mod any_descriptions;
mod any_list;
mod any_string;
mod any_sysfs;
mod attributes;
mod columns;
mod counters;
#[cfg(feature = "descriptions")]
mod descriptions;
mod detect;
mod encode;
mod hostile;
mod kernel;
#[cfg(feature = "libpfm3")]
mod libpfm3;
mod machines;
mod plan;
mod properties;
mod similar;
mod syntax;
mod sysfs;
mod vectors;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
