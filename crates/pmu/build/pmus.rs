//! The list of a vendor's PMUs, as Rust literals.

use std::collections::BTreeMap;

use super::line::value;

/// Words with a number, and the largest that its field in `Pmu` or `Limits` holds.
const NUMBERS: [(&str, u64); 13] = [
    ("number", u16::MAX as u64),
    ("counters", u16::MAX as u64),
    ("fixed", u16::MAX as u64),
    ("codes", u8::MAX as u64),
    ("levels", u8::MAX as u64),
    ("rev", u8::MAX as u64),
    ("libpfm-counters", u16::MAX as u64),
    ("libpfm-fixed", u16::MAX as u64),
    ("per-thread", u16::MAX as u64),
    ("offcore", u8::MAX as u64),
    ("offcore-bits", u8::MAX as u64),
    ("pairs", u16::MAX as u64),
    ("cycles", u16::MAX as u64),
];

/// Each is a constant of `Flags`, in capitals and with `_` for `-`.
const FLAGS: [&str; 16] = [
    "raw-umask",
    "no-smpl",
    "ecmask",
    "spec",
    "extpebs",
    "unc-cbo",
    "unc-cha",
    "unc-occ",
    "arch-dfl",
    "depr",
    "filter-info",
    "needs-device",
    "no-perf",
    "plannable",
    "shared-levels",
    "hypervisor",
];

const KINDS: [(&str, &str); 3] = [("core", "Core"), ("uncore", "Uncore"), ("unknown", "Unknown")];

/// Fields of `Limits`, each with its word.
const LIMITS: [(&str, &str); 5] = [
    ("per_thread", "per-thread"),
    ("offcore", "offcore"),
    ("offcore_bits", "offcore-bits"),
    ("pairs", "pairs"),
    ("cycles", "cycles"),
];

/// A PMU of the list.
#[derive(Debug)]
pub(super) struct PmuLine<'a> {
    pub(super) name: &'a str,
    pub(super) table: &'a str,
    pub(super) family: &'a str,
    /// The tables whose descriptions the events of the same names have, if its own is derived.
    pub(super) like: &'a str,
    pub(super) literal: String,
}

/// Reads the lines of a list.
pub(super) fn read(list: &str) -> Result<Vec<PmuLine<'_>>, String> {
    let lines = (1..).zip(list.lines()).filter(|(_, line)| !line.starts_with('#'));
    let read = |(number, line)| pmu(line).map_err(|what| format!("{number}: {what}: {line}"));
    lines.map(read).collect()
}

/// `name table kind family key=value… flag… | title`
fn pmu(line: &str) -> Result<PmuLine<'_>, String> {
    let (facts, title) = line.split_once(" | ").ok_or("` | ` and a title follow the words")?;
    let mut words = facts.split(' ');
    let mut next = || words.next().ok_or("a name, a table, a kind and a family come first");
    let (name, table, kind, family) = (next()?, next()?, next()?, next()?);
    let known = KINDS.iter().find(|(word, _)| *word == kind);
    let (_, kind) = known.ok_or_else(|| format!("`{kind}` is no kind of PMU"))?;
    let mut numbers = BTreeMap::new();
    let (mut flags, mut machines, mut devices) = (Vec::new(), Vec::new(), "");
    let mut like = "";
    for word in words {
        match word.split_once('=') {
            Some(("on", machine)) => machines.push(machine),
            Some(("device", names)) => devices = names,
            Some(("like", tables)) => like = tables,
            Some((key, text)) => _ = numbers.insert(key, number(key, text)?),
            None if FLAGS.contains(&word) => flags.push(format!("Flags::{}.0", constant(word))),
            None => return Err(format!("`{word}` is no word; tables/README.md lists them")),
        }
    }
    let number = |key| numbers.get(key).copied().unwrap_or(0);
    let libpfm = |key, ours| numbers.get(key).copied().unwrap_or(number(ours));
    let limit = |(field, word): &(&str, &str)| Some(format!("{field}: {}, ", numbers.get(word)?));
    let limits: String = LIMITS.iter().filter_map(limit).collect();
    let flags = if flags.is_empty() { "0".to_owned() } else { flags.join(" | ") };
    let literal = format!(
        "Pmu {{ name: {name:?}, description: {title:?}, number: {}, kind: PmuKind::{kind}, \
         counters: {}, fixed_counters: {}, most_codes: {}, libpfm_counters: ({}, {}), \
         limits: Limits {{ {limits}..Limits::NONE }}, family: &family::{}::FAMILY, table: &{}, \
         flags: Flags({flags}), levels: {}, revision: {}, devices: {devices:?}, machines: {:?} }}",
        number("number"),
        number("counters"),
        number("fixed"),
        number("codes"),
        libpfm("libpfm-counters", "counters"),
        libpfm("libpfm-fixed", "fixed"),
        // The compiler finds out that there is no such file.
        family.replace('-', "_"),
        constant(table),
        number("levels"),
        number("rev"),
        machines.join(" "),
    );
    Ok(PmuLine { name, table, family, like, literal })
}

fn number(key: &str, text: &str) -> Result<u64, String> {
    let known = NUMBERS.iter().find(|(known, _)| *known == key);
    let (_, most) =
        known.ok_or_else(|| format!("`{key}=` is not known; tables/README.md lists the words"))?;
    match value(text) {
        Some(number) if number <= *most => Ok(number),
        _ => Err(format!("`{key}=` takes a number of at most {most}")),
    }
}

/// `adl_glc` → `ADL_GLC`
pub(super) fn constant(name: &str) -> String {
    let name = name.to_uppercase().replace(['-', '+', '/', ':'], "_");
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("T{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_literal() {
        let list = "# Words\na-b 7x core intel-core number=3 counters=8 libpfm-counters=16 \
                    offcore=2 depr device=cpu,cpu_core on=intel:6:1 on=intel-arch | Any | one\n";
        let pmus = read(list).unwrap();
        assert_eq!((pmus.len(), pmus[0].name, pmus[0].table), (1, "a-b", "7x"));
        for part in [
            "description: \"Any | one\", number: 3, kind: PmuKind::Core, counters: 8, fixed_counters: 0",
            "libpfm_counters: (16, 0), limits: Limits { offcore: 2, ..Limits::NONE }",
            "family: &family::intel_core::FAMILY, table: &T7X, flags: Flags(Flags::DEPR.0)",
            "devices: \"cpu,cpu_core\", machines: \"intel:6:1 intel-arch\" }",
        ] {
            assert!(pmus[0].literal.contains(part), "{part}: {}", pmus[0].literal);
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for (line, what) in [
            ("a b core arm", "` | ` and a title follow the words"),
            ("a b core | A", "a name, a table, a kind and a family come first"),
            ("a b cor arm | A", "`cor` is no kind of PMU"),
            ("a b core arm depp | A", "`depp` is no word; tables/README.md lists them"),
            ("a b core arm on:x | A", "`on:x` is no word; tables/README.md lists them"),
            (
                "a b core arm cuonters=1 | A",
                "`cuonters=` is not known; tables/README.md lists the words",
            ),
            ("a b core arm rev=256 | A", "`rev=` takes a number of at most 255"),
        ] {
            assert_eq!(read(&format!("#\n{line}")).unwrap_err(), format!("2: {what}: {line}"));
        }
    }
}
