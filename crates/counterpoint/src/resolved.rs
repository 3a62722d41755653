//! Names to metrics: what the list of events comes to on one machine.

use crate::check::numbered;
use crate::native::{self, near};
use crate::presets::{self, Preset};
use crate::{Device, Error, Machine, Meaning, Native, Note, Reason};
use counterpoint_definitions::{Definition, Definitions, Expansion, ast};
use counterpoint_formula::Formula;
use counterpoint_pmu::syntax::{self, EventSpec, Modifiers, Source};
use counterpoint_pmu::{Pmu, similar};

/// Events as they are counted on one machine: what to open, in which groups, and what to show.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    pub(crate) metrics: Vec<Metric>,
    pub(crate) natives: Vec<Native>,
    pub(crate) groups: Vec<Vec<usize>>,
    /// The groups that hold hardware events outside braces, and that may become others.
    pub(crate) loose: Vec<usize>,
    /// Events whose braces hold events of other CPUs, so that they are counted apart from them.
    pub(crate) apart: Vec<usize>,
    /// Events that a plan would count together, and the kernel does not let.
    pub(crate) scattered: Vec<usize>,
    /// Events of braces that have no counter beside the others.
    pub(crate) crowded: Vec<(usize, Reason)>,
}

impl Resolved {
    /// What is opened, each event once.
    pub fn natives(&self) -> &[Native] {
        &self.natives
    }

    /// The texts that asked for events, in their order.
    pub fn names(&self) -> Vec<String> {
        self.metrics.iter().map(|metric| metric.event.clone()).collect()
    }

    /// The events of the kernel and of PMUs that were asked for, each with the text that asked; definitions are left out.
    pub fn events(&self) -> impl Iterator<Item = (&str, &Native)> {
        let native = |metric: &Metric| Some(&self.natives[metric.native()?]);
        self.metrics.iter().filter_map(move |metric| Some((metric.event.as_str(), native(metric)?)))
    }

    /// The texts that nothing counts here, such as a preset that this processor has no event for, each with the reason.
    pub fn unavailable(&self) -> impl Iterator<Item = (&str, &Reason)> {
        self.metrics.iter().filter_map(|metric| match &metric.rule {
            Rule::Unavailable(reason) => Some((metric.event.as_str(), reason)),
            _ => None,
        })
    }
}

/// One line of a report: an event, or a formula over several.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    /// The text that asked for it.
    pub event: String,
    pub canonical: String,
    pub unit: Option<String>,
    pub rule: Rule,
    pub note: Option<Note>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rule {
    Native(usize),
    Derived { formula: Formula, inputs: Vec<Input> },
    Unavailable(Reason),
}

/// What stands for an input of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Input {
    Native(usize),
    /// The highest clock rate in Hz, `#` in PAPI's formulas.
    ClockRate,
}

/// Resolves the lists of events against the definition files and the machine.
pub(crate) fn resolve(
    machine: &Machine,
    lists: &[String],
    files: &[String],
) -> Result<Resolved, Error> {
    let mut builder = Builder {
        machine,
        views: views(machine, files, lists.iter().any(|list| may_be_preset(list))),
        resolved: Resolved::default(),
        software: None,
    };
    for list in lists {
        for group in syntax::parse(list)? {
            builder.group(&group)?;
        }
    }
    if builder.resolved.metrics.is_empty() {
        return Err(Error::no_events());
    }
    Ok(builder.resolved)
}

/// What the definition files and the presets have under a name, for each kind of core.
pub(crate) fn definitions(machine: &Machine, files: &[String], name: &str) -> Vec<Meaning> {
    let of = |view: View| {
        let found = view.get(name).or_else(|| view.get(syntax::split_modifiers(name).0));
        let (all, definition) = found?;
        let core = view.core.as_ref().map(|core| core.pmu.name.clone());
        let (mut definition, expansion) = (Box::new(definition.clone()), all.expand(definition));
        let preset = Preset::find(&definition.name);
        definition.ldesc = definition.ldesc.or(preset.map(|preset| preset.description.to_string()));
        let is_preset = definition.file <= PRESETS;
        Some(Meaning::Definition { definition, expansion, core, preset: is_preset })
    };
    views(machine, files, may_be_preset(name)).into_iter().filter_map(of).collect()
}

/// What counts a preset on a machine, or on one kind of its cores.
pub(crate) struct PresetFound {
    /// The PMU of the cores, where there are several kinds of them.
    pub core: Option<String>,
    /// The kernel's own events count it.
    pub generic: bool,
    pub expansion: Expansion,
    pub natives: Result<Vec<Native>, Reason>,
}

