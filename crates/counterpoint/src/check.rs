//! Checks definitions against the tables of events.

pub(crate) mod countable;
mod differences;
mod scope;

use crate::error::Error;
use crate::libraries::presets::Preset;
use crate::machine::pmus::Machine;
use crate::machine::values::known_name;
use crate::names::candidate::{Candidate, CandidateEvent};
use crate::names::finders::table;
use crate::names::finders::table::program_on;
use crate::names::finders::tracepoint;
use crate::names::lookup::known;
use crate::names::spec::spec;
use crate::names::views;
use counterpoint_definitions::{
    Block, Code, Definition, Definitions, Diagnostic, Library, NamedPmu, PmuNumber, Pmus, Role,
    Severity, link, papi,
};
use counterpoint_pmu::syntax::Source;
use counterpoint_pmu::{EncodeError, Pmu, PmuKind, all, find, similar};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use scope::{Scope, beside, pmus_named};

pub use differences::papi_differences;

/// Checks libraries of definitions together, for each PMU that they name, or for a machine with one given PMU, as [`definitions_on`] links them.
///
/// Reported are redefined names, definitions in terms of themselves, PMUs that are not in the tables, and terms that are
/// neither a definition nor an event of a PMU that their block applies to.
/// Terms that only a machine can decide are not reported: tracepoints (`sched:sched_switch`), `pmu/event/` and raw codes.
///
/// [`Diagnostic::file`] is the index of the library.
/// The findings about single lines are in [`Library::diagnostics`].
/// The PMUs of `machine` are also known by their names in sysfs, with their events there; whether the machine can count an event is not checked.
///
/// ```
/// use counterpoint::{Machine, check_definitions, definitions::Library, perf::Host};
///
/// let machine = Machine::new(Host::local());
/// let library = Library::from("CPU,skx\nEVENT,X,DERIVED_ADD,INST_RETIRED:ANY_P,BR_INST_RETIRE\n");
/// let findings = check_definitions(&machine, &[library], None);
/// assert_eq!(findings[0].message, "skx has no event `BR_INST_RETIRE`");
/// assert!(findings[0].help.as_ref().unwrap().starts_with("did you mean BR_INST_RETIRED"));
/// ```
pub fn check_definitions(
    machine: &Machine,
    libraries: &[Library],
    pmu: Option<&str>,
) -> Vec<Diagnostic> {
    let (views, shown, found) = (HashMap::new(), shown(libraries), Vec::new());
    let mut check = Check { machine, libraries, views, shown, unknown: 0, found };
    // Definitions before the first block apply to every PMU, so also to one without a name.
    check.view(pmu.unwrap_or_default());
    for (file, library) in libraries.iter().enumerate() {
        for block in library.blocks() {
            for named in block.pmus.iter().flatten() {
                check.pmu(file, named, block, pmu.is_none());
            }
        }
    }
    for (file, library) in libraries.iter().enumerate() {
        check.is_not_empty(file, library);
        for block in library.blocks() {
            let scope = Scope::new(block, pmu);
            for index in block.definitions.clone() {
                check.definition(file, &library.definition(index), block, &scope);
            }
        }
    }
    let key = |finding: &Diagnostic| (finding.file, finding.span.start, finding.code);
    check.found.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message)));
    check.found.dedup_by(|a, b| key(a) == key(b) && a.message == b.message);
    check.found
}

/// Links the definitions that apply to a machine with this PMU, also those of blocks for `perf`, for the architecture of
/// the PMU, or for its device in sysfs.
///
/// ```
/// use counterpoint::{definitions_on, definitions::Library, pmu};
///
/// let text = "CPU,perf\nEVENT,A,NOT_DERIVED,page-faults\nCPU,icl\nEVENT,B,NOT_DERIVED,page-faults\n";
/// let definitions = definitions_on(pmu::find("skx").unwrap(), &[Library::from(text)]);
/// assert_eq!(definitions.len(), 1);
/// ```
pub fn definitions_on(pmu: &'static Pmu, libraries: &[Library]) -> Definitions {
    link(libraries, views::names_of(&beside(pmu)).collect::<Pmus<'_>>())
}

/// The number of unknown names of PMUs for which similar names are looked for and definitions are linked.
const UNKNOWN: usize = 64;

/// The kernel's name for the core PMU on many machines, whatever the processor.
const CORE: &str = "cpu";

struct Check<'f> {
    machine: &'f Machine,
    libraries: &'f [Library],
    /// The view of each PMU, by its name in lower case; that of the PMUs that are `shown`, by no name.
    views: HashMap<String, View>,
    /// The PMUs that only sysfs may show, by the names that blocks call them.
    shown: Vec<&'f str>,
    /// The number of unknown PMUs so far.
    unknown: usize,
    found: Vec<Diagnostic>,
}

