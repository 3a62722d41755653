//! The number of addresses per bucket.

use std::fmt;

/// The number of addresses per bucket, as a fixed-point fraction: 131072 is one address per bucket.
///
/// A bucket covers 131072 / scale addresses: two for 65536, eight for 16384.
/// Up to 65536, values that do not divide 131072 are allowed; they result in buckets of unequal size (65535: "about two").
///
/// Source: `PAPI_profil(3)`, the description of `scale`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scale(u32);

impl Scale {
    /// Each address has its own bucket (0x20000).
    pub const ONE_ADDRESS: Scale = Scale(131_072);
    /// Two addresses share a bucket (0x10000), the usual value for `PAPI_profil`.
    pub const TWO_ADDRESSES: Scale = Scale(65_536);
    /// 65536 addresses share a bucket (2); if the region starts at 0, all addresses do.
    pub const COARSEST: Scale = Scale(2);

    /// The scale with this value: 131072, or from 2 to 65536.
    ///
    /// # Errors
    /// Returns [`ScaleError`] for the values that `PAPI_profil(3)` leaves undefined (0 and 1), and for those between and above its two finest scales.
    pub fn new(value: u32) -> Result<Scale, ScaleError> {
        match value {
            2..=65_536 | 131_072 => Ok(Scale(value)),
            _ => Err(ScaleError { value }),
        }
    }

    /// The value in the format of `PAPI_profil`.
    pub fn value(self) -> u32 {
        self.0
    }

    /// The bucket of the address at `offset` bytes from a region's start.
    pub fn bucket(self, offset: u64) -> u128 {
        (u128::from(offset) * u128::from(self.0)) >> 17
    }

    /// The first offset from a region's start that falls into `bucket`.
    pub fn first_offset(self, bucket: u64) -> u128 {
        (u128::from(bucket) << 17).div_ceil(u128::from(self.0))
    }
}

/// Prints the scale in words, such as "2 addresses per bucket".
impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            131_072 => write!(f, "1 address per bucket"),
            scale if 131_072 % scale == 0 => write!(f, "{} addresses per bucket", 131_072 / scale),
            scale => write!(f, "about {:.3} addresses per bucket", 131_072.0 / f64::from(scale)),
        }
    }
}

/// A value that is not a valid scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{value} is not a scale: use 131072 (one address per bucket), 65536 (two), 32768 (four) or any smaller value down to 2 (65536 addresses per bucket)"
)]
pub struct ScaleError {
    /// The invalid value.
    pub value: u32,
}
