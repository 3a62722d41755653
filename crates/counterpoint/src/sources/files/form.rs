//! The forms of the texts of files: the rows of a text, and the number at a place of a row.

use super::table::Form;

/// The row of a text with a key, of which the number is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `None` if the text has no keys.
    pub key: Option<String>,
    pub column: Column,
}

/// The number of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// The word of this number, from 1.
    Number(usize),
    /// That of `NAME=NUMBER`.
    Name(String),
    /// That of a CPU, by the heading of the text.
    Cpu(u32),
}

/// The rows of a text, each with its key; empty lines are left out.
pub(super) fn rows(text: &str, form: Form) -> impl Iterator<Item = (&str, &str)> {
    let is_row = move |line: &&str| !line.trim().is_empty();
    text.lines().filter(is_row).map(move |line| (key(line, form), line))
}

fn key(line: &str, form: Form) -> &str {
    match form {
        Form::Number | Form::Rows(0) => "",
        Form::Rows(column) => words(line).nth(column - 1).unwrap_or_default(),
        Form::Keys | Form::Matrix | Form::Pairs => {
            let key = line.split_whitespace().next().unwrap_or_default();
            key.strip_suffix(':').unwrap_or(key)
        }
    }
}

/// The words of a row; a colon behind the key may stand before a number without a space (`eth0:1234`).
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ':']).filter(|word| !word.is_empty())
}

/// The number of a row at a column; `None` if there is none, such as `max`.
pub(super) fn number(row: &str, form: Form, column: &Column, heading: &str) -> Option<i128> {
    let word = match (form, column) {
        (Form::Number, _) => row.trim(),
        (Form::Rows(_), Column::Number(column)) => words(row).nth(column.checked_sub(1)?)?,
        (Form::Pairs, Column::Name(name)) => {
            let pairs = row.split_whitespace().filter_map(|word| word.split_once('='));
            pairs.into_iter().find(|(key, _)| key == name)?.1
        }
        (Form::Matrix, Column::Cpu(cpu)) => {
            let is_cpu =
                |word: &str| word.strip_prefix("CPU").and_then(|n| n.parse().ok()) == Some(*cpu);
            let place = heading.split_whitespace().position(is_cpu)?;
            row.split_whitespace().nth(place + 1)?
        }
        _ => row.split_whitespace().nth(1)?,
    };
    whole(word)
}

/// A number of 64 bits, with a sign or without.
fn whole(word: &str) -> Option<i128> {
    let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
    word.parse().ok().filter(|number| range.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str, form: Form, key: &str, column: Column) -> Option<i128> {
        let row = rows(text, form).find(|(own, _)| *own == key)?.1;
        number(row, form, &column, text.lines().next().unwrap_or_default())
    }

    #[test]
    fn each_form_has_its_number() {
        let first = Column::Number(1);
        assert_eq!(at("-4500\n", Form::Number, "", first.clone()), Some(-4500));
        assert_eq!(at("max\n", Form::Number, "", first.clone()), None);
        assert_eq!(
            at("MemFree:   12 kB\nnr_free 3", Form::Keys, "MemFree", first.clone()),
            Some(12)
        );
        assert_eq!(at("MemFree:   12 kB\nnr_free 3", Form::Keys, "nr_free", first), Some(3));
        let dev = "Inter-|   Receive\n face |bytes    packets\n  eth0:1234 5\n lo: 7 8";
        assert_eq!(at(dev, Form::Rows(1), "eth0", Column::Number(2)), Some(1234));
        assert_eq!(at(dev, Form::Rows(1), "lo", Column::Number(3)), Some(8));
        assert_eq!(at(dev, Form::Rows(1), "lo", Column::Number(4)), None);
        let pressure = "some avg10=0.00 total=77\nfull avg10=0.00 total=5";
        assert_eq!(at(pressure, Form::Pairs, "full", Column::Name("total".into())), Some(5));
        assert_eq!(at(pressure, Form::Pairs, "some", Column::Name("avg10".into())), None);
        let matrix = "           CPU0       CPU2\n  0:         44          5   IO-APIC\nLOC:  1  2  Local\nERR: 0";
        assert_eq!(at(matrix, Form::Matrix, "0", Column::Cpu(2)), Some(5));
        assert_eq!(at(matrix, Form::Matrix, "LOC", Column::Cpu(0)), Some(1));
        assert_eq!(at(matrix, Form::Matrix, "LOC", Column::Cpu(1)), None);
        assert_eq!(at(matrix, Form::Matrix, "ERR", Column::Cpu(2)), None);
        assert_eq!(
            at("18446744073709551615", Form::Number, "", Column::Number(1)),
            Some(u64::MAX.into())
        );
        assert_eq!(at("18446744073709551616", Form::Number, "", Column::Number(1)), None);
        assert_eq!(at("42,5", Form::Number, "", Column::Number(1)), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[ -~\n:=0-9]{0,200}", key in "[a-z]{0,2}", column in 0_usize..5) {
            for form in [Form::Number, Form::Keys, Form::Rows(0), Form::Rows(3), Form::Pairs, Form::Matrix] {
                at(&text, form, &key, Column::Number(column));
                at(&text, form, &key, Column::Cpu(column as u32));
                at(&text, form, &key, Column::Name(key.clone()));
            }
        }
    }
}
