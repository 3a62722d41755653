//! The corrections that `DIFFERENCES.md` lists: where the tables have a vendor's code in the place of libpfm4's.

#![allow(dead_code, reason = "the tests of two crates each need a part of it")]

use counterpoint_pmu::sysfs::matches_glob;
use std::cell::RefCell;
use std::collections::HashMap;

const DIFFERENCES: &str = include_str!("../../DIFFERENCES.md");

/// A row of the list.
struct Correction {
    /// Names of events, with `*` for any text.
    events: Vec<String>,
    /// The bits of `config` and `config1` that only libpfm4 sets, and those that only the tables set.
    removed: [u64; 2],
    added: [u64; 2],
    ours: [u64; 2],
}

/// The rows that apply to an event.
pub(crate) struct Corrections {
    list: Vec<Correction>,
    /// The places of the rows for each PMU that was asked about: most rows are of others.
    of_pmus: RefCell<HashMap<String, Vec<usize>>>,
}

/// The bits that the corrections of one answer change.
#[derive(Default)]
pub(crate) struct Changed {
    removed: [u64; 2],
    added: [u64; 2],
}

impl Corrections {
    pub(crate) fn read() -> Corrections {
        let (_, section) = DIFFERENCES.split_once("\n## Corrections\n").expect("the section");
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        Corrections { list: rows.map(correction).collect(), of_pmus: RefCell::default() }
    }

    /// The events that are listed by name, and their words.
    pub(crate) fn events(&self) -> impl Iterator<Item = (&str, [u64; 2])> {
        let named = self
            .list
            .iter()
            .flat_map(|row| row.events.iter().map(move |name| (name.as_str(), row.ours)));
        named.filter(|(name, _)| {
            name.split_once("::").is_some_and(|(_, event)| !event.contains('*'))
        })
    }

    /// Returns true if an event, `pmu::EVENT`, or one of its unit masks has been corrected.
    pub(crate) fn concern(&self, event: &str) -> bool {
        let event_of = |pattern: &str| {
            let (pmu, rest) = pmu(pattern);
            format!("{pmu}::{}", rest.split(':').next().unwrap_or_default())
        };
        let event = event.to_owned();
        self.list
            .iter()
            .flat_map(|row| &row.events)
            .any(|pattern| matches_glob(&event_of(pattern), &event))
    }

    /// The change in the answer to a string, if something does; `full` is the answer's own string, which has the
    /// event and the unit masks that aliases and defaults stand for.
    pub(crate) fn of(&self, string: &str, full: &str) -> Option<Changed> {
        let names: Vec<String> = names(string).chain(names(full)).collect();
        let mut places: Vec<usize> =
            [string, full].into_iter().flat_map(|string| self.of_pmu(string)).collect();
        places.sort_unstable();
        places.dedup();
        let is_meant = |row: &&Correction| {
            row.events.iter().any(|pattern| names.iter().any(|name| matches_glob(pattern, name)))
        };
        let rows: Vec<&Correction> =
            places.into_iter().map(|place| &self.list[place]).filter(is_meant).collect();
        let mut changed = Changed::default();
        for row in &rows {
            for word in 0..2 {
                changed.removed[word] |= row.removed[word];
                changed.added[word] |= row.added[word];
            }
        }
        (!rows.is_empty()).then_some(changed)
    }

    /// The places of the rows that are about the PMU of a string.
    fn of_pmu(&self, string: &str) -> Vec<usize> {
        let pmu = pmu(string).0.to_lowercase();
        let mut of_pmus = self.of_pmus.borrow_mut();
        let is_of = |row: &Correction| {
            row.events.iter().any(|event| matches_glob(self::pmu(event).0, &pmu))
        };
        let find = || (0..self.list.len()).filter(|place| is_of(&self.list[*place])).collect();
        of_pmus.entry(pmu.clone()).or_insert_with(find).clone()
    }
}

/// The PMU of a string, and what follows.
fn pmu(string: &str) -> (&str, &str) {
    string.split_once("::").unwrap_or_default()
}

impl Changed {
    /// Returns true if libpfm4's words become the tables' by nothing but the corrections.
    pub(crate) fn explains(&self, theirs: [u64; 2], ours: [u64; 2]) -> bool {
        (0..2).all(|word| {
            let bits = self.removed[word] | self.added[word];
            (theirs[word] ^ ours[word]) & !bits == 0
                && ours[word] & self.added[word] == self.added[word]
        })
    }

    /// Returns true if two full strings differ only in unit masks, and in modifiers that the changed bits are.
    pub(crate) fn explains_text(&self, theirs: &str, ours: &str) -> bool {
        const MODIFIERS: [(&str, usize, u64); 5] = [
            ("e", 0, 1 << 18),
            ("t", 0, 1 << 21),
            ("i", 0, 1 << 23),
            ("c", 0, 0xff << 24),
            ("ldlat", 1, 0xffff),
        ];
        let is_changed = |modifier: &str| {
            MODIFIERS.iter().any(|(name, word, bits)| {
                *name == modifier && (self.removed[*word] | self.added[*word]) & bits != 0
            })
        };
        let kept = |text: &str| -> Vec<String> {
            let parts = text.split(':').enumerate();
            let is_kept = |(place, part): &(usize, &str)| match part.split_once('=') {
                Some((name, _)) => !is_changed(name),
                None => *place < 3,
            };
            parts.filter(is_kept).map(|(_, part)| part.to_owned()).collect()
        };
        kept(theirs) == kept(ours)
    }
}

fn correction(line: &str) -> Correction {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [events, theirs, ours, _source] = cells[..] else { panic!("{line}") };
    let words = |cell: &str| {
        let mut words = [0; 2];
        for (place, text) in cell.split(' ').enumerate() {
            let digits = text.strip_prefix("0x").expect("a number");
            words[place] = u64::from_str_radix(digits, 16).expect("a number");
        }
        words
    };
    let (theirs, ours) = (words(theirs), words(ours));
    Correction {
        events: events.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
        removed: [theirs[0] & !ours[0], theirs[1] & !ours[1]],
        added: [ours[0] & !theirs[0], ours[1] & !theirs[1]],
        ours,
    }
}

/// `pmu::EVENT`, and `pmu::EVENT:PART` for each part after it.
fn names(string: &str) -> impl Iterator<Item = String> {
    let (pmu, rest) = pmu(string);
    let mut parts = rest.split([':', '.']);
    let event =
        format!("{}::{}", pmu.to_lowercase(), parts.next().unwrap_or_default().to_uppercase());
    let masks: Vec<String> = parts.map(|part| format!("{event}:{}", part.to_uppercase())).collect();
    std::iter::once(event).chain(masks)
}
