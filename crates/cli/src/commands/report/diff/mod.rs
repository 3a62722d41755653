//! `counterpoint report diff`: how much the profiles of two files, or of two groups of files, differ.

mod args;
mod read;

pub use args::{DiffArgs, ReportAction};

use crate::commands::samples::binaries;
use crate::commands::samples::diff::{self, Design, Shown, Side};
use crate::failure::Failure;
use std::path::PathBuf;

/// The exit status is 0, and 2 if there is nothing to compare.
pub fn run(args: &DiffArgs) -> Result<u8, Failure> {
    args.debug.check()?;
    let [base, other] = args.sides()?;
    let binaries = binaries(args.debug.directory());
    let side = |files: &[PathBuf]| {
        let runs =
            files.iter().map(|file| read::run(args, file, &binaries)).collect::<Result<_, _>>()?;
        Ok::<_, Failure>(Side { title: Side::title(files), runs })
    };
    let sides = [side(base)?, side(other)?];
    let has_runs = sides.iter().all(|side| side.runs.len() > 1);
    let design = if has_runs { Design::Runs } else { Design::Shares };
    let (is_json, html) = (args.format.format == "json", args.html.as_deref());
    let shown = Shown { is_json, html, table: args.table, output: &args.output, notes: Vec::new() };
    diff::write(&sides, design, &shown)?;
    Ok(0)
}
