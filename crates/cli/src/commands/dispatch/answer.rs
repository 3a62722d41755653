//! The answer to a request as a JSON object.

use super::event::BadRequest;
use super::pmu::libpfm3::ia64::RangeRegisters;
use super::pmu::libpfm3::{Assignment, DispatchError, ModelOutput, Register};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The answer: registers as lists of number, value and address; values and addresses are hexadecimal texts.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Answer {
    /// The name of libpfm-3's return value, such as `SUCCESS`.
    pub(crate) ret: &'static str,
    /// Its number: 0 if the request succeeded.
    pub(crate) code: i32,
    /// Why there is no assignment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    /// The number of the event that a name stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<usize>,
    /// The numbers of its unit masks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) umasks: Option<Vec<usize>>,
    #[serde(flatten)]
    pub(crate) registers: Option<Registers>,
    /// The events that are in conflict, by their places in the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conflict: Option<Vec<usize>>,
    /// The kind of the conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<&'static str>,
    /// The return value of libpfm-3 for the same request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) libpfm3: Option<&'static str>,
    /// What the request asks for and the model does not look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

/// The registers that count the events.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Registers {
    /// The registers to write: number, value and address.
    pmcs: Vec<(u32, String, String)>,
    /// The registers to read: number and address.
    pmds: Vec<(u32, String)>,
    /// The other addresses of `pmcs`.
    pmc_alt: Vec<String>,
    /// The other addresses of `pmds`.
    pmd_alt: Vec<String>,
    /// What only this model has.
    #[serde(skip_serializing_if = "Option::is_none")]
    mod_out: Option<Output>,
}

/// What only one model has.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Output {
    /// The registers of instruction-based sampling.
    Amd64 {
        /// The place of the register of fetches.
        ibsfetch_base: u32,
        /// The place of the register of operations.
        ibsop_base: u32,
    },
    /// The debug registers of address ranges.
    Ia64 {
        /// The ranges of code.
        irange: Ranges,
        /// The ranges of data.
        drange: Ranges,
    },
    Unknown,
}

/// The debug registers of address ranges.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Ranges {
    /// How many registers are used.
    nbr_used: usize,
    /// By how much each range exceeds the one requested, at its start and at its end.
    infos: [[String; 2]; 4],
    /// Number, value and address of each register; the address is the number.
    br: Vec<(u32, String, String)>,
}

/// To a request with `no_inp` the registers have no addresses, as libpfm-3 leaves them.
pub(crate) fn answer(request: &Value, result: &Result<Assignment, DispatchError>) -> Answer {
    match result {
        Ok(found) if request.get("no_inp").is_some_and(|no_inp| *no_inp != 0) => {
            let mut found = found.clone();
            for register in found.pmcs.iter_mut().chain(&mut found.pmds) {
                register.address = 0;
            }
            assignment(&found)
        }
        Ok(found) => assignment(found),
        Err(error) => refusal(error),
    }
}

pub(crate) fn refusal(error: &DispatchError) -> Answer {
    Answer {
        ret: error.kind().name(),
        code: error.kind().code(),
        message: Some(error.to_string()),
        ..Answer::default()
    }
}

/// The answer to what is not a request.
pub(crate) fn misread(bad: &BadRequest) -> Answer {
    Answer {
        ret: bad.kind.name(),
        code: bad.kind.code(),
        message: Some(bad.message.clone()),
        help: bad.help.clone(),
        ..Answer::default()
    }
}

pub(crate) fn assignment(assignment: &Assignment) -> Answer {
    let pmds = assignment.pmds.iter().map(|pmd| (pmd.number, hex(pmd.address)));
    let registers = Registers {
        pmcs: assignment.pmcs.iter().map(written).collect(),
        pmds: pmds.collect(),
        pmc_alt: alternates(&assignment.pmcs),
        pmd_alt: alternates(&assignment.pmds),
        mod_out: assignment.output.as_ref().map(model_output),
    };
    Answer { ret: "SUCCESS", registers: Some(registers), ..Answer::default() }
}

fn written(register: &Register) -> (u32, String, String) {
    (register.number, hex(register.value), hex(register.address))
}

fn alternates(registers: &[Register]) -> Vec<String> {
    registers.iter().map(|register| hex(register.alternate)).collect()
}

pub(crate) fn model_output(output: &ModelOutput) -> Output {
    match output {
        ModelOutput::Amd64 { fetch, op } => {
            Output::Amd64 { ibsfetch_base: *fetch, ibsop_base: *op }
        }
        ModelOutput::Ia64(output) => {
            Output::Ia64 { irange: ranges(&output.code), drange: ranges(&output.data) }
        }
        _ => Output::Unknown,
    }
}

fn ranges(registers: &RangeRegisters) -> Ranges {
    let written = registers.registers().iter();
    let br = written.map(|&(number, value)| (number.into(), hex(value), hex(number.into())));
    Ranges {
        nbr_used: registers.registers().len(),
        infos: registers.as_libpfm3_excess().map(|excess| excess.map(hex)),
        br: br.collect(),
    }
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}
