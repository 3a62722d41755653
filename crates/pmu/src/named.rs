//! PMUs by what people and compilers call their processors.

use crate::detect::detect;
use crate::list::{all, find};
use crate::pmu::{Pmu, PmuKind};

/// The PMU of this name, or that of the cores of a processor of this name: the words of its description, what
/// compilers call it, or a code name. Case and signs between letters do not matter.
///
/// Strings of events name PMUs by their own names only.
///
/// ```
/// use counterpoint_pmu::named;
/// let name = |text| named(text).map(|pmu| pmu.name);
/// assert_eq!(name("SPR"), Some("spr"));
/// assert_eq!(name("sapphirerapids"), Some("spr"));
/// assert_eq!((name("zen4"), name("znver4")), (Some("amd64_fam19h_zen4"), Some("amd64_fam19h_zen4")));
/// assert_eq!((name("neoverse-v2"), name("graviton4")), (Some("arm_v2"), Some("arm_v2")));
/// assert_eq!(name("skylake-avx512"), Some("skx"));
/// assert_eq!(name("toaster"), None);
/// ```
pub fn named(name: &str) -> Option<&'static Pmu> {
    find(name).or_else(|| {
        let letters = letters(name);
        if letters.is_empty() { None } else { by_table(&letters).or_else(|| described(&letters)) }
    })
}

/// The PMUs of the cores of a processor of this name, as [`named`] finds it: each kind of its cores, or one if the name is
/// that of a PMU or of one kind of cores.
///
/// ```
/// use counterpoint_pmu::cores_named;
/// let names = |text| cores_named(text).iter().map(|pmu| pmu.name).collect::<Vec<_>>();
/// assert_eq!(names("alderlake"), ["adl_glc", "adl_grt"]);
/// assert_eq!((names("adl_grt"), names("gracemont")), (vec!["adl_grt"], vec!["adl_grt"]));
/// assert!(names("toaster").is_empty());
/// ```
pub fn cores_named(name: &str) -> Vec<&'static Pmu> {
    let Some(first) = named(name) else { return Vec::new() };
    let is_other = |pmu: &&Pmu| {
        pmu.kind == PmuKind::Core
            && !pmu.is_architectural()
            && !pmu.is_deprecated()
            && *pmu != first
    };
    let of_processor = || first.processor().map(|cpu| detect(&cpu)).unwrap_or_default();
    let letters_of_name = letters(name);
    let is_kind_of_cores =
        |word: &str| word.strip_prefix('=').is_some_and(|kind| letters(kind) == letters_of_name);
    let is_one_kind = find(name).is_some() || lines().any(|(_, mut of)| of.any(is_kind_of_cores));
    let others = if is_one_kind { Vec::new() } else { of_processor() };
    std::iter::once(first).chain(others.into_iter().filter(is_other)).collect()
}

/// The cores of the processor in a name such as `srf_unc_cha`, and its unit, as libpfm writes the units that have a table:
/// those of other processors have none, and their events are the vendor's.
///
/// ```
/// use counterpoint_pmu::unit_named;
/// let name = |text| unit_named(text).map(|(pmu, unit)| (pmu.name, unit));
/// assert_eq!(name("srf_unc_cha"), Some(("srf", "cha")));
/// assert_eq!((name("sierraforest_unc_cha"), name("toaster_unc_cha")), (Some(("srf", "cha")), None));
/// assert_eq!(name("spr_unc_cha0"), None);
/// ```
pub fn unit_named(name: &str) -> Option<(&'static Pmu, &str)> {
    let (processor, unit) = name.split_once("_unc_").filter(|_| find(name).is_none())?;
    let core = named(processor).filter(|pmu| pmu.kind == PmuKind::Core)?;
    (!unit.is_empty()).then_some((core, unit))
}

/// The lines of `tables/names.txt`: a PMU, and words for it; those after `=` are of one kind of cores.
fn lines() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    const NAMES: &str = include_str!("../tables/names.txt");
    let lines = NAMES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words))
    })
}

/// The PMU in whose line of `tables/names.txt` the name is.
fn by_table(wanted: &str) -> Option<&'static Pmu> {
    lines().find_map(|(pmu, mut words)| {
        words.any(|word| letters(word) == wanted).then(|| find(pmu)).flatten()
    })
}

/// The PMU of cores with this description, also without the vendor, and without what tells variants apart.
fn described(wanted: &str) -> Option<&'static Pmu> {
    let is_it = |pmu: &&Pmu| {
        let of_vendor = pmu.description.split_once(' ').map_or("", |(_, rest)| rest);
        let plain = of_vendor.strip_suffix(" SP").unwrap_or(of_vendor);
        [pmu.description, of_vendor, plain].iter().any(|text| letters(text) == wanted)
    };
    all().filter(|pmu| pmu.kind == PmuKind::Core).find(is_it)
}

/// The letters and digits of a text, in lower case.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_line_names_a_pmu_of_cores_and_every_name_once() {
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for (name, words) in lines() {
            let pmu = find(name).unwrap_or_else(|| panic!("{name}: no such PMU"));
            assert_eq!((pmu.kind, pmu.name), (PmuKind::Core, name));
            let mut count = 0;
            for word in words {
                assert_eq!(known.insert(letters(word), name), None, "{word} is twice");
                assert_eq!(named(word).map(|pmu| pmu.name), Some(name), "{word}");
                count += 1;
            }
            assert!(count > 0, "{name}");
        }
    }

    #[test]
    fn the_words_of_every_description_of_cores_name_a_pmu_with_them() {
        for pmu in all().filter(|pmu| pmu.kind == PmuKind::Core) {
            let (_, words) = pmu.description.split_once(' ').unwrap();
            let found = named(words).unwrap_or_else(|| panic!("{words}"));
            assert!(found.description.contains(words) || found.name == pmu.name, "{words}");
        }
    }
}
