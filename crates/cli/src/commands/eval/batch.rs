//! `--batch`: JSON lines in, JSON lines out.

use super::args::{RpnReadings, Syntax};
use super::json::{self, Answer, Refusal};
use super::number::number;
use super::perf;
use counterpoint::formula::{Binary, EvalErrorKind, Formula, Number, Op};
use serde_json::Value;

/// The answer to a line.
pub fn answer(line: &[u8], default: Syntax, readings: RpnReadings) -> Answer {
    match computed(line, default, readings) {
        Ok((number, warnings)) => json::value(number, warnings),
        Err(refusal) => json::refusal(refusal),
    }
}

/// The value, and what is odd about the formula.
fn computed(
    line: &[u8],
    default: Syntax,
    readings: RpnReadings,
) -> Result<(Number, Vec<String>), Refusal> {
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
        Some(Some("perf")) => Syntax::Perf,
        Some(_) => {
            let message = "`syntax` is \"infix\", \"postfix\", \"rpn\" or \"perf\"";
            return Err(Refusal::new("json", message));
        }
    };
    let formula = Formula::parse(text, syntax.read_as(readings)).map_err(|error| Refusal {
        kind: error.kind.code(),
        message: error.to_string(),
        span: Some(error.span),
    })?;
    if request["inputs"].is_array() {
        check_papi(&formula)?;
    }
    let values = formula
        .inputs()
        .enumerate()
        .map(|(index, name)| {
            let value = match syntax {
                Syntax::Perf => perf::value(name, &request),
                _ => value(name, &request["inputs"]),
            };
            let span = Some(formula.input_span(index));
            value.map_err(|refusal| Refusal { span, ..refusal })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let number = formula.eval_numbers(&values).map_err(|error| {
        let kind = match error.kind {
            EvalErrorKind::DivisionByZero => "division-by-zero",
            _ => "domain",
        };
        Refusal { kind, message: error.to_string(), span: Some(error.span) }
    })?;
    Ok((number, formula.warnings().iter().map(ToString::to_string).collect()))
}

/// Refuses what no formula over a list of values has: PAPI's formulas have neither comparisons nor choices.
fn check_papi(formula: &Formula) -> Result<(), Refusal> {
    use Binary::{And, AtLeast, AtMost, Equal, Greater, Less, NotEqual, Or};
    let is_other = |op: &Op| match op {
        Op::Choice(..) => true,
        Op::Binary(op, ..) => {
            matches!(op, And | AtLeast | AtMost | Equal | Greater | Less | NotEqual | Or)
        }
        _ => false,
    };
    let Some(at) = formula.ops().iter().position(is_other) else { return Ok(()) };
    let message = "PAPI's formulas have no such operator; give the inputs by name";
    Err(Refusal { span: Some(formula.span(at)), ..Refusal::new("syntax", message) })
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
    number(name, value)
}
