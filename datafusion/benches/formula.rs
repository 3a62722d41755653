//! `cp_formula` over 100 million rows of Parquet, beside the same formula written in SQL.
//!
//! `cargo bench --bench formula` needs 2 GB of disk, and fails when a limit is passed.

#![allow(clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_datafusion::session;
use datafusion::execution::context::SessionContext;
use datafusion::prelude::ParquetReadOptions;
use queries::row::{Limit, compared};
use queries::seconds;
use std::path::Path;
use std::process::ExitCode;
use tokio::runtime::Runtime;

mod queries;

const ROWS: usize = 100_000_000;

/// Formulas, each with the most time it may take as a multiple of that of SQL: two operands take no longer than 1 ÷ 0.9, ten are faster.
const FORMULAS: [(&str, &str, f64); 3] = [
    ("a / b", "a, b", 1.0 / 0.9),
    ("100 * a / (a + b)", "a, b", 1.0 / 0.9),
    ("(a + b + c + d + e) / (f + g + h + i + j)", "a, b, c, d, e, f, g, h, i, j", 1.0),
];

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("rows.parquet");
    let context = session(&[], folder).unwrap();
    let runtime = Runtime::new().unwrap();
    runtime.block_on(make(&context, &file));
    let mut within = Vec::new();
    for (formula, columns, most) in FORMULAS {
        let ours = format!("SELECT sum(cp_formula('{formula}', {columns})) AS x FROM counts");
        let peer = format!("SELECT sum({formula}) AS x FROM counts");
        let rounds = seconds(&runtime, &context, &ours, &peer, 1);
        within.push(compared(formula, "s", "SQL", &rounds, Limit::Times(most)));
    }
    let _ = std::fs::remove_file(&file);
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The table `counts` of ten columns of doubles.
async fn make(context: &SessionContext, file: &Path) {
    let columns: Vec<String> = ('a'..='j')
        .enumerate()
        .map(|(number, name)| format!("CAST(value % {} + 1 AS DOUBLE) AS {name}", 997 - 2 * number))
        .collect();
    let sql = format!(
        "COPY (SELECT {} FROM generate_series(1, {ROWS})) TO '{}' STORED AS PARQUET",
        columns.join(", "),
        file.display()
    );
    context.sql(&sql).await.unwrap().collect().await.unwrap();
    let options = ParquetReadOptions::default();
    context.register_parquet("counts", file.to_str().unwrap(), options).await.unwrap();
}
