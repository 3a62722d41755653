//! The definition files of `presets/`: one for all processors, and one for each kind of processor.

/// Presets based on the kernel's own events, for any processor.
pub(crate) static KERNEL: &str = include_str!("../../../presets/kernel.csv");

/// A file, and the PMUs that its `CPU` lines name.
pub(crate) struct File {
    #[cfg_attr(not(test), expect(dead_code, reason = "a test compares it with the directory"))]
    pub name: &'static str,
    pub pmus: &'static [&'static str],
    pub text: &'static str,
}

macro_rules! files {
    ($($name:literal: $($pmu:ident)*;)*) => {
        pub(crate) const ALL: &[File] = &[$(File {
            name: $name,
            pmus: &[$(stringify!($pmu)),*],
            text: include_str!(concat!("../../../presets/", $name, ".csv")),
        }),*];
    };
}

files! {
    "amd/amd64_fam10h_barcelona": amd64_fam10h_barcelona amd64_fam10h_shanghai amd64_fam10h_istanbul;
    "amd/amd64_fam12h_llano": amd64_fam12h_llano;
    "amd/amd64_fam14h_bobcat": amd64_fam14h_bobcat;
    "amd/amd64_fam15h_interlagos": amd64_fam15h_interlagos;
    "amd/amd64_fam16h": amd64_fam16h;
    "amd/amd64_fam17h": amd64_fam17h amd64_fam17h_zen1;
    "amd/amd64_fam17h_zen2": amd64_fam17h_zen2;
    "amd/amd64_fam19h_zen3": amd64_fam19h_zen3;
    "amd/amd64_fam19h_zen3_l3": amd64_fam19h_zen3_l3;
    "amd/amd64_fam19h_zen4": amd64_fam19h_zen4;
    "amd/amd64_fam1ah_zen5": amd64_fam1ah_zen5;
    "amd/amd64_fam1ah_zen5_l3": amd64_fam17h_zen1_l3 amd64_fam17h_zen2_l3 amd64_fam19h_zen4_l3 amd64_fam1ah_zen5_l3 amd64_fam1ah_zen6_l3;
    "amd/amd64_fam1ah_zen6": amd64_fam1ah_zen6;
    "amd/amd64_k7": amd64_k7;
    "amd/amd64_k8_revb": amd64_k8_revb amd64_k8_revc amd64_k8_revd amd64_k8_reve amd64_k8_revf amd64_k8_revg amd64_fam11h_turion;
    "arm/arm_1176": arm_1176;
    "arm/arm_a64fx": arm_a64fx;
    "arm/arm_ac34": arm_ac34;
    "arm/arm_ac35": arm_ac35;
    "arm/arm_ac510": arm_ac510;
    "arm/arm_ac53": arm_ac53;
    "arm/arm_ac55": arm_ac55;
    "arm/arm_ac57": arm_ac57 arm_ac72 arm_ac15;
    "arm/arm_ac65": arm_ac65 arm_e1;
    "arm/arm_ac7": arm_ac7;
    "arm/arm_ac710": arm_ac710 arm_x2;
    "arm/arm_ac73": arm_ac73;
    "arm/arm_ac75": arm_ac75;
    "arm/arm_ac76": arm_ac76;
    "arm/arm_ac77": arm_ac77;
    "arm/arm_ac78": arm_ac78 arm_x1;
    "arm/arm_ac8": arm_ac8;
    "arm/arm_ac9": arm_ac9;
    "arm/arm_ampereone": arm_ampereone;
    "arm/arm_ampereonex": arm_ampereonex;
    "arm/arm_emag": arm_emag;
    "arm/arm_kunpeng": arm_kunpeng;
    "arm/arm_monaka": arm_monaka;
    "arm/arm_n1": arm_n1;
    "arm/arm_n2": arm_n2 arm_v1;
    "arm/arm_thunderx2": arm_thunderx2;
    "arm/arm_v3": arm_v3;
    "arm/arm_x4": arm_x4 arm_n3 arm_v2 arm_olympus;
    "arm/arm_xgene": arm_xgene;
    "arm/qcom_krait": qcom_krait;
    "intel/adl_glc": adl_glc;
    "intel/adl_grt": adl_grt;
    "intel/adl_n": adl_n;
    "intel/arl_skt": arl_skt lnl_skt;
    "intel/atom": atom;
    "intel/bdw": bdw bdw_ep;
    "intel/core": core;
    "intel/coreduo": coreduo;
    "intel/glm": glm;
    "intel/glp": glp;
    "intel/hsw": hsw hsw_ep;
    "intel/icl": icl icx;
    "intel/ivb": ivb ivb_ep;
    "intel/ix86arch": ix86arch;
    "intel/knc": knc;
    "intel/knl": knl knm;
    "intel/mtl_cmt": mtl_cmt arl_cmt srf grr;
    "intel/mtl_rwc": mtl_rwc arl_lnc lnl_lnc;
    "intel/netburst": netburst netburst_p;
    "intel/nhm": nhm nhm_ex;
    "intel/nvl_acw": nvl_acw;
    "intel/nvl_cyc": nvl_cyc;
    "intel/p6": p6;
    "intel/pii": pii ppro;
    "intel/pm": pm;
    "intel/ptl_cgc": ptl_cgc;
    "intel/ptl_dkt": ptl_dkt cwf;
    "intel/skl": skl skx clx;
    "intel/slm": slm;
    "intel/snb": snb snb_ep;
    "intel/spr": spr emr gnr;
    "intel/tmt": tmt;
    "intel/wsm": wsm wsm_dp;
    "mips/mips_74k": mips_74k;
    "power/power10": power10 power11;
    "power/power4": power4;
    "power/power5": power5;
    "power/power5p": power5p;
    "power/power6": power6;
    "power/power7": power7;
    "power/power8": power8;
    "power/power9": power9;
    "power/ppc970": ppc970;
    "power/ppc970mp": ppc970mp;
    "riscv/andes_ax45": andes_ax45;
    "riscv/openhw_cva6": openhw_cva6;
    "riscv/sifive_bullet": sifive_bullet sifive_p550;
    "riscv/sifive_bullet_07": sifive_bullet_07 sifive_bullet_0d sifive_p650;
    "riscv/starfive_dubhe80": starfive_dubhe80;
    "riscv/thead_c900": thead_c900;
    "s390x/cpum_cf": cpum_cf;
    "sparc/niagara1": niagara1;
    "sparc/niagara2": niagara2;
    "sparc/ultra12": ultra12;
    "sparc/ultra3": ultra3 ultra3i ultra3p;
    "sparc/ultra4p": ultra4p;
}
