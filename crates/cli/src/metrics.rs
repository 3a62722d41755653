//! Metrics: the files that define them, and the names that request them.

use crate::definition_files::read_all;
use crate::failure::{Failure, did_you_mean};
use counterpoint::EventSet;
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

    /// Refuses files of metrics if none of their metrics is shown.
    pub fn check(&self, shown: &[String]) -> Result<(), Failure> {
        if self.paths.is_empty() || !shown.is_empty() {
            return Ok(());
        }
        Err(Failure::new("--metrics reads the definitions of metrics, and none is shown")
            .help("name those to show with --metric"))
    }

    /// The set with the metrics of the files.
    pub fn define(&self, set: EventSet) -> Result<EventSet, Failure> {
        let libraries = read_all(&self.paths, set.machine())?;
        Ok(libraries.into_iter().fold(set, EventSet::define))
    }
}

impl MetricArgs {
    /// Returns true if any metrics or groups are requested.
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
