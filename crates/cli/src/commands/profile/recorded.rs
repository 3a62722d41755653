//! `counterpoint record`: `profile --format perf` by the name and with the options of perf.

use super::args::ProfileArgs;
use clap::builder::Resettable;
use clap::{Arg, ArgMatches, Command, Error, FromArgMatches};

/// The arguments of `profile`, of which the format is that of a recording.
pub struct RecordArgs(pub ProfileArgs);

/// The options that show samples, or change how they are counted: a recording has all of them as they are.
const NOT_RECORDED: &[&str] = &[
    "annotate",
    "append",
    "bucket",
    "callees",
    "callers",
    "children",
    "compare",
    "compress",
    "debug_dir",
    "format",
    "full_names",
    "html",
    "ignore_failure",
    "limit",
    "off_cpu",
    "percent_limit",
    "random",
    "region",
    "repeat",
    "scale",
    "show_output",
    "software",
    "sort",
    "weighted",
];

const AFTER: &str = "Examples:
  counterpoint record -- ./solve
  counterpoint record -F 4000 -g -o solve.perf -- ./solve
  counterpoint record -e page-faults -c 1 -- ./solve
  counterpoint record -p 4711 --timeout 10000

`counterpoint report` shows the file, and so does `perf report`. Without -o, it is perf.data, which is replaced.

Exit status: as that of `counterpoint profile`.";

impl clap::Args for RecordArgs {
    fn augment_args(command: Command) -> Command {
        let hide = |arg: Arg| {
            let is_recorded = !NOT_RECORDED.contains(&arg.get_id().as_str());
            if is_recorded { arg } else { arg.hide(true).short(Resettable::Reset) }
        };
        let command = ProfileArgs::augment_args(command).mut_args(hide);
        // perf has the period as `--count`, and by `--period` that samples have it, as they do.
        let command = command.mut_arg("count", |period| period.alias(None).long("count"));
        command.mut_arg("format", |format| format.default_value("perf")).after_help(AFTER)
    }

    fn augment_args_for_update(command: Command) -> Command {
        RecordArgs::augment_args(command)
    }
}

impl FromArgMatches for RecordArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RecordArgs, Error> {
        ProfileArgs::from_arg_matches(matches).map(RecordArgs)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
