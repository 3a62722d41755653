use super::{Catalog, Code, Diagnostic, Formula as Record, Links, Section, names};
use crate::formula::{EvalError, Formula, Number, ParseError, Syntax};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A [`Catalog`] whose formulas can be computed.
pub trait WithMetrics {
    /// The formulas of the catalog, resolved; `rem` and `x^y` as the catalog document's table has them, to the letter.
    fn metrics(&self) -> Metrics<'_>;
    /// The same in another reading of the formulas' text.
    fn metrics_as(&self, syntax: Syntax) -> Metrics<'_>;
}

impl WithMetrics for Catalog {
    fn metrics(&self) -> Metrics<'_> {
        self.metrics_as(Syntax::RPN_24X7)
    }

    fn metrics_as(&self, syntax: Syntax) -> Metrics<'_> {
        Metrics::new(self, syntax)
    }
}

/// The formulas of a catalog with what their names stand for.
///
/// A name is, first that fits, one of `delta-timebase`, `delta-cycles`, `delta-instructions` and `delta-seconds`, an event, a formula, or a symbol whose value the user has.
#[derive(Clone, Debug)]
pub struct Metrics<'c> {
    catalog: &'c Catalog,
    list: Vec<Metric>,
    /// Formulas before those that use them, but for circles.
    order: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

/// One formula of a catalog.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its name; what is not ASCII is spelled.
    pub name: String,
    /// The unit of its value, if it has one.
    pub unit: Option<String>,
    /// The formula, or why its text cannot be read.
    pub formula: Result<Formula, MetricError>,
    /// What it computes with, in the order of [`Formula::inputs`].
    pub operands: Vec<Operand>,
}

/// A name in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub source: Source,
    /// Where it first stands in the formula's text.
    pub span: Range<usize>,
}

/// What a name in a formula stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The event at this place of the catalog, summed over chips or cores.
    Event(usize),
    /// The formula at this place of the catalog.
    Formula(usize),
    /// What passed between two readings: `delta-timebase`, `delta-cycles`, `delta-instructions` or `delta-seconds`.
    Elapsed,
    /// Something that the catalog does not know, such as a bus frequency.
    Symbol,
}

/// The value of a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricValue {
    /// The number; of a division by zero and the like, what IEEE 754 makes of it.
    pub number: Number,
    /// Which operation has no real value, if one has none.
    pub note: Option<EvalError>,
}

/// Why a formula has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Its text could not be read from the catalog, or is not ASCII.
    #[error("the formula has no text that can be read")]
    NoText,
    /// Its text is no formula.
    #[error("{0}")]
    Syntax(ParseError),
    /// It uses itself; the names lead from it back to it.
    #[error("the formula uses itself: {}", .0.join(" -> "))]
    Cycle(Vec<String>),
    /// A name has no value.
    #[error("`{name}` has no value")]
    Missing {
        /// The name.
        name: String,
        /// Where it first stands in the formula's text.
        span: Range<usize>,
    },
}

impl<'c> Metrics<'c> {
    fn new(catalog: &'c Catalog, syntax: Syntax) -> Metrics<'c> {
        let resolver = Resolver::new(catalog);
        let mut list = Vec::with_capacity(catalog.formulas.len());
        let mut findings =
            Findings { offsets: catalog.offsets(Section::Formula), list: Vec::new(), more: 0 };
        for (index, record) in catalog.formulas.iter().enumerate() {
            let metric = resolver.metric(record, syntax);
            findings.of_formula(index, record, &metric, syntax, &resolver);
            list.push(metric);
        }
        let mut metrics = Metrics { catalog, list, order: Vec::new(), diagnostics: Vec::new() };
        for cycle in metrics.sort() {
            let chain = metrics.chain(&cycle);
            findings.cycle(cycle[0], &catalog.formulas[cycle[0]], &chain);
            for index in cycle {
                let formula = &mut metrics.list[index].formula;
                if formula.is_ok() {
                    *formula = Err(MetricError::Cycle(chain.clone()));
                }
            }
        }
        for (index, metric) in metrics.list.iter().enumerate() {
            findings.states(index, catalog, metric, &resolver.links);
        }
        metrics.diagnostics = findings.finish();
        metrics
    }

    /// The formulas in the order of the catalog.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Metric> {
        self.list.iter()
    }

