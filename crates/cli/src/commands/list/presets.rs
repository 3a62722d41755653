//! PAPI's presets, and what counts them.

use super::args::ListArgs;
use super::{Wanted, here};
use crate::failure::Failure;
use crate::names;
use crate::show::printable;
use counterpoint::presets::Preset;
use counterpoint::{Availability, ListedPreset, Machine, list_presets, list_presets_of};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Whether there are any.
pub fn run(
    args: &ListArgs,
    machine: &Machine,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let mut listed = match args.pmu.as_deref() {
        Some(pmu) => list_presets_of(names::pmu(pmu)?),
        None => list_presets(machine),
    };
    listed.retain(|listed| wanted.matches(&text(listed)));
    if args.json {
        listed.iter().try_for_each(|listed| writeln!(out, "{}", as_json(listed)))?;
    } else {
        write(out, &listed)?;
    }
    Ok(!listed.is_empty())
}

/// All that words are looked for in.
fn text(listed: &ListedPreset) -> String {
    let Preset { name, description, .. } = listed.preset;
    let natives = listed.expansion.iter().flat_map(|whole| &whole.terms);
    natives.fold(format!("{name} {description}"), |text, native| format!("{text} {native}"))
}

/// Those that something counts, each with its formula; then the names of the others.
fn write(out: &mut impl Write, listed: &[ListedPreset]) -> io::Result<()> {
    let (counted, others): (Vec<_>, Vec<_>) =
        listed.iter().partition(|listed| listed.expansion.is_some());
    let is_tried = |listed: &&ListedPreset| listed.availability != Availability::NotRecorded;
    let states: Vec<String> = if counted.iter().any(is_tried) {
        here::heading(out, "presets", counted.iter().map(|listed| &listed.availability))?
    } else {
        vec![String::new(); counted.len()]
    };
    let width = |widths: &mut dyn Iterator<Item = usize>| widths.max().map_or(0, |width| width + 2);
    let name_width = width(&mut listed.iter().map(|listed| listed.preset.name.len()));
    let state_width = width(&mut states.iter().map(String::len).filter(|width| *width > 0));
    for (listed, state) in counted.iter().zip(&states) {
        let Preset { name, description, .. } = listed.preset;
        writeln!(out, "  {name:<name_width$}{state:<state_width$}{description}")?;
        let core = listed.core.as_ref().map(|core| format!("{}: ", printable(core)));
        let formula = listed.expansion.as_ref().map(|whole| whole.formula.to_string());
        let kernel = if listed.generic { ", the kernel's own" } else { "" };
        let (core, formula) = (core.unwrap_or_default(), formula.unwrap_or_default());
        writeln!(out, "  {:name_width$}{core}{formula}{kernel}", "")?;
    }
    for (place, ListedPreset { preset, availability, .. }) in others.into_iter().enumerate() {
        if let (0, Availability::Refused(reason)) = (place, availability) {
            let gap = if counted.is_empty() { "" } else { "\n" };
            writeln!(out, "{gap}{}", reason.to_string().replace(" counts it", " counts these"))?;
        }
        writeln!(out, "  {:<name_width$}{}", preset.name, preset.description)?;
    }
    Ok(())
}

fn as_json(listed: &ListedPreset) -> Value {
    let ListedPreset { preset, core, expansion, generic, availability, .. } = listed;
    let (status, reason) = here::status(availability);
    json!({
        "schema": 1,
        "name": preset.name,
        "description": preset.description,
        "core": core,
        "formula": expansion.as_ref().map(|whole| whole.formula.to_string()),
        "natives": expansion.as_ref().map(|whole| &whole.terms),
        "generic": generic,
        "status": status,
        "reason": reason,
    })
}
