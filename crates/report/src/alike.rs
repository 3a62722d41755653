//! Flat lines of JSON that resemble each other: a line of a report mostly has the keys of the one before, in their order, and only its values have to be looked at.

/// The keys of a line, and what the caller knows of each.
#[derive(Clone, Debug)]
pub(crate) struct Alike<T> {
    keys: Vec<Key<T>>,
}

#[derive(Clone, Debug)]
struct Key<T> {
    /// What stands between the value before and that of the key, such as `,"host":`.
    before: String,
    known: T,
}

impl<T> Key<T> {
    fn name(&self) -> &str {
        self.before.get(2..self.before.len() - 2).unwrap_or_default()
    }
}

impl<T> Default for Alike<T> {
    fn default() -> Alike<T> {
        Alike { keys: Vec::new() }
    }
}

impl<T> Alike<T> {
    /// Calls `each` with what is known of each key of a line, its name, and the text of its value.
    ///
    /// Returns `None`, perhaps after some calls, if it is not like the line that was learned, or if `each` does.
    pub(crate) fn read<'a>(
        &self,
        line: &'a str,
        mut each: impl FnMut(&T, &str, &'a str) -> Option<()>,
    ) -> Option<()> {
        let mut rest = line;
        for key in &self.keys {
            rest = rest.strip_prefix(key.before.as_str())?;
            let (value, after) = rest.split_at(length(rest)?);
            each(&key.known, key.name(), value)?;
            rest = after;
        }
        (rest == "}" && !self.keys.is_empty()).then_some(())
    }

    /// Learns the keys of a line, and what `known` knows of their names; none of a line with values that are not flat, with escapes, or with blanks.
    pub(crate) fn learn(&mut self, line: &str, known: impl Fn(&str) -> T) {
        if self.keys_of(line, known).is_none() {
            self.keys.clear();
        }
    }

    fn keys_of(&mut self, line: &str, known: impl Fn(&str) -> T) -> Option<()> {
        self.keys.clear();
        let mut rest = line;
        while rest != "}" {
            let first = if self.keys.is_empty() { '{' } else { ',' };
            let (key, after) = rest.strip_prefix(first).and_then(text)?;
            let after = after.strip_prefix(':')?;
            let before = format!("{first}{key}:");
            self.keys.push(Key { known: known(&key[1..key.len() - 1]), before });
            rest = &after[length(after)?..];
        }
        Some(())
    }
}

/// The text in quotes with which a line begins, and what follows.
fn text(line: &str) -> Option<(&str, &str)> {
    line.starts_with('"').then(|| Some(line.split_at(length(line)?))).flatten()
}

/// The length of the value with which a text begins: a text without escapes, a number, `true`, `false` or `null`.
fn length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'"' => {
            let end = bytes[1..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))?;
            (bytes[1 + end] == b'"').then_some(end + 2)
        }
        b'-' | b'0'..=b'9' => number(bytes),
        _ => {
            ["null", "true", "false"].iter().find(|word| text.starts_with(**word)).map(|w| w.len())
        }
    }
}

/// The length of the number with which bytes begin, by the grammar of JSON.
fn number(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (count > 0).then_some(from + count)
    };
    let has = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|byte| any.contains(byte));
    let start = usize::from(has(0, b"-"));
    let mut end = if has(start, b"0") { start + 1 } else { digits(start)? };
    if has(end, b".") {
        end = digits(end + 1)?;
    }
    if has(end, b"eE") {
        end = digits(end + 1 + usize::from(has(end + 1, b"+-")))?;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    /// The keys and the values of a line, as it is read.
    fn read(alike: &Alike<()>, line: &str) -> Option<Value> {
        let mut map = Map::new();
        alike.read(line, |_, key, raw| {
            // A number may be too large.
            map.insert(key.to_string(), serde_json::from_str(raw).ok()?);
            Some(())
        })?;
        Some(Value::Object(map))
    }

    fn flat() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "[ -~é]{0,6}".prop_map(Value::from),
        ]
    }

    proptest! {
        /// What is read is what JSON says, and what is not JSON is not read.
        #[test]
        fn a_line_is_read_as_json_or_not_at_all(
            names in prop::collection::btree_set("[a-z_]{1,4}", 1..6),
            first in prop::collection::vec(flat(), 6),
            second in prop::collection::vec(flat(), 6),
            (at, with) in (any::<prop::sample::Index>(), "[-0-9eE.+\"\\\\,:{}\\[\\] a]"),
        ) {
            let line = |values: &[Value]| {
                let pairs = names.iter().cloned().zip(values.iter().cloned());
                Value::Object(pairs.collect()).to_string()
            };
            let (first, second) = (line(&first), line(&second));
            let mut alike = Alike::default();
            alike.learn(&first, |_| ());
            let is_simple = |line: &str| !line.contains('\\');
            if is_simple(&first) && is_simple(&second) {
                let expected: Value = serde_json::from_str(&second).expect("JSON");
                prop_assert_eq!(read(&alike, &second), Some(expected));
            }
            // A character is changed.
            let places: Vec<usize> = second.char_indices().map(|(place, _)| place).collect();
            let place = places[at.index(places.len())];
            let mut damaged = second.clone();
            let after = place + second[place..].chars().next().map_or(0, char::len_utf8);
            damaged.replace_range(place..after, &with);
            if let Some(found) = read(&alike, &damaged) {
                prop_assert_eq!(serde_json::from_str::<Value>(&damaged).ok(), Some(found), "{}", damaged);
            }
        }
    }

    #[test]
    fn numbers_are_those_of_json() {
        let mut alike = Alike::default();
        alike.learn(r#"{"a":1}"#, |_| ());
        for (text, is_number) in [
            ("0", true),
            ("-0", true),
            ("10.50e-3", true),
            ("1E+9", true),
            ("01", false),
            ("-", false),
            ("1.", false),
            (".5", false),
            ("1e", false),
            ("+1", false),
            ("1x", false),
            ("", false),
        ] {
            let line = format!(r#"{{"a":{text}}}"#);
            assert_eq!(read(&alike, &line).is_some(), is_number, "{text}");
            assert_eq!(serde_json::from_str::<Value>(&line).is_ok(), is_number, "{text}");
        }
        assert_eq!(read(&alike, r#"{"a":null}"#), Some(json!({"a": null})));
        assert_eq!(read(&Alike::default(), "}"), None);
    }
}
