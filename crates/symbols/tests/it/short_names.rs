//! Short names of any text.

use counterpoint_symbols::ShortNames;
use proptest::prelude::*;
use std::collections::HashSet;

/// Parts of names in any order, so that brackets match often.
fn name() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("operator"),
        Just("<"),
        Just(">"),
        Just("("),
        Just(")"),
        Just("::"),
        Just(" "),
        Just("{lambda("),
        Just("}"),
        Just("["),
        Just("]"),
        Just("->"),
        Just(", "),
        Just("int"),
        Just("f"),
        Just("A<int>"),
        Just(" const"),
        Just(" [clone .cold]"),
        Just(" as "),
        Just("impl "),
        Just("ä"),
        Just("@plt"),
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn each_short_name_stands_for_one_full_name(names in prop::collection::vec(name(), 1..12)) {
        let short = ShortNames::new(names.iter().map(String::as_str));
        let full: HashSet<&str> = names.iter().map(String::as_str).collect();
        let shown: HashSet<&str> = full.iter().map(|full| short.short(full)).collect();
        prop_assert_eq!(full.len(), shown.len());
        for name in full {
            prop_assert_eq!(short.find(name), Ok(vec![name]));
        }
    }

    #[test]
    fn no_text_is_too_odd(name in ".*") {
        let short = ShortNames::new([name.as_str()]);
        prop_assert!(short.short(&name).len() <= name.len().max(8 * name.matches('<').count() + name.len()));
        let _ = short.find(&name);
    }
}
