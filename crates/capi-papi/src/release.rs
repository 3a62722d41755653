//! The release of PAPI that the caller was compiled for.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::codes::{EINVAL, Failed};

/// The release that this library stands for where its caller does not say one.
pub(crate) const RELEASE: u32 = 7 << 24;

static VERSION: AtomicU32 = AtomicU32::new(RELEASE);

/// The version that the caller was compiled for.
pub(crate) fn version() -> u32 {
    VERSION.load(Ordering::Relaxed)
}

/// The release of PAPI 7 that the caller was compiled for.
pub(crate) fn minor() -> u32 {
    version() >> 16 & 0xff
}

/// Returns true if the caller was compiled for 7.2 or later, whose structures are larger.
pub(crate) fn is_later() -> bool {
    minor() >= 2
}

/// The number of codes, with that of success, that the caller's release has.
pub(crate) fn messages() -> usize {
    if is_later() { 29 } else { 28 }
}

/// The version of a caller, if this library stands for it.
pub(crate) fn known(version: c_int) -> Result<u32, Failed> {
    let release = u32::try_from(version).map_err(|_| EINVAL)?;
    if release >> 24 != 7 || release >> 16 & 0xff > 3 { Err(EINVAL) } else { Ok(release) }
}

/// Notes the version of the caller.
pub(crate) fn set_version(version: u32) {
    VERSION.store(version, Ordering::Relaxed);
}
