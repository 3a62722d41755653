//! Presets and user-defined events: their codes, and what they are computed from on this machine.

use counterpoint::definitions::{
    Definition, Definitions, Expansion, Library as Source, PmuName, Pmus, link,
};
use counterpoint::pmu::Context;
use counterpoint::presets::{self, Preset};
use counterpoint::{read_definitions, read_definitions_for};
use std::ffi::c_int;
use std::io::Write;

use crate::codes::{ENOEVNT, ENOTPRESET, Failed};
use crate::layout::{EventInfo, TERMS, put};
use crate::library::{self, Files, Library};
use crate::natives::{self, NATIVE, PRESET};

/// The categories of each preset, as bits of PAPI from that of miscellaneous events on.
const CATEGORIES: [u16; 110] = [
    0xc0, 0xc2, 0x140, 0x142, 0x240, 0x242, 0xc0, 0x140, 0x240, 0x40, 0x40, 0x40, 0x40, 0x40,
    0x240, 0x240, 0xc, 0x4, 0x804, 0x24, 0x400, 0x402, 0x400, 0xc0, 0xc0, 0x140, 0x140, 0x8, 0x40,
    0x140, 0x400, 0x30, 0x30, 0x30, 0x20, 0x20, 0x20, 0x2, 0x2, 0x2, 0x2, 0x1, 0x18, 0x18, 0x18,
    0x18, 0x18, 0x18, 0x802, 0x2, 0x2, 0x2, 0x802, 0x20, 0x20, 0x8, 0x1, 0x5, 0x804, 0x1, 0x22,
    0x3, 0xc0, 0x140, 0xc0, 0x140, 0x240, 0xc0, 0x140, 0x240, 0xc0, 0x140, 0x240, 0xc2, 0x142,
    0x242, 0xc2, 0x142, 0x242, 0xc2, 0x142, 0x242, 0xc2, 0x142, 0x242, 0xc0, 0x140, 0x240, 0xc0,
    0x140, 0x240, 0xc0, 0x140, 0x240, 0x802, 0x802, 0x802, 0x802, 0x802, 0x802, 0x802, 0x802,
    0x802, 0x802, 0x802, 0x802, 0x802, 0x1, 0x802, 0x802,
];

/// The number of presets of the caller's release: the last two of the facade's list are those of 7.3.
pub(crate) fn count() -> usize {
    if library::minor() >= 3 { 110 } else { 108 }
}

/// The definitions that apply to the machine.
#[derive(Debug)]
pub(crate) struct Presets {
    definitions: Definitions,
    /// The names of the user-defined events, in the order of their codes.
    user: Vec<String>,
}

/// A preset or a user-defined event by its code.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Named {
    Preset(usize),
    User(usize),
}

impl Named {
    /// The event with a code, if it is one of a preset or of a user.
    pub(crate) fn of(code: c_int) -> Result<Named, Failed> {
        let index = (code as u32 & !(PRESET | NATIVE)) as usize;
        match code as u32 & (PRESET | NATIVE) {
            PRESET if index < count() => Ok(Named::Preset(index)),
            PRESET => Err(ENOTPRESET),
            NATIVE => Err(ENOEVNT),
            0 => Err(ENOTPRESET),
            _ => Ok(Named::User(index)),
        }
    }

    pub(crate) fn code(self) -> c_int {
        match self {
            Named::Preset(index) => (PRESET | index as u32) as c_int,
            Named::User(index) => (PRESET | NATIVE | index as u32) as c_int,
        }
    }
}

/// A preset by PAPI's number. The facade's list has the last two, those of half precision, the other way around.
fn preset(index: usize) -> Option<&'static Preset> {
    let presets = Preset::all();
    match index {
        108 | 109 => presets.iter().find(|preset| preset.name == HALF_PRECISION[index - 108]),
        _ => presets.get(index),
    }
}

/// The presets of 7.3 with the numbers from 108 on.
const HALF_PRECISION: [&str; 2] = ["PAPI_HP_OPS", "PAPI_VEC_HP"];

/// The categories of a preset.
pub(crate) fn categories(index: usize) -> u16 {
    CATEGORIES.get(index).copied().unwrap_or_default()
}

