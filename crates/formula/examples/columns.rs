//! A metric over a million rows, some of which were not counted.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;
use std::time::Instant;

use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};

const ROWS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let ipc = Formula::parse("instructions / cycles", Syntax::Infix)?;
    let instructions: Vec<f64> = (0..ROWS).map(|row| (row % 1000) as f64).collect();
    let cycles: Vec<f64> = (0..ROWS).map(|row| (row % 700 + 1) as f64).collect();
    // The cycles were not counted in one of every 64 rows.
    let counted = vec![!1_u64; ROWS.div_ceil(64)];
    let inputs = [Column::from(&instructions[..]), Column::with_validity(&cycles, &counted)];

    let (mut values, mut validity) = (vec![0.0; ROWS], vec![0; ROWS.div_ceil(64)]);
    let start = Instant::now();
    let mut out = ColumnMut { values: &mut values, validity: Some(&mut validity) };
    ipc.eval_columns(&inputs, &mut out)?;
    let time = start.elapsed();

    let valid: u32 = validity.iter().map(|word| word.count_ones()).sum();
    let sum: f64 = values.iter().filter(|value| !value.is_nan()).sum();
    println!("{ipc}: mean {:.3} over {valid} of {ROWS} rows, in {time:?}", sum / f64::from(valid));
    Ok(())
}
