//! Links libraries: collects the definitions that apply to one machine.
//!
//! # How definitions are found
//!
//! 1. A front end reads one source into a `Library`: `definitions::papi` reads PAPI's event-definition files, `definitions::metrics` those of metrics. `libraries::languages` of the facade has the list of front ends; a library can also be built in code.
//! 2. A `Library` is immutable and shared. Each block names the PMUs to which its definitions apply, and the `Origin` is where they come from.
//! 3. `link` takes libraries and the PMUs of a machine. All blocks that apply are read as one text, in the order of the libraries and of the lines in each; the last definition of a name wins, and may use any other definition that applies. Only the metrics of a vendor's library use each other, whatever hides one of them. The order of the libraries is: presets, `PAPI_USER_EVENTS_FILE`, `COUNTERPOINT_EVENTS`, `-f` in the order given. A machine is linked once, on a hybrid machine once for each kind of core.
//! 4. `graph` orders definitions by their dependencies and finds cycles, for libraries and for the formulas of 24x7 catalogs alike.
//! 5. `expand` substitutes the definitions of terms, down to native events and one formula.

use std::collections::HashMap;
use std::sync::Arc;

use counterpoint_formula::{Formula, Limits, Op};

use crate::diagnostic::{Code, Diagnostic};
use crate::graph::{Cycle, Graph};
use crate::library::{Definition, Library};
use crate::model::{Origin, PmuName, Unavailable, term_index};

/// The definitions that apply to a set of PMUs, such as those of one machine.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    libraries: Vec<Library>,
    linked: Vec<Linked>,
    by_name: HashMap<String, usize>,
    /// The metrics of vendors that other definitions hide, by library and name: those of the same library still use them.
    within: HashMap<(usize, String), usize>,
    graph: Graph,
    diagnostics: Vec<Diagnostic>,
}

/// The definition that a name stands for.
#[derive(Clone, Debug)]
struct Linked {
    position: Position,
    /// Earlier definitions of the same name, in order.
    hidden: Vec<Position>,
    /// The name stands for another definition.
    is_within: bool,
    /// The reason why the definition has no value, if it has none.
    unavailable: Option<Unavailable>,
}

/// The location of a definition.
#[derive(Clone, Copy, Debug)]
struct Position {
    library: usize,
    block: usize,
    index: usize,
}

/// Links libraries for a set of PMUs: returns the definitions that apply to them.
///
/// All blocks that apply to at least one of the PMUs are read as one text, in the order of the libraries and of the lines in each.
/// The last definition of a name wins.
/// A term that names a definition, before or after it and in any library, stands for that definition;
/// any other term is the string of a native event, which the caller resolves.
/// On a machine with several kinds of cores, the PMUs of each kind are linked separately.
///
/// ```
/// use counterpoint_definitions::{Library, link};
///
/// let presets = Library::from("CPU,skx\nPRESET,PAPI_TOT_CYC,NOT_DERIVED,CPU_CLK_UNHALTED:THREAD_P\n");
/// let user = Library::from("CPU,skx\nEVENT,CPI,DERIVED_INFIX,N0/N1,PAPI_TOT_CYC,INSTRUCTION_RETIRED\n");
/// let libraries = [presets, user];
/// let definitions = link(&libraries, "skx");
/// let cpi = definitions.get("cpi").unwrap();
/// let natives = definitions.expand(&cpi).unwrap().terms;
/// assert_eq!(natives, ["CPU_CLK_UNHALTED:THREAD_P", "INSTRUCTION_RETIRED"]);
/// assert!(link(&libraries, "icl").is_empty());
/// ```
pub fn link<'a>(libraries: &[Library], pmus: impl Into<Pmus<'a>>) -> Definitions {
    let pmus = pmus.into().0;
    let mut definitions = Definitions { libraries: libraries.to_vec(), ..Definitions::default() };
    for (number, library) in libraries.iter().enumerate() {
        for block in library.blocks_for(&pmus) {
            for index in library.blocks()[block].definitions.clone() {
                definitions.add(Position { library: number, block, index });
            }
        }
    }
    definitions.resolve();
    definitions.diagnostics.sort_by_key(|finding| (finding.file, finding.span.start));
    definitions
}

/// The PMUs for which libraries are linked.
#[derive(Clone, Debug, Default)]
pub struct Pmus<'a>(Vec<PmuName<'a>>);

impl<'a, P: Into<PmuName<'a>>> From<P> for Pmus<'a> {
    fn from(pmu: P) -> Self {
        Pmus(vec![pmu.into()])
    }
}

impl<'a> FromIterator<PmuName<'a>> for Pmus<'a> {
    fn from_iter<I: IntoIterator<Item = PmuName<'a>>>(pmus: I) -> Self {
        Pmus(pmus.into_iter().collect())
    }
}

