//! Objects of JSON whose keys are declared where they are read; any other key is an error.

use super::pmu::{Privilege, similar};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};

/// The place and the name of each key that a reader knows.
pub(crate) type Keys = RefCell<Vec<(String, &'static str)>>;

/// Says of which other input a key is, if it is of any; takes the place and the key.
pub(crate) type Elsewhere = fn(&str, &str) -> Option<String>;

/// An object that is being read. A key that is read, whether it is there or not, is a known one.
pub(crate) struct Object<'a> {
    /// `None` for an object that is not there, whose keys are all missing.
    from: Option<&'a Map<String, Value>>,
    place: String,
    known: RefCell<Vec<&'static str>>,
    /// Keys that may be there besides, and are not offered.
    beside: Cell<&'static [&'static str]>,
    elsewhere: Elsewhere,
    /// The keys are listed here, of lists too, as if each had an entry.
    listed: Option<&'a Keys>,
}

impl<'a> Object<'a> {
    /// The outermost object; the place is empty, or a name for it.
    pub(crate) fn new(
        from: &'a Value,
        place: &str,
        elsewhere: Elsewhere,
    ) -> Result<Object<'a>, String> {
        let object = Object::empty(place.to_owned(), elsewhere, None);
        match from {
            Value::Object(from) => Ok(Object { from: Some(from), ..object }),
            other => Err(format!("{} must be an object, not {}", named(place), brief(other))),
        }
    }

    /// An object without any keys, which lists those that are read.
    pub(crate) fn listing(place: &str, keys: &'a Keys) -> Object<'a> {
        Object::empty(place.to_owned(), |_, _| None, Some(keys))
    }

    fn empty(place: String, elsewhere: Elsewhere, listed: Option<&'a Keys>) -> Object<'a> {
        Object {
            from: None,
            place,
            known: RefCell::default(),
            beside: Cell::new(&[]),
            elsewhere,
            listed,
        }
    }

    fn get(&self, key: &'static str) -> Option<&'a Value> {
        self.know(&[key]);
        self.from?.get(key)
    }

    /// The place of a key.
    fn of(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    /// Returns true if the key is there.
    pub(crate) fn has(&self, key: &'static str) -> bool {
        self.get(key).is_some()
    }

    /// Knows keys that are not looked at here.
    pub(crate) fn know(&self, keys: &[&'static str]) {
        let mut known = self.known.borrow_mut();
        for key in keys {
            if !known.contains(key) {
                known.push(key);
            }
        }
    }

    /// Accepts keys that are not for this program.
    pub(crate) fn accept(&self, keys: &'static [&'static str]) {
        self.beside.set(keys);
    }

    /// The value of this key as it is; none if it is `null`.
    pub(crate) fn value(&self, key: &'static str) -> Option<&'a Value> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// The number of this key, 0 if it is not there.
    pub(crate) fn number<N: TryFrom<u64> + Default>(&self, key: &'static str) -> Result<N, String> {
        self.get(key).map_or(Ok(N::default()), |value| whole(value, &self.of(key)))
    }

    /// Not 0.
    pub(crate) fn flag(&self, key: &'static str) -> Result<bool, String> {
        Ok(self.number::<u64>(key)? != 0)
    }

    /// Privilege levels, none if the key is not there.
    pub(crate) fn levels(&self, key: &'static str) -> Result<Privilege, String> {
        let bits: u64 = self.number(key)?;
        let levels = Privilege::try_from(bits).ok();
        levels.filter(|levels| !levels.contains(Privilege::HYPERVISOR)).ok_or_else(|| {
            format!(
                "`{}` must be a sum of the levels 1 (PLM0, the kernel), 2 (PLM1), 4 (PLM2) and 8 (PLM3, the user), not {bits}",
                self.of(key)
            )
        })
    }

    /// The text of this key; none if it is `null`.
    pub(crate) fn text(&self, key: &'static str) -> Result<Option<&'a str>, String> {
        match self.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{}` must be text, not {}", self.of(key), brief(other))),
        }
    }

    /// The list of this key; none is an empty one.
    fn list(&self, key: &'static str) -> Result<&'a [Value], String> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(other) => Err(format!("`{}` must be a list, not {}", self.of(key), brief(other))),
        }
    }

    /// The numbers in the list of this key.
    pub(crate) fn numbers<N: TryFrom<u64>>(&self, key: &'static str) -> Result<Vec<N>, String> {
        self.list(key)?.iter().map(|value| whole(value, &self.of(key))).collect()
    }

    /// The texts in the list of this key.
    pub(crate) fn texts(&self, key: &'static str) -> Result<Vec<&'a str>, String> {
        let text = |value: &'a Value| {
            let wrong =
                || format!("`{}` must be a list of texts, not {}", self.of(key), brief(value));
            value.as_str().ok_or_else(wrong)
        };
        self.list(key)?.iter().map(text).collect()
    }

    /// The object of this key, as `read` reads it; an empty one if it is not there.
    pub(crate) fn part<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Object<'a>) -> Result<T, String>,
    ) -> Result<T, String> {
        match self.get(key) {
            None => Object::empty(self.of(key), self.elsewhere, self.listed).finished(read),
            Some(value) => Object::new(value, &self.of(key), self.elsewhere)?.finished(read),
        }
    }

    /// The entries of the list of this key, as `read` reads an object, and `text` a text.
    pub(crate) fn entries<T, E: From<String>>(
        &self,
        key: &'static str,
        read: impl Fn(&Object<'a>) -> Result<T, E>,
        text: impl Fn(&'a str) -> Option<Result<T, E>>,
    ) -> Result<Vec<T>, E> {
        if self.listed.is_some() {
            let entry = Object::empty(format!("{}[]", self.of(key)), self.elsewhere, self.listed);
            return Ok(vec![entry.finished(read)?]);
        }
        let entry = |(place, value): (usize, &'a Value)| {
            value.as_str().and_then(&text).unwrap_or_else(|| {
                let place = format!("{}[{place}]", self.of(key));
                Object::new(value, &place, self.elsewhere)?.finished(&read)
            })
        };
        self.list(key)?.iter().enumerate().map(entry).collect()
    }

    /// The objects in the list of this key.
    pub(crate) fn parts<T>(
        &self,
        key: &'static str,
        read: impl Fn(&Object<'a>) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.entries(key, read, |_| None)
    }

    /// Reads the object with `read`, and refuses a key that was not read.
    pub(crate) fn finished<T, E: From<String>>(
        self,
        read: impl FnOnce(&Object<'a>) -> Result<T, E>,
    ) -> Result<T, E> {
        let found = read(&self)?;
        let known = self.known.borrow();
        if let Some(listed) = self.listed {
            listed.borrow_mut().extend(known.iter().map(|key| (self.place.clone(), *key)));
        }
        let is_known = |key: &str| known.contains(&key) || self.beside.get().contains(&key);
        let unknown = self.from.into_iter().flatten().find(|(key, _)| !is_known(key));
        match unknown {
            Some((key, _)) => Err(E::from(self.unknown(key, &known))),
            None => Ok(found),
        }
    }

    fn unknown(&self, key: &str, known: &[&'static str]) -> String {
        let near = similar(key, known.iter().copied());
        let elsewhere = (self.elsewhere)(&self.place, key);
        let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
        let instead = match (near.is_empty(), known.is_empty()) {
            (false, _) => format!("did you mean `{}`?", near.join("`, `")),
            (true, false) => format!("its keys are {}", known.join(", ")),
            (true, true) => "it has no keys".to_owned(),
        };
        let key = brief(&Value::from(key)).replace('"', "`");
        let of = elsewhere.map_or_else(String::new, |of| format!(", which is a key of {of}"));
        format!("{} does not have the key {key}{of}: {instead}", named(&self.place))
    }
}

/// A place in a message.
fn named(place: &str) -> String {
    if place.is_empty() { "the request".to_owned() } else { format!("`{place}`") }
}

/// A value for a message, cut if it is long.
pub(crate) fn brief(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A whole number, or its hexadecimal text; `true` is 1.
fn whole<N: TryFrom<u64>>(value: &Value, place: &str) -> Result<N, String> {
    let number = match value {
        Value::Bool(flag) => Some(u64::from(*flag)),
        Value::String(text) => {
            // `from_str_radix` would take a sign.
            let hex = text.strip_prefix("0x").filter(|hex| !hex.starts_with('+'));
            hex.and_then(|hex| u64::from_str_radix(hex, 16).ok())
        }
        number => number.as_u64(),
    };
    let Some(number) = number else {
        let value = brief(value);
        return Err(format!("`{place}` must be a whole number or a \"0x…\" string, not {value}"));
    };
    N::try_from(number).map_err(|_| format!("`{place}` is too large: {}", brief(value)))
}
