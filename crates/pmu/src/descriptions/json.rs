//! As much of JSON as lists of events need: objects of plain members, wherever they are; values that are nested
//! deeper are skipped. The reader does not recurse.

use std::borrow::Cow;
use std::ops::Range;

use super::error::{DescriptionError, DescriptionErrorKind};

/// `"key": "text"`, or a number or word instead of the text.
pub(super) struct Member<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
    /// The position of the value, its quotes included.
    pub(super) span: Range<usize>,
}

/// A text of JSON, and how far it is read.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// The events of a text: a list of objects, or an object that has it under `Events`.
    pub(super) fn events(text: &'a str) -> Result<Events<'a>, DescriptionError> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut reader = Reader { text, at };
        if reader.take(b'[') {
            return Ok(Events { reader, first: true, done: false, wrapped: false });
        }
        reader.expect(b'{', "a list of events, or an object that holds one")?;
        let span = reader.at - 1..reader.at;
        while !reader.take(b'}') {
            let key = reader.string()?;
            reader.expect(b':', "a colon")?;
            if key == "Events" && reader.take(b'[') {
                return Ok(Events { reader, first: true, done: false, wrapped: true });
            }
            reader.value()?;
            if !reader.take(b',') && reader.peek() != Some(b'}') {
                return Err(reader.wanted("a comma or `}`"));
            }
        }
        Err(DescriptionError { span, kind: DescriptionErrorKind::NoEvents })
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        self.at += blanks.count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, wanted: &'static str) -> Result<(), DescriptionError> {
        if self.take(byte) { Ok(()) } else { Err(self.wanted(wanted)) }
    }

    fn wanted(&self, wanted: &'static str) -> DescriptionError {
        let end = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        let kind = DescriptionErrorKind::NotJson { wanted };
        DescriptionError { span: self.at..self.at + end, kind }
    }

    /// The members of an object, those left out whose value is a list or an object.
    fn object(&mut self) -> Result<Vec<Member<'a>>, DescriptionError> {
        self.expect(b'{', "an object")?;
        let mut members = Vec::new();
        while !self.take(b'}') {
            let key = self.string()?;
            self.expect(b':', "a colon")?;
            self.peek();
            let start = self.at;
            if let Some(text) = self.value()? {
                members.push(Member { key, text, span: start..self.at });
            }
            if !self.take(b',') && self.peek() != Some(b'}') {
                return Err(self.wanted("a comma or `}`"));
            }
        }
        Ok(members)
    }

    /// A plain value as text; nothing for a list or an object, which is passed over.
    fn value(&mut self) -> Result<Option<Cow<'a, str>>, DescriptionError> {
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            Some(b'[' | b'{') => self.pass_over().map(|()| None),
            _ => {
                let rest = &self.text[self.at..];
                let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                if word.is_empty() {
                    return Err(self.wanted("a value"));
                }
                self.at += word.len();
                Ok(Some(Cow::Borrowed(word)))
            }
        }
    }

    /// A list or an object with everything in it.
    fn pass_over(&mut self) -> Result<(), DescriptionError> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek() {
                Some(b'"') => _ = self.string()?,
                Some(byte) => {
                    self.at += 1;
                    match byte {
                        b'[' | b'{' => depth += 1,
                        b']' | b'}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return Ok(());
                    }
                }
                None => {
                    self.at = start;
                    return Err(self.wanted("the end of this"));
                }
            }
        }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, DescriptionError> {
        self.expect(b'"', "a string")?;
        let start = self.at;
        let mut escaped: Option<String> = None;
        loop {
            let rest = &self.text[self.at..];
            let Some(length) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\')) else {
                self.at = start - 1;
                return Err(self.wanted("the end of this string"));
            };
            let plain = &rest[..length];
            self.at += length + 1;
            if rest.as_bytes()[length] == b'"' {
                return Ok(match escaped {
                    None => Cow::Borrowed(plain),
                    Some(text) => Cow::Owned(text + plain),
                });
            }
            let text = escaped.get_or_insert_default();
            text.push_str(plain);
            text.push(self.escape()?);
        }
    }

    /// The character that an escape stands for.
    fn escape(&mut self) -> Result<char, DescriptionError> {
        let Some(letter) = self.text[self.at..].chars().next() else {
            return Err(self.wanted("an escape"));
        };
        let plain = match letter {
            '"' | '\\' | '/' => letter,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.unicode(),
            _ => return Err(self.wanted("an escape")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// `uXXXX`, or two of them for a character beyond 16 bits.
    fn unicode(&mut self) -> Result<char, DescriptionError> {
        let start = self.at;
        let high = self.code_unit()?;
        let mut units = vec![high];
        if (0xd800..0xdc00).contains(&high) && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            units.push(self.code_unit()?);
        }
        let decoded = char::decode_utf16(units).next().and_then(Result::ok);
        decoded.ok_or_else(|| {
            self.at = start;
            self.wanted("the number of a character")
        })
    }

    fn code_unit(&mut self) -> Result<u16, DescriptionError> {
        let digits = self.text.get(self.at + 1..self.at + 5);
        let unit = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.wanted("four hexadecimal digits"))?;
        self.at += 5;
        Ok(unit)
    }
}

/// The objects of a list, one after another, up to the first that is none.
pub(super) struct Events<'a> {
    reader: Reader<'a>,
    first: bool,
    done: bool,
    /// The list is a member of an object, whose other members are not read.
    wrapped: bool,
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Vec<Member<'a>>, DescriptionError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = &mut self.reader;
        if self.done {
            return None;
        }
        if reader.take(b']') {
            self.done = true;
            return match reader.peek() {
                Some(_) if !self.wrapped => Some(Err(reader.wanted("the end of the text"))),
                _ => None,
            };
        }
        let separated = self.first || reader.take(b',');
        self.first = false;
        let object = if separated { reader.object() } else { Err(reader.wanted("a comma or `]`")) };
        self.done = object.is_err();
        Some(object)
    }
}
