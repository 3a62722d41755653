//! Slopes are those of the curve, and errors that follow from them cover the true value as often as they say.

use crate::tree::tree;
use counterpoint_formula::{Formula, Op, Syntax};
use proptest::prelude::*;

fn parsed(text: &str) -> Formula {
    Formula::parse(text, Syntax::Infix).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The slope between two points beside the inputs.
fn between(formula: &Formula, inputs: &[f64], at: usize, step: f64) -> f64 {
    let beside = |step: f64| {
        let mut inputs = inputs.to_vec();
        inputs[at] += step;
        formula.eval(&inputs)
    };
    (beside(step) - beside(-step)) / (2.0 * step)
}

/// The largest value of an operation; infinite if one has none.
fn largest(formula: &Formula, inputs: &[f64]) -> f64 {
    let mut values: Vec<f64> = Vec::new();
    for op in formula.ops() {
        let of = |operand: u32| values[operand as usize];
        values.push(match *op {
            Op::Constant(constant) => formula.constants()[constant as usize].as_f64(),
            Op::Input(input) => inputs[input as usize],
            Op::Unary(op, a) => op.apply(of(a)),
            Op::Binary(op, a, b) => op.apply(of(a), of(b)),
            Op::Choice(..) => f64::INFINITY,
        });
    }
    let size = |value: &f64| if value.is_nan() { f64::INFINITY } else { value.abs() };
    values.iter().map(size).fold(0.0, f64::max)
}

proptest! {
    #[test]
    fn slopes_are_those_of_the_curve(
        tree in tree(&["neg", "sqrt", "abs"], &["+", "-", "*", "/", "min", "max"]),
        inputs in proptest::array::uniform4(0.5..100.0),
    ) {
        let formula = parsed(&tree.infix());
        let named = |name: &str| inputs[usize::from(name.as_bytes()[1] - b'0')];
        let inputs: Vec<f64> = formula.inputs().map(named).collect();
        let largest = largest(&formula, &inputs);
        let slopes = formula.slopes(&inputs);
        prop_assert_eq!(slopes.len(), inputs.len());
        for (at, slope) in slopes.into_iter().enumerate() {
            let [wide, narrow] = [1e-2, 1e-3].map(|step| between(&formula, &inputs, at, step));
            let scale = wide.abs().max(1e-6);
            // Where two steps agree, no corner is between the points, and values are so small that rounding is not either.
            let agree = (wide - narrow).abs() < 1e-5 * scale && largest < 1e8 * scale;
            // A root at 0 has no slope, which may be in a difference with itself.
            if agree && !slope.is_nan() {
                prop_assert!((slope - wide).abs() < 1e-3 * scale, "{} in {at}: {slope} and {wide}", formula);
            }
        }
    }

    #[test]
    fn any_inputs_have_slopes(tree in crate::tree::any_tree(), inputs in any::<[f64; 4]>()) {
        let formula = parsed(&tree.infix());
        let count = formula.inputs().len();
        prop_assert_eq!(formula.slopes(&inputs).len(), count);
        prop_assert!(formula.slopes(&[]).iter().all(|slope| slope.is_nan()));
        let error = formula.standard_error(&inputs, &[0.0; 4]);
        prop_assert_eq!(error, 0.0);
    }
}

#[test]
fn operations_have_the_slopes_of_their_rules() {
    let slopes = |text: &str, inputs: &[f64]| parsed(text).slopes(inputs);
    assert_eq!(slopes("N0 // N1", &[7.0, 2.0]), [0.5, -1.75]);
    assert_eq!(slopes("N0 % N1", &[7.0, 2.0]), [1.0, -3.0]);
    assert_eq!(slopes("N0 ^ 3", &[2.0]), [12.0]);
    let exponent = slopes("2 ^ N0", &[3.0])[0];
    assert!((exponent - 8.0 * f64::ln(2.0)).abs() < 1e-12, "{exponent}");
    assert_eq!(slopes("d_ratio(N0, N1)", &[7.0, 0.0]), [0.0, 0.0]);
    assert_eq!(slopes("N0 if N1 > 5 else 2*N0", &[7.0, 6.0]), [1.0, 0.0]);
    assert_eq!(slopes("N0 if N1 > 5 else 2*N0", &[7.0, 4.0]), [2.0, 0.0]);
    assert_eq!(slopes("N0 * N0", &[7.0]), [14.0]);
    // An input that is known exactly adds no error, also where the slope is infinite.
    assert_eq!(parsed("sqrt(N0) + N1").standard_error(&[0.0, 1.0], &[0.0, 2.0]), 2.0);
    assert!(parsed("N0 + N1").standard_error(&[1.0, 1.0], &[1.0]).is_nan());
}

/// Of 10,000 draws of the inputs, the interval of 95 % contains the true value in 93 to 97 of 100.
#[test]
fn intervals_cover_as_often_as_they_say() {
    // Formulas of metrics, with counts and their standard errors as turns of counters and samples have them.
    let cases: [(&str, &[f64], &[f64]); 7] = [
        ("N0 / N1", &[3.1e9, 2.4e9], &[0.06e9, 0.05e9]),
        ("100 * N0 / (N0 + N1)", &[4.0e6, 9.6e7], &[1.5e5, 2e6]),
        ("1000 * N0 / N1", &[2.5e5, 3.1e9], &[9e3, 3e7]),
        ("64 * (N0 + N1) / N2 / 1000000", &[8e7, 2e7, 1.7], &[2e6, 1e6, 0.0]),
        ("max(0, 1 - (N0 + N1 + N2) / N3)", &[2e9, 1e9, 3e9, 9e9], &[4e7, 3e7, 5e7, 9e7]),
        ("sqrt(N0 ^ 2 + N1 ^ 2)", &[3e5, 4e5], &[6e3, 8e3]),
        ("N0 / N1 if N1 > 1000 else 0", &[6e5, 3e5], &[1e4, 5e3]),
    ];
    let mut normal = Normal(0x9E37_79B9_7F4A_7C15);
    for (text, means, errors) in cases {
        let formula = parsed(text);
        let truth = formula.eval(means);
        let covered = (0..10_000).filter(|_| {
            let drawn = means.iter().zip(errors).map(|(mean, error)| mean + error * normal.next());
            let drawn: Vec<f64> = drawn.collect();
            let error = formula.standard_error(&drawn, errors);
            (formula.eval(&drawn) - truth).abs() <= 1.959_964 * error
        });
        let covered = covered.count();
        assert!((9_300..=9_700).contains(&covered), "{text}: {covered} of 10,000");
    }
}

/// Normal deviates, the same in every run.
struct Normal(u64);

impl Normal {
    /// In (0, 1].
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    fn next(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * radius.ln()).sqrt() * (core::f64::consts::TAU * angle).cos()
    }
}
