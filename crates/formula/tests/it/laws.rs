//! Laws that hold for every formula.

use counterpoint_formula::{
    Binary, Column, ColumnMut, EvalErrorKind, Formula, Limits, Number, ParseErrorKind, Syntax,
};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

use crate::tree::{BINARY, Tree, UNARY, any_tree, tree};

fn parse(text: &str) -> Formula {
    Formula::parse(text, Syntax::Infix).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Values that include the special cases of arithmetic.
fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (-20..20_i32).prop_map(f64::from),
        2 => (0..1_u64 << 62).prop_map(|int| int as f64),
        1 => any::<f64>(),
        1 => proptest::sample::select(&[0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324][..]),
    ]
}

/// The values of a formula's inputs, which are some of N0 to N3.
fn bind<T: Copy>(formula: &Formula, n: &[T]) -> Vec<T> {
    formula.inputs().map(|name| n[name[1..].parse::<usize>().unwrap()]).collect()
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #[test]
    fn evaluation_is_that_of_the_operations_one_by_one(
        tree in any_tree(),
        n in [value(), value(), value(), value()],
    ) {
        let formula = parse(&tree.infix());
        let (found, expected) = (formula.eval(&bind(&formula, &n)), tree.eval(&n));
        prop_assert!(same(found, expected), "{formula}: {found:e}, not {expected:e}");
    }

    #[test]
    fn texts_of_catalogs_and_infix_texts_have_one_value(
        tree in tree(&["sqrt"], &["+", "-", "*", "/", "%", "//", "^"]),
        n in [value(), value(), value(), value()],
    ) {
        let rpn = tree.rpn();
        let rpn = Formula::parse(&rpn, Syntax::RPN_24X7).unwrap_or_else(|e| panic!("{rpn}: {e}"));
        let expected = tree.eval(&n);
        for formula in [rpn, parse(&tree.infix())] {
            let inputs = bind(&formula, &n);
            let found = formula.eval(&inputs);
            prop_assert!(same(found, expected), "{formula}: {found:e}, not {expected:e}");
            let columns: Vec<Column<'_>> =
                inputs.iter().map(|value| Column::from(std::slice::from_ref(value))).collect();
            let mut column = [0.0];
            let mut out = ColumnMut { values: &mut column, validity: None };
            formula.eval_columns(&columns, &mut out).unwrap();
            prop_assert!(same(column[0], expected), "{formula}: {:e}, not {expected:e}", column[0]);
        }
    }

    #[test]
    fn all_texts_of_a_formula_are_equal(tree in any_tree()) {
        let formula = parse(&tree.infix());
        prop_assert_eq!(&Formula::parse(&tree.postfix(), Syntax::PapiPostfix).unwrap(), &formula);
        prop_assert_eq!(&parse(&formula.to_string()), &formula);
        let postfix = formula.postfix().to_string();
        prop_assert_eq!(&Formula::parse(&postfix, Syntax::PapiPostfix).unwrap(), &formula);
        prop_assert_eq!(parse(&formula.to_string()).to_string(), formula.to_string());
    }

    #[test]
    fn operations_come_after_their_operands_and_once(tree in any_tree()) {
        use counterpoint_formula::Op;
        let formula = parse(&tree.infix());
        let mut seen = std::collections::HashSet::new();
        for (at, op) in formula.ops().iter().enumerate() {
            prop_assert!(seen.insert(*op), "{} twice in {}", at, formula);
            match *op {
                Op::Constant(c) => prop_assert!((c as usize) < formula.constants().len()),
                Op::Input(i) => prop_assert!((i as usize) < formula.inputs().len()),
                op => prop_assert!(op.operands().all(|operand| (operand as usize) < at)),
            }
        }
    }

    #[test]
    fn columns_are_evaluated_row_by_row(
        tree in any_tree(),
        rows in proptest::collection::vec([value(), value(), value(), value()], 1..70),
        repeat in 1..40_usize,
        validity in any::<[[u64; 44]; 4]>(),
        masked in any::<[bool; 4]>(),
    ) {
        let formula = parse(&tree.infix());
        let rows: Vec<[f64; 4]> = rows.iter().cycle().take(rows.len() * repeat).copied().collect();
        let columns: [Vec<f64>; 4] = std::array::from_fn(|at| rows.iter().map(|row| row[at]).collect());
        let inputs: Vec<Column<'_>> = bind(&formula, &[0, 1, 2, 3])
            .into_iter()
            .map(|at: usize| Column { values: &columns[at], validity: masked[at].then_some(&validity[at][..]) })
            .collect();
        let (mut values, mut bits) = (vec![0.0; rows.len()], vec![0; rows.len().div_ceil(64)]);
        let mut out = ColumnMut { values: &mut values, validity: Some(&mut bits) };
        formula.eval_columns(&inputs, &mut out).unwrap();
        for (at, row) in rows.iter().enumerate() {
            let bit = |words: &[u64]| words[at / 64] >> (at % 64) & 1 == 1;
            let valid = inputs.iter().all(|column| column.validity.is_none_or(bit));
            prop_assert_eq!(bit(&bits), valid);
            let expected = if valid { formula.eval(&bind(&formula, row)) } else { f64::NAN };
            prop_assert!(same(values[at], expected), "{}: {:e}, not {:e}", formula, values[at], expected);
        }
    }

    #[test]
    fn whole_numbers_stay_exact(
        tree in tree(&["neg"], &["+", "-", "*", "/", "%", "//"]),
        n in prop_oneof![any::<[i64; 4]>(), any::<[i8; 4]>().prop_map(|n| n.map(i64::from))],
        shift in 0..64_u32,
    ) {
        let n = n.map(|n| n >> shift);
        let n = n.map(i128::from);
        let formula = parse(&tree.infix());
        let inputs = bind(&formula, &n);
        let fits = |value: &BigRational| i128::try_from(value.to_integer()).ok();
        match (tree.rational(&n), formula.eval_exact(&inputs)) {
            (Some((exact, true)), found) if intermediates_fit(&tree, &n) => {
                prop_assert_eq!(found, Ok(Number::Int(fits(&exact).unwrap())), "{}", formula);
            }
            (Some((exact, _)), Ok(Number::Int(int))) => {
                prop_assert_eq!(exact, BigRational::from_integer(BigInt::from(int)), "{}", formula);
            }
            _ => {}
        }
    }

    #[test]
    fn real_results_are_near_the_exact_ones(
        tree in tree(&[], &["+", "*", "/"]),
        n in [1..1_i128 << 70, 1..1_i128 << 70, 1..1_i128 << 70, 1..1_i128 << 70],
    ) {
        let formula = parse(&tree.infix());
        let exact = tree.rational(&n);
        match (exact, formula.eval_exact(&bind(&formula, &n))) {
            (None, found) => {
                prop_assert_eq!(found.map_err(|e| e.kind), Err(EvalErrorKind::DivisionByZero));
            }
            (Some((exact, _)), Ok(Number::Int(int))) => {
                prop_assert_eq!(exact, BigRational::from_integer(BigInt::from(int)));
            }
            (Some((exact, _)), Ok(Number::Real(real))) if real.is_normal() => {
                let found = BigRational::from_float(real).unwrap();
                let error = if found > exact { &found - &exact } else { &exact - &found };
                // Each operation errs by at most half a unit in 53 bits, or twice that with the conversion of its operands.
                let allowed = BigRational::new(BigInt::from(200), BigInt::from(1_u64 << 53));
                prop_assert!(error <= exact * allowed, "{}: {:e}", formula, real);
            }
            _ => {}
        }
    }

    #[test]
    fn quotients_are_rounded_once(a in any::<i128>(), shift in 0..127_u32, b in any::<i128>(), less in 0..127_u32) {
        let (a, b) = (a >> shift, (b >> less).max(1));
        let exact = BigRational::new(BigInt::from(a), BigInt::from(b));
        let near = |real: f64| {
            let error = BigRational::from_float(real).unwrap() - &exact;
            if error < BigRational::from_integer(BigInt::from(0)) { -error } else { error }
        };
        // The same quotient of larger inputs is computed in another way than that of small ones.
        let sums = ["(N0 - N0 + N0) / N1", "(N0 + N1 * 3 - N1 - N1 * 2) / (N1 * 1)"];
        let sums_fit = a.unsigned_abs() < 1 << 120 && b < 1 << 120;
        for text in ["N0/N1"].into_iter().chain(sums.into_iter().filter(|_| sums_fit)) {
            match parse(text).eval_exact(&[a, b]) {
                Ok(Number::Real(real)) => {
                    let neighbours = [real.next_down(), real.next_up()];
                    prop_assert!(neighbours.iter().all(|other| near(real) <= near(*other)), "{a}/{b}: {real:e}");
                }
                found => {
                    prop_assert_eq!(found, Ok(Number::Int(a / b)));
                    prop_assert_eq!(a % b, 0);
                }
            }
        }
    }

    #[test]
    fn folding_constants_changes_no_bit(tree in any_tree(), constants in [value(), value(), value(), value()]) {
        // The same tree with numbers for its inputs in the text, if they can be written as numbers.
        let numbers = constants.map(|v| if v.is_finite() && v.is_sign_positive() { v } else { 3.25 });
        let mut text = tree.infix();
        for (at, number) in numbers.iter().enumerate() {
            text = text.replace(&format!("N{at}"), &format!("{number:e}"));
        }
        let folded = parse(&text);
        let (found, expected) = (folded.eval(&[]), tree.eval(&numbers));
        prop_assert!(same(found, expected), "{text} as {folded}: {found:e}, not {expected:e}");
    }

    #[test]
    fn substitution_is_evaluation_of_the_parts(
        outer in any_tree(),
        inner in any_tree(),
        n in [value(), value(), value(), value()],
    ) {
        let (f, g) = (parse(&outer.infix()), parse(&inner.infix()));
        let nested = f.substitute("N1", &g).unwrap();
        let mut with = n;
        with[1] = g.eval(&bind(&g, &n));
        let (found, expected) = (nested.eval(&bind(&nested, &n)), f.eval(&bind(&f, &with)));
        prop_assert!(same(found, expected), "{nested}: {found:e}, not {expected:e}");
        prop_assert_eq!(&parse(&nested.to_string()), &nested);
    }

    #[test]
    fn any_names_are_printed_so_that_they_read_back(tree in any_tree(), names in any::<[String; 4]>()) {
        let formula = parse(&tree.infix());
        let named = formula.rename_inputs(|name| names[name[1..].parse::<usize>().unwrap()].clone());
        prop_assert_eq!(&parse(&named.to_string()), &named);
        let postfix = named.postfix().to_string();
        prop_assert_eq!(&Formula::parse(&postfix, Syntax::PapiPostfix).unwrap(), &named);
    }

    #[test]
    fn any_text_is_a_formula_or_an_error_with_a_place(text in formula_like()) {
        crate::any_text::check(&text);
    }

    #[test]
    fn limits_hold(tree in any_tree(), inputs in 0..4_usize, operations in 0..12_usize) {
        let mut limits = Limits::default();
        (limits.inputs, limits.operations) = (inputs, operations);
        let within = |f: &Formula| f.inputs().len() <= inputs && count(f) <= operations;
        match Formula::parse_with(&tree.infix(), Syntax::Infix, &limits) {
            Ok(formula) => prop_assert!(within(&formula)),
            Err(error) => prop_assert!(matches!(error.kind, ParseErrorKind::Limit(_)), "{}", error),
        }
    }
}

