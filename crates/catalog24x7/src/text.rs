/// The text of a record: the bytes of its field, whatever they are.
///
/// The format requires ASCII, a terminating NUL, and an even length; [`check`](crate::check()) reports deviations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text {
    raw: Box<[u8]>,
}

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
        Text { raw: raw.into() }
    }

    /// A text of these bytes, including terminator and padding.
    pub fn from_raw(raw: &[u8]) -> Text {
        Text { raw: raw.into() }
    }

    /// The bytes of the field after its length, including terminator and padding.
    pub fn raw(&self) -> &[u8] {
        &self.raw
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
        TextRef { raw: &self.raw }
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
        let end = self.raw.iter().position(|byte| *byte == 0);
        self.raw.get(..end.unwrap_or(self.raw.len())).unwrap_or_default()
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
