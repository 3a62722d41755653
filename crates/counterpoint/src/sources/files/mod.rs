//! The numbers that the kernel shows in files of `/proc` and `/sys`, which `tables/sources.txt` lists.

mod form;
mod instances;
mod meter;
mod name;
mod paths;
mod pattern;
mod place;
mod subject;
mod table;
mod tally;
mod watched;

use super::source::{Kind, Meter, Opening, Presence, Source};
use crate::counting::target::Target;
use crate::report::note::Note;
use crate::report::values::Reason;
use counterpoint_perf::{CpuSet, Host};
use meter::FilesMeter;
use name::Chosen;
use std::borrow::Cow;
use subject::Subject;
use table::{FIELDS, FieldKind, File};
use watched::Watched;

/// The kind of these sources.
pub(super) struct Shown;

impl Kind for Shown {
    fn word(&self) -> &'static str {
        "file"
    }

    fn all(&self, host: &Host) -> Vec<Source> {
        instances::every(host).into_iter().map(|(chosen, label)| source(&chosen, label)).collect()
    }

    fn names(&self, host: &Host) -> Vec<String> {
        instances::spelled(host).iter().map(Chosen::name).collect()
    }

    fn find(&self, name: &str) -> Option<Source> {
        Chosen::parse(name).or_else(|| name::of_pmu(name)).map(|chosen| source(&chosen, None))
    }

    fn components(&self, host: &Host) -> Vec<(&'static str, Presence)> {
        components(host)
    }

    fn is_word(&self, word: &str) -> bool {
        name::is_word(word)
    }

    fn words_near(&self, word: &str) -> Vec<&'static str> {
        name::words_near(word)
    }

    fn of_papi(&self, host: &Host) -> Vec<(String, Source)> {
        of_papi(host)
    }

    fn is_component(&self, word: &str) -> bool {
        name::is_component(word)
    }

    fn on(&self, own: Source, host: &Host) -> Source {
        match Chosen::parse(own.name()) {
            Some(chosen) => source(&instances::usual(host, chosen), None),
            None => own,
        }
    }

    fn cpus(&self, source: &Source, host: &Host) -> Option<CpuSet> {
        let is_split = Chosen::parse(source.name()).is_some_and(|chosen| chosen.is_all_cpus());
        is_split.then(|| host.online_cpus())
    }

    fn is_level(&self, source: &Source) -> bool {
        matches!(kind(source), Some(FieldKind::Level))
    }

    fn is_peak(&self, source: &Source) -> bool {
        matches!(kind(source), Some(FieldKind::Peak(_)))
    }

    fn is_counter(&self, source: &Source) -> bool {
        matches!(kind(source), Some(FieldKind::Counter(_)))
    }

    fn note(&self, source: &Source, target: &Target) -> Option<Note> {
        subject::note(Chosen::parse(source.name())?.field.file.scope, target)
    }

    fn check(&self, source: &Source, host: &Host) -> Result<(), Reason> {
        let Some(chosen) = Chosen::parse(source.name()) else { return Err(Reason::NeverRan) };
        let subject = Subject::of(&Target::ThisThread, host);
        for cell in place::cells(host, &chosen, &subject)? {
            let file = chosen.field.file;
            let mut file = Watched::new(cell.path, None, file.form, file.needs_root);
            let number = file.want(&cell.place);
            file.read(host);
            file.reading(number)?;
        }
        Ok(())
    }

    fn open(&self, sources: &[(usize, &Source)], opening: &Opening<'_>) -> Box<dyn Meter> {
        let chosen =
            |(place, source): &(usize, &Source)| Some((*place, Chosen::parse(source.name())?));
        Box::new(FilesMeter::open(sources.iter().filter_map(chosen).collect(), opening))
    }
}

fn kind(source: &Source) -> Option<FieldKind> {
    Some(Chosen::parse(source.name())?.field.kind)
}

/// The components of the table, each with the state of the first number that a host has of it.
fn components(host: &Host) -> Vec<(&'static str, Presence)> {
    let every = instances::every(host);
    let mut components: Vec<(&str, Presence)> = Vec::new();
    for File { component, .. } in FIELDS.iter().map(|field| field.file) {
        if components.iter().any(|(known, _)| known == component) {
            continue;
        }
        let first = every.iter().find(|(own, _)| own.field.file.component == *component);
        let presence = match first.map(|(own, _)| (own, Shown.check(&source(own, None), host))) {
            Some((_, Ok(()))) => Presence::Here,
            Some((own, Err(_))) if own.field.file.needs_root => Presence::OfRoot,
            _ => Presence::Absent,
        };
        components.push((component, presence));
    }
    components
}

/// The sources of a host that PAPI's components have, each with PAPI's name.
fn of_papi(host: &Host) -> Vec<(String, Source)> {
    let every = instances::every(host).into_iter();
    let mut found: Vec<(String, Source)> = Vec::new();
    for (chosen, label) in every.filter(|(chosen, _)| !chosen.field.others.is_empty()) {
        // What stands for all CPUs is before the first of them.
        let whole = Chosen { instance: None, ..chosen.clone() };
        let whole =
            whole.is_all_cpus().then(|| Some((name::of_papi(&whole, None)?, whole))).flatten();
        let word = instances::word(host, &chosen);
        let own = name::of_papi(&chosen, word.as_deref());
        let whole = whole.map(|(name, whole)| (name, source(&whole, None)));
        for (name, source) in whole.into_iter().chain(own.map(|own| (own, source(&chosen, label))))
        {
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, source));
            }
        }
    }
    found
}

fn source(chosen: &Chosen, label: Option<String>) -> Source {
    let field = chosen.field;
    let mut description = match field.kind {
        FieldKind::Level => format!("{} (mean, least and greatest)", field.description),
        FieldKind::Counter(_) | FieldKind::Peak(_) => field.description.to_string(),
    };
    if let Some(label) = label {
        description = format!("{description}: {label}");
    }
    let unit = field.unit.map(Cow::Borrowed);
    Source::new(&Shown, chosen.name(), description, unit)
        .of_group(field.file.component, field.factor)
}
