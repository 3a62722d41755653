//! The functions of `counterpoint.h`.
//!
//! Each checks its pointers here and leaves the rest to safe code. A panic is answered by `COUNTERPOINT_ERROR_INTERNAL`.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of the header: strings end in zero, structures have their size, places can be written"
)]

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use counterpoint_capi::sized::checked;
use counterpoint_capi::{Handles, guarded, text};

use crate::failure::{COUNTERPOINT_ERROR_INTERNAL, COUNTERPOINT_ERROR_LIMIT, COUNTERPOINT_OK};
use crate::failure::{Failure, message};
use crate::layout::{Options, Regions, Set, Value, Values};
use crate::regions::OpenRegions;
use crate::set::{OpenSet, Wanted};

static SETS: Handles<OpenSet> = Handles::new(1);
static REGIONS: Handles<OpenRegions> = Handles::new(2);

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// The error of the last call of this thread that failed, in words; empty if none did. It is valid until the next
/// call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_error() -> *const c_char {
    guarded(CStr::as_ptr(c""), message)
}

/// Opens events by their names, a list in the syntax of `counterpoint stat -e`, such as "task-clock,page-faults:u" or
/// "{cycles,instructions}". `events` may be null if `options` names metrics; `options` may be null.
///
/// Nothing is counted until `counterpoint_start`. That an event cannot be counted is no error here: its value says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_open(
    set: *mut *mut Set,
    events: *const c_char,
    options: *const Options,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's place and strings, by the header.
        unsafe { opened(set, events, options, OpenSet::open, &SETS) }
    })
}

/// Closes a set. Strings of its values are valid no more.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_close(set: *mut Set) -> c_int {
    answer(|| Ok(SETS.remove(set.addr()).map(drop)?))
}

/// The number of values that a set has: one for each event and metric.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_count(set: *mut Set) -> c_int {
    number(|| Ok(SETS.read(set.addr(), OpenSet::len)?))
}

/// Starts counting, or goes on after `counterpoint_stop`.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_start(set: *mut Set) -> c_int {
    answer(|| SETS.write(set.addr(), |set| Ok(set.own()?.start()?))?)
}

/// Stops counting. The counts are kept.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_stop(set: *mut Set) -> c_int {
    answer(|| SETS.write(set.addr(), |set| Ok(set.own()?.stop()?))?)
}

/// Sets all counts and times to zero.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_reset(set: *mut Set) -> c_int {
    answer(|| SETS.write(set.addr(), |set| Ok(set.own()?.reset()?))?)
}

/// Reads the values of a set, whether or not it is counting, into as many structures as there are at `values`, each of
/// `size` bytes: `sizeof(counterpoint_value)`. Returns how many values the set has, or an error, which is negative.
///
/// The strings of the values belong to the set: they are valid until it is read again or closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_read(
    set: *mut Set,
    values: *mut Value,
    count: usize,
    size: usize,
) -> c_int {
    number(|| {
        // SAFETY: the caller's structures, by the header.
        let places = unsafe { Values::new(values, count, size) };
        let places = places.ok_or_else(|| {
            let what = "values is null, or size is smaller than counterpoint_value";
            Failure::argument(what)
        })?;
        SETS.write(set.addr(), |set| {
            let values = set.read()?;
            places.write(&values);
            Ok(values.len())
        })?
    })
}

/// Makes regions that count events in each thread that enters one, with `events` and `options` as for
/// `counterpoint_open`; the target is the calling thread's.
///
/// Without events and metrics, those of the environment variable PAPI_EVENTS are counted; without it, task-clock,
/// page-faults and context-switches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_regions_open(
    regions: *mut *mut Regions,
    events: *const c_char,
    options: *const Options,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's place and strings, by the header.
        unsafe { opened(regions, events, options, OpenRegions::open, &REGIONS) }
    })
}

/// Closes regions; what was not written before is lost.
#[unsafe(no_mangle)]
pub extern "C" fn counterpoint_regions_close(regions: *mut Regions) -> c_int {
    answer(|| Ok(REGIONS.remove(regions.addr()).map(drop)?))
}

/// Enters a region in the calling thread. Regions may nest and overlap; one that is open already only counts the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_region_begin(
    regions: *mut Regions,
    name: *const c_char,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's string.
        let name = unsafe { needed(name, "name") }?;
        REGIONS.read(regions.addr(), |regions| regions.begin(name))?
    })
}

/// Leaves a region that the calling thread has entered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_region_end(
    regions: *mut Regions,
    name: *const c_char,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's string.
        let name = unsafe { needed(name, "name") }?;
        REGIONS.read(regions.addr(), |regions| regions.end(name))?
    })
}