/// What counts each preset, for each kind of core; nothing where no event does.
pub(crate) fn find_presets(machine: &Machine) -> Vec<(&'static Preset, Vec<PresetFound>)> {
    let views = views(machine, &[], true);
    let found = |preset: &Preset, view: &View| {
        let (all, definition) = view.get(preset.name)?;
        let expansion = all.expand(definition).ok()?;
        let term = |term: &String| term_on(machine, term, view, Modifiers::default());
        let natives = expansion.terms.iter().map(term).collect();
        let core = view.core.as_ref().map(|core| core.pmu.name.clone());
        Some(PresetFound { core, generic: definition.file == KERNEL, expansion, natives })
    };
    let all = Preset::all().iter();
    all.map(|preset| (preset, views.iter().filter_map(|view| found(preset, view)).collect()))
        .collect()
}

/// Whether a list of events may name a preset: all of them begin alike.
fn may_be_preset(list: &str) -> bool {
    let begins = |word: &[u8]| word.eq_ignore_ascii_case(b"PAPI_");
    list.as_bytes().windows("PAPI_".len()).any(begins)
}

/// The presets and the definitions of files as each core PMU sees them; one view where there is only one kind of core.
fn views(machine: &Machine, files: &[String], presets: bool) -> Vec<View> {
    if files.is_empty() && !presets {
        return Vec::new();
    }
    let kernel = counterpoint_definitions::parse(presets::kernel_source());
    let files: Vec<_> = files.iter().map(|text| counterpoint_definitions::parse(text)).collect();
    let linked = |names: Vec<&str>| -> Vec<Definitions> {
        let is_named = |name: &&str| {
            let mut cpus = files.iter().flat_map(|parse| parse.file.cpus());
            !presets::source(name).is_empty()
                || cpus.any(|cpu| cpu.name.text.eq_ignore_ascii_case(name))
        };
        let link = |name: &str| {
            let own = counterpoint_definitions::parse(presets::source(name));
            let all = [&kernel, &own].into_iter().chain(&files);
            let all: Vec<&ast::File<'_>> = all.map(|parse| &parse.file).collect();
            counterpoint_definitions::link(&all, numbered(name))
        };
        // What stands before any `CPU` line is for every PMU, so for the last as well.
        names.into_iter().filter(is_named).chain(["perf"]).map(link).collect()
    };
    let pmus = &machine.tables().pmus;
    let hybrid = machine.hybrid_pmus();
    if hybrid.len() > 1 {
        let view = |core: &Device| {
            let is_here = |pmu: &&&Pmu| {
                pmu.is_architectural() || pmu.devices().any(|name| name == core.pmu.name)
            };
            let mut names: Vec<&str> = pmus.iter().filter(is_here).map(|pmu| pmu.name).collect();
            names.push(&core.pmu.name);
            View { core: Some(core.clone()), linked: linked(names) }
        };
        return hybrid.into_iter().map(view).collect();
    }
    let mut names: Vec<&str> = pmus.iter().map(|pmu| pmu.name).collect();
    names.extend(machine.core_pmus().iter().map(|core| core.pmu.name.as_str()));
    vec![View { core: None, linked: linked(names) }]
}

/// What the presets and the definition files say for one kind of core.
struct View {
    /// Its PMU, on a hybrid machine.
    core: Option<Device>,
    /// Blocks for the PMUs of its tables, for its PMU in sysfs, and for `perf`, the PMU of the kernel's own events.
    ///
    /// The first file of each holds the kernel's presets, the second those of the PMU, and the user's follow.
    linked: Vec<Definitions>,
}

/// The file of the kernel's presets among those that are linked, and that of the PMU's.
const KERNEL: usize = 0;
const PRESETS: usize = 1;

impl View {
    /// The definition of a name, and those that it may be made of: a user's, or else a PMU's preset, or else the
    /// kernel's.
    fn get(&self, name: &str) -> Option<(&Definitions, &Definition)> {
        let found = self.linked.iter().filter_map(|all| Some((all, all.get(name)?)));
        found.min_by_key(|(_, definition)| match definition.file {
            KERNEL => 2,
            PRESETS => 1,
            _ => 0,
        })
    }
}

struct Builder<'m> {
    machine: &'m Machine,
    views: Vec<View>,
    resolved: Resolved,
    /// The group that all software events outside braces share: it always fits, and costs one read.
    software: Option<usize>,
}