/// The definitions that apply to a machine with some PMU: the presets, and those of the libraries.
struct View {
    /// The PMU, and the others of such a machine.
    names: Vec<String>,
    definitions: Definitions,
}

impl View {
    /// Returns true if a term of a block stands for a definition, on a machine to which the block applies.
    fn has(&self, block: &Block, term: &str) -> bool {
        self.definitions.get(term).is_some()
            && self.names.iter().any(|name| block.is_for(views::numbered(name)))
    }
}

impl Check<'_> {
    fn view(&mut self, pmu: &str) {
        let shown = match find(pmu) {
            Some(_) => Vec::new(),
            // A machine may have all of them, but for other cores.
            None => std::iter::once(pmu).chain(self.shown.iter().copied()).collect(),
        };
        let is_shown = self.shown.iter().any(|shown| shown.eq_ignore_ascii_case(pmu));
        let key = if is_shown { String::new() } else { pmu.to_ascii_lowercase() };
        let (libraries, found) = (self.libraries, &mut self.found);
        _ = self.views.entry(key).or_insert_with(|| {
            let pmus = pmus_with(pmu);
            let (definitions, presets) = views::link_for(&pmus, shown.iter().copied(), libraries);
            let linked = definitions.diagnostics().iter().cloned();
            let is_same = |text: &str, cycles: &str| table::is_cycles_on(&pmus, text, cycles);
            let all = linked.chain(papi::check_cycles(&definitions, is_same));
            found.extend(all.filter_map(|finding| {
                Some(Diagnostic { file: finding.file.checked_sub(presets)?, ..finding })
            }));
            let mut names = vec![pmu.to_string(), "perf".to_string()];
            names.extend(shown.iter().map(|name| name.to_string()));
            for beside in &pmus {
                names.extend([beside.name].into_iter().chain(beside.devices()).map(str::to_string));
            }
            View { names, definitions }
        });
    }

    fn report(
        &mut self,
        file: usize,
        span: Range<usize>,
        code: Code,
        message: String,
        help: Option<String>,
    ) {
        self.found.push(Diagnostic { severity: code.severity(), code, file, span, message, help });
    }

    /// Reports a file that defines nothing, unless that is because of errors.
    fn is_not_empty(&mut self, file: usize, library: &Library) {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
        if library.is_empty() && !library.diagnostics().iter().any(is_error) {
            let help = Some("a definition begins with EVENT or PRESET".to_owned());
            let message = "the file defines nothing".to_owned();
            self.report(file, 0..0, Code::NoDefinition, message, help);
        }
    }

    /// Returns true if a PMU is in the tables, or a device of the kernel.
    fn is_known(&self, name: &str) -> bool {
        let is_shown = |shown: &String| shown.eq_ignore_ascii_case(name);
        !pmus_named(name).is_empty()
            || name.eq_ignore_ascii_case(CORE)
            || self.machine.pmu_names().iter().any(is_shown)
    }

    /// Returns true if a term may be a tracepoint, of whatever machine, or is an event that sysfs or the vendor's files have on
    /// this machine.
    fn is_left_to_the_machine(&self, term: &str) -> bool {
        let is_named = |name: &str| {
            Preset::find(name).is_some()
                || self.views.values().any(|view| view.definitions.get(name).is_some())
                || all().any(|pmu| pmu.event(name).is_some())
        };
        let is_of_machine = |candidate: Candidate| match candidate.events[..] {
            [CandidateEvent::Sysfs { .. }, ..] => true,
            #[cfg(feature = "json")]
            [CandidateEvent::Vendor { .. }, ..] => true,
            _ => false,
        };
        match tracepoint::tracepoint(term) {
            // The kernel's subsystems are in lower case, and the events of most tables in upper case.
            Some((system, _)) => {
                system.contains(|c: char| c.is_ascii_lowercase()) && !is_named(system)
            }
            None => {
                known(self.machine, &[], &spec(term)).is_ok_and(|c| c.is_some_and(is_of_machine))
            }
        }
    }

    /// Checks a name of a PMU, which must be known, and its number.
    fn pmu(&mut self, file: usize, named: &NamedPmu, block: &Block, link: bool) {
        let name = named.name.as_str();
        let is_known = self.is_known(name);
        self.unknown += usize::from(!is_known);
        let is_checked = is_known || self.unknown <= UNKNOWN;
        if link && is_checked {
            self.view(name);
        }
        match (find(name), named.number) {
            (Some(pmu), PmuNumber::Is(number)) if number != u32::from(pmu.number) => {
                let message = format!(
                    "the number of {} is {}, so {}",
                    pmu.name,
                    pmu.number,
                    self.without(named, block)
                );
                let help = Some("remove the field; the name is enough".to_owned());
                let span = named.number_span.clone();
                self.report(file, span, Code::WrongCpuNumber, message, help);
            }
            (None, _) if !name.is_empty() && !is_known => {
                let message =
                    format!("no PMU is called `{name}`, so {}", self.without(named, block));
                let near =
                    if is_checked { similar(name, all().map(|pmu| pmu.name)) } else { Vec::new() };
                let span = named.span.clone();
                self.report(file, span, Code::UnknownPmu, message, did_you_mean(&near));
            }
            _ => {}
        }
    }

    /// The consequence for a block that does not apply to one of its PMUs.
    fn without(&self, named: &NamedPmu, block: &Block) -> &'static str {
        let applies = |other: &NamedPmu| {
            let is_number = match (find(&other.name), other.number) {
                (Some(pmu), PmuNumber::Is(number)) => number == u32::from(pmu.number),
                (_, number) => number == PmuNumber::Any,
            };
            is_number && self.is_known(&other.name)
        };
        if block.pmus.iter().flatten().any(|other| !std::ptr::eq(other, named) && applies(other)) {
            "this line has no effect"
        } else {
            "these definitions apply to no machine"
        }
    }

    fn definition(
        &mut self,
        file: usize,
        definition: &Definition,
        block: &Block,
        scope: &Scope<'_>,
    ) {
        if scope.pmus.is_empty() {
            return;
        }
        // No event has the name of a preset, and tracepoints are known on the machine only.
        let name = definition.name();
        let may_hide = Preset::find(name).is_none() && !tracepoint::is_everywhere(name);
        if may_hide && problem(name, scope).is_none() {
            let message = format!(
                "{} is already the name of an event, which this definition hides",
                definition.name()
            );
            let help = Some("rename the definition".to_owned());
            self.report(file, definition.name_span(), Code::HidesEvent, message, help);
        }
        for term in definition.terms() {
            let own =
                scope.names.iter().filter_map(|name| self.views.get(&name.to_ascii_lowercase()));
            if own.into_iter().any(|view| view.definitions.get(term.name).is_some()) {
                continue;
            }
            let Some(problem) = problem(term.name, scope) else { continue };
            // On a machine that has both PMUs, a block may use definitions of another block.
            if self.views.values().any(|view| view.has(block, term.name))
                || self.is_left_to_the_machine(term.name)
            {
                continue;
            }
            let (mut message, help) = problem.words(&scope.pmus);
            if let Some(preset) = Preset::find(term.name) {
                let names = scope.names.join(" and ");
                message = format!("no event of {names} counts {}", preset.name);
            }
            self.report(file, term.span, Code::UnknownEvent, message, help);
            if let (Role::Preset, Some(last)) = (definition.role(), self.found.last_mut()) {
                last.severity = Severity::Warning;
            }
        }
    }
}

