//! Exact evaluation by the code for doubles, which is the fastest: for formulas and inputs whose integers are all known to be doubles.

use crate::bound::{Bound, INPUTS};
use crate::formula::Formula;
use crate::number::Number;

/// The value, or `None` if it may not be exact, or if there is none.
#[inline(always)]
pub(crate) fn eval(formula: &Formula, input: impl Fn(usize) -> Number) -> Option<Number> {
    let Bound { bits, uses_quotients } = formula.code.exact?;
    let mut inputs = [0.0; INPUTS];
    let inputs = inputs.get_mut(..formula.names.len())?;
    let mut magnitudes = 0;
    for (at, double) in inputs.iter_mut().enumerate() {
        let Number::Int(int) = input(at) else { return None };
        // For a negative integer, this is its magnitude less one.
        magnitudes |= (int ^ int >> (i128::BITS - 1)) as u128;
        *double = int as i64 as f64;
    }
    if magnitudes >> bits != 0 {
        return None;
    }
    let value = formula.code.eval(inputs);
    let int = value as i64;
    if int as f64 == value {
        (!uses_quotients).then_some(Number::Int(int.into()))
    } else {
        value.is_finite().then_some(Number::Real(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::wide;
    use crate::syntax::Syntax;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    const FORMULAS: [&str; 12] = [
        "N0",
        "-N0*3 + N1",
        "N0*N1 - N2*N3",
        "N0/N1",
        "(N0 - N1)*100/(N0 + N2)",
        "N0/N1/N2",
        "N0/N1*N2",
        "N0/N1 + N2/N3",
        "(N0/N1 - N2)*N3/7",
        "N0*N1/(N2 + N3) - N0*N2",
        "(N0*512/N1)*N2/(N3 - N0)",
        "100*(1 - N0/N1)",
    ];

    proptest! {
        #[test]
        fn the_value_has_the_bits_and_the_kind_of_that_in_128_bits(
            n in any::<[i64; 4]>(),
            shifts in any::<[u8; 4]>(),
        ) {
            let mut n = n;
            n.iter_mut().zip(shifts).for_each(|(n, shift)| *n >>= shift % 64);
            for text in FORMULAS {
                let formula = Formula::parse(text, Syntax::Infix).unwrap();
                let named = |name: &str| n[usize::from(name.as_bytes()[1] - b'0')];
                let inputs: Vec<Number> = formula.inputs().map(|name| named(name).into()).collect();
                let Some(value) = eval(&formula, |at| inputs[at]) else { continue };
                let expected = wide(&formula, |at| inputs[at]).unwrap();
                let bits = |number: Number| match number {
                    Number::Int(int) => (Some(int), 0),
                    Number::Real(real) => (None, real.to_bits()),
                };
                prop_assert_eq!(bits(value), bits(expected), "{} {:?}", text, n);
            }
        }
    }

    #[test]
    fn counts_of_usual_size_are_computed_here() {
        for text in FORMULAS {
            let formula = Formula::parse(text, Syntax::Infix).unwrap();
            assert!(
                eval(&formula, |at| Number::Int([300_001, 7001, 99, 13][at])).is_some(),
                "{text}"
            );
        }
    }
}