    /// The place of the first formula of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|metric| metric.name == name)
    }

    /// What is odd in the formulas: texts that cannot be computed, names that nothing has, circles; as [`check`](super::check()) says it of all else.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What has to be supplied for a formula and the formulas that it uses: events, symbols, elapsed time, each once.
    pub fn needs(&self, formula: usize) -> Vec<&Operand> {
        self.first_needs(formula, usize::MAX).0
    }

    /// The same for many formulas of a catalog: no further than the operands of the formula itself and of others that take so many bytes together; whether that is all.
    ///
    /// Of a chain of formulas each needs all that those before it need: to list it for all of them takes the square of their number.
    pub fn first_needs(&self, formula: usize, bytes: usize) -> (Vec<&Operand>, bool) {
        let (mut needs, mut names) = (Vec::new(), HashSet::new());
        let (mut open, mut seen) = (vec![formula], HashSet::from([formula]));
        let mut left = bytes;
        while let Some(index) = open.pop() {
            for operand in &self.list[index].operands {
                if index != formula {
                    match left.checked_sub(size_of::<Operand>() + operand.name.len()) {
                        Some(rest) => left = rest,
                        None => return (needs, false),
                    }
                }
                match operand.source {
                    Source::Formula(used) if seen.insert(used) => open.push(used),
                    Source::Formula(_) => {}
                    _ if names.insert(operand.name.as_str()) => needs.push(operand),
                    _ => {}
                }
            }
        }
        (needs, true)
    }

    /// The value of every formula, each computed once, in the order of the catalog.
    ///
    /// `supply` is asked for the value of each operand; a formula's own value stands in where it has none for one.
    pub fn evaluate(
        &self,
        mut supply: impl FnMut(&Operand) -> Option<Number>,
    ) -> Vec<Result<MetricValue, MetricError>> {
        let mut values: Vec<Option<Number>> = vec![None; self.list.len()];
        let mut results: Vec<Result<MetricValue, MetricError>> =
            vec![Err(MetricError::NoText); self.list.len()];
        for &index in &self.order {
            let metric = &self.list[index];
            let result = metric.value(|operand| match (supply(operand), operand.source) {
                (None, Source::Formula(used)) => values[used],
                (supplied, _) => supplied,
            });
            values[index] = result.as_ref().ok().map(|value| value.number);
            results[index] = result;
        }
        results
    }

    /// The catalog.
    pub fn catalog(&self) -> &'c Catalog {
        self.catalog
    }

    /// The names of a circle; of a long one the first and the last.
    fn chain(&self, cycle: &[usize]) -> Vec<String> {
        const SHOWN: usize = 16;
        let left_out = cycle.len().saturating_sub(SHOWN);
        let mut names: Vec<String> = Vec::new();
        for (place, index) in cycle.iter().enumerate() {
            match place.checked_sub(SHOWN / 2) {
                Some(0) if left_out > 0 => names.push("…".to_string()),
                Some(place) if place < left_out => {}
                _ => names.push(self.list[*index].name.clone()),
            }
        }
        names
    }

    /// Brings the formulas into an order in which each comes behind what it uses; returns the circles, no more of them than are told.
    fn sort(&mut self) -> Vec<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.list.len()];
        let mut cycles = Vec::new();
        for start in 0..self.list.len() {
            // Each formula on the way with the number of its next operand.
            let mut path = vec![(start, 0)];
            while let Some((index, next)) = path.last_mut() {
                let (index, operand) = (*index, *next);
                *next += 1;
                if operand == 0 && marks[index] == Mark::Done {
                    path.pop();
                    continue;
                }
                marks[index] = Mark::Open;
                match self.list[index].operands.get(operand).map(|operand| operand.source) {
                    None => {
                        marks[index] = Mark::Done;
                        self.order.push(index);
                        path.pop();
                    }
                    Some(Source::Formula(used)) if marks[used] == Mark::New => path.push((used, 0)),
                    Some(Source::Formula(used))
                        if marks[used] == Mark::Open && cycles.len() <= Findings::LIMIT =>
                    {
                        let begin = path.iter().position(|(index, _)| *index == used).unwrap_or(0);
                        let mut cycle: Vec<usize> =
                            path[begin..].iter().map(|(index, _)| *index).collect();
                        cycle.push(used);
                        cycles.push(cycle);
                    }
                    Some(_) => {}
                }
            }
        }
        cycles
    }
}

