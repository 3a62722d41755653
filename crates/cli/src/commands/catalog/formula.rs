use super::args::{FormulaArgs, Pow, Rem};
use super::file::File;
use super::table::{self, Side};
use crate::commands::eval::inputs;
use crate::failure::Failure;
use crate::show::{self, marks, printable};
use counterpoint::catalog::{
    Catalog, Metric, MetricError, MetricValue, Metrics, Operand, Source, WithMetrics,
};
use counterpoint::formula::{EvalErrorKind, Number, PowReading, RemReading, Syntax};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Exit status 1 if the formula cannot be computed.
pub fn run(args: &FormulaArgs) -> Result<u8, Failure> {
    let file = File::read(&args.file)?;
    let catalog = file.catalog(args.format)?;
    let metrics = catalog.metrics_as(syntax(args));
    let given = inputs(&args.symbols)?;
    let mut out = show::stdout();
    let Some(name) = &args.name else {
        list(&mut out, &catalog, &metrics, args.json)?;
        out.flush()?;
        return Ok(0);
    };
    let index = metrics.find(name).ok_or_else(|| {
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        let similar = counterpoint::pmu::similar(name, names.iter().copied());
        let help = match similar.is_empty() {
            true => format!("`counterpoint catalog formula {}` lists them", args.file.display()),
            false => format!("did you mean `{}`?", similar.join("`, `")),
        };
        Failure::new(format!("no formula is called `{name}`")).help(help)
    })?;
    let supply = |operand: &Operand| {
        given.iter().find(|(name, _)| *name == operand.name).map(|(_, value)| *value)
    };
    let result = metrics.evaluate(supply).swap_remove(index);
    let metric = metrics.iter().nth(index).ok_or_else(|| Failure::new("no such formula"))?;
    if args.json {
        writeln!(out, "{}", as_json(&catalog, &metrics, index, metric, Some(&result)))?;
        out.flush()?;
        return Ok(u8::from(result.is_err()));
    }
    match &result {
        Ok(value) => show(&mut out, &catalog, index, metric, value)?,
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

fn syntax(args: &FormulaArgs) -> Syntax {
    Syntax::Rpn24x7 {
        rem: match args.rem {
            Rem::Quotient => RemReading::Quotient,
            Rem::Remainder => RemReading::Remainder,
        },
        pow: match args.pow {
            Pow::LastIsBase => PowReading::LastIsBase,
            Pow::LastIsExponent => PowReading::LastIsExponent,
        },
    }
}

fn text_of(catalog: &Catalog, index: usize) -> String {
    let text = catalog.formulas.get(index).and_then(|record| record.formula.as_ref());
    text.map(|text| text.to_printable()).unwrap_or_default()
}

/// Writes the value on a line of its own, then the details.
fn show(
    out: &mut impl Write,
    catalog: &Catalog,
    index: usize,
    metric: &Metric,
    value: &MetricValue,
) -> io::Result<()> {
    writeln!(out, "{}", value.number)?;
    if let Some(unit) = &metric.unit {
        writeln!(out, "unit     {}", printable(unit))?;
    }
    if let Some(note) = &value.note {
        writeln!(out, "note     {note}; the value is the result by IEEE 754")?;
    }
    writeln!(out, "formula  {}", printable(&text_of(catalog, index)))?;
    if let Ok(formula) = &metric.formula {
        for warning in formula.warnings() {
            writeln!(out, "warning  {warning}")?;
        }
        writeln!(out, "infix    {}", printable(&formula.infix().to_string()))?;
    }
    Ok(())
}

/// Why there is no value, and the command that supplies it.
fn failure(
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    index: usize,
    file: &str,
    given: &[(&str, Number)],
    error: &MetricError,
) -> Failure {
    let text = text_of(catalog, index);
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

fn list(
    out: &mut impl Write,
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    json: bool,
) -> io::Result<()> {
    if json {
        for (index, metric) in metrics.iter().enumerate() {
            writeln!(out, "{}", as_json(catalog, metrics, index, metric, None))?;
        }
        return Ok(());
    }
    let row = |(index, metric): (usize, &Metric)| {
        let formula = match &metric.formula {
            Ok(formula) => formula.infix().to_string(),
            Err(error) => format!("{}   ({error})", text_of(catalog, index)),
        };
        [metric.name.clone(), metric.unit.clone().unwrap_or_default(), formula]
    };
    let rows: Vec<[String; 3]> = metrics.iter().enumerate().map(row).collect();
    table::write(out, [("name", Side::Left), ("unit", Side::Left), ("formula", Side::Left)], &rows)
}

fn as_json(
    catalog: &Catalog,
    metrics: &Metrics<'_>,
    index: usize,
    metric: &Metric,
    result: Option<&Result<MetricValue, MetricError>>,
) -> Value {
    /// How many bytes of other formulas' operands are listed with each formula: more than any real one needs.
    const LISTED: usize = 4 << 10;
    let most = if result.is_some() { usize::MAX } else { LISTED };
    let (needs, is_all) = metrics.first_needs(index, most);
    let needs: Vec<Value> = needs
        .iter()
        .map(|operand| json!({"name": operand.name, "source": source(operand.source)}))
        .collect();
    let mut object = json!({
        "schema": 1,
        "record": "metric",
        "index": index,
        "name": metric.name,
        "unit": metric.unit,
        "formula": text_of(catalog, index),
        "infix": metric.formula.as_ref().ok().map(|formula| formula.infix().to_string()),
        "needs": needs,
    });
    if let Value::Object(object) = &mut object {
        if !is_all {
            object.insert("needs_more".to_string(), json!(true));
        }
        object.extend(result.map(value_keys).unwrap_or_default());
    }
    object
}

/// A value in JSON; one that is not finite is `null`, with its IEEE name and the reason beside it.
pub fn value_keys(result: &Result<MetricValue, MetricError>) -> serde_json::Map<String, Value> {
    let keys = match result {
        Ok(MetricValue { number, note: None }) => {
            let exact = number.as_int();
            let value = match exact.and_then(|whole| i64::try_from(whole).ok()) {
                Some(whole) => json!(whole),
                None => json!(number.as_f64()),
            };
            json!({"ok": true, "value": value, "exact": exact.map(|whole| whole.to_string())})
        }
        Ok(MetricValue { number, note: Some(error) }) => {
            let kind = match error.kind {
                EvalErrorKind::DivisionByZero => "division-by-zero",
                _ => "domain",
            };
            let span = [error.span.start, error.span.end];
            json!({
                "ok": false,
                "value": null,
                "ieee": number.as_f64().to_string().to_lowercase(),
                "error": {"kind": kind, "message": error.to_string(), "span": span},
            })
        }
        Err(error) => {
            let (kind, span) = match error {
                MetricError::Syntax(error) => (error.kind.code(), Some(error.span.clone())),
                MetricError::Missing { span, .. } => ("missing-input", Some(span.clone())),
                MetricError::Cycle(_) => ("cycle", None),
                _ => ("no-text", None),
            };
            let span = span.map(|span| [span.start, span.end]);
            json!({
                "ok": false,
                "value": null,
                "error": {"kind": kind, "message": error.to_string(), "span": span},
            })
        }
    };
    match keys {
        Value::Object(keys) => keys,
        _ => serde_json::Map::new(),
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Event(_) => "event",
        Source::Formula(_) => "formula",
        Source::Elapsed => "elapsed",
        _ => "symbol",
    }
}
