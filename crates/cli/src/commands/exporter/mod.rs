//! `counterpoint exporter`: counts for monitoring.

mod args;
#[cfg(feature = "exporter")]
mod run;

pub use args::ExporterArgs;
#[cfg(feature = "exporter")]
pub use run::run;

/// Refuses the command where it was not built.
#[cfg(not(feature = "exporter"))]
pub fn run(_: &ExporterArgs) -> Result<u8, crate::failure::Failure> {
    Err(super::left_out::without("exporter"))
}
