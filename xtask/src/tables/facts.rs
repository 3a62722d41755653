//! The facts of the events of a processor, as the lines of a table.

use crate::vendor_files::EventFile;
use counterpoint_pmu::vendor::Event;
use std::collections::BTreeMap;
use std::fmt;

/// Events by unit and name: the unit by the kernel's name of its PMU, since vendors write one in several ways.
#[derive(Default)]
pub struct Facts {
    events: BTreeMap<(String, String), Event>,
    /// The word for each unit.
    units: BTreeMap<String, String>,
}

impl Facts {
    /// Adds events, in the place of those of the same names.
    pub fn add(&mut self, files: &[EventFile]) -> Result<(), String> {
        // A file may have two codes under one name, of which the first counts.
        let mut own = BTreeMap::new();
        for file in files {
            for event in file.events.iter() {
                let pmu = event.pmus().into_iter().next().unwrap_or_else(|| CORE.to_string());
                let unit = event.unit.as_deref().unwrap_or(CORE);
                let word = if unit.contains(' ') { pmu.clone() } else { unit.to_string() };
                self.units.entry(pmu.clone()).or_insert(word);
                if event.name.contains(char::is_whitespace) || event.terms.contains(' ') {
                    return Err(format!("{}: {}: a name has a blank", file.path, event.name));
                }
                let key = (pmu, event.name.to_uppercase());
                own.entry(key).or_insert_with(|| event.into_owned());
            }
        }
        for (key, mut event) in own {
            // Only Linux's files have the retire latency; an erratum of either counts.
            let known = self.events.get(&key);
            event.latency = event.latency.or(known.and_then(|known| known.latency));
            event.errata = event.errata.or(known.and_then(|known| known.errata.clone()));
            self.events.insert(key, event);
        }
        Ok(())
    }
}

/// The word for events that name no unit.
const CORE: &str = "-";

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((pmu, _), event) in &self.events {
            write!(f, "{} {} {}", event.name, event.terms, self.units[pmu])?;
            if let Some(counters) = event.counters {
                write!(f, " counters={counters:#x}")?;
            }
            if event.is_precise {
                f.write_str(" pebs")?;
            }
            if let Some(errata) = &event.errata {
                write!(f, " errata={}", errata.replace(' ', ""))?;
            }
            if let Some((factor, unit)) = &event.scale {
                write!(f, " scale={factor}{}", unit.replace(' ', "_"))?;
            }
            if let Some(latency) = event.latency {
                write!(f, " latency={latency}")?;
            }
            match (event.is_deprecated, &event.successor) {
                (true, Some(name)) => write!(f, " now={name}")?,
                (true, None) => f.write_str(" deprecated")?,
                (false, _) => {}
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The lines of a table by unit and name.
pub fn by_name(table: &str) -> BTreeMap<(&str, &str), &str> {
    let of_event = |line| {
        let (name, facts): (&str, &str) = str::split_once(line, ' ')?;
        Some(((facts.split(' ').nth(1)?, name), facts))
    };
    let is_event =
        |line: &&str| !["# ", "from ", "on "].iter().any(|begin| line.starts_with(begin));
    table.lines().filter(is_event).filter_map(of_event).collect()
}
