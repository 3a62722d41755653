//! The descriptions of the PMUs.

/// Beginnings of PMU names, the longest that fits counts, and the processors they stand for.
const PROCESSORS: &[(&str, &str)] = &[
    ("pii", "Intel Pentium II"),
    ("ppro", "Intel Pentium Pro"),
    ("p6", "Intel Pentium III and other P6"),
    ("pm", "Intel Pentium M"),
    ("coreduo", "Intel Core Duo"),
    ("netburst", "Intel Pentium 4"),
    ("netburst_p", "Intel Pentium 4 from Prescott on"),
    ("core", "Intel Core 2"),
    ("atom", "Intel Atom"),
    ("nhm", "Intel Nehalem"),
    ("nhm_ex", "Intel Nehalem EX"),
    ("wsm", "Intel Westmere"),
    ("wsm_dp", "Intel Westmere DP"),
    ("snb", "Intel Sandy Bridge"),
    ("snb_ep", "Intel Sandy Bridge EP"),
    ("snbep", "Intel Sandy Bridge EP"),
    ("ivb", "Intel Ivy Bridge"),
    ("ivb_ep", "Intel Ivy Bridge EP"),
    ("ivbep", "Intel Ivy Bridge EP"),
    ("hsw", "Intel Haswell"),
    ("hsw_ep", "Intel Haswell EP"),
    ("hswep", "Intel Haswell EP"),
    ("bdw", "Intel Broadwell"),
    ("bdw_ep", "Intel Broadwell EP"),
    ("bdx", "Intel Broadwell EP"),
    ("skl", "Intel Skylake"),
    ("skx", "Intel Skylake SP"),
    ("clx", "Intel Cascade Lake SP"),
    ("icl", "Intel Ice Lake"),
    ("icx", "Intel Ice Lake SP"),
    ("spr", "Intel Sapphire Rapids"),
    ("emr", "Intel Emerald Rapids"),
    ("gnr", "Intel Granite Rapids"),
    ("adl_glc", "Intel Alder Lake performance core (Golden Cove)"),
    ("adl_grt", "Intel Alder Lake efficient core (Gracemont)"),
    ("rapl", "Intel energy counters (RAPL)"),
    ("knc", "Intel Knights Corner"),
    ("slm", "Intel Silvermont"),
    ("glm", "Intel Goldmont"),
    ("tmt", "Intel Tremont"),
    ("knl", "Intel Knights Landing"),
    ("knm", "Intel Knights Mill"),
    ("ix86arch", "Intel architectural events"),
    ("amd64_k7", "AMD K7"),
    ("amd64_k8", "AMD K8"),
    ("amd64_fam10h", "AMD family 10h"),
    ("amd64_fam11h", "AMD family 11h"),
    ("amd64_fam12h", "AMD family 12h"),
    ("amd64_fam14h", "AMD family 14h"),
    ("amd64_fam15h", "AMD family 15h"),
    ("amd64_fam16h", "AMD family 16h"),
    ("amd64_fam17h", "AMD family 17h (Zen 1)"),
    ("amd64_fam17h_zen1", "AMD Zen 1"),
    ("amd64_fam17h_zen2", "AMD Zen 2"),
    ("amd64_fam19h_zen3", "AMD Zen 3"),
    ("amd64_fam19h_zen4", "AMD Zen 4"),
    ("amd64_fam1ah_zen5", "AMD Zen 5"),
    ("amd64_fam1ah_zen6", "AMD Zen 6"),
    ("amd64_rapl", "AMD energy counters (RAPL)"),
    ("arm_ac", "Arm Cortex-A"),
    ("arm_x", "Arm Cortex-X"),
    ("arm_n", "Arm Neoverse N"),
    ("arm_v", "Arm Neoverse V"),
    ("arm_1176", "Arm 1176"),
    ("arm_xgene", "Applied Micro X-Gene"),
    ("arm_thunderx2", "Marvell ThunderX2"),
    ("tx2", "Marvell ThunderX2"),
    ("arm_a64fx", "Fujitsu A64FX"),
    ("arm_monaka", "Fujitsu Monaka"),
    ("arm_kunpeng", "HiSilicon Kunpeng"),
    ("hisi", "HiSilicon Kunpeng"),
    ("arm_olympus", "NVIDIA Olympus"),
    ("qcom_krait", "Qualcomm Krait"),
    ("power", "IBM POWER"),
    ("power_torrent", "IBM Torrent interconnect"),
    ("powerpc_nest", "IBM POWER8 nest"),
    ("ppc970", "IBM PowerPC 970"),
    ("ppc970mp", "IBM PowerPC 970MP"),
    ("cpum_cf", "IBM Z counter facility"),
    ("cpum_sf", "IBM Z sampling facility"),
    ("ultra", "UltraSPARC "),
    ("niagara", "UltraSPARC T"),
    ("mips_74k", "MIPS 74K"),
];

