//! The options of `profile --compare`.

use crate::failure::Failure;

#[derive(clap::Args)]
pub struct CompareArgs {
    /// Profile these two commands in turn and in random order, and show how much more or less a run takes in each function, and whether that is more than noise; with --html also in each call
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = [
        "command", "pid", "tid", "all_cpus", "cpus", "cgroup", "uid", "append", "mpi", "sort", "children",
        "callers", "callees", "annotate", "region", "random", "compress", "weighted", "delay", "control",
    ])]
    pub compare: Vec<String>,
    /// Run each command of --compare N times [default: 10]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub repeat: Option<u32>,
    /// Show what the commands of --compare print
    #[arg(long)]
    pub show_output: bool,
    /// Compare commands that fail, too
    #[arg(long)]
    pub ignore_failure: bool,
}

impl CompareArgs {
    /// Refuses options of `--compare` without it.
    pub fn check(&self) -> Result<(), Failure> {
        let CompareArgs { repeat, show_output, ignore_failure, .. } = self;
        let options = [
            (repeat.is_some(), "-r"),
            (*show_output, "--show-output"),
            (*ignore_failure, "--ignore-failure"),
        ];
        match options.iter().find(|(given, _)| *given && self.compare.is_empty()) {
            Some((_, option)) => Err(Failure::new(format!("{option} is for --compare"))
                .help("counterpoint profile --compare 'COMMAND' 'COMMAND'")),
            None => Ok(()),
        }
    }
}
