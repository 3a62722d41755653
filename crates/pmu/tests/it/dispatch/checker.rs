//! Is an assignment valid? From the text of the tables alone, not from the code that dispatches.

use std::collections::BTreeSet;
use std::path::Path;

use counterpoint_pmu::dispatch::{Assignment, Model, Request};

/// The table of a model: the words of each event's line.
pub(crate) struct Facts {
    model: &'static str,
    events: Vec<String>,
}

impl Facts {
    pub(crate) fn of(model: &Model) -> Facts {
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/dispatch");
        let head = format!("@model {} ", model.name());
        let texts = std::fs::read_dir(tables).expect("the tables").map(|entry| {
            std::fs::read_to_string(entry.expect("an entry").path()).expect("a table")
        });
        let text = texts.into_iter().find(|text| text.contains(&head)).expect("a table of it");
        let events = text.lines().filter(|line| !line.starts_with(['@', '#', '\t']));
        Facts { model: model.name(), events: events.map(str::to_owned).collect() }
    }

    /// The word after `key=`, as a number.
    fn number(&self, event: usize, key: &str) -> Option<u64> {
        let prefix = format!("{key}=");
        let word = self.events[event].split(' ').find_map(|word| word.strip_prefix(&prefix))?;
        match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => word.parse().ok(),
        }
    }

    /// Itanium: a data range adds to what the data EARs were given, by writing their register again.
    fn twice(&self, pmc: u32) -> bool {
        self.model == "itanium" && pmc == 11
    }

    /// What is wrong with an assignment, if anything is.
    pub(crate) fn check(&self, request: &Request, assignment: &Assignment) -> Result<(), String> {
        let count = request.events.len();
        let counters: Vec<u32> = assignment.pmds.iter().map(|pmd| pmd.number).collect();
        if counters.len() < count {
            return Err(format!("{} counters for {count} events", counters.len()));
        }
        once("PMD", counters.iter().copied())?;
        once("PMC", assignment.pmcs.iter().map(|pmc| pmc.number).filter(|pmc| !self.twice(*pmc)))?;
        if let Some(pmc) =
            assignment.pmcs.iter().find(|pmc| request.unavailable.contains(pmc.number))
        {
            return Err(format!("PMC {} is not available", pmc.number));
        }
        for (event, counter) in request.events.iter().zip(&counters) {
            let allowed = self.number(event.event, "counters").unwrap_or(u64::MAX);
            if allowed >> counter & 1 == 0 {
                return Err(format!("counter {counter} is not one of {:#x}", allowed));
            }
        }
        Ok(())
    }
}

fn once(what: &str, numbers: impl Iterator<Item = u32>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    match numbers.into_iter().find(|number| !seen.insert(*number)) {
        Some(twice) => Err(format!("{what} {twice} twice")),
        None => Ok(()),
    }
}
