//! Evaluates a formula from a user with values from anywhere: `cargo run --example embed -- 'hits / (hits + misses)' hits=3 misses=1`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;

use counterpoint_formula::{Formula, Syntax};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().unwrap_or_else(|| "hits / (hits + misses)".into());
    let given: Vec<String> = arguments.collect();
    let formula = Formula::parse(&text, Syntax::Infix)
        .map_err(|error| format!("{error}, at `{}`", &text[error.span.start..]))?;
    let value = |name: &str| {
        let value = given.iter().find_map(|given| given.strip_prefix(name)?.strip_prefix('='));
        value.map_or(Ok(1), str::parse)
    };
    let inputs = formula.inputs().map(value).collect::<Result<Vec<i128>, _>>()?;
    println!("{formula} = {}", formula.eval_exact(&inputs)?.as_f64());
    Ok(())
}
