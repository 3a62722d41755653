//! `counterpoint catalog dump`: the contents of a catalog.

pub mod json;
pub mod records;
pub mod text;

use super::args::ReadArgs;
use super::file::File;
use crate::failure::Failure;
use crate::show;
use counterpoint::catalog::WithMetrics;
use json::Records;
use std::io::Write;

/// Exit status 0 whenever anything could be read.
pub fn run(args: &ReadArgs) -> Result<u8, Failure> {
    let file = File::of(&args.source)?;
    let mut catalog = file.catalog(args.format)?;
    catalog.reading = args.reading.map(Into::into);
    let mut out = show::stdout();
    if args.json {
        Records::new(&catalog, catalog.metrics()).write(&mut out)?;
    } else {
        text::write(&mut out, &catalog)?;
    }
    out.flush()?;
    Ok(0)
}
