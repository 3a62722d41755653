//! The words of `counterpoint list WORDS…`.

use crate::failure::Failure;
use counterpoint::events::without_component;

/// The words that all must be found.
pub struct Wanted {
    pub words: Vec<String>,
}

impl Wanted {
    /// Names are searched as they are listed, without the prefix of PAPI or libpfm for the kernel's events.
    pub fn new(words: &[String]) -> Result<Wanted, Failure> {
        let words = words.iter().flat_map(|word| word.split_whitespace());
        let listed = |word| {
            let plain = without_component(word).map_err(|e| Failure::from(e).code(1))?;
            let plain = plain.to_lowercase();
            Ok(plain.strip_prefix("perf::").unwrap_or(&plain).to_string())
        };
        let mut words: Vec<String> = words.map(listed).collect::<Result<_, Failure>>()?;
        // A component alone asks for everything.
        words.retain(|word| !word.is_empty());
        Ok(Wanted { words })
    }

    pub fn is_all(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns true if a text, whatever its case, holds all words.
    pub fn matches(&self, text: &str) -> bool {
        if self.is_all() {
            return true;
        }
        let text = text.to_lowercase();
        self.words.iter().all(|word| text.contains(word))
    }
}
