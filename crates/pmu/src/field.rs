//! Parts of registers. x86 processors since P6 have the same in their event-select registers
//! (Intel SDM volume 3, "Performance Monitoring"; AMD's manuals, "Performance Event-Select Registers").

/// Bits of one of an event's register images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    /// The number of the image.
    word: u8,
    shift: u8,
    width: u8,
}

pub(crate) const fn bit(shift: u32) -> Field {
    bits(shift, 1)
}

pub(crate) const fn bits(shift: u32, width: u32) -> Field {
    Field { word: 0, shift: shift as u8, width: width as u8 }
}

impl Field {
    /// No bits.
    pub(crate) const NONE: Field = bits(0, 0);

    /// The same bits of another register image.
    pub(crate) const fn of_word(self, word: u8) -> Field {
        Field { word, ..self }
    }

    #[inline]
    const fn mask(self) -> u64 {
        (1 << self.width) - 1
    }

    #[inline]
    pub(crate) const fn get(self, register: u64) -> u64 {
        register >> self.shift & self.mask()
    }

    /// The register with this value in the field; the part of a value that does not fit is lost.
    #[inline]
    pub(crate) const fn set(self, register: u64, value: u64) -> u64 {
        register & !(self.mask() << self.shift) | (value & self.mask()) << self.shift
    }

    /// Its value in the register images.
    #[inline]
    pub(crate) fn read(self, words: &[u64]) -> u64 {
        words.get(usize::from(self.word)).map_or(0, |word| self.get(*word))
    }

    /// Sets its value in the register images.
    #[inline]
    pub(crate) fn write(self, words: &mut [u64], value: u64) {
        if let Some(word) = words.get_mut(usize::from(self.word)) {
            *word = self.set(*word, value);
        }
    }

    #[inline]
    pub(crate) const fn is(self, other: Field) -> bool {
        self.word == other.word && self.shift == other.shift && self.width == other.width
    }
}

pub(crate) const USR: Field = bit(16);
pub(crate) const OS: Field = bit(17);
pub(crate) const EDGE: Field = bit(18);
pub(crate) const INT: Field = bit(20);
pub(crate) const ANYTHR: Field = bit(21);
pub(crate) const EN: Field = bit(22);
pub(crate) const INV: Field = bit(23);
pub(crate) const CMASK: Field = bits(24, 8);

/// The interrupt and enable bits, which the kernel sets.
pub(crate) const ENABLE: u64 = 1 << 20 | 1 << 22;

/// The levels and those, which the kernel sets.
pub(crate) const LEVELS_AND_ENABLE: u64 = ENABLE | 1 << 16 | 1 << 17;
