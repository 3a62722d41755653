//! The destination of a result: the file of `-o`, or a standard stream.

use crate::failure::Failure;
use crate::file_name;
use crate::guard::{self, Stream};
use crate::show::{self, Colour, Paint};
use counterpoint::Reporter;
use counterpoint::perf::output::{OutputFile, append, create};
use counterpoint::perf::process::inherited_file;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

// The destination of the result.
#[derive(Clone, clap::Args)]
pub struct OutputArgs {
    #[arg(short, long, value_name = "FILE", help = format!("Write the result to FILE, or to standard output if it is `-`; in the name, {}", file_name::KNOWN))]
    output: Option<PathBuf>,
}

/// The open file or stream, buffered.
pub struct Sink {
    to: To,
    /// The name in errors; `None` for standard output, whose reader may leave when it has seen enough.
    name: Option<String>,
    bytes: Vec<u8>,
    /// Control characters are escaped.
    is_text: bool,
    has_colours: bool,
    /// Those of a terminal.
    columns: Option<usize>,
    /// The result is added to a file that has the heading already.
    is_appended: bool,
    /// A result that cannot be written is shown on standard error.
    is_kept: bool,
}

enum To {
    Stream(Box<dyn Write + Send>),
    File(OutputFile),
}

/// The number of bytes that are held before they are written.
const HELD: usize = 1 << 16;

impl OutputArgs {
    /// Opens the file for text, with control characters escaped; without `-o`, standard output or standard error.
    ///
    /// With `heading`, the text is added to the end of the file, which begins with the heading.
    pub fn text(&self, to_stderr: bool, heading: Option<&[u8]>) -> Result<Sink, Failure> {
        let path = self.path()?.filter(|path| path.as_os_str() != "-");
        let of_path =
            path.as_deref().filter(|_| heading.is_none()).and_then(guard::standard_stream);
        let mut sink = match (path, of_path, heading) {
            (Some(path), None, None) => Sink::of_file(&path)?,
            (Some(path), None, Some(heading)) => Sink::appended(&path, heading)?,
            (None, _, _) if to_stderr && self.output.is_none() => Sink::terminal(),
            (_, Some(Stream::Error), _) => Sink::terminal(),
            _ => Sink::stdout(),
        };
        sink.is_text = true;
        Ok(sink)
    }

    /// Opens the file for bytes, which are not for terminals, and not to be mixed with the output of a command.
    ///
    /// Without `-o` they go to standard output if it is neither, and else to the file of this name, which is returned.
    pub fn bytes(&self, name: &str, has_command: bool) -> Result<(Sink, Option<PathBuf>), Failure> {
        let asked = self.path()?;
        if asked.as_deref().is_none_or(|path| path.as_os_str() == "-") {
            let refusal = match (show::bytes_out().is_terminal(), has_command) {
                (true, _) => "standard output is a terminal, and the format is binary",
                (_, true) => {
                    "standard output is also that of the command, and the format is binary"
                }
                _ => return Ok((Sink::stdout(), None)),
            };
            if asked.is_some() {
                return Err(Failure::new(refusal).help(format!("write a file: -o {name}")));
            }
        }
        let path = asked.clone().unwrap_or_else(|| PathBuf::from(name));
        let refusal = |problem| {
            let text = format!("{}: {problem}, and the format is binary", path.display());
            Failure::new(text).help(format!("write a file: -o {name}"))
        };
        if has_command && guard::standard_stream(&path).is_some() {
            return Err(refusal("the command writes to it too"));
        }
        let file = created(&path)?;
        if file.as_fd().is_terminal() {
            return Err(refusal("it is a terminal"));
        }
        Ok((Sink::of(file, &path), asked.is_none().then_some(path)))
    }

