//! The regions of the process, and where their report goes.

use std::cell::Cell;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use counterpoint::perf::output;
use counterpoint::perf::process::{self, Owner};
use counterpoint::{EventSet, RegionReport, Regions, Target};
use counterpoint_capi::{Current, openmp_thread};

/// The events that are counted without PAPI_EVENTS.
const USUAL: &str = "task-clock,cycles,instructions,page-faults,context-switches";

/// The directory of reports, below that of PAPI_OUTPUT_DIRECTORY or the working directory.
const DIRECTORY: &str = "counterpoint_regions";

/// The regions of a process.
pub(crate) struct State {
    /// `None` if no event can be counted, which was said.
    regions: Option<Regions>,
    owner: Owner,
}

/// The state of a thread: only it can end its regions and stop them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Own {
    pub(crate) has_begun: bool,
    pub(crate) is_running: bool,
}

thread_local! {
    static OWN: Cell<Own> = const { Cell::new(Own { has_begun: false, is_running: false }) };
}

impl Own {
    pub(crate) fn get() -> Own {
        OWN.get()
    }

    pub(crate) fn set(self) {
        OWN.set(self);
    }
}

static CURRENT: Current<State> = Current::none();

impl State {
    /// That of this process, if it has entered a region: the counters of the one from which it was forked are not its own.
    pub(crate) fn get() -> Option<&'static State> {
        CURRENT.get().filter(|state| state.owner.is_here())
    }

    /// That of this process, which is made by the first call.
    pub(crate) fn get_or_make() -> &'static State {
        if let Some(state) = State::get() {
            return state;
        }
        let of_parent = CURRENT.get();
        let made = EventSet::new(Target::ThisThread).event(USUAL).regions_from_env();
        let regions = match made {
            Ok(regions) => Some(regions.thread_numbers(|| openmp_thread(process::this_thread()))),
            Err(error) => {
                let help = error.help().map_or(String::new(), |help| format!("; {help}"));
                say(&format!("{error}{help}"));
                None
            }
        };
        // Another thread may have been quicker; what was made here has counted nothing.
        CURRENT.put(of_parent, Box::new(State { regions, owner: Owner::here() }))
    }

    pub(crate) fn regions(&self) -> Option<&Regions> {
        self.regions.as_ref()
    }

    /// Writes the report to its file, and with PAPI_REPORT also to standard output.
    pub(crate) fn report(&self) {
        let Some(mut report) = self.regions().map(Regions::report) else { return };
        if report.regions.is_empty() {
            return;
        }
        // PAPI's reports have the wall time under this name.
        let rows = report.regions.iter_mut().flat_map(|region| &mut region.report.rows);
        rows.filter(|row| row.event == "duration_time")
            .for_each(|row| row.event = "real_time_nsec".to_string());
        let path = path(&report);
        if let Err(error) = write(&path, &report.to_json()) {
            say(&format!("{}: {error}", path.display()));
        }
        if env::var_os("PAPI_REPORT").is_some() {
            // Standard output may be closed.
            let _ = writeln!(io::stdout(), "{report}");
        }
    }
}

fn write(path: &Path, report: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), output::create_directory)?;
    let mut file = output::create(path)?;
    file.write_all(report.as_bytes())?;
    file.publish()
}

/// The file of this process: by its rank, or else by its host and id.
fn path(report: &RegionReport) -> PathBuf {
    let reporter = &report.reporter;
    let name = match reporter.rank {
        Some(rank) => format!("rank_{rank:06}.json"),
        None => format!("{}-{}.json", reporter.host.replace('/', "_"), reporter.pid),
    };
    let above = env::var_os("PAPI_OUTPUT_DIRECTORY").unwrap_or_else(|| ".".into());
    PathBuf::from(above).join(DIRECTORY).join(name)
}

fn say(problem: &str) {
    // Standard error may be closed.
    let _ = writeln!(io::stderr(), "counterpoint: {problem}");
}
