//! `counterpoint catalog formula`: the value of a formula.

pub mod json;
mod text;

use super::args::FormulaArgs;
use super::file::File;
use super::words::formula_text;
use crate::commands::eval::inputs;
use crate::failure::Failure;
use crate::show::{self, marks};
use counterpoint::catalog::{Catalog, MetricError, MetricValue, Metrics, Operand, WithMetrics};
use counterpoint::formula::Number;
use std::io::Write;
use std::path::Path;

/// Exit status 1 if the formula cannot be computed.
pub fn run(args: &FormulaArgs) -> Result<u8, Failure> {
    let file = File::read(&args.file)?;
    let catalog = file.catalog(args.format)?;
    let metrics = catalog.metrics_as(args.readings.syntax());
    let given = inputs(&args.symbols)?;
    let mut out = show::stdout();
    let Some(name) = &args.name else {
        list(&mut out, &catalog, &metrics, args.json)?;
        out.flush()?;
        return Ok(0);
    };
    let index = metrics.find(name).ok_or_else(|| unknown(&metrics, name, &args.file))?;
    let supply = |operand: &Operand| {
        given.iter().find(|(name, _)| *name == operand.name).map(|(_, value)| *value)
    };
    let result = metrics.evaluate(supply).swap_remove(index);
    let metric = metrics.iter().nth(index).ok_or_else(|| Failure::new("no such formula"))?;
    if args.json {
        let line = json::line(&catalog, &metrics, index, metric, Some(&result));
        show::json(&mut out, &line)?;
        out.flush()?;
        return Ok(u8::from(result.as_ref().map_or(true, |value| !is_number(value))));
    }
    match &result {
        Ok(value) if !is_number(value) => {
            let text = formula_text(&catalog, index);
            let why =
                value.note.as_ref().map_or("it is too large".to_string(), |note| note.to_string());
            return Err(Failure::new(format!("`{text}` has no value: {why}")).code(1));
        }
        Ok(value) => text::write(&mut out, &catalog, index, metric, value)?,
        Err(error) => {
            return Err(failure(
                &catalog,
                &metrics,
                index,
                &args.file.display().to_string(),
                &given,
                error,
            ));
        }
    }
    out.flush()?;
    Ok(0)
}

fn list(
    out: &mut impl Write,
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    is_json: bool,
) -> Result<(), Failure> {
    if !is_json {
        text::list(out, catalog, metrics)?;
        return Ok(());
    }
    for (index, metric) in metrics.iter().enumerate() {
        show::json(out, &json::line(catalog, metrics, index, metric, None))?;
    }
    Ok(())
}

/// The failure of a name that no formula of a file has.
fn unknown(metrics: &Metrics<'_>, name: &str, file: &Path) -> Failure {
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
    let similar = counterpoint::pmu::similar(name, names.iter().copied());
    let help = if similar.is_empty() {
        format!("`counterpoint catalog formula {}` lists them", file.display())
    } else {
        format!("did you mean `{}`?", similar.join("`, `"))
    };
    Failure::new(format!("no formula is called `{name}`")).help(help)
}

/// Returns true if a value is a number, and not an infinity or a NaN of IEEE 754.
fn is_number(value: &MetricValue) -> bool {
    value.note.is_none() && value.number.as_f64().is_finite()
}

/// The failure of a formula without a value: the reason, and the command that supplies what is missing.
fn failure(
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    index: usize,
    file: &str,
    given: &[(&str, Number)],
    error: &MetricError,
) -> Failure {
    let text = formula_text(catalog, index);
    match error {
        MetricError::Missing { .. } => {
            let needs = metrics.needs(index);
            let missing =
                needs.iter().filter(|need| given.iter().all(|(name, _)| *name != need.name));
            let missing: Vec<&str> = missing.map(|need| need.name.as_str()).collect();
            if missing.is_empty() {
                return Failure::new(format!("{error}, because it cannot be computed")).code(1);
            }
            let name =
                metrics.iter().nth(index).map(|metric| metric.name.as_str()).unwrap_or_default();
            let given =
                given.iter().map(|(name, value)| format!(" {name}={value}")).collect::<String>();
            let values = missing.iter().map(|name| format!(" {name}=VALUE")).collect::<String>();
            Failure::new(format!("`{text}` needs a value for `{}`", missing.join("`, `")))
                .help(format!("counterpoint catalog formula {file} {name}{given}{values}"))
        }
        MetricError::Syntax(error) => {
            let marks = marks(&text, error.span.clone());
            Failure::new(format!("{error}\n  {text}\n  {marks}")).code(1)
        }
        _ => Failure::new(error.to_string()).code(1),
    }
}