/// The number of operators in the text of a formula.
fn count(formula: &Formula) -> usize {
    formula
        .postfix()
        .to_string()
        .split('|')
        .filter(|t| UNARY.contains(t) || BINARY.contains(t))
        .count()
}

/// Returns true if every part of the tree is an integer that fits `i128`.
fn intermediates_fit(tree: &Tree, n: &[i128]) -> bool {
    let here = tree.rational(n).is_some_and(|(value, whole)| {
        whole && i128::try_from(value.to_integer()).is_ok_and(|int| int != i128::MIN)
    });
    here && match tree {
        Tree::Unary(_, a) => intermediates_fit(a, n),
        Tree::Binary(_, a, b) => intermediates_fit(a, n) && intermediates_fit(b, n),
        _ => true,
    }
}

/// Texts made of the tokens of formulas, and arbitrary texts.
fn formula_like() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(
        &[
            "N0",
            "N1",
            "N7",
            "N65536",
            "#",
            "+",
            "-",
            "*",
            "/",
            "//",
            "%",
            "^",
            "(",
            ")",
            ",",
            "|",
            " ",
            "2",
            "2.5",
            "1e3",
            "1e999",
            "0x1F",
            "0x",
            ".",
            "sqrt(",
            "min(",
            "max(",
            "rem(",
            "abs",
            "name",
            "a:b=1",
            "`",
            "`x y`",
            "swp",
            "rot",
            "dup",
            "mod",
            "rem",
            "sqr",
            "x^y",
            "x",
            "y",
            "delta-seconds",
            "é",
            "\0",
            "neg",
            "\u{2003}",
        ][..],
    );
    let tokens =
        proptest::collection::vec((token, proptest::sample::select(&["", " ", "|"][..])), 0..24);
    prop_oneof![
        4 => tokens.prop_map(|tokens| tokens.iter().flat_map(|(t, s)| [*t, *s]).collect::<String>()),
        1 => any::<String>(),
    ]
}

