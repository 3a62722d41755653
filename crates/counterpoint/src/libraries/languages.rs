use counterpoint_definitions::{Library, Origin, PmuName, Syntax, metrics, papi};
use std::path::Path;

/// The languages of definition files; the first one that accepts a file reads it.
const LANGUAGES: &[Syntax] = &[
    #[cfg(feature = "json")]
    metrics::PERFMON,
    #[cfg(feature = "json")]
    metrics::PERF,
    metrics::LIKWID,
    metrics::TABLE,
    papi::SYNTAX,
];

/// The language of a file that none accepts.
const OTHERWISE: &Syntax = &papi::SYNTAX;

/// Reads the text of a definition file in any supported language; JSON needs the feature `json`.
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
    (syntax_of(path, text).read)(text, Origin::file(path))
}

/// Reads of a file in PAPI's language only the definitions for one of these PMUs, which takes a fraction of the time; files in
/// other languages are read whole.
///
/// [`Definitions::elsewhere`](counterpoint_definitions::Definitions::elsewhere) then does not find definitions for other PMUs.
///
/// ```
/// use counterpoint::read_definitions_for;
/// let text = "CPU,skx\nEVENT,FAULTS,NOT_DERIVED,page-faults\nCPU,zen4\nEVENT,TIME,NOT_DERIVED,task-clock\n";
/// let library = read_definitions_for("my.csv", text, &["skx".into()]);
/// assert_eq!(library.len(), 1);
/// ```
pub fn read_definitions_for(path: impl AsRef<Path>, text: &str, pmus: &[PmuName<'_>]) -> Library {
    let path = path.as_ref();
    let language = syntax_of(path, text);
    if language.name == papi::SYNTAX.name {
        return papi::read_for(text, Origin::file(path), pmus);
    }
    (language.read)(text, Origin::file(path))
}

/// The name of the language in which a definition file is written.
pub fn language(path: impl AsRef<Path>, text: &str) -> &'static str {
    syntax_of(path.as_ref(), text).name
}

fn syntax_of(path: &Path, text: &str) -> &'static Syntax {
    LANGUAGES.iter().find(|language| (language.accepts)(path, text)).unwrap_or(OTHERWISE)
}
