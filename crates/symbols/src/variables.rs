//! The variables of a file by address.

use super::demangled::demangled;
use std::ops::Range;

/// The variables of a file, by their first addresses; of several names of the same addresses, one.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    variables: Vec<Variable>,
}

#[derive(Debug)]
struct Variable {
    range: Range<u64>,
    name: String,
    /// The end of the one that reaches farthest, of all up to this one.
    reach: u64,
}

impl Variables {
    /// Those with these symbols.
    pub(crate) fn new(mut symbols: Vec<(Range<u64>, String)>) -> Variables {
        let underscores = |name: &str| name.len() - name.trim_start_matches('_').len();
        symbols.sort_by(|(a, one), (b, other)| {
            // The outer one is before what is within it.
            let place = (a.start, b.end, underscores(one), one);
            place.cmp(&(b.start, a.end, underscores(other), other))
        });
        symbols.dedup_by(|next, before| next.0 == before.0);
        let mut reach = 0;
        let variable = |(range, symbol): (Range<u64>, String)| {
            reach = range.end.max(reach);
            Variable { name: demangled(&symbol).into_owned(), range, reach }
        };
        Variables { variables: symbols.into_iter().map(variable).collect() }
    }

    /// The innermost variable at an address.
    pub(crate) fn at(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let after = self.variables.partition_point(|of| of.range.start <= address);
        let before = self.variables[..after].iter().rev();
        let mut before = before.take_while(|of| of.reach > address);
        let found = before.find(|of| of.range.contains(&address))?;
        Some((&found.name, found.range.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::Variables;
    use proptest::prelude::*;

    #[test]
    fn of_two_names_that_with_fewer_underscores_is_shown_and_the_inner_variable_is_found() {
        let symbol = |start: u64, end: u64, name: &str| (start..end, name.to_string());
        let variables = Variables::new(vec![
            symbol(0x10, 0x20, "__environ"),
            symbol(0x10, 0x20, "environ"),
            symbol(0x30, 0x90, "outer"),
            symbol(0x40, 0x48, "_ZN3app5innerE"),
        ]);
        let name = |address| variables.at(address).map(|(name, _)| name);
        assert_eq!(name(0x10), Some("environ"));
        assert_eq!(name(0x44), Some("app::inner"));
        assert_eq!(name(0x48), Some("outer"));
        assert_eq!((name(0x20), name(0x90), name(0)), (None, None, None));
    }

    proptest! {
        #[test]
        fn whatever_has_an_address_is_found(
            ranges in prop::collection::vec((0_u64..50, 1_u64..20), 0..20),
            address in 0_u64..80,
        ) {
            let ranges: Vec<_> = ranges.iter().map(|(start, size)| *start..start + size).collect();
            let symbols = ranges.iter().map(|range| (range.clone(), format!("{range:?}")));
            let found = Variables::new(symbols.collect()).at(address).map(|(_, range)| range);
            let has = |range: &&std::ops::Range<u64>| range.contains(&address);
            let last = ranges.iter().filter(has).map(|range| range.start).max();
            prop_assert_eq!(found.map(|range| range.start), last);
        }
    }
}
