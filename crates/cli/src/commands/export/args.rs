use crate::failure::Failure;
use crate::output::OutputArgs;
use clap::ValueEnum;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "\
The table has a row for each value, with the same columns for every report: run, job, host, rank, process, place, event, value, unit, status, reason and more; `counterpoint schema table` describes them.
The status is a column, and a value that was not measured is null.
Rows of the kind `run`, `member`, `function`, `line` and `thread` say again what is within the row before them: sum up rows of one kind only.

A file is a report (`stat --json`, the regions of a program, `merge --json`, `profile --format json`), or a table that was exported before; `-` is standard input. In a directory, files that end with .jsonl, .json, .csv, .arrow and .parquet are read, also those in its directories.
`--format report` turns a table into the reports that it was made from.
PAPI's reports are read by `merge` only: counterpoint merge --json papi_hl_output | counterpoint export -

Exit status: 0 if all files were read, 2 if a file is wrong; the rows before the place that is wrong are written, and of JSON lines those of the other lines.

Examples:
  counterpoint export -o counts.parquet counterpoint.*.jsonl
  counterpoint export -o table --partition job,host runs
  counterpoint export --format csv report.jsonl
  counterpoint export --format report counts.parquet")]
pub struct ExportArgs {
    /// Write this format; by default that of the file's ending, or else `jsonl`, and with --partition `parquet`
    #[arg(short = 'F', long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Write a file for each combination of the values of these columns, below the directory of -o, as in `DIR/job=42/host=node1/part-0.parquet`
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', requires = "output")]
    pub partition: Vec<By>,
    #[command(flatten)]
    pub output: OutputArgs,
    /// The reports and tables, or directories of them
    #[arg(value_name = "FILE|DIR", required = true)]
    pub files: Vec<PathBuf>,
}

/// The form of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A file of Parquet
    Parquet,
    /// A file of Arrow's IPC format (Feather)
    Arrow,
    /// CSV with a header
    Csv,
    /// A JSON object for each row
    Jsonl,
    /// The JSON lines of the reports from which the table was made
    Report,
}

/// A column by whose values the table is cut into files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// The id of the job
    Job,
    /// The name of the host
    Host,
    /// The number of the process in its job
    Rank,
    /// The event
    Event,
    /// The file of the report
    Report,
}

impl Format {
    pub const fn ending(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Csv => "csv",
            Format::Jsonl | Format::Report => "jsonl",
        }
    }

    fn of_ending(ending: &OsStr) -> Option<Format> {
        match ending.to_str()? {
            "feather" => Some(Format::Arrow),
            ending => [Format::Parquet, Format::Arrow, Format::Csv, Format::Jsonl]
                .into_iter()
                .find(|format| format.ending() == ending),
        }
    }
}

impl ExportArgs {
    /// The format that was asked for, or that of the ending of `-o`.
    pub fn format(&self) -> Result<Format, Failure> {
        let name = self.output.name().filter(|_| self.partition.is_empty());
        match (self.format, name.and_then(Path::extension)) {
            (Some(format), _) => Ok(format),
            (None, None) if !self.partition.is_empty() => Ok(Format::Parquet),
            (None, None) => Ok(Format::Jsonl),
            (None, Some(ending)) => Format::of_ending(ending).ok_or_else(|| {
                let text = format!("-o: no format has the ending {:?}", ending.display());
                Failure::new(text)
                    .help("use .parquet, .arrow, .csv or .jsonl, or name it with --format")
            }),
        }
    }
}
