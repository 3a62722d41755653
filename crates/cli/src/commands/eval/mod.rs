mod args;
pub mod batch;
mod inputs;
pub mod json;
mod number;
mod perf;
mod tree;

pub use args::{EvalArgs, RpnReadings, Syntax};
pub use inputs::inputs;

use crate::failure::Failure;
use crate::show::{self, printable};
use counterpoint::formula::{Formula, Number};
use std::io::Write;
use std::ops::Range;

/// Exit status 1 if the formula cannot be read or has no value.
pub fn run(args: &EvalArgs) -> Result<u8, Failure> {
    match &args.formula {
        Some(formula) if !args.batch => one(formula, args),
        None if args.batch => {
            crate::batch::batch(|line| batch::answer(line, args.syntax, args.readings))
        }
        None => Err(Failure::new("no formula given").help("counterpoint eval 'N0/N1' N0=3 N1=2")),
        Some(_) => Err(Failure::new("--batch reads formulas from standard input only")),
    }
}

fn one(text: &str, args: &EvalArgs) -> Result<u8, Failure> {
    let formula = Formula::parse(text, args.syntax.read_as(args.readings))
        .map_err(|error| drawn(text, &error, error.span.clone()))?;
    let texts = args.inputs.iter().map(|text| inputs::without_error(text));
    let (texts, errors): (Vec<String>, Vec<Option<f64>>) =
        texts.collect::<Result<Vec<_>, Failure>>()?.into_iter().unzip();
    let given = inputs(&texts)?;
    let mut values = Vec::new();
    for name in formula.inputs() {
        match given.iter().find(|(given, _)| *given == name) {
            Some((_, value)) => values.push(*value),
            None => {
                let failure = Failure::new(format!("the formula needs a value for `{name}`"));
                return Err(failure.help(format!("counterpoint eval '{text}' '{name}=VALUE'")));
            }
        }
    }
    let value =
        formula.eval_numbers(&values).map_err(|error| drawn(text, &error, error.span.clone()))?;
    let error = errors.iter().any(Option::is_some).then(|| {
        let of = |name| {
            let mut given = given.iter().zip(&errors);
            given.find(|((of, _), _)| *of == name).and_then(|(_, error)| *error).unwrap_or(0.0)
        };
        let values: Vec<f64> = values.iter().map(|value| value.as_f64()).collect();
        formula.standard_error(&values, &formula.inputs().map(of).collect::<Vec<f64>>())
    });
    show(&formula, value, error)?;
    Ok(0)
}

/// Writes the value on a line of its own, then the details.
fn show(formula: &Formula, value: Number, error: Option<f64>) -> std::io::Result<()> {
    let mut out = show::stdout();
    let exact = match value {
        Number::Int(whole) => {
            writeln!(out, "{whole}")?;
            whole.to_string()
        }
        Number::Real(real) => {
            writeln!(out, "{real}")?;
            "no; computed in double precision, because an intermediate value is not whole or needs more than 128 bits"
                .to_string()
        }
    };
    match error {
        Some(error) if error.is_nan() => {
            writeln!(out, "error    not known: the formula has no slope there")?
        }
        Some(error) => writeln!(
            out,
            "error    {error} (standard error, if those of the inputs are independent)"
        )?,
        None => {}
    }
    writeln!(out, "exact    {exact}")?;
    for warning in formula.warnings() {
        writeln!(out, "warning  {warning}")?;
    }
    writeln!(out, "infix    {}", printable(&formula.infix().to_string()))?;
    writeln!(out, "postfix  {}", printable(&formula.postfix().to_string()))?;
    section(&mut out, "tree", &tree::draw(formula))?;
    section(&mut out, "listing", &formula.listing().to_string())?;
    out.flush()
}

/// Lines under a heading in the margin.
fn section(out: &mut impl Write, heading: &str, lines: &str) -> std::io::Result<()> {
    for (place, line) in lines.lines().enumerate() {
        let heading = if place == 0 { heading } else { "" };
        writeln!(out, "{heading:<8} {}", printable(line))?;
    }
    Ok(())
}

/// The error, with its place marked in the formula.
fn drawn(text: &str, error: &impl std::fmt::Display, span: Range<usize>) -> Failure {
    Failure::new(format!("{error}\n  {text}\n  {}", show::marks(text, span))).code(1)
}
