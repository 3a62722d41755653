//! The result of a dispatch: the registers, their values and addresses.

use super::family::ia64::Ia64Output;

/// The registers of a request: configuration registers with their values, and the registers to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_output_param_t")]
#[non_exhaustive]
pub struct Assignment {
    /// The configuration registers, in the order in which libpfm-3 lists them.
    #[doc(alias = "pfp_pmcs")]
    pub pmcs: Vec<Register>,
    /// The registers to read: the counter of each event, in the order of the events, then further ones.
    #[doc(alias = "pfp_pmds")]
    pub pmds: Vec<Register>,
    /// The further output of the model, if the request wants it.
    pub output: Option<ModelOutput>,
}

impl Assignment {
    /// Room for the registers of this many events.
    pub(crate) fn with_capacity(events: usize) -> Assignment {
        let pmcs = Vec::with_capacity(events + 2);
        Assignment { pmcs, pmds: Vec::with_capacity(events), output: None }
    }
}

/// A register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[doc(alias = "pfmlib_reg_t")]
pub struct Register {
    /// Its number in perfmon2's mapping.
    #[doc(alias = "reg_num")]
    pub number: u32,
    /// The value to write; 0 for the registers that are read.
    #[doc(alias = "reg_value")]
    pub value: u64,
    /// Its address in the processor, such as that of a model-specific register.
    #[doc(alias = "reg_addr")]
    pub address: u64,
    /// Its other address, such as the index for `rdpmc`.
    #[doc(alias = "reg_alt_addr")]
    pub alternate: u64,
}

/// The further output of some models.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelOutput {
    /// The place where the registers of instruction-based sampling begin among the PMDs, 0 where it is not used.
    #[doc(alias = "pfmlib_amd64_output_param_t")]
    Amd64 {
        /// Of fetches.
        fetch: u32,
        /// Of operations.
        op: u32,
    },
    /// Debug registers that hold code and data ranges.
    Ia64(Box<Ia64Output>),
}
