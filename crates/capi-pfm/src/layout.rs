//! The structures of libpfm4's headers.

#![allow(unsafe_code, reason = "callers pass the structures by pointer")]

use std::ffi::{c_char, c_int, c_uint};
use std::mem::offset_of;

use counterpoint_capi::sized::Versioned;
use counterpoint_pmu::PerfEncoding;

use crate::result::{Failed, INVAL, TOOSMALL};

/// `pfm_pmu_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct PmuInfo {
    pub name: *const c_char,
    pub desc: *const c_char,
    pub size: usize,
    pub pmu: c_uint,
    pub kind: c_uint,
    pub nevents: c_int,
    pub first_event: c_int,
    pub max_encoding: c_int,
    pub num_cntrs: c_int,
    pub num_fixed_cntrs: c_int,
    /// `is_present`, `is_dfl`.
    pub flags: c_uint,
}

/// `pfm_event_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct EventInfo {
    pub name: *const c_char,
    pub desc: *const c_char,
    pub equiv: *const c_char,
    pub size: usize,
    pub code: u64,
    pub pmu: c_uint,
    pub dtype: c_uint,
    pub idx: c_int,
    pub nattrs: c_int,
    pub reserved: c_int,
    /// `is_precise`, `is_speculative` (2 bits), `support_hw_smpl`.
    pub flags: c_uint,
}

/// `pfm_event_attr_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct AttrInfo {
    pub name: *const c_char,
    pub desc: *const c_char,
    pub equiv: *const c_char,
    pub size: usize,
    pub code: u64,
    pub kind: c_uint,
    pub idx: c_int,
    pub ctrl: c_uint,
    /// `is_dfl`, `is_precise`, `is_speculative` (2 bits), `support_hw_smpl`, `support_no_mods`.
    pub flags: c_uint,
    pub dfl_val64: u64,
}

/// `pfm_pmu_encode_arg_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct RawArguments {
    pub codes: *mut u64,
    pub fstr: *mut *mut c_char,
    pub size: usize,
    pub count: c_int,
    pub idx: c_int,
}

/// `pfm_perf_encode_arg_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names are those of C")]
pub struct PerfArguments {
    pub attr: *mut u8,
    pub fstr: *mut *mut c_char,
    pub size: usize,
    pub idx: c_int,
    pub cpu: c_int,
    pub flags: c_int,
    pub pad0: c_int,
}

// SAFETY: `repr(C)` without padding on 32 and 64 bits, pointers and numbers only, and the offset is the member's.
unsafe impl Versioned for PmuInfo {
    const FIRST: usize = size_of::<PmuInfo>();
    const SIZE_AT: usize = offset_of!(PmuInfo, size);
}

// SAFETY: as above.
unsafe impl Versioned for EventInfo {
    const FIRST: usize = size_of::<EventInfo>();
    const SIZE_AT: usize = offset_of!(EventInfo, size);
}

// SAFETY: as above.
unsafe impl Versioned for AttrInfo {
    const FIRST: usize = size_of::<AttrInfo>();
    const SIZE_AT: usize = offset_of!(AttrInfo, size);
}

// SAFETY: as above.
unsafe impl Versioned for RawArguments {
    const FIRST: usize = size_of::<RawArguments>();
    const SIZE_AT: usize = offset_of!(RawArguments, size);
}

// SAFETY: as above.
unsafe impl Versioned for PerfArguments {
    const FIRST: usize = size_of::<PerfArguments>();
    const SIZE_AT: usize = offset_of!(PerfArguments, size);
}

/// The size of the first `perf_event_attr`, and of the first one with `config2`.
const ATTR: usize = 64;
const ATTR_WITH_CONFIG2: usize = 72;

/// The number of bytes of a `perf_event_attr` that are written for an event; an error if the event does not fit.
///
/// # Safety
///
/// The pointer points to a `perf_event_attr` of any version.
pub(crate) unsafe fn attr_size(attr: *const u8, perf: &PerfEncoding) -> Result<usize, Failed> {
    // SAFETY: every version has the first eight bytes.
    match unsafe { attr.wrapping_add(4).cast::<u32>().read_unaligned() } as usize {
        // A caller that has not said yet has the structure of its header, which has `config2` since Linux 3.0.
        0 => Ok(ATTR_WITH_CONFIG2),
        size if size < ATTR => Err(INVAL),
        size if size < ATTR_WITH_CONFIG2 && perf.config2 != 0 => Err(TOOSMALL),
        size => Ok(size.min(ATTR_WITH_CONFIG2)),
    }
}

/// Writes what an event string decides into a `perf_event_attr`; the rest stays the caller's.
///
/// # Safety
///
/// The pointer points to so many bytes.
pub(crate) unsafe fn write_attr(attr: *mut u8, size: usize, perf: &PerfEncoding) {
    // SAFETY: the caller promises as many bytes; nothing else uses them during the call.
    let bytes = unsafe { std::slice::from_raw_parts_mut(attr, size) };
    fill_attr(bytes, perf);
}

/// The same over the structure's bytes.
fn fill_attr(attr: &mut [u8], perf: &PerfEncoding) {
    put(attr, 0, &perf.kind.to_ne_bytes());
    put(attr, 8, &perf.config.to_ne_bytes());
    if perf.period != 0 {
        put(attr, 16, &perf.period.to_ne_bytes());
    }
    put(attr, 56, &perf.config1.to_ne_bytes());
    put(attr, 64, &perf.config2.to_ne_bytes());
    let Some(flags) = attr.get(40..48).and_then(|bytes| bytes.try_into().ok()) else { return };
    let flags = flags_of(u64::from_ne_bytes(flags), perf);
    put(attr, 40, &flags.to_ne_bytes());
}

fn put(attr: &mut [u8], at: usize, bytes: &[u8]) {
    if let Some(place) = attr.get_mut(at..at + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// The word of bits: what can be switched off by an event string is, what it cannot switch off stays.
fn flags_of(old: u64, perf: &PerfEncoding) -> u64 {
    let decided = [
        (2, perf.pinned),
        (4, perf.exclude_user),
        (5, perf.exclude_kernel),
        (6, perf.exclude_hv),
        (19, perf.exclude_host),
        (20, perf.exclude_guest),
    ];
    let mut flags = decided
        .into_iter()
        .fold(old, |flags, (bit, on)| if on { flags | 1 << bit } else { flags & !(1 << bit) });
    flags |= u64::from(perf.exclusive) << 3;
    flags |= u64::from(perf.freq) << 10;
    if perf.precise_ip != 0 {
        flags = flags & !(3 << 15) | u64::from(perf.precise_ip) << 15;
    }
    flags
}
