//! Where a result goes: the file of `-o`, or a standard stream.

use crate::failure::Failure;
use crate::file_name;
use crate::show::{self, Harmless};
use counterpoint::Reporter;
use counterpoint::perf::output::{append, create};
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

// Where the result is written.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Write the result to FILE, or to standard output if it is `-`; in the name, %p is the process id, %h the host, %q{VARIABLE} an environment variable, {rank} the rank in a parallel job, and %% a percent sign
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Add the result to the end of FILE, which several processes may do at the same time
    #[arg(long, requires = "output")]
    append: bool,
}

/// The open file or stream.
pub enum Sink {
    Stream(Box<dyn Write>),
    /// Written when it is flushed, in one call, so that results of several processes do not mix.
    Appended {
        file: File,
        bytes: Vec<u8>,
    },
}

impl OutputArgs {
    /// Opens the file for text, with control characters escaped; without `-o`, standard output or standard error.
    pub fn text(&self, to_stderr: bool) -> Result<Sink, Failure> {
        Ok(match self.path()? {
            None if to_stderr => Sink::Stream(Box::new(show::stderr())),
            None => Sink::Stream(Box::new(show::stdout())),
            Some(path) if path.as_os_str() == "-" => Sink::Stream(Box::new(show::stdout())),
            Some(path) if self.append => {
                let file = append(&path).map_err(|error| refused(&path, &error))?;
                Sink::Appended { file, bytes: Vec::new() }
            }
            Some(path) => {
                let file = create(&path).map_err(|error| refused(&path, &error))?;
                Sink::Stream(Box::new(Harmless(file)))
            }
        })
    }

    /// Opens the file for bytes, which are not for terminals, and not to be mixed with the output of a command.
    ///
    /// Without `-o` they go to standard output if it is neither, and else to the file of this name, which is returned.
    pub fn bytes(&self, name: &str, has_command: bool) -> Result<(Sink, Option<PathBuf>), Failure> {
        self.refuse_append()?;
        let asked = self.path()?;
        if asked.as_deref().is_none_or(|path| path.as_os_str() == "-") {
            let refusal = match (show::bytes_out().is_terminal(), has_command) {
                (true, _) => "standard output is a terminal, and the format is binary",
                (_, true) => {
                    "standard output is also that of the command, and the format is binary"
                }
                _ => return Ok((Sink::Stream(Box::new(show::bytes_out())), None)),
            };
            if asked.is_some() {
                return Err(Failure::new(refusal).help(format!("write a file: -o {name}")));
            }
        }
        let path = asked.clone().unwrap_or_else(|| PathBuf::from(name));
        let file = create(&path).map_err(|error| refused(&path, &error))?;
        let problem = if file.is_terminal() {
            Some("it is a terminal, and the format is binary")
        } else if has_command && is_standard_stream(&file)? {
            Some("the command writes to it too, and the format is binary")
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(Failure::new(format!("{}: {problem}", path.display()))
                .help(format!("write a file: -o {name}")));
        }
        Ok((Sink::Stream(Box::new(file)), asked.is_none().then_some(path)))
    }

    /// For formats of which a file holds one result.
    pub fn refuse_append(&self) -> Result<(), Failure> {
        match self.append {
            false => Ok(()),
            true => Err(Failure::new("--append: a file of this format holds one result")
                .help("give each process a file of its own, with %p or {rank} in its name")),
        }
    }

    /// The name of `-o`, with its placeholders replaced.
    fn path(&self) -> Result<Option<PathBuf>, Failure> {
        let expand = |name: &PathBuf| file_name::expand(name, &Reporter::this_process());
        self.output.as_ref().map(expand).transpose()
    }
}

impl Sink {
    /// Whether the file holds other results already.
    pub fn continues(&self) -> bool {
        match self {
            Sink::Stream(_) => false,
            Sink::Appended { file, .. } => file.metadata().is_ok_and(|found| found.len() > 0),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stream(stream) => stream.write(bytes),
            Sink::Appended { bytes: held, .. } => Harmless(held).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stream(stream) => stream.flush(),
            Sink::Appended { file, bytes } => file.write_all(&std::mem::take(bytes)),
        }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

fn refused(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::new(format!("{}: {error}", path.display()));
    match error.kind() {
        io::ErrorKind::WouldBlock => failure.help(
            "give each process a file of its own with %p or {rank} in its name, or write text, JSON or CSV with --append",
        ),
        _ => failure,
    }
}

/// Whether a file is that of standard output or standard error, to which a command writes as well; nothing is lost in devices such as `/dev/null`.
fn is_standard_stream(file: &File) -> io::Result<bool> {
    let found = file.metadata()?;
    let is_same = |stream: io::Result<Metadata>| {
        stream.is_ok_and(|stream| (stream.dev(), stream.ino()) == (found.dev(), found.ino()))
    };
    let of = |stream: std::os::fd::BorrowedFd<'_>| {
        stream.try_clone_to_owned().and_then(|stream| File::from(stream).metadata())
    };
    let is_shared = is_same(of(show::bytes_out().as_fd())) || is_same(of(show::terminal().as_fd()));
    Ok(is_shared && !found.file_type().is_char_device())
}
