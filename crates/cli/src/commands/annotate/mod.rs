//! `counterpoint annotate`: the source lines and instructions of a function of a file of samples.

mod args;
pub mod foreign;

pub use args::AnnotateArgs;

use crate::commands::samples::{Output, Seen, read};
use crate::failure::Failure;
use counterpoint::profil::{BucketWidth, Scale};

/// The exit status is 0, and 2 if nothing could be read, or the function has no samples.
pub fn run(args: &AnnotateArgs) -> Result<u8, Failure> {
    args.debug.check()?;
    let read = read::recorded(args.file(), &args.filters, &|profile, _| {
        profile.text(Scale::ONE_ADDRESS, BucketWidth::Bits64)
    })?;
    let output = Output::of_file(args.format(), &args.output, None)?;
    let shown = args.shown(&read);
    match output.annotate(&shown, &read.profiles, &Seen::default(), args.asked())? {
        Some(failure) => Err(failure),
        None => Ok(0),
    }
}
