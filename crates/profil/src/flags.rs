use crate::BucketWidth;

/// What a sample adds to its bucket: 1, unless one of these says otherwise.
///
/// They belong to one profiled event, and apply in the order in which they stand here.
///
/// Source: `PAPI_profil(3)`, the table of flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    /// A random quarter of the samples is dropped.
    #[doc(alias = "PAPI_PROFIL_RANDOM")]
    pub random: bool,
    /// The greater a bucket's count, the fewer of its samples are counted: one drawn from 0 to 65535 is dropped if the
    /// count is greater, so that a bucket of 16 bits hardly ever wraps.
    #[doc(alias = "PAPI_PROFIL_COMPRESS")]
    pub compress: bool,
    /// A sample counts for 1 to 255 by how far the event was past the threshold.
    #[doc(alias = "PAPI_PROFIL_WEIGHTED")]
    pub weighted: bool,
}

impl Flags {
    /// What a sample adds to a bucket that holds `count`; 0 drops it.
    ///
    /// `excess` is by how much the event passed `threshold`.
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
        // As a signed number, so that counts of 64 bits from the middle on are always added to.
        if self.compress && i64::from(random.draw()) < count as i64 {
            return 0;
        }
        self.weight(excess, threshold)
    }

    /// What a sample counts for that is not dropped, taken when the event was `excess` past `threshold`.
    pub fn weight(self, excess: i64, threshold: u64) -> u64 {
        match u64::try_from(excess) {
            Ok(excess) if self.weighted && excess > 1 => match excess > threshold {
                true => 255,
                false => (excess / (threshold / 255).max(1)).clamp(1, 255),
            },
            _ => 1,
        }
    }

    pub(crate) fn is_plain(self) -> bool {
        self == Flags::default()
    }
}

/// The random numbers of a profile: x → 1664525 · x + 1013904223 modulo 2³², of which the low 16 bits are drawn.
///
/// The same seed gives the same profile for the same samples.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Random(u32);

impl Random {
    /// Begins with this state.
    pub fn new(seed: u32) -> Random {
        Random(seed)
    }

    /// The state: what [`Random::new`] needs to go on from here.
    pub fn state(self) -> u32 {
        self.0
    }

    fn draw(&mut self) -> u16 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 as u16
    }
}

/// Begins where PAPI's generator begins.
impl Default for Random {
    fn default() -> Random {
        Random(0xdead_beef)
    }
}

/// The flags of a call to `PAPI_profil`, told apart by what they are about.
///
/// ```
/// use counterpoint_profil::{BucketWidth, PapiFlags};
///
/// let flags = PapiFlags::from_bits(0x2 | 0x10)?; // PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_BUCKET_32
/// assert!(flags.flags.weighted);
/// assert_eq!(flags.width, BucketWidth::Bits32);
///
/// let error = PapiFlags::from_bits(0x200).unwrap_err();
/// assert_eq!(error.to_string(), "0x200 is no flag of PAPI_profil: the known ones are 0x1 to 0x40");
/// # Ok::<(), counterpoint_profil::FlagsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PapiFlags {
    /// What a sample adds.
    pub flags: Flags,
    /// How wide a bucket is; 16 bits when no flag says.
    pub width: BucketWidth,
    /// Whether overflow is to be emulated where the hardware could tell of it.
    #[doc(alias = "PAPI_PROFIL_FORCE_SW")]
    pub force_software: bool,
}

impl PapiFlags {
    /// Reads the bits of `PAPI_profil(3)`: RANDOM 1, WEIGHTED 2, COMPRESS 4, BUCKET_16 8, BUCKET_32 16, BUCKET_64 32,
    /// FORCE_SW 64; POSIX is 0.
    ///
    /// # Errors
    /// [`FlagsError`] for other bits, and for more than one width.
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

/// Bits that are not the flags of a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlagsError {
    /// Bits that mean nothing.
    #[error("{bits:#x} is no flag of PAPI_profil: the known ones are 0x1 to 0x40")]
    Unknown {
        /// Those bits.
        bits: u32,
    },
    /// The two event address registers of Itanium, whose samples no kernel delivers any more.
    #[error(
        "{bits:#x} asks for addresses of Itanium's event address registers, which are not delivered: leave it out"
    )]
    EventAddress {
        /// PAPI_PROFIL_DATA_EAR (0x80), PAPI_PROFIL_INST_EAR (0x100), or both.
        bits: u32,
    },
    /// More than one width of buckets.
    #[error(
        "{bits:#x} gives buckets more than one width: choose 0x8 (16 bits), 0x10 (32) or 0x20 (64)"
    )]
    SeveralWidths {
        /// The widths among the bits.
        bits: u32,
    },
}
