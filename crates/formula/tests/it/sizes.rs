//! Large and deep formulas are parsed in linear time or rejected, without deep recursion.

use counterpoint_formula::{
    Column, ColumnMut, Formula, LimitError, Limits, Number, ParseErrorKind, Syntax,
};

const MILLION: usize = 1_000_000;

#[test]
fn a_million_parentheses_are_read() {
    let text = format!("{}N0{}", "(".repeat(MILLION), ")".repeat(MILLION));
    let formula = Formula::parse(&text, Syntax::Infix).unwrap();
    assert_eq!(formula.to_string(), "N0");
    let error = Formula::parse(&text[..MILLION + 2], Syntax::Infix).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::UnclosedParenthesis);
    let mut limits = Limits::default();
    limits.depth = 1000;
    let error = Formula::parse_with(&text, Syntax::Infix, &limits).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::Limit(LimitError::TooDeep(1000)));
    assert_eq!(error.span, 1000..1001);
}

#[test]
fn deep_formulas_are_evaluated_printed_and_dropped() {
    const DEEP: usize = 50_000;
    let right = format!("{}N0{}", "N0+(".repeat(DEEP), ")".repeat(DEEP));
    let signs = format!("{}N0", "-".repeat(DEEP));
    let roots = format!("{}N0{}", "sqrt(".repeat(DEEP), ")".repeat(DEEP));
    let pushed = format!("{}{}", "N0|".repeat(DEEP + 1), "+|".repeat(DEEP));
    for (text, syntax, value) in [
        (right, Syntax::Infix, DEEP as f64 + 1.0),
        (signs, Syntax::Infix, 1.0),
        (roots, Syntax::Infix, 1.0),
        (pushed, Syntax::PapiPostfix, DEEP as f64 + 1.0),
    ] {
        let formula = Formula::parse(&text, syntax).unwrap();
        assert_eq!(formula.eval(&[1.0]), value);
        assert_eq!(formula.eval_exact(&[1]).unwrap().as_f64(), value);
        assert_eq!(Formula::parse(&formula.to_string(), Syntax::Infix).unwrap(), formula);
    }
}

#[test]
fn shared_parts_beyond_all_slots_are_computed_again() {
    // 2,000 products, each used twice, far apart.
    let product = |at: usize| format!("(N{at} * N{})", at + 1);
    let sum: Vec<String> = (0..2000).chain(0..2000).map(product).collect();
    let formula = Formula::parse(&sum.join(" + "), Syntax::Infix).unwrap();
    let inputs: Vec<f64> = (0..2001).map(|n| f64::from(n % 7)).collect();
    let expected: f64 = (0..2000).map(|at| 2.0 * inputs[at] * inputs[at + 1]).sum();
    assert_eq!(formula.eval(&inputs), expected);

    // Columns too, on the small stack of a thread.
    let columns: Vec<[f64; 33]> = inputs.iter().map(|&input| [input; 33]).collect();
    let columns: Vec<Column<'_>> = columns.iter().map(|rows| Column::from(&rows[..])).collect();
    let mut values = [0.0; 33];
    let mut out = ColumnMut { values: &mut values, validity: None };
    std::thread::scope(|scope| {
        let eval = || formula.eval_columns(&columns, &mut out).unwrap();
        std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(scope, eval).unwrap();
    });
    assert_eq!(values, [expected; 33]);
}

#[test]
fn sizes_beyond_the_limits_are_refused() {
    let refused = |text: &str, syntax| match Formula::parse(text, syntax).map_err(|e| e.kind) {
        Err(ParseErrorKind::Limit(limit)) => limit,
        other => panic!("{other:?}"),
    };
    let inputs: String = (0..=65_535).map(|n| format!("N{n}+")).collect();
    let names = inputs.trim_end_matches('+');
    assert_eq!(refused(names, Syntax::Infix), LimitError::TooManyInputs(65_535));
    // Text that doubles with every word would exhaust memory once printed.
    let doubled = format!("A {}", "dup * ".repeat(64));
    assert_eq!(refused(&doubled, Syntax::RPN_24X7), LimitError::TooManyOperations(1 << 20));
    let square = Formula::parse("x*x", Syntax::Infix).unwrap();
    let mut power = square.clone();
    let error = (0..64).find_map(|_| {
        power = match power.substitute("x", &square) {
            Ok(power) => power,
            Err(error) => return Some(error),
        };
        None
    });
    assert_eq!(error, Some(LimitError::TooManyOperations(1 << 20)));
}

#[test]
fn rotating_a_large_stack_costs_nothing_more() {
    let text = format!("{}{}", "1 ".repeat(100_000), "rot ".repeat(100_000));
    let formula = Formula::parse(&text, Syntax::RPN_24X7).unwrap();
    assert_eq!(formula.eval_exact(&[]), Ok(Number::Int(1)));
    assert_eq!(formula.warnings().len(), 1);
}

#[test]
fn columns_of_any_length_are_evaluated_row_by_row() {
    let kept: Vec<String> = (1..80).map(|n| format!("(N0*N1+{n})")).collect();
    let kept = format!("{}-({})", kept.join("+"), kept.join("/"));
    for text in [
        "N0-N1*3",
        "N0-(N1+N2+7)",
        "1/(N0-N1)*100",
        "N0+N1+N2+N3+N4*2+N5+N6+N7/4+N8-N9",
        "(N0+N1+N2+N3+N4+N5+N6+N7+N8)*2/(N9+N0)",
        "max(N0-N1,0)/N2-(N3*2/N4*N5)+N6*N7/3*5",
        "(sqrt(N0*N1)+N2*N3)/(N4%(N5+N6)-(N7+N8)*N9)^2",
        &kept,
    ] {
        let formula = Formula::parse(text, Syntax::Infix).unwrap();
        let row = |at: usize| (1..11).map(|n| ((at + 3) * n % 17) as f64 + 0.5).collect::<Vec<_>>();
        for rows in [0, 1, 31, 32, 33, 100, 512, 1057] {
            let columns: Vec<Vec<f64>> =
                (0..10).map(|n| (0..rows).map(|at| row(at)[n]).collect()).collect();
            let inputs: Vec<Column<'_>> = columns.iter().map(|c| Column::from(&c[..])).collect();
            let mut values = vec![0.0; rows];
            let mut out = ColumnMut { values: &mut values, validity: None };
            formula.eval_columns(&inputs, &mut out).unwrap();
            for (at, value) in values.iter().enumerate() {
                assert_eq!(value.to_bits(), formula.eval(&row(at)).to_bits(), "{text}, row {at}");
            }
        }
    }
}
