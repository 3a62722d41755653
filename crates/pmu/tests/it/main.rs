//! Everything that the crate promises, one module per subject.

mod any_string;
mod attributes;
mod columns;
#[cfg(feature = "descriptions")]
mod descriptions;
mod detect;
mod dispatch;
mod encode;
mod kernel;
mod machines;
mod plan;
mod properties;
mod similar;
mod syntax;
mod sysfs;
mod vectors;
