//! The kernel's PMUs of a vendor's units.

/// Units whose PMUs have other names than theirs, as perf's `jevents.py` and the kernel's drivers have them; `|` stands
/// between names of which a kernel has one.
const UNITS: [(&str, &str); 17] = [
    ("CBO", "uncore_cbox"),
    ("SBO", "uncore_sbox"),
    ("QPI LL", "uncore_qpi"),
    ("UPI LL", "uncore_upi"),
    ("iMPH-U", "uncore_arb"),
    ("HAC_CBO", "uncore_hac_cbox|uncore_hac_cbo"),
    // Its clock counts in the first box where the kernel shows no PMU for it.
    ("NCU", "uncore_clock|uncore_cncu|uncore_cbox_0"),
    ("iMC_UCLK", "uncore_mc_uclk|uncore_imc_uclk"),
    ("iMC_DCLK", "uncore_imc"),
    ("MCHBM", "uncore_mchbm|uncore_hbm"),
    ("CPU-M-CF", "cpum_cf"),
    ("CPU-M-SF", "cpum_sf"),
    ("PAI-CRYPTO", "pai_crypto"),
    ("PAI-EXT", "pai_ext"),
    ("L3PMC", "amd_l3"),
    ("DFPMC", "amd_df"),
    ("UMCPMC", "amd_umc"),
];

/// The word of the tables for an event that names no unit.
pub(super) const CORE: &str = "-";

/// Returns true if a unit is a kind of cores.
pub(super) fn is_core(unit: &str) -> bool {
    unit == CORE || unit.starts_with("cpu_")
}

/// The kernel's names of the PMUs of a unit, without the numbers of boxes; of several, a machine has one.
pub(super) fn pmus(unit: &str) -> Vec<String> {
    if let Some((_, known)) = UNITS.iter().find(|(name, _)| *name == unit) {
        return known.split('|').map(str::to_owned).collect();
    }
    // Units of Arm's vendors are the kernel's names, with a comma where the number of a cluster stands.
    if unit.starts_with("cpu_") || unit.contains(',') {
        return vec![unit.to_owned()];
    }
    let unit = unit.to_lowercase();
    if unit.starts_with("uncore_") { vec![unit] } else { vec![format!("uncore_{unit}"), unit] }
}

/// Returns true if the kernel's name `device` is that of a PMU or of one of its boxes: `uncore_cha_3` of `uncore_cha`,
/// `hisi_sccl1_ddrc0` of `hisi_sccl,ddrc`.
pub fn is_box_of(device: &str, pmu: &str) -> bool {
    let mut rest = device;
    for (place, part) in pmu.split(',').enumerate() {
        let after = match place {
            0 => rest.strip_prefix(part),
            _ => rest.strip_prefix('_').and_then(|rest| rest.strip_prefix(part)),
        };
        let Some(after) = after else { return false };
        let number = after.trim_start_matches(|c: char| c.is_ascii_digit());
        rest = number;
    }
    let number = rest.strip_prefix('_').unwrap_or(rest);
    number.bytes().all(|byte| byte.is_ascii_digit())
}