    /// Creates a file that is written at several places, with its path: that of `-o`, or else of this name.
    pub fn seekable(&self, name: &str) -> Result<(OutputFile, PathBuf), Failure> {
        let path = self.path()?.unwrap_or_else(|| PathBuf::from(name));
        let refusal = |problem| {
            let text = format!("{}: {problem}", path.display());
            Failure::new(text).help(format!("write a file: -o {name}"))
        };
        if path.as_os_str() == "-" {
            return Err(refusal("this format is not written to standard output"));
        }
        let file = created(&path)?;
        if !file.metadata()?.is_file() {
            return Err(refusal("this format is written to a plain file only"));
        }
        Ok((file, path))
    }

    /// The file of `-o`, or else that of this name.
    pub fn or(&self, name: &str) -> OutputArgs {
        OutputArgs { output: Some(self.output.clone().unwrap_or_else(|| PathBuf::from(name))) }
    }

    /// The name of `-o` as it was written.
    pub fn name(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Returns true if `-o` names a file, and not standard output.
    pub fn is_file(&self) -> bool {
        self.output.as_ref().is_some_and(|path| path.as_os_str() != "-")
    }

    /// The name of `-o`, with its placeholders replaced.
    fn path(&self) -> Result<Option<PathBuf>, Failure> {
        let expand = |name: &PathBuf| file_name::expand(name, &Reporter::this_process());
        self.output.as_ref().map(expand).transpose()
    }
}

impl Sink {
    /// Text that goes to a file descriptor that the program was started with.
    pub fn descriptor(number: u32) -> Result<Sink, Failure> {
        let name = format!("file descriptor {number}");
        let file =
            inherited_file(number).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let (has_colours, file) = (show::has_colours(&file), File::from(file));
        let sink = Sink::new(To::Stream(Box::new(file)), Some(name));
        Ok(Sink { is_text: true, has_colours, ..sink })
    }

    /// The file of this name, with its placeholders replaced, for text without control characters.
    pub fn file(name: &Path) -> Result<Sink, Failure> {
        if name.as_os_str() == "-" {
            return Err(Failure::new("`-`: a page is written to a file").help("--html page.html"));
        }
        let path = file_name::expand(name, &Reporter::this_process())?;
        Ok(Sink { is_text: true, ..Sink::of_file(&path)? })
    }

    /// The file of this name, for bytes.
    pub fn of_file(path: &Path) -> Result<Sink, Failure> {
        Ok(Sink::of(created(path)?, path))
    }

    /// The first of these files that is not there yet and that no other process is writing.
    pub fn of_new_file(paths: impl Iterator<Item = PathBuf>) -> Result<Sink, Failure> {
        for path in paths.filter(|path| !path.exists()) {
            match create(&path) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // The process that was writing it may have finished meanwhile.
                Ok(_) if path.exists() => {}
                Ok(file) => return Ok(Sink::of(file, &path)),
                Err(error) => return Err(refused(&path, &error, false)),
            }
        }
        Err(Failure::new("every name of a new file is taken"))
    }

    fn appended(path: &Path, heading: &[u8]) -> Result<Sink, Failure> {
        let file = guard::writes(path).and_then(|()| append(path, heading));
        let file = file.map_err(|error| refused(path, &error, true))?;
        Ok(Sink { is_appended: true, ..Sink::of(file, path) })
    }

    fn of(file: OutputFile, path: &Path) -> Sink {
        Sink::new(To::File(file), Some(path.display().to_string()))
    }

    fn stdout() -> Sink {
        let stdout = show::bytes_out();
        let columns = show::width_of(&stdout);
        Sink { columns, ..Sink::new(To::Stream(Box::new(stdout)), None) }
    }

    fn terminal() -> Sink {
        let terminal = show::terminal();
        let (has_colours, columns) = (show::has_colours(&terminal), show::width_of(&terminal));
        let sink = Sink::new(To::Stream(Box::new(terminal)), Some("standard error".to_string()));
        Sink { has_colours, columns, ..sink }
    }

    fn new(to: To, name: Option<String>) -> Sink {
        Sink {
            to,
            name,
            bytes: Vec::new(),
            is_text: false,
            has_colours: false,
            columns: None,
            is_appended: false,
            is_kept: false,
        }
    }

