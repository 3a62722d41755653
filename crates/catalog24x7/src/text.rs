//! The texts of records, which are bytes of any kind.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

/// The text of a record: the bytes of its field, whatever they are.
///
/// The format requires ASCII, a terminating NUL, and an even length; [`check`](crate::check()) reports deviations.
#[derive(Clone)]
pub struct Text {
    /// The bytes that contain it, which the texts of a decoded file share; `None` if it is empty, as many are, because counting those that share takes time.
    bytes: Option<Bytes>,
    start: u32,
    /// One more than the end in the bytes, so that an optional text takes no more memory than a text.
    behind: NonZeroU32,
}

/// Shared bytes. With the box, they are one word for each of the texts, of which a record has several.
pub(crate) type Bytes = Arc<Box<[u8]>>;

impl Text {
    /// A text as the format requires it: terminated by a NUL, and by one more if the length would be odd; the empty text has no bytes.
    ///
    /// ```
    /// use counterpoint_catalog24x7::Text;
    ///
    /// assert_eq!(Text::new("NAME").raw(), b"NAME\0\0");
    /// assert_eq!(Text::new("%").raw(), b"%\0");
    /// assert_eq!(Text::new("").raw(), b"");
    /// ```
    pub fn new(text: &str) -> Text {
        if text.is_empty() {
            return Text::default();
        }
        let mut raw = text.as_bytes().to_vec();
        raw.push(0);
        if raw.len() % 2 == 1 {
            raw.push(0);
        }
        Text::from_raw(&raw)
    }

    /// A text of these bytes, including terminator and padding; the format has room for 65,533.
    pub fn from_raw(raw: &[u8]) -> Text {
        Text::within(&Bytes::new(raw.into()), 0..raw.len())
    }

    /// The part of a file that is a text.
    pub(crate) fn within(file: &Bytes, range: Range<usize>) -> Text {
        // Sections lie in the first 512 MiB.
        match (u32::try_from(range.start), u32::try_from(range.end + 1).map(NonZeroU32::new)) {
            (Ok(start), Ok(Some(behind))) if !range.is_empty() => {
                Text { bytes: Some(Bytes::clone(file)), start, behind }
            }
            _ => Text::default(),
        }
    }

    /// The bytes of the field after its length, including terminator and padding.
    pub fn raw(&self) -> &[u8] {
        let range = self.start as usize..self.behind.get() as usize - 1;
        self.bytes.as_ref().and_then(|bytes| bytes.get(range)).unwrap_or_default()
    }

    /// The text up to its first NUL.
    pub fn as_bytes(&self) -> &[u8] {
        self.as_ref().as_bytes()
    }

    /// The text up to its first NUL, if it is ASCII.
    pub fn as_str(&self) -> Option<&str> {
        self.as_ref().as_str()
    }

    /// The text for display: bytes that are not ASCII are shown as `\xNN`.
    pub fn to_printable(&self) -> String {
        self.as_ref().to_printable()
    }

    /// Borrows the text.
    pub fn as_ref(&self) -> TextRef<'_> {
        TextRef { raw: self.raw() }
    }
}

impl Default for Text {
    fn default() -> Text {
        Text { bytes: None, start: 0, behind: NonZeroU32::MIN }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("raw", &self.raw()).finish()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.raw() == other.raw()
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw().hash(state);
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::new(text)
    }
}

/// A borrowed text of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextRef<'a> {
    pub(crate) raw: &'a [u8],
}

impl<'a> TextRef<'a> {
    /// The bytes of the field after its length, including terminator and padding.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The text up to its first NUL.
    pub fn as_bytes(self) -> &'a [u8] {
        self.raw.get(..first_nul(self.raw)).unwrap_or_default()
    }

    /// The text up to its first NUL, if it is ASCII.
    pub fn as_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.as_bytes()).ok().filter(|text| text.is_ascii())
    }

    /// The text for display: bytes that are not ASCII are shown as `\xNN`.
    pub fn to_printable(self) -> String {
        match self.as_str() {
            Some(text) if !text.contains(|c: char| c.is_control()) => text.to_string(),
            _ => self.as_bytes().escape_ascii().to_string(),
        }
    }
}

/// The position of the first NUL, or of the end, found in eight bytes at a time.
fn first_nul(bytes: &[u8]) -> usize {
    let (eights, rest) = bytes.as_chunks();
    for (place, eight) in eights.iter().enumerate() {
        let nuls = zeros(u64::from_le_bytes(*eight));
        if nuls != 0 {
            return 8 * place + nuls.trailing_zeros() as usize / 8;
        }
    }
    let in_rest = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
    bytes.len() - rest.len() + in_rest
}

/// A 1 in each byte.
pub(crate) const EACH: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
pub(crate) const HIGH: u64 = 0x80 * EACH;

/// The highest bit of the lowest byte that is 0, and perhaps of higher ones; 0 if none is 0.
pub(crate) fn zeros(bytes: u64) -> u64 {
    bytes.wrapping_sub(EACH) & !bytes & HIGH
}
