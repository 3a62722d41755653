//! What must hold for any text whatever; the fuzz target calls the same function.

use counterpoint_formula::{Formula, Number, PowReading, RemReading, Syntax};

const SYNTAXES: [Syntax; 4] = [
    Syntax::Infix,
    Syntax::PapiPostfix,
    Syntax::RPN_24X7,
    Syntax::Rpn24x7 { rem: RemReading::Remainder, pow: PowReading::LastIsExponent },
];

/// Reads a text in every syntax; what is read can be printed, read back and evaluated.
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
        match formula.eval_exact(&inputs) {
            // Rounding once or at every step differs little for numbers this small.
            Ok(Number::Int(int))
                if int.unsigned_abs() < 1 << 40 && !infix.contains(['^', '%', '/']) =>
            {
                assert!(
                    (int as f64 - real).abs() <= 1e-3 * real.abs().max(1.0),
                    "{text:?}: {int}, {real}"
                );
            }
            Ok(_) => {}
            Err(error) => assert!(text.get(error.span).is_some(), "{text:?}"),
        }
    }
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
