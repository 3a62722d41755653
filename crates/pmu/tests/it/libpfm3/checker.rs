//! Is an assignment valid? From the text of the tables alone, not from the code that dispatches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use counterpoint_pmu::libpfm3::{Assignment, Model, ModelInput, Request};

/// The tables of every model.
pub(crate) static FACTS: LazyLock<BTreeMap<&str, Facts>> =
    LazyLock::new(|| Model::all().map(|model| (model.name(), Facts::of(model))).collect());

/// The table of a model: the line of each event, and the lines of its unit masks.
pub(crate) struct Facts {
    pub(crate) model: &'static str,
    heads: Vec<String>,
    /// The line of each event, and the lines of its unit masks.
    events: Vec<(String, Vec<String>)>,
    /// Those that hold any event whose line says nothing else.
    counters: u64,
}

impl Facts {
    pub(crate) fn of(model: &Model) -> Facts {
        let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/libpfm3");
        let head = format!("@model {} ", model.name());
        let texts = std::fs::read_dir(tables).expect("the tables").map(|entry| {
            std::fs::read_to_string(entry.expect("an entry").path()).expect("a table")
        });
        let text = texts.into_iter().find(|text| text.contains(&head)).expect("a table of it");
        let mut events: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with(['@', '#'])) {
            match line.strip_prefix('\t') {
                Some(mask) => events.last_mut().expect("an event").1.push(mask.to_owned()),
                None => events.push((line.to_owned(), Vec::new())),
            }
        }
        let any = model.name().starts_with("amd64");
        let counters = if any { (1 << model.counters()) - 1 } else { u64::MAX };
        let heads = text.lines().filter_map(|line| line.strip_prefix('@')).map(str::to_owned);
        Facts { model: model.name(), heads: heads.collect(), events, counters }
    }

    /// The counters that may hold an event with these unit masks.
    fn counters(&self, event: usize, masks: &[usize]) -> u64 {
        let marked = |mask: &usize| self.events[event].1[*mask].ends_with(" fixed2_only");
        if masks.iter().any(marked) {
            return 1 << 18;
        }
        if let Some(ids) = self.word(event, "ids") {
            // PowerPC's counters begin with 1, and have an id of the event if they can count it.
            let can = ids.split(',').map(|id| id != "-1").rev();
            return can.fold(0, |counters, can| counters << 1 | u64::from(can)) << 1;
        }
        match self.word(event, "ibs") {
            Some("fetch") => 1 << 6,
            Some(_) => 1 << 9,
            None => self.number(event, "counters").unwrap_or(self.counters),
        }
    }

    /// The text that follows this key in lines at the head.
    pub(crate) fn heads(&self, key: &str) -> impl Iterator<Item = &str> {
        self.heads.iter().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(' '))
    }

    /// Returns true if the model has an event of this number.
    pub(crate) fn has(&self, event: usize) -> bool {
        event < self.events.len()
    }

    /// The words of an event.
    pub(crate) fn words(&self, event: usize) -> impl Iterator<Item = &str> {
        self.events[event].0.split(' ')
    }

    /// The word after `key=`.
    pub(crate) fn word(&self, event: usize, key: &str) -> Option<&str> {
        let words = self.words(event);
        words
            .filter_map(|word| word.split_once('='))
            .find_map(|(k, word)| (k == key).then_some(word))
    }

    /// The word after `key=`, as a number.
    pub(crate) fn number(&self, event: usize, key: &str) -> Option<u64> {
        let word = self.word(event, key)?;
        match word.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None => word.parse().ok(),
        }
    }

    /// Itanium: a data range adds to what the data EARs were given, by writing their register again.
    /// Pentium 4: each replay event writes the registers of sampling, with the same values.
    fn twice(&self, pmc: u32) -> bool {
        self.model == "itanium" && pmc == 11
            || self.model.starts_with("pentium4") && matches!(pmc, 63 | 64)
    }

    /// The fault of an assignment, if it has one.
    pub(crate) fn check(&self, request: &Request, assignment: &Assignment) -> Result<(), String> {
        let count = request.events.len();
        let counters: Vec<u32> = assignment.pmds.iter().map(|pmd| pmd.number).collect();
        if counters.len() < count {
            return Err(format!("{} counters for {count} events", counters.len()));
        }
        // The request of AMD's input stands at the end, and may be an event's register again.
        let again =
            |pmc| matches!(request.input, Some(ModelInput::Amd64(_))) && matches!(pmc, 6 | 7);
        once("PMD", counters.iter().copied().take(count))?;
        let pmcs = assignment.pmcs.iter().map(|pmc| pmc.number);
        once("PMC", pmcs.filter(|pmc| !self.twice(*pmc) && !again(*pmc)))?;
        if self.model.starts_with("pentium4") {
            let sampling = assignment.pmcs.iter().filter(|pmc| self.twice(pmc.number));
            let values: BTreeSet<(u32, u64)> =
                sampling.map(|pmc| (pmc.number, pmc.value)).collect();
            once("sampling register", values.iter().map(|(number, _)| *number))?;
        }
        if let Some(pmc) =
            assignment.pmcs.iter().find(|pmc| request.unavailable.contains(pmc.number))
        {
            return Err(format!("PMC {} is not available", pmc.number));
        }
        for (event, counter) in request.events.iter().zip(&counters) {
            let allowed = self.counters(event.event, &event.masks);
            if allowed >> counter & 1 == 0 {
                return Err(format!("counter {counter} is not one of {:#x}", allowed));
            }
        }
        super::rules::check(self, request, assignment)
    }
}

fn once(what: &str, numbers: impl Iterator<Item = u32>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    match numbers.into_iter().find(|number| !seen.insert(*number)) {
        Some(twice) => Err(format!("{what} {twice} twice")),
        None => Ok(()),
    }
}
