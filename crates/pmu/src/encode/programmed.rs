//! An event as its PMU programs it, and as `perf_event_open` takes it.

use super::codes::Codes;

/// An event as its PMU programs it.
pub(crate) struct Programmed {
    /// The register images.
    pub(crate) codes: Codes,
    /// The words that the [`printed`](crate::modifier::Modifier::printed) fields of the modifiers are read from.
    pub(crate) printed: [u64; 5],
}

impl Programmed {
    /// One code, from which modifiers are also printed.
    #[inline]
    pub(crate) fn code(code: u64) -> Programmed {
        Programmed { codes: code.into(), printed: [code, 0, 0, 0, 0] }
    }

    /// The register image of this number, 0 if there are fewer.
    #[inline]
    pub(crate) fn word(&self, number: usize) -> u64 {
        self.codes.get(number).copied().unwrap_or(0)
    }
}

/// `perf_event_attr`'s type, config, config1 and config2.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    pub(crate) kind: u32,
    pub(crate) configs: [u64; 3],
}

impl Words {
    /// Without config1 and config2.
    pub(crate) fn new(kind: u32, config: u64) -> Words {
        Words { kind, configs: [config, 0, 0] }
    }
}
