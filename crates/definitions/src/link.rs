//! Files to the definitions of one PMU.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use counterpoint_formula::{Formula, LimitError, Limits, Syntax};

use crate::ast::{DerivedType, Event, Field, File, Key, Pmu};
use crate::definitions::{Definition, Definitions, Unavailable};
use crate::diagnostic::{Code, Diagnostic};
use crate::parser::term_index;

/// How many terms all definitions of a PMU may have together once they are put into each other.
const MOST_TERMS: usize = 1 << 22;

/// The preset that the types that count per second divide by.
const CYCLES: &str = "PAPI_TOT_CYC";

/// One PMU's view of several files together.
///
/// A later definition of a name wins, in the same file or in a later one.
/// A term that names a definition, before or after it and in whatever file, is replaced by that definition's formula;
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
/// assert_eq!(cpi.terms, ["CPU_CLK_UNHALTED:THREAD_P", "INSTRUCTION_RETIRED"]);
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
    linker.check_cycles_terms();
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
    /// By line, once it is resolved.
    resolved: Vec<Option<Resolved>>,
    open: Vec<bool>,
    terms: usize,
    diagnostics: Vec<Diagnostic>,
}

/// A definition with those of its terms put in.
struct Resolved {
    formula: Formula,
    terms: Vec<String>,
    unavailable: Option<Unavailable>,
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
                let unavailable = cycles.remove(&index).map(|chain| Unavailable::Cycle { chain });
                self.resolved[index] = self.nest(index, unavailable);
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

    /// Puts the definitions of its terms, all of them resolved, into a definition.
    fn nest(&mut self, index: usize, cycle: Option<Unavailable>) -> Option<Resolved> {
        let Line { event, file, .. } = self.lines[index];
        let own = own_formula(event)?;
        let reason = match cycle.map_or_else(|| self.put_in(event, &own), Err) {
            Ok(resolved) => {
                self.terms += resolved.terms.len();
                return Some(resolved);
            }
            Err(reason) => reason,
        };
        if reason == Unavailable::TooLarge {
            let message = format!("{} has no value: {reason}", event.name.text);
            let diagnostic = Diagnostic::new(Code::TooLarge, event.name.span(), message);
            self.diagnostics.push(Diagnostic { file, ..diagnostic });
        }
        let mut terms = Unique::default();
        event.terms.iter().for_each(|term| terms.push(term.text));
        let formula = substitute(&own, event, &[]).ok()?;
        Some(Resolved { formula, terms: terms.list, unavailable: Some(reason) })
    }

    fn put_in(&self, event: &Event<'s>, own: &Formula) -> Result<Resolved, Unavailable> {
        let needed: Vec<Option<&Resolved>> = event
            .terms
            .iter()
            .map(|term| {
                self.definition(term.text).and_then(|needed| self.resolved[needed].as_ref())
            })
            .collect();
        let broken = needed
            .iter()
            .position(|needed| needed.is_some_and(|needed| needed.unavailable.is_some()));
        if let Some(term) = broken {
            return Err(Unavailable::Term { term: event.terms[term].text.to_owned() });
        }
        let mut terms = Unique::default();
        for (term, needed) in event.terms.iter().zip(&needed) {
            match needed {
                Some(needed) => needed.terms.iter().for_each(|term| terms.push(term)),
                None => terms.push(term.text),
            }
        }
        if self.terms + terms.list.len() > MOST_TERMS {
            return Err(Unavailable::TooLarge);
        }
        let formula = substitute(own, event, &needed).map_err(|_| Unavailable::TooLarge)?;
        Ok(Resolved { formula, terms: terms.list, unavailable: None })
    }

