//! Any text at all.

use crate::world::recorded;
use counterpoint::{EventSet, Target};
use proptest::prelude::*;
use std::cell::LazyCell;

thread_local! {
    static HOST: LazyCell<counterpoint::perf::Host> = LazyCell::new(|| recorded("vm-no-pmu"));
}

fn check(text: &str, definitions: &str) -> Result<(), TestCaseError> {
    let host = HOST.with(|host| (**host).clone());
    let set = EventSet::on(host, Target::ThisThread).define(definitions).event(text);
    if let Err(error) = set.resolve() {
        prop_assert!(!error.to_string().is_empty());
        prop_assert!(error.help().is_none_or(|help| !help.to_string().is_empty()));
        if let Some(span) = error.span() {
            prop_assert!(span.start <= span.end && span.end <= text.len(), "{span:?} in {text:?}");
            prop_assert!(text.get(span.clone()).is_some(), "{span:?} cuts a character of {text:?}");
        }
    }
    Ok(())
}

/// Pieces of event lists, so that texts get beyond the first character.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("cycles"),
        Just("page-faults"),
        Just("RATIO"),
        Just("perf::"),
        Just("perf_raw::"),
        Just("PAGE-FAULTS"),
        Just("msr"),
        Just("tsc"),
        Just("event=0x1"),
        Just("config"),
        Just("name=x"),
        Just("sched:sched_switch"),
        Just("mem:"),
        Just("0x1000"),
        Just("r1a8"),
        Just("L1-dcache-loads"),
        Just(":"),
        Just("::"),
        Just("/"),
        Just(","),
        Just("{"),
        Just("}"),
        Just("="),
        Just("'"),
        Just("\""),
        Just("u"),
        Just("kHW"),
        Just("ppp"),
        Just("*"),
        Just("?"),
        Just("[a-"),
        Just(" "),
        Just("é"),
        Just("\u{0}"),
        Just("18446744073709551616"),
        Just("-1"),
        Just("@"),
        Just("#"),
        Just("\n"),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics_and_errors_stand_in_it(text in pieces()) {
        check(&text, "EVENT,RATIO,DERIVED_INFIX,N0/N1,page-faults,task-clock\n")?;
    }

    #[test]
    fn no_text_at_all_panics(text in any::<String>()) {
        check(&text, "")?;
    }

    #[test]
    fn no_definition_panics(terms in pieces()) {
        check("X,Y", &format!("EVENT,X,DERIVED_ADD,{terms},cycles\nEVENT,Y,NOT_DERIVED,X\n"))?;
    }
}
