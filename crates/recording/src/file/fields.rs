//! The fields of a section.

/// The most of anything that is read from a section: perf writes far less.
const MOST: usize = 1 << 16;

/// Reads numbers and texts, from front to back.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*word))
    }

    pub(crate) fn half(&mut self) -> Option<u32> {
        let (half, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_ne_bytes(*half))
    }

    pub(crate) fn quarters(&mut self) -> Option<[u16; 2]> {
        let &[a, b, c, d] = self.take(4)?.first_chunk()?;
        Some([u16::from_ne_bytes([a, b]), u16::from_ne_bytes([c, d])])
    }

    pub(crate) fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    /// The rest up to a zero.
    pub(crate) fn rest_as_text(&self) -> String {
        let end = self.0.iter().position(|byte| *byte == 0).unwrap_or(self.0.len());
        String::from_utf8_lossy(&self.0[..end]).into_owned()
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        let length = self.half()? as usize;
        let bytes = self.take(length)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(length).min(MOST);
        Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// A text that a zero ends.
    pub(crate) fn name(&mut self) -> Option<String> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let name = self.take(end + 1)?;
        Some(String::from_utf8_lossy(&name[..end]).into_owned())
    }

    /// A text behind its length of 64 bits.
    pub(crate) fn sized(&mut self) -> Option<String> {
        let size = usize::try_from(self.word()?).ok()?;
        Some(String::from_utf8_lossy(self.take(size)?).into_owned())
    }
}
