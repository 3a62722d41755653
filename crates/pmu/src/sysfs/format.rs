//! The bits of a field: files such as `format/event` with `config:0-7,32-35`.

use super::error::FileErrorKind;

/// A field of an event: which bits of which config word it fills.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Format {
    /// The file's name, as in `name=value`.
    pub name: String,
    /// The config word.
    pub register: Register,
    /// The bits of that word, lowest first for the lowest bit of the value.
    pub mask: u64,
}

impl Format {
    /// The field that a file's content describes.
    ///
    /// # Errors
    ///
    /// The content is not `configN:` and bits or ranges of bits.
    pub fn parse(name: &str, text: &str) -> Result<Format, FileErrorKind> {
        let (word, bits) = text.trim().split_once(':').ok_or(FileErrorKind::Format)?;
        let register = Register::find(word.trim()).ok_or(FileErrorKind::Format)?;
        let mut mask = 0;
        for range in bits.split(',') {
            let (low, high) = range.split_once('-').unwrap_or((range, range));
            match (bit(low), bit(high)) {
                (Some(low), Some(high)) if low <= high => mask |= ones(high - low + 1) << low,
                _ => return Err(FileErrorKind::Format),
            }
        }
        Ok(Format { name: name.to_owned(), register, mask })
    }

    /// The largest value that fits.
    pub fn max(&self) -> u64 {
        ones(self.mask.count_ones())
    }

    /// The value's bits at the places of the field; bits beyond [`Format::max`] are dropped.
    pub fn scatter(&self, value: u64) -> u64 {
        let mut left = self.mask;
        let mut word = 0;
        for index in 0..self.mask.count_ones() {
            let place = left & left.wrapping_neg();
            if value >> index & 1 != 0 {
                word |= place;
            }
            left ^= place;
        }
        word
    }

    /// The value in a config word: the reverse of [`Format::scatter`].
    pub fn gather(&self, word: u64) -> u64 {
        let mut left = self.mask;
        let mut value = 0;
        for index in 0..self.mask.count_ones() {
            let place = left & left.wrapping_neg();
            value |= u64::from(word & place != 0) << index;
            left ^= place;
        }
        value
    }
}

/// A config word of `perf_event_attr`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Register {
    /// `config`
    Config,
    /// `config1`
    Config1,
    /// `config2`
    Config2,
    /// `config3`
    Config3,
    /// `config4`
    Config4,
}

impl Register {
    const ALL: [Register; 5] = [
        Register::Config,
        Register::Config1,
        Register::Config2,
        Register::Config3,
        Register::Config4,
    ];

    /// The name that format files and terms use.
    pub fn name(self) -> &'static str {
        match self {
            Register::Config => "config",
            Register::Config1 => "config1",
            Register::Config2 => "config2",
            Register::Config3 => "config3",
            Register::Config4 => "config4",
        }
    }

    pub(super) fn find(name: &str) -> Option<Register> {
        Register::ALL.into_iter().find(|register| register.name() == name)
    }
}

fn bit(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|&bit: &u32| bit < 64)
}

/// A word with the lowest `count` bits set, 0 to 64 of them.
fn ones(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}
