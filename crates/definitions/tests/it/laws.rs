//! Laws that hold for all files.

use counterpoint_definitions::papi::{parse, print};
use counterpoint_definitions::{Library, line_column, link};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::whole;

/// Fields that are valid somewhere, and some that are valid nowhere.
fn field() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "CPU",
        "cpu",
        "PRESET",
        "EVENT",
        "Event",
        "cuda",
        "skx",
        "SKX",
        "icl",
        "512",
        "A",
        "a",
        "B",
        "PAPI_TOT_CYC",
        "NOT_DERIVED",
        "DERIVED_ADD",
        "DERIVED_SUB",
        "DERIVED_PS",
        "DERIVED_ADD_PS",
        "DERIVED_CMPD",
        "DERIVED_POSTFIX",
        "DERIVED_INFIX",
        "derived_infix",
        "N0",
        "N0+N1",
        "N0|N1|/|",
        "N1-#",
        "-N0*(N1+2.5)",
        "N9",
        "(",
        "LDESC",
        "SDESC",
        "NOTE",
        "UNITS",
        "\"a text\"",
        "'it''s, two'",
        "\"",
        "'open",
        "\"\"",
        "\"x\" y",
        "# c",
        "#",
        "A # c",
        "A PRESET",
        "two words",
        "µ",
        "",
        " ",
        "\t",
        ";",
        "\u{feff}",
        "spr::X:u=1",
    ];
    prop_oneof![9 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => "[^\n,]{0,9}"]
}

/// A line of such fields, with any blanks between them.
fn line() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        Just(String::new()),
        Just("CPU,skx".to_owned()),
        Just("CPU,icl".to_owned()),
        Just("# a comment, with a comma".to_owned()),
        "EVENT,[ABC],DERIVED_(ADD|SUB|PS),[ABC],[ABC]",
        "PRESET,[ABC],NOT_DERIVED, ?[ABC] ?,NOTE,(\"a, b\"|'c'|\"d\"e\"|'f' |\"g)",
        "PRESET,[ABC],DERIVED_POSTFIX,N0[|]N1[|][-+*/][|],[ABC],[XYZ]",
        "EVENT , [ABC] ,derived_infix\t, N0 [-+*/] N1 [-+*/] 7,[ABC],[XYZ],LDESC,(\"a, b\"|'c'|d e)",
    ];
    (
        start,
        vec((field(), prop::sample::select(vec![",", ",", " ,", ",,", ", \t", " "])), 0..6),
        any::<bool>(),
    )
        .prop_map(|(mut line, fields, comma)| {
            for (field, separator) in fields {
                if comma || !line.is_empty() {
                    line += separator;
                }
                line += &field;
            }
            line
        })
}

/// A line of fields that are not empty, without blanks around them.
fn dense_line() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        Just("EVENT,A"),
        Just("PRESET,B,NOT_DERIVED"),
        Just("CPU"),
        Just("EVENT,a,DERIVED_INFIX")
    ];
    let field = field().prop_filter("empty or with blanks around it", |field| {
        !field.is_empty() && field.trim_matches([' ', '\t', '\r', '\u{feff}']) == field
    });
    (start, vec(field, 0..5))
        .prop_map(|(start, fields)| [vec![start.to_owned()], fields].concat().join(","))
}

fn file() -> impl Strategy<Value = String> {
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n")];
    vec((line(), end), 0..12).prop_map(|lines| {
        lines.into_iter().flat_map(|(line, end)| [line, end.to_owned()]).collect()
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..200)) {
        whole::read(&bytes);
    }

    #[test]
    fn any_lines_are_read(text in file()) {
        whole::read(text.as_bytes());
    }

    #[test]
    fn damaged_lines_are_read(text in file(), damage in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)) {
        let mut bytes = text.into_bytes();
        for (at, byte) in damage {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        whole::read(&bytes);
    }

    /// A line is read in the same way whatever the lines around it are.
    #[test]
    fn lines_are_independent(before in file(), line in line()) {
        let alone = parse(&line).file.items.len();
        let text = format!("{before}{line}");
        prop_assert_eq!(parse(&text).file.items.len(), parse(&before).file.items.len() + alone);
    }

    /// Lines that the grammar does not see are read as the grammar reads them: it sees every line that ends in a carriage return.
    #[test]
    fn blanks_at_the_ends_of_lines_mean_nothing(lines in vec(prop_oneof![dense_line(), line()], 0..12)) {
        let found = |end: &str| {
            let text: String = lines.iter().flat_map(|line| [line, end]).collect();
            let parse = parse(&text);
            let findings: Vec<_> = parse.diagnostics.into_iter().map(|finding| {
                let of_text = text.get(finding.span.clone()).map(str::to_owned);
                (line_column(&text, finding.span.start).0, of_text, finding.code, finding.message, finding.help)
            }).collect();
            (print(&parse.file), findings)
        };
        prop_assert_eq!(found("\n"), found("\r\n"));
    }

    /// The definitions for a PMU are those that a simple model of the rules finds.
    #[test]
    fn blocks_are_chosen_as_in_the_model(blocks in vec((vec(prop::sample::select(vec!["skx", "SKX", "icl", "spr"]), 1..4), 0..4usize), 0..6)) {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for (number, (names, events)) in blocks.iter().enumerate() {
            for name in names {
                text += &format!("CPU,{name}\n");
            }
            for event in 0..*events {
                text += &format!("EVENT,E{number}_{event},NOT_DERIVED,X\n");
            }
        }
        let mut list: Vec<&str> = Vec::new();
        let mut last_was_event = false;
        for line in text.lines() {
            match line.split_once(',').unwrap() {
                ("CPU", name) => {
                    if last_was_event {
                        list.clear();
                    }
                    list.push(name);
                    last_was_event = false;
                }
                (_, event) => {
                    if list.iter().any(|name| name.eq_ignore_ascii_case("skx")) {
                        expected.push(event.split(',').next().unwrap().to_owned());
                    }
                    last_was_event = true;
                }
            }
        }
        let definitions = link(&[Library::from(text)], "skx");
        let found: Vec<String> = definitions.iter().map(|definition| definition.name().to_owned()).collect();
        prop_assert_eq!(found, expected);
    }

    /// Expanded definitions compute the same values as the definitions evaluated one after the other.
    #[test]
    fn nesting_computes_the_same(kinds in vec((0..3usize, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..12)) {
        let inputs = [7.0, 3.0];
        let mut names = vec!["A".to_owned(), "B".to_owned()];
        let mut values = inputs.to_vec();
        let mut text = String::new();
        for (number, (kind, first, second)) in kinds.iter().enumerate() {
            let (first, second) = (first.index(names.len()), second.index(names.len()));
            let (x, y) = (values[first], values[second]);
            let (kind, value) = [
                ("DERIVED_ADD", x + y),
                ("DERIVED_SUB", x - y),
                ("DERIVED_INFIX,(N0+2)*N1-N0", (x + 2.0) * y - x),
            ][*kind];
            text += &format!("EVENT,E{number},{kind},{},{}\n", names[first], names[second]);
            names.push(format!("E{number}"));
            values.push(value);
        }
        let definitions = link(&[Library::from(text)], "skx");
        for (name, value) in names.iter().zip(&values).skip(2) {
            let whole = definitions.expand(&definitions.get(name).unwrap()).unwrap();
            let given: Vec<f64> =
                whole.formula.inputs().map(|input| inputs[usize::from(input == "B")]).collect();
            let found = whole.formula.eval(&given);
            prop_assert!(found == *value || found.is_nan() && value.is_nan(), "{name}: {found} is not {value}");
        }
    }
}