impl Linked {
    fn at(position: Position) -> Linked {
        Linked { position, hidden: Vec::new(), is_within: false, unavailable: None }
    }
}

impl Definitions {
    /// The definition of a name, ignoring case.
    pub fn get(&self, name: &str) -> Option<Definition> {
        Some(self.definition(self.linked[self.index(name)?].position))
    }

    /// The earlier definitions of a name, hidden by the one that [`Definitions::get`] returns, from last to first.
    pub fn hidden(&self, name: &str) -> impl Iterator<Item = Definition> {
        let hidden = self.index(name).map_or(&[][..], |index| &self.linked[index].hidden);
        hidden.iter().rev().map(|position| self.definition(*position))
    }

    /// The last definition of a name that applies to none of these PMUs; `None` if one applies.
    pub fn elsewhere(&self, name: &str) -> Option<Definition> {
        if self.get(name).is_some() {
            return None;
        }
        let mut all =
            self.libraries.iter().rev().flat_map(|library| {
                (0..library.len()).rev().map(|index| library.definition(index))
            });
        all.find(|definition| definition.name().eq_ignore_ascii_case(name))
    }

    /// The source and the line of a definition of a name that has an error; the last one, of all PMUs.
    pub fn unreadable(&self, name: &str) -> Option<(&Origin, u32)> {
        let mut all = self.libraries.iter().rev();
        all.find_map(|library| Some((library.origin(), library.unreadable(name)?)))
    }

