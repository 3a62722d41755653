//! Where the result goes.

use super::args::StatArgs;
use super::format::{Counted, Format};
use super::formats;
use super::mpi;
use super::summary::Summary;
use crate::failure::Failure;
use crate::output::Sink;
use crate::show;
use counterpoint::Reporter;
use std::io::{self, Write};

pub struct Output {
    writer: Lasting,
    format: Box<dyn Format>,
    /// What is still to be written before the first counts.
    heading: Vec<u8>,
    /// The rank of this process in a parallel job.
    rank: Option<u32>,
    /// Whether every rank would say the same.
    is_mpi: bool,
}

impl Output {
    /// Opens the file of `-o`; without it each format goes to its own stream.
    pub fn open(args: &StatArgs, process: &Reporter) -> Result<Output, Failure> {
        let format = formats::make(args.format(), args.separator())?;
        let is_on_stderr = format.is_on_stderr();
        if args.append && args.interval.is_some() && is_on_stderr {
            return Err(Failure::new("--append -I: lines of text do not name their process")
                .help("use --json or --csv, whose lines do"));
        }
        if args.format() == "perf" && (args.per_core || args.per_socket || args.per_thread) {
            return Err(Failure::new("-x has no rows of cores, sockets or threads").help(
                "use --csv or --json, whose columns name them, or -A for a row of each CPU",
            ));
        }
        let heading = format.heading()?;
        let file = args.mpi.then(|| args.output.or(&mpi::file_name(args, process)));
        let sink = file
            .as_ref()
            .unwrap_or(&args.output)
            .text(is_on_stderr, args.append.then_some(&heading))?;
        let heading = if sink.has_heading() { Vec::new() } else { heading };
        let (rank, is_mpi) = (process.rank, args.mpi);
        Ok(Output { writer: Lasting { sink, failure: None }, format, heading, rank, is_mpi })
    }

    /// Prints a sentence about how something is counted; it is never part of a format.
    pub fn note(&mut self, text: &str) {
        let rank = self.rank.map_or(String::new(), |rank| format!("rank {rank}: "));
        let _ = writeln!(show::stderr(), "counterpoint: {rank}{}", show::printable_lines(text));
    }

    /// Prints a sentence that is the same in every rank; with `--mpi` only rank 0 does.
    pub fn advise(&mut self, text: &str) {
        match (self.is_mpi, self.rank) {
            (false, _) => self.note(text),
            (true, Some(0)) => {
                let text = show::printable_lines(text);
                let _ = writeln!(show::stderr(), "counterpoint: {text}");
            }
            (true, _) => {}
        }
    }

    /// Writes the counts.
    pub fn write(&mut self, counted: &Counted<'_>) -> io::Result<()> {
        self.writer.write_all(&std::mem::take(&mut self.heading))?;
        self.format.write(&mut self.writer, counted)?;
        // Someone watches intervals.
        if counted.at.is_some() { self.writer.flush() } else { Ok(()) }
    }

    /// Writes what is known after all runs.
    pub fn end(&mut self, summary: &Summary) -> io::Result<()> {
        if !self.format.is_for_people() {
            summary.remarks().for_each(|text| self.note(&text));
        }
        self.format.end(&mut self.writer, summary)?;
        self.writer.flush()
    }

    /// Why the result could not be written, if that is so.
    pub fn failure(&self) -> Option<&io::Error> {
        self.writer.failure.as_ref()
    }
}

/// A writer that accepts everything and remembers its first failure: a command continues when its result cannot be written.
struct Lasting {
    sink: Sink,
    failure: Option<io::Error>,
}

impl Write for Lasting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_none() {
            self.failure = self.sink.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failure.is_none() {
            self.failure = self.sink.flush().err();
        }
        Ok(())
    }
}
