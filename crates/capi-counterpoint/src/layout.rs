//! The structures and numbers of the header.

#![allow(unsafe_code, reason = "callers pass the structures by pointer")]

use std::ffi::{c_char, c_int};
use std::mem::offset_of;
use std::ptr;

use counterpoint_capi::sized::Versioned;

/// Events that are counted together. A handle: it is never an address.
#[derive(Debug)]
pub struct Set(());

/// The regions of a program. A handle: it is never an address.
#[derive(Debug)]
pub struct Regions(());

/// The calling thread, with the threads and children that it starts from now on.
pub const COUNTERPOINT_TARGET_SELF: u32 = 0;
/// The thread with the id, with the threads and children that it starts from now on.
pub const COUNTERPOINT_TARGET_THREAD: u32 = 1;
/// All threads of the process with the id, with the threads and children that they start from now on.
pub const COUNTERPOINT_TARGET_PROCESS: u32 = 2;
/// All processes, on the CPU with the id.
pub const COUNTERPOINT_TARGET_CPU: u32 = 3;
/// All processes, on every CPU.
pub const COUNTERPOINT_TARGET_ALL_CPUS: u32 = 4;

/// Threads and children that start later are not counted.
pub const COUNTERPOINT_NO_INHERIT: u32 = 1;
/// Only what happens in user space is counted, where an event does not say otherwise.
pub const COUNTERPOINT_USER_ONLY: u32 = 2;
/// Events do not take turns on the hardware counters: each is counted all the time, or not at all.
pub const COUNTERPOINT_NO_ESTIMATES: u32 = 4;

/// The request: events, target and options. All zeros are the defaults; `size` is `sizeof(counterpoint_options)`, or 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// `sizeof(counterpoint_options)`.
    pub size: usize,
    /// Names of metrics, or of groups of metrics, separated by commas; or null.
    pub metrics: *const c_char,
    /// A file with definitions of events or metrics; or null. The files that the environment variables
    /// `PAPI_USER_EVENTS_FILE` and `COUNTERPOINT_EVENTS` name are read before it.
    pub definitions: *const c_char,
    /// `COUNTERPOINT_TARGET_…`
    pub target: u32,
    /// The id of the thread, process or CPU.
    pub id: i32,
    /// `COUNTERPOINT_NO_INHERIT` and others, added up.
    pub flags: u32,
    /// For regions: of how many visits of each thread the times are recorded, the first ones; 0 records none.
    pub timeline: u32,
}

/// `value` is the exact value: the event was counted all the time.
pub const COUNTERPOINT_COUNTED: i32 = 1;
/// `value` is an estimate: the event was counted for the share `coverage` of the time, and the count was scaled.
pub const COUNTERPOINT_ESTIMATED: i32 = 2;
/// There is no value: the event was open, but was not counted, as `reason` says.
pub const COUNTERPOINT_NOT_COUNTED: i32 = 3;
/// There is no value: this machine, or this user on it, cannot count the event, as `reason` says.
pub const COUNTERPOINT_NOT_SUPPORTED: i32 = 4;

/// The value of `raw` where there is no count.
pub const COUNTERPOINT_NO_RAW: u64 = u64::MAX;

/// The value of an event, or why there is none.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// The event or metric as it was named.
    pub name: *const c_char,
    /// The unit, such as `ns`; empty for plain counts.
    pub unit: *const c_char,
    /// The reason why there is no value; empty if there is one.
    pub reason: *const c_char,
    /// The difference between the request and the way in which the event was counted; empty if it was not.
    pub note: *const c_char,
    /// The value in its unit; not a number (NaN) if nothing was measured.
    pub value: f64,
    /// The share of the time for which the value was measured: 1 if it is exact, and 0 if there is none.
    pub coverage: f64,
    /// The exact count without scale; `COUNTERPOINT_NO_RAW` if there is none, as for metrics.
    pub raw: u64,
    /// For how long the event was enabled, in nanoseconds, over all threads or CPUs together.
    pub enabled_ns: u64,
    /// For how long of it the event was on a counter.
    pub running_ns: u64,
    /// The least value of a level, such as a temperature, whose value is the mean over time; NaN for all others.
    pub least: f64,
    /// The greatest value of a level; NaN for all others.
    pub greatest: f64,
    /// `COUNTERPOINT_COUNTED` and others; look at it before the value.
    pub status: i32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: `repr(C)` without padding on 32 and 64 bits, pointers and numbers only, and the offset is the member's.
unsafe impl Versioned for Options {
    const FIRST: usize = size_of::<Options>();
    const SIZE_AT: usize = offset_of!(Options, size);
}

/// The size of the first release's `counterpoint_value`.
const FIRST_VALUE: usize = size_of::<Value>();

/// The places of a caller for values.
#[derive(Debug)]
pub(crate) struct Values {
    first: *mut u8,
    count: usize,
    size: usize,
}

impl Values {
    /// `None` if the pointer or the size cannot be used.
    ///
    /// # Safety
    ///
    /// The pointer is null, or points to as many structures of this size, which nothing else uses meanwhile.
    pub(crate) unsafe fn new(first: *mut Value, count: usize, size: usize) -> Option<Values> {
        let is_usable = count == 0 || (!first.is_null() && size >= FIRST_VALUE);
        is_usable.then_some(Values { first: first.cast(), count, size })
    }

    /// Writes as many values as there are places for; what a later release's structure has beyond is zero.
    pub(crate) fn write(&self, values: &[Value]) {
        for (number, value) in values.iter().take(self.count).enumerate() {
            let place = self.first.wrapping_add(number * self.size);
            let known = size_of::<Value>().min(self.size);
            // SAFETY: `new` was promised as many structures of this size.
            unsafe { ptr::copy_nonoverlapping(ptr::from_ref(value).cast(), place, known) };
            // SAFETY: as above.
            unsafe { ptr::write_bytes(place.wrapping_add(known), 0, self.size - known) };
        }
    }
}

/// The code of a status.
pub(crate) fn status(value: &counterpoint::Value) -> c_int {
    match value {
        counterpoint::Value::Counted(_) => COUNTERPOINT_COUNTED,
        counterpoint::Value::Estimated { .. } => COUNTERPOINT_ESTIMATED,
        counterpoint::Value::NotSupported(_) => COUNTERPOINT_NOT_SUPPORTED,
        _ => COUNTERPOINT_NOT_COUNTED,
    }
}
