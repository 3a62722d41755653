use std::fmt;

/// How many addresses share a bucket: a fixed-point fraction whose unit, 131072, is one address a bucket.
///
/// A bucket holds 131072 / scale addresses: 65536 makes two of them share one, 16384 eight.
/// Values that do not divide 131072 are allowed up to 65536, and make buckets of unequal size (65535: "about two").
///
/// Source: `PAPI_profil(3)`, the description of `scale`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scale(u32);

impl Scale {
    /// Each address has a bucket of its own (0x20000).
    pub const ONE_ADDRESS: Scale = Scale(131_072);
    /// Two addresses share a bucket (0x10000): what most callers of `PAPI_profil` use.
    pub const TWO_ADDRESSES: Scale = Scale(65_536);
    /// 65536 addresses share a bucket (2), and every address does when the region starts at 0.
    pub const COARSEST: Scale = Scale(2);

    /// The scale of this value: 131072, or from 2 to 65536.
    ///
    /// # Errors
    /// [`ScaleError`] for the values that `PAPI_profil(3)` leaves undefined (0 and 1), and for those between and beyond
    /// its two finest scales.
    pub fn new(value: u32) -> Result<Scale, ScaleError> {
        match value {
            2..=65_536 | 131_072 => Ok(Scale(value)),
            _ => Err(ScaleError { value }),
        }
    }

    /// The value, as `PAPI_profil` takes it.
    pub fn value(self) -> u32 {
        self.0
    }

    /// The bucket of the address `offset` bytes after a region's start.
    pub fn bucket(self, offset: u64) -> u128 {
        (u128::from(offset) * u128::from(self.0)) >> 17
    }

    /// The first offset from a region's start that falls into `bucket`.
    pub fn first_offset(self, bucket: u64) -> u128 {
        (u128::from(bucket) << 17).div_ceil(u128::from(self.0))
    }
}

/// `1/N` of a bucket an address, in words a person can check: "2 addresses a bucket".
impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            131_072 => write!(f, "1 address a bucket"),
            scale if 131_072 % scale == 0 => write!(f, "{} addresses a bucket", 131_072 / scale),
            scale => write!(f, "about {:.3} addresses a bucket", 131_072.0 / f64::from(scale)),
        }
    }
}

/// A value that is not a scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{value} is not a scale: use 131072 (one address a bucket), 65536 (two), 32768 (four) or any other down to 2 (65536 addresses a bucket)"
)]
pub struct ScaleError {
    /// What was given.
    pub value: u32,
}
