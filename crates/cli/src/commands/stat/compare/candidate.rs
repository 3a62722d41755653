//! The commands that are compared.

use super::super::args::StatArgs;
use crate::failure::Failure;
use crate::show;
use std::ffi::OsString;

pub struct Candidate {
    /// As it was written.
    pub title: String,
    pub words: Vec<OsString>,
}

/// Those of `--compare`, or the one after the options.
pub fn all(args: &StatArgs) -> Result<Vec<Candidate>, Failure> {
    if !args.command.is_empty() {
        let words: Vec<_> = args.command.iter().map(|word| word.to_string_lossy()).collect();
        return Ok(vec![Candidate { title: words.join(" "), words: args.command.clone() }]);
    }
    args.compare.compare.iter().map(|text| Candidate::new(text)).collect()
}

impl Candidate {
    /// Splits the text into words as a shell does, or lets `sh` run what only a shell can do.
    fn new(text: &str) -> Result<Candidate, Failure> {
        let words = shell_words::split(text)
            .map_err(|_| Failure::new(format!("`{text}`: a quotation mark is not closed")))?;
        let Some(first) = words.first() else {
            return Err(Failure::new("--compare has an empty command"));
        };
        let words = match text.contains(|c| "|&;<>()$`*?[~\n".contains(c)) || first.contains('=') {
            true => {
                show::note(&format!("`{text}` is run by sh, which is counted with it"));
                ["sh", "-c", text].map(OsString::from).to_vec()
            }
            false => words.into_iter().map(OsString::from).collect(),
        };
        Ok(Candidate { title: text.to_string(), words })
    }
}
