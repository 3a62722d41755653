//! Formulas of 24x7 catalogs: names, cycles, values.

use counterpoint::catalog::{
    Catalog, CatalogBuilder, Code, Domain, Event, Formula, MetricError, Source, WithMetrics,
};
use counterpoint::formula::{Number, PowReading, RemReading, Syntax};
use counterpoint_fixtures::path;
use std::cell::Cell;
use std::collections::HashMap;

/// A catalog with the chip events A and B and these formulas.
fn catalog(formulas: &[(&str, &str)]) -> Catalog {
    let mut builder = CatalogBuilder::new(1)
        .event(Event::new("A", Domain::CHIP))
        .event(Event::new("B", Domain::CHIP));
    for (name, text) in formulas {
        builder = builder.formula(Formula::new(name, text));
    }
    builder.build().unwrap()
}

/// The values of all formulas where A is 8, B is 3 and 10 seconds passed.
fn values(formulas: &[(&str, &str)]) -> Vec<Result<f64, MetricError>> {
    let catalog = catalog(formulas);
    let values = catalog.metrics().evaluate(|operand| match operand.name.as_str() {
        "A" => Some(8_i64.into()),
        "B" => Some(3_i64.into()),
        "delta-seconds" => Some(10_i64.into()),
        _ => None,
    });
    values.into_iter().map(|value| Ok(value?.number.as_f64())).collect()
}

#[test]
fn a_name_is_elapsed_time_before_an_event_before_a_formula() {
    let catalog = catalog(&[
        ("delta-seconds", "1"),
        ("A", "2"),
        ("TWICE", "A 2 *"),
        ("ALL", "delta-seconds A TWICE PB_Freq + + +"),
    ]);
    let metrics = catalog.metrics();
    let sources: Vec<Source> =
        metrics.iter().last().unwrap().operands.iter().map(|operand| operand.source).collect();
    assert_eq!(sources, [Source::Elapsed, Source::Event(0), Source::Formula(2), Source::Symbol]);
    let found: Vec<(Code, Option<usize>)> =
        metrics.diagnostics().iter().map(|found| (found.code, found.index)).collect();
    assert_eq!(found, [(Code::DuplicateName, Some(1)), (Code::UnknownOperand, Some(3))]);
}

#[test]
fn formulas_use_formulas_wherever_they_stand() {
    let values = values(&[("RATIO", "SUM delta-seconds /"), ("SUM", "A B +"), ("NINE", "2 3 x^y")]);
    assert_eq!(values, [Ok(1.1), Ok(11.0), Ok(9.0)]);
}

#[test]
fn each_formula_is_computed_once() {
    // Without this, the last would ask for A some 10^18 times.
    let mut formulas = vec![("F0".to_string(), "A A +".to_string())];
    formulas.extend((1..60).map(|n| (format!("F{n}"), format!("F{0} F{0} +", n - 1))));
    let formulas: Vec<(&str, &str)> =
        formulas.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let asked = Cell::new(0);
    let catalog = catalog(&formulas);
    let values = catalog.metrics().evaluate(|operand| {
        asked.set(asked.get() + 1);
        (operand.name == "A").then_some(1_i64.into())
    });
    assert_eq!(asked.get(), 60, "each has one operand");
    assert_eq!(values[59].as_ref().unwrap().number, Number::Int(1 << 60));
}

#[test]
fn cycles_are_reported_and_affect_only_themselves() {
    let formulas = [
        ("SELF", "SELF 1 +"),
        ("P", "Q 1 +"),
        ("Q", "R 1 +"),
        ("R", "P A +"),
        ("USER", "P A +"),
        ("FREE", "A 1 +"),
    ];
    let catalog = catalog(&formulas);
    let metrics = catalog.metrics();
    let found: Vec<_> =
        metrics.diagnostics().iter().map(|found| (found.code, found.message.as_str())).collect();
    assert_eq!(
        found,
        [
            (Code::FormulaCycle, "the formula uses itself: SELF -> SELF"),
            (Code::FormulaCycle, "the formula uses itself: P -> Q -> R -> P"),
        ]
    );
    let values = values(&formulas);
    for value in &values[..4] {
        assert!(matches!(value, Err(MetricError::Cycle(_))), "{value:?}");
    }
    assert!(matches!(&values[4], Err(MetricError::Missing { name, .. }) if name == "P"));
    assert_eq!(values[5], Ok(9.0));
}

