//! The attributes of an event, in columns.

use crate::descriptions::Words;
use crate::show::{labelled, printable};
use counterpoint::pmu::{Attribute, AttributeKind, Controller, Event, Layer, Speculative};
use std::io::{self, Write};

pub fn write(
    out: &mut impl Write,
    words: &Words<'_>,
    event: &Event,
    attributes: &[Attribute],
    layer: Layer,
) -> io::Result<()> {
    let umasks: Vec<&Attribute> =
        attributes.iter().filter(|a| a.kind == AttributeKind::Umask).collect();
    let mut groups: Vec<Option<u8>> = umasks.iter().map(|umask| umask.group).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in &groups {
        let members: Vec<&Attribute> =
            umasks.iter().copied().filter(|umask| umask.group == *group).collect();
        let which = match group {
            Some(number) if groups.len() > 1 => format!(" of group {number}"),
            _ => String::new(),
        };
        let how_many = if members.iter().all(|umask| umask.is_alone) { "one of" } else { "any of" };
        writeln!(out, "  unit masks{which}, {how_many}")?;
        rows(out, words, event, &members)?;
    }
    for (controller, title) in
        [(Controller::Pmu, "modifiers"), (Controller::PerfEvent, "of perf_events")]
    {
        let is_own = |a: &&Attribute| a.kind != AttributeKind::Umask && a.controller == controller;
        let modifiers: Vec<&Attribute> = attributes.iter().filter(is_own).collect();
        if !modifiers.is_empty() {
            let layer =
                if layer == Layer::Raw { "" } else { ", when the kernel programs the event" };
            writeln!(out, "  {title}{layer}")?;
            rows(out, words, event, &modifiers)?;
        }
    }
    match attributes {
        [] => labelled(out, "attributes", "none"),
        _ => Ok(()),
    }
}

fn rows(
    out: &mut impl Write,
    words: &Words<'_>,
    event: &Event,
    attributes: &[&Attribute],
) -> io::Result<()> {
    let spelled: Vec<String> = attributes.iter().map(|attribute| spelled(attribute)).collect();
    let width = spelled.iter().map(String::len).max().unwrap_or(0);
    let is_umask = attributes.iter().any(|a| a.kind == AttributeKind::Umask);
    let codes: Vec<String> = attributes
        .iter()
        .map(|attribute| if is_umask { format!("{:#04x}", attribute.code) } else { String::new() })
        .collect();
    let code_width = codes.iter().map(String::len).max().unwrap_or(0);
    for ((attribute, spelled), code) in attributes.iter().zip(&spelled).zip(&codes) {
        let mark = if attribute.is_default { '*' } else { ' ' };
        let code = if is_umask { format!("  {code:<code_width$}") } else { String::new() };
        let words = words.attribute(event, attribute);
        let description = words.map(|words| words.text).unwrap_or_default();
        let notes = notes(attribute);
        let said = format!("{description}{notes}");
        let text = format!("  {mark} {spelled:<width$}{code}  {}", said.trim_start());
        writeln!(out, "{}", printable(text.trim_end()))?;
    }
    if attributes.iter().any(|attribute| attribute.is_default) {
        writeln!(out, "  * applies if none is written")?;
    }
    Ok(())
}

/// The spelling of an attribute, with the values that it takes.
fn spelled(attribute: &Attribute) -> String {
    match &attribute.range {
        Some(range) if *range.end() == u64::MAX => format!("{}={}-", attribute.name, range.start()),
        Some(range) => format!("{}={}-{}", attribute.name, range.start(), range.end()),
        None => attribute.name.to_string(),
    }
}

fn notes(attribute: &Attribute) -> String {
    let mut notes = Vec::new();
    notes.extend(attribute.equiv.map(|equiv| format!("stands for {equiv}")));
    let words = [
        attribute.is_precise.then_some("without skid"),
        attribute.hardware_sampling.then_some(HARDWARE_SAMPLING),
        speculation(attribute.speculative),
        attribute.no_modifiers.then_some("takes no modifiers"),
    ];
    notes.extend(words.into_iter().flatten().map(str::to_string));
    notes.extend(attribute.counters.map(|mask| format!("counters {}", counters(mask))));
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}

/// The processor can write the samples itself.
pub const HARDWARE_SAMPLING: &str = "hardware sampling";

/// The note about speculative execution, if the vendor says whether it is counted.
pub fn speculation(speculative: Speculative) -> Option<&'static str> {
    match speculative {
        Speculative::Yes => Some("counts speculative execution as well"),
        Speculative::No => Some("counts retired execution only"),
        _ => None,
    }
}

/// A mask of counters in words: general ones by their numbers, those from bit 32 on are fixed.
pub fn counters(mask: u64) -> String {
    let numbers = |mask: u64| -> String {
        let numbers = (0..32).filter(|bit| mask >> bit & 1 == 1).collect::<Vec<u32>>();
        let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            [one] => one.to_string(),
            [] => String::new(),
        });
        runs.collect::<Vec<_>>().join(",")
    };
    match (numbers(mask & 0xffff_ffff), numbers(mask >> 32)) {
        (general, fixed) if fixed.is_empty() => general,
        (general, fixed) if general.is_empty() => format!("fixed {fixed}"),
        (general, fixed) => format!("{general} and fixed {fixed}"),
    }
}
