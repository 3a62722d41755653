//! likwid's groups: events on counters, and formulas over the counters.

use std::ops::Range;
use std::path::Path;

use counterpoint_formula::{Formula, Syntax as FormulaSyntax};

use super::reader::{Draft, Parsed, Place, Reader, SECONDS};
use crate::diagnostic::Code;
use crate::library::Library;
use crate::model::{Metric, Origin};
use crate::syntax::Syntax;

/// The group files of likwid, such as `groups/SPR/MEM.txt`.
///
/// A metric is named `GROUP:TITLE`, after the file and the line; the title contains the unit, because some differ by it only.
/// Its terms are likwid's names of events: bare for the counters of a core, and `box/EVENT/` for those of a box, such as `mbox0/CAS_COUNT_RD/`.
/// likwid's own inputs are `duration_time`, multiplied to be in seconds, `#inverseClock` (1 ÷ the nominal clock in Hz), `#num_packages` and `#num_numadomains`.
pub const SYNTAX: Syntax = Syntax { name: "likwid groups", accepts, read };

fn accepts(_: &Path, text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split_whitespace().next().unwrap_or_default());
    lines.any(|word| word == "EVENTSET")
}

/// A line, and where it begins.
type Line<'t> = (&'t str, usize);

#[derive(Clone, Copy, PartialEq)]
enum Section {
    Head,
    Events,
    Metrics,
    Long,
}

fn read(text: &str, origin: Origin) -> Library {
    let group = match &origin {
        Origin::File(path) => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        _ => None,
    };
    let mut group = Group {
        reader: Reader::new(text),
        name: group.unwrap_or_else(|| "group".to_owned()),
        short: "",
        long: String::new(),
        note: String::new(),
        counters: Vec::new(),
        metrics: Vec::new(),
    };
    group.lines();
    group.finish(origin)
}

struct Group<'t> {
    reader: Reader<'t>,
    name: String,
    short: &'t str,
    long: String,
    note: String,
    counters: Vec<Counter<'t>>,
    metrics: Vec<Line<'t>>,
}

/// An event on a counter.
struct Counter<'t> {
    /// The counter with its options, as formulas name it.
    name: &'t str,
    /// The event with its options.
    term: String,
}

impl<'t> Group<'t> {
    fn lines(&mut self) {
        let mut section = Section::Head;
        let mut start = 0;
        for whole in self.reader.text.split_inclusive('\n') {
            let line = whole.trim_end();
            let line: Line<'t> = (line.trim_start(), start + line.len() - line.trim_start().len());
            start += whole.len();
            let (word, rest) = split_word(line);
            match (section, word) {
                (Section::Long, _) => {
                    self.long.push_str(line.0);
                    self.long.push('\n');
                }
                (_, "LONG") => section = Section::Long,
                (_, "EVENTSET") => section = Section::Events,
                (_, "METRICS") => section = Section::Metrics,
                (_, "") => {}
                (_, comment) if comment.starts_with('#') => {}
                (Section::Head, "SHORT") => self.short = rest.0,
                (Section::Head, _) if word.starts_with("REQUIRE") => {
                    self.note = format!(
                        "{}{}{word}",
                        self.note,
                        if self.note.is_empty() { "" } else { ", " }
                    );
                }
                (Section::Head, _) => {
                    let message = format!("`{word}` is not a section of a group");
                    self.reader.report(Code::WrongShape, at(line), message);
                }
                (Section::Events, _) => self.counter(line),
                (Section::Metrics, _) => self.metrics.push(line),
            }
        }
    }

    fn counter(&mut self, line: Line<'t>) {
        let (name, (event, _)) = split_word(line);
        // A counter without an event is not programmed.
        let event = event.split_whitespace().next().unwrap_or_default();
        if event.is_empty() {
            let message = format!("the counter {name} has no event");
            return self.reader.report(Code::WrongShape, at(line), message);
        }
        self.counters.push(Counter { name, term: term(name, event) });
    }

    fn finish(mut self, origin: Origin) -> Library {
        let metrics = std::mem::take(&mut self.metrics);
        for line in metrics {
            self.metric(line);
        }
        self.reader.finish(origin)
    }

    /// Reads a metric: its title, a blank, and a formula without blanks.
    fn metric(&mut self, line: Line<'t>) -> Option<()> {
        let (text, start) = line;
        let Some((title, formula)) = split(text) else {
            let message = format!("`{text}` is a title without a formula");
            self.reader.report(Code::MissingFormula, at(line), message);
            return None;
        };
        let (title, start_of) = (title.trim_end(), start + text.len() - formula.len());
        // Options of counters contain characters that are operators elsewhere.
        let quoted = self.quoted(formula);
        let is_quoted = quoted != formula;
        let place = |range: Range<usize>| {
            if is_quoted {
                start_of..start_of + formula.len()
            } else {
                start_of + range.start..start_of + range.end
            }
        };
        let parsed = self.reader.formula(title, &quoted, FormulaSyntax::Infix, &place)?;
        let terms = self.terms(title, &parsed, &place)?;
        let named = |input: &str| {
            let found = parsed.inputs().zip(&terms).find(|(name, _)| *name == input);
            found.map(|(_, term)| term.clone()).unwrap_or_default()
        };
        let Some(value) = Parsed::new(&parsed, place, named) else {
            let message = format!("the formula of {title} is too large");
            self.reader.report(Code::TooLarge, at(line), message);
            return None;
        };
        let (bare, unit) = match title.strip_suffix(']').and_then(|title| title.rsplit_once('[')) {
            Some((bare, unit)) => (bare.trim_end(), unit),
            None => (title, ""),
        };
        self.reader.add(Draft {
            name: format!("{}:{title}", self.name),
            name_span: start..start + title.len(),
            value,
            metric: Metric {
                title: Some(bare.to_owned()),
                text: formula.to_owned(),
                groups: vec![self.name.clone()],
                ..Metric::default()
            },
            units: unit.to_owned(),
            short_description: self.short.to_owned(),
            long_description: self.long.trim().to_owned(),
            note: self.note.clone(),
            notation: "likwid",
            span: at(line),
            ..Draft::default()
        });
        Some(())
    }

