//! The destinations of the result.

use super::args::StatArgs;
use super::format::{Counted, Format};
use super::formats;
use super::html::Html;
use super::mpi;
use super::summary::Summary;
use crate::failure::Failure;
use crate::output::Sink;
use crate::rank_files;
use crate::show;
use counterpoint::Reporter;
use std::io::{self, Write};

/// Every place to which the result is written.
pub struct Output {
    all: Vec<Destination>,
    metric_only: bool,
}

impl Output {
    /// Opens the file of `-o` and that of `--html`; without `-o` each format goes to its own stream.
    pub fn open(args: &StatArgs) -> Result<Output, Failure> {
        if args.metric_only && !args.has_metrics() {
            return Err(Failure::new("--metric-only prints metrics, and none is counted").help(
                "name some with -M, such as -M ipc; `counterpoint list --metrics` lists them",
            ));
        }
        let mut all = vec![Destination::main(args)?];
        if let Some(path) = &args.html {
            all.push(Destination::new(Sink::file(path)?, Box::new(Html::default()))?);
        }
        Ok(Output { all, metric_only: args.metric_only })
    }

    /// Writes the counts.
    pub fn write(&mut self, counted: &Counted<'_>) -> io::Result<()> {
        let mut metrics = None;
        if self.metric_only {
            let of_all = metrics.insert(counted.report.clone());
            of_all.rows.retain(|row| row.metric.is_some());
        }
        let report = metrics.as_ref().unwrap_or(counted.report);
        let counted = Counted { report, ..*counted };
        self.all.iter_mut().try_for_each(|to| to.write(&counted))
    }

    /// Gives the file of the result the counts so far, in case that it is the last thing that can be written.
    pub fn checkpoint(&mut self, counted: &Counted<'_>) {
        if let Some(main) = self.all.first_mut() {
            let done = main.checkpoint(counted);
            main.writer.note(done);
        }
    }

    /// Writes what is known after all runs.
    pub fn end(&mut self, summary: &Summary) -> io::Result<()> {
        if !self.all.iter().any(|to| to.format.is_for_people()) {
            let rank = summary.process.rank.map_or(String::new(), |rank| format!("rank {rank}: "));
            summary.remarks().for_each(|text| show::note(&format!("{rank}{text}")));
        }
        self.all.iter_mut().try_for_each(|to| to.format.end(&mut to.writer, summary))?;
        self.publish();
        Ok(())
    }

    /// Gives the files their names.
    pub fn publish(&mut self) {
        self.all.iter_mut().for_each(|to| to.writer.publish());
    }

    /// The error with which the result could not be written, if there is one.
    pub fn failure(&self) -> Option<&io::Error> {
        self.all.iter().find_map(|to| to.writer.failure.as_ref())
    }
}

/// A file or stream with its format.
struct Destination {
    writer: Lasting,
    format: Box<dyn Format>,
    /// The heading, if it is still to be written before the first counts.
    heading: Vec<u8>,
}

impl Destination {
    fn new(sink: Sink, format: Box<dyn Format>) -> Result<Destination, Failure> {
        let heading = if sink.has_heading() { Vec::new() } else { format.heading()? };
        Ok(Destination { writer: Lasting { sink, failure: None }, format, heading })
    }

    /// The destination by the options for formats and `-o`.
    fn main(args: &StatArgs) -> Result<Destination, Failure> {
        let format = formats::make(args.format(), &args.style())?;
        let is_on_stderr = format.is_on_stderr();
        if args.append && args.interval.is_some() && is_on_stderr {
            return Err(Failure::new("--append -I: lines of text do not name their process")
                .help("use --json or --csv, whose lines do"));
        }
        if args.format() == "perf" && args.has_rows_of_parts() {
            return Err(Failure::new("-x has no rows of cores, sockets, threads and so on").help(
                "use --csv or --json, whose columns name them, or -A for a row of each CPU",
            ));
        }
        if args.format() == "plot" && args.interval.is_none() {
            return Err(Failure::new("a plot needs intervals")
                .help("counterpoint stat -I 1000 --plot -- COMMAND"));
        }
        if args.format() == "perfetto" && args.interval.is_none() {
            return Err(Failure::new("a trace needs intervals")
                .help("counterpoint stat -I 100 --format perfetto -o trace.json -- COMMAND"));
        }
        if args.format() == "perfetto" && args.append {
            return Err(Failure::new("--append: a file has one trace")
                .help("write each trace to a file of its own"));
        }
        let heading = format.heading()?;
        let name = || rank_files::file(mpi::ending(args), &Reporter::this_process());
        let file = args.mpi.then(|| args.output.or(&name()));
        let mut sink = match args.log_fd {
            Some(number) => Sink::descriptor(number)?,
            None => file
                .as_ref()
                .unwrap_or(&args.output)
                .text(is_on_stderr, args.append.then_some(&heading))?,
        }
        .kept();
        sink.colour(args.color);
        Destination::new(sink, format)
    }

    fn checkpoint(&mut self, counted: &Counted<'_>) -> io::Result<()> {
        self.format.write(&mut self.writer, counted)?;
        self.format.end(&mut self.writer, counted.summary)?;
        self.writer.sink.checkpoint()
    }

    fn write(&mut self, counted: &Counted<'_>) -> io::Result<()> {
        self.writer.write_all(&std::mem::take(&mut self.heading))?;
        self.format.write(&mut self.writer, counted)?;
        // Someone watches intervals.
        if counted.at.is_some() && self.writer.sink.holds_any() {
            self.writer.publish();
        }
        Ok(())
    }
}

/// A writer that accepts everything and remembers its first failure: a command continues when its result cannot be written.
struct Lasting {
    sink: Sink,
    failure: Option<io::Error>,
}

impl Write for Lasting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write_all(bytes);
        self.note(written);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lasting {
    fn publish(&mut self) {
        let published = self.sink.publish();
        self.note(published);
    }

    fn note(&mut self, done: io::Result<()>) {
        self.failure = self.failure.take().or(done.err());
    }
}
