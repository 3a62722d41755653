//! The numbers of findings in all files.

use crate::show;
use counterpoint::definitions::{Diagnostic, Severity};
use std::io::Write;
use std::path::Path;

#[derive(Default)]
pub struct Counts {
    pub files: usize,
    pub definitions: usize,
    warnings: usize,
    errors: usize,
    refused: usize,
}

impl Counts {
    pub fn add(&mut self, diagnostic: &Diagnostic) {
        match diagnostic.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Info => {}
        }
    }

    /// A file with which nothing can be done.
    pub fn refuse(&mut self, path: &Path, why: &str) {
        _ = writeln!(show::stderr(), "counterpoint: {}: {why}", path.display());
        self.refused += 1;
    }

    pub fn exit_code(&self) -> u8 {
        if self.refused > 0 { 2 } else { u8::from(self.errors > 0) }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counts = [
            (self.files, "file"),
            (self.definitions, "definition"),
            (self.warnings, "warning"),
            (self.errors, "error"),
        ];
        let counts = counts.map(|(n, what)| format!("{n} {what}{}", if n == 1 { "" } else { "s" }));
        f.write_str(&counts.join(", "))
    }
}
