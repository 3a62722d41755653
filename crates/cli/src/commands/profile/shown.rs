//! Records into a file without a name, and shows what is there.

use super::run::recorded;
use super::sampled::Sampled;
use crate::commands::samples::About;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::origin::Origin;
use crate::failure::Failure;
use crate::show;
use crate::supervisor::{self, Supervisor};
use counterpoint::Note;
use counterpoint::perf::output::{OutputFile, temporary};
use counterpoint::perf::process::Held;
use std::fs::File;
use std::path::Path;
use std::time::{Instant, SystemTime};

/// Records, and calls `write` with the recording.
pub fn run(
    sampled: Sampled<'_>,
    held: Option<Held>,
    supervisor: &Supervisor,
    write: impl FnOnce(File, &About<'_>) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let args = sampled.args;
    let (began, begun) = (SystemTime::now(), Instant::now());
    let file = temporary()?;
    let (name, written) = ("the recording", OutputFile::direct(file.try_clone()?));
    let (outcome, profiled, recorder) =
        recorded(sampled, held, supervisor, written, Path::new(name))?;
    recorder.finish()?;
    for note in profiled.iter().filter_map(|of| Note::sentence(&of.notes)) {
        show::note(&note);
    }
    let title = args.shown().title;
    let about = About {
        title: if title.is_empty() { "the processes".to_string() } else { title },
        name: name.to_string(),
        filters: &FilterArgs::default(),
        table: args.table,
        debug_directory: args.debug.directory(),
        origin: Some(Origin { began: Some(began), duration: begun.elapsed(), ..Origin::here() }),
    };
    if let Err(failure) = write(file, &about) {
        let _ = failure.report();
        return Ok(if outcome.exit_code() == 0 { 2 } else { outcome.exit_code() });
    }
    supervisor::exit_code(outcome.exit_code(), None)
}
