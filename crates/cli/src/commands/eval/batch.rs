//! `--batch`: JSON lines in, JSON lines out.

use super::args::{RpnReadings, Syntax};
use super::json::{self, Refusal};
use counterpoint::formula::{EvalErrorKind, Formula, Number, Op};
use serde_json::Value;

/// The answer to a line.
pub fn answer(line: &[u8], default: Syntax, readings: RpnReadings) -> Value {
    match computed(line, default, readings) {
        Ok(number) => json::value(number),
        Err(refusal) => json::refusal(&refusal),
    }
}

fn computed(line: &[u8], default: Syntax, readings: RpnReadings) -> Result<Number, Refusal> {
    let request: Value =
        serde_json::from_slice(line).map_err(|e| Refusal::new("json", e.to_string()))?;
    let text = request["formula"]
        .as_str()
        .ok_or_else(|| Refusal::new("json", "the key `formula` is missing"))?;
    let syntax = match request.get("syntax").map(|value| value.as_str()) {
        None => default,
        Some(Some("infix")) => Syntax::Infix,
        Some(Some("postfix")) => Syntax::Postfix,
        Some(Some("rpn")) => Syntax::Rpn,
        Some(_) => {
            return Err(Refusal::new("json", "`syntax` is \"infix\", \"postfix\" or \"rpn\""));
        }
    };
    let formula = Formula::parse(text, syntax.read_as(readings)).map_err(|error| Refusal {
        kind: error.kind.code(),
        message: error.to_string(),
        span: Some(error.span),
    })?;
    let values = formula
        .inputs()
        .enumerate()
        .map(|(index, name)| {
            value(name, &request["inputs"]).map_err(|refusal| {
                let input = |op: &Op| *op == Op::Input(index as u32);
                let span = formula.ops().iter().position(input).map(|op| formula.span(op));
                Refusal { span, ..refusal }
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    formula.eval_numbers(&values).map_err(|error| {
        let kind = match error.kind {
            EvalErrorKind::DivisionByZero => "division-by-zero",
            _ => "domain",
        };
        Refusal { kind, message: error.to_string(), span: Some(error.span) }
    })
}

/// The value of an input: a list binds N0, N1, … by place, an object by name.
fn value(name: &str, inputs: &Value) -> Result<Number, Refusal> {
    let place = name.strip_prefix('N').and_then(|digits| digits.parse::<usize>().ok());
    // `N7`, not the name `N007` between backquotes.
    let place = place.filter(|place| name[1..] == place.to_string());
    let value = match (inputs, place) {
        (Value::Array(list), Some(place)) => list.get(place),
        (Value::Object(map), _) => map.get(name),
        _ => None,
    };
    let value = value.ok_or_else(|| {
        // With a list, the formula's text may name nothing but places in it and the clock rate.
        let kind = match (inputs, place) {
            (_, Some(_)) => "bad-index",
            (Value::Array(_), None) if name != "#" => "syntax",
            _ => "missing-input",
        };
        Refusal::new(kind, format!("the formula needs a value for `{name}`"))
    })?;
    match (value.as_i64(), value.as_u64(), value.as_f64()) {
        (Some(whole), ..) => Ok(Number::Int(whole.into())),
        (_, Some(whole), _) => Ok(Number::Int(whole.into())),
        (.., Some(real)) => Ok(Number::Real(real)),
        _ => Err(Refusal::new("json", format!("the value of `{name}` is not a number"))),
    }
}
