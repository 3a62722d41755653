//! Evaluation does not allocate; a separate test binary, since its allocator counts.
#![allow(clippy::unwrap_used, reason = "the formulas are correct")]
#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

#[path = "../../../fixtures/allocations.rs"]
mod counted;

use std::hint::black_box;

use counted::allocations;
use counterpoint_formula::{Column, ColumnMut, Formula, Syntax};

#[test]
fn evaluation_allocates_nothing() {
    let shared: Vec<String> = (0..40).map(|n| format!("(N0 * N{n} - {n})")).collect();
    let shared = format!("{} - ({})", shared.join(" + "), shared.join(" / "));
    let waiting = "sqrt(N0*N1 + N2) / (max(N1, N2) - N0) ^ 2 + (N0 + N1) % (N2 * N2)";
    for text in ["N0", "N0-(N1+(N2*5))", "N0*1e6/N1", waiting, &shared] {
        let formula = Formula::parse(text, Syntax::Infix).unwrap();
        let whole: Vec<i128> = (3..).take(formula.inputs().len()).collect();
        let row: Vec<f64> = whole.iter().map(|int| *int as f64).collect();
        let values: Vec<Vec<f64>> = row.iter().map(|real| vec![*real; 3000]).collect();
        let bits = [u64::MAX; 47];
        let columns: Vec<Column<'_>> =
            values.iter().map(|values| Column::with_validity(values, &bits)).collect();
        let (mut out, mut valid) = (vec![0.0; 3000], [0; 47]);

        let eval = || {
            black_box(formula.eval(&row));
        };
        assert_eq!(allocations(eval), 0, "{text}");
        assert_eq!(allocations(|| drop(black_box(formula.eval_exact(&whole)))), 0, "{text}");
        let mut out = ColumnMut { values: &mut out, validity: Some(&mut valid) };
        // Without the loops over columns, each block of rows has memory for one row.
        let blocks = if cfg!(feature = "fast") { 0 } else { 3000_usize.div_ceil(1024) };
        let of_columns = allocations(|| formula.eval_columns(&columns, &mut out).unwrap());
        assert_eq!(of_columns, blocks, "{text}");
        assert_eq!(out.values[2999], formula.eval(&row), "{text}");
    }
    assert_ne!(allocations(|| drop(black_box(vec![1_u8]))), 0);
}