    /// The first term of the types that divide by cycles must be what PAPI_TOT_CYC is on this PMU.
    fn check_cycles_terms(&mut self) {
        let Some(cycles) = self.definition(CYCLES) else { return };
        for line in &self.lines {
            let Event { kind, terms, .. } = line.event;
            if !matches!(kind, DerivedType::PerSecond | DerivedType::AddPerSecond) {
                continue;
            }
            let Some(first) = terms.first() else { continue };
            let is_cycles = match (self.definition(first.text), &self.resolved[cycles]) {
                (Some(index), _) if index == cycles => true,
                (_, None) => true,
                (Some(index), Some(cycles)) => self.resolved[index]
                    .as_ref()
                    .is_some_and(|first| first.formula == cycles.formula),
                (None, Some(cycles)) => {
                    cycles.terms.first().is_some_and(|term| term.eq_ignore_ascii_case(first.text))
                }
            };
            if !is_cycles {
                let message =
                    format!("{} divides by its first term, which is not {CYCLES}", kind.name());
                let diagnostic = Diagnostic::new(Code::NotCycles, first.span(), message)
                    .help(format!("write {CYCLES} as the first term"));
                self.diagnostics.push(Diagnostic { file: line.file, ..diagnostic });
            }
        }
    }

    fn finish(mut self) -> Definitions {
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.file, diagnostic.span.start));
        let lines = self.lines.iter().zip(self.resolved);
        let definitions = lines.filter_map(|(line, resolved)| Some(definition(*line, resolved?)));
        Definitions::new(definitions.collect(), self.diagnostics)
    }
}

fn definition(line: Line<'_, '_>, resolved: Resolved) -> Definition {
    let event = line.event;
    let text = |key| event.text(key).map(str::to_owned);
    Definition {
        name: event.name.text.to_owned(),
        kind: event.kind,
        keyword: event.keyword,
        terms: resolved.terms,
        formula: resolved.formula,
        ldesc: text(Key::LongDescription),
        sdesc: text(Key::ShortDescription),
        note: text(Key::Note),
        units: text(Key::Units),
        file: line.file,
        span: event.span.clone(),
        line: event.line,
        unavailable: resolved.unavailable,
    }
}

/// The formula of a line by itself: its inputs are `N0`, `N1`, … and `#`.
fn own_formula(event: &Event<'_>) -> Option<Formula> {
    if let Some(line) = &event.formula {
        return Some(line.formula.clone());
    }
    let joined = |operator: &str, from: usize| {
        let inputs: Vec<String> =
            (from..event.terms.len()).map(|index| format!("N{index}")).collect();
        inputs.join(operator)
    };
    let text = match event.kind {
        DerivedType::Add => joined("+", 0),
        DerivedType::Sub => joined("-", 0),
        DerivedType::PerSecond => "N1*#/N0".to_owned(),
        DerivedType::AddPerSecond => format!("({})*#/N0", joined("+", 1)),
        _ => return Some(Formula::input("N0")),
    };
    Formula::parse(&text, Syntax::Infix).ok()
}

/// Puts definitions, or the names of native events, in the place of the inputs `N0`, `N1`, ….
fn substitute(
    own: &Formula,
    event: &Event<'_>,
    needed: &[Option<&Resolved>],
) -> Result<Formula, LimitError> {
    if let (DerivedType::NotDerived | DerivedType::Compound, Some(first)) =
        (event.kind, event.terms.first())
    {
        return Ok(match needed.first() {
            Some(Some(needed)) => needed.formula.clone(),
            _ => Formula::input(first.text),
        });
    }
    let natives: Vec<Formula> = event.terms.iter().map(|term| Formula::input(term.text)).collect();
    own.substitute_all(&Limits::default(), |input| {
        let index = term_index(input)?;
        match needed.get(index) {
            Some(Some(needed)) => Some(&needed.formula),
            _ => natives.get(index),
        }
    })
}

/// A list that takes each string once.
#[derive(Default)]
struct Unique {
    list: Vec<String>,
    seen: HashSet<String>,
}

impl Unique {
    fn push(&mut self, text: &str) {
        const SHORT: usize = 16;
        if self.list.len() < SHORT {
            if !self.list.iter().any(|known| known == text) {
                self.list.push(text.to_owned());
            }
            return;
        }
        if self.seen.is_empty() {
            self.seen.extend(self.list.iter().cloned());
        }
        if self.seen.insert(text.to_owned()) {
            self.list.push(text.to_owned());
        }
    }
}
