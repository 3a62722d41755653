//! Values that are called exact are exact: formulas over constants against rational numbers. The fuzz target calls the same function.

use counterpoint_formula::{Formula, Number, Syntax};
use num_bigint::BigInt;
use num_rational::BigRational;

/// Reads bytes as a formula over decimal constants, and compares its exact value with that of rational numbers.
pub(crate) fn check(bytes: &[u8]) {
    let Some(Part { text, value, .. }) = formula(bytes) else { return };
    let Ok(formula) = Formula::parse(&text, Syntax::Infix) else { return };
    let Ok(Number::Int(int)) = formula.eval_numbers(&[]) else { return };
    assert_eq!(BigRational::from_integer(BigInt::from(int)), value, "{text}");
}

struct Part {
    text: String,
    value: BigRational,
    /// It has a fraction, or is computed from a number that has: a double stands for it, which may be rounded.
    is_double: bool,
}

/// Each three bytes add a constant, or join the last two parts by an operation; `None` if a part is compared that may
/// have been rounded more than once.
fn formula(bytes: &[u8]) -> Option<Part> {
    let mut stack: Vec<Part> = Vec::new();
    for chunk in bytes.chunks(3).take(60) {
        let [kind, a, b] = [0, 1, 2].map(|at| chunk.get(at).copied().unwrap_or(0));
        match (kind % 8, stack.len()) {
            (operation @ 0..=4, 2..) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                let is_compared = operation > 2;
                if is_compared
                    && (left.text.starts_with('(') && left.is_double
                        || right.text.starts_with('(') && right.is_double)
                {
                    return None;
                }
                let (x, y) = (left.value, right.value);
                let (left_text, right_text) = (left.text, right.text);
                let (text, value) = match operation {
                    0 => (format!("({left_text} + {right_text})"), x + y),
                    1 => (format!("({left_text} - {right_text})"), x - y),
                    2 => (format!("({left_text} * {right_text})"), x * y),
                    3 => (format!("(min({left_text}, {right_text}))"), x.min(y)),
                    _ => (format!("(max({left_text}, {right_text}))"), x.max(y)),
                };
                stack.push(Part { text, value, is_double: left.is_double || right.is_double });
            }
            (kind, _) => stack.push(constant(kind, a, b)),
        }
    }
    stack.pop()
}

/// A whole number near a limit of doubles, or one with a fraction: the value of that is the nearest double.
fn constant(kind: u8, a: u8, b: u8) -> Part {
    let near = (1_u128 << (a % 64)) + u128::from(b % 4);
    let text = match kind % 3 {
        0 => near.to_string(),
        1 => format!("{near}.{}", b % 10),
        _ => format!("{near}e-{}", b % 20),
    };
    let exact = match kind % 3 {
        0 => BigRational::from_integer(BigInt::from(near)),
        1 => BigRational::new(BigInt::from(near * 10 + u128::from(b % 10)), BigInt::from(10)),
        _ => BigRational::new(BigInt::from(near), BigInt::from(10).pow(u32::from(b % 20))),
    };
    if exact.is_integer() {
        return Part { text, value: exact, is_double: false };
    }
    // The value of such a text is that of its double; it is not called exact, even where the double is whole.
    let double: f64 = text.parse().unwrap_or(f64::NAN);
    let value = BigRational::from_float(double).unwrap_or(exact);
    Part { text, value, is_double: true }
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