/// All orders in which fused steps may apply their operations, with and without weights.
#[test]
fn three_operations_of_any_kind_are_done_one_by_one() {
    use Binary::{Add, Div, Max, Min, Mod, Mul, Pow, Quot, Rem, Sub};
    const VALUES: [f64; 8] =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 0.1, -7.0, 1e300];
    type Order = (&'static str, fn([f64; 4], [Binary; 3]) -> f64);
    const ORDERS: [Order; 5] = [
        ("N0 N1 a N2 b N3 c", |n, [a, b, c]| c.apply(b.apply(a.apply(n[0], n[1]), n[2]), n[3])),
        ("N0 N1 N2 N3 a b c", |n, [a, b, c]| c.apply(n[0], b.apply(n[1], a.apply(n[2], n[3])))),
        ("N0 N1 a N2 N3 b c", |n, [a, b, c]| c.apply(a.apply(n[0], n[1]), b.apply(n[2], n[3]))),
        ("N0 N1 N2 a N3 b c", |n, [a, b, c]| c.apply(n[0], b.apply(a.apply(n[1], n[2]), n[3]))),
        ("N0 N1 3 * a 0 b N2 N3 / c", |n, [a, b, c]| {
            c.apply(b.apply(a.apply(n[0], n[1] * 3.0), 0.0), n[2] / n[3])
        }),
    ];
    let rows: Vec<[f64; 4]> =
        (0..65).map(|at| [1, 3, 9, 27].map(|n| VALUES[at * n / 5 % 8])).collect();
    let columns = [0, 1, 2, 3].map(|n| rows.iter().map(|row| row[n]).collect::<Vec<_>>());
    let inputs = columns.each_ref().map(|column| Column::from(&column[..]));
    let mut values = vec![0.0; rows.len()];
    let kinds = [Add, Sub, Mul, Div, Mod, Quot, Rem, Pow, Min, Max];
    for ((order, expected), at) in
        ORDERS.iter().flat_map(|order| (0..1000).map(move |at| (order, at)))
    {
        let ops = [at / 100, at / 10 % 10, at % 10].map(|kind| kinds[kind]);
        let text: String = order
            .split(' ')
            .map(|word| match word {
                "a" => ops[0].word(),
                "b" => ops[1].word(),
                "c" => ops[2].word(),
                other => other,
            })
            .flat_map(|word| [word, "|"])
            .collect();
        let formula = Formula::parse(&text, Syntax::PapiPostfix).unwrap();
        let mut out = ColumnMut { values: &mut values, validity: None };
        formula.eval_columns(&inputs, &mut out).unwrap();
        for (row, &column) in rows.iter().zip(&values) {
            let (expected, alone) = (expected(*row, ops), formula.eval(row));
            assert!(same(alone, expected), "{formula} of {row:?}: {alone:e}, not {expected:e}");
            assert!(same(column, expected), "{formula} of {row:?}: {column:e}, not {expected:e}");
        }
    }
}

