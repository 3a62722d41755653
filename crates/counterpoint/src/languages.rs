use counterpoint_definitions::{Library, Origin, Syntax, metrics, papi};
use std::path::Path;

/// The languages of definition files; the first one that accepts a file reads it.
const LANGUAGES: &[Syntax] =
    &[metrics::PERFMON, metrics::PERF, metrics::LIKWID, metrics::TABLE, papi::SYNTAX];

/// Reads the text of a definition file in any supported language.
///
/// ```
/// use counterpoint::{EventSet, Target, read_definitions};
/// let library = read_definitions("my.csv", "EVENT,FAULTS,NOT_DERIVED,page-faults\n");
/// let set = EventSet::new(Target::ThisThread).define(library).event("FAULTS");
/// assert_eq!(set.resolve()?.natives()[0].id.to_string(), "page-faults");
/// # Ok::<(), counterpoint::Error>(())
/// ```
pub fn read_definitions(path: impl AsRef<Path>, text: &str) -> Library {
    let path = path.as_ref();
    (of(path, text).read)(text, Origin::file(path))
}

/// The name of the language in which a definition file is written.
pub fn language(path: impl AsRef<Path>, text: &str) -> &'static str {
    of(path.as_ref(), text).name
}

fn of(path: &Path, text: &str) -> &'static Syntax {
    LANGUAGES.iter().find(|language| (language.accepts)(path, text)).unwrap_or(&papi::SYNTAX)
}
