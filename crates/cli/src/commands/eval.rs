use crate::Failure;
use crate::args::{EvalArgs, Syntax};
use counterpoint::formula::{self, EvalErrorKind, Formula, Number, ParseError};
use serde_json::{Value, json};
use std::io::{BufRead, Write, stdin, stdout};

/// Exit status 1 if the formula cannot be read or has no value.
pub fn run(args: &EvalArgs) -> Result<u8, Failure> {
    match &args.formula {
        Some(formula) if !args.batch => one(formula, args),
        None if args.batch => batch(args),
        None => Err(Failure::new("no formula given").help("counterpoint eval 'N0/N1' N0=3 N1=2")),
        Some(_) => Err(Failure::new("--batch reads the formulas from its input")),
    }
}

fn one(text: &str, args: &EvalArgs) -> Result<u8, Failure> {
    let formula = Formula::parse(text, syntax(args.syntax)).map_err(|error| drawn(text, &error))?;
    let given = args.inputs.iter().map(|text| input(text)).collect::<Result<Vec<_>, _>>()?;
    let mut values = Vec::new();
    for name in formula.inputs() {
        match given.iter().find(|(given, _)| *given == name) {
            Some((_, value)) => values.push(*value),
            None => {
                let failure = Failure::new(format!("the formula needs a value for `{name}`"));
                return Err(failure.help(format!("counterpoint eval '{text}' {name}=VALUE")));
            }
        }
    }
    let value =
        formula.eval_numbers(&values).map_err(|error| Failure::new(error.to_string()).code(1))?;
    match value {
        Number::Int(whole) => println!("{whole}"),
        Number::Real(real) => println!("{real}"),
    }
    if args.verbose {
        println!(
            "exact    {}",
            if value.as_int().is_some() { "yes" } else { "no: rounded to a double" }
        );
        println!("infix    {}", formula.infix());
        println!("postfix  {}", formula.postfix());
        for (place, op) in formula.ops().iter().enumerate() {
            println!("{place:>7}  {op:?}");
        }
    }
    Ok(0)
}

fn syntax(syntax: Syntax) -> formula::Syntax {
    match syntax {
        Syntax::Infix => formula::Syntax::Infix,
        Syntax::Postfix => formula::Syntax::PapiPostfix,
        Syntax::Rpn => formula::Syntax::RPN_24X7,
    }
}

/// The error with the formula, marked where it is wrong.
fn drawn(text: &str, error: &ParseError) -> Failure {
    let before = text.get(..error.span.start).unwrap_or_default().chars().count();
    let inside = text.get(error.span.clone()).unwrap_or_default().chars().count().max(1);
    let marks = format!("{}{}", " ".repeat(before), "^".repeat(inside));
    Failure::new(format!("{error}\n  {text}\n  {marks}")).code(1)
}

fn input(text: &str) -> Result<(&str, Number), Failure> {
    let wrong =
        || Failure::new(format!("`{text}` is no NAME=VALUE")).help("write for example N0=93");
    let (name, value) = text.rsplit_once('=').ok_or_else(wrong)?;
    if let Ok(whole) = value.parse() {
        return Ok((name, Number::Int(whole)));
    }
    let real: f64 = value.parse().map_err(|_| wrong())?;
    if real.is_finite() { Ok((name, Number::Real(real))) } else { Err(wrong()) }
}

/// One JSON object a line in, one a line out, whatever is wrong with a line.
fn batch(args: &EvalArgs) -> Result<u8, Failure> {
    let mut out = std::io::BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let answer = answer(&line?, args.syntax).unwrap_or_else(|refusal| refusal.as_json());
        writeln!(out, "{answer}")?;
    }
    out.flush()?;
    Ok(0)
}

/// Why a line of a batch has no value.
struct Refusal {
    kind: &'static str,
    message: String,
    span: Option<std::ops::Range<usize>>,
}

impl Refusal {
    fn new(kind: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { kind, message: message.into(), span: None }
    }

    fn as_json(&self) -> Value {
        let span = self.span.as_ref().map(|span| json!([span.start, span.end]));
        json!({"ok": false, "error": {"kind": self.kind, "message": self.message, "span": span}})
    }
}

fn answer(line: &str, default: Syntax) -> Result<Value, Refusal> {
    let request: Value =
        serde_json::from_str(line).map_err(|e| Refusal::new("json", e.to_string()))?;
    let text = request["formula"]
        .as_str()
        .ok_or_else(|| Refusal::new("json", "the key `formula` is missing"))?;
    let syntax = match request.get("syntax").map(|value| value.as_str()) {
        None => syntax(default),
        Some(Some("infix")) => formula::Syntax::Infix,
        Some(Some("postfix")) => formula::Syntax::PapiPostfix,
        Some(Some("rpn")) => formula::Syntax::RPN_24X7,
        Some(_) => {
            return Err(Refusal::new("json", "`syntax` is \"infix\", \"postfix\" or \"rpn\""));
        }
    };
    let formula = Formula::parse(text, syntax).map_err(|error| Refusal {
        kind: error.kind.code(),
        message: error.to_string(),
        span: Some(error.span),
    })?;
    let values = formula
        .inputs()
        .map(|name| value(name, &request["inputs"]))
        .collect::<Result<Vec<_>, _>>()?;
    let number = formula.eval_numbers(&values).map_err(|error| {
        let kind = match error.kind {
            EvalErrorKind::DivisionByZero => "division-by-zero",
            _ => "domain",
        };
        Refusal { kind, message: error.to_string(), span: Some(error.span) }
    })?;
    Ok(match number {
        Number::Int(whole) => {
            let value =
                i64::try_from(whole).map_or_else(|_| json!(whole as f64), |whole| json!(whole));
            json!({"ok": true, "value": value, "exact": whole.to_string()})
        }
        Number::Real(real) => json!({"ok": true, "value": real}),
    })
}

/// The value of an input: a list binds N0, N1, … by place, an object by name.
fn value(name: &str, inputs: &Value) -> Result<Number, Refusal> {
    let place = || name.strip_prefix('N').and_then(|digits| digits.parse::<usize>().ok());
    let value = match (inputs, place()) {
        (Value::Array(list), Some(place)) => list.get(place),
        (Value::Object(map), _) => map.get(name),
        _ => None,
    };
    let value = value.ok_or_else(|| {
        let kind =
            if inputs.is_array() && place().is_some() { "bad-index" } else { "missing-input" };
        Refusal::new(kind, format!("the formula needs a value for `{name}`"))
    })?;
    match (value.as_i64(), value.as_u64(), value.as_f64()) {
        (Some(whole), ..) => Ok(Number::Int(whole.into())),
        (_, Some(whole), _) => Ok(Number::Int(whole.into())),
        (.., Some(real)) => Ok(Number::Real(real)),
        _ => Err(Refusal::new("json", format!("the value of `{name}` is no number"))),
    }
}