/// Exact evaluation has no value where the rule of IEEE 754 has none, or leaves the range, or divides by zero.
#[test]
fn exact_values_are_those_of_doubles_where_these_have_one() {
    use EvalErrorKind::{DivisionByZero, Domain, Overflow};
    const VALUES: [f64; 13] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        0.5,
        -0.5,
        2.5,
        -7.25,
        1e300,
        -1e300,
        f64::MAX,
        5e-324,
    ];
    for (op, [a, b]) in BINARY.iter().flat_map(|&op| {
        VALUES.into_iter().flat_map(move |a| VALUES.into_iter().map(move |b| (op, [a, b])))
    }) {
        let formula = Formula::parse(&format!("N0|N1|{op}|"), Syntax::PapiPostfix).unwrap();
        let ieee = formula.eval(&[a, b]);
        let divides = matches!(op, "/" | "%" | "//" | "rem" | "ratio") && b == 0.0
            || op == "whole_rem" && b.trunc() == 0.0;
        let found = formula.eval_numbers(&[Number::Real(a), Number::Real(b)]).map_err(|e| e.kind);
        let is_right = match &found {
            Ok(number) => same(number.as_f64(), ieee) && !ieee.is_nan() && !divides,
            Err(DivisionByZero) => divides || op == "^" && a == 0.0 && b < 0.0,
            Err(Domain) => ieee.is_nan(),
            Err(Overflow) => ieee.is_infinite() && a.is_finite() && b.is_finite(),
            Err(_) => false,
        };
        assert!(is_right, "{a:e} {op} {b:e}: {found:?}, not {ieee:e}");
    }
}

