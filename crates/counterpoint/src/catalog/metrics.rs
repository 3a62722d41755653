use super::findings::{Findings, names_before};
use counterpoint_catalog24x7::{Catalog, Diagnostic, Formula as Record, Links, Text};
use counterpoint_definitions::graph::Graph;
use counterpoint_formula::{EvalError, Formula, Number, Op, ParseError, Syntax};
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
        let mut findings = Findings::new(catalog);
        for (index, record) in catalog.formulas.iter().enumerate() {
            let metric = resolver.metric(record, syntax);
            resolver.report(&mut findings, index, record, &metric, syntax);
            list.push(metric);
        }
        let graph = Graph::new(list.len(), |index| list[index].formulas());
        let order = graph.order();
        let mut metrics = Metrics { catalog, list, order: order.nodes, diagnostics: Vec::new() };
        let chains: Vec<Vec<String>> =
            order.cycles.iter().map(|cycle| metrics.chain(&cycle.nodes)).collect();
        for (cycle, chain) in order.cycles.iter().zip(&chains) {
            let first = cycle.nodes[0];
            findings.cycle(first, &catalog.formulas[first], chain);
        }
        for (metric, cycle) in metrics.list.iter_mut().zip(order.cycle_of) {
            if let (Ok(_), Some(cycle)) = (&metric.formula, cycle) {
                metric.formula = Err(MetricError::Cycle(chains[cycle].clone()));
            }
        }
        for (index, metric) in metrics.list.iter().enumerate() {
            findings.states(index, catalog, &metric.events(), &resolver.links);
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

    /// The names of a cycle, from its first formula back to it; the middle of a long cycle is left out.
    fn chain(&self, cycle: &[usize]) -> Vec<String> {
        const SHOWN: usize = 16;
        let closed: Vec<usize> = cycle.iter().chain(cycle.first()).copied().collect();
        let left_out = closed.len().saturating_sub(SHOWN);
        let mut names: Vec<String> = Vec::new();
        for (place, index) in closed.iter().enumerate() {
            match place.checked_sub(SHOWN / 2) {
                Some(0) if left_out > 0 => names.push("…".to_string()),
                Some(place) if place < left_out => {}
                _ => names.push(self.list[*index].name.clone()),
            }
        }
        names
    }
}

impl Metric {
    /// The operands that are formulas, by their numbers, and which.
    fn formulas(&self) -> Vec<(usize, usize)> {
        let formula = |(number, operand): (usize, &Operand)| match operand.source {
            Source::Formula(used) => Some((number, used)),
            _ => None,
        };
        self.operands.iter().enumerate().filter_map(formula).collect()
    }

    /// The operands that are events.
    fn events(&self) -> Vec<usize> {
        let event = |operand: &Operand| match operand.source {
            Source::Event(event) => Some(event),
            _ => None,
        };
        self.operands.iter().filter_map(event).collect()
    }

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
        let printable = |text: &Text| text.to_printable();
        let text = record.formula.as_ref().and_then(|text| text.as_str());
        let formula = match text {
            None => Err(MetricError::NoText),
            Some(text) => Formula::parse(text, syntax).map_err(MetricError::Syntax),
        };
        let operand = |(name, span): (&str, Range<usize>)| Operand {
            name: name.to_string(),
            source: self.source(name),
            span,
        };
        Metric {
            name: record.name.as_ref().map(printable).unwrap_or_default(),
            unit: record.unit.as_ref().map(printable).filter(|unit| !unit.is_empty()),
            operands: formula
                .iter()
                .flat_map(|f| inputs(f, text.unwrap_or_default()))
                .map(operand)
                .collect(),
            formula,
        }
    }

    /// Reports what is wrong with the text of a formula, and with the names in it.
    fn report(
        &self,
        findings: &mut Findings,
        index: usize,
        record: &Record,
        metric: &Metric,
        syntax: Syntax,
    ) {
        if let Some(event) = record.name().and_then(|name| self.links.by_name(name)) {
            findings.duplicate_name(index, event, &metric.name);
        }
        let Some(text) = record.formula.as_ref().and_then(|text| text.as_str()) else { return };
        let names = match &metric.formula {
            Err(MetricError::Syntax(error)) => {
                findings.syntax(index, record, error);
                names_before(text, error.span.start, syntax)
            }
            _ => metric.operands.iter().map(|o| (o.name.clone(), o.span.clone())).collect(),
        };
        for (name, span) in names {
            if self.source(&name) == Source::Symbol {
                findings.unknown_operand(index, record, &name, span);
            }
        }
        for warning in metric.formula.iter().flat_map(Formula::warnings) {
            findings.left_over(index, record, warning);
        }
    }
}

/// The inputs of a formula, each with the place where its name first stands in the text, without backquotes.
fn inputs<'f>(formula: &'f Formula, text: &str) -> Vec<(&'f str, Range<usize>)> {
    let mut inputs: Vec<(&str, Option<Range<usize>>)> =
        formula.inputs().map(|name| (name, None)).collect();
    for (at, op) in formula.ops().iter().enumerate() {
        if let Op::Input(input) = op {
            inputs[*input as usize].1.get_or_insert_with(|| formula.span(at));
        }
    }
    let bare = |span: Range<usize>| match text.as_bytes().get(span.start) {
        Some(b'`') => span.start + 1..span.end - 1,
        _ => span,
    };
    inputs.into_iter().map(|(name, span)| (name, bare(span.unwrap_or(0..0)))).collect()
}
