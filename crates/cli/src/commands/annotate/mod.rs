//! `counterpoint annotate`: the source lines and instructions of a function of a file of samples.

mod args;
pub mod foreign;

pub use args::AnnotateArgs;

use crate::commands::samples::metrics::{MetricsOutput, asked_of_file};
use crate::commands::samples::{About, Format, Output, Seen, TableArgs, read};
use crate::failure::Failure;
use counterpoint::profil::{BucketWidth, Scale};

/// The exit status is 0, and 2 if nothing could be read, or the function has no samples.
pub fn run(args: &AnnotateArgs) -> Result<u8, Failure> {
    args.debug.check()?;
    args.metric_files.check(&args.metric)?;
    if !args.metric.is_empty() {
        return metrics(args);
    }
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

/// The source lines of a function with metrics.
fn metrics(args: &AnnotateArgs) -> Result<u8, Failure> {
    if args.format() == Format::Json {
        return Err(Failure::new("--metric is for the table")
            .help("counterpoint report -M METRIC --format json has the metrics of all lines"));
    }
    let asked = asked_of_file(&args.metric, &args.metric_files)?;
    let output = MetricsOutput::new(args.format(), &args.output, None, false)?;
    let path = args.file();
    let (name, table) = (path.display().to_string(), TableArgs::default());
    let (file, about) = About::of_file(path, name, &args.filters, table, args.debug.directory())?;
    output.annotated(args.asked().symbol).write(file, &about, &asked)?;
    Ok(0)
}