impl Presets {
    pub(crate) fn read(files: &Files, context: &Context) -> Presets {
        let text = |path: &String| {
            let text = std::fs::read(path).unwrap_or_else(|error| {
                // No function that looks up a name could say why it is not known.
                let _ = writeln!(std::io::stderr(), "libpapi: {path}: {error}");
                Vec::new()
            });
            String::from_utf8(text)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
        };
        let names = context.machine.pmus.iter();
        let names = names.map(|pmu| PmuName { name: pmu.name, number: Some(pmu.number.into()) });
        let names: Vec<PmuName<'_>> = names.collect();
        let mut sources: Vec<Source> = match &files.presets {
            Some(path) => vec![read_definitions_for(path, &text(path), &names)],
            None => {
                let pmus = context.machine.pmus.iter().rev();
                let own = pmus.filter_map(|pmu| presets::library(pmu.name));
                std::iter::once(presets::kernel_library()).chain(own).collect()
            }
        };
        let events = files.events.as_ref().map(|path| read_definitions(path, &text(path)));
        sources.extend(events.clone());
        let definitions = link(&sources, names.into_iter().collect::<Pmus<'_>>());
        let of_files = if files.presets.is_some() { &sources[..] } else { events.as_slice() };
        let user = user_names(of_files, &definitions);
        Presets { definitions, user }
    }

    /// The code of a preset or a user-defined event with this name.
    pub(crate) fn code(&self, name: &str) -> Option<c_int> {
        let is_it = |index: &usize| preset(*index).is_some_and(|preset| preset.name == name);
        let preset = (0..count()).find(is_it);
        let user = || self.user.iter().position(|own| own == name).map(Named::User);
        preset.map(Named::Preset).or_else(user).map(Named::code)
    }

    /// The number of user-defined events.
    pub(crate) fn user_count(&self) -> usize {
        self.user.len()
    }

    pub(crate) fn name(&self, named: Named) -> Result<&str, Failed> {
        match named {
            Named::Preset(index) => preset(index).map(|preset| preset.name),
            Named::User(index) => self.user.get(index).map(String::as_str),
        }
        .ok_or(ENOEVNT)
    }

    fn definition(&self, named: Named) -> Result<Definition, Failed> {
        self.definitions.get(self.name(named)?).ok_or(ENOEVNT)
    }

    /// What it is computed from, if this machine has each of its events.
    pub(crate) fn expand(&self, library: &Library, named: Named) -> Result<Expansion, Failed> {
        let definition = self.definition(named)?;
        let expansion = self.definitions.expand(&definition).map_err(|_| ENOEVNT)?;
        expansion.terms.iter().try_for_each(|term| natives::check(library, term))?;
        Ok(expansion)
    }

    /// The structure that describes it.
    pub(crate) fn info(&self, library: &Library, named: Named) -> Result<EventInfo, Failed> {
        let mut info = EventInfo { event_code: named.code() as u32, ..EventInfo::EMPTY };
        put(&mut info.symbol, self.name(named)?);
        put(&mut info.derived, "NOT_DERIVED");
        if let Named::Preset(index) = named {
            let description = preset(index).map_or("", |preset| preset.description);
            put(&mut info.short_descr, description);
            put(&mut info.long_descr, description);
            // The bit of a category is that of its modifier, which is one more in 7.2.
            info.event_type = u32::from(categories(index)) << (3 + u32::from(library::is_later()));
        }
        let Ok(definition) = self.definition(named) else { return Ok(info) };
        // A description of the file is more than the one that every machine has.
        if let Some(text) = definition.short_description() {
            put(&mut info.short_descr, text);
        }
        if let Some(text) = definition.long_description() {
            put(&mut info.long_descr, text);
        }
        put(&mut info.note, definition.note().unwrap_or_default());
        put(&mut info.derived, definition.notation());
        let expansion = match (self.expand(library, named), named) {
            (Ok(expansion), _) => expansion,
            // An event of a user is there only if its terms are.
            (Err(failed), Named::User(_)) => return Err(failed),
            // A preset without terms is one that the machine does not have.
            (Err(_), Named::Preset(_)) => return Ok(info),
        };
        if definition.notation().ends_with("FIX") {
            put(&mut info.postfix, &positional(&expansion));
        }
        for (term, place) in expansion.terms.iter().take(TERMS).zip(0..) {
            let native = natives::by_name(library, term)?;
            info.code[place] = native.code as u32;
            put(&mut info.name[place], term);
            info.count += 1;
        }
        Ok(info)
    }
}

/// The names that are no presets of PAPI, of definitions that apply to the machine.
fn user_names(sources: &[Source], definitions: &Definitions) -> Vec<String> {
    let mut names = Vec::new();
    let of_source = |source: &Source| (0..source.len()).map(|i| source.definition(i)).collect();
    for definition in sources.iter().flat_map::<Vec<Definition>, _>(of_source) {
        let name = definition.name();
        let is_preset = Preset::all().iter().any(|preset| preset.name == name);
        let is_new = !names.iter().any(|known| known == name);
        if !is_preset && is_new && definitions.get(name).is_some() {
            names.push(name.to_owned());
        }
    }
    names
}

/// The formula in postfix notation, with `N0`, `N1`, … for the terms.
fn positional(expansion: &Expansion) -> String {
    let number = |input: &str| {
        let place = expansion.terms.iter().position(|term| term == input);
        place.map_or_else(|| input.to_owned(), |place| format!("N{place}"))
    };
    expansion.formula.rename_inputs(number).postfix().to_string()
}

/// The number of codes, with that of success, that the caller's release has.
pub(crate) fn messages() -> usize {
    if library::is_later() { 29 } else { 28 }
}
