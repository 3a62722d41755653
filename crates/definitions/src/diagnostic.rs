//! What a reader of a file is told.

use std::fmt;
use std::ops::Range;

/// One finding in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Which finding it is; [`explain`] has a page about it.
    pub code: Code,
    /// The index of the library among those given to [`link`](crate::link); 0 from a reader of one file.
    pub file: usize,
    /// The bytes of the file it is about; empty at a place where something is missing.
    pub span: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(code: Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: code.severity(),
            code,
            file: 0,
            span,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong, but the reader may not expect it.
    Info,
    /// It is read, perhaps not as it was meant.
    Warning,
    /// It cannot be read or computed.
    Error,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The line and the column of a byte of a text, both from 1, the column in bytes.
///
/// ```
/// assert_eq!(counterpoint_definitions::line_column("CPU,skx\nEVENT,X\n", 15), (2, 8));
/// ```
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let before = &source.as_bytes()[..offset.min(source.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (1 + before.iter().filter(|&&byte| byte == b'\n').count(), 1 + before.len() - start)
}

/// The page about a code, in Markdown; `None` for a code that does not exist.
///
/// ```
/// use counterpoint_definitions::explain;
///
/// assert!(explain("unknown-type").is_some_and(|page| page.starts_with("# unknown-type")));
/// assert_eq!(explain("no-such-code"), None);
/// ```
pub fn explain(code: &str) -> Option<&'static str> {
    Code::ALL.iter().find(|known| known.name() == code).map(|code| code.page())
}

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $what:literal,)*) => {
        /// Which finding a diagnostic is; the names do not change from one version to the next.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: ", $what)] $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The name to give to [`explain`].
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The page about it.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("../codes/", $name, ".md")),)* }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    UnknownKeyword "unknown-keyword" Error "a line begins with none of CPU, PRESET and EVENT",
    NotUtf8 "not-utf8" Error "a line is not valid UTF-8",
    EmptyField "empty-field" Warning "nothing stands between two commas",
    MissingCpuName "missing-cpu-name" Error "a CPU line names no PMU",
    BadCpuNumber "bad-cpu-number" Error "the third field of a CPU line is no number",
    UnexpectedField "unexpected-field" Error "a line has a field that means nothing there",
    BeforeCpu "before-cpu" Warning "a definition stands before any CPU line",
    MissingName "missing-name" Error "a definition has no name",
    NameWithBlank "name-with-blank" Warning "the name of an event holds a blank",
    MissingType "missing-type" Error "a definition has no derived type",
    UnknownType "unknown-type" Error "a derived type does not exist",
    MissingFormula "missing-formula" Error "a definition of a formula type has no formula",
    BadFormula "bad-formula" Error "a formula cannot be read",
    UnknownInput "unknown-input" Error "a formula names something that is no term",
    MissingTerm "missing-term" Error "a definition names no event",
    TooFewTerms "too-few-terms" Error "a derived type needs more terms",
    OneTerm "one-term" Warning "a sum or difference has one term",
    FirstTermOnly "first-term-only" Warning "a definition has terms that its value does not use",
    UnusedTerm "unused-term" Warning "a formula does not use a term",
    RepeatedTerm "repeated-term" Info "a sum counts a term twice",
    JoinedLines "joined-lines" Error "two lines have no line end between them",
    TrailingComment "trailing-comment" Error "a comment stands at the end of a line",
    UnclosedQuote "unclosed-quote" Error "a quote is never closed",
    QuoteRunsOn "quote-runs-on" Warning "a quote takes in another one",
    TextAfterQuote "text-after-quote" Error "something follows a closing quote",
    MissingText "missing-text" Warning "a key has no text",
    RepeatedText "repeated-text" Warning "a key is given twice",
    UnknownKey "unknown-key" Warning "a key does not exist",
    DefinedTwice "defined-twice" Warning "a name is defined twice in a block",
    Redefined "redefined" Warning "a later block or file defines a name again",
    Cycle "cycle" Error "a definition is made of itself",
    TooLarge "too-large" Error "a definition grows too large when its terms are put in",
    NotCycles "not-cycles" Warning "the first term of DERIVED_PS is not the cycles of the PMU",
    UnknownPmu "unknown-pmu" Warning "a CPU line names a PMU that is in no table",
    WrongCpuNumber "wrong-cpu-number" Warning "a CPU line has the number of another PMU",
    UnknownEvent "unknown-event" Error "a term is neither a definition nor an event of the PMU",
    HidesEvent "hides-event" Warning "a definition has the name of an event",
    PapiByteOrderMark "papi-byte-order-mark" Warning "PAPI ignores a file that begins with a byte order mark",
    PapiCarriageReturn "papi-carriage-return" Warning "PAPI ignores a file whose lines end in CR LF",
    PapiLongLine "papi-long-line" Warning "PAPI cuts a long line in two",
    PapiStops "papi-stops" Warning "PAPI stops reading at a line that begins with an unknown word",
    PapiUserEvents "papi-user-events" Warning "PAPI takes 50 user events",
    PapiTerms "papi-terms" Warning "PAPI takes 12 terms",
    PapiLongText "papi-long-text" Warning "PAPI cuts a long text",
    PapiComma "papi-comma" Warning "PAPI ends a text at a comma between quotes",
    PapiEmptyText "papi-empty-text" Warning "PAPI reads no text after an empty one",
    PapiPunctuation "papi-punctuation" Warning "PAPI takes a pair of characters around a text away",
    PapiQuotedField "papi-quoted-field" Warning "PAPI knows no quotes around names, terms and formulas",
    PapiUnits "papi-units" Warning "PAPI does not know UNITS",
    PapiForward "papi-forward" Warning "PAPI knows only definitions that stand before a line",
    PapiNested "papi-nested" Warning "PAPI computes nested definitions wrongly",
    PapiFormulaBlank "papi-formula-blank" Warning "PAPI stops at a blank in a formula",
    PapiSign "papi-sign" Warning "PAPI aborts on a sign before a value",
    PapiNumber "papi-number" Warning "PAPI reads whole numbers only",
    PapiConstant "papi-constant" Warning "PAPI keeps 32 bits of a constant",
    PapiOperator "papi-operator" Warning "PAPI cannot compute % and ^",
    PapiFunction "papi-function" Warning "PAPI has no functions",
    PapiGrouping "papi-grouping" Warning "PAPI groups operators of one rank from the right",
    PapiStack "papi-stack" Warning "PAPI has room for 12 values",
}
