//! Flags that change how much a sample adds.

use crate::BucketWidth;

/// Flags that change how much a sample adds to its bucket, which is 1 by default.
///
/// They belong to one profiled event, and apply in the order of these fields.
///
/// Source: `PAPI_profil(3)`, the table of flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    /// Drop a random quarter of the samples.
    #[doc(alias = "PAPI_PROFIL_RANDOM")]
    pub random: bool,
    /// Count fewer samples the higher a bucket's count: draw a number from 0 to 65535 and drop the sample if the count is greater, so that a bucket of 16 bits hardly ever wraps.
    #[doc(alias = "PAPI_PROFIL_COMPRESS")]
    pub compress: bool,
    /// Weight a sample from 1 to 255 by how far the event was past the threshold.
    #[doc(alias = "PAPI_PROFIL_WEIGHTED")]
    pub weighted: bool,
}

impl Flags {
    /// The amount that a sample adds to a bucket that contains `count`; 0 drops the sample.
    ///
    /// `excess` is how far the event was past `threshold`.
    pub(crate) fn increment(
        self,
        random: &mut Random,
        count: u64,
        excess: i64,
        threshold: u64,
    ) -> u64 {
        if self.random && random.draw() <= 16_383 {
            return 0;
        }
        // Compared as a signed number, so that 64-bit counts in the upper half are always added to.
        if self.compress && i64::from(random.draw()) < count as i64 {
            return 0;
        }
        self.weight(excess, threshold)
    }

    /// The weight of a sample that is not dropped, taken when the event was `excess` past `threshold`.
    pub fn weight(self, excess: i64, threshold: u64) -> u64 {
        match u64::try_from(excess) {
            Ok(excess) if self.weighted && excess > 1 => {
                if excess > threshold {
                    255
                } else {
                    (excess / (threshold / 255).max(1)).clamp(1, 255)
                }
            }
            _ => 1,
        }
    }

    pub(crate) fn is_plain(self) -> bool {
        self == Flags::default()
    }
}

/// The random number generator of a profile: x → 1664525 · x + 1013904223 modulo 2³², of which the low 16 bits are drawn.
///
/// The same seed gives the same profile for the same samples.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Random(u32);

impl Random {
    /// Starts with this state.
    pub fn new(seed: u32) -> Random {
        Random(seed)
    }

    /// The state, from which [`Random::new`] can continue.
    pub fn state(self) -> u32 {
        self.0
    }

    fn draw(&mut self) -> u16 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 as u16
    }
}

/// Starts with the initial state of PAPI's generator.
impl Default for Random {
    fn default() -> Random {
        Random(0xdead_beef)
    }
}

/// The flags of a call to `PAPI_profil`, separated by purpose.
///
/// ```
/// use counterpoint_profil::{BucketWidth, PapiFlags};
///
/// let flags = PapiFlags::from_bits(0x2 | 0x10)?; // PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_BUCKET_32
/// assert!(flags.flags.weighted);
/// assert_eq!(flags.width, BucketWidth::Bits32);
///
/// let error = PapiFlags::from_bits(0x200).unwrap_err();
/// assert_eq!(error.to_string(), "0x200 is not a flag of PAPI_profil: supported flags are 0x1 to 0x40");
/// # Ok::<(), counterpoint_profil::FlagsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PapiFlags {
    /// The flags that change how much a sample adds.
    pub flags: Flags,
    /// The width of a bucket; 16 bits by default.
    pub width: BucketWidth,
    /// True to emulate overflow in software even if the hardware supports it.
    #[doc(alias = "PAPI_PROFIL_FORCE_SW")]
    pub force_software: bool,
}

impl PapiFlags {
    /// Converts the bits of `PAPI_profil(3)`: RANDOM 1, WEIGHTED 2, COMPRESS 4, BUCKET_16 8, BUCKET_32 16, BUCKET_64 32, FORCE_SW 64; POSIX is 0.
    ///
    /// # Errors
    /// Returns [`FlagsError`] for any other bits, and for more than one width.
    pub fn from_bits(bits: u32) -> Result<PapiFlags, FlagsError> {
        match bits & !0x7f {
            0 => {}
            0x80 | 0x100 | 0x180 => return Err(FlagsError::EventAddress { bits: bits & 0x180 }),
            unknown => return Err(FlagsError::Unknown { bits: unknown }),
        }
        let width = match bits & 0x38 {
            0 | 0x08 => BucketWidth::Bits16,
            0x10 => BucketWidth::Bits32,
            0x20 => BucketWidth::Bits64,
            widths => return Err(FlagsError::SeveralWidths { bits: widths }),
        };
        let flags = Flags {
            random: bits & 0x01 != 0,
            weighted: bits & 0x02 != 0,
            compress: bits & 0x04 != 0,
        };
        Ok(PapiFlags { flags, width, force_software: bits & 0x40 != 0 })
    }
}

/// Bits that are not valid flags of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlagsError {
    /// Bits without a meaning.
    #[error("{bits:#x} is not a flag of PAPI_profil: supported flags are 0x1 to 0x40")]
    Unknown {
        /// The invalid bits.
        bits: u32,
    },
    /// The two event address registers of Itanium, which current kernels do not support.
    #[error(
        "{bits:#x} requests Itanium's event address registers, which are not supported: omit this flag"
    )]
    EventAddress {
        /// PAPI_PROFIL_DATA_EAR (0x80), PAPI_PROFIL_INST_EAR (0x100), or both.
        bits: u32,
    },
    /// More than one bucket width.
    #[error(
        "{bits:#x} contains more than one bucket width: choose 0x8 (16 bits), 0x10 (32) or 0x20 (64)"
    )]
    SeveralWidths {
        /// The widths among the bits.
        bits: u32,
    },
}
