//! The trust reports of machines, as they are kept in `fixtures/hardware`.

use counterpoint::verify::{Measured, Verdict, Way};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The columns of a record.
const COLUMNS: &str =
    "kernel\tevent\tway\texpected\ttolerance\tmeasured\tleast\tgreatest\trounds\tverdict\treason";

/// What stands in each record follows from its numbers, and nothing that was not measured has one.
#[test]
fn the_verdicts_of_records_follow_from_their_numbers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hardware");
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let mut records = 0;
    for path in files.filter(|path| path.extension().is_some_and(|e| e == "tsv")) {
        let text = fs::read_to_string(&path).unwrap();
        let (facts, lines): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.starts_with("# "));
        assert!(facts.iter().any(|fact| fact.starts_with("# cpu: ")), "{}", path.display());
        assert!(facts.iter().any(|fact| fact.starts_with("# kernel: ")), "{}", path.display());
        assert_eq!(lines[0], COLUMNS, "{}", path.display());
        let mut events = BTreeSet::new();
        for line in &lines[1..] {
            check(line).unwrap_or_else(|why| panic!("{}: {line}: {why}", path.display()));
            events.insert(line.split('\t').nth(1).unwrap());
        }
        assert!(events.contains("instructions"), "{}", path.display());
        records += 1;
    }
    assert!(records > 0, "no records");
}

fn check(line: &str) -> Result<(), String> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [kernel, _, way, expected, tolerance, measured, least, greatest, rounds, verdict, reason] =
        columns[..]
    else {
        return Err(format!("{} columns", columns.len()));
    };
    let way = Way::ALL.into_iter().find(|known| known.name() == way).ok_or("another way")?;
    let number = |text: &str| text.parse::<f64>().map_err(|error| format!("{text}: {error}"));
    if measured == "-" {
        let nothing = [least, greatest].iter().all(|column| *column == "-") && rounds == "0";
        let has_reason = (reason == "-") == (verdict == "no-prediction");
        let known = ["not-supported", "not-counted", "no-prediction"].contains(&verdict);
        let has_kernel = (kernel == "-") == (verdict == "no-prediction" || way.expects_nothing());
        return if nothing && has_reason && known && has_kernel {
            Ok(())
        } else {
            Err("nothing was measured".to_string())
        };
    }
    let mut values = [number(least)?, number(measured)?, number(greatest)?];
    let measured = Measured::of(&mut values).ok_or("no numbers")?;
    let is_least = if way == Way::Skid { measured.least >= 0.0 } else { measured.least > 0.0 };
    let follows = match way.expects_nothing() {
        true if (kernel, expected) != ("-", "-") || !is_least => {
            return Err("a time or a skid has no kernel, and a time is not 0".to_string());
        }
        true => Verdict::Measured,
        false => Verdict::of(number(expected)?, number(tolerance)?, &measured),
    }
    .name();
    if follows == verdict && reason == "-" { Ok(()) } else { Err(format!("{follows} follows")) }
}
