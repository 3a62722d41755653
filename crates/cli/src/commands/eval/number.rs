//! Numbers of JSON as inputs of formulas.

use super::json::Refusal;
use counterpoint::formula::Number;
use serde_json::Value;

/// The number that the request gives for a name.
pub(super) fn number(name: &str, value: &Value) -> Result<Number, Refusal> {
    match (value.as_i64(), value.as_u64(), value.as_f64()) {
        (Some(whole), ..) => Ok(Number::Int(whole.into())),
        (_, Some(whole), _) => Ok(Number::Int(whole.into())),
        (.., Some(real)) => Ok(Number::Real(real)),
        _ => Err(Refusal::new("json", format!("the value of `{name}` is not a number"))),
    }
}
