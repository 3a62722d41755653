//! This project's own language of metrics: a text of one line for each fact, which a diff shows well.
//!
//! ```text
//! # The PMUs to which the metrics that follow apply; without such a line, or after `pmu *`, every PMU.
//! pmu skx clx
//!
//! metric ipc
//!   formula   INST_RETIRED:ANY_P / CPU_CLK_UNHALTED:THREAD_P
//!   unit      instructions per cycle
//!   group     summary
//!   threshold ipc < 0.5
//!   about     Instructions retired in each cycle.
//! ```

use std::ops::Range;
use std::path::Path;

use counterpoint_formula::Syntax as FormulaSyntax;

use super::reader::{Draft, Parsed, Reader, named};
use crate::diagnostic::Code;
use crate::library::Library;
use crate::model::{Constraint, Metric, NamedPmu, Origin};
use crate::syntax::Syntax;

/// This project's own language: `pmu`, `metric`, and for each metric `formula`, `unit`, `group`, `parent`, `threshold`, `sample`, `constraint`, `title`, `about` and `note`.
///
/// Formulas and thresholds are infix text.
pub const SYNTAX: Syntax = Syntax { name: "metric tables", accepts, read };

fn accepts(_: &Path, text: &str) -> bool {
    let mut words = text.lines().map(|line| line.split_whitespace().next().unwrap_or_default());
    let first = words.find(|word| !word.is_empty() && !word.starts_with('#'));
    matches!(first, Some("metric" | "pmu"))
}

fn read(text: &str, origin: Origin) -> Library {
    let mut table = Table { reader: Reader::new(text), pmus: Vec::new(), open: None };
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        let at = start + whole.len() - whole.trim_start().len();
        start += whole.len();
        if !line.is_empty() && !line.starts_with('#') {
            table.line(line, at..at + line.len());
        }
    }
    table.close();
    table.reader.finish(origin)
}

struct Table<'t> {
    reader: Reader<'t>,
    /// The PMUs of the metrics that follow.
    pmus: Vec<NamedPmu>,
    open: Option<Draft>,
}

impl Table<'_> {
    fn line(&mut self, line: &str, span: Range<usize>) {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        let place = span.end - rest.len()..span.end;
        match (key, &mut self.open) {
            ("pmu", _) => {
                self.close();
                let words = rest.split_whitespace().filter(|word| *word != "*");
                self.pmus = words.map(|word| named(word, place.clone())).collect();
            }
            ("metric", _) if rest.is_empty() => {
                self.close();
                self.reader.report(Code::MissingName, span, "a metric has no name");
            }
            ("metric", _) => {
                self.close();
                self.open = Some(Draft {
                    pmus: self.pmus.clone(),
                    name: rest.to_owned(),
                    name_span: place,
                    notation: "metric",
                    span,
                    ..Draft::default()
                });
            }
            (_, None) => {
                let message = format!("`{key}` comes before any `metric`");
                self.reader.report(Code::WrongShape, span, message);
            }
            (_, Some(draft)) => {
                draft.span.end = span.end;
                fact(&mut self.reader, draft, (key, rest), place, span);
            }
        }
    }

    /// Ends the open metric; it is left out if it has no formula.
    fn close(&mut self) {
        let Some(draft) = self.open.take() else { return };
        if draft.value.formula.is_some() {
            return self.reader.add(draft);
        }
        if draft.metric.text.is_empty() {
            let message = format!("the metric {} has no formula", draft.name);
            self.reader.report(Code::MissingFormula, draft.name_span, message);
        }
    }
}

/// One fact of a metric.
///
/// `place` is the place of the text after the key, and `line` that of both.
fn fact(
    reader: &mut Reader<'_>,
    draft: &mut Draft,
    (key, text): (&str, &str),
    place: Range<usize>,
    line: Range<usize>,
) {
    let at = |range: Range<usize>| place.start + range.start..place.start + range.end;
    let metric: &mut Metric = &mut draft.metric;
    match key {
        "formula" => {
            metric.text = text.to_owned();
            if let Some(formula) = reader.formula(&draft.name, text, FormulaSyntax::Infix, &at) {
                draft.value = Parsed::new(&formula, at, str::to_owned).unwrap_or_default();
            }
        }
        "unit" => draft.units = reader.scale(metric, text, place),
        "group" => metric.groups.extend(text.split_whitespace().map(str::to_owned)),
        "parent" => metric.parent = Some(text.to_owned()),
        "threshold" => {
            metric.threshold = reader.threshold(&draft.name, text, FormulaSyntax::Infix, &at);
        }
        "sample" => metric.samples.extend(text.split_whitespace().map(str::to_owned)),
        "title" => metric.title = Some(text.to_owned()),
        "about" => draft.short_description = text.to_owned(),
        "note" => draft.note = text.to_owned(),
        "constraint" => match text {
            "no-group" => metric.constraint = Constraint::NoGroup,
            "no-group-with-nmi" => metric.constraint = Constraint::NoGroupNmi,
            "no-group-with-smt" => metric.constraint = Constraint::NoGroupSmt,
            _ => {
                let message = format!("`{text}` is not a restriction on grouping");
                reader.report(Code::UnknownConstraint, place, message);
            }
        },
        _ => {
            let message = format!("`{key}` is not a fact of a metric");
            reader.report(Code::UnknownKey, line, message);
        }
    }
}
