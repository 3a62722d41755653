//! Everything that the crate promises, one module per subject.

mod kernel;
mod properties;
mod similar;
mod syntax;
mod sysfs;
