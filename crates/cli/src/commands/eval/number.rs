//! Numbers of JSON as inputs of formulas.

use super::json::Refusal;
use counterpoint::formula::Number;
use serde_json::Value;

/// The number that the request gives for a name.
pub(super) fn number(name: &str, value: &Value) -> Result<Number, Refusal> {
    match (value.as_i64(), value.as_u64(), value.as_f64()) {
        (Some(whole), ..) => Ok(Number::Int(whole.into())),
        (_, Some(whole), _) => Ok(Number::Int(whole.into())),
        (.., Some(real)) => Ok(of_real(real)),
        _ => Err(Refusal::new("json", format!("the value of `{name}` is not a number"))),
    }
}

/// A real number, exact if it is whole, as `1e3` is, and no neighbour of it is read as the same.
pub(super) fn of_real(real: f64) -> Number {
    const EXACT: f64 = (1_u64 << 53) as f64;
    if real.fract() == 0.0 && real.abs() < EXACT {
        Number::Int(real as i128)
    } else {
        Number::Real(real)
    }
}