impl Builder<'_> {
    fn group(&mut self, group: &syntax::Group) -> Result<(), Error> {
        let mut members = group.braces.then(Vec::new);
        for spec in &group.events {
            if !self.defined(spec, &mut members) && !self.uncounted(spec) {
                let natives = native::resolve(self.machine, spec)
                    .map_err(|error| self.with_defined(error, spec))?;
                for native in natives {
                    self.metric(spec, native, &mut members);
                }
            }
        }
        if let Some(members) = members {
            self.braces(members);
        }
        Ok(())
    }

    /// Adds the groups that the events of one pair of braces can form: events that count on different CPUs are no group.
    fn braces(&mut self, members: Vec<usize>) {
        let is_hybrid = !self.machine.hybrid_pmus().is_empty();
        let place = |index: &usize| {
            let first = self.resolved.natives[*index].boxes.first();
            // Where all cores are of one kind, their PMU counts wherever the kernel's own events do.
            first.map(|b| (b.cpumask.clone(), b.cpus.clone().filter(|_| is_hybrid)))
        };
        let mut groups: Vec<(_, Vec<usize>)> = Vec::new();
        for index in members {
            let here = place(&index);
            match groups.iter_mut().find(|(there, _)| *there == here) {
                Some((_, group)) => group.push(index),
                None => groups.push((here, vec![index])),
            }
        }
        let is_core = |place: &Option<(_, Option<_>)>| matches!(place, Some((_, Some(_))));
        for (place, group) in &groups {
            // A generic event is there once for each kind of core, and each has its group.
            if *place != groups[0].0 && !(is_core(place) && is_core(&groups[0].0)) {
                self.resolved.apart.extend(group);
            }
        }
        self.resolved.groups.extend(groups.into_iter().map(|(_, group)| group));
    }

    fn metric(&mut self, spec: &EventSpec, native: Native, members: &mut Option<Vec<usize>>) {
        let (canonical, unit) = (native.canonical.clone(), native.unit.clone());
        let rule = Rule::Native(self.native(native, members));
        let event = spec.text.clone();
        self.resolved.metrics.push(Metric { event, canonical, unit, rule, note: None });
    }

    /// Adds an event to open and says which it is; one that is counted already is not opened twice.
    fn native(&mut self, native: Native, members: &mut Option<Vec<usize>>) -> usize {
        let natives = &mut self.resolved.natives;
        let known = |index: &usize| natives[*index].is_same(&native);
        // Inside braces only the members of the group itself are counted at the same time.
        let found = match members {
            Some(members) => members.iter().copied().find(|i| known(i)),
            None => (0..natives.len()).find(|i| known(i)),
        };
        if let Some(index) = found {
            return index;
        }
        let index = natives.len();
        // A pinned or exclusive event must lead its group.
        let leads = native.boxes.iter().any(|b| b.attr.pinned || b.attr.exclusive);
        let software = native.is_software() && !leads;
        natives.push(native);
        match (members, self.software) {
            (Some(members), _) => members.push(index),
            (None, Some(group)) if software => self.resolved.groups[group].push(index),
            (None, _) => {
                let group = self.resolved.groups.len();
                if software {
                    self.software = Some(group);
                } else if !leads {
                    self.resolved.loose.push(group);
                }
                self.resolved.groups.push(vec![index]);
            }
        }
        index
    }

    /// Adds the definition that `spec` names, if a file has it.
    fn defined(&mut self, spec: &EventSpec, members: &mut Option<Vec<usize>>) -> bool {
        let text = match &spec.source {
            Source::Name(text) => text,
            // What looks like a raw code may be a name, such as `race`.
            Source::Raw(_) => &spec.text,
            _ => return false,
        };
        let (name, own) = syntax::split_modifiers(text);
        let modifiers = own.unwrap_or_default().with(spec.modifiers);
        let views = std::mem::take(&mut self.views);
        let mut found: Vec<(&View, &Definition, Rule)> = Vec::new();
        for view in &views {
            let exact = view.get(text).map(|found| (found, spec.modifiers));
            let Some(((definitions, definition), modifiers)) =
                exact.or_else(|| Some((view.get(name)?, modifiers)))
            else {
                continue;
            };
            let whole = definitions.expand(definition);
            let rule = (whole.map_err(|reason| Reason::Definition(reason.to_string())))
                .and_then(|whole| self.derived(whole, view, modifiers, members))
                .unwrap_or_else(Rule::Unavailable);
            found.push((view, definition, rule));
        }
        // What is the same on all cores, such as a formula over software events, has one value.
        let one = found.len() == views.len() && found.iter().all(|other| other.2 == found[0].2);
        found.truncate(if one { 1 } else { found.len() });
        let any = !found.is_empty();
        for (view, definition, rule) in found {
            let canonical = match &view.core {
                Some(core) if !one => format!("{}/{}/", core.pmu.name, definition.name),
                _ => definition.name.to_string(),
            };
            let unit = definition.units.clone();
            let note = (definition.file == KERNEL).then_some(Note::Generic);
            let event = spec.text.clone();
            self.resolved.metrics.push(Metric { event, canonical, unit, rule, note });
        }
        self.views = views;
        any
    }

    /// Adds the preset that `spec` names, which nothing here counts: programs ask for many, and want those that there are.
    fn uncounted(&mut self, spec: &EventSpec) -> bool {
        let Source::Name(text) = &spec.source else { return false };
        let Some(preset) = Preset::find(syntax::split_modifiers(text).0) else { return false };
        self.resolved.metrics.push(Metric {
            event: spec.text.clone(),
            canonical: preset.name.to_string(),
            unit: None,
            rule: Rule::Unavailable(preset.uncounted_by("this processor")),
            note: None,
        });
        true
    }

    fn derived(
        &mut self,
        whole: Expansion,
        view: &View,
        modifiers: Modifiers,
        members: &mut Option<Vec<usize>>,
    ) -> Result<Rule, Reason> {
        // All terms are resolved before the first is opened: a definition counts whole or not at all.
        let mut natives = Vec::new();
        for term in &whole.terms {
            natives.push(term_on(self.machine, term, view, modifiers)?);
        }
        let indexes: Vec<usize> =
            natives.into_iter().map(|native| self.native(native, members)).collect();
        let input = |name: &str| match whole.terms.iter().position(|term| term == name) {
            Some(place) => Input::Native(indexes[place]),
            None => Input::ClockRate,
        };
        let inputs = whole.formula.inputs().map(input).collect();
        Ok(Rule::Derived { formula: whole.formula, inputs })
    }

    /// Adds the names of the definition files to the near misses of a name that was not found.
    fn with_defined(&self, error: Error, spec: &EventSpec) -> Error {
        let linked = self.views.iter().flat_map(|view| &view.linked);
        let names: Vec<String> =
            linked.flat_map(Definitions::iter).map(|d| d.name.to_string()).collect();
        let defined = similar(&spec.text, names.iter().map(String::as_str));
        match (error.is_unknown_event(), defined.first()) {
            (true, Some(_)) => {
                let mut all: Vec<String> = defined.into_iter().map(str::to_string).collect();
                all.extend(near(self.machine, &spec.text));
                Error::unknown_event(&spec.text, all).at(spec.span.clone())
            }
            _ => error,
        }
    }
}

