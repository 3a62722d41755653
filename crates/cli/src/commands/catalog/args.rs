use crate::commands::eval::RpnReadings;
use crate::output::OutputArgs;
use clap::{Subcommand, ValueEnum};
use counterpoint::catalog::Reading;
use std::path::PathBuf;

#[derive(Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Print the contents of a catalog: sections, schemas, events, groups and formulas; with --json every field.
    Dump(ReadArgs),
    /// Check a catalog; the exit status is 1 if it has errors.
    Check(ReadArgs),
    /// List the events that a Linux kernel shows in sysfs for a catalog.
    Events(EventsArgs),
    /// Print the values in a result buffer of H_GET_24X7_DATA, and with an earlier buffer the values of formulas.
    Data(DataArgs),
    /// Write a request buffer of H_GET_24X7_DATA for groups and events of a catalog.
    Request(RequestArgs),
    /// Print a schema that is not in a catalog, such as a buffer of firmware.
    Schema(SchemaArgs),
    /// Compute a formula of a catalog from values of its events and symbols, or list the formulas.
    Formula(FormulaArgs),
}

#[derive(clap::Args)]
pub struct Source {
    /// The catalog, or - for standard input; by default that of this machine
    pub file: Option<PathBuf>,
    /// Use the catalog of a recorded machine
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    pub machine: Option<PathBuf>,
}

/// The layout of formulas, which is not stored in a catalog.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    /// Formulas have a length of 32 bits and no unit
    #[value(name = "0.12")]
    V0_12,
    /// Formulas have no unit
    #[value(name = "0.16")]
    V0_16,
    /// The current version
    #[value(name = "0.17")]
    V0_17,
}

#[derive(clap::Args)]
pub struct ReadArgs {
    #[command(flatten)]
    pub source: Source,
    /// Read formulas in the layout of this version of the catalog document
    #[arg(long, value_enum, default_value = "0.17")]
    pub format: Format,
    /// Count the indexes of events and groups from the first record of the same domain, as real catalogs do, or of all, as the document says; by default as the records of groups and events agree
    #[arg(long, value_enum)]
    pub reading: Option<ReadBy>,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ReadBy {
    Domain,
    Document,
}

impl From<ReadBy> for Reading {
    fn from(by: ReadBy) -> Reading {
        match by {
            ReadBy::Domain => Reading::Domain,
            ReadBy::Document => Reading::Document,
        }
    }
}

#[derive(clap::Args)]
pub struct EventsArgs {
    #[command(flatten)]
    pub source: Source,
    /// List the events as this driver does: out of tree in 2014, Linux 4.1, or since 2016
    #[arg(long, value_enum, default_value = "current")]
    pub kernel: Kernel,
    /// Use this version of the hypervisor's interface: 1 on POWER8, 2 on POWER9 and later
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub interface: u8,
    /// Show the event that this value stands for instead, such as domain=2,offset=0xe0,core=1,lpar=0x0
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
    /// The result buffer, or - for standard input
    pub file: PathBuf,
    /// Read the catalog from FILE; by default that of this machine is used
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
    /// Use the catalog of a recorded machine
    #[arg(long, value_name = "DIR", conflicts_with = "catalog")]
    pub machine: Option<PathBuf>,
    /// Read the request buffer that was answered from FILE
    #[arg(long, value_name = "FILE", conflicts_with = "names")]
    pub requests: Option<PathBuf>,
    /// Name the group or event of each request, in the order of the requests
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Read an earlier result buffer of the same requests from FILE, and print by how much each value grew
    #[arg(long, value_name = "FILE")]
    pub before: Option<PathBuf>,
    /// Set the frequency of the timebase, for delta-seconds
    #[arg(long, value_name = "HZ", default_value_t = 512e6)]
    pub timebase: f64,
    /// Read formulas in the layout of this version of the catalog document
    #[arg(long, value_enum, default_value = "0.17")]
    pub format: Format,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// The values of symbols in formulas that the catalog does not define
    #[arg(value_name = "SYMBOL=VALUE")]
    pub symbols: Vec<String>,
}

#[derive(clap::Args)]
#[command(after_help = "\
A name stands for an event, or else for a group, whose whole record is requested.

Examples:
  counterpoint catalog request CORE_ALPHA CHIP_CYC --catalog catalog.bin -o requests.bin
  counterpoint catalog request --records --indexes all CORE_GROUP | xxd

Exit status: 0 if the buffer was written, 2 if a name is unknown or the requests do not fit.")]
pub struct RequestArgs {
    /// The events and groups to request
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,
    /// Read the catalog from FILE; by default that of this machine is used
    #[arg(long, value_name = "FILE")]
    pub catalog: Option<PathBuf>,
    /// Use the catalog of a recorded machine
    #[arg(long, value_name = "DIR", conflicts_with = "catalog")]
    pub machine: Option<PathBuf>,
    /// Request the whole record that holds the counter of each event
    #[arg(long)]
    pub records: bool,
    /// Use this version of the hypervisor's interface: 1 on POWER8, 2 on POWER9 and later
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=2))]
    pub interface: u8,
    /// Request the chip, core or virtual CPU with this index, or all
    #[arg(long, value_name = "N|all", default_value = "0", value_parser = Range::parse)]
    pub indexes: Range,
    /// Request the logical partition with this index, or all; by default the partition of the caller. Only virtual domains have partitions
    #[arg(long, value_name = "N|all", value_parser = Range::parse)]
    pub lpars: Option<Range>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// One index, or all of them.
#[derive(Clone, Copy)]
pub enum Range {
    One(u16),
    All,
}

impl Range {
    fn parse(text: &str) -> Result<Range, String> {
        match text {
            "all" => Ok(Range::All),
            // This index means the caller's own partition, or the end of a range.
            _ => match text.parse() {
                Ok(index) if index != u16::MAX => Ok(Range::One(index)),
                _ => Err("write a number from 0 to 65534, or all".to_string()),
            },
        }
    }
}

#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 if every schema was printed, 1 if one cannot be read, 2 for wrong usage."
)]
pub struct SchemaArgs {
    /// The schema, or - for standard input; several may follow each other
    pub file: PathBuf,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  counterpoint catalog formula catalog.bin BANDWIDTH CHIP_XFER=1000000 delta-seconds=0.5")]
pub struct FormulaArgs {
    /// The catalog, or - for standard input
    pub file: PathBuf,
    /// The formula to compute
    pub name: Option<String>,
    /// The values of the events and symbols in the formula
    #[arg(value_name = "SYMBOL=VALUE")]
    pub symbols: Vec<String>,
    #[command(flatten)]
    pub readings: RpnReadings,
    /// Read formulas in the layout of this version of the catalog document
    #[arg(long, value_enum, default_value = "0.17")]
    pub format: Format,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
}
