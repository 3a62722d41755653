//! From the text of `tables/kernel.txt` to the statics of `src/kernel.rs`.

use std::fmt::Write as _;

use super::super::hash::hash;

/// The statics `ROWS` and `NAMES`; an error begins with the number of the line.
pub(crate) fn statics(text: &str) -> Result<String, String> {
    let (mut rows, mut names) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let event = Event::read(line).map_err(|what| format!("{number}: {what}"))?;
        for (nth, name) in event.names.split(',').chain([event.constant]).enumerate() {
            names.push((hash(name), rows.len(), nth));
        }
        rows.push(event);
    }
    names.sort_unstable();
    let mut rust = format!("pub(crate) static ROWS: [KernelEvent; {}] = [\n", rows.len());
    rows.iter().for_each(|row| row.write(&mut rust));
    let _ = writeln!(rust, "];\nstatic NAMES: [(u32, u8, u8); {}] = {names:?};", names.len());
    Ok(rust)
}

/// One line of the table.
struct Event<'a> {
    group: &'static str,
    role: &'static str,
    config: u64,
    unit: &'static str,
    flags: &'a str,
    constant: &'a str,
    names: &'a str,
    description: &'a str,
}

impl<'a> Event<'a> {
    fn read(line: &'a str) -> Result<Event<'a>, String> {
        let (facts, description) = line.split_once('|').ok_or("no `|` before the description")?;
        let words: Vec<&str> = facts.split_whitespace().collect();
        let [group, config, unit, flags, constant, names] = words[..] else {
            return Err(format!("{} words before the description, not 6", words.len()));
        };
        let (group, role) = match group {
            "hardware" => ("Hardware", "Event"),
            "software" => ("Software", "Event"),
            "cache" => ("Cache", "Event"),
            "whole-cache" => ("Cache", "WholeCache"),
            "optional" => ("Hardware", "Optional"),
            _ => return Err(format!("unknown group {group}")),
        };
        let unit = match unit {
            "-" => "Count",
            "ns" => "Nanoseconds",
            _ => return Err(format!("unknown unit {unit}")),
        };
        let unknown = |flag: &&str| !["-", "kernel-only", "precise", "not-libpfm"].contains(flag);
        if let Some(flag) = flags.split(',').find(unknown) {
            return Err(format!("unknown flag {flag}"));
        }
        let hex = config.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        let config = hex.ok_or_else(|| format!("{config} is no hexadecimal number"))?;
        let description = description.trim();
        Ok(Event { group, role, config, unit, flags, constant, names, description })
    }

    fn write(&self, rust: &mut String) {
        let Event { group, role, config, unit, constant, names, description, .. } = self;
        let has = |flag: &str| self.flags.split(',').any(|other| other == flag);
        let name = names.split(',').next().unwrap_or_default();
        let _ = writeln!(
            rust,
            "KernelEvent {{ group: Group::{group}, name: {name:?}, constant: {constant:?}, config: {config}, unit: Unit::{unit}, kernel_only: {}, description: {description:?}, role: Role::{role}, precise: {}, in_libpfm: {}, names: {names:?} }},",
            has("kernel-only"),
            has("precise"),
            !has("not-libpfm"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::statics;

    #[test]
    fn a_line_is_written_with_all_its_facts_and_names() {
        let line = "software 0x3 ns kernel-only,not-libpfm PERF_C name,also | What it counts\n";
        let rust = statics(&format!("# comment\n\n{line}")).unwrap();
        let row = r#"KernelEvent { group: Group::Software, name: "name", constant: "PERF_C", config: 3, unit: Unit::Nanoseconds, kernel_only: true, description: "What it counts", role: Role::Event, precise: false, in_libpfm: false, names: "name,also" },"#;
        assert!(rust.contains(row), "{rust}");
        assert!(rust.contains("static NAMES: [(u32, u8, u8); 3]"), "{rust}");
    }

    #[test]
    fn a_mistake_is_said_with_its_line() {
        for (line, error) in [
            ("cache 0x1 - - A a", "2: no `|` before the description"),
            ("cache 0x1 - - A | A", "2: 5 words before the description, not 6"),
            ("caches 0x1 - - A a | A", "2: unknown group caches"),
            ("cache 1 - - A a | A", "2: 1 is no hexadecimal number"),
            ("cache 0x1 ms - A a | A", "2: unknown unit ms"),
            ("cache 0x1 - precise,now A a | A", "2: unknown flag now"),
        ] {
            assert_eq!(statics(&format!("\n{line}\n")).unwrap_err(), error);
        }
    }
}
