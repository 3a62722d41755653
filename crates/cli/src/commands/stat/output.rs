//! Where the result goes, and in which form.

use super::args::StatArgs;
use super::{Job, csv, json, run::Done, text, turns};
use crate::failure::Failure;
use crate::show;
use counterpoint::Report;
use counterpoint::perf::output::create;
use counterpoint::perf::process::Ended;
use std::io::{self, BufWriter, Write};
use std::time::Duration;

pub struct Output {
    writer: BufWriter<Lasting>,
    form: Form,
    begun: bool,
}

enum Form {
    Text,
    Json,
    Csv(String),
}

/// What is said of all runs together.
pub struct Summary {
    /// The command line, for people.
    pub title: String,
    pub command: Vec<String>,
    /// How long each run took.
    pub elapsed: Vec<Duration>,
    /// User and system time of each run.
    pub times: Vec<(Duration, Duration)>,
    pub ended: Option<Ended>,
    /// The PMUs whose events take turns, for programs.
    pub turns: Vec<serde_json::Value>,
}

impl Summary {
    pub fn new(job: &Job) -> Summary {
        let command: Vec<String> =
            job.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let title = match &job.target {
            super::Attached::To(target) if command.is_empty() => text::target_title(target),
            super::Attached::To(target) => {
                format!("{} during '{}'", text::target_title(target), command.join(" "))
            }
            super::Attached::Command => format!("'{}'", command.join(" ")),
        };
        let turns = job.turns.iter().map(turns::object).collect();
        Summary { title, command, elapsed: Vec::new(), times: Vec::new(), ended: None, turns }
    }

    pub fn add(&mut self, done: &Done) {
        self.elapsed.push(done.elapsed);
        self.times.extend(done.times);
        // With several runs the first that failed is the one to tell of.
        if self.ended.is_none_or(|ended| ended.code() == 0) {
            self.ended = done.ended;
        }
    }

    pub fn exit_code(&self) -> u8 {
        match self.ended {
            Some(ended) => ended.code() as u8,
            // As `timeout` has it: the command was given up.
            None if !self.command.is_empty() => 124,
            None => 0,
        }
    }

    /// The mean time that a run took.
    pub fn mean_elapsed(&self) -> Duration {
        self.elapsed.iter().sum::<Duration>() / self.elapsed.len().max(1) as u32
    }
}

/// A writer that takes everything, and remembers its first failure: a command that is being counted runs on when nobody can read the result.
struct Lasting {
    writer: Box<dyn Write>,
    failure: Option<io::Error>,
}

impl Write for Lasting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_none() {
            self.failure = self.writer.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failure.is_none() {
            self.failure = self.writer.flush().err();
        }
        Ok(())
    }
}

/// What can stand between two fields and be told from them; `\\t` is a tab, as perf has it.
fn csv_separator(text: &str) -> Result<String, Failure> {
    let separator = if text == "\\t" { "\t" } else { text };
    let in_fields = |c: char| c.is_alphanumeric() || matches!(c, '"' | '.' | '-' | '\n' | '\r');
    if separator.is_empty() || separator.contains(in_fields) {
        return Err(Failure::new(format!("`{text}` cannot separate fields"))
            .help("write for example --csv=';'"));
    }
    Ok(separator.to_string())
}

impl Output {
    /// Opens the file of `-o`; without it machine formats go to stdout and text to stderr.
    pub fn open(args: &StatArgs) -> Result<Output, Failure> {
        let form = match &args.csv {
            Some(separator) => Form::Csv(csv_separator(separator)?),
            None if args.json => Form::Json,
            None => Form::Text,
        };
        let writer: Box<dyn Write> = match (&args.output, &form) {
            (Some(path), _) if path.as_os_str() == "-" => Box::new(show::stdout()),
            (Some(path), _) => {
                let file =
                    create(path).map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
                Box::new(show::Harmless(file))
            }
            (None, Form::Text) => Box::new(show::stderr()),
            (None, _) => Box::new(show::stdout()),
        };
        let writer = BufWriter::new(Lasting { writer, failure: None });
        Ok(Output { writer, form, begun: false })
    }

    /// A sentence about how something is counted; never part of a machine format.
    pub fn note(&mut self, text: &str) {
        let _ = writeln!(show::stderr(), "counterpoint: {}", show::printable_lines(text));
    }

    /// Why the result could not be written, if that is so.
    pub fn failure(&self) -> Option<&io::Error> {
        self.writer.get_ref().failure.as_ref()
    }

    /// The result of the whole count.
    pub fn report(&mut self, report: &Report, summary: &Summary) -> io::Result<()> {
        let elapsed = summary.mean_elapsed();
        match &self.form {
            Form::Text => text::report(&mut self.writer, report, summary),
            Form::Json => json::rows(&mut self.writer, report, None, elapsed),
            Form::Csv(separator) => {
                csv::rows(&mut self.writer, report, None, elapsed, separator, !self.begun)
            }
        }
    }

    /// What was counted in the interval that ended at `at` and took `length`.
    pub fn interval(&mut self, report: &Report, at: Duration, length: Duration) -> io::Result<()> {
        let first = !std::mem::replace(&mut self.begun, true);
        match &self.form {
            Form::Text => text::interval(&mut self.writer, report, at, length, first)?,
            Form::Json => json::rows(&mut self.writer, report, Some(at), length)?,
            Form::Csv(separator) => {
                csv::rows(&mut self.writer, report, Some(at), length, separator, first)?
            }
        }
        // Someone watches.
        self.writer.flush()
    }

    /// What is said once, after everything.
    pub fn end(&mut self, summary: &Summary) -> io::Result<()> {
        match &self.form {
            Form::Text => text::times(&mut self.writer, summary)?,
            Form::Json => json::summary(&mut self.writer, summary)?,
            Form::Csv(_) => {}
        }
        self.writer.flush()
    }
}
