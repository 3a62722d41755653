//! The commands that `--control` reads while events are counted or sampled, in the words of `perf stat`.

use crate::failure::Failure;
use crate::show;
use counterpoint::perf::Readiness;
use counterpoint::perf::process::inherited_file;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt;

/// A line that is longer than this is not a command.
const LONGEST: usize = 4096;

/// The file that commands are read from, and the one to which it is written that they were obeyed.
pub struct Control {
    commands: File,
    answers: Option<File>,
    /// The start of a line whose end has not come yet.
    begun: Vec<u8>,
    is_at_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Enable,
    Disable,
    Evlist,
    Ping,
    Stop,
}

const COMMANDS: [(&str, Command); 5] = [
    ("enable", Command::Enable),
    ("disable", Command::Disable),
    ("evlist", Command::Evlist),
    ("ping", Command::Ping),
    ("stop", Command::Stop),
];

impl Control {
    /// Opens the files of `fd:CTL[,ACK]` or `fifo:CTL[,ACK]`.
    pub fn open(text: &str) -> Result<Control, Failure> {
        let (open, names): (fn(&str) -> io::Result<File>, &str) = match text.split_once(':') {
            Some(("fd", names)) => (descriptor, names),
            Some(("fifo", names)) => (fifo, names),
            _ => return Err(wrong(text, "it names neither descriptors nor FIFOs")),
        };
        let open = |name: &str| open(name).map_err(|e| wrong(text, &format!("{name}: {e}")));
        let (commands, answers) = match names.split_once(',') {
            Some((commands, answers)) => (commands, Some(open(answers)?)),
            None => (names, None),
        };
        Ok(Control { commands: open(commands)?, answers, begun: Vec::new(), is_at_end: false })
    }

    /// The file to wait for; `None` once all that will ever be in it was read.
    pub fn file(&self) -> Option<BorrowedFd<'_>> {
        (!self.is_at_end).then(|| self.commands.as_fd())
    }

    /// Reads what has come; each line is a command, or the text of a line that is not one.
    fn read(&mut self, readiness: Readiness) -> io::Result<Vec<Result<Command, String>>> {
        let mut bytes = [0; LONGEST];
        if readiness.ready {
            let length = self.commands.read(&mut bytes)?;
            self.begun.extend_from_slice(&bytes[..length]);
            self.is_at_end = length == 0;
        } else {
            self.is_at_end |= readiness.ended;
        }
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\0');
        if self.is_at_end || self.begun.len() > LONGEST {
            self.begun.push(b'\n');
        }
        let whole = self.begun.iter().rposition(is_end).map_or(0, |end| end + 1);
        let lines: Vec<u8> = self.begun.drain(..whole).collect();
        let lines =
            lines.split(is_end).map(|line| String::from_utf8_lossy(line).trim().to_string());
        Ok(lines.filter(|line| !line.is_empty()).map(command).collect())
    }

    /// Gives each command that has come to `on`, and acknowledges it; says on standard error what is not a command.
    pub fn obey(
        &mut self,
        readiness: Readiness,
        on: &mut dyn FnMut(Command) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for command in self.read(readiness)? {
            match command {
                Ok(command) => on(command)?,
                Err(text) => {
                    show::note(&format!("--control: {text}"));
                    continue;
                }
            }
            if let Err(error) = self.acknowledge() {
                show::note(&format!("--control: the answer cannot be written: {error}"));
            }
        }
        Ok(())
    }

    /// Writes that a command was obeyed.
    fn acknowledge(&mut self) -> io::Result<()> {
        let result = self.answers.as_mut().map_or(Ok(()), |answers| answers.write_all(b"ack\n"));
        if result.is_err() {
            self.answers = None;
        }
        result
    }
}

fn command(line: String) -> Result<Command, String> {
    let known = COMMANDS.iter().find(|(word, _)| *word == line).map(|(_, command)| *command);
    known.ok_or_else(|| {
        let words: Vec<&str> = COMMANDS.iter().map(|(word, _)| *word).collect();
        let one = line.split_whitespace().next().filter(|word| words.contains(word));
        match one {
            Some(word) => {
                format!("`{line}` has arguments; write `{word}`, which is for all events")
            }
            None => format!("`{line}` is not a command; the commands are {}", words.join(", ")),
        }
    })
}

fn descriptor(number: &str) -> io::Result<File> {
    let number = number
        .parse()
        .map_err(|_| io::Error::new(ErrorKind::InvalidInput, "not the number of a descriptor"))?;
    Ok(File::from(inherited_file(number)?))
}

/// It is opened for both directions, so that opening does not wait for the other end, which may come and go.
fn fifo(path: &str) -> io::Result<File> {
    if !std::fs::metadata(path)?.file_type().is_fifo() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a FIFO; mkfifo creates one"));
    }
    File::options().read(true).write(true).open(path)
}

fn wrong(text: &str, problem: &str) -> Failure {
    Failure::new(format!("--control {text}: {problem}"))
        .help("write fifo:CTL[,ACK] with FIFOs, or fd:CTL[,ACK] with descriptors that are open")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_or_the_text_says_why_not() {
        assert_eq!(command("ping".to_string()), Ok(Command::Ping));
        let text = command("enable cycles".to_string()).unwrap_err();
        assert_eq!(text, "`enable cycles` has arguments; write `enable`, which is for all events");
        let text = command("start".to_string()).unwrap_err();
        assert!(text.ends_with("the commands are enable, disable, evlist, ping, stop"), "{text}");
    }
}