#[test]
fn the_remainder_by_an_infinite_number_has_its_sign_or_is_none() {
    let inf = f64::INFINITY;
    let eval = |text: &str, inputs: [f64; 2]| parse(text).eval(&inputs);
    assert_eq!(eval("N0%N1", [7.0, inf]), 7.0);
    assert_eq!(eval("N0%N1", [-7.0, -inf]), -7.0);
    assert!(eval("N0%N1", [-7.0, inf]).is_nan());
    assert!(eval("N0%N1", [inf, 2.0]).is_nan());
    assert_eq!(eval("N0//N1", [inf, 2.0]), inf);
    assert_eq!(eval("N0//N1", [-7.0, inf]).to_bits(), (-0.0_f64).to_bits());
    assert!(eval("N0//N1", [inf, -inf]).is_nan());
}

/// The smaller and the larger of an integer and a double, which their doubles may not tell apart.
#[test]
fn mixed_numbers_are_compared_exactly() {
    let (int, real) = (Number::Int, Number::Real);
    const EVEN: i128 = 1 << 53;
    for (a, b, is_less) in [
        (int(EVEN + 1), real(9_007_199_254_740_992.0), false),
        (int(EVEN - 1), real(9_007_199_254_740_992.0), true),
        (int(-EVEN - 1), real(-9_007_199_254_740_992.0), true),
        (int(2), real(2.5), true),
        (int(-2), real(-2.5), false),
        (int(i128::MAX), real(1e39), true),
        (int(i128::MIN), real(-1e39), false),
        (int(i128::MAX), real(f64::INFINITY), true),
    ] {
        for [first, second, smaller, larger] in [
            [a, b, if is_less { a } else { b }, if is_less { b } else { a }],
            [b, a, if is_less { a } else { b }, if is_less { b } else { a }],
        ] {
            let eval = |text| parse(text).eval_numbers(&[first, second]).unwrap();
            assert_eq!(eval("min(N0,N1)"), smaller, "{first:?} {second:?}");
            assert_eq!(eval("max(N0,N1)"), larger, "{first:?} {second:?}");
        }
    }
}

/// A constant whose double is whole is not exact unless its text is.
#[test]
fn rounded_constants_are_not_exact() {
    for text in
        ["9007199254740993.5", "1.00000000000000000001", "9007199254740993.5-9007199254740993"]
    {
        let formula = parse(text);
        assert!(matches!(formula.eval_numbers(&[]), Ok(Number::Real(_))), "{text}");
        assert_eq!(parse(&formula.to_string()), formula, "{text}");
        let postfix = formula.postfix().to_string();
        assert_eq!(Formula::parse(&postfix, Syntax::PapiPostfix).as_ref(), Ok(&formula), "{text}");
    }
    for (text, int) in
        [("2.50e1", 25), ("9007199254740993.0", 9_007_199_254_740_993), ("0e-999", 0)]
    {
        assert_eq!(parse(text).eval_numbers(&[]), Ok(Number::Int(int)), "{text}");
    }
    let error = Formula::parse("1/3e-420", Syntax::Infix).unwrap_err();
    assert_eq!((error.kind, error.span), (ParseErrorKind::NumberTooSmall, 2..8));
    assert!(Formula::parse("5e-324", Syntax::Infix).is_ok());
}