/// The native event that a term means for one kind of core.
fn term_on(
    machine: &Machine,
    term: &str,
    view: &View,
    modifiers: Modifiers,
) -> Result<Native, Reason> {
    let problem = |error: Error| {
        let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
        Reason::UnknownTerm { name: term.to_string(), problem: format!("{error}{help}") }
    };
    let groups = syntax::parse(term).map_err(|error| problem(error.into()))?;
    let [syntax::Group { events, .. }] = groups.as_slice() else {
        return Err(problem(Error::unknown_event(term, Vec::new())));
    };
    let [spec] = events.as_slice() else {
        return Err(problem(Error::unknown_event(term, Vec::new())));
    };
    // The levels that a term names are a part of what the definition means.
    let own = syntax::split_modifiers(term).1.unwrap_or_default().with(spec.modifiers);
    let modifiers = match own.user || own.kernel || own.hypervisor {
        true => Modifiers { user: false, kernel: false, hypervisor: false, ..modifiers },
        false => modifiers,
    };
    let spec = EventSpec { modifiers: spec.modifiers.with(modifiers), ..spec.clone() };
    let natives = native::resolve(machine, &spec).map_err(problem)?;
    // The other kind of core's count is no substitute, unless the definition asks for it by name.
    let is_wanted = |native: &&Native| match (&view.core, &spec.source) {
        (None, _) | (_, Source::Pmu { .. }) => true,
        (Some(core), _) => native.boxes.iter().all(|b| b.cpus.is_none() || b.cpus == core.cpus),
    };
    let chosen = natives.iter().find(is_wanted).cloned();
    chosen.ok_or_else(|| {
        let core = view.core.as_ref().map_or("", |core| &core.pmu.name);
        let problem = format!("the PMU {core} has no such event");
        Reason::UnknownTerm { name: term.to_string(), problem }
    })
}