#[test]
fn long_chains_and_long_cycles_need_no_recursion() {
    let chain = |last: &str| -> Catalog {
        let mut builder = CatalogBuilder::new(1).event(Event::new("A", Domain::CHIP));
        for n in 0..20_000 {
            builder = builder.formula(Formula::new(&format!("F{n}"), &format!("F{}", n + 1)));
        }
        builder.formula(Formula::new("F20000", last)).build().unwrap()
    };
    let catalog = chain("A 1 +");
    let values =
        catalog.metrics().evaluate(|operand| (operand.name == "A").then_some(1_i64.into()));
    assert_eq!(values[0].as_ref().unwrap().number, Number::Int(2));
    let catalog = chain("F0 1 +");
    let metrics = catalog.metrics();
    assert_eq!(metrics.diagnostics().len(), 1);
    assert!(metrics.diagnostics()[0].message.len() < 300);
}

#[test]
fn results_without_a_real_value_are_marked() {
    let catalog = catalog(&[("INF", "A 0 /"), ("NAN", "0 A - sqr")]);
    let values = catalog.metrics().evaluate(|_| Some(8_i64.into()));
    let first = values[0].as_ref().unwrap();
    assert_eq!(first.number.as_f64(), f64::INFINITY);
    assert_eq!(first.note.as_ref().unwrap().span, 4..5);
    let second = values[1].as_ref().unwrap();
    assert!(second.number.as_f64().is_nan());
    assert_eq!(second.note.as_ref().unwrap().span, 6..9);
}

#[test]
fn findings_have_the_span_of_the_token() {
    let cases = [
        ("A +", Code::FormulaSyntax, 2),
        ("nothing A +", Code::UnknownOperand, 0),
        ("A 2 +  nothing *", Code::UnknownOperand, 7),
        ("(A + nothing)", Code::UnknownOperand, 5),
        ("(A", Code::FormulaSyntax, 0),
        ("A B", Code::LeftOver, 0),
        ("1e 2 +", Code::FormulaSyntax, 0),
        ("", Code::FormulaSyntax, 0),
    ];
    for (text, code, at) in cases {
        let catalog = catalog(&[("X", text)]);
        let metrics = catalog.metrics();
        let found: Vec<_> =
            metrics.diagnostics().iter().map(|found| (found.code, found.offset)).collect();
        // Behind page 0 and the page of the events: the fixed part, the name, the empty description, the length.
        let begin = 2 * 4096 + 16 + 4 + 2 + 2;
        assert_eq!(found, [(code, begin + at)], "{text}");
    }
}

/// Each formula of the chain uses the one before it, and an event of its own.
#[test]
fn the_needs_of_a_long_chain_are_listed_up_to_a_limit() {
    let names: Vec<String> = (0..100).map(|n| format!("SYMBOL_{n}")).collect();
    let text = |n: usize| match n {
        0 => names[0].clone(),
        _ => format!("F{} {} +", n - 1, names[n]),
    };
    let formulas: Vec<(String, String)> = (0..100).map(|n| (format!("F{n}"), text(n))).collect();
    let pairs: Vec<(&str, &str)> =
        formulas.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let catalog = catalog(&pairs);
    let metrics = catalog.metrics();
    assert_eq!(metrics.needs(99).len(), 100);
    let (own, is_all) = metrics.first_needs(99, 0);
    assert_eq!((own.len(), own[0].name.as_str(), is_all), (1, "SYMBOL_99", false));
    let (some, is_all) = metrics.first_needs(99, 1000);
    assert!((2..20).contains(&some.len()) && !is_all, "{}", some.len());
    let (few, is_all) = metrics.first_needs(2, 1000);
    assert_eq!((few.len(), is_all), (3, true));
}

#[test]
fn the_doubtful_operators_have_two_interpretations() {
    let catalog = catalog(&[("REM", "9 2 rem"), ("POW", "2 3 x^y")]);
    let value = |syntax| {
        let values = catalog.metrics_as(syntax).evaluate(|_| None);
        values.into_iter().map(|value| value.unwrap().number.as_f64()).collect::<Vec<_>>()
    };
    assert_eq!(value(Syntax::RPN_24X7), [4.0, 9.0]);
    let other = Syntax::Rpn24x7 { rem: RemReading::Remainder, pow: PowReading::LastIsExponent };
    assert_eq!(value(other), [1.0, 8.0]);
}

