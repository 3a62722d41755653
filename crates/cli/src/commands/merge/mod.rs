//! Reports of several runs or ranks as one.

mod args;
pub mod json;
pub mod merged;
pub mod merging;
pub mod text;

pub use args::MergeArgs;

use crate::failure::Failure;
use crate::show;
use crate::show::printable;
use merging::{Again, Merging};
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::ptr;

pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let mut merging = Merging::default();
    let mut real = HashMap::new();
    for file in &args.files {
        let name = file.display().to_string();
        let text =
            crate::input::text(file).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let again = merging.add(&name, &text).map_err(|error| {
            let help = "reports are written by `counterpoint stat --json -o FILE` and by programs that count regions";
            Failure::new(format!("{name}: {error}")).help(help)
        })?;
        // Files that have no name of their own, such as pipes, are all different.
        let first = file.canonicalize().map_or(file, |path| *real.entry(path).or_insert(file));
        if let Some(warning) = warning(file, first, &again) {
            writeln!(show::stderr(), "counterpoint: {}", printable(&warning))?;
        }
    }
    let merged = merging.finish();
    let mut out = show::stdout();
    if args.json {
        json::write(&mut out, &merged)?
    } else {
        text::write(&mut out, &merged)?
    }
    out.flush()?;
    Ok(0)
}

/// The warning about values that may be added up twice: of a file that was read before as `first`, or of ranks that were met before.
fn warning(file: &Path, first: &Path, again: &[Again]) -> Option<String> {
    let name = file.display().to_string();
    if !ptr::eq(first, file) {
        let other = first.display();
        return Some(format!(
            "{other} and {name} are the same file, and its values are added up twice"
        ));
    }
    let [Again { rank, file: other }, more @ ..] = again else { return None };
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Some(if *other == name {
        format!(
            "two processes in {name} are of rank {rank}{more}, and are added up as two runs of it"
        )
    } else {
        format!(
            "{other} and {name} are both of rank {rank}{more}, and are added up as two runs of it"
        )
    })
}
