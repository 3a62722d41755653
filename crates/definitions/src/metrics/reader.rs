//! The work that the readers of all languages of metrics have in common.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use counterpoint_formula::{Formula, Limits, Syntax};

use super::scale::scale;
use crate::diagnostic::{Code, Diagnostic};
use crate::library::Library;
use crate::model::{Entry, Metric, NamedPmu, Origin, Term, Threshold};

/// Collects the metrics of a text, and the findings about them.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    metrics: Vec<Draft>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The places where the lines of the text begin.
    lines: Vec<usize>,
}

/// A metric as it is read.
#[derive(Default)]
pub(super) struct Draft {
    /// The PMUs to which it applies; every PMU if there are none.
    pub(super) pmus: Vec<NamedPmu>,
    pub(super) name: String,
    pub(super) name_span: Range<usize>,
    pub(super) value: Parsed,
    pub(super) metric: Metric,
    pub(super) units: String,
    pub(super) short_description: String,
    pub(super) long_description: String,
    pub(super) note: String,
    pub(super) notation: &'static str,
    pub(super) span: Range<usize>,
}

/// A formula over `N0`, `N1`, …, and what these stand for.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) formula: Option<Arc<Formula>>,
    pub(super) terms: Vec<(String, Range<usize>)>,
}

/// Converts a range of a formula's text to one of the file.
pub(super) type Place<'p> = &'p dyn Fn(Range<usize>) -> Range<usize>;

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Reader { text, metrics: Vec::new(), diagnostics: Vec::new(), lines }
    }

    pub(super) fn report(&mut self, code: Code, span: Range<usize>, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::new(code, span, message));
    }

    /// Reads the formula of a metric; a mistake is reported, and costs the metric.
    pub(super) fn formula(
        &mut self,
        name: &str,
        text: &str,
        syntax: Syntax,
        place: Place<'_>,
    ) -> Option<Formula> {
        match Formula::parse(text, syntax) {
            Ok(formula) => {
                for warning in formula.warnings() {
                    self.report(Code::PassedOver, place(warning.span.clone()), warning.to_string());
                }
                Some(formula)
            }
            Err(error) => {
                let message = format!("the formula of {name} cannot be read: {error}");
                self.report(Code::BadFormula, place(error.span), message);
                None
            }
        }
    }

    /// Reads a threshold; a mistake is reported, and costs the threshold only.
    pub(super) fn threshold(
        &mut self,
        name: &str,
        text: &str,
        syntax: Syntax,
        place: Place<'_>,
    ) -> Option<Threshold> {
        match Formula::parse(text, syntax) {
            Ok(formula) => Some(Threshold { text: text.to_owned(), formula }),
            Err(error) => {
                let message = format!("the threshold of {name} cannot be read: {error}");
                self.report(Code::BadThreshold, place(error.span), message);
                None
            }
        }
    }

    /// Reads the factor and the unit of a metric.
    pub(super) fn scale(&mut self, metric: &mut Metric, text: &str, span: Range<usize>) -> String {
        let Some((factor, unit)) = scale(text) else {
            let message = format!("`{text}` does not begin with a number");
            self.report(Code::BadScale, span, message);
            return text.to_owned();
        };
        metric.factor = factor;
        unit.to_owned()
    }

    pub(super) fn add(&mut self, draft: Draft) {
        self.metrics.push(draft);
    }

    /// The library of the metrics; those of one PMU are one block.
    pub(super) fn finish(mut self, origin: Origin) -> Library {
        let mut builder = Library::builder(origin);
        let metrics = std::mem::take(&mut self.metrics);
        let key = |draft: &Draft| -> Vec<String> {
            draft.pmus.iter().map(|pmu| pmu.name.to_ascii_uppercase()).collect()
        };
        let mut blocks: Vec<(Vec<String>, Vec<Draft>)> = vec![(Vec::new(), Vec::new())];
        let mut places: HashMap<Vec<String>, usize> = HashMap::from([(Vec::new(), 0)]);
        for draft in metrics {
            let key = key(&draft);
            let place = *places.entry(key.clone()).or_insert(blocks.len());
            if place == blocks.len() {
                blocks.push((key, Vec::new()));
            }
            blocks[place].1.push(draft);
        }
        for (key, drafts) in blocks {
            if let Some(first) = drafts.first().filter(|_| !key.is_empty()) {
                builder.block(first.pmus.clone());
            }
            self.check_names(&drafts);
            for draft in drafts {
                let terms = draft.value.terms.iter();
                let terms: Vec<Term<'_>> =
                    terms.map(|(name, span)| Term { name, span: span.clone() }).collect();
                builder.define(&Entry {
                    name: &draft.name,
                    name_span: draft.name_span,
                    terms: &terms,
                    formula: draft.value.formula,
                    notation: draft.notation,
                    long_description: &draft.long_description,
                    short_description: &draft.short_description,
                    note: &draft.note,
                    units: &draft.units,
                    metric: Some(Arc::new(draft.metric)),
                    line: self.line(draft.span.start),
                    span: draft.span,
                    ..Entry::default()
                });
            }
        }
        self.diagnostics.sort_by_key(|finding| finding.span.start);
        builder.finish(self.diagnostics)
    }

    /// Reports names that are defined more than once for the same PMUs.
    fn check_names(&mut self, drafts: &[Draft]) {
        let mut seen = HashSet::new();
        for draft in drafts {
            if !seen.insert(draft.name.to_ascii_lowercase()) {
                let message =
                    format!("{} is defined twice; the later definition is used", draft.name);
                self.report(Code::DefinedTwice, draft.name_span.clone(), message);
            }
        }
    }

    /// The number of the line of an offset, counted from 1.
    fn line(&self, offset: usize) -> u32 {
        self.lines.partition_point(|start| *start <= offset) as u32
    }
}

