//! Definition files against the tables of events.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::presets::{self, Preset};
use crate::without_component;

use counterpoint_definitions::ast::{self, Cpu, Event, Field, File, Item, Keyword, Unreadable};
use counterpoint_definitions::{Code, Definitions, Diagnostic, Severity, link, parse};
use counterpoint_pmu::syntax::{self, Source};
use counterpoint_pmu::{Context, Layer, Machine, Pmu, all, find, kernel, program, similar};

/// What the files say together, as each PMU that they name sees them, or the one asked for: names defined again,
/// definitions made of themselves; and what the tables of events do not have: PMUs, and terms that are neither a
/// definition nor an event of a PMU that their `CPU` lines name.
///
/// What is wrong in single lines is in the [`Parse`](counterpoint_definitions::Parse) of their file.
///
/// ```
/// use counterpoint::{check_definitions, definitions::parse};
///
/// let file = parse("CPU,skx\nEVENT,X,DERIVED_ADD,INST_RETIRED:ANY_P,BR_INST_RETIRE\n").file;
/// let findings = check_definitions(&[&file], None);
/// assert_eq!(findings[0].message, "skx has no event `BR_INST_RETIRE`");
/// assert!(findings[0].help.as_ref().unwrap().starts_with("did you mean BR_INST_RETIRED"));
/// ```
pub fn check_definitions(files: &[&File<'_>], pmu: Option<&str>) -> Vec<Diagnostic> {
    let mut check = Check { files, views: HashMap::new(), unknown: 0, found: Vec::new() };
    // What stands before any CPU line is for every PMU, so also for one of no name.
    check.view(pmu.unwrap_or_default());
    for (index, file) in files.iter().enumerate() {
        let mut block = Block::new(&[], pmu);
        let mut list: Vec<&Cpu<'_>> = Vec::new();
        for item in &file.items {
            match item {
                Item::Cpu(cpu) => {
                    check.cpu(index, cpu, pmu.is_none());
                    list.push(cpu);
                }
                Item::Component(_) => {
                    list.clear();
                    block = Block::default();
                }
                Item::Event(_) | Item::Unreadable(Unreadable { keyword: Some(_), .. })
                    if !list.is_empty() =>
                {
                    block = Block::new(&list, pmu);
                    list.clear();
                }
                _ => {}
            }
            if let Item::Event(event) = item {
                check.event(index, event, &block);
            }
        }
    }
    check.found.sort_by_key(|finding| (finding.file, finding.span.start, finding.code));
    check.found.dedup_by_key(|finding| (finding.file, finding.span.start, finding.code));
    check.found
}

/// The PMUs that definitions are for, up to the next `CPU` line.
#[derive(Default)]
struct Block<'f> {
    /// Those of the names in its `CPU` lines that are names of PMUs.
    names: Vec<&'f str>,
    pmus: Vec<&'static Pmu>,
}

impl<'f> Block<'f> {
    /// The block of a list of `CPU` lines; one that is not for the PMU that is asked for has no PMUs.
    fn new(list: &[&'f Cpu<'_>], pmu: Option<&'f str>) -> Self {
        let mut block = Block::default();
        let mut add = |name: &'f str| {
            let pmus = pmus_named(name);
            if !pmus.is_empty() && !block.names.iter().any(|known| known.eq_ignore_ascii_case(name))
            {
                block.names.push(name);
                block.pmus.extend(pmus);
            }
        };
        match pmu {
            Some(name) if list.is_empty() || list.iter().any(|cpu| cpu.matches(numbered(name))) => {
                add(name);
            }
            Some(_) => {}
            None => list.iter().for_each(|cpu| add(cpu.name.text)),
        }
        block
    }
}

/// So many `CPU` lines of PMUs that nobody knows are looked at as closely as others: each costs as much as all files together.
const UNKNOWN: usize = 64;

struct Check<'f, 's> {
    files: &'f [&'f File<'s>],
    /// What each PMU sees, by its name in small letters.
    views: HashMap<String, View>,
    /// How many PMUs were named that nobody knows.
    unknown: usize,
    found: Vec<Diagnostic>,
}

/// What one PMU sees.
struct View {
    definitions: Definitions,
    presets: Definitions,
}

impl View {
    fn has(&self, name: &str) -> bool {
        self.definitions.get(name).is_some() || self.presets.get(name).is_some()
    }
}

impl Check<'_, '_> {
    fn view(&mut self, pmu: &str) -> &View {
        self.views.entry(pmu.to_ascii_lowercase()).or_insert_with(|| {
            let definitions = link(self.files, numbered(pmu));
            self.found.extend(definitions.diagnostics().iter().cloned());
            let presets = [parse(presets::kernel_source()), parse(presets::source(pmu))];
            let presets = link(&presets.each_ref().map(|parse| &parse.file), pmu);
            View { definitions, presets }
        })
    }

    fn report(
        &mut self,
        file: usize,
        field: &Field<'_>,
        code: Code,
        message: String,
        help: Option<String>,
    ) {
        let (severity, span) = (code.severity(), field.span());
        self.found.push(Diagnostic { severity, code, file, span, message, help });
    }

