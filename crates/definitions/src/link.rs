//! Files to the definitions of one PMU.

use std::collections::HashMap;
use std::sync::Arc;

use counterpoint_formula::{Formula, Limits, Op};

use crate::ast::{DerivedType, Event, Field, File, Key, Pmu};
use crate::definitions::{Definition, Definitions, Unavailable};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::term_index;

/// The preset that the types that count per second divide by.
const CYCLES: &str = "PAPI_TOT_CYC";

/// One PMU's view of several files together.
///
/// A later definition of a name wins, in the same file or in a later one.
/// A term that names a definition, before or after it and in whatever file, stands for that definition;
/// any other term is a native event string, and left to the caller.
/// On a machine with several core PMUs each is linked by itself.
///
/// ```
/// use counterpoint_definitions::{link, parse};
///
/// let presets = parse("CPU,skx\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,CPU_CLK_UNHALTED:THREAD_P\n");
/// let user = parse("CPU,skx\nEVENT,CPI,DERIVED_INFIX,N0/N1,PAPI_TOT_CYC,INSTRUCTION_RETIRED\n");
/// let definitions = link(&[&presets.file, &user.file], "skx");
/// let cpi = definitions.get("cpi").unwrap();
/// let natives = definitions.expand(cpi).unwrap().terms;
/// assert_eq!(natives, ["CPU_CLK_UNHALTED:THREAD_P", "INSTRUCTION_RETIRED"]);
/// assert!(link(&[&presets.file, &user.file], "icl").is_empty());
/// ```
pub fn link<'a>(files: &[&File<'_>], pmu: impl Into<Pmu<'a>>) -> Definitions {
    let pmu = pmu.into();
    let mut linker = Linker::default();
    for (file, tree) in files.iter().enumerate() {
        for (block, event) in tree.blocks_for(pmu) {
            linker.add(Line { file, block, event });
        }
    }
    for index in 0..linker.lines.len() {
        linker.resolve(index);
    }
    linker.finish()
}

/// A definition that counts, until a later one of its name.
#[derive(Clone, Copy)]
struct Line<'f, 's> {
    file: usize,
    block: usize,
    event: &'f Event<'s>,
}

#[derive(Default)]
struct Linker<'f, 's> {
    lines: Vec<Line<'f, 's>>,
    by_name: HashMap<String, usize>,
    /// By line, once it is resolved: how many operations it comes to, or why it has no value.
    resolved: Vec<Option<Result<usize, Unavailable>>>,
    open: Vec<bool>,
    diagnostics: Vec<Diagnostic>,
}

impl<'f, 's> Linker<'f, 's> {
    fn add(&mut self, line: Line<'f, 's>) {
        let name = line.event.name.text;
        let index = *self.by_name.entry(name.to_ascii_uppercase()).or_insert(self.lines.len());
        let Some(before) = self.lines.get_mut(index) else {
            self.lines.push(line);
            self.resolved.push(None);
            self.open.push(false);
            return;
        };
        let first = std::mem::replace(before, line);
        if (first.file, first.block) == (line.file, line.block) {
            return; // the parser has said so
        }
        let file = if first.file == line.file { "" } else { " of an earlier file" };
        let (was, is) = (first.event.line, line.event.line);
        let message =
            format!("{name} is defined on line {was}{file} and again on line {is}, which counts");
        let diagnostic = Diagnostic::new(Code::Redefined, line.event.name.span(), message);
        self.diagnostics.push(Diagnostic { file: line.file, ..diagnostic });
    }

    /// The definition that a term names.
    fn definition(&self, term: &str) -> Option<usize> {
        self.by_name.get(term).or_else(|| self.by_name.get(&term.to_ascii_uppercase())).copied()
    }

    /// Resolves a definition after all those it needs; the way there is a list, not recursion.
    fn resolve(&mut self, root: usize) {
        if self.resolved[root].is_some() {
            return;
        }
        let mut path = vec![(root, 0)];
        let mut cycles: HashMap<usize, Arc<[String]>> = HashMap::new();
        self.open[root] = true;
        while let Some((index, next)) = path.last_mut() {
            let (index, term) = (*index, self.lines[*index].event.terms.get(*next));
            *next += 1;
            let Some(term) = term else {
                path.pop();
                self.open[index] = false;
                self.resolved[index] = Some(match cycles.remove(&index) {
                    Some(chain) => Err(Unavailable::Cycle { chain }),
                    None => self.measure(index),
                });
                continue;
            };
            match self.definition(term.text) {
                Some(needed) if self.open[needed] => match cycles.get(&needed).cloned() {
                    // One more way round a cycle that is known.
                    Some(chain) => {
                        cycles.entry(index).or_insert(chain);
                    }
                    None => {
                        let start = path.iter().position(|step| step.0 == needed).unwrap_or(0);
                        let chain = self.report_cycle(&path[start..], *term);
                        cycles.extend(path[start..].iter().map(|step| (step.0, chain.clone())));
                    }
                },
                Some(needed) if self.resolved[needed].is_none() => {
                    self.open[needed] = true;
                    path.push((needed, 0));
                }
                _ => {}
            }
        }
    }

