//! The register images of an encoding: four at most.

use std::fmt;
use std::ops::Deref;

/// Register images, in the order in which libpfm returns them. They are used as a slice.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Codes {
    codes: [u64; 4],
    len: u8,
}

impl Codes {
    /// Adds one; a fifth would be lost, and no family has one.
    pub(crate) fn push(&mut self, code: u64) {
        if let Some(place) = self.codes.get_mut(usize::from(self.len)) {
            *place = code;
            self.len += 1;
        }
    }
}

impl From<u64> for Codes {
    fn from(code: u64) -> Codes {
        Codes { codes: [code, 0, 0, 0], len: 1 }
    }
}

impl Deref for Codes {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.codes[..usize::from(self.len)]
    }
}

impl<const N: usize> PartialEq<[u64; N]> for Codes {
    fn eq(&self, other: &[u64; N]) -> bool {
        **self == other[..]
    }
}

impl fmt::Debug for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