    /// A PMU that is named must be in the tables, or be a device of the kernel's.
    fn cpu(&mut self, file: usize, cpu: &Cpu<'_>, link: bool) {
        let name = cpu.name.text;
        let is_known = !pmus_named(name).is_empty();
        self.unknown += usize::from(!is_known);
        let is_looked_at = is_known || self.unknown <= UNKNOWN;
        if link && is_looked_at {
            self.view(name);
        }
        match (find(name), cpu.number) {
            (Some(pmu), Some(field)) => {
                let number = field.text.parse::<u16>();
                if number.is_ok_and(|number| number != pmu.number) {
                    let message = format!(
                        "{} has the number {}, so these events are for none",
                        pmu.name, pmu.number
                    );
                    let help = Some("take the field away; the name alone is enough".to_owned());
                    self.report(file, &field, Code::WrongCpuNumber, message, help);
                }
            }
            (None, _) if !name.is_empty() && !is_known => {
                let message = format!("there is no PMU `{name}`, so these events are for none");
                let near = if is_looked_at {
                    similar(name, all().map(|pmu| pmu.name))
                } else {
                    Vec::new()
                };
                self.report(file, &cpu.name, Code::UnknownPmu, message, did_you_mean(&near));
            }
            _ => {}
        }
    }

    fn event(&mut self, file: usize, event: &Event<'_>, block: &Block<'_>) {
        let Block { names, pmus } = block;
        if pmus.is_empty() {
            return;
        }
        if refusal(event.name.text, pmus).is_none() {
            let message = format!("{} is an event already, and this hides it", event.name.text);
            let help = Some("give it another name".to_owned());
            self.report(file, &event.name, Code::HidesEvent, message, help);
        }
        for term in event.terms.iter() {
            if names.iter().any(|name| self.view(name).has(term.text)) {
                continue;
            }
            let Some((mut message, help)) = refusal(term.text, pmus) else { continue };
            if let Some(preset) = Preset::find(term.text) {
                message = format!("no event of {} counts {}", names.join(" and "), preset.name);
            }
            self.report(file, term, Code::UnknownEvent, message, help);
            if let (Keyword::Preset, Some(last)) = (event.keyword, self.found.last_mut()) {
                last.severity = Severity::Warning;
            }
        }
    }
}

/// A PMU as `CPU` lines name it: by its number too, where the tables have one.
pub(crate) fn numbered(name: &str) -> ast::Pmu<'_> {
    ast::Pmu { name, number: find(name).map(|pmu| pmu.number.into()) }
}

/// The PMUs of the tables that a `CPU` line means: the one of that name, or those that the kernel calls so.
fn pmus_named(name: &str) -> Vec<&'static Pmu> {
    /// By the kernel's names for them, in small letters.
    static DEVICES: LazyLock<HashMap<String, Vec<&'static Pmu>>> = LazyLock::new(|| {
        let mut devices = HashMap::<String, Vec<&'static Pmu>>::new();
        for (device, pmu) in all().flat_map(|pmu| pmu.devices().map(move |device| (device, pmu))) {
            let pmus = devices.entry(device.to_ascii_lowercase()).or_default();
            if !pmus.iter().any(|known| known.name == pmu.name) {
                pmus.push(pmu);
            }
        }
        devices
    });
    match find(name) {
        Some(pmu) => vec![pmu],
        None => DEVICES.get(&name.to_ascii_lowercase()).cloned().unwrap_or_default(),
    }
}

/// Why a term is no event of these PMUs nor of the kernel, and what to write instead; what is written in perf's syntax
/// may be one.
fn refusal(term: &str, pmus: &[&'static Pmu]) -> Option<(String, Option<String>)> {
    let term = match without_component(term) {
        Ok(plain) => plain,
        Err(error) => return Some((error.to_string(), error.help())),
    };
    let term = &*term;
    let (bare, _) = syntax::split_modifiers(term);
    let is_of_kernel =
        |name: &str| kernel::find(name.strip_prefix("perf::").unwrap_or(name)).is_some();
    if is_of_kernel(term) || is_of_kernel(bare) || is_in_perfs_syntax(term) {
        return None;
    }
    let (prefix, string) = match term.split_once("::") {
        Some((prefix, string)) => (find(prefix), string),
        None => (None, term),
    };
    if let (None, Some((prefix, _))) = (prefix, term.split_once("::")) {
        let near = similar(prefix, all().map(|pmu| pmu.name));
        return Some((format!("there is no PMU `{prefix}`"), did_you_mean(&near)));
    }
    let name = string.split([':', '.']).next().unwrap_or_default();
    let pmus = prefix.as_ref().map_or(pmus, std::slice::from_ref);
    let mut having = pmus.iter().filter(|pmu| pmu.event(name).is_some()).peekable();
    if having.peek().is_none() {
        return Some(no_event(name, pmus));
    }
    let mut refused = None;
    for pmu in having {
        // The registers' layer has what only a device offers, the other one perf's own modifiers.
        for layer in [Layer::Raw, Layer::PerfEventExt] {
            let mut context = Context::new(layer);
            context.machine = Machine::with(vec![pmu]);
            // With a prefix, because without one a PMU that has a successor is passed over.
            let encode = |text: &str| match prefix {
                Some(_) => program(text, &context),
                None => program(&format!("{}::{text}", pmu.name), &context),
            };
            match encode(term).or_else(|_| encode(bare)) {
                Ok(_) => return None,
                Err(error) => refused = Some(error),
            }
        }
    }
    refused.map(|error| {
        let near: Vec<&str> = error.similar().iter().map(String::as_str).collect();
        let help = Some(error.help()).filter(|help| !help.is_empty());
        (error.kind.to_string(), did_you_mean(&near).or(help))
    })
}

/// `pmu/event/`, a raw code, or an address: only a machine can tell.
fn is_in_perfs_syntax(term: &str) -> bool {
    let Ok(groups) = syntax::parse(term) else { return false };
    let mut specs = groups.iter().flat_map(|group| &group.events);
    specs.next().is_some_and(|spec| !matches!(spec.source, Source::Name(_)))
}

fn no_event(name: &str, pmus: &[&'static Pmu]) -> (String, Option<String>) {
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
