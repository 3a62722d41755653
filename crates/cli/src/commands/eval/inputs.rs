//! Values for the names of a formula, as they are typed.

use super::number::of_real;
use crate::failure::Failure;
use counterpoint::formula::Number;

/// The values of several `NAME=VALUE`, each name once.
pub fn inputs(texts: &[String]) -> Result<Vec<(&str, Number)>, Failure> {
    let mut inputs: Vec<(&str, Number)> = Vec::new();
    for text in texts {
        let (name, value) = input(text)?;
        if inputs.iter().any(|(other, _)| *other == name) {
            return Err(Failure::new(format!("`{name}` has two values")).help("write one of them"));
        }
        inputs.push((name, value));
    }
    Ok(inputs)
}

/// The standard error of `NAME=VALUE±ERROR`, if it has one, and the text before it.
pub fn without_error(text: &str) -> Result<(String, Option<f64>), Failure> {
    let split = text.split_once('±').or_else(|| text.split_once("+-"));
    let Some((value, error)) = split else { return Ok((text.to_string(), None)) };
    let (value, error) = (value.trim_end(), error.trim_start());
    let number = error.parse().ok().filter(|error: &f64| error.is_finite() && *error >= 0.0);
    let number = number.ok_or_else(|| {
        Failure::new(format!("`{error}` is not a standard error"))
            .help("write a number that is not negative, as in N0=93±2.5")
    })?;
    Ok((value.to_string(), Some(number)))
}

fn input(text: &str) -> Result<(&str, Number), Failure> {
    let (name, value) = text.rsplit_once('=').unwrap_or((text, ""));
    let whole = value.parse().ok().map(Number::Int);
    let real = || value.parse().ok().filter(|real: &f64| real.is_finite()).map(of_real);
    match whole.or_else(real) {
        Some(number) if !name.is_empty() => Ok((name, number)),
        _ => {
            let name = if name.is_empty() { "N0" } else { name };
            let failure = Failure::new(format!("`{text}` is not of the form NAME=VALUE"));
            Err(failure.help(format!("write, for example, {name}=93")))
        }
    }
}