/// Boxes of an uncore, by the beginning of what stands after the processor.
const BOXES: &[(&str, &str)] = &[
    ("cbo", "last-level cache box"),
    ("cha", "caching and home agent"),
    ("imc", "memory controller"),
    ("imc_uclk", "memory controller, uncore clock"),
    ("edc_uclk", "embedded memory controller, uncore clock"),
    ("edc_eclk", "embedded memory controller, memory clock"),
    ("ha", "home agent"),
    ("sbo", "ring transfer box"),
    ("iio", "I/O stack"),
    ("irp", "I/O ring port"),
    ("upi", "UPI link"),
    ("qpi", "QPI link"),
    ("r2pcie", "ring to PCIe"),
    ("r3qpi", "ring to QPI"),
    ("m2m", "mesh to memory"),
    ("m2pcie", "mesh to PCIe"),
    ("m3upi", "mesh to UPI"),
    ("pcu", "power control unit"),
    ("ubo", "uncore configuration box"),
    ("l3", "L3 cache"),
    ("nb", "northbridge"),
    ("dmc", "memory controller"),
    ("llc", "last-level cache"),
    ("ccpi", "socket interconnect"),
    ("ddrc", "memory controller"),
    ("hha", "home agent"),
    ("l3c", "L3 cache"),
    ("mcs_read", "memory reads"),
    ("mcs_write", "memory writes"),
];

/// One line about a PMU.
pub(super) fn pmu_title(name: &str) -> String {
    let Some((start, words)) = longest(PROCESSORS, name) else { return name.to_owned() };
    let rest = name[start.len()..].trim_start_matches('_');
    let joined = !name[start.len()..].starts_with('_');
    if joined || rest.is_empty() {
        let rest = rest.replace('+', " plus");
        return format!("{words}{}", rest.to_uppercase()).trim().to_owned();
    }
    let rest = rest.strip_prefix("unc").map_or(rest, |rest| rest.trim_start_matches('_'));
    let (cluster, unit) = match rest.split_once('_') {
        Some((cluster, unit)) if cluster.starts_with("sccl") => (Some(cluster), unit),
        _ => (None, rest),
    };
    let Some((start, unit_words)) = longest(BOXES, unit) else {
        return match unit {
            "" => format!("{words} uncore"),
            _ => format!("{words}, {}", unit.replace('_', " ")),
        };
    };
    let number = unit[start.len()..].trim_start_matches(|c: char| !c.is_ascii_digit());
    let cluster = cluster.map(|cluster| format!(" of cluster {}", &cluster[4..]));
    let number = if number.is_empty() { String::new() } else { format!(" {number}") };
    format!("{words} uncore, {unit_words}{number}{}", cluster.unwrap_or_default())
}

/// One line about a table that these PMUs share.
pub(super) fn table_title(users: &[&str]) -> String {
    let title = users.first().map(|user| pmu_title(user)).unwrap_or_default();
    let title = match users.len() {
        0 | 1 => title,
        _ => title.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end().to_owned(),
    };
    match users {
        [one] => format!("{title}: {one}"),
        [first, .., last] => format!("{title}: {first} to {last}, {} PMUs", users.len()),
        [] => title,
    }
}

fn longest(
    words: &[(&'static str, &'static str)],
    name: &str,
) -> Option<(&'static str, &'static str)> {
    let fitting = words.iter().filter(|(start, _)| name.starts_with(start));
    fitting.max_by_key(|(start, _)| start.len()).copied()
}
