//! The list of all models.

use super::family::{
    amd64, cell, core, core_duo, gen_ia32, ia64, mips, nehalem, p6, pentium4, power, sparc,
};
use super::model::{Model, model};

impl Model {
    /// Every model.
    pub fn all() -> impl ExactSizeIterator<Item = &'static Model> {
        MODELS.iter()
    }

    /// The model of this name, in any case.
    pub fn find(name: &str) -> Option<&'static Model> {
        Model::all().find(|model| model.name().eq_ignore_ascii_case(name))
    }
}

macro_rules! models {
    ($($name:literal $table:literal $rules:path,)*) => {
        /// Every model: its name, its table and its family. A new one is a line here and a table; a new
        /// family is a file with [`Rules`](super::model::Rules) over the table.
        pub(crate) static MODELS: [Model; [$($name),*].len()] = [$(model(
            $name,
            include_str!(concat!("../../tables/libpfm3/", $table, ".txt")),
            $rules,
        )),*];
    };
}

models! {
    "gen_ia32_v1" "gen_ia32_v1" gen_ia32::version1,
    "gen_ia32_v2" "gen_ia32_v2" gen_ia32::version2,
    "gen_ia32_v3" "gen_ia32_v2" gen_ia32::version3,
    "gen_ia32_v3_4gp" "gen_ia32_v3_4gp" gen_ia32::version3,
    "i386_ppro" "i386_ppro" p6::rules,
    "i386_pii" "i386_pii" p6::rules,
    "i386_p6" "i386_p6" p6::rules,
    "i386_pm" "i386_pm" p6::rules,
    "coreduo" "coreduo" core_duo::rules,
    "core" "core" core::core,
    "intel_atom" "intel_atom" core::atom,
    "intel_nhm" "intel_nhm" nehalem::rules,
    "intel_nhm_aaj80" "intel_nhm" nehalem::rules,
    "intel_nhm_ex" "intel_nhm_ex" nehalem::rules,
    "intel_wsm" "intel_wsm" nehalem::rules,
    "pentium4" "pentium4" pentium4::rules,
    "pentium4_m3" "pentium4" pentium4::rules,
    "amd64_k7" "amd64_k7" amd64::rules,
    "amd64_k8_revb" "amd64_k8" amd64::rules,
    "amd64_k8_revc" "amd64_k8" amd64::rules,
    "amd64_k8_revd" "amd64_k8" amd64::rules,
    "amd64_k8_reve" "amd64_k8" amd64::rules,
    "amd64_k8_revf" "amd64_k8" amd64::rules,
    "amd64_k8_revg" "amd64_k8" amd64::rules,
    "amd64_fam10h_revb" "amd64_fam10h" amd64::rules,
    "amd64_fam10h_revc" "amd64_fam10h" amd64::rules,
    "amd64_fam10h_revd" "amd64_fam10h" amd64::rules,
    "amd64_fam10h_reve" "amd64_fam10h" amd64::rules,
    "amd64_fam15h" "amd64_fam15h" amd64::rules,
    "gen_ia64" "gen_ia64" ia64::generic,
    "itanium" "itanium" ia64::itanium,
    "itanium2" "itanium2" ia64::itanium2,
    "montecito" "montecito" ia64::montecito,
    "mips_20kc" "mips_20kc" mips::mips,
    "mips_24k" "mips_24k" mips::mips,
    "mips_25kf" "mips_25kf" mips::mips,
    "mips_34k" "mips_34k" mips::mips,
    "mips_5kc" "mips_5kc" mips::mips,
    "mips_r10000" "mips_r10000" mips::mips,
    "mips_r12000" "mips_r12000" mips::mips,
    "mips_rm7000" "mips_rm7000" mips::mips,
    "mips_rm9000" "mips_rm9000" mips::mips,
    "mips_sb1" "mips_sb1" mips::mips,
    "mips_vr5432" "mips_vr5432" mips::mips,
    "mips_vr5500" "mips_vr5500" mips::mips,
    "sparc_ultra12" "sparc_ultra12" sparc::ultra,
    "sparc_ultra3" "sparc_ultra3" sparc::ultra,
    "sparc_ultra3i" "sparc_ultra3i" sparc::ultra,
    "sparc_ultra3plus" "sparc_ultra3plus" sparc::ultra,
    "sparc_ultra4plus" "sparc_ultra4plus" sparc::ultra,
    "sparc_niagara1" "sparc_niagara1" sparc::ultra,
    "sparc_niagara2" "sparc_niagara2" sparc::niagara2,
    "ppc970" "ppc970" power::power,
    "ppc970mp" "ppc970mp" power::power,
    "power4" "power4" power::power,
    "power5" "power5" power::power,
    "power5p_gr" "power5p" power::power,
    "power5p_gs" "power5p" power::power,
    "power6" "power6" power::power,
    "power7" "power7" power::power,
    "cell" "cell" cell::cell,
}
