//! The answers of PAPI 7 that differ because of its own presets.

use super::scope::Scope;
use crate::libraries::presets::Preset;
use counterpoint_definitions::{Code, Definition, Diagnostic, Library, Role, Term};
use std::collections::HashSet;
use std::ops::Range;

/// Reports where PAPI 7 uses one of its presets differently than this crate: terms that are derived presets, and
/// definitions that have the name of a preset.
///
/// [`papi::differences`](counterpoint_definitions::papi::differences) reports what the text of a file shows by itself.
/// [`Diagnostic::file`] is the index of the library.
///
/// ```
/// use counterpoint::{definitions::Library, papi_differences};
///
/// let library = Library::from("CPU,spr\nEVENT,X,DERIVED_POSTFIX,N0|N1|/|,PAPI_L1_TCM,PAPI_TOT_CYC\n");
/// let findings = papi_differences(&[library]);
/// assert_eq!(findings[0].message, "PAPI loses parts of PAPI_L1_TCM, which is a derived preset of spr");
/// ```
pub fn papi_differences(libraries: &[Library]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, library) in libraries.iter().enumerate() {
        let own: HashSet<String> = definitions(library, 0..library.len())
            .map(|definition| definition.name().to_ascii_uppercase())
            .collect();
        for block in library.blocks() {
            let scope = Scope::new(block, None);
            for definition in definitions(library, block.definitions.clone()) {
                let terms = definition.terms().filter(|term| {
                    // PAPI's own rules for these are differences of the text.
                    !own.contains(&term.name.to_ascii_uppercase())
                });
                let nested = terms.filter_map(|term| preset(&term, &scope.names));
                let all = hidden(&definition).into_iter().chain(nested);
                found.extend(all.map(|finding| Diagnostic { file, ..finding }));
            }
        }
    }
    found
}

fn definitions(library: &Library, indexes: Range<usize>) -> impl Iterator<Item = Definition> {
    indexes.map(|index| library.definition(index))
}

/// A user event that PAPI does not find, because it finds a preset of that name first.
fn hidden(definition: &Definition) -> Option<Diagnostic> {
    let preset = Preset::find(definition.name()).filter(|_| definition.role() == Role::Event)?;
    let message = format!("PAPI finds its own preset {} first, and not this event", preset.name);
    let help = "rename the definition";
    Some(finding(Code::PapiHiddenName, definition.name_span(), message, help))
}

/// A term that is a preset which PAPI cannot nest, or does not have, for one of these PMUs.
fn preset(term: &Term<'_>, pmus: &[&str]) -> Option<Diagnostic> {
    let preset = Preset::find(term.name)?;
    let (pmu, problem) = pmus.iter().find_map(|pmu| match in_papi(pmu)?.of(preset.name) {
        Some(false) => None,
        known => Some((pmu, known)),
    })?;
    let (message, help) = match problem {
        Some(_) => (
            format!("PAPI loses parts of {}, which is a derived preset of {pmu}", preset.name),
            "write the events of its definition here",
        ),
        None => (
            format!("PAPI has no {} for {pmu}, and cannot count this event", preset.name),
            "write an event of the PMU here",
        ),
    };
    Some(finding(Code::PapiNested, term.span.clone(), message, help))
}

/// The presets that PAPI has for a PMU; `None` for a PMU that PAPI does not know.
fn in_papi(pmu: &str) -> Option<InPapi> {
    const PRESETS: &str = include_str!("../../presets/papi-7.3.txt");
    let lines = PRESETS.lines().filter_map(|line| line.split_once(": "));
    let mut named =
        lines.filter(|(pmus, _)| pmus.split(' ').any(|name| name.eq_ignore_ascii_case(pmu)));
    named.next().map(|(_, presets)| InPapi(presets))
}

struct InPapi(&'static str);

impl InPapi {
    /// Returns true if a preset is a derived event; `None` if PAPI does not have it.
    fn of(&self, preset: &str) -> Option<bool> {
        let name = preset.strip_prefix("PAPI_")?;
        self.0.split(' ').find_map(|known| match known.strip_suffix('*') {
            Some(derived) => (derived == name).then_some(true),
            None => (known == name).then_some(false),
        })
    }
}

fn finding(code: Code, span: Range<usize>, message: String, help: &str) -> Diagnostic {
    let help = Some(help.to_owned());
    Diagnostic { severity: code.severity(), code, file: 0, span, message, help }
}
