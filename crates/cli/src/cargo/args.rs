use crate::commands::stat::compare::{COMPARISON, GateArgs};
use crate::event_list::EventList;
use crate::output::OutputArgs;
use std::ffi::OsString;
use std::path::PathBuf;

/// Compare the benchmarks of two revisions by what they count, and profile what cargo builds.
#[derive(clap::Parser)]
#[command(
    name = "cargo counterpoint",
    bin_name = "cargo counterpoint",
    version,
    max_term_width = 100
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(clap::Subcommand)]
pub enum Command {
    /// Build the benchmarks of two revisions, run them in turn, and print how much each benchmark differs in each event, and whether that is more than noise.
    Bench(Box<BenchArgs>),
    /// Build a program with what profiles need, frame pointers and lines, profile a run of it, and open the page.
    Profile(Box<ProfileArgs>),
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo counterpoint bench
  cargo counterpoint bench --against main -e instructions --fail-if 'instructions>1%'
  cargo counterpoint bench --against v1.2.0 --format markdown -o comment.md -- --measurement-time 1

Exit status: 0 if the benchmarks could be compared, whatever the verdict; 1 if a difference is one of --fail-if; 2 if they could not be compared.")]
pub struct BenchArgs {
    /// Compare with this revision of git, which is checked out and built in cargo's target directory
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub against: String,
    /// Run only this benchmark; a name as `cargo bench --bench` takes it
    #[arg(long, value_name = "NAME")]
    pub bench: Vec<String>,
    /// Count these events; of several with `|` between them, the first that this machine can count [default: instructions|task-clock,page-faults]
    #[arg(short, long = "event", value_name = "EVENT,…")]
    pub events: Vec<EventList>,
    /// Run each side so often, after a run that warms up
    #[arg(short, long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub rounds: u32,
    /// Print the result in this format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = clap::builder::PossibleValuesParser::new(COMPARISON))]
    pub format: String,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub gate: GateArgs,
    #[command(flatten)]
    pub selected: Selected,
    /// Arguments of the benchmarks, such as a filter, or the times of criterion
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<OsString>,
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo counterpoint profile
  cargo counterpoint profile --bench sums -- --profile-time 5
  cargo counterpoint profile --example solve -e page-faults -o faults.html -- input.txt

Exit status: that of the program; 2 if it could not be profiled.")]
pub struct ProfileArgs {
    #[command(flatten)]
    pub which: Which,
    /// Profile these events in place of the CPU time
    #[arg(short, long = "event", value_name = "EVENT,…")]
    pub events: Option<String>,
    /// Take about HZ samples per second
    #[arg(short = 'F', long, value_name = "HZ")]
    pub frequency: Option<String>,
    /// Write the page to FILE
    #[arg(short, long, value_name = "FILE", default_value = "profile.html")]
    pub output: PathBuf,
    /// Write the page, and do not open it
    #[arg(long)]
    pub no_open: bool,
    /// Build without optimization
    #[arg(long)]
    pub dev: bool,
    #[command(flatten)]
    pub selected: Selected,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<OsString>,
}

// The program that is profiled.
#[derive(clap::Args)]
#[group(multiple = false)]
pub struct Which {
    /// Profile this program of the package; the only one if none is named
    #[arg(long, value_name = "NAME")]
    pub bin: Option<String>,
    /// Profile this benchmark
    #[arg(long, value_name = "NAME")]
    pub bench: Option<String>,
    /// Profile this example
    #[arg(long, value_name = "NAME")]
    pub example: Option<String>,
    /// Profile this integration test
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,
}

// What cargo builds; the options are cargo's.
#[derive(clap::Args)]
#[command(next_help_heading = "Packages and features")]
pub struct Selected {
    /// Build this package of the workspace
    #[arg(short, long, value_name = "SPEC")]
    pub package: Vec<String>,
    /// Build with these features
    #[arg(long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// Build with all features
    #[arg(long)]
    pub all_features: bool,
    /// Build without the default features
    #[arg(long)]
    pub no_default_features: bool,
}

impl Selected {
    /// The arguments of cargo.
    pub fn arguments(&self) -> Vec<String> {
        let pairs = |name: &str, values: &[String]| -> Vec<String> {
            values.iter().flat_map(|value| [name.to_string(), value.clone()]).collect()
        };
        let mut arguments = pairs("--package", &self.package);
        arguments.extend(pairs("--features", &self.features));
        arguments.extend(self.all_features.then(|| "--all-features".to_string()));
        arguments.extend(self.no_default_features.then(|| "--no-default-features".to_string()));
        arguments
    }
}
