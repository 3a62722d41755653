use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Print what is in a catalog: its pages, schemas, events, groups and formulas, with --json every field as it stands.
    Dump(ReadArgs),
    /// Check a catalog; exit status 1 if it has errors.
    Check(ReadArgs),
    /// List the events that a Linux kernel shows in sysfs for a catalog.
    Events(EventsArgs),
    /// Print the values in a result buffer of H_GET_24X7_DATA, and the formulas that can be computed from two.
    Data(DataArgs),
    /// Compute a formula of a catalog from values of its events and symbols; without a name, list the formulas.
    Formula(FormulaArgs),
}

#[derive(clap::Args)]
pub struct Source {
    /// The catalog, - for standard input; without one, that of this machine
    pub file: Option<PathBuf>,
    /// Take the catalog of a recorded machine
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    pub machine: Option<PathBuf>,
}

/// How formulas are laid out, which a file does not tell.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// Formulas with a 32-bit length, without a unit
    #[value(name = "0.12")]
    V0_12,
    /// Formulas without a unit
    #[value(name = "0.16")]
    V0_16,
    /// The current one
    #[value(name = "0.17")]
    V0_17,
}

#[derive(clap::Args)]
pub struct ReadArgs {
    #[command(flatten)]
    pub source: Source,
    /// The version of the catalog document by which formulas are laid out
    #[arg(long, value_enum, default_value = "0.17")]
    pub format: Format,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct EventsArgs {
    #[command(flatten)]
    pub source: Source,
    /// Which driver: out of tree in 2014, Linux 4.1, or since 2016
    #[arg(long, value_enum, default_value = "current")]
    pub kernel: Kernel,
    /// The interface of the hypervisor: 1 on POWER8, 2 on POWER9 and later
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub interface: u8,
    /// Instead show the event that such a value means, as in domain=2,offset=0xe0,core=1,lpar=0x0
    #[arg(long, value_name = "VALUE")]
    pub value: Option<String>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Kernel {
    #[value(name = "2014")]
    Y2014,
    #[value(name = "4.1")]
    V4_1,
    #[value(name = "current")]
    Current,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  counterpoint catalog data results.bin --catalog catalog.bin --name CORE_GROUP
  counterpoint catalog data later.bin --before earlier.bin --requests requests.bin --catalog catalog.bin PB_Freq=2e9")]
pub struct DataArgs {
    /// The result buffer, - for standard input
    pub file: PathBuf,
    /// The catalog; without one, that of this machine
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
    /// Take the catalog of a recorded machine
    #[arg(long, value_name = "DIR", conflicts_with = "catalog")]
    pub machine: Option<PathBuf>,
    /// The request buffer that was answered
    #[arg(long, value_name = "FILE", conflicts_with = "names")]
    pub requests: Option<PathBuf>,
    /// The group or event that each request asked for, in their order
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// An earlier result buffer of the same requests: shows how much each value grew
    #[arg(long, value_name = "FILE")]
    pub before: Option<PathBuf>,
    /// Ticks of the timebase in a second, for delta-seconds
    #[arg(long, value_name = "HZ", default_value_t = 512e6)]
    pub timebase: f64,
    /// The version of the catalog document by which formulas are laid out
    #[arg(long, value_enum, default_value = "0.17")]
    pub format: Format,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// Values of symbols in formulas that the catalog does not know
    #[arg(value_name = "SYMBOL=VALUE")]
    pub symbols: Vec<String>,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  counterpoint catalog formula catalog.bin BANDWIDTH CHIP_XFER=1000000 delta-seconds=0.5")]
pub struct FormulaArgs {
    /// The catalog, - for standard input
    pub file: PathBuf,
    /// The formula
    pub name: Option<String>,
    /// What the events and symbols in it are worth
    #[arg(value_name = "SYMBOL=VALUE")]
    pub symbols: Vec<String>,
    /// What `A B rem` is
    #[arg(long, value_enum, default_value = "quotient")]
    pub rem: Rem,
    /// Which way `y x x^y` goes: the last value is x, as the document has it, or the exponent
    #[arg(long, value_enum, default_value = "x^y")]
    pub pow: Pow,
    /// The version of the catalog document by which formulas are laid out
    #[arg(long, value_enum, default_value = "0.17")]
    pub format: Format,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Rem {
    /// The floor quotient of A and B
    Quotient,
    /// The remainder, with the sign of A
    Remainder,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Pow {
    /// The last value raised to the one before it
    #[value(name = "x^y")]
    LastIsBase,
    /// The value before raised to the last one
    #[value(name = "y^x")]
    LastIsExponent,
}
