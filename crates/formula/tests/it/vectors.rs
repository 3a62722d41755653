//! Results of PAPI's evaluator, and catalog formulas worked out by hand.

use counterpoint_formula::{EvalErrorKind, Formula, Number, Syntax};
use serde_json::Value;

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The formula of a row; derived types without a text are replaced with equivalent formulas.
fn parse(row: &Value) -> Result<Formula, &'static str> {
    let terms = row["values"].as_array().unwrap().len();
    let join = |from: usize, sign: &str| {
        (from..terms).map(|n| format!("N{n}")).collect::<Vec<_>>().join(sign)
    };
    let (text, syntax) = match row["type"].as_str().unwrap() {
        "infix" => (row["formula"].as_str().unwrap().to_owned(), Syntax::Infix),
        "postfix" => (row["formula"].as_str().unwrap().to_owned(), Syntax::PapiPostfix),
        "add" => (join(0, "+"), Syntax::Infix),
        "sub" => (join(0, "-"), Syntax::Infix),
        "cmpd" => ("N0".to_owned(), Syntax::Infix),
        "ps" => ("N1*#/N0".to_owned(), Syntax::Infix),
        "add_ps" => (format!("({})*#/N0", join(1, "+")), Syntax::Infix),
        other => panic!("unknown type {other}"),
    };
    Formula::parse(&text, syntax).map_err(|error| error.kind.code())
}

/// The exact value, or the key of the error; an unknown name is a syntax error as in PAPI.
fn evaluate(row: &Value) -> Result<Number, &'static str> {
    let formula = parse(row)?;
    let values = row["values"].as_array().unwrap();
    let bind = |name: &str| {
        if name == "#" {
            return Ok(i128::from(row["mhz"].as_i64().unwrap()) * 1_000_000);
        }
        let index = name.strip_prefix('N').and_then(|n| n.parse::<usize>().ok()).ok_or("syntax")?;
        values.get(index).map(|v| v.as_i64().unwrap().into()).ok_or("bad-index")
    };
    let inputs = formula.inputs().map(bind).collect::<Result<Vec<i128>, _>>()?;
    formula.eval_exact(&inputs).map_err(|error| match error.kind {
        EvalErrorKind::DivisionByZero => "div-by-zero",
        other => panic!("{row}: {other}"),
    })
}

/// Texts that PAPI rejects and this crate accepts.
fn is_extension(row: &Value) -> bool {
    let formula = row["formula"].as_str().unwrap();
    ["%", "^", "0x1", "abs(", "sqrt(", "=="].iter().any(|sign| formula.contains(sign))
}

#[test]
fn papi_formulas_have_their_exact_value() {
    let mut checked = 0;
    for row in rows(include_str!("../../../../fixtures/formula/papi.jsonl")) {
        let found = evaluate(&row);
        match (row["exact"].as_str(), found) {
            (Some(exact), Ok(Number::Int(int))) => assert_eq!(int.to_string(), exact, "{row}"),
            (Some(exact), Ok(Number::Real(real))) => {
                let (p, q) = exact.split_once('/').unwrap_or((exact, "1"));
                let exact = p.parse::<f64>().unwrap() / q.parse::<f64>().unwrap();
                assert!((real - exact).abs() <= exact.abs() * 1e-13, "{row}: {real}");
            }
            (Some(_), Err(error)) => panic!("{row}: {error}"),
            (None, found) if is_extension(&row) => assert!(found.is_ok(), "{row}: {found:?}"),
            (None, found) => {
                let error = row["error"].as_str().unwrap();
                // PAPI's reader rejects a name that is not an event; here a leftover name is an error of the text.
                let alike = matches!((found, error), (Err("leftover" | "underflow"), "syntax"));
                assert!(found == Err(error) || alike, "{row}: {found:?}");
            }
        }
        checked += 1;
    }
    assert!(checked > 500);
}

#[test]
fn papi_returns_the_truncated_value() {
    let mut checked = 0;
    for row in rows(include_str!("../../../../fixtures/formula/papi.jsonl")) {
        if let (Some(papi), Ok(value)) = (row["papi"].as_i64(), evaluate(&row)) {
            assert_eq!(value.papi(), Some(papi), "{row}");
            checked += 1;
        }
    }
    assert!(checked > 250, "{checked}");
}

#[test]
fn catalog_formulas_follow_the_table_of_operators() {
    let rows = rows(include_str!("../../../../fixtures/formula/rpn.jsonl"));
    let bindings = rows[0]["bindings"].as_object().unwrap();
    for row in &rows[1..] {
        let text = row["formula"].as_str().unwrap();
        let formula = match Formula::parse(text, Syntax::RPN_24X7) {
            Ok(formula) => formula,
            Err(error) => {
                assert_eq!(row["error_at"].as_u64(), Some(error.span.start as u64), "{row}");
                continue;
            }
        };
        let inputs: Option<Vec<f64>> =
            formula.inputs().map(|name| bindings.get(name)?.as_f64()).collect();
        let Some(inputs) = inputs else {
            assert!(row["error_at"].is_u64(), "{row}");
            continue;
        };
        let value = formula.eval(&inputs);
        match row["value"].as_str() {
            Some("inf") => assert_eq!(value, f64::INFINITY, "{row}"),
            Some("nan") => assert!(value.is_nan(), "{row}"),
            _ => assert_eq!(Some(value), row["value"].as_f64(), "{row}"),
        }
    }
}
