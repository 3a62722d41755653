//! What is called exact is: formulas over constants against rational numbers. The fuzz target calls the same function.

use counterpoint_formula::{Formula, Number, Syntax};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Reads bytes as a formula over decimal constants, and compares its exact value with that of rational numbers.
pub(crate) fn check(bytes: &[u8]) {
    let Some((text, exact)) = formula(bytes) else { return };
    let Ok(formula) = Formula::parse(&text, Syntax::Infix) else { return };
    let Ok(Number::Int(int)) = formula.eval_numbers(&[]) else { return };
    assert_eq!(BigRational::from_integer(BigInt::from(int)), exact, "{text}");
}

/// A text, and the value that it says: each byte adds a constant, or joins the last two by an operation.
fn formula(bytes: &[u8]) -> Option<(String, BigRational)> {
    let mut stack: Vec<(String, BigRational)> = Vec::new();
    for chunk in bytes.chunks(3).take(60) {
        let [kind, a, b] = [0, 1, 2].map(|at| chunk.get(at).copied().unwrap_or(0));
        match (kind % 8, stack.len()) {
            (operation @ 0..=4, 2..) => {
                let ((right, y), (left, x)) = (stack.pop()?, stack.pop()?);
                stack.push(match operation {
                    0 => (format!("({left} + {right})"), x + y),
                    1 => (format!("({left} - {right})"), x - y),
                    2 => (format!("({left} * {right})"), x * y),
                    3 => (format!("min({left}, {right})"), x.min(y)),
                    _ => (format!("max({left}, {right})"), x.max(y)),
                });
            }
            (kind, _) => stack.push(constant(kind, a, b)),
        }
    }
    stack.pop()
}

/// A whole number near a limit of doubles, or one with a fraction.
fn constant(kind: u8, a: u8, b: u8) -> (String, BigRational) {
    let near = (1_u128 << (a % 64)) + u128::from(b % 4);
    let whole = BigRational::from_integer(BigInt::from(near));
    match kind % 3 {
        0 => (near.to_string(), whole),
        1 => {
            let tenths = BigRational::new(BigInt::from(b % 10), BigInt::from(10));
            (format!("{near}.{}", b % 10), whole + tenths)
        }
        _ => {
            let scale = BigInt::from(10).pow(u32::from(b % 20));
            let text = format!("{near}e-{}", b % 20);
            (text, BigRational::new(BigInt::from(near), scale))
        }
    }
}

#[test]
fn seeds_are_exact() {
    for seed in crate::seeds::of("exact") {
        check(&seed);
    }
    for seed in 0..20_000_u32 {
        // A generator of the kind that Knuth describes, so that every run sees the same bytes.
        let mut state = u64::from(seed);
        let bytes: Vec<u8> = (0..30)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        check(&bytes);
    }
}
