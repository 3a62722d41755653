//! The rows of tables, and their cells.

use super::measured::Group;
use super::tally::{Rate, Tally};
use crate::show::{grouped, to_margin};

/// The numbers of places with samples: those with the most first.
pub fn rows(tallies: &[Tally]) -> Vec<(usize, &Tally)> {
    let mut rows: Vec<(usize, &Tally)> =
        tallies.iter().enumerate().filter(|(_, of)| of.samples > 0).collect();
    rows.sort_by_key(|(number, of)| (u64::MAX - of.samples, *number));
    rows
}

/// The share of all samples, in percent.
pub fn percent(of: &Tally, group: &Group<'_>) -> f64 {
    100.0 * of.samples as f64 / group.all.samples.max(1) as f64
}

/// The values of a place.
pub fn rates(of: &Tally, group: &Group<'_>) -> Vec<Option<Rate>> {
    let is_seen = group.is_everywhere && group.is_of_levels;
    group.metrics.iter().map(|metric| of.rate(metric, is_seen)).collect()
}

/// The values of the whole.
pub fn whole(group: &Group<'_>) -> Vec<Option<Rate>> {
    let rate = |of: Rate| Rate { is_mixed: !group.is_of_levels, ..of };
    group.metrics.iter().map(|metric| group.all.whole(metric).map(rate)).collect()
}

/// A value with its error; `~` marks one of intervals in which other places ran, too.
pub fn cell(rate: Option<Rate>) -> String {
    let Some(Rate { value, error, is_mixed, .. }) = rate else { return "-".to_string() };
    let mark = if is_mixed { "~" } else { "" };
    // Nothing is known of digits beyond those that counts have.
    let margin = if error > 0.0 { error } else { value.abs() / 100.0 };
    format!("{mark}{} ± {}", amount(value, margin), amount(error, margin))
}

/// The digits that a margin leaves; of numbers that are longer than people read, a power of ten.
fn amount(value: f64, margin: f64) -> String {
    let is_plain = value == 0.0 || (1e-6..1e12).contains(&value.abs());
    match to_margin(value, margin) {
        _ if !is_plain => format!("{value:.1e}"),
        whole if !whole.contains('.') => grouped(value.round() as i128),
        text => text,
    }
}

/// Sentences about what is not known of a group.
pub fn notes(group: &Group<'_>, lost: u64) -> Vec<String> {
    let mut notes = vec![
        "a value is that of the intervals between samples that begin and end at the place; - stands for fewer than five of them, or for a formula without a value".to_string(),
    ];
    if group.metrics.iter().any(|metric| metric.is_sum) {
        notes.push(
            "a number that adds up is that of all intervals that end at the place".to_string(),
        );
    }
    let places = [&group.by_function, &group.with_called, &group.by_line, &group.by_stack];
    let is_mixed = |of: &Tally| rates(of, group).into_iter().flatten().any(|rate| rate.is_mixed);
    if places.into_iter().flatten().any(is_mixed) {
        notes.push(if !group.is_of_levels {
            "~ marks a value over counts of the kernel and of user space, of which only one is sampled: sample both".to_string()
        } else if group.is_everywhere {
            "~ marks a value to which other places may have added, as the place does not run through an interval: sample more often (-F, -c)".to_string()
        } else {
            format!("~ marks a value to which other places may have added, as they run without samples of {}: sample task-clock or cycles", group.sampled)
        });
    }
    if lost > 0 {
        notes.push(format!("records that were lost, because there was no room for them: {lost}"));
    }
    if group.left_out > 0 {
        let count = group.left_out;
        notes.push(format!(
            "samples without counts, as the records before them were overwritten: {count}"
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn numbers_have_the_digits_that_are_known() {
        for (value, margin, expected) in [
            (3.0, 1.0 / 30.0, "3.000"),
            (106_841.3, 1450.0, "106,841"),
            (0.0, 0.0, "0"),
            (1.234e-10, 1e-12, "1.2e-10"),
            (11_917_040_996_813_764.0, 4e14, "1.2e16"),
        ] {
            assert_eq!(amount(value, margin), expected);
        }
    }
}
