//! A table of events and unit masks from the events of a processor by its vendor's files, for PMUs that libpfm does not have.
//!
//! What follows the first dot of a vendor's name is a unit mask, with `_` for further dots.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::processors::{Event, Processor};

/// The name of a PMU's table that is derived: `processors/FILE:UNIT`.
pub(super) fn source(table: &str) -> Option<(&str, &str)> {
    table.strip_prefix("processors/").and_then(|rest| rest.split_once(':'))
}

/// The table of a unit, in the form of the other tables.
pub(super) fn table(processor: &Processor<'_>, unit: &str, family: &str) -> Result<String, String> {
    let is_of_unit = |event: &&Event<'_>| event.words.split(' ').next() == Some(unit);
    let mut events: BTreeMap<String, Vec<(String, Register, &str)>> = BTreeMap::new();
    for event in processor.events.iter().filter(is_of_unit) {
        let register = Register::of(event.terms).ok_or_else(|| {
            format!("{} {}: no register is known for it", event.name, event.terms)
        })?;
        let (name, mask) = match family {
            "intel-core" => event.name.split_once('.').unwrap_or((event.name, "")),
            _ => (event.name, ""),
        };
        let masks = events.entry(name.to_uppercase()).or_default();
        let mask = mask.replace('.', "_");
        // Names that differ in dots only are one.
        if masks.iter().all(|(known, ..)| !known.eq_ignore_ascii_case(&mask)) {
            masks.push((mask, register, event.words));
        }
    }
    if events.is_empty() {
        return Err(format!("`{unit}` is the unit of no event"));
    }
    let mut text = String::new();
    for (name, masks) in &mut events {
        masks.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        write_event(&mut text, name, masks, family);
    }
    Ok(text)
}

fn write_event(text: &mut String, name: &str, masks: &[(String, Register, &str)], family: &str) {
    // The modifiers of the family that every event takes: levels, and those of Intel's event-select register.
    let mods = match family {
        "intel-core" => " mods=0x1f",
        "arm" => " mods=0x7",
        _ => "",
    };
    let plain = masks.iter().find(|(mask, ..)| mask.is_empty());
    let code = plain.map_or(masks[0].1.event, |(_, register, _)| register.whole());
    let _ = write!(text, "{name} {code:#x}{mods}");
    if masks.len() > usize::from(plain.is_some()) {
        text.push_str(" groups=1");
    }
    if let Some((_, register, words)) = plain {
        write_words(text, register, words);
    }
    text.push('\n');
    for (mask, register, words) in masks.iter().filter(|(mask, ..)| !mask.is_empty()) {
        let is_other = register.event != code & 0xff;
        let event = if is_other { register.event } else { 0 };
        let _ = write!(text, "\t{mask} {:#x}", register.whole() & !0xff | event);
        if is_other {
            text.push_str(" code-override");
        }
        if register.wired() != 0 {
            let _ = write!(text, " wired={:#x}", register.wired());
        }
        text.push_str(" ncombo");
        if plain.is_some() {
            text.push_str(" grp-dfl-none");
        }
        write_words(text, register, words);
        text.push('\n');
    }
}

fn write_words(text: &mut String, register: &Register, words: &str) {
    if register.second != 0 {
        let _ = write!(text, " filter0={:#x}", register.second);
    }
    for word in words.split(' ').skip(1) {
        let is_known = word.starts_with("counters=") || word == "pebs" || word == "deprecated";
        match word.split_once('=') {
            Some(("now", _)) => text.push_str(" deprecated"),
            _ if is_known => _ = write!(text, " {word}"),
            _ => {}
        }
    }
}

/// The values of an event's terms.
#[derive(Default)]
struct Register {
    event: u64,
    umask: u64,
    edge: u64,
    inv: u64,
    any: u64,
    cmask: u64,
    /// Of the second register.
    second: u64,
}

impl Register {
    fn of(terms: &str) -> Option<Register> {
        let mut register = Register::default();
        for term in terms.split(',') {
            let (name, value) = term.split_once('=')?;
            let value = match value.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok()?,
                None => value.parse().ok()?,
            };
            let field = match name {
                "event" | "config" => &mut register.event,
                "umask" => &mut register.umask,
                "edge" => &mut register.edge,
                "inv" => &mut register.inv,
                "any" => &mut register.any,
                "cmask" => &mut register.cmask,
                "offcore_rsp" | "ldlat" | "frontend" => &mut register.second,
                _ => return None,
            };
            *field = value;
        }
        Some(register)
    }

    /// The event-select register of Intel's cores, with the upper part of the unit mask from bit 40 on; the code alone
    /// where there is nothing else.
    fn whole(&self) -> u64 {
        self.event
            | (self.umask & 0xff) << 8
            | self.edge << 18
            | self.any << 21
            | self.inv << 23
            | self.cmask << 24
            | (self.umask >> 8) << 40
    }

    /// The modifiers of `intel-core` that it sets.
    fn wired(&self) -> u32 {
        let bits = [(self.edge, 2), (self.inv, 3), (self.cmask, 4), (self.any, 5)];
        bits.into_iter().filter(|(value, _)| *value != 0).map(|(_, bit)| 1 << bit).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_event_and_a_unit_mask() {
        let text = "from L\non x\nA.B event=0xc0,umask=0x4,cmask=0x1,inv=0x1 cpu_core counters=0xf pebs\n\
                    A.C.D event=0xb7,umask=0x1,offcore_rsp=0x10 cpu_core now=E\n\
                    F event=0x3c cpu_core\nG event=0x1 cpu_atom\n";
        let Ok(processor) = Processor::read(text) else { panic!() };
        assert_eq!(
            table(&processor, "cpu_core", "intel-core").unwrap(),
            "A 0xc0 mods=0x1f groups=1\n\
             \tB 0x1800400 wired=0x18 ncombo counters=0xf pebs\n\
             \tC_D 0x1b7 code-override ncombo filter0=0x10 deprecated\n\
             F 0x3c mods=0x1f\n"
        );
        assert_eq!(table(&processor, "cpu_atom", "plain").unwrap(), "G 0x1\n");
        assert_eq!(table(&processor, "-", "arm").unwrap_err(), "`-` is the unit of no event");
        assert_eq!(source("processors/a:cpu_core"), Some(("a", "cpu_core")));
    }
}
