//! Reports of several runs or ranks as one.

mod args;
mod csv;
mod files;
mod html;
pub mod json;
mod perfetto;
pub mod text;

pub use args::MergeArgs;

use crate::csv::separator;
use crate::failure::Failure;
use crate::in_order::in_order;
use crate::input;
use crate::output::Sink;
use crate::show;
use crate::show::printable;
use counterpoint_report::merge::{self, Again, By, Lines, Merging};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The exit status is 2 if one of the files is not a report, also if the others were merged.
pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let separator = args.csv.as_deref().map(separator).transpose()?;
    let mut merging = Merging::default();
    let all_read = read(&mut merging, &files::files(&args.files)?);
    let code = if all_read { 0 } else { 2 };
    if merging.reports() == 0 {
        return Ok(code);
    }
    let mut merged = merging.finish();
    let disagreements = merge::disagreements(&merged.sources);
    if let Some(first) = disagreements.first().filter(|_| !args.mixed) {
        return Err(Failure::new(first)
            .help("remove the files of the other run, or merge all of them with --mixed"));
    }
    disagreements.iter().for_each(|text| warn(text));
    let (by, has_members) = (args.by(), args.by.is_some());
    merge::regroup(&mut merged, by).map_err(|_| match by {
        By::Thread => Failure::new("--by thread: no row is of a thread")
            .help("regions of programs have rows of threads"),
        _ => Failure::new("--by socket: no row is of a socket")
            .help("count with: counterpoint stat --mpi -a --per-socket"),
    })?;
    if let Some(file) = &args.html {
        let mut page = Sink::file(file)?;
        html::write(&mut page, &merged, by)?;
        page.publish()?;
    }
    let mut out = show::stdout();
    match separator {
        _ if args.perfetto => {
            let left_out = perfetto::write(&mut out, &merged)?.ok_or_else(|| {
                Failure::new("--perfetto: no report has a timeline")
                    .help("programs record one with `Regions::timeline`")
            })?;
            if left_out > 0 {
                warn(&format!("{left_out} visits of regions are not in the trace"));
            }
        }
        _ if args.json => json::write(&mut out, &merged, by)?,
        Some(separator) => csv::write(&mut out, &merged, separator, has_members)?,
        None => {
            let (mut text, width) = (Vec::new(), show::width_of(&show::bytes_out()));
            text::write(&mut text, &merged, (by, has_members), width)?;
            let text = String::from_utf8_lossy(&text);
            match width {
                Some(width) => write!(out, "{}", show::fitted(&text, width))?,
                None => write!(out, "{text}")?,
            }
        }
    }
    if separator.is_some() {
        merge::remarks(&merged).iter().for_each(|text| warn(text));
    }
    out.flush()?;
    Ok(code)
}

/// Adds the reports; returns whether all files are reports, after an error for each that is not.
fn read(merging: &mut Merging, files: &[PathBuf]) -> bool {
    let mut all_read = true;
    let mut real = HashMap::new();
    in_order(
        files,
        |file| read_one(file),
        |file, entries| match entries {
            Ok(Lines { entries, wrong }) => {
                let again = merging.add(&file.display().to_string(), entries);
                if let Some(wrong) = wrong {
                    let text = format!("{}: {wrong}", file.display());
                    Failure::new(text).help("the other lines are merged").report();
                    all_read = false;
                }
                // Files that have no name of their own, such as pipes, are all different.
                let first =
                    file.canonicalize().map_or(file, |path| *real.entry(path).or_insert(file));
                warning(file, first, &again).iter().for_each(|text| warn(text));
            }
            Err(failure) => {
                failure.report();
                all_read = false;
            }
        },
    );
    all_read
}

fn read_one(file: &Path) -> Result<Lines, Failure> {
    let name = file.display().to_string();
    let text = input::text(file).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    merge::read(&name, &text).map_err(|error| {
        let help = "reports are written by `counterpoint stat --json -o FILE`, by programs that count regions, and by PAPI's high-level API";
        Failure::new(format!("{name}: {error}")).help(help)
    })
}

fn warn(text: &str) {
    let _ = writeln!(show::stderr(), "counterpoint: {}", printable(text));
}

/// The warning about values that may be added up twice: of a file that was read before as `first`, or of ranks that were met before.
fn warning(file: &Path, first: &Path, again: &[Again]) -> Option<String> {
    let name = file.display().to_string();
    if !std::ptr::eq(first, file) {
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