    /// The terms for the inputs of the formula of a metric; a counter without an event is reported.
    fn terms(&mut self, title: &str, formula: &Formula, place: Place<'_>) -> Option<Vec<String>> {
        let mut terms = Vec::new();
        for (at, input) in formula.inputs().enumerate() {
            let Some(term) = self.input(input) else {
                let message = format!(
                    "the formula of {title} uses the counter {input}, which has no event in EVENTSET"
                );
                self.reader.report(Code::UnknownInput, place(formula.input_span(at)), message);
                return None;
            };
            terms.push(term);
        }
        Some(terms)
    }

    /// The formula with backquotes around counters with options.
    fn quoted(&self, formula: &str) -> String {
        let mut options: Vec<&str> = self.counters.iter().map(|counter| counter.name).collect();
        options.retain(|name| name.contains(':'));
        // A name may begin like another one.
        options.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let mut quoted = String::new();
        let mut rest = formula;
        while let Some(next) = rest.chars().next() {
            let found = options.iter().find(|name| rest.starts_with(**name));
            let found = found.filter(|_| !quoted.ends_with(|c: char| c.is_ascii_alphanumeric()));
            let len = match found {
                Some(name) => {
                    quoted.push_str(&format!("`{name}`"));
                    name.len()
                }
                None => {
                    quoted.push(next);
                    next.len_utf8()
                }
            };
            rest = &rest[len..];
        }
        quoted
    }

    /// The term for an input of a formula.
    fn input(&self, name: &str) -> Option<String> {
        let fact = match name {
            "time" => SECONDS,
            "inverseClock" => "#inverseClock",
            "num_sockets" => "#num_packages",
            "num_numadomains" => "#num_numadomains",
            _ => {
                let bare = |counter: &str| counter.split(':').next().map(str::to_owned);
                let exact = self.counters.iter().find(|counter| counter.name == name);
                let alike = || self.counters.iter().find(|c| bare(c.name).as_deref() == Some(name));
                return exact.or_else(alike).map(|counter| counter.term.clone());
            }
        };
        Some(fact.to_owned())
    }
}

/// The event of a counter: the counters of a core are only places, those of other boxes are boxes too.
///
/// likwid's options become modifiers of libpfm's strings where these have them.
fn term(counter: &str, event: &str) -> String {
    let mut options = counter.split(':');
    let place = options.next().unwrap_or_default();
    let mut parts = event.split(':');
    let mut term = parts.next().unwrap_or_default().to_owned();
    for option in options.chain(parts) {
        let (key, value) = option.split_once('=').unwrap_or((option, "1"));
        let key = match key {
            "EDGEDETECT" => "e",
            "INVERT" => "i",
            "THRESHOLD" => "c",
            "ANYTHREAD" => "t",
            "IN_TRANSACTION" => "intx",
            "IN_TRANSACTION_ABORTED" => "intxcp",
            "KERNEL" => {
                term.push_str(":k");
                continue;
            }
            other => other,
        };
        term.push_str(&format!(":{key}={value}"));
    }
    match box_of(place) {
        Some(named) => format!("{}/{term}/", named.to_ascii_lowercase()),
        None => term,
    }
}

/// The box of a counter, such as `MBOX0` of `MBOX0C1`; `None` for the counters of a core.
fn box_of(counter: &str) -> Option<&str> {
    let kind = counter.trim_end_matches(|c: char| c.is_ascii_digit());
    match kind {
        "PMC" | "FIXC" | "UPMC" | "PMUCOUNTER" => None,
        _ if kind.ends_with('C') && kind.len() > 1 => Some(kind.strip_suffix('C').unwrap_or(kind)),
        _ if counter.ends_with("FIX") => Some(counter.strip_suffix("FIX").unwrap_or(counter)),
        _ => Some(kind),
    }
}

/// The title and the formula of a metric: the last word, and the words before it as far as it closes their parentheses.
fn split(text: &str) -> Option<(&str, &str)> {
    let is_whole = |formula: &str| formula.matches('(').count() >= formula.matches(')').count();
    let blanks = text.char_indices().rev().filter(|(_, c)| c.is_whitespace());
    let mut halves = blanks.map(|(at, blank)| (&text[..at], &text[at + blank.len_utf8()..]));
    let last = halves.clone().next()?;
    Some(halves.find(|(_, formula)| is_whole(formula)).unwrap_or(last))
}

/// The first word of a line, and the rest.
fn split_word<'t>((line, start): Line<'t>) -> (&'t str, Line<'t>) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, (rest.trim_start(), start + line.len() - rest.trim_start().len()))
}

fn at((line, start): Line<'_>) -> Range<usize> {
    start..start + line.len()
}
