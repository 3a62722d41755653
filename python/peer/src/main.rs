//! The columns of Rust, with which the benchmark of the Python package takes turns.
//!
//! For each line of standard input, a formula, it prints the seconds that the formula takes over the columns.

use counterpoint_formula::{Column, ColumnMut, Formula};
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let rows: usize = std::env::args().nth(1).ok_or("usage: peer ROWS")?.parse()?;
    let column = |seed: usize| -> Vec<f64> {
        (0..rows).map(|row| 1.0 + ((row * 7919 + seed * 104_729) % 1_000_003) as f64).collect()
    };
    let columns = [column(0), column(1)];
    let inputs = columns.each_ref().map(|values| Column::from(&values[..]));
    let mut values = vec![0.0; rows];
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let formula: Formula = line?.parse()?;
        let begun = Instant::now();
        formula.eval_columns(&inputs, &mut ColumnMut { values: &mut values, validity: None })?;
        writeln!(out, "{}", begun.elapsed().as_secs_f64())?;
        out.flush()?;
    }
    Ok(())
}
