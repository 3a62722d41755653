//! Reports as a table, and back.

mod args;
#[cfg(feature = "parquet")]
mod encoder;
mod inputs;
#[cfg(test)]
pub mod json;
mod partition;
mod sinks;
mod source;
mod table;

pub use args::ExportArgs;

use crate::failure::Failure;
use args::Format;
use sinks::Sinks;

/// The exit status is 2 if one of the files could not be read to its end, also if the others were exported.
pub fn run(args: &ExportArgs) -> Result<u8, Failure> {
    let files = inputs::files(&args.files)?;
    source::check(&files)?;
    if !args.partition.is_empty() {
        inputs::check_apart(&files, args.output.name())?;
    }
    if args.format()? == Format::Report {
        partition::check_order(&files)?;
    }
    source::be_quiet();
    let mut sinks = Sinks::new(args)?;
    let mut code = 0;
    for file in files {
        let read = source::read(&file, |row| sinks.push(row));
        sinks.check()?;
        if let Err(failure) = read {
            failure.report();
            code = 2;
        }
    }
    sinks.finish()?;
    Ok(code)
}
