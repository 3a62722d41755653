//! The answer to a request as a JSON object.

use super::event::BadRequest;
use super::pmu::libpfm3::ia64::RangeRegisters;
use super::pmu::libpfm3::{Assignment, DispatchError, ModelOutput, Register};
use serde_json::{Value, json};

/// Registers as lists of number, value and address; values and addresses are hexadecimal texts.
/// To a request with `no_inp` the registers have no addresses, as libpfm-3 leaves them.
pub(crate) fn answer(request: &Value, result: &Result<Assignment, DispatchError>) -> Value {
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

pub(crate) fn refusal(error: &DispatchError) -> Value {
    json!({"ret": error.kind().name(), "code": error.kind().code(), "message": error.to_string()})
}

/// The answer to what is not a request.
pub(crate) fn misread(bad: &BadRequest) -> Value {
    let mut answer =
        json!({"ret": bad.kind.name(), "code": bad.kind.code(), "message": bad.message});
    if let Some(help) = &bad.help {
        answer["help"] = json!(help);
    }
    answer
}

pub(crate) fn assignment(assignment: &Assignment) -> Value {
    let pmds = assignment.pmds.iter().map(|pmd| json!([pmd.number, hex(pmd.address)]));
    let mut answer = json!({
        "ret": "SUCCESS",
        "code": 0,
        "pmcs": assignment.pmcs.iter().map(written).collect::<Vec<_>>(),
        "pmds": pmds.collect::<Vec<_>>(),
        "pmc_alt": alternates(&assignment.pmcs),
        "pmd_alt": alternates(&assignment.pmds),
    });
    if let Some(output) = &assignment.output {
        answer["mod_out"] = model_output(output);
    }
    answer
}

fn written(register: &Register) -> Value {
    json!([register.number, hex(register.value), hex(register.address)])
}

fn alternates(registers: &[Register]) -> Vec<String> {
    registers.iter().map(|register| hex(register.alternate)).collect()
}

pub(crate) fn model_output(output: &ModelOutput) -> Value {
    match output {
        ModelOutput::Amd64 { fetch, op } => json!({"ibsfetch_base": fetch, "ibsop_base": op}),
        ModelOutput::Ia64(output) => {
            json!({"irange": ranges(&output.code), "drange": ranges(&output.data)})
        }
        _ => Value::Null,
    }
}

/// Debug registers as lists of number, value and address, which is the number.
fn ranges(registers: &RangeRegisters) -> Value {
    let written = registers.registers().iter();
    let br = written.map(|&(number, value)| json!([number, hex(value), hex(number.into())]));
    json!({
        "nbr_used": registers.registers().len(),
        "infos": registers.as_libpfm3_excess().map(|excess| excess.map(hex)),
        "br": br.collect::<Vec<_>>(),
    })
}

fn hex(number: u64) -> String {
    format!("{number:#x}")
}
