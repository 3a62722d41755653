//! Laws that hold for any list of events at all; the fuzz target asks the same.

use counterpoint_pmu::syntax::{self, Source};

/// Nothing panics; what is found stands where it says, errors point into the list and say what to do.
pub(crate) fn check(list: &str) {
    let groups = match syntax::parse(list) {
        Ok(groups) => groups,
        Err(error) => {
            assert!(list.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.help().is_empty());
            return;
        }
    };
    for group in &groups {
        assert!(!group.events.is_empty());
        for event in &group.events {
            assert_eq!(list.get(event.span.clone()), Some(event.text.as_str()));
            let Source::Pmu { pmu, pmu_span, terms } = &event.source else { continue };
            assert_eq!(list.get(pmu_span.clone()), Some(pmu.as_str()));
            for term in terms {
                assert!(list.get(term.span.clone()).is_some(), "{term:?}");
                assert!(list.get(term.value_span.clone()).is_some(), "{term:?}");
            }
        }
    }
}

#[test]
fn odd_lists() {
    let braces = "{".repeat(100_000);
    let lists = [
        "",
        ",",
        "{}",
        "{a,b}:u,c",
        "cpu//",
        "cpu/a='b,c'/",
        "cpu/a=",
        "r",
        "rffffffffffffffffff",
        "mem:",
        "mem:0x/99:rwx",
        "é/é=é/é",
        "a:b:c:",
        "{a,{b}}",
        "/",
        "//",
        "cpu/a=1/u/",
        &braces,
    ];
    lists.into_iter().for_each(check);
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("any_list") {
        check(&String::from_utf8_lossy(&seed));
    }
}
