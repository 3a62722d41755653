//! PAPI's preset names, in PAPI's order.

use crate::report::values::Reason;

/// A preset: a standard name of PAPI for an event that processors name differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "PAPI_preset_info_t")]
#[non_exhaustive]
pub struct Preset {
    /// The name, such as `PAPI_TOT_CYC`.
    pub name: &'static str,
    /// The description, in one line.
    pub description: &'static str,
}

impl Preset {
    /// All 110 presets, in PAPI's order.
    pub fn all() -> &'static [Preset] {
        &ALL
    }

    /// The preset with a name, ignoring case.
    pub fn find(name: &str) -> Option<&'static Preset> {
        ALL.iter().find(|preset| preset.name.eq_ignore_ascii_case(name))
    }

    /// The reason why it is not available.
    pub(crate) fn unsupported_by(&self, whom: &str) -> Reason {
        if cfg!(feature = "definitions") {
            Reason::Definition(format!("no event of {whom} counts it"))
        } else {
            Reason::Definition(
                "the feature `definitions` is off, which has the presets".to_string(),
            )
        }
    }
}

static ALL: [Preset; 110] = [
    Preset { name: "PAPI_L1_DCM", description: "Data not found in the first-level cache" },
    Preset { name: "PAPI_L1_ICM", description: "Instructions not found in the first-level cache" },
    Preset { name: "PAPI_L2_DCM", description: "Data not found in the second-level cache" },
    Preset { name: "PAPI_L2_ICM", description: "Instructions not found in the second-level cache" },
    Preset { name: "PAPI_L3_DCM", description: "Data not found in the third-level cache" },
    Preset { name: "PAPI_L3_ICM", description: "Instructions not found in the third-level cache" },
    Preset { name: "PAPI_L1_TCM", description: "First-level cache misses, data and instructions" },
    Preset { name: "PAPI_L2_TCM", description: "Second-level cache misses, data and instructions" },
    Preset { name: "PAPI_L3_TCM", description: "Third-level cache misses, data and instructions" },
    Preset { name: "PAPI_CA_SNP", description: "Requests for the state of a line in other caches" },
    Preset {
        name: "PAPI_CA_SHR",
        description: "Requests for exclusive use of a line that is shared",
    },
    Preset { name: "PAPI_CA_CLN", description: "Requests for exclusive use of a clean line" },
    Preset {
        name: "PAPI_CA_INV",
        description: "Requests that make a line in other caches invalid",
    },
    Preset { name: "PAPI_CA_ITV", description: "Requests that another cache answers" },
    Preset { name: "PAPI_L3_LDM", description: "Loads that miss the third-level cache" },
    Preset { name: "PAPI_L3_STM", description: "Stores that miss the third-level cache" },
    Preset { name: "PAPI_BRU_IDL", description: "Cycles in which the branch units do nothing" },
    Preset { name: "PAPI_FXU_IDL", description: "Cycles in which the integer units do nothing" },
    Preset {
        name: "PAPI_FPU_IDL",
        description: "Cycles in which the floating-point units do nothing",
    },
    Preset {
        name: "PAPI_LSU_IDL",
        description: "Cycles in which the load and store units do nothing",
    },
    Preset {
        name: "PAPI_TLB_DM",
        description: "Address translations of data not found in the TLB",
    },
    Preset {
        name: "PAPI_TLB_IM",
        description: "Address translations of instructions not found in the TLB",
    },
    Preset { name: "PAPI_TLB_TL", description: "TLB misses, data and instructions" },
    Preset { name: "PAPI_L1_LDM", description: "Loads that miss the first-level cache" },
    Preset { name: "PAPI_L1_STM", description: "Stores that miss the first-level cache" },
    Preset { name: "PAPI_L2_LDM", description: "Loads that miss the second-level cache" },
    Preset { name: "PAPI_L2_STM", description: "Stores that miss the second-level cache" },
    Preset { name: "PAPI_BTAC_M", description: "Branches whose target is not in the target cache" },
    Preset { name: "PAPI_PRF_DM", description: "Prefetched data that missed the cache" },
    Preset { name: "PAPI_L3_DCH", description: "Data found in the third-level cache" },
    Preset { name: "PAPI_TLB_SD", description: "Requests to drop translations from all TLBs" },
    Preset { name: "PAPI_CSR_FAL", description: "Conditional stores that did not store" },
    Preset { name: "PAPI_CSR_SUC", description: "Conditional stores that stored" },
    Preset { name: "PAPI_CSR_TOT", description: "Conditional stores" },
    Preset { name: "PAPI_MEM_SCY", description: "Cycles spent waiting for memory" },
    Preset { name: "PAPI_MEM_RCY", description: "Cycles spent waiting for reads from memory" },
    Preset { name: "PAPI_MEM_WCY", description: "Cycles spent waiting for writes to memory" },
    Preset { name: "PAPI_STL_ICY", description: "Cycles that issue no instruction" },
    Preset {
        name: "PAPI_FUL_ICY",
        description: "Cycles that issue as many instructions as can be",
    },
    Preset { name: "PAPI_STL_CCY", description: "Cycles that complete no instruction" },
    Preset {
        name: "PAPI_FUL_CCY",
        description: "Cycles that complete as many instructions as can be",
    },
    Preset { name: "PAPI_HW_INT", description: "Hardware interrupts taken" },
    Preset { name: "PAPI_BR_UCN", description: "Unconditional branches" },
    Preset { name: "PAPI_BR_CN", description: "Conditional branches" },
    Preset { name: "PAPI_BR_TKN", description: "Conditional branches taken" },
    Preset { name: "PAPI_BR_NTK", description: "Conditional branches not taken" },
    Preset { name: "PAPI_BR_MSP", description: "Conditional branches predicted wrong" },
    Preset { name: "PAPI_BR_PRC", description: "Conditional branches predicted right" },
    Preset { name: "PAPI_FMA_INS", description: "Fused multiply-add instructions" },
    Preset { name: "PAPI_TOT_IIS", description: "Instructions issued, completed or not" },
    Preset { name: "PAPI_TOT_INS", description: "Instructions completed" },
    Preset { name: "PAPI_INT_INS", description: "Integer instructions" },
    Preset { name: "PAPI_FP_INS", description: "Floating-point instructions" },
    Preset { name: "PAPI_LD_INS", description: "Load instructions" },
    Preset { name: "PAPI_SR_INS", description: "Store instructions" },
    Preset { name: "PAPI_BR_INS", description: "Branch instructions" },
    Preset { name: "PAPI_VEC_INS", description: "Vector instructions" },
    Preset { name: "PAPI_RES_STL", description: "Cycles stalled for want of any resource" },
    Preset { name: "PAPI_FP_STAL", description: "Cycles in which the floating-point units stall" },
    Preset { name: "PAPI_TOT_CYC", description: "Cycles, at whatever rate the clock runs" },
    Preset { name: "PAPI_LST_INS", description: "Load and store instructions completed" },
    Preset { name: "PAPI_SYC_INS", description: "Instructions that synchronize, completed" },
    Preset { name: "PAPI_L1_DCH", description: "Data found in the first-level cache" },
    Preset { name: "PAPI_L2_DCH", description: "Data found in the second-level cache" },
    Preset { name: "PAPI_L1_DCA", description: "Data accesses to the first-level cache" },
    Preset { name: "PAPI_L2_DCA", description: "Data accesses to the second-level cache" },
    Preset { name: "PAPI_L3_DCA", description: "Data accesses to the third-level cache" },
    Preset { name: "PAPI_L1_DCR", description: "Data reads from the first-level cache" },
    Preset { name: "PAPI_L2_DCR", description: "Data reads from the second-level cache" },
    Preset { name: "PAPI_L3_DCR", description: "Data reads from the third-level cache" },
    Preset { name: "PAPI_L1_DCW", description: "Data writes to the first-level cache" },
    Preset { name: "PAPI_L2_DCW", description: "Data writes to the second-level cache" },
    Preset { name: "PAPI_L3_DCW", description: "Data writes to the third-level cache" },
    Preset { name: "PAPI_L1_ICH", description: "Instructions found in the first-level cache" },
    Preset { name: "PAPI_L2_ICH", description: "Instructions found in the second-level cache" },
    Preset { name: "PAPI_L3_ICH", description: "Instructions found in the third-level cache" },
    Preset { name: "PAPI_L1_ICA", description: "Instruction accesses to the first-level cache" },
    Preset { name: "PAPI_L2_ICA", description: "Instruction accesses to the second-level cache" },
    Preset { name: "PAPI_L3_ICA", description: "Instruction accesses to the third-level cache" },
    Preset { name: "PAPI_L1_ICR", description: "Instruction reads from the first-level cache" },
    Preset { name: "PAPI_L2_ICR", description: "Instruction reads from the second-level cache" },
    Preset { name: "PAPI_L3_ICR", description: "Instruction reads from the third-level cache" },
    Preset { name: "PAPI_L1_ICW", description: "Instruction writes to the first-level cache" },
    Preset { name: "PAPI_L2_ICW", description: "Instruction writes to the second-level cache" },
    Preset { name: "PAPI_L3_ICW", description: "Instruction writes to the third-level cache" },
    Preset { name: "PAPI_L1_TCH", description: "First-level cache hits, data and instructions" },
    Preset { name: "PAPI_L2_TCH", description: "Second-level cache hits, data and instructions" },
    Preset { name: "PAPI_L3_TCH", description: "Third-level cache hits, data and instructions" },
    Preset {
        name: "PAPI_L1_TCA",
        description: "First-level cache accesses, data and instructions",
    },
    Preset {
        name: "PAPI_L2_TCA",
        description: "Second-level cache accesses, data and instructions",
    },
    Preset {
        name: "PAPI_L3_TCA",
        description: "Third-level cache accesses, data and instructions",
    },
    Preset { name: "PAPI_L1_TCR", description: "First-level cache reads, data and instructions" },
    Preset { name: "PAPI_L2_TCR", description: "Second-level cache reads, data and instructions" },
    Preset { name: "PAPI_L3_TCR", description: "Third-level cache reads, data and instructions" },
    Preset { name: "PAPI_L1_TCW", description: "First-level cache writes, data and instructions" },
    Preset { name: "PAPI_L2_TCW", description: "Second-level cache writes, data and instructions" },
    Preset { name: "PAPI_L3_TCW", description: "Third-level cache writes, data and instructions" },
    Preset { name: "PAPI_FML_INS", description: "Floating-point multiplications" },
    Preset { name: "PAPI_FAD_INS", description: "Floating-point additions" },
    Preset { name: "PAPI_FDV_INS", description: "Floating-point divisions" },
    Preset { name: "PAPI_FSQ_INS", description: "Floating-point square roots" },
    Preset { name: "PAPI_FNV_INS", description: "Floating-point inversions" },
    Preset { name: "PAPI_FP_OPS", description: "Floating-point operations" },
    Preset {
        name: "PAPI_SP_OPS",
        description: "Floating-point operations in single precision, each element of a vector",
    },
    Preset {
        name: "PAPI_DP_OPS",
        description: "Floating-point operations in double precision, each element of a vector",
    },
    Preset { name: "PAPI_VEC_SP", description: "Vector instructions in single precision" },
    Preset { name: "PAPI_VEC_DP", description: "Vector instructions in double precision" },
    Preset { name: "PAPI_REF_CYC", description: "Cycles of a clock of constant rate" },
    Preset { name: "PAPI_VEC_HP", description: "Vector instructions in half precision" },
    Preset {
        name: "PAPI_HP_OPS",
        description: "Floating-point operations in half precision, each element of a vector",
    },
];
