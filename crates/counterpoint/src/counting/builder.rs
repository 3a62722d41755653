//! Adds events to those of a list, and gives each native event its group.

use super::requested::{Group, GroupOrigin, Input, Metric, Requested, Rule};
use super::resolved::Resolved;
use crate::error::Error;
use crate::error::set::SetError;
use crate::machine::pmus::Machine;
use crate::machine::values::known_name;
use crate::names::candidate::{Candidate, CandidateEvent};
use crate::names::components;
use crate::names::error::NameError;
use crate::names::ids::EventId;
use crate::names::lookup::{self};
use crate::names::native::Native;
use crate::names::patterns;
use crate::names::terms::{Found, term_on};
use crate::names::views::View;
use crate::report::note::Note;
use crate::report::values::Reason;
use crate::sources::source::Source;
use counterpoint_definitions::{Expansion, Origin};
use counterpoint_pmu::syntax::{self, EventSpec, Modifiers, Term};

pub(crate) struct Builder<'m> {
    pub(crate) machine: &'m Machine,
    /// The levels at which events are counted that name none.
    levels: Modifiers,
    pub(crate) requested: Requested,
    /// The group of all software events outside braces.
    software: Option<usize>,
}

impl Builder<'_> {
    pub(super) fn new(machine: &Machine, levels: Modifiers) -> Builder<'_> {
        Builder { machine, levels, requested: Requested::default(), software: None }
    }

    pub(super) fn finish(self) -> Result<Resolved, Error> {
        if self.requested.metrics.is_empty() {
            Err(Error::from(SetError::NoEvents))
        } else {
            Ok(self.requested.into())
        }
    }

    pub(super) fn list(
        &mut self,
        list: &str,
        views: &[View],
        filter: Option<&str>,
    ) -> Result<(), Error> {
        let groups = syntax::parse(list)?;
        let last = groups.iter().flat_map(|group| &group.events).last().map(|s| s.span.clone());
        for group in groups {
            let mut members = group.braces.then(Vec::new);
            for spec in &group.events {
                let filter = filter.filter(|_| Some(&spec.span) == last.as_ref());
                let found = match self.found(views, spec) {
                    // A node without the PMU does not end a job; others may have it.
                    Err(error) if names_pmu(spec) && error.is_pmu_of_others() => {
                        self.unavailable(spec, &error);
                        continue;
                    }
                    found => found?,
                };
                for (spec, mut candidate) in found {
                    if let Some(filter) = filter {
                        filtered(&spec, &mut candidate, filter)?;
                    }
                    self.event(&spec, candidate, views, &mut members)?;
                }
            }
            if let Some(members) = members {
                self.braces(members);
            }
        }
        Ok(())
    }

    /// The first candidate for an event; for a pattern that is not a name, that of each event that it matches.
    fn found(
        &self,
        views: &[View],
        spec: &EventSpec,
    ) -> Result<Vec<(EventSpec, Candidate)>, Error> {
        match lookup::first(self.machine, views, spec) {
            Err(error) if error.is_unknown_event() && patterns::is_pattern(spec) => {
                patterns::matching(self.machine, views, spec)
            }
            found => Ok(vec![(spec.clone(), found?)]),
        }
    }

    /// Adds an event that cannot be counted here.
    fn unavailable(&mut self, spec: &EventSpec, error: &Error) {
        let event = given_name(spec).unwrap_or_else(|| spec.text.clone());
        let rule = Rule::Unavailable(Reason::NotShown(error.to_string()));
        self.requested.metrics.push(Metric::new(event, EventId::name(&spec.text), None, rule));
    }

    fn event(
        &mut self,
        spec: &EventSpec,
        candidate: Candidate,
        views: &[View],
        members: &mut Option<Vec<usize>>,
    ) -> Result<(), Error> {
        match candidate.events.first() {
            Some(CandidateEvent::Definition { .. }) => {
                self.definitions(spec, &candidate.events, views, members);
            }
            Some(CandidateEvent::Unsupported(preset)) => self.requested.metrics.push(Metric::new(
                spec.text.clone(),
                EventId::name(preset.name),
                None,
                Rule::Unavailable(preset.unsupported_by("this processor")),
            )),
            Some(CandidateEvent::Source(source)) => {
                let (id, unit) = (EventId::name(source.name()), source.unit().map(str::to_string));
                let rule = Rule::Source(self.source(source));
                self.requested.metrics.push(Metric::new(spec.text.clone(), id, unit, rule));
            }
            _ => {
                let natives = match candidate.natives {
                    Err(error) if names_pmu(spec) && error.is_pmu_of_others() => {
                        self.unavailable(spec, &error);
                        return Ok(());
                    }
                    natives => natives?,
                };
                for native in natives {
                    let native = native.at_levels(self.levels);
                    let event = given_name(spec).unwrap_or_else(|| spec.text.clone());
                    let (id, unit) = (native.id.clone(), native.unit.clone());
                    let rule = Rule::Native(self.native(native, members));
                    self.requested.metrics.push(Metric::new(event, id, unit, rule));
                }
            }
        }
        Ok(())
    }

    /// Adds the groups that the events in one pair of braces can form: events on different CPUs cannot share a group.
    fn braces(&mut self, members: Vec<usize>) {
        let is_hybrid = !self.machine.hybrid_pmus().is_empty();
        let cpus = |index: &usize| {
            let first = self.requested.natives[*index].boxes.first();
            // If all cores are of one kind, their PMU counts on the same CPUs as the kernel's own events.
            first.map(|b| (b.cpumask.clone(), b.cpus.clone().filter(|_| is_hybrid)))
        };
        let mut groups: Vec<(_, Vec<usize>)> = Vec::new();
        for index in members {
            let here = cpus(&index);
            match groups.iter_mut().find(|(there, _)| *there == here) {
                Some((_, group)) => group.push(index),
                None => groups.push((here, vec![index])),
            }
        }
        let Some(first) = groups.first().map(|(cpus, _)| cpus.clone()) else { return };
        let is_core = |cpus: &Option<(_, Option<_>)>| matches!(cpus, Some((_, Some(_))));
        for (cpus, members) in groups {
            // A generic event has one native event for each kind of core, each in its own group.
            let is_split = cpus != first && !(is_core(&cpus) && is_core(&first));
            let origin = if is_split { GroupOrigin::SplitBraces } else { GroupOrigin::Braces };
            self.requested.groups.push(Group { members, origin });
        }
    }

    /// Adds an event to open and returns its index; an event that is already counted is not opened again.
    fn native(&mut self, native: Native, members: &mut Option<Vec<usize>>) -> usize {
        let natives = &mut self.requested.natives;
        let known = |index: &usize| natives[*index].is_same(&native);
        // In braces, only the members of the same group are counted at the same time.
        let found = match members {
            Some(members) => members.iter().copied().find(|i| known(i)),
            None => (0..natives.len()).find(|i| known(i)),
        };
        if let Some(index) = found {
            return index;
        }
        let index = natives.len();
        let leads = native.boxes.iter().any(|b| b.attr.pinned || b.attr.exclusive);
        let origin = match native.is_software() {
            _ if leads => GroupOrigin::Leader,
            true => GroupOrigin::Software,
            false => GroupOrigin::Ungrouped,
        };
        natives.push(native);
        match (members, self.software) {
            (Some(members), _) => members.push(index),
            (None, Some(group)) if origin == GroupOrigin::Software => {
                self.requested.groups[group].members.push(index);
            }
            (None, _) => {
                if origin == GroupOrigin::Software {
                    self.software = Some(self.requested.groups.len());
                }
                self.requested.groups.push(Group { members: vec![index], origin });
            }
        }
        index
    }

    /// Adds a source to read and returns its index; a source that is already read is not read again.
    fn source(&mut self, source: &Source) -> usize {
        let sources = &mut self.requested.sources;
        sources.iter().position(|known| known == source).unwrap_or_else(|| {
            sources.push(source.clone());
            sources.len() - 1
        })
    }

    /// Adds a definition for each kind of core.
    fn definitions(
        &mut self,
        spec: &EventSpec,
        events: &[CandidateEvent],
        views: &[View],
        members: &mut Option<Vec<usize>>,
    ) {
        let mut found = Vec::new();
        for event in events {
            let CandidateEvent::Definition { definition, expansion, core } = event else {
                continue;
            };
            let is_view = |view: &&View| view.core.as_ref().map(|c| &c.pmu.name) == core.as_ref();
            let Some(view) = views.iter().find(is_view) else { continue };
            let modifiers = modifiers(spec, definition.name());
            let rule = match expansion {
                Ok(whole) => self.derived(whole, view, modifiers, members),
                Err(reason) => Err(Reason::Definition(reason.to_string())),
            };
            found.push((definition, core, rule.unwrap_or_else(Rule::Unavailable)));
        }
        // A definition that is the same on all cores, such as a formula over software events, has one value.
        let one = found.len() == views.len() && found.iter().all(|other| other.2 == found[0].2);
        found.truncate(if one { 1 } else { found.len() });
        for (definition, core, rule) in found {
            let id = match core {
                Some(core) if !one => EventId::terms(core, definition.name()),
                _ => EventId::name(definition.name()),
            };
            let unit = definition.units().map(str::to_string);
            let note = (*definition.origin() == Origin::BuiltIn).then_some(Note::Generic);
            let event = spec.text.clone();
            self.requested.metrics.push(Metric { note, ..Metric::new(event, id, unit, rule) });
        }
    }

    fn derived(
        &mut self,
        whole: &Expansion,
        view: &View,
        modifiers: Modifiers,
        members: &mut Option<Vec<usize>>,
    ) -> Result<Rule, Reason> {
        // All terms are looked up before the first is added: a definition is counted completely or not at all.
        let mut terms = Vec::new();
        for term in &whole.terms {
            terms.push(term_on(self.machine, term, view, modifiers)?);
        }
        let terms: Vec<Input> = terms.into_iter().map(|term| self.input(term, members)).collect();
        let input = |name: &str| match whole.terms.iter().position(|term| term == name) {
            Some(term) => Ok(terms[term]),
            None => known_name(name).map(Input::Machine).ok_or_else(|| Reason::UnknownTerm {
                name: name.to_string(),
                problem: "it is neither a term nor a machine value".to_string(),
            }),
        };
        let inputs = whole.formula.inputs().map(input).collect::<Result<_, _>>()?;
        Ok(Rule::Derived { formula: whole.formula.clone(), inputs })
    }
}