    /// The chain of names of a cycle that `term`, of the last definition of the path, closes.
    fn report_cycle(&mut self, path: &[(usize, usize)], term: Field<'s>) -> Arc<[String]> {
        const SHOWN: usize = 8;
        let names = || path.iter().map(|step| self.lines[step.0].event.name.text);
        let mut chain: Vec<String> = names().take(SHOWN).map(str::to_owned).collect();
        if path.len() > SHOWN {
            chain.push("…".to_owned());
            chain.extend(names().next_back().map(str::to_owned));
        }
        chain.extend(names().next().map(str::to_owned));
        let chain: Arc<[String]> = chain.into();
        let message = match path {
            [_] => format!("{} refers to itself", chain[0]),
            _ => format!("{} is made of itself: {}", chain[0], chain.join(", which needs ")),
        };
        let file = path.last().map_or(0, |step| self.lines[step.0].file);
        let diagnostic = Diagnostic::new(Code::Cycle, term.span(), message)
            .help("write the native event here, or give one of the definitions another name");
        self.diagnostics.push(Diagnostic { file, ..diagnostic });
        chain
    }

    /// How many operations a definition comes to, written out as text, when all its terms are resolved.
    fn measure(&mut self, index: usize) -> Result<usize, Unavailable> {
        let Line { event, file, .. } = self.lines[index];
        let mut sizes = Vec::with_capacity(event.terms.len());
        for term in event.terms.iter() {
            let needed =
                self.definition(term.text).and_then(|needed| self.resolved[needed].as_ref());
            match needed {
                Some(Err(_)) => return Err(Unavailable::Term { term: term.text.to_owned() }),
                Some(Ok(size)) => sizes.push(*size),
                None => sizes.push(0),
            }
        }
        let size = operations(event, &sizes);
        if size <= Limits::default().operations {
            return Ok(size);
        }
        let reason = Unavailable::TooLarge;
        let message = format!("{} has no value: {reason}", event.name.text);
        let diagnostic = Diagnostic::new(Code::TooLarge, event.name.span(), message)
            .help("build it of fewer definitions, or name their native events");
        self.diagnostics.push(Diagnostic { file, ..diagnostic });
        Err(reason)
    }

    fn finish(mut self) -> Definitions {
        let lines = std::mem::take(&mut self.lines);
        let resolved = lines.iter().zip(self.resolved);
        let definitions =
            resolved.map(|(line, size)| definition(*line, size.and_then(Result::err))).collect();
        let mut definitions = Definitions::new(definitions, self.diagnostics);
        check_cycles_terms(&lines, &mut definitions);
        definitions.diagnostics.sort_by_key(|diagnostic| (diagnostic.file, diagnostic.span.start));
        definitions
    }
}

/// The first term of the types that divide by cycles must be what PAPI_TOT_CYC is on this PMU.
fn check_cycles_terms(lines: &[Line<'_, '_>], definitions: &mut Definitions) {
    let Some(cycles) = definitions.get(CYCLES) else { return };
    let Ok(value) = definitions.expand(cycles) else { return };
    let is_cycles = |first: &str| match definitions.get(first) {
        None => value.terms.first().is_some_and(|term| term.eq_ignore_ascii_case(first)),
        Some(first) => {
            first.name.eq_ignore_ascii_case(CYCLES)
                || definitions.expand(first).is_ok_and(|first| first.formula == value.formula)
        }
    };
    let mut found = Vec::new();
    for Line { event, file, .. } in lines {
        if let DerivedType::PerSecond | DerivedType::AddPerSecond = event.kind
            && let Some(first) = event.terms.first()
            && !is_cycles(first.text)
        {
            let message =
                format!("{} divides by its first term, which is not {CYCLES}", event.kind.name());
            let diagnostic = Diagnostic::new(Code::NotCycles, first.span(), message)
                .help(format!("write {CYCLES} as the first term"));
            found.push(Diagnostic { file: *file, ..diagnostic });
        }
    }
    definitions.diagnostics.append(&mut found);
}

fn definition(line: Line<'_, '_>, unavailable: Option<Unavailable>) -> Definition {
    let event = line.event;
    let text = |key| event.text(key).map(str::to_owned);
    Definition {
        name: event.name.text.to_owned(),
        kind: event.kind,
        keyword: event.keyword,
        terms: event.terms.iter().map(|term| term.text.to_owned()).collect(),
        formula: event.formula.as_ref().map(|line| line.formula.clone()),
        ldesc: text(Key::LongDescription),
        sdesc: text(Key::ShortDescription),
        note: text(Key::Note),
        units: text(Key::Units),
        file: line.file,
        span: event.span.clone(),
        line: event.line,
        unavailable,
    }
}

/// The operations of a definition whose terms have so many.
fn operations(event: &Event<'_>, terms: &[usize]) -> usize {
    let sum =
        |count| terms.iter().take(count).fold(0, |sum: usize, size| sum.saturating_add(*size));
    match (event.kind, &event.formula) {
        (_, Some(line)) => formula_operations(&line.formula, terms),
        (DerivedType::NotDerived | DerivedType::Compound, _) => sum(1),
        (DerivedType::PerSecond, _) => sum(2).saturating_add(2),
        (_, None) => sum(terms.len()).saturating_add(terms.len()),
    }
}

fn formula_operations(formula: &Formula, terms: &[usize]) -> usize {
    let inputs: Vec<usize> = formula
        .inputs()
        .map(|input| term_index(input).and_then(|index| terms.get(index)).map_or(0, |size| *size))
        .collect();
    let mut sizes: Vec<usize> = Vec::with_capacity(formula.ops().len());
    for op in formula.ops() {
        sizes.push(match op {
            Op::Constant(_) => 0,
            Op::Input(at) => inputs[*at as usize],
            Op::Unary(_, a) => sizes[*a as usize].saturating_add(1),
            Op::Binary(_, a, b) => {
                sizes[*a as usize].saturating_add(sizes[*b as usize]).saturating_add(1)
            }
        });
    }
    sizes.last().copied().unwrap_or_default()
}
