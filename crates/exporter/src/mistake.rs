//! Mistakes in the configuration, with their places.

use std::fmt;

/// A place in the file, counted from 1; both numbers are 0 for what is not in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// A mistake in the configuration: its place, what is wrong, and what to write instead.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// Its place.
    pub place: Place,
    /// The problem.
    pub text: String,
    /// The text to write instead.
    pub help: Option<String>,
}

/// The sentence and its help, as a `main` that returns the error prints them; `{:#?}` has the fields.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("ConfigError")
                .field("place", &self.place)
                .field("text", &self.text)
                .field("help", &self.help)
                .finish();
        }
        match &self.help {
            Some(help) => write!(f, "{self}\n  help: {help}"),
            None => fmt::Display::fmt(self, f),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place { line: 0, .. } => f.write_str(&self.text),
            Place { line, column } => write!(f, "{line}:{column}: {}", self.text),
        }
    }
}

impl std::error::Error for ConfigError {}

impl ConfigError {
    pub(crate) fn new(place: Place, text: impl Into<String>) -> ConfigError {
        ConfigError { place, text: text.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> ConfigError {
        self.help = Some(help.into());
        self
    }
}