impl Builder<'_> {
    /// The input for a term, whose event is opened from now on.
    pub(crate) fn input(&mut self, found: Found, members: &mut Option<Vec<usize>>) -> Input {
        match found {
            Found::Native(native) => {
                Input::Native(self.native(native.at_levels(self.levels), members))
            }
            Found::Source(source) => Input::Source(self.source(&source)),
            Found::Machine(name) => Input::Machine(name),
        }
    }

    /// The input for a term, if its event is opened already; a source needs no counter, and is read in any case.
    pub(crate) fn known_input(&mut self, found: &Found) -> Option<Input> {
        Some(match found {
            Found::Native(native) => {
                let native = native.clone().at_levels(self.levels);
                let is_known = |known: &Native| known.is_same(&native);
                Input::Native(self.requested.natives.iter().position(is_known)?)
            }
            Found::Source(source) => Input::Source(self.source(source)),
            Found::Machine(name) => Input::Machine(name),
        })
    }
}

/// Restricts an event, which is a tracepoint, to a condition.
fn filtered(spec: &EventSpec, candidate: &mut Candidate, filter: &str) -> Result<(), Error> {
    let is_tracepoint = matches!(candidate.events.first(), Some(CandidateEvent::Tracepoint(_)));
    if !is_tracepoint {
        return Err(
            Error::from(NameError::NoFilter { event: spec.text.to_string() }).at(spec.span.clone())
        );
    }
    for of_box in candidate.natives.iter_mut().flatten().flat_map(|native| &mut native.boxes) {
        of_box.attr.filter = Some(filter.to_string());
    }
    Ok(())
}

/// The modifiers that follow the name of a definition, and those of its group.
fn modifiers(spec: &EventSpec, name: &str) -> Modifiers {
    let syntax::Source::Name(text) = &spec.source else { return spec.modifiers };
    match syntax::split_modifiers(text) {
        (bare, Some(own)) if text.len() > name.len() && bare.len() < text.len() => {
            own.with(spec.modifiers)
        }
        _ => spec.modifiers,
    }
}

/// The name that `name=` gives an event in results.
fn given_name(spec: &EventSpec) -> Option<String> {
    let syntax::Source::Pmu { terms, .. } = &spec.source else { return None };
    terms.iter().rev().find(|term| term.name == "name").and_then(Term::text)
}

/// Returns true if an event is written with its PMU, as `power/energy-pkg/` and PAPI's `rapl:::PACKAGE_ENERGY` are.
fn names_pmu(spec: &EventSpec) -> bool {
    match &spec.source {
        syntax::Source::Pmu { .. } => true,
        syntax::Source::Name(name) => components::of_rapl(name).is_some(),
        _ => false,
    }
}