impl Parsed {
    /// A formula with its inputs as terms, each under the name that `name` returns for it; `place` is where an input is.
    ///
    /// Names of times and numbers, which no machine has, are replaced by what they stand for: see [`meaning`].
    /// `None` if the formula is too large then.
    pub(super) fn new(
        formula: &Formula,
        place: impl Fn(Range<usize>) -> Range<usize>,
        name: impl Fn(&str) -> String,
    ) -> Option<Parsed> {
        let names: Vec<String> = formula.inputs().map(&name).collect();
        let replaced: Vec<Option<Formula>> = names.iter().map(|name| meaning(name)).collect();
        let whole = if replaced.iter().any(Option::is_some) {
            let named = formula.rename_inputs(&name);
            let meaning =
                |input: &str| replaced[names.iter().position(|name| name == input)?].as_ref();
            Cow::Owned(named.substitute_all(&Limits::default(), meaning).ok()?)
        } else if names.iter().zip(formula.inputs()).all(|(name, input)| name == input) {
            Cow::Borrowed(formula)
        } else {
            Cow::Owned(formula.rename_inputs(&name))
        };
        let inputs: Vec<&str> = whole.inputs().collect();
        let span = |input: &&str| {
            let same = names.iter().position(|name| name == input);
            let other = || replaced.iter().position(Option::is_some);
            let at = same.or_else(other).map_or(0..0, |at| formula.input_span(at));
            ((*input).to_owned(), place(at))
        };
        let terms = inputs.iter().map(span).collect();
        let number = |input: &str| {
            let at = inputs.iter().position(|known| *known == input).unwrap_or_default();
            format!("N{at}")
        };
        Some(Parsed { formula: Some(Arc::new(whole.rename_inputs(number))), terms })
    }
}

/// perf and likwid compute with elapsed time in seconds, intel/perfmon also in milliseconds; it is counted in nanoseconds.
pub(super) const SECONDS: &str = "#seconds";
pub(super) const MILLISECONDS: &str = "#milliseconds";
pub(super) const USER_SECONDS: &str = "#user_seconds";
pub(super) const SYSTEM_SECONDS: &str = "#system_seconds";
/// The units of the registers in which Intel's processors count energy.
pub(super) const PACKAGE_ENERGY: &str = "#package_energy";
pub(super) const MEMORY_ENERGY: &str = "#memory_energy";

/// The meaning of a name that is neither an event nor a fact of the machine: a time or an energy in another unit, or a number after `#`.
fn meaning(name: &str) -> Option<Formula> {
    let text = match name.strip_prefix('#')? {
        "seconds" => "duration_time * 1e-9",
        "milliseconds" => "duration_time * 1e-6",
        "user_seconds" => "user_time * 1e-9",
        "system_seconds" => "system_time * 1e-9",
        // Intel's formulas multiply by 61 and 15.6 millionths of a joule; the kernel's events are in joules.
        "package_energy" => "`power/energy-pkg/` * 1000000 / 61",
        "memory_energy" => "`power/energy-ram/` * 1000000 / 15.6",
        number if number.parse::<f64>().is_ok_and(f64::is_finite) => number,
        _ => return None,
    };
    text.parse().ok()
}

/// A PMU that is named in a text.
pub(super) fn named(name: &str, span: Range<usize>) -> NamedPmu {
    NamedPmu {
        name: name.to_owned(),
        number: crate::model::PmuNumber::Any,
        number_span: span.end..span.end,
        span,
    }
}

/// The words of a list that is separated by `;` or `,`.
pub(super) fn words(list: &str) -> Vec<String> {
    let words = list.split([';', ',']).map(str::trim);
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
