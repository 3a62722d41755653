//! Everything that the crate promises, one module per subject.

mod any_list;
mod any_string;
mod any_sysfs;
#[cfg(feature = "json")]
mod any_vendor;
mod attributes;
mod columns;
mod corrections;
mod counters;
mod detect;
mod encode;
mod hostile;
mod kernel;
#[cfg(feature = "libpfm3")]
mod libpfm3;
mod machines;
mod plan;
mod processors;
mod properties;
mod similar;
mod syntax;
mod sysfs;
mod tables;
mod vectors;
#[cfg(feature = "json")]
mod vendor;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
