//! Presets and user-defined events: their names, codes and definitions.

use counterpoint::definitions::{Definition, Definitions, Library as Source, PmuName, Pmus, link};
use counterpoint::pmu::Context;
use counterpoint::presets::{self, Preset};
use counterpoint::{read_definitions, read_definitions_for};
use std::ffi::c_int;
use std::io::Write;

use crate::codes::{ENOEVNT, Failed};
use crate::event_codes::{Named, preset_count};
use crate::files::Files;

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

/// The definitions that apply to the machine.
#[derive(Debug)]
pub(crate) struct Presets {
    pub(crate) definitions: Definitions,
    /// The names of the user-defined events, in the order of their codes.
    user: Vec<String>,
}

/// A preset by PAPI's number. The facade's list has the last two, those of half precision, the other way around.
pub(crate) fn preset(index: usize) -> Option<&'static Preset> {
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
        let preset = (0..preset_count()).find(is_it);
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

    pub(crate) fn definition(&self, named: Named) -> Result<Definition, Failed> {
        self.definitions.get(self.name(named)?).ok_or(ENOEVNT)
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
