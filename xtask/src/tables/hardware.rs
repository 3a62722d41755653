//! The words of `pmus.list` that libpfm does not know: the counters of the processor and the registers that events share.

use super::files::{VENDORS, read};
use std::collections::HashMap;
use std::path::Path;

/// Words with a value.
const ITEMS: [&str; 5] = ["per-thread", "offcore", "offcore-bits", "pairs", "cycles"];

const FLAGS: [&str; 3] = ["plannable", "shared-levels", "hypervisor"];

/// Counts that libpfm has too, in another number for some PMUs.
const COUNTS: [&str; 2] = ["counters", "fixed"];

/// The words of each PMU, as the lists have them.
pub(super) struct Hardware {
    words: HashMap<String, Vec<String>>,
}

impl Hardware {
    pub(super) fn read(tables: &Path) -> Result<Hardware, String> {
        let mut words = HashMap::new();
        for vendor in VENDORS {
            let list = read(&tables.join(vendor).join("pmus.list"))?;
            for line in list.lines().filter(|line| !line.starts_with('#')) {
                let facts = line.split(" | ").next().unwrap_or_default();
                let mut of_pmu = facts.split(' ').map(str::to_owned);
                words.insert(of_pmu.next().unwrap_or_default(), of_pmu.collect());
            }
        }
        Ok(Hardware { words })
    }

    /// Adds the words of a PMU to a line of facts, whose counts become libpfm's where they differ.
    pub(super) fn add(&self, pmu: &str, line: &mut String) {
        let Some(words) = self.words.get(pmu) else { return };
        let value =
            |key: &str| words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        for key in COUNTS {
            if value(&format!("libpfm-{key}")).is_none() {
                continue;
            }
            let (before, after) = line.split_once(&format!(" {key}=")).unwrap_or((line, ""));
            let (libpfm, after) = after.split_once(' ').unwrap_or((after, ""));
            let count = value(key).unwrap_or(libpfm);
            *line = format!("{before} {key}={count} {after} libpfm-{key}={libpfm}");
        }
        let is_kept = |word: &&String| {
            let key = word.split('=').next().unwrap_or_default();
            if word.contains('=') { ITEMS.contains(&key) } else { FLAGS.contains(&key) }
        };
        for word in words.iter().filter(is_kept) {
            line.push(' ');
            line.push_str(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_hardware_outlive_new_facts() {
        let old = "counters=8 fixed=4 libpfm-counters=16 ecmask plannable offcore=2 on=intel:6:143";
        let words = old.split(' ').map(str::to_owned).collect();
        let hardware = Hardware { words: HashMap::from([("spr".to_owned(), words)]) };
        let mut line = "spr spr core intel-core counters=16 fixed=4 codes=2 ecmask".to_owned();
        hardware.add("spr", &mut line);
        let expected = "spr spr core intel-core counters=8 fixed=4 codes=2 ecmask libpfm-counters=16 plannable offcore=2";
        assert_eq!(line, expected);
    }
}
