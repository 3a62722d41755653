//! An event string that grows.

use crate::modifier::Modifier;

/// The string so far.
pub(crate) struct Spelling {
    bytes: Vec<u8>,
}

impl Spelling {
    /// `pmu::`
    pub(super) fn of_pmu(pmu: &str) -> Spelling {
        let mut spelling = Spelling { bytes: Vec::with_capacity(128) };
        spelling.push(pmu);
        spelling.push("::");
        spelling
    }

    #[inline]
    pub(crate) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// `:name`
    #[inline]
    pub(super) fn push_name(&mut self, name: &str) {
        self.bytes.push(b':');
        self.push(name);
    }

    /// `:name=value`
    #[inline]
    pub(crate) fn push_value(&mut self, modifier: &Modifier, value: u64) {
        let Some(digit) = (value < 10).then(|| b'0' + value as u8) else {
            self.push_name(modifier.name);
            self.push(&format!("={value}"));
            return;
        };
        // Names have eight letters at most: all of it is one word, of which the rest is taken off again.
        let length = modifier.name.len();
        let value = u128::from(u16::from_le_bytes([b'=', digit]));
        let behind = 8 * (length + 1);
        let name = u128::from(modifier.key) << 8 & !(u128::MAX << behind);
        let word = u128::from(b':') | name | value << behind;
        let end = self.bytes.len() + length + 3;
        self.bytes.extend_from_slice(&word.to_le_bytes());
        self.bytes.truncate(end);
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    /// All names are ASCII.
    pub(super) fn into_string(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use crate::modifier::switch;

    #[test]
    fn values_are_spelled_in_full() {
        let mut spelling = Spelling::of_pmu("a");
        for (name, value) in [("u", 0), ("fe_thres", 9), ("t", 10), ("addr", u64::MAX)] {
            spelling.push_value(&switch(name, Field::NONE, ""), value);
        }
        let all = "a:::u=0:fe_thres=9:t=10:addr=18446744073709551615";
        assert_eq!(spelling.into_string(), all);
    }
}
