//! Formulas for people.

use crate::commands::catalog::table::{self, Side};
use crate::commands::catalog::words::formula_text;
use crate::show::printable;
use counterpoint::catalog::{Catalog, Metric, MetricValue, Metrics};
use std::io::{self, Write};

/// Writes the value on a line of its own, then the details.
pub fn write(
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
    writeln!(out, "formula  {}", printable(&formula_text(catalog, index)))?;
    if let Ok(formula) = &metric.formula {
        for warning in formula.warnings() {
            writeln!(out, "warning  {warning}")?;
        }
        writeln!(out, "infix    {}", printable(&formula.infix().to_string()))?;
    }
    Ok(())
}

/// Every formula of the catalog.
pub fn list(out: &mut impl Write, catalog: &Catalog, metrics: &Metrics<'_>) -> io::Result<()> {
    let row = |(index, metric): (usize, &Metric)| {
        let formula = match &metric.formula {
            Ok(formula) => formula.infix().to_string(),
            Err(error) => format!("{}   ({error})", formula_text(catalog, index)),
        };
        [metric.name.clone(), metric.unit.clone().unwrap_or_default(), formula]
    };
    let rows: Vec<[String; 3]> = metrics.iter().enumerate().map(row).collect();
    table::write(out, [("name", Side::Left), ("unit", Side::Left), ("formula", Side::Left)], &rows)
}