    /// All definitions, in the order in which their names first appear in the libraries.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Definition> {
        let named: Vec<&Linked> = self.linked.iter().filter(|linked| !linked.is_within).collect();
        named.into_iter().map(|linked| self.definition(linked.position))
    }

    /// The number of definitions.
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Returns true if there are no definitions.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// The reason why the definition of a name has no value; `None` if it has one.
    pub fn unavailable(&self, name: &str) -> Option<&Unavailable> {
        self.linked[self.index(name)?].unavailable.as_ref()
    }

    /// The findings of linking: redefined names, definitions in terms of themselves, definitions that are too large.
    ///
    /// [`Diagnostic::file`] is the index of the library.
    /// The findings about single lines are in [`Library::diagnostics`].
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        let found = if name.bytes().any(|byte| byte.is_ascii_lowercase()) {
            self.by_name.get(&name.to_ascii_uppercase())
        } else {
            self.by_name.get(name)
        };
        found.copied()
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    pub(crate) fn unavailable_at(&self, index: usize) -> Option<&Unavailable> {
        self.linked[index].unavailable.as_ref()
    }

    /// The library of a definition, and its index there.
    pub(crate) fn entry(&self, index: usize) -> (&Library, usize) {
        let position = self.linked[index].position;
        (&self.libraries[position.library], position.index)
    }

    /// The library of each definition, by its index, and the definition.
    pub(crate) fn with_libraries(&self) -> impl Iterator<Item = (usize, Definition)> {
        self.linked.iter().map(|linked| (linked.position.library, self.definition(linked.position)))
    }

    fn definition(&self, position: Position) -> Definition {
        self.libraries[position.library].definition(position.index)
    }

    fn add(&mut self, position: Position) {
        let key = self.libraries[position.library].name(position.index).to_ascii_uppercase();
        let index = *self.by_name.entry(key.clone()).or_insert(self.linked.len());
        let Some(known) = self.linked.get_mut(index) else {
            return self.linked.push(Linked::at(position));
        };
        let earlier = std::mem::replace(&mut known.position, position);
        known.hidden.push(earlier);
        if earlier.library != position.library && self.is_of_vendor(earlier.library) {
            self.within.insert((earlier.library, key), self.linked.len());
            self.linked.push(Linked { is_within: true, ..Linked::at(earlier) });
        }
        if (earlier.library, earlier.block) != (position.library, position.block) {
            // The reader of the source has reported a second definition in one block.
            self.report_redefinition(earlier, position);
        }
    }

    fn is_of_vendor(&self, library: usize) -> bool {
        matches!(self.libraries[library].origin(), Origin::Vendor(_))
    }

    /// The definition that a term stands for in a definition of a library.
    fn needed(&self, library: usize, name: &str) -> Option<usize> {
        let found = self.index(name)?;
        if !self.is_of_vendor(library) || self.linked[found].position.library == library {
            return Some(found);
        }
        self.within.get(&(library, name.to_ascii_uppercase())).copied()
    }

    /// Reports a definition that hides another one, except for built-in presets, which are meant to be overridden.
    fn report_redefinition(&mut self, earlier: Position, later: Position) {
        let (first, second) = (self.definition(earlier), self.definition(later));
        if first.origin().is_included() {
            return;
        }
        let file = if earlier.library == later.library { "" } else { " of an earlier file" };
        let message = format!(
            "{} is defined on line {}{file} and again on line {}; the later definition is used",
            second.name(),
            first.line(),
            second.line()
        );
        let diagnostic = Diagnostic::new(Code::Redefined, second.name_span(), message);
        self.diagnostics.push(Diagnostic { file: later.library, ..diagnostic });
    }

    /// Resolves each term, and finds the definitions that have no value.
    fn resolve(&mut self) {
        self.graph = Graph::new(self.linked.len(), |index| {
            let (library, entry) = self.entry(index);
            let terms = library.terms(entry).enumerate();
            let is_other = |needed: &usize| *needed != index || !library.is_metric(entry);
            let number = self.linked[index].position.library;
            let needed = |name: &str| self.needed(number, name).filter(is_other);
            terms.filter_map(|(nth, term)| Some((nth, needed(term.name)?))).collect::<Vec<_>>()
        });
        let order = self.graph.order();
        let chains: Vec<Arc<[String]>> =
            order.cycles.iter().map(|cycle| self.report_cycle(cycle)).collect();
        let mut sizes: Vec<usize> = vec![0; self.linked.len()];
        for index in order.nodes {
            let size = match order.cycle_of[index] {
                Some(cycle) => Err(Unavailable::Cycle { chain: chains[cycle].clone() }),
                None => self.measure(index, &sizes),
            };
            match size {
                Ok(size) => sizes[index] = size,
                Err(reason) => self.linked[index].unavailable = Some(reason),
            }
        }
    }

    /// Reports a cycle, and returns the chain of its names.
    fn report_cycle(&mut self, cycle: &Cycle) -> Arc<[String]> {
        const SHOWN: usize = 8;
        let name = |index: &usize| {
            let (library, entry) = self.entry(*index);
            library.name(entry).to_owned()
        };
        let mut chain: Vec<String> = cycle.nodes.iter().take(SHOWN).map(name).collect();
        if cycle.nodes.len() > SHOWN {
            chain.push("…".to_owned());
            chain.extend(cycle.nodes.last().map(name));
        }
        chain.extend(cycle.nodes.first().map(name));
        let message = match cycle.nodes.as_slice() {
            [_] => format!("{} refers to itself", chain[0]),
            _ => format!(
                "{} is defined in terms of itself: {}",
                chain[0],
                chain.join(", which needs ")
            ),
        };
        if let Some(last) = cycle.nodes.last() {
            let position = self.linked[*last].position;
            let definition = self.definition(position);
            let span = definition.term(cycle.closing).map_or(0..0, |term| term.span);
            let diagnostic = Diagnostic::new(Code::Cycle, span, message)
                .help("use the native event here, or rename one of the definitions");
            self.diagnostics.push(Diagnostic { file: position.library, ..diagnostic });
        }
        chain.into()
    }

    /// The number of operations of a definition when it is fully expanded, from the sizes of its terms.
    fn measure(&mut self, index: usize, sizes: &[usize]) -> Result<usize, Unavailable> {
        let position = self.linked[index].position;
        let definition = self.definition(position);
        let mut of_terms = vec![0; definition.terms().len()];
        for edge in self.graph.needs(index) {
            if let Some(reason) = &self.linked[edge.needed].unavailable {
                let term = definition.term(edge.operand);
                let term = term.map(|term| term.name.to_owned()).unwrap_or_default();
                let reason = match reason {
                    Unavailable::Term { reason, .. } => Arc::clone(reason),
                    reason => Arc::new(reason.clone()),
                };
                return Err(Unavailable::Term { term, reason });
            }
            of_terms[edge.operand] = sizes[edge.needed];
        }
        let size = match definition.formula() {
            None => of_terms.first().copied().unwrap_or_default(),
            Some(formula) => operations(formula, &of_terms),
        };
        if size <= Limits::default().operations {
            return Ok(size);
        }
        let reason = Unavailable::TooLarge;
        let message = format!("{} has no value: {reason}", definition.name());
        let diagnostic = Diagnostic::new(Code::TooLarge, definition.name_span(), message)
            .help("use fewer definitions, or use their native events directly");
        self.diagnostics.push(Diagnostic { file: position.library, ..diagnostic });
        Err(reason)
    }
}

/// The number of operations of a formula whose terms have the given numbers of operations.
fn operations(formula: &Formula, terms: &[usize]) -> usize {
    let inputs: Vec<usize> = formula
        .inputs()
        .map(|input| term_index(input).and_then(|index| terms.get(index)).map_or(0, |size| *size))
        .collect();
    let mut sizes: Vec<usize> = Vec::with_capacity(formula.ops().len());
    for op in formula.ops() {
        sizes.push(match op {
            Op::Constant(_) => 0,
            Op::Input(at) => inputs[*at as usize],
            op => op.operands().map(|at| sizes[at as usize]).fold(1, usize::saturating_add),
        });
    }
    sizes.last().copied().unwrap_or_default()
}
