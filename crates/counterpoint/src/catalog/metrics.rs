use super::findings::{Findings, names_before};
use counterpoint_catalog24x7::{Catalog, Diagnostic, Formula as Record, Links, Text};
use counterpoint_definitions::graph::Graph;
use counterpoint_formula::{EvalError, Formula, Number, Op, ParseError, Syntax};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Adds the computation of formulas to [`Catalog`].
pub trait WithMetrics {
    /// The formulas of the catalog with their names resolved; `rem` and `x^y` are read literally as in the table of the catalog document.
    fn metrics(&self) -> Metrics<'_>;
    /// Like [`WithMetrics::metrics`], with another interpretation of the text of formulas.
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

/// The formulas of a catalog with their names resolved.
///
/// A name stands for the first of these that matches: one of `delta-timebase`, `delta-cycles`, `delta-instructions` and `delta-seconds`, an event, a formula, or a symbol whose value the user supplies.
#[derive(Clone, Debug)]
pub struct Metrics<'c> {
    catalog: &'c Catalog,
    list: Vec<Metric>,
    /// The formulas in an order in which each follows those that it uses, except in cycles.
    order: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

/// One formula of a catalog.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Metric {
    /// Its name; bytes that are not ASCII are escaped.
    pub name: String,
    /// The unit of its value, if it has one.
    pub unit: Option<String>,
    /// The formula, or the reason why its text cannot be read.
    pub formula: Result<Formula, MetricError>,
    /// Its operands, in the order of [`Formula::inputs`].
    pub operands: Vec<Operand>,
}

/// A name in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operand {
    /// The name.
    pub name: String,
    /// The thing that the name stands for.
    pub source: Source,
    /// The first position of the name in the text of the formula.
    pub span: Range<usize>,
}

/// The thing that a name in a formula stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The event with this index in the catalog, summed over chips or cores.
    Event(usize),
    /// The formula with this index in the catalog.
    Formula(usize),
    /// The difference between two snapshots: `delta-timebase`, `delta-cycles`, `delta-instructions` or `delta-seconds`.
    Elapsed,
    /// A value that is not in the catalog, such as a bus frequency.
    Symbol,
}

/// The value of a formula.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MetricValue {
    /// The number; a division by zero and the like follow IEEE 754.
    pub number: Number,
    /// The operation that has no real value, if there is one.
    pub note: Option<EvalError>,
}

/// The reason why a formula has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Its text cannot be read from the catalog, or is not ASCII.
    #[error("the text of the formula cannot be read")]
    NoText,
    /// Its text is not a valid formula.
    #[error("{0}")]
    Syntax(#[source] ParseError),
    /// It uses itself; the names lead from the formula back to itself.
    #[error("the formula uses itself: {}", .0.join(" -> "))]
    Cycle(Vec<String>),
    /// A name has no value.
    #[error("`{name}` has no value")]
    Missing {
        /// The name.
        name: String,
        /// The first position of the name in the text of the formula.
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

    /// The index of the first formula with a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|metric| metric.name == name)
    }

    /// The findings about the formulas: texts that cannot be computed, unknown names, cycles. [`check`](super::check()) reports all other findings of a catalog.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The operands that must be supplied for a formula and the formulas that it uses: events, symbols, elapsed time, each once.
    pub fn needs(&self, formula: usize) -> Vec<&Operand> {
        self.first_needs(formula, usize::MAX).0
    }

    /// Like [`Metrics::needs`], for use with many formulas: the list is cut after the operands of the formula itself and `bytes` bytes of others. Also returns whether the list is complete.
    ///
    /// In a chain of formulas, each needs all that the formulas before it need, so complete lists for all of them take quadratic space.
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

    /// The values of all formulas, each computed once, in the order of the catalog.
    ///
    /// `supply` returns the value of each operand; for a formula for which it returns `None`, the computed value is used.
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
    /// The operands that are formulas: the number of each operand, and the formula.
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

    /// Reports faults in the text of a formula, and unknown names in it.
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

/// The inputs of a formula, each with the first position of its name in the text, without backquotes.
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
