//! Properties that hold for any text; the fuzz target calls the same function.

use counterpoint_formula::{
    Column, ColumnMut, Formula, Number, Op, PowReading, RemReading, Syntax,
};

const SYNTAXES: [Syntax; 5] = [
    Syntax::Infix,
    Syntax::PerfMetric,
    Syntax::PapiPostfix,
    Syntax::RPN_24X7,
    Syntax::Rpn24x7 { rem: RemReading::Remainder, pow: PowReading::LastIsExponent },
];

/// Parses a text in every syntax; every formula that results can be printed, parsed again and evaluated.
pub(crate) fn check(text: &str) {
    for syntax in SYNTAXES {
        let formula = match Formula::parse(text, syntax) {
            Ok(formula) => formula,
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{text:?}: {error:?}");
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let infix = formula.to_string();
        assert_eq!(Formula::parse(&infix, Syntax::Infix).as_ref(), Ok(&formula), "{text:?}");
        let postfix = formula.postfix().to_string();
        assert_eq!(
            Formula::parse(&postfix, Syntax::PapiPostfix).as_ref(),
            Ok(&formula),
            "{text:?}"
        );
        let inputs: Vec<i128> = (3..).take(formula.inputs().len()).collect();
        let reals: Vec<f64> = inputs.iter().map(|int| *int as f64).collect();
        let real = formula.eval(&reals);
        let columns: Vec<[f64; 33]> = reals.iter().map(|real| [*real; 33]).collect();
        let columns: Vec<Column<'_>> = columns.iter().map(|rows| Column::from(&rows[..])).collect();
        let mut rows = [0.0; 33];
        formula
            .eval_columns(&columns, &mut ColumnMut { values: &mut rows, validity: None })
            .unwrap();
        let one_by_one = value(&formula, &reals);
        for found in [real, rows[0], rows[32]] {
            let same =
                found.to_bits() == one_by_one.to_bits() || found.is_nan() && one_by_one.is_nan();
            assert!(same, "{text:?}: {found:e}, not {one_by_one:e}");
        }
        match formula.eval_exact(&inputs) {
            // Doubles hold whole numbers of this size exactly.
            Ok(Number::Int(int))
                if most(&formula, &reals) < (1_u64 << 53) as f64
                    && !infix.contains(['^', '%', '/', 'r']) =>
            {
                assert_eq!(int as f64, real, "{text:?}");
            }
            Ok(_) => {}
            Err(error) => assert!(text.get(error.span).is_some(), "{text:?}"),
        }
    }
}

/// The value of the operations, evaluated one by one.
fn value(formula: &Formula, inputs: &[f64]) -> f64 {
    let mut values: Vec<f64> = Vec::new();
    for op in formula.ops() {
        values.push(match *op {
            Op::Constant(at) => formula.constants()[at as usize].as_f64(),
            Op::Input(at) => inputs[at as usize],
            Op::Unary(op, of) => op.apply(values[of as usize]),
            Op::Binary(op, a, b) => op.apply(values[a as usize], values[b as usize]),
            Op::Choice(_, c, b) if values[c as usize] == 0.0 => values[b as usize],
            Op::Choice(a, ..) => values[a as usize],
        });
    }
    values.last().copied().unwrap_or(f64::NAN)
}

/// A bound on the magnitude of all intermediate values, quotients and powers aside.
fn most(formula: &Formula, inputs: &[f64]) -> f64 {
    let mut most: Vec<f64> = Vec::new();
    for op in formula.ops() {
        most.push(match *op {
            Op::Constant(at) => formula.constants()[at as usize].as_f64().abs(),
            Op::Input(at) => inputs[at as usize],
            Op::Unary(_, of) => most[of as usize].max(1.0),
            Op::Binary(_, a, b) => (1.0 + most[a as usize]) * (1.0 + most[b as usize]),
            Op::Choice(a, c, b) => {
                [a, c, b].into_iter().map(|at| most[at as usize]).fold(1.0, f64::max)
            }
        });
    }
    most.into_iter().fold(0.0, f64::max)
}

#[test]
fn texts_that_once_went_wrong() {
    for text in [
        "", "`", "``", "N", "-", "0x", "1e", "é", "N0%N1", "x ^ y", "1e-400", "-0", "2^127",
        "sqrt(4)",
    ] {
        check(text);
    }
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("any_text") {
        check(&String::from_utf8_lossy(&seed));
    }
}
