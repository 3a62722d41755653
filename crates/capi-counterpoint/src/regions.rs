//! The regions of a program, which several threads enter.

use std::io::Write;
use std::path::Path;

use counterpoint::perf::output;
use counterpoint::perf::process::{self, Owner};
use counterpoint::{Regions, Reporter};
use counterpoint_capi::openmp_thread;

use crate::failure::{COUNTERPOINT_ERROR_FILE, COUNTERPOINT_ERROR_REGION, Failure};
use crate::set::{Wanted, events_of};

/// The events that regions count without a list and without `PAPI_EVENTS`.
const USUAL: &str = "task-clock,page-faults,context-switches";

/// Regions, and the process that made them: the counters of another one are not its own.
#[derive(Debug)]
pub(crate) struct OpenRegions {
    regions: Regions,
    owner: Owner,
    has_timeline: bool,
}

impl OpenRegions {
    pub(crate) fn open(events: Option<&str>, wanted: &Wanted<'_>) -> Result<OpenRegions, Failure> {
        let has_own = events.is_some() || wanted.metrics.is_some();
        let regions = if has_own {
            events_of(events, wanted)?.regions()
        } else {
            events_of(Some(USUAL), wanted)?.regions_from_env()
        };
        let regions = regions?.thread_numbers(|| openmp_thread(process::this_thread()));
        let has_timeline = wanted.timeline > 0;
        let regions = match wanted.timeline {
            0 => regions,
            visits => regions.timeline(usize::try_from(visits).unwrap_or(usize::MAX)),
        };
        Ok(OpenRegions { regions, owner: Owner::here(), has_timeline })
    }

    pub(crate) fn begin(&self, name: &str) -> Result<(), Failure> {
        self.of_process()?.begin(name);
        Ok(())
    }

    pub(crate) fn end(&self, name: &str) -> Result<(), Failure> {
        if self.of_process()?.end(name) {
            Ok(())
        } else {
            let message = format!("this thread is not in the region `{name}`");
            Err(Failure::new(COUNTERPOINT_ERROR_REGION, message))
        }
    }

    /// Writes the counts of the regions that have ended, as JSON lines.
    pub(crate) fn write(&self, path: &str) -> Result<(), Failure> {
        let report = self.of_process()?.report();
        put(path, &report.reporter, &report.to_json())
    }

    /// Writes the times of the visits that have ended, as a trace.
    pub(crate) fn trace(&self, path: &str) -> Result<(), Failure> {
        let regions = self.of_process()?;
        if !self.has_timeline {
            let what = "there is no timeline: set timeline in the options of the regions";
            return Err(Failure::argument(what));
        }
        let report = regions.report();
        put(path, &report.reporter, &report.to_trace())
    }

    fn of_process(&self) -> Result<&Regions, Failure> {
        if self.owner.is_here() { Ok(&self.regions) } else { Err(Failure::forked()) }
    }
}

/// Writes a file of this process.
fn put(path: &str, process: &Reporter, text: &str) -> Result<(), Failure> {
    let path = path.replace("{rank}", &process.rank.unwrap_or(process.pid).to_string());
    let written = output::create(Path::new(&path)).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.publish()
    });
    written.map_err(|error| Failure::new(COUNTERPOINT_ERROR_FILE, format!("{path}: {error}")))
}