impl Metric {
    fn value(
        &self,
        mut supply: impl FnMut(&Operand) -> Option<Number>,
    ) -> Result<MetricValue, MetricError> {
        let formula = self.formula.as_ref().map_err(MetricError::clone)?;
        let missing = |operand: &Operand| MetricError::Missing {
            name: operand.name.clone(),
            span: operand.span.clone(),
        };
        let value = |operand| supply(operand).ok_or_else(|| missing(operand));
        let inputs = self.operands.iter().map(value).collect::<Result<Vec<Number>, _>>()?;
        Ok(match formula.eval_numbers(&inputs) {
            Ok(number) => MetricValue { number, note: None },
            Err(error) => {
                let inputs: Vec<f64> = inputs.iter().map(|number| number.as_f64()).collect();
                MetricValue { number: Number::Real(formula.eval(&inputs)), note: Some(error) }
            }
        })
    }
}

const ELAPSED: [&str; 4] =
    ["delta-timebase", "delta-cycles", "delta-instructions", "delta-seconds"];

/// Looks names up in a catalog.
struct Resolver<'c> {
    links: Links<'c>,
    formulas: HashMap<&'c str, usize>,
}

impl<'c> Resolver<'c> {
    fn new(catalog: &'c Catalog) -> Resolver<'c> {
        let mut formulas = HashMap::new();
        for (index, record) in catalog.formulas.iter().enumerate() {
            if let Some(name) = record.name().filter(|name| !name.is_empty()) {
                formulas.entry(name).or_insert(index);
            }
        }
        Resolver { links: Links::new(catalog), formulas }
    }

    fn source(&self, name: &str) -> Source {
        if ELAPSED.contains(&name) {
            Source::Elapsed
        } else if let Some(event) = self.links.by_name(name) {
            Source::Event(event)
        } else if let Some(formula) = self.formulas.get(name) {
            Source::Formula(*formula)
        } else {
            Source::Symbol
        }
    }

    fn metric(&self, record: &Record, syntax: Syntax) -> Metric {
        let printable = |text: &super::Text| text.to_printable();
        let text = record.formula.as_ref().and_then(|text| text.as_str());
        let formula = match text {
            None => Err(MetricError::NoText),
            Some(text) => Formula::parse(text, syntax).map_err(MetricError::Syntax),
        };
        let text = text.unwrap_or_default();
        let places = names::places(text);
        let operand = |name: &str| Operand {
            name: name.to_string(),
            source: self.source(name),
            span: places.get(name).cloned().unwrap_or(0..text.len()),
        };
        Metric {
            name: record.name.as_ref().map(printable).unwrap_or_default(),
            unit: record.unit.as_ref().map(printable).filter(|unit| !unit.is_empty()),
            operands: formula.iter().flat_map(Formula::inputs).map(operand).collect(),
            formula,
        }
    }
}

/// What is found, at most so much.
struct Findings {
    /// Where in the file each record begins.
    offsets: Vec<usize>,
    list: Vec<Diagnostic>,
    more: usize,
}

impl Findings {
    const LIMIT: usize = 128;

    fn add(
        &mut self,
        code: Code,
        index: usize,
        offset: usize,
        field: &'static str,
        message: String,
    ) {
        if self.list.len() == Self::LIMIT {
            self.more += 1;
        } else {
            self.list.push(Diagnostic::new(code, Section::Formula, index, offset, field, message));
        }
    }

