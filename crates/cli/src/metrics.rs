//! Metrics: the files that define them, and the names that request them.

use crate::definitions::read;
use crate::failure::{Failure, did_you_mean};
use crate::metric_files::{MetricFile, of_machine};
use counterpoint::definitions::Library;
use counterpoint::{EventSet, Machine};
use std::path::PathBuf;

// Which metrics are counted, and where they are from.
#[derive(clap::Args)]
pub struct MetricArgs {
    /// Count these metrics, or all metrics of these groups
    #[arg(short = 'M', long = "metric", value_name = "NAME,…", value_delimiter = ',')]
    metrics: Vec<String>,
    /// Count this group of likwid, from the files of --metrics
    #[arg(short = 'g', long = "group", value_name = "GROUP")]
    groups: Vec<String>,
    #[command(flatten)]
    pub files: MetricFiles,
}

// The files that define metrics.
#[derive(clap::Args)]
pub struct MetricFiles {
    /// Read metrics from FILE, or from the files of DIR that are for this processor: JSON of perf or of intel/perfmon, groups of likwid, or tables of metrics
    #[arg(long = "metrics", value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
}

impl MetricFiles {
    /// The paths, after those of the definitions.
    pub fn after(&self, definitions: &[PathBuf]) -> Vec<PathBuf> {
        [definitions, &self.paths].concat()
    }

    /// The set with the metrics of the files.
    pub fn define(&self, set: EventSet) -> Result<EventSet, Failure> {
        let libraries = libraries(&self.paths, set.machine())?;
        Ok(libraries.into_iter().fold(set, EventSet::define))
    }
}

impl MetricArgs {
    /// Whether any are requested.
    pub fn is_any(&self) -> bool {
        !self.metrics.is_empty() || !self.groups.is_empty()
    }

    /// The names of the metrics and groups that are requested.
    pub fn names(&self, set: &EventSet) -> Result<Vec<String>, Failure> {
        let mut names = self.metrics.clone();
        for group in &self.groups {
            if set.metrics().find(group).is_empty() {
                let all: Vec<String> = set.metrics().groups().into_keys().collect();
                let near = counterpoint::pmu::similar(group, all.iter().map(String::as_str));
                let help = did_you_mean(
                    &near,
                    "--metrics DIR reads likwid's groups, such as likwid/groups/SPR",
                );
                return Err(Failure::new(format!("no group is called `{group}`")).help(help));
            }
            names.push(group.clone());
        }
        Ok(names)
    }
}

/// The metrics of files, and of directories those that are for the processor of a machine.
///
/// Errors in them are printed, and the rest is used.
pub fn libraries(paths: &[PathBuf], machine: &Machine) -> Result<Vec<Library>, Failure> {
    let mut libraries = Vec::new();
    for path in paths {
        let failed = |e: std::io::Error| {
            let failure = Failure::new(format!("{}: {e}", path.display()));
            match e.kind() {
                std::io::ErrorKind::NotFound => {
                    failure.help("name a file or a directory; metrics to count are named with -M")
                }
                _ => failure,
            }
        };
        let files = of_machine(path, machine).map_err(failed)?;
        if files.is_empty() {
            let text = format!("{}: no metrics for this processor were found", path.display());
            let help = "name the directory of one processor, or one with a mapfile.csv, or likwid's groups";
            return Err(Failure::new(text).help(help));
        }
        for MetricFile { path, unit } in files {
            let failed = |e| Failure::new(format!("{}: {e}", path.display()));
            let library = read(&path).map_err(failed)?;
            libraries.push(match unit {
                Some(unit) => library.only_for(unit),
                None => library,
            });
        }
    }
    Ok(libraries)
}
