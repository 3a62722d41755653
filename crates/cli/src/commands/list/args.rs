use crate::args::MachineArgs;
use crate::definitions::DefinitionArgs;
use crate::names::pmu_name;
use crate::vendor::VendorArgs;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Without options, the definitions of the user and the events of the kernel and of the PMUs in sysfs are listed. With words, the tracepoints, the event tables of this machine's PMUs and the vendor's files are searched as well: names, unit masks and descriptions, which must have all of the words.
Events are opened to test whether they can be counted; tracepoints only if few are listed, or with --test.

Examples:
  counterpoint list
  counterpoint list l1d replacement
  counterpoint list --pmu spr l1d
  counterpoint list --user -f mine.csv
  counterpoint list --pmus --all arm
  counterpoint list --metrics cache

Exit status: 0 if something was listed, 1 if nothing has the words, 2 for wrong usage.")]
pub struct ListArgs {
    /// List only what has all these words in its name or description
    #[arg(value_name = "PATTERN")]
    pub words: Vec<String>,
    /// List every PMU of the tables, including those of other machines, and tracepoints
    #[arg(long)]
    pub all: bool,
    /// List PMUs instead of events
    #[arg(long, conflicts_with_all = ["events", "files"])]
    pub pmus: bool,
    /// List all events of this machine, including those of its tables
    #[arg(long)]
    pub events: bool,
    /// List PAPI's presets, with their formulas and events, and whether they can be counted
    #[arg(long, conflicts_with_all = ["pmus", "events", "all", "files"])]
    pub presets: bool,
    /// List only the definitions of -f and of the environment, and whether they can be counted
    #[arg(long, conflicts_with_all = ["pmus", "events", "all", "presets", "pmu"])]
    pub user: bool,
    /// List metrics, by group, and whether they can be counted: those that are built in, and those of -f FILE|DIR
    #[arg(long, conflicts_with_all = ["pmus", "events", "all", "presets", "user", "test"])]
    pub metrics: bool,
    /// Test whether each tracepoint can be counted, which takes long, because the kernel waits when each is closed
    #[arg(long, conflicts_with_all = ["pmus", "presets", "user"])]
    pub test: bool,
    /// List the events of this PMU, of this machine or of any other
    #[arg(long, value_name = "NAME", value_parser = pmu_name, conflicts_with = "pmus")]
    pub pmu: Option<String>,
    /// Read events and their descriptions from a vendor's JSON files: Intel's perfmon, Linux's pmu-events, or the files of one processor; also --events DIR; without the option, from the directory that COUNTERPOINT_EVENTS_DIR names, or else from /usr/share/counterpoint/events
    #[arg(long, alias = "descriptions", value_name = "DIR")]
    vendor_events: Option<PathBuf>,
    #[command(flatten)]
    pub definitions: DefinitionArgs,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
}

impl ListArgs {
    /// The directory after `--events`, which is a word to look for if it is none.
    fn events_directory(&self) -> Option<PathBuf> {
        let first = self.words.first().filter(|_| self.events && self.vendor_events.is_none())?;
        Some(PathBuf::from(first)).filter(|path| path.is_dir())
    }

    /// The vendor's files.
    pub fn vendor(&self) -> VendorArgs {
        VendorArgs::of(self.vendor_events.clone().or_else(|| self.events_directory()))
    }

    /// The words to look for.
    pub fn words(&self) -> &[String] {
        &self.words[usize::from(self.events_directory().is_some())..]
    }
}