    /// Where in the file a record begins, and where the length of its formula is.
    fn places(&self, index: usize, record: &Record) -> (usize, usize) {
        let length =
            |text: &Option<super::Text>| text.as_ref().map_or(0, |text| text.raw().len()) + 2;
        let at = self.offsets.get(index).copied().unwrap_or_default();
        (at, at + 0x10 + length(&record.name) + length(&record.description))
    }

    fn of_formula(
        &mut self,
        index: usize,
        record: &Record,
        metric: &Metric,
        syntax: Syntax,
        resolver: &Resolver<'_>,
    ) {
        let (at, field) = self.places(index, record);
        if let Some(event) = record.name().and_then(|name| resolver.links.by_name(name)) {
            let message = format!(
                "event {event} is called `{}` as well, and is meant in formulas",
                metric.name
            );
            self.add(Code::DuplicateName, index, at + 0x10, "name", message);
        }
        let Some(text) = record.formula.as_ref().and_then(|text| text.as_str()) else { return };
        let unknown = |name: &str| resolver.source(name) == Source::Symbol;
        let mut names: Vec<(String, Range<usize>)> = metric
            .operands
            .iter()
            .filter(|operand| operand.source == Source::Symbol)
            .map(|operand| (operand.name.clone(), operand.span.clone()))
            .collect();
        if let Err(MetricError::Syntax(error)) = &metric.formula {
            self.add(
                Code::FormulaSyntax,
                index,
                field + 2 + error.span.start,
                "formula",
                error.to_string(),
            );
            names = names::before(text, error.span.start, syntax);
            names.retain(|(name, _)| unknown(name));
        }
        for (name, span) in names {
            let message = format!("`{name}` is no event, formula or known symbol");
            self.add(Code::UnknownOperand, index, field + 2 + span.start, "formula", message);
        }
        for warning in metric.formula.iter().flat_map(Formula::warnings) {
            self.add(
                Code::LeftOver,
                index,
                field + 2 + warning.span.start,
                "formula",
                warning.to_string(),
            );
        }
    }

    fn cycle(&mut self, index: usize, record: &Record, chain: &[String]) {
        let (_, field) = self.places(index, record);
        let message = format!("the formula uses itself: {}", chain.join(" -> "));
        self.add(Code::FormulaCycle, index, field, "formula", message);
    }

    /// Whether the flags of a formula are those of its worst event, and its group has its events.
    fn states(&mut self, index: usize, catalog: &Catalog, metric: &Metric, links: &Links<'_>) {
        let record = &catalog.formulas[index];
        let at = self.offsets.get(index).copied().unwrap_or_default();
        let of_operand = |operand: &Operand| match operand.source {
            Source::Event(event) => Some(event),
            _ => None,
        };
        let events: Vec<usize> = metric.operands.iter().filter_map(of_operand).collect();
        let states = events.iter().fold(0, |states, event| states | catalog.events[*event].flags);
        if states & !record.flags != 0 {
            let message = format!(
                "its events have the state flags {states:#x}, the formula {:#x}",
                record.flags
            );
            self.add(Code::States, index, at + 4, "flags", message);
        }
        if record.flags & Record::GROUPED == 0 {
            return;
        }
        let outside = events.iter().find(|event| {
            let group = links.group(catalog.events[**event].domain, record.group);
            let mut slots = group.iter().flat_map(|group| links.slots(&catalog.groups[*group]));
            !slots.any(|slot| slot.event == Some(**event))
        });
        if let Some(event) = outside {
            let name = catalog.events[*event].name().unwrap_or_default();
            let message = format!("`{name}` is not in group {} of its domain", record.group);
            self.add(Code::NotInGroup, index, at + 8, "group", message);
        }
    }

    fn finish(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let message = format!("{} more findings are not shown", self.more);
            self.list.push(Diagnostic::new(Code::More, Section::Formula, None, 0, "", message));
        }
        self.list
    }
}