/// Writes the counts of the regions that have ended to a file: JSON lines, which `counterpoint merge` reads. A file that
/// exists is replaced. In the path, `{rank}` stands for the rank in a parallel job, or else the id of the process.
///
/// With `timeline` in the options, the file also has the times of the visits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_regions_write(
    regions: *mut Regions,
    path: *const c_char,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's string.
        let path = unsafe { needed(path, "path") }?;
        REGIONS.read(regions.addr(), |regions| regions.write(path))?
    })
}

/// Writes the times of the visits that have ended to a file, as a trace in JSON, which ui.perfetto.dev and
/// chrome://tracing show: a track for each thread, with a bar for each visit. It needs `timeline` in the options; the
/// path is as for `counterpoint_regions_write`.
///
/// `counterpoint merge --perfetto` makes one trace of what `counterpoint_regions_write` wrote in many processes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn counterpoint_regions_trace(
    regions: *mut Regions,
    path: *const c_char,
) -> c_int {
    answer(|| {
        // SAFETY: the caller's string.
        let path = unsafe { needed(path, "path") }?;
        REGIONS.read(regions.addr(), |regions| regions.trace(path))?
    })
}

/// Opens something and stores its handle; a null pointer is stored if that fails.
///
/// # Safety
///
/// The place is null or one for a pointer, the string is null or ends in zero, the options are null or have their size.
unsafe fn opened<H, T: Send + Sync + 'static>(
    place: *mut *mut H,
    events: *const c_char,
    options: *const Options,
    open: impl FnOnce(Option<&str>, &Wanted<'_>) -> Result<T, Failure>,
    handles: &'static Handles<T>,
) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::argument("the place for the handle is null"));
    }
    // SAFETY: the caller's place, which is not null.
    unsafe { place.write(ptr::null_mut()) };
    // SAFETY: the caller's string.
    let events = unsafe { string(events, "events") }?;
    // SAFETY: the caller's options.
    let wanted = unsafe { wanted(options) }?;
    let too_many = || Failure::new(COUNTERPOINT_ERROR_LIMIT, "too many handles are open");
    let handle = handles.insert(open(events, &wanted)?).ok_or_else(too_many)?;
    // SAFETY: as above.
    unsafe { place.write(ptr::without_provenance_mut(handle)) };
    Ok(())
}

/// # Safety
///
/// The pointer is null, or points to options with their size, whose strings end in zero and outlive the result.
unsafe fn wanted<'a>(options: *const Options) -> Result<Wanted<'a>, Failure> {
    if options.is_null() {
        return Ok(Wanted::default());
    }
    // SAFETY: the caller's pointer and size; nothing is written.
    let options = unsafe { checked(options.cast_mut()) };
    let unusable = || {
        Failure::argument("options has the wrong size, or members that this release does not have")
    };
    let none = ptr::null();
    let empty = Options {
        size: 0,
        metrics: none,
        definitions: none,
        target: 0,
        id: 0,
        flags: 0,
        timeline: 0,
    };
    let Options { metrics, definitions, target, id, flags, timeline, .. } =
        options.ok_or_else(unusable)?.read(empty);
    // SAFETY: the caller's string.
    let metrics = unsafe { string(metrics, "metrics") }?;
    // SAFETY: the caller's string.
    let definitions = unsafe { string(definitions, "definitions") }?;
    Ok(Wanted { metrics, definitions, target, id, flags, timeline })
}

/// # Safety
///
/// The pointer is null, or a C string that outlives the result.
unsafe fn string<'a>(string: *const c_char, what: &str) -> Result<Option<&'a str>, Failure> {
    // SAFETY: the caller promises it.
    let Some(bytes) = (unsafe { text::bytes(string) }) else { return Ok(None) };
    let text = std::str::from_utf8(bytes);
    text.map(Some).map_err(|_| Failure::argument(format!("{what} is not UTF-8")))
}

/// # Safety
///
/// As for `string`.
unsafe fn needed<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Failure> {
    // SAFETY: the caller promises it.
    let text = unsafe { string(pointer, what) }?;
    text.ok_or_else(|| Failure::argument(format!("{what} is null")))
}

fn answer(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    number(|| call().map(|()| COUNTERPOINT_OK as usize))
}

/// The number that a call returns, or the code of its error, whose message is kept.
fn number(call: impl FnOnce() -> Result<usize, Failure>) -> c_int {
    guarded(COUNTERPOINT_ERROR_INTERNAL, || match call() {
        Ok(number) => c_int::try_from(number).unwrap_or(c_int::MAX),
        Err(failure) => failure.keep(),
    })
}
