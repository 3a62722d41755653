//! `--fail-if`: conditions on which a comparison fails, for scripts and CI.

use super::sentences::{self, name};
use super::side::ELAPSED;
use super::table::{Against, Row, Table};
use crate::event_list::EventList;
use crate::failure::Failure;
use crate::show;
use counterpoint_compare::Verdict;
use std::io::Write;

// The conditions on which a comparison fails.
#[derive(clap::Args)]
pub struct GateArgs {
    /// Exit with status 1 if EVENT, which may also be a metric or `elapsed`, is greater (`>`) or less (`<`) than in A by more than SIZE, and that is not noise; SIZE is a percentage such as 1%, an amount such as 1000, or a time such as 5ms
    #[arg(long, value_name = "EVENT>SIZE", value_parser = conditions)]
    pub fail_if: Vec<Conditions>,
    /// Exit with status 1 also if the runs do not show that the difference of --fail-if is smaller
    #[arg(long, requires = "fail_if")]
    pub fail_if_uncertain: bool,
}

/// The conditions of one option.
#[derive(Clone, Debug)]
pub struct Conditions(Vec<Condition>);

/// A difference that fails.
#[derive(Clone, Debug)]
pub struct Condition {
    /// As it was written.
    text: String,
    event: String,
    is_more: bool,
    size: Size,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Size {
    /// A part of the base.
    Share(f64),
    Amount(f64),
    /// In seconds.
    Time(f64),
}

/// The answer to a condition.
enum Answer {
    Fails,
    /// The difference may be greater, or smaller.
    Unknown,
    Holds,
}

fn conditions(text: &str) -> Result<Conditions, String> {
    let Ok(EventList(conditions)) = text.parse();
    conditions.iter().map(|text| condition(text)).collect::<Result<_, _>>().map(Conditions)
}

fn condition(text: &str) -> Result<Condition, String> {
    let help = || "write EVENT>SIZE or EVENT<SIZE, such as instructions>1%".to_string();
    let at = text.find(['>', '<']).filter(|at| *at > 0).ok_or_else(help)?;
    let (event, size) = (text[..at].trim(), text[at + 1..].trim());
    let units = [("%", 1e-2), ("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0)];
    let unit = units.iter().find(|(unit, _)| size.ends_with(unit));
    let number = unit.map_or(size, |(unit, _)| size.trim_end_matches(unit).trim_end());
    let number: f64 = number.parse().map_err(|_| help())?;
    if !number.is_finite() || number < 0.0 {
        return Err("the size is 0 or more; `<` stands for a decrease".to_string());
    }
    let size = match unit {
        Some(("%", part)) => Size::Share(number * part),
        Some((_, seconds)) => Size::Time(number * seconds),
        None => Size::Amount(number),
    };
    let (text, event) = (text.to_string(), event.to_string());
    Ok(Condition { is_more: text[at..].starts_with('>'), text, event, size })
}

impl GateArgs {
    fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.fail_if.iter().flat_map(|Conditions(conditions)| conditions)
    }

    /// Refuses a condition on an event that is not among these.
    pub fn check(&self, names: &[String]) -> Result<(), Failure> {
        let is_known = |of: &&Condition| names.iter().any(|name| of.is_about(name));
        match self.conditions().find(|of| !is_known(of) && !of.is_about(ELAPSED)) {
            None => Ok(()),
            Some(of) => {
                Err(Failure::new(format!("--fail-if {}: `{}` is not compared", of.text, of.event))
                    .help(format!("count it: -e {0}, or -M {0} for a metric", of.event)))
            }
        }
    }

    /// The exit status for what was compared, with a sentence for each difference that fails.
    ///
    /// # Errors
    /// Fails if an event has no values to compare: a check that was not done has not passed.
    pub fn exit_code(&self, table: &Table) -> Result<u8, Failure> {
        let mut exit_code = 0;
        for condition in self.conditions() {
            let is_meant = |row: &&Row| {
                let names = [Some(&row.name), row.canonical.as_ref()];
                names.into_iter().flatten().any(|name| condition.is_about(name))
            };
            let rows: Vec<&Row> = table.rows.iter().filter(is_meant).collect();
            for (index, side) in table.sides.iter().enumerate().skip(1) {
                let known =
                    rows.iter().filter_map(|row| Some((*row, row.against[index].as_ref()?)));
                let known: Vec<(&Row, &Against)> = known.collect();
                if known.is_empty() {
                    return Err(condition.without_values(&rows, &side.label));
                }
                for (row, against) in known {
                    let sentence = match condition.answer(row, against)? {
                        Answer::Holds => continue,
                        Answer::Unknown if !self.fail_if_uncertain => continue,
                        Answer::Unknown => format!(
                            "the runs do not show that {} is no {} in {} by more than that; more runs will tell",
                            name(row),
                            if condition.is_more { "greater" } else { "less" },
                            side.label
                        ),
                        Answer::Fails => sentences::difference(row, against, side, &table.sides[0]),
                    };
                    exit_code = 1;
                    let text = format!("counterpoint: failed, {}: {sentence}", condition.text);
                    writeln!(show::stderr(), "{}", show::printable(&text))?;
                }
            }
        }
        Ok(exit_code)
    }
}

impl Condition {
    fn is_about(&self, name: &str) -> bool {
        let is_time = ["elapsed", "time"].iter().any(|word| self.event.eq_ignore_ascii_case(word));
        self.event.eq_ignore_ascii_case(name) || (is_time && name == ELAPSED)
    }

    fn answer(&self, row: &Row, against: &Against) -> Result<Answer, Failure> {
        let of = &against.comparison;
        let (estimate, low, high, size) = match (self.size, of.ratio) {
            (Size::Share(size), Some(of)) => (of.estimate - 1.0, of.low - 1.0, of.high - 1.0, size),
            // Of a base that is about 0, the ratio is not known; of none, each difference is greater than any share.
            (Size::Share(size), None) => {
                let base = row.cells[0].as_ref().and_then(|cell| cell.mean).unwrap_or(0.0);
                let size = size * base.abs();
                (of.difference.estimate, of.difference.low, of.difference.high, size)
            }
            (size, _) => {
                let size = size.in_unit_of(row).ok_or_else(|| self.of_no_time(row))?;
                (of.difference.estimate, of.difference.low, of.difference.high, size)
            }
        };
        let (difference, most, wanted) = if self.is_more {
            (estimate, high, Verdict::More)
        } else {
            (-estimate, -low, Verdict::Less)
        };
        Ok(match () {
            () if against.verdict == wanted && difference > size => Answer::Fails,
            // A value that is the same in every run is known without an interval.
            () if most > size && !(difference == 0.0 && most == 0.0) => Answer::Unknown,
            () => Answer::Holds,
        })
    }

    fn without_values(&self, rows: &[&Row], label: &str) -> Failure {
        let reason = rows.iter().flat_map(|row| row.cells.iter().flatten());
        let reason = reason.filter_map(|cell| cell.reason.as_deref()).next();
        let reason = reason.unwrap_or("a side has no values, or too few runs");
        let (text, event) = (&self.text, &self.event);
        Failure::new(format!("--fail-if {text}: {event} of {label} is not compared: {reason}"))
            .help("choose an event that this machine counts; `elapsed` is always there")
    }

    fn of_no_time(&self, row: &Row) -> Failure {
        let (text, event) = (&self.text, name(row));
        Failure::new(format!("--fail-if {text}: {event} is not a time"))
            .help("write the size as a percentage, or as a number")
    }
}

impl Size {
    /// The size in the unit of a row; `None` for a time if the row is of something else.
    fn in_unit_of(self, row: &Row) -> Option<f64> {
        match (self, row.unit.as_deref()) {
            (Size::Time(seconds), Some("s")) => Some(seconds),
            (Size::Time(seconds), Some("ns")) => Some(seconds * 1e9),
            (Size::Time(_), _) => None,
            (Size::Share(size) | Size::Amount(size), _) => Some(size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_an_event_a_direction_and_a_size() {
        for (text, event, is_more, size) in [
            ("instructions>1%", "instructions", true, Size::Share(0.01)),
            ("cpu/event=0x3c/u > 0.5 %", "cpu/event=0x3c/u", true, Size::Share(0.005)),
            ("ipc<2%", "ipc", false, Size::Share(0.02)),
            ("page-faults>10", "page-faults", true, Size::Amount(10.0)),
            ("elapsed>5ms", "elapsed", true, Size::Time(0.005)),
            ("elapsed>2s", "elapsed", true, Size::Time(2.0)),
        ] {
            let read = condition(text).unwrap();
            assert_eq!((read.event.as_str(), read.is_more), (event, is_more));
            assert_eq!(read.size, size, "{text}");
        }
        for text in ["", ">1%", "instructions", "instructions>", "ipc<x%", "ipc>-1%", "ipc>=1%"] {
            assert!(condition(text).is_err(), "{text}");
        }
    }
}
