//! The findings that are reported about a file of definitions.

use std::fmt;
use std::ops::Range;

/// One finding in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity of the finding.
    pub severity: Severity,
    /// The kind of the finding; [`explain`] returns a page about it.
    pub code: Code,
    /// The index of the library among those given to [`link`](crate::link); 0 if a single file is read.
    pub file: usize,
    /// The bytes of the file that the finding is about; empty where something is missing.
    pub span: Range<usize>,
    /// One sentence without a full stop.
    pub message: String,
    /// A suggested correction.
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

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is wrong, but the result may be unexpected.
    Info,
    /// The text can be read, but perhaps not as its author intended.
    Warning,
    /// The text cannot be read, or the definition cannot be computed.
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

/// The line and column of a byte offset in a text, both counted from 1; columns are counted in bytes.
///
/// ```
/// assert_eq!(counterpoint_definitions::line_column("CPU,skx\nEVENT,X\n", 15), (2, 8));
/// ```
pub fn line_column(source: &str, offset: usize) -> (usize, usize) {
    let before = &source.as_bytes()[..offset.min(source.len())];
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (1 + before.iter().filter(|&&byte| byte == b'\n').count(), 1 + before.len() - start)
}

/// The page about a code, in Markdown; `None` if there is no such code.
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
        /// The kind of a finding; the names are stable across versions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: ", $what)] $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The name of the code, as [`explain`] takes it.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The page that explains the code, in Markdown.
            pub fn page(self) -> &'static str {
                match self { $(Code::$variant => include_str!(concat!("../codes/", $name, ".md")),)* }
            }

            /// The severity of the findings with this code.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    UnknownKeyword "unknown-keyword" Error "a line does not begin with CPU, PRESET or EVENT",
    NotUtf8 "not-utf8" Error "a line is not valid UTF-8",
    EmptyField "empty-field" Warning "a field is empty",
    MissingCpuName "missing-cpu-name" Error "a CPU line does not name a PMU",
    BadCpuNumber "bad-cpu-number" Error "the third field of a CPU line is not a number",
    UnexpectedField "unexpected-field" Error "a line has a field that does not belong there",
    BeforeCpu "before-cpu" Warning "a definition comes before any CPU line",
    MissingName "missing-name" Error "a definition has no name",
    NameWithBlank "name-with-blank" Warning "the name of an event contains a blank",
    MissingType "missing-type" Error "a definition has no derived type",
    UnknownType "unknown-type" Error "the derived type does not exist",
    MissingFormula "missing-formula" Error "a definition of a formula type has no formula",
    BadFormula "bad-formula" Error "a formula cannot be read",
    UnknownInput "unknown-input" Error "a formula uses a name that is not a term",
    MissingTerm "missing-term" Error "a definition has no events",
    TooFewTerms "too-few-terms" Error "a derived type needs more terms",
    OneTerm "one-term" Warning "a sum or difference has one term",
    FirstTermOnly "first-term-only" Warning "a definition has terms that its value does not use",
    UnusedTerm "unused-term" Warning "a formula does not use a term",
    RepeatedTerm "repeated-term" Info "a sum counts a term twice",
    JoinedLines "joined-lines" Error "the line break between two lines is missing",
    TrailingComment "trailing-comment" Error "a line ends in a comment",
    UnclosedQuote "unclosed-quote" Error "a quote is not closed",
    QuoteRunsOn "quote-runs-on" Warning "a quoted text contains another quote",
    TextAfterQuote "text-after-quote" Error "text follows a closing quote",
    MissingText "missing-text" Warning "a key has no text",
    RepeatedText "repeated-text" Warning "a key is given more than once",
    UnknownKey "unknown-key" Warning "a key does not exist",
    DefinedTwice "defined-twice" Warning "a name is defined twice in a block",
    Redefined "redefined" Warning "a later block or file redefines a name",
    Cycle "cycle" Error "a definition is defined in terms of itself",
    TooLarge "too-large" Error "a definition is too large once the definitions of its terms are substituted",
    NotCycles "not-cycles" Warning "the first term of DERIVED_PS is not the cycles of the PMU",
    UnknownPmu "unknown-pmu" Warning "a CPU line names a PMU that is not in the tables",
    WrongCpuNumber "wrong-cpu-number" Warning "a CPU line has the number of another PMU",
    UnknownEvent "unknown-event" Error "a term is neither a definition nor an event of the PMU",
    NoDefinition "no-definition" Warning "a file defines nothing",
    HidesEvent "hides-event" Warning "a definition has the name of an event",
    BadJson "bad-json" Error "a file is not valid JSON",
    WrongShape "wrong-shape" Error "a part of a file is not of the expected kind",
    BadScale "bad-scale" Warning "the factor of a unit is not a number",
    BadThreshold "bad-threshold" Warning "a threshold cannot be read",
    UnknownConstraint "unknown-constraint" Warning "a restriction on the grouping of events does not exist",
    PassedOver "passed-over" Warning "a character of a formula has no meaning",
    PapiByteOrderMark "papi-byte-order-mark" Warning "PAPI ignores a file that begins with a byte order mark",
    PapiCarriageReturn "papi-carriage-return" Warning "PAPI ignores a file whose lines end in CR LF",
    PapiLongLine "papi-long-line" Warning "PAPI cuts a long line in two",
    PapiStops "papi-stops" Warning "PAPI stops reading at a line that begins with an unknown word",
    PapiUserEvents "papi-user-events" Warning "PAPI accepts at most 50 user events",
    PapiTerms "papi-terms" Warning "PAPI reads at most 12 terms",
    PapiLongText "papi-long-text" Warning "PAPI cuts a long text",
    PapiLongName "papi-long-name" Warning "PAPI cuts a long name",
    PapiHiddenName "papi-hidden-name" Warning "PAPI finds a preset first, and not the definition of the same name",
    PapiComma "papi-comma" Warning "PAPI ends a text at a comma between quotes",
    PapiEmptyText "papi-empty-text" Warning "PAPI ignores all texts after an empty one",
    PapiPunctuation "papi-punctuation" Warning "PAPI removes a pair of characters around a text",
    PapiQuotedField "papi-quoted-field" Warning "PAPI does not support quotes around names, terms and formulas",
    PapiUnits "papi-units" Warning "PAPI does not support UNITS",
    PapiForward "papi-forward" Warning "PAPI uses only definitions from earlier lines",
    PapiNested "papi-nested" Warning "PAPI computes nested definitions incorrectly",
    PapiFormulaBlank "papi-formula-blank" Warning "PAPI stops at a blank in a formula",
    PapiSign "papi-sign" Warning "PAPI aborts on a sign before a value",
    PapiNumber "papi-number" Warning "PAPI reads only whole numbers",
    PapiConstant "papi-constant" Warning "PAPI keeps only 32 bits of a constant",
    PapiWholeNumber "papi-whole-number" Info "PAPI cuts a value to a whole number",
    PapiOperator "papi-operator" Warning "PAPI cannot compute % and ^",
    PapiFunction "papi-function" Warning "PAPI does not support functions",
    PapiGrouping "papi-grouping" Warning "PAPI groups operators of equal precedence from the right",
    PapiStack "papi-stack" Warning "PAPI can hold at most 12 values",
}
