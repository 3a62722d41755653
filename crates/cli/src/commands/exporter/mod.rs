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
    let failure = crate::failure::Failure::new("this program was built without the exporter");
    Err(failure
        .help("install one that has it: cargo install --path crates/cli --features exporter"))
}