#[test]
fn an_operand_is_an_event_of_any_domain() {
    let domains = [("C", Domain::CHIP), ("K", Domain::CORE), ("T", Domain::THREAD)];
    let builder = domains.into_iter().fold(CatalogBuilder::new(1), |builder, (name, domain)| {
        builder.event(Event::new(name, domain))
    });
    let catalog = builder.formula(Formula::new("SUM", "T K C + +")).build().unwrap();
    let metrics = catalog.metrics();
    let operands = &metrics.iter().next().unwrap().operands;
    let sources: Vec<Source> = operands.iter().map(|operand| operand.source).collect();
    assert_eq!(sources, [2, 1, 0].map(Source::Event));
    assert_eq!(metrics.diagnostics(), []);
}

/// The table "Formula Operands" of the catalog document.
#[test]
fn formula_operands() {
    let all =
        "A RATIO 2.5e0 delta-timebase delta-cycles delta-instructions delta-seconds + + + + + +";
    let catalog = catalog(&[("RATIO", "A 4 /"), ("ALL", all)]);
    let metrics = catalog.metrics();
    let source = |name: &str| {
        let operands = &metrics.iter().last().unwrap().operands;
        operands.iter().find(|operand| operand.name == name).unwrap().source
    };
    assert_eq!((source("A"), source("RATIO")), (Source::Event(0), Source::Formula(0)));
    for name in ["delta-timebase", "delta-cycles", "delta-instructions", "delta-seconds"] {
        assert_eq!(source(name), Source::Elapsed);
    }
    let values = metrics.evaluate(|operand| match operand.name.as_str() {
        "RATIO" => None,
        "A" => Some(2_i64.into()),
        _ => Some(10_i64.into()),
    });
    assert_eq!(values[1].as_ref().unwrap().number.as_f64(), 2.0 + 0.5 + 2.5 + 40.0);
}

/// The table "Formula Operators" of the catalog document, with x pushed last and y before it.
#[test]
fn formula_operators() {
    let rows = [
        ("9 2 +", 11.0),
        ("9 2 -", 7.0),
        ("9 2 *", 18.0),
        ("9 2 /", 4.5),
        ("9 2 mod", 1.0),
        ("0 7 - 2 mod", 1.0),
        ("9 2 rem", 4.0),
        ("9 sqr", 3.0),
        ("2 3 x^y", 9.0),
        ("2 3 x ^ y", 9.0),
        ("9 2 swp -", -7.0),
        ("1 2 3 rot - -", 3.0 - (1.0 - 2.0)),
        ("5 dup *", 25.0),
    ];
    for (text, expected) in rows {
        assert_eq!(values(&[("X", text)]), [Ok(expected)], "{text}");
    }
}

/// The hand-worked formulas, each as the formula of a catalog.
#[test]
fn hand_worked_formulas() {
    let text = std::fs::read_to_string(path("formula/rpn.jsonl")).unwrap();
    let mut rows =
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let bindings = rows.next().unwrap();
    let bindings: HashMap<String, f64> =
        serde_json::from_value(bindings["bindings"].clone()).unwrap();
    let mut checked = 0;
    for row in rows {
        let formula = row["formula"].as_str().unwrap();
        let catalog = CatalogBuilder::new(1).formula(Formula::new("X", formula)).build().unwrap();
        let metrics = catalog.metrics();
        let value = metrics
            .evaluate(|operand| bindings.get(&operand.name).map(|value| Number::Real(*value)))
            .swap_remove(0);
        let expected = &row["value"];
        match value {
            Ok(value) if expected == "inf" => assert_eq!(value.number.as_f64(), f64::INFINITY),
            Ok(value) if expected == "nan" => assert!(value.number.as_f64().is_nan()),
            Ok(value) => assert_eq!(Some(value.number.as_f64()), expected.as_f64(), "{formula}"),
            Err(MetricError::Syntax(error)) => {
                assert_eq!(Some(error.span.start as u64), row["error_at"].as_u64(), "{formula}");
            }
            Err(MetricError::Missing { span, .. }) => {
                assert_eq!(Some(span.start as u64), row["error_at"].as_u64(), "{formula}");
            }
            Err(error) => panic!("{formula}: {error}"),
        }
        checked += 1;
    }
    assert!(checked > 30);
}
