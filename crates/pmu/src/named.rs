//! PMUs by what people and compilers call their processors.

use crate::detect::detect;
use crate::list::{all, find};
use crate::pmu::{Pmu, PmuKind};
use crate::vendor::{Events, is_box_of};

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

/// The cores of the processor in a name such as `srf_unc_cha`, and the kernel's name of the unit, without the number of a
/// box. libpfm writes so the units that have a table; of other processors, the events of units are the vendor's.
///
/// ```
/// use counterpoint_pmu::unit_named;
/// let name = |text| unit_named(text).map(|(pmu, unit)| (pmu.name, unit));
/// assert_eq!(name("srf_unc_cha"), Some(("srf", "uncore_cha".to_string())));
/// assert_eq!(name("sierraforest_unc_cha"), Some(("srf", "uncore_cha".to_string())));
/// assert_eq!(name("zen4_umc"), Some(("amd64_fam19h_zen4", "amd_umc".to_string())));
/// assert_eq!((name("srf_unc_toaster"), name("toaster_unc_cha"), name("spr_unc_cha0")), (None, None, None));
/// ```
pub fn unit_named(name: &str) -> Option<(&'static Pmu, String)> {
    if find(name).is_some() {
        return None;
    }
    let (vendor, (processor, unit)) = match name.split_once("_unc_") {
        Some(parts) => ("uncore", parts),
        None => ("amd", name.rsplit_once('_')?),
    };
    let unit = format!("{vendor}_{}", unit.to_ascii_lowercase());
    let core = named(processor).filter(|pmu| pmu.kind == PmuKind::Core)?;
    let events = Events::built_in(&core.processor()?);
    events.unit_pmus().contains(&unit).then_some((core, unit))
}

/// The units of the processor with these cores that have no table, each by a name for [`unit_named`] and by the kernel's.
///
/// ```
/// use counterpoint_pmu::{find, units_beside};
/// let units = units_beside(find("srf").unwrap());
/// assert!(units.contains(&("srf_unc_cha".to_string(), "uncore_cha".to_string())));
/// assert!(units_beside(find("amd64_fam19h_zen4").unwrap()).iter().all(|(name, _)| !name.ends_with("_l3")));
/// ```
pub fn units_beside(core: &Pmu) -> Vec<(String, String)> {
    let Some(cpu) = core.processor() else { return Vec::new() };
    let tables: Vec<&Pmu> =
        all().filter(|pmu| pmu.kind == PmuKind::Uncore && pmu.is_of(&cpu)).collect();
    let has_table = |unit: &String| {
        tables.iter().any(|pmu| pmu.devices().any(|device| is_box_of(device, unit)))
    };
    let name = |unit: &String| {
        let short = unit.strip_prefix("uncore_").map(|unit| format!("unc_{unit}"));
        let short = short.or_else(|| unit.strip_prefix("amd_").map(str::to_string))?;
        Some(format!("{}_{short}", core.name))
    };
    let units = Events::built_in(&cpu).unit_pmus();
    let units = units.into_iter().filter(|unit| !has_table(unit));
    units.filter_map(|unit| Some((name(&unit)?, unit))).collect()
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
