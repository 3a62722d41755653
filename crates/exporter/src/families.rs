//! Families: the series of one name, which share a type and a unit.

use crate::names::Unit;
use crate::series::Kind;

/// Names that are not those of events.
pub(crate) const STATUS: &str = "counterpoint_event_status";
pub(crate) const COVERAGE: &str = "counterpoint_event_coverage_ratio";
pub(crate) const COUNTED: &str = "counterpoint_target_counted";
pub(crate) const LEFT_OUT: &str = "counterpoint_series_left_out";
const RESERVED: [&str; 4] = [STATUS, COVERAGE, COUNTED, LEFT_OUT];

/// The properties that the series of one name have in common.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Family {
    /// Without the ending `_total` of a counter.
    pub name: String,
    pub is_counter: bool,
    pub unit: Unit,
    pub help: String,
}

/// All families, in the order in which they are shown.
#[derive(Debug, Default)]
pub(crate) struct Families(Vec<Family>);

impl Families {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Family)> {
        self.0.iter().enumerate()
    }

    pub(crate) fn get(&self, index: usize) -> &Family {
        &self.0[index]
    }

    /// The index of the family with this name, type and unit.
    ///
    /// A name that means something else already is given an ending, because one name has one type.
    pub(crate) fn find_or_add(
        &mut self,
        mut name: String,
        kind: Kind,
        unit: Unit,
        help: String,
    ) -> usize {
        let is_counter = kind == Kind::Counter;
        loop {
            if !RESERVED.contains(&name.as_str()) {
                match self.0.iter().position(|family| family.name == name) {
                    None => break,
                    Some(known) => {
                        let family = &self.0[known];
                        if family.is_counter == is_counter && family.unit == unit {
                            return known;
                        }
                    }
                }
            }
            name = match unit.suffix.as_str() {
                "" => format!("{name}_value"),
                // The unit stays at the end.
                suffix => format!("{}value_{suffix}", name.trim_end_matches(suffix)),
            };
        }
        self.0.push(Family { name, is_counter, unit, help });
        self.0.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_type() {
        let mut families = Families::default();
        let mut add = |name: &str, kind, unit| {
            let index = families.find_or_add(name.to_string(), kind, Unit::of(unit), String::new());
            families.get(index).name.clone()
        };
        assert_eq!(add("counterpoint_a", Kind::Counter, None), "counterpoint_a");
        assert_eq!(add("counterpoint_a", Kind::Counter, None), "counterpoint_a");
        assert_eq!(add("counterpoint_a", Kind::State, None), "counterpoint_a_value");
        assert_eq!(add(STATUS, Kind::Counter, None), format!("{STATUS}_value"));
        assert_eq!(add("counterpoint_b_ratio", Kind::State, Some("%")), "counterpoint_b_ratio");
        assert_eq!(
            add("counterpoint_b_ratio", Kind::Counter, Some("%")),
            "counterpoint_b_value_ratio"
        );
    }
}