    /// Shows on standard error what cannot be written, because it cannot be counted again.
    pub fn kept(self) -> Sink {
        Sink { is_kept: true, ..self }
    }

    /// Escapes nothing, unless it is written to a terminal: what is written is read by programs.
    pub fn exact(self) -> Sink {
        Sink { is_text: self.is_text && self.columns.is_some(), ..self }
    }

    /// Decides about colours, for which `auto` leaves what the stream itself decided.
    pub fn colour(&mut self, colour: Colour) {
        self.has_colours = match colour {
            Colour::Auto => self.has_colours,
            Colour::Always => true,
            Colour::Never => false,
        };
    }

    /// The columns of a terminal.
    pub fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Returns true if the heading is in the file already.
    pub fn has_heading(&self) -> bool {
        self.is_appended
    }

    /// Returns true if something is still to be written.
    pub fn holds_any(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Writes what is left, and gives the file its name; more may be written afterwards.
    pub fn publish(&mut self) -> io::Result<()> {
        let published = self.put().and_then(|()| match &mut self.to {
            To::File(file) => file.publish(),
            To::Stream(stream) => stream.flush(),
        });
        match published {
            Ok(()) => {
                self.bytes.clear();
                Ok(())
            }
            Err(error) => Err(self.give_up(error)),
        }
    }

    /// Gives the file what is held as its content for now, which the result replaces as a whole; a stream does not get it.
    pub fn checkpoint(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.bytes);
        match &mut self.to {
            To::File(file) if !file.has_name() => {
                file.write_all(&bytes)?;
                file.checkpoint()
            }
            To::File(_) | To::Stream(_) => Ok(()),
        }
    }

    /// Writes what is held, and holds it still.
    fn put(&mut self) -> io::Result<()> {
        // In one call, so that results of several processes do not mix.
        match &mut self.to {
            To::File(file) => file.write_all(&self.bytes),
            To::Stream(stream) => stream.write_all(&self.bytes),
        }
    }

    /// Leaves the file as it was, or the stream; what is written from now on goes to standard error if it is kept, and nowhere otherwise.
    fn give_up(&mut self, error: io::Error) -> io::Error {
        let Some(name) = &self.name else { return error };
        let error = io::Error::other(format!("{name}: {error}"));
        let is_shown =
            self.is_kept && !matches!(&self.to, To::Stream(_) if name == "standard error");
        self.to =
            To::Stream(if is_shown { Box::new(show::terminal()) } else { Box::new(io::sink()) });
        if is_shown {
            show::note(&format!("{error}; the result follows"));
            let _ = self.put();
        }
        self.bytes.clear();
        error
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_text {
            let has_colours = self.has_colours;
            Paint { out: &mut self.bytes, has_colours }.write_all(bytes)?;
        } else {
            self.bytes.extend_from_slice(bytes);
        }
        if self.bytes.len() >= HELD && !self.is_appended && !self.is_kept {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    /// Writes what is held, but for what is to be written in one call.
    fn flush(&mut self) -> io::Result<()> {
        if self.is_appended || self.is_kept {
            return Ok(());
        }
        self.put().map_err(|error| self.give_up(error))?;
        self.bytes.clear();
        Ok(())
    }
}

/// Creates the file of a result that is not one of its inputs.
fn created(path: &Path) -> Result<OutputFile, Failure> {
    let file = guard::writes(path).and_then(|()| create(path));
    file.map_err(|error| refused(path, &error, false))
}

fn refused(path: &Path, error: &io::Error, appends: bool) -> Failure {
    let failure = Failure::new(format!("{}: {error}", path.display()));
    match (error.kind(), appends) {
        (io::ErrorKind::WouldBlock, true) => failure.help(
            "use --append in every process that writes this file, or give each a file of its own with %p or {rank} in its name",
        ),
        (io::ErrorKind::WouldBlock, false) => failure.help(
            "give each process a file of its own with %p or {rank} in its name; formats of text can also be written with --append",
        ),
        _ => failure,
    }
}
