use crate::{hints, show};
use std::borrow::Borrow;
use std::io::Write;
use std::process::ExitCode;

/// The reason why a command failed; reported on stderr, with exit status 2 by default.
pub struct Failure {
    pub text: String,
    pub help: Option<String>,
    pub code: u8,
}

impl Failure {
    pub fn new(text: impl Into<String>) -> Failure {
        Failure { text: text.into(), help: None, code: 2 }
    }

    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    pub fn code(mut self, code: u8) -> Failure {
        self.code = code;
        self
    }

    pub fn report(&self) -> ExitCode {
        let mut lines = String::new();
        if !self.text.is_empty() {
            lines += &format!("counterpoint: {}\n", show::printable_lines(&self.text));
        }
        if let Some(help) = &self.help {
            lines += &format!("  help: {}\n", show::printable_lines(help));
        }
        // In one call, so that the lines of several ranks do not mix.
        let _ = show::stderr().write_all(lines.as_bytes());
        ExitCode::from(self.code)
    }
}

/// Names that are like the one that was not found, or else where names are shown.
pub fn did_you_mean<S: Borrow<str>>(near: &[S], otherwise: &str) -> String {
    if near.is_empty() {
        otherwise.to_string()
    } else {
        format!("did you mean `{}`?", near.join("`, `"))
    }
}

impl From<counterpoint::Error> for Failure {
    fn from(error: counterpoint::Error) -> Failure {
        Failure { help: error.help().as_ref().map(hints::help), ..Failure::new(error.to_string()) }
    }
}

/// A reader that closes the pipe early, as `head` does, is not reported.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::new("").code(0),
            _ => Failure::new(error.to_string()),
        }
    }
}