/// A PMU, and the others of a machine that has it, except other kinds of cores.
fn pmus_with(name: &str) -> Vec<&'static Pmu> {
    let Some(pmu) = find(name) else { return Vec::new() };
    let machine = pmu.processor().map(counterpoint_pmu::Machine::of);
    let others = machine.map(|machine| machine.pmus).unwrap_or_default();
    let beside =
        others.into_iter().filter(|other| other.kind != PmuKind::Core || other.is_architectural());
    std::iter::once(pmu).chain(beside.filter(|other| other.name != pmu.name)).collect()
}

/// The PMUs that are not in the tables, by the names that blocks call them, except kinds of cores.
fn shown(libraries: &[Library]) -> Vec<&str> {
    let blocks = libraries.iter().flat_map(|library| library.blocks());
    let named = blocks.flat_map(|block| block.pmus.iter().flatten()).map(|named| &*named.name);
    named.filter(|name| find(name).is_none() && !table::may_be_core(name)).collect()
}

/// The reason why a name is neither an event of some PMUs nor of the kernel.
enum Problem {
    /// None of them has an event of this name.
    NoEvent(String),
    /// The event cannot be encoded as it is written.
    Encode(EncodeError),
    Other(Error),
}

impl Problem {
    /// A message, and a correction, for which similar names are looked for.
    fn words(&self, pmus: &[&'static Pmu]) -> (String, Option<String>) {
        match self {
            Problem::NoEvent(name) => no_event(name, pmus),
            Problem::Encode(error) => {
                let help = Some(error.help()).filter(|help| !help.is_empty());
                (error.kind.to_string(), did_you_mean(&error.similar()).or(help))
            }
            Problem::Other(error) => (error.to_string(), error.help().map(|hint| hint.to_string())),
        }
    }
}

/// The reason why a name is not an event; `None` also for an event that is written as a code, because only a machine can
/// show whether it exists.
fn problem(name: &str, scope: &Scope<'_>) -> Option<Problem> {
    let spec = spec(name);
    let Source::Name(text) = &spec.source else { return None };
    if matches!(crate::names::components::without_component(text), Ok(Cow::Owned(_))) {
        // An energy of PAPI's component `rapl`: only a machine can tell.
        return None;
    }
    let plain = crate::names::components::without_component(text);
    let programmed = plain.ok().and_then(|plain| program_on(&scope.pmus, &plain));
    if matches!(programmed, Some(Ok(_))) {
        return None;
    }
    let candidate = known(&scope.machine, &[], &spec);
    if known_name(text).is_some() && matches!(candidate, Ok(None)) {
        return None;
    }
    let is_of_tables = match &candidate {
        Ok(Some(candidate)) => matches!(candidate.events[..], [CandidateEvent::Table(_), ..]),
        Ok(None) => return Some(Problem::NoEvent(text.clone())),
        Err(_) => true,
    };
    match (programmed.filter(|_| is_of_tables), candidate) {
        (Some(programmed), _) => programmed.err().map(Problem::Encode),
        (_, Err(error)) => Some(if text.contains("::") && !text.contains(":::") {
            Problem::NoEvent(text.clone())
        } else {
            Problem::Other(error)
        }),
        _ => None,
    }
}

fn no_event(text: &str, pmus: &[&'static Pmu]) -> (String, Option<String>) {
    let (prefix, string) = text.split_once("::").map_or((None, text), |(p, s)| (Some(p), s));
    let of_prefix = prefix.and_then(find);
    if let (Some(prefix), None) = (prefix, of_prefix) {
        let near = similar(prefix, all().map(|pmu| pmu.name));
        return (format!("no PMU is called `{prefix}`"), did_you_mean(&near));
    }
    let pmus = of_prefix.as_ref().map_or(pmus, std::slice::from_ref);
    let name = table::event_name(string);
    let message = match pmus {
        [pmu] => format!("{} has no event `{name}`", pmu.name),
        _ => format!("none of these PMUs has an event `{name}`"),
    };
    let mut near = similar(name, pmus.iter().flat_map(|pmu| pmu.events()).map(|event| event.name));
    near.dedup();
    (message, did_you_mean(&near))
}

fn did_you_mean(near: &[&str]) -> Option<String> {
    let near = &near[..near.len().min(3)];
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}
