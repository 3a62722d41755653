//! SQL over reports: `counterpoint-query 'SQL' FILES…`, which `counterpoint query` runs.

use clap::{Parser, ValueEnum};
use counterpoint_datafusion::session;
use datafusion::arrow::csv::WriterBuilder;
use datafusion::arrow::json::LineDelimitedWriter;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::context::SessionContext;
use futures::StreamExt;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Query reports by SQL: the files are the table `reports`, a row for each value.
#[derive(Parser)]
#[command(
    name = "counterpoint-query",
    version,
    after_help = "\
The columns are those of `counterpoint export`; `counterpoint schema table` describes them. Rows of the kind `value` are the values of the reports: select one kind before you add up.
Beside the functions of DataFusion there are cp_formula('a / b', a, b), cp_metric('NAME', 'PMU', map), cp_sum(value, status, coverage, counted_elsewhere), cp_mean(…, 'all' or 'present'), and the table cp_reports('FILE or DIR').

Exit status: 0 if the query has a result, 2 if not.

Examples:
  counterpoint-query \"SELECT event, cp_sum(value, status)['value'] AS total FROM reports WHERE kind = 'value' GROUP BY event\" runs
  counterpoint-query --ballista localhost:50050 'SELECT count(*) FROM reports' runs
  counterpoint-query --format csv \"SELECT * FROM cp_reports('a.jsonl')\""
)]
struct Args {
    /// Run the query on the Ballista cluster of this scheduler; executors must see the files
    #[arg(long, value_name = "HOST:PORT")]
    ballista: Option<String>,
    /// Print the result in this form
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
    /// Keep reports as Parquet in a directory within DIR while the query runs; all executors must see it
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// The query
    #[arg(value_name = "SQL")]
    sql: String,
    /// The reports and tables, or directories of them
    #[arg(value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table for people
    Table,
    /// CSV with a header
    Csv,
    /// A JSON object for each row
    Json,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "counterpoint query: {}", sentence(&error));
            ExitCode::from(2)
        }
    }
}

/// The error without the words that only name where in the engine it arose.
fn sentence(error: &DataFusionError) -> String {
    error.find_root().strip_backtrace()
}

async fn run(args: &Args) -> Result<()> {
    let scratch = args.scratch.clone().unwrap_or_else(std::env::temp_dir);
    let context = match &args.ballista {
        None => session(&args.files, &scratch)?,
        Some(scheduler) => remote(scheduler, &args.files, &scratch).await?,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&context, args, &mut out).await {
        // A reader that closes the pipe early, as `head` does, is not an error.
        Err(DataFusionError::IoError(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

#[cfg(feature = "ballista")]
async fn remote(
    scheduler: &str,
    files: &[PathBuf],
    scratch: &std::path::Path,
) -> Result<SessionContext> {
    counterpoint_datafusion::remote_session(scheduler, files, scratch).await
}

#[cfg(not(feature = "ballista"))]
async fn remote(_: &str, _: &[PathBuf], _: &std::path::Path) -> Result<SessionContext> {
    datafusion::common::exec_err!(
        "this build has no Ballista: build counterpoint-datafusion with the feature `ballista`"
    )
}

async fn write(context: &SessionContext, args: &Args, out: &mut impl Write) -> Result<()> {
    let frame = context.sql(&args.sql).await?;
    if let Format::Table = args.format {
        let schema = frame.schema().inner().clone();
        let mut batches = frame.collect().await?;
        if batches.is_empty() {
            batches.push(RecordBatch::new_empty(schema));
        }
        writeln!(out, "{}", pretty_format_batches(&batches)?)?;
        return Ok(out.flush()?);
    }
    let mut stream = frame.execute_stream().await?;
    let mut has_header = true;
    while let Some(batch) = stream.next().await {
        match args.format {
            Format::Csv => {
                WriterBuilder::new().with_header(has_header).build(&mut *out).write(&batch?)?;
                has_header = false;
            }
            _ => LineDelimitedWriter::new(&mut *out).write(&batch?)?,
        }
    }
    Ok(out.flush()?)
}
