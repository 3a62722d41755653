//! Where a result goes: the file of `-o`, or a standard stream.

use crate::failure::Failure;
use crate::file_name;
use crate::show::{self, Colour, Paint};
use counterpoint::Reporter;
use counterpoint::perf::output::{append, create};
use counterpoint::perf::process::inherited_file;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

// Where the result is written.
#[derive(clap::Args)]
pub struct OutputArgs {
    #[arg(short, long, value_name = "FILE", help = format!("Write the result to FILE, or to standard output if it is `-`; in the name, {}", file_name::KNOWN))]
    output: Option<PathBuf>,
}

/// The open file or stream, buffered.
pub struct Sink {
    to: Box<dyn Write + Send>,
    bytes: Vec<u8>,
    /// Control characters are escaped.
    is_text: bool,
    has_colours: bool,
    /// Written when it is flushed, in one call, so that results of several processes do not mix.
    is_appended: bool,
}

/// How many bytes are held before they are written.
const HELD: usize = 1 << 16;

impl OutputArgs {
    /// Opens the file for text, with control characters escaped; without `-o`, standard output or standard error.
    ///
    /// With `heading`, the text is added to the end of the file, which begins with the heading.
    pub fn text(&self, to_stderr: bool, heading: Option<&[u8]>) -> Result<Sink, Failure> {
        let mut has_colours = false;
        let (to, is_appended): (Box<dyn Write + Send>, bool) = match self.path()? {
            None if to_stderr => {
                has_colours = show::has_colours(&show::terminal());
                (Box::new(show::terminal()), false)
            }
            None => (Box::new(show::bytes_out()), false),
            Some(path) if path.as_os_str() == "-" => (Box::new(show::bytes_out()), false),
            Some(path) => {
                let file = match heading {
                    Some(heading) => append(&path, heading),
                    None => create(&path),
                };
                let file = file.map_err(|error| refused(&path, &error, heading.is_some()))?;
                (Box::new(file), heading.is_some())
            }
        };
        Ok(Sink { to, bytes: Vec::new(), is_text: true, has_colours, is_appended })
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
                _ => return Ok((Sink::of_bytes(show::bytes_out()), None)),
            };
            if asked.is_some() {
                return Err(Failure::new(refusal).help(format!("write a file: -o {name}")));
            }
        }
        let path = asked.clone().unwrap_or_else(|| PathBuf::from(name));
        let file = create(&path).map_err(|error| refused(&path, &error, false))?;
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
        Ok((Sink::of_bytes(file), asked.is_none().then_some(path)))
    }

    /// Creates a file that is written at several places, with its path: that of `-o`, or else of this name.
    pub fn seekable(&self, name: &str) -> Result<(File, PathBuf), Failure> {
        let path = self.path()?.unwrap_or_else(|| PathBuf::from(name));
        let refusal = |problem| {
            let text = format!("{}: {problem}", path.display());
            Failure::new(text).help(format!("write a file: -o {name}"))
        };
        if path.as_os_str() == "-" {
            return Err(refusal("this format is not written to standard output"));
        }
        let file = create(&path).map_err(|error| refused(&path, &error, false))?;
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

    /// Whether `-o` names a file, and not standard output.
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
        let file = inherited_file(number)
            .map_err(|error| Failure::new(format!("file descriptor {number}: {error}")))?;
        let has_colours = show::has_colours(&file);
        let mut sink = Sink::of_bytes(File::from(file));
        (sink.is_text, sink.has_colours) = (true, has_colours);
        Ok(sink)
    }

    /// The file of this name, with its placeholders replaced, for text without control characters.
    pub fn file(name: &Path) -> Result<Sink, Failure> {
        if name.as_os_str() == "-" {
            return Err(Failure::new("`-`: a page is written to a file").help("--html page.html"));
        }
        let path = file_name::expand(name, &Reporter::this_process())?;
        let file = create(&path).map_err(|error| refused(&path, &error, false))?;
        let mut sink = Sink::of_bytes(file);
        sink.is_text = true;
        Ok(sink)
    }

    /// The file of this name, for bytes.
    pub fn of_file(path: &Path) -> Result<Sink, Failure> {
        create(path).map(Sink::of_bytes).map_err(|error| refused(path, &error, false))
    }

    fn of_bytes(to: impl Write + Send + 'static) -> Sink {
        Sink {
            to: Box::new(to),
            bytes: Vec::new(),
            is_text: false,
            has_colours: false,
            is_appended: false,
        }
    }

    /// Decides about colours, for which `auto` leaves what the stream itself decided.
    pub fn colour(&mut self, colour: Colour) {
        self.has_colours = match colour {
            Colour::Auto => self.has_colours,
            Colour::Always => true,
            Colour::Never => false,
        };
    }

    /// Whether the heading is in the file already.
    pub fn has_heading(&self) -> bool {
        self.is_appended
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.is_text {
            true => {
                let has_colours = self.has_colours;
                Paint { out: &mut self.bytes, has_colours }.write_all(bytes)?;
            }
            false => self.bytes.extend_from_slice(bytes),
        }
        if self.bytes.len() >= HELD && !self.is_appended {
            self.to.write_all(&std::mem::take(&mut self.bytes))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&std::mem::take(&mut self.bytes))?;
        self.to.flush()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.flush();
    }
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
