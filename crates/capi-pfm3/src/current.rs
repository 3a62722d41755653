//! The model that calls are answered for.

use std::fs::File;
use std::io::Read;

use counterpoint_capi::Current;
use counterpoint_pmu::libpfm3::Model;
use counterpoint_pmu::{CpuId, detect};

use crate::result::{Failed, NOINIT, NOTSUPP};

static CURRENT: Current<Model> = Current::none();

/// The model that was found or forced.
pub(crate) fn current() -> Result<&'static Model, Failed> {
    CURRENT.get().ok_or(NOINIT)
}

/// Takes the model that LIBPFM_FORCE_PMU names, by libpfm's number or by our name; without it, that of this machine.
pub(crate) fn start() -> Result<(), Failed> {
    let forced = std::env::var("LIBPFM_FORCE_PMU").ok();
    let model = match forced.as_deref().map(str::trim) {
        Some(forced) => forced.parse().map_or_else(|_| Model::find(forced), of_kind),
        None => of_machine(),
    };
    CURRENT.set(Some(model.ok_or(NOTSUPP)?));
    Ok(())
}

/// Takes the first model with this number of libpfm's.
pub(crate) fn force(kind: u32) -> Result<(), Failed> {
    CURRENT.set(Some(of_kind(kind).ok_or(NOTSUPP)?));
    Ok(())
}

pub(crate) fn of_kind(kind: u32) -> Option<&'static Model> {
    Model::all().find(|model| model.kind() == kind)
}

fn of_machine() -> Option<&'static Model> {
    let mut text = Vec::new();
    // On x86 the first processor is like all others, and elsewhere the file is short.
    File::open("/proc/cpuinfo").ok()?.take(1 << 16).read_to_end(&mut text).ok()?;
    of_cpuinfo(&String::from_utf8_lossy(&text))
}

fn of_cpuinfo(text: &str) -> Option<&'static Model> {
    let pmus = detect(&CpuId::from_cpuinfo(text)?);
    let known = pmus.iter().find_map(|pmu| {
        let name = NAMES.iter().find(|(newer, _)| *newer == pmu.name).map(|(_, older)| *older);
        Model::find(name.unwrap_or(pmu.name))
    });
    // Later processors have at least the architectural counters.
    let is_architectural = || pmus.iter().any(|pmu| pmu.is_architectural());
    known.or_else(|| Model::find("gen_ia32_v3").filter(|_| is_architectural()))
}

/// Processors whose names libpfm changed since version 3.
const NAMES: &[(&str, &str)] = &[
    ("atom", "intel_atom"),
    ("nhm", "intel_nhm"),
    ("nhm_ex", "intel_nhm_ex"),
    ("wsm", "intel_wsm"),
    ("wsm_dp", "intel_wsm"),
    ("ppro", "i386_ppro"),
    ("pii", "i386_pii"),
    ("p6", "i386_p6"),
    ("pm", "i386_pm"),
    ("netburst", "pentium4"),
    ("netburst_p", "pentium4_m3"),
    ("amd64_fam10h_barcelona", "amd64_fam10h_revb"),
    ("amd64_fam10h_shanghai", "amd64_fam10h_revc"),
    ("amd64_fam10h_istanbul", "amd64_fam10h_revd"),
    ("amd64_fam15h_interlagos", "amd64_fam15h"),
    ("power5p", "power5p_gr"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_found() {
        let of = |vendor: &str, family: u32, model: u32| {
            let text = format!(
                "vendor_id: {vendor}\ncpu family: {family}\nmodel: {model}\nstepping: 2\nflags: arch_perfmon"
            );
            of_cpuinfo(&text).map(Model::name)
        };
        assert_eq!(of("GenuineIntel", 6, 26), Some("intel_nhm"));
        assert_eq!(of("GenuineIntel", 6, 15), Some("core"));
        assert_eq!(of("GenuineIntel", 6, 143), Some("gen_ia32_v3"));
        assert_eq!(of("AuthenticAMD", 21, 1), Some("amd64_fam15h"));
        assert_eq!(of("AuthenticAMD", 25, 1), None);
    }

    #[test]
    fn every_name_is_known() {
        for (newer, older) in NAMES {
            assert!(counterpoint_pmu::find(newer).is_some(), "{newer}");
            assert!(Model::find(older).is_some(), "{older}");
        }
    }
}
