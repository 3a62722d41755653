//! Keys of a terminal, from the bytes that it sends.

/// A key that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Tab,
    BackTab,
    Backspace,
    Escape,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
}

/// Splits what a terminal sends into keys.
#[derive(Default)]
pub struct Keys {
    /// The beginning of a sequence whose end may come later.
    begun: Vec<u8>,
}

const ESCAPE: u8 = 0x1b;
/// No sequence of a key is longer.
const LONGEST: usize = 32;

impl Keys {
    /// Returns true if the end of a sequence may be missing.
    pub fn is_waiting(&self) -> bool {
        !self.begun.is_empty()
    }

    /// The keys of the bytes so far.
    pub fn decode(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.begun.extend(bytes);
        let mut keys = Vec::new();
        while let Some((length, key)) = first(&self.begun) {
            self.begun.drain(..length);
            keys.extend(key);
        }
        keys
    }

    /// Nothing more has come: an escape that was waiting for a sequence is the key of that name.
    pub fn end(&mut self) -> Option<Key> {
        let begun = std::mem::take(&mut self.begun);
        (begun == [ESCAPE]).then_some(Key::Escape)
    }
}

/// The length of the first key, and the key if it means something; `None` if its end is missing.
fn first(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let byte = *bytes.first()?;
    let key = match byte {
        ESCAPE => return sequence(bytes),
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x08 | 0x7f => Key::Backspace,
        0x03 => Key::Interrupt,
        0x1a => Key::Suspend,
        0..0x20 => return Some((1, None)),
        _ => return character(bytes),
    };
    Some((1, Some(key)))
}

/// A character of UTF-8; bytes that are none are skipped.
fn character(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let length = match bytes[0] {
        0..0x80 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf8 => 4,
        _ => return Some((1, None)),
    };
    let text = std::str::from_utf8(bytes.get(..length)?).ok();
    let key = text.and_then(|text| text.chars().next()).filter(|c| !c.is_control());
    // The next byte may begin a character if these are none.
    Some((if text.is_some() { length } else { 1 }, key.map(Key::Char)))
}

/// A key that is sent as a sequence, such as `ESC [ A`.
fn sequence(bytes: &[u8]) -> Option<(usize, Option<Key>)> {
    let introducer = *bytes.get(1)?;
    match introducer {
        b'[' | b'O' => {}
        ESCAPE => return Some((1, Some(Key::Escape))),
        // A character with Alt.
        _ => return Some((2, None)),
    }
    let last = bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte));
    let Some(last) = last else {
        return (bytes.len() >= LONGEST).then_some((bytes.len(), None));
    };
    let key = match (&bytes[2..2 + last], bytes[2 + last]) {
        (_, b'A') => Some(Key::Up),
        (_, b'B') => Some(Key::Down),
        (_, b'C') => Some(Key::Right),
        (_, b'D') => Some(Key::Left),
        (_, b'H') | (b"1" | b"7", b'~') => Some(Key::Home),
        (_, b'F') | (b"4" | b"8", b'~') => Some(Key::End),
        (_, b'Z') => Some(Key::BackTab),
        (b"5", b'~') => Some(Key::PageUp),
        (b"6", b'~') => Some(Key::PageDown),
        (_, b'M') if introducer == b'O' => Some(Key::Enter),
        _ => None,
    };
    Some((2 + last + 1, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_keys_however_they_are_split() {
        let bytes = "qé\x1b[A\x1bOB\x1b[5~\x1b[1;5C\x7f\x03\x1a\t\x1b[Z文".as_bytes();
        let expected = [
            Key::Char('q'),
            Key::Char('é'),
            Key::Up,
            Key::Down,
            Key::PageUp,
            Key::Right,
            Key::Backspace,
            Key::Interrupt,
            Key::Suspend,
            Key::Tab,
            Key::BackTab,
            Key::Char('文'),
        ];
        for length in 1..=bytes.len() {
            let mut keys = Keys::default();
            let found: Vec<Key> =
                bytes.chunks(length).flat_map(|chunk| keys.decode(chunk)).collect();
            assert_eq!(found, expected, "{length} at a time");
            assert!(!keys.is_waiting() && keys.end().is_none());
        }
    }

    #[test]
    fn an_escape_alone_is_a_key_when_nothing_follows() {
        let mut keys = Keys::default();
        assert_eq!(keys.decode(b"\x1b"), []);
        assert!(keys.is_waiting());
        assert_eq!(keys.end(), Some(Key::Escape));
        assert_eq!(keys.decode(b"\x1b\x1b[B"), [Key::Escape, Key::Down]);
    }

    #[test]
    fn any_bytes_are_read_to_their_end() {
        for byte in 0..=u8::MAX {
            for other in 0..=u8::MAX {
                let mut keys = Keys::default();
                keys.decode(&[byte, other, ESCAPE, b'[', byte, other]);
                keys.decode(&[b'9'; LONGEST]);
                keys.end();
                assert_eq!(keys.decode(b"q"), [Key::Char('q')], "{byte:#x} {other:#x}");
            }
        }
    }
}
