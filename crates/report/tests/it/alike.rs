//! Lines that are like the one before, and lines that are not.

use counterpoint_report::merge::read;
use counterpoint_report::table::{Report, text::json_line};
use proptest::prelude::*;

/// Keys, each with some values, of which not all are of its type.
const KEYS: [&[&str]; 11] = [
    &[r#""region":"a""#, r#""region":7"#, r#""region":"b\u00e9""#],
    &[r#""host":"b""#, r#""host":null"#],
    &[r#""rank":3"#, r#""rank":"3""#, r#""rank":03"#],
    &[r#""value":12"#, r#""value":1e999"#, r#""value":null"#],
    &[r#""unit":null"#, r#""unit":"s""#],
    &[r#""raw":5"#, r#""raw":-1"#],
    &[r#""coverage":1.0"#, r#""coverage":1"#],
    &[r#""other":true"#, r#""other":{}"#],
    &[r#""calls":1"#, r#""calls": 1"#],
    &[r#""values":[1,null]"#, r#""values":1"#],
    &[r#""canonical":"c""#, r#""canonical":"""#],
];

/// A line of a report, or something like it, with these keys and one of the values of each.
fn line(keys: &[usize], values: &[usize]) -> String {
    let mut line = r#"{"schema":1,"event":"e","status":"counted""#.to_string();
    for (key, value) in keys.iter().zip(values) {
        let values = KEYS[*key];
        line = format!("{line},{}", values[value % values.len()]);
    }
    line + "}"
}

/// The rows of a line, or what is wrong with it.
fn rows(report: &mut Report, line: &str) -> Result<Vec<String>, String> {
    let mut rows = Vec::new();
    let read = report.line(line, |row| rows.push(json_line(row)));
    read.map(|()| rows).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever lines were before, a line is read as if it were the first.
    #[test]
    fn a_line_does_not_depend_on_those_before(
        shapes in prop::collection::vec(prop::collection::vec(0..KEYS.len(), 0..6), 1..4),
        values in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::collection::vec(0_usize..6, 6)),
            1..40,
        ),
    ) {
        let lines = values.iter().map(|(shape, values)| line(shape.get(&shapes[..]).as_slice(), values));
        let lines: Vec<String> = lines.collect();
        let mut report = Report::new("a");
        for line in &lines {
            prop_assert_eq!(rows(&mut report, line), rows(&mut Report::new("a"), line), "{}", line);
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let together = read("a", &text).map(|read| read.entries).unwrap_or_default();
        let alone = lines.iter().flat_map(|line| read("a", line).map(|read| read.entries));
        let alone: Vec<_> = alone.flatten().collect();
        prop_assert_eq!(format!("{together:?}"), format!("{alone:?}"));
    }
}
