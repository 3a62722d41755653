//! Reports of several runs or ranks as one.

mod args;
pub(crate) mod merged;

pub use args::MergeArgs;

use crate::failure::Failure;
use crate::show;
use crate::show::{decimal, grouped, printable};
use merged::{Again, Amount, Cell, Merged, Total};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::ptr;

pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let mut merged = Merged::default();
    let mut real = HashMap::new();
    for file in &args.files {
        let name = file.display().to_string();
        let text =
            crate::input::text(file).map_err(|error| Failure::new(format!("{name}: {error}")))?;
        let again = merged.add(&text).map_err(|error| {
            let help = "reports are written by `counterpoint stat --json -o FILE` and by programs that count regions";
            Failure::new(format!("{name}: {error}")).help(help)
        })?;
        // Files that have no name of their own, such as pipes, are all different.
        let first = file.canonicalize().map_or(file, |path| *real.entry(path).or_insert(file));
        if let Some(warning) = warning(&args.files, file, first, &again) {
            writeln!(show::stderr(), "counterpoint: {}", printable(&warning))?;
        }
    }
    let mut out = show::stdout();
    if args.json {
        write_json(&mut out, &merged)?
    } else {
        write_table(&mut out, &merged)?
    }
    out.flush()?;
    Ok(0)
}

/// What is added up that may be the same: a file that was there before as `first`, or ranks of another one.
fn warning(files: &[PathBuf], file: &PathBuf, first: &PathBuf, again: &[Again]) -> Option<String> {
    let name = file.display();
    if !ptr::eq(first, file) {
        let other = first.display();
        return Some(format!("{other} and {name} are the same file, which is added up twice"));
    }
    let [Again { rank, report }, more @ ..] = again else { return None };
    let other = files.get(*report as usize)?.display();
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Some(format!("{other} and {name} are both of rank {rank}{more}, and are added up as two runs"))
}

pub(crate) fn write_json(out: &mut impl Write, merged: &Merged) -> std::io::Result<()> {
    for row in merged.rows() {
        let mut object = row.key.clone();
        let mut put = |key: &str, value: Value| object.insert(key.to_string(), value);
        if let Some(calls) = row.calls() {
            put("calls", json!(calls));
        }
        let total = row.total();
        put("value", json_amount(total.amount()));
        put("status", json!(total.status()));
        match &total {
            Total::Sum { coverage, .. } => put("coverage", json!(coverage)),
            Total::None { reason, .. } => put("reason", json!(reason)),
        };
        put("ranks", json!(row.cells.len()));
        if let Some(spread) = row.spread() {
            put("min", json_amount(Some(spread.min.1)));
            put("min_rank", json!(spread.min.0));
            put("mean", json!(spread.mean));
            put("max", json_amount(Some(spread.max.1)));
            put("max_rank", json!(spread.max.0));
        }
        put("per_rank", row.cells.iter().map(json_cell).collect());
        writeln!(out, "{}", Value::Object(object))?;
    }
    writeln!(out, "{}", json!({"schema": 1, "summary": {"reports": merged.reports()}}))
}

fn json_cell((rank, cell): &(u64, Cell)) -> Value {
    let mut object = json!({
        "rank": rank,
        "value": json_amount(cell.amount),
        "status": cell.status,
    });
    if let Some(reason) = &cell.reason {
        object["reason"] = json!(reason);
    }
    object
}

fn json_amount(amount: Option<Amount>) -> Value {
    match amount {
        None => Value::Null,
        Some(Amount::Whole(whole)) => match (u64::try_from(whole), i64::try_from(whole)) {
            (Ok(whole), _) => json!(whole),
            (_, Ok(whole)) => json!(whole),
            _ => json!(whole as f64),
        },
        Some(Amount::Real(real)) => json!(real),
    }
}

pub(crate) fn write_table(out: &mut impl Write, merged: &Merged) -> std::io::Result<()> {
    let reports = merged.reports();
    let s = if reports == 1 { "" } else { "s" };
    writeln!(out, "{reports} report{s}\n")?;
    let heads = ["total", "min", "rank", "mean", "max", "rank"];
    let mut lines = vec![(heads.map(str::to_string), "event".to_string(), String::new())];
    for row in merged.rows() {
        let total = row.total();
        let (sum, reason) = match &total {
            Total::Sum { amount, .. } => (text(*amount), String::new()),
            Total::None { status: "formula", .. } => ("-".to_string(), String::new()),
            Total::None { status, reason } => {
                (format!("<{}>", status.replace('-', " ")), format!(": {reason}"))
            }
        };
        let cells = match row.spread() {
            None => [sum, "".into(), "".into(), "".into(), "".into(), "".into()],
            Some(spread) => [
                sum,
                text(spread.min.1),
                spread.min.0.to_string(),
                decimal(spread.mean),
                text(spread.max.1),
                spread.max.0.to_string(),
            ],
        };
        lines.push((cells, row.name(), reason));
    }
    let mut widths = [0; 6];
    for (cells, _, _) in &lines {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = cell.chars().count().max(*width);
        }
    }
    for (cells, name, reason) in lines {
        for (cell, width) in cells.iter().zip(widths) {
            write!(out, "{cell:>width$}  ")?;
        }
        writeln!(out, "{}{}", show::printable(&name), printable(&reason))?;
    }
    Ok(())
}

fn text(amount: Amount) -> String {
    match amount {
        Amount::Whole(whole) => grouped(whole),
        Amount::Real(real) => decimal(real),
    }
}
