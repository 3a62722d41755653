//! The functions, by the names of libpfm4's header.
//!
//! Each checks its pointers here and leaves the rest to safe code. A panic is answered by `PFM_ERR_NOTSUPP`.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of the header: strings end in zero, structures have their size, places can be written"
)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;

use counterpoint_capi::sized::{Checked, checked};
use counterpoint_capi::{guarded, places, text};
use counterpoint_pmu::{AttributeKind, Controller, Layer, PmuKind, Privilege, Speculative};

use crate::answers::Encoded;
use crate::layout::{
    AttrInfo, EventInfo, PerfArguments, PmuInfo, RawArguments, attr_size, write_attr,
};
use crate::library::Library;
use crate::listing::ListedAttribute;
use crate::result::{Failed, INVAL, NOMEM, NOTSUPP, SUCCESS, TOOSMALL, message, number};

/// `LIBPFM_VERSION`: 4 in the upper half, the revision in the lower.
const VERSION: c_int = 4 << 16;

/// `int pfm_initialize(void)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_initialize() -> c_int {
    guarded(NOTSUPP.0, || {
        Library::start();
        SUCCESS
    })
}

/// `void pfm_terminate(void)`. Strings stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn pfm_terminate() {
    Library::end();
}

/// `int pfm_get_version(void)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_get_version() -> c_int {
    VERSION
}

/// `const char *pfm_strerror(int code)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_strerror(code: c_int) -> *const c_char {
    message(code).as_ptr()
}

/// `int pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *output)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_pmu_info(pmu: c_uint, output: *mut PmuInfo) -> c_int {
    answer(|| {
        let library = Library::current()?;
        // SAFETY: the caller's pointer and size, by the header.
        let output = unsafe { checked(output) };
        let output = output.ok_or(INVAL)?;
        let pmu = library.pmu(pmu)?;
        let listing = library.listing(pmu);
        let (counters, fixed) = pmu.libpfm_counters();
        let (name, description) = library.pmu_strings(pmu);
        output.write(&PmuInfo {
            name: name.as_ptr(),
            desc: description.as_ptr(),
            size: size_of::<PmuInfo>(),
            pmu: pmu.number.into(),
            kind: match pmu.kind {
                PmuKind::Core => 1,
                PmuKind::Uncore => 2,
                PmuKind::OsGeneric => 3,
                _ => 0,
            },
            nevents: listing.len() as c_int,
            first_event: library.first(pmu).unwrap_or(-1),
            max_encoding: pmu.most_codes.into(),
            num_cntrs: counters.into(),
            num_fixed_cntrs: fixed.into(),
            flags: c_uint::from(library.is_present(pmu))
                | c_uint::from(pmu.is_architectural()) << 1,
        });
        Ok(())
    })
}

/// `int pfm_get_event_next(int idx)`
#[unsafe(no_mangle)]
pub extern "C" fn pfm_get_event_next(idx: c_int) -> c_int {
    guarded(-1, || Library::current().ok().and_then(|library| library.next(idx)).unwrap_or(-1))
}

/// `int pfm_find_event(const char *str)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_find_event(str: *const c_char) -> c_int {
    guarded(NOTSUPP.0, || {
        // SAFETY: the caller's string.
        let found = unsafe { string(str) };
        number(Library::current().and_then(|library| library.find(&found.ok_or(INVAL)?)))
    })
}

/// `int pfm_get_event_info(int idx, pfm_os_t os, pfm_event_info_t *output)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_info(
    idx: c_int,
    os: c_uint,
    output: *mut EventInfo,
) -> c_int {
    answer(|| {
        let library = Library::current()?;
        let layer = layer_of(library, os, INVAL)?;
        // SAFETY: the caller's pointer and size, by the header.
        let output = unsafe { checked(output) };
        let output = output.ok_or(INVAL)?;
        let listed = library.event(idx)?;
        let (event, strings) = (listed.event, listed.strings());
        output.write(&EventInfo {
            name: strings.name.as_ptr(),
            desc: strings.description.as_ptr(),
            equiv: or_null(strings.equiv.as_ref()),
            size: size_of::<EventInfo>(),
            code: event.code,
            pmu: event.pmu.number.into(),
            dtype: 1,
            idx,
            nattrs: listed.attributes(layer, library.machine()).len() as c_int,
            reserved: 0,
            flags: c_uint::from(event.is_precise())
                | speculative(event.speculative()) << 1
                | c_uint::from(event.hardware_sampling()) << 3,
        });
        Ok(())
    })
}

/// `int pfm_get_event_attr_info(int idx, int attr, pfm_os_t os, pfm_event_attr_info_t *info)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_attr_info(
    idx: c_int,
    attr: c_int,
    os: c_uint,
    info: *mut AttrInfo,
) -> c_int {
    answer(|| {
        let library = Library::current()?;
        let layer = layer_of(library, os, INVAL)?;
        // SAFETY: the caller's pointer and size, by the header.
        let info = unsafe { checked(info) };
        let info = info.ok_or(INVAL)?;
        let listed = library.event(idx)?.attributes(layer, library.machine());
        let place = usize::try_from(attr).map_err(|_| INVAL)?;
        info.write(&attribute(listed.get(place).ok_or(INVAL)?, attr));
        Ok(())
    })
}

fn attribute(listed: &'static ListedAttribute, idx: c_int) -> AttrInfo {
    let attribute = &listed.attribute;
    AttrInfo {
        name: listed.name.as_ptr(),
        desc: listed.description.as_ptr(),
        equiv: or_null(listed.equiv.as_ref()),
        size: size_of::<AttrInfo>(),
        code: attribute.code,
        kind: match attribute.kind {
            AttributeKind::Umask => 1,
            AttributeKind::Bool => 2,
            AttributeKind::Integer => 3,
            _ => 0,
        },
        idx,
        ctrl: match attribute.controller {
            Controller::Pmu => 1,
            Controller::PerfEvent => 2,
            _ => 0,
        },
        flags: c_uint::from(attribute.is_default)
            | c_uint::from(attribute.is_precise) << 1
            | speculative(attribute.speculative) << 2
            | c_uint::from(attribute.hardware_sampling) << 4
            | c_uint::from(attribute.no_modifiers) << 5,
        dfl_val64: attribute.default,
    }
}

/// `int pfm_get_os_event_encoding(const char *str, int dfl_plm, pfm_os_t os, void *args)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_os_event_encoding(
    str: *const c_char,
    dfl_plm: c_int,
    os: c_uint,
    args: *mut c_void,
) -> c_int {
    answer(|| {
        let library = Library::current()?;
        // SAFETY: the caller's string.
        let event = unsafe { string(str) };
        let (event, levels) = (event.ok_or(INVAL)?, levels(dfl_plm)?);
        if args.is_null() {
            return Err(INVAL);
        }
        match layer_of(library, os, NOTSUPP)? {
            Layer::Raw => {
                // SAFETY: the arguments of this layer, by the header.
                let args = unsafe { checked(args.cast::<RawArguments>()) };
                // SAFETY: the pointers in them are the caller's.
                unsafe { encode_raw(library, &event, levels, &args.ok_or(INVAL)?) }
            }
            layer => {
                // SAFETY: as above.
                let args = unsafe { checked(args.cast::<PerfArguments>()) };
                // SAFETY: as above.
                unsafe { encode_perf(library, &event, levels, layer, &args.ok_or(INVAL)?) }
            }
        }
    })
}

/// `int pfm_get_event_encoding(const char *str, int dfl_plm, char **fstr, int *idx, uint64_t **codes, int *count)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_event_encoding(
    str: *const c_char,
    dfl_plm: c_int,
    fstr: *mut *mut c_char,
    idx: *mut c_int,
    codes: *mut *mut u64,
    count: *mut c_int,
) -> c_int {
    answer(|| {
        if str.is_null() || codes.is_null() || count.is_null() {
            return Err(INVAL);
        }
        // SAFETY: the caller's pointer, which is not null.
        let codes_in = unsafe { codes.read() };
        // SAFETY: as above.
        let count_in = unsafe { count.read() };
        let mut args = RawArguments {
            codes: codes_in,
            fstr,
            size: size_of::<RawArguments>(),
            count: count_in,
            idx: 0,
        };
        let library = Library::current()?;
        // SAFETY: the caller's string.
        let event = unsafe { string(str) };
        // SAFETY: the structure is this function's.
        let checked_args = unsafe { checked(&raw mut args) };
        let (event, checked_args) = (event.ok_or(INVAL)?, checked_args.ok_or(INVAL)?);
        // SAFETY: the pointers in it are the caller's.
        unsafe { encode_raw(library, &event, levels(dfl_plm)?, &checked_args) }?;
        let args = checked_args.read(args);
        // SAFETY: as above.
        unsafe { codes.write(args.codes) };
        // SAFETY: as above.
        unsafe { count.write(args.count) };
        // SAFETY: as above, unless it is null.
        unsafe { places::write(idx, args.idx) };
        Ok(())
    })
}

/// `int pfm_get_perf_event_encoding(const char *str, int dfl_plm, struct perf_event_attr *output, char **fstr, int *idx)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_get_perf_event_encoding(
    str: *const c_char,
    dfl_plm: c_int,
    output: *mut c_void,
    fstr: *mut *mut c_char,
    idx: *mut c_int,
) -> c_int {
    answer(|| {
        let library = Library::current()?;
        // SAFETY: the caller's string.
        let event = unsafe { string(str) };
        let (event, levels) = (event.ok_or(INVAL)?, levels(dfl_plm)?);
        if output.is_null() {
            return Err(INVAL);
        }
        let layer = layer_of(library, 2, NOTSUPP)?;
        let found = library.encode(&event, layer, levels, !fstr.is_null())?;
        // SAFETY: the caller's structure and places.
        unsafe { give_perf(&found, output.cast(), fstr) }?;
        // SAFETY: the caller's place, unless it is null.
        unsafe { places::write(idx, found.index) };
        Ok(())
    })
}

/// `int pfm_pmu_validate(pfm_pmu_t pmu, FILE *fp)`: encodes every event of the PMU with each of its unit masks, and writes
/// what cannot be encoded to the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pfm_pmu_validate(pmu: c_uint, file: *mut c_void) -> c_int {
    unsafe extern "C" {
        fn fputs(text: *const c_char, file: *mut c_void) -> c_int;
    }
    answer(|| {
        let library = Library::current()?;
        if file.is_null() {
            return Err(INVAL);
        }
        let faults = library.faults(library.pmu(pmu)?)?;
        for fault in &faults {
            let line = text::owned(&format!("{fault}\n"));
            // SAFETY: the caller's file, and a string.
            unsafe { fputs(line.as_ptr(), file) };
        }
        if faults.is_empty() { Ok(()) } else { Err(INVAL) }
    })
}

/// Encodes for registers into the caller's arguments.
///
/// # Safety
///
/// `codes` is null or points to `count` numbers, `fstr` is null or points to a pointer.
unsafe fn encode_raw(
    library: &Library,
    event: &str,
    levels: Privilege,
    place: &Checked<RawArguments>,
) -> Result<(), Failed> {
    let mut args = place.read(RawArguments {
        codes: ptr::null_mut(),
        fstr: ptr::null_mut(),
        size: 0,
        count: 0,
        idx: 0,
    });
    // Both are given or both are wanted.
    let count = usize::try_from(args.count).map_err(|_| INVAL)?;
    if args.codes.is_null() != (count == 0) {
        return Err(INVAL);
    }
    let found = library.encode(event, Layer::Raw, levels, !args.fstr.is_null())?;
    report(library, &found);
    let codes: &[u64] = &found.codes;
    if args.codes.is_null() {
        args.codes = text::numbers_to_free(codes);
        if args.codes.is_null() {
            return Err(NOMEM);
        }
    } else if count < codes.len() {
        return Err(TOOSMALL);
    } else {
        // SAFETY: the caller promises `count` numbers, and there are no more.
        unsafe { ptr::copy_nonoverlapping(codes.as_ptr(), args.codes, codes.len()) };
    }
    // SAFETY: the caller's place for the string.
    unsafe { give_string(&found, args.fstr) }?;
    args.count = codes.len() as c_int;
    args.idx = found.index;
    // The size stays as the caller wrote it.
    place.write(&args);
    Ok(())
}

/// Encodes for perf_events into the caller's arguments.
///
/// # Safety
///
/// `attr` is null or points to a `perf_event_attr`, `fstr` is null or points to a pointer.
unsafe fn encode_perf(
    library: &Library,
    event: &str,
    levels: Privilege,
    layer: Layer,
    place: &Checked<PerfArguments>,
) -> Result<(), Failed> {
    let mut args = place.read(PerfArguments {
        attr: ptr::null_mut(),
        fstr: ptr::null_mut(),
        size: 0,
        idx: 0,
        cpu: -1,
        flags: 0,
        pad0: 0,
    });
    if args.attr.is_null() {
        return Err(INVAL);
    }
    let found = library.encode(event, layer, levels, !args.fstr.is_null())?;
    report(library, &found);
    // SAFETY: the caller's structure, which is not null, and place.
    unsafe { give_perf(&found, args.attr, args.fstr) }?;
    let cpu = found.perf.as_ref().and_then(|perf| perf.cpu);
    args.cpu = cpu.and_then(|cpu| c_int::try_from(cpu).ok()).unwrap_or(-1);
    args.idx = found.index;
    args.flags = 0;
    place.write(&args);
    Ok(())
}

/// # Safety
///
/// `attr` points to a `perf_event_attr`, `fstr` is null or points to a pointer.
unsafe fn give_perf(found: &Encoded, attr: *mut u8, fstr: *mut *mut c_char) -> Result<(), Failed> {
    let perf = found.perf.as_ref().ok_or(NOTSUPP)?;
    // SAFETY: the caller's structure.
    let size = unsafe { attr_size(attr, perf) }?;
    // SAFETY: the caller's place for the string.
    unsafe { give_string(found, fstr) }?;
    // SAFETY: the structure has this size.
    unsafe { write_attr(attr, size, perf) };
    Ok(())
}

/// Stores a copy of the string that the caller frees, if it is wanted.
///
/// # Safety
///
/// The place is null, or one for a pointer.
unsafe fn give_string(found: &Encoded, place: *mut *mut c_char) -> Result<(), Failed> {
    if place.is_null() {
        return Ok(());
    }
    let copy = text::to_free(found.string.as_deref().unwrap_or_default());
    if copy.is_null() {
        return Err(NOMEM);
    }
    // SAFETY: the caller promises it.
    unsafe { place.write(copy) };
    Ok(())
}

/// The string of a caller. What is not UTF-8 is in no table, and stays so.
///
/// # Safety
///
/// The pointer is null, or a C string.
#[inline]
unsafe fn string<'a>(string: *const c_char) -> Option<Cow<'a, str>> {
    // SAFETY: the caller promises it.
    unsafe { text::bytes(string) }.map(String::from_utf8_lossy)
}

fn levels(dfl_plm: c_int) -> Result<Privilege, Failed> {
    u32::try_from(dfl_plm).ok().and_then(Privilege::from_bits).ok_or(INVAL)
}

/// The layer of this number. One that the machine lacks is not supported; for one that does not exist the functions
/// have different codes.
fn layer_of(library: &Library, os: c_uint, unknown: Failed) -> Result<Layer, Failed> {
    if os > 2 { Err(unknown) } else { library.layer(os).ok_or(NOTSUPP) }
}

fn speculative(speculative: Speculative) -> c_uint {
    match speculative {
        Speculative::Yes => 1,
        Speculative::No => 2,
        _ => 0,
    }
}

fn or_null(text: Option<&CString>) -> *const c_char {
    text.map_or(ptr::null(), |text| CStr::as_ptr(text))
}

/// The lines that `LIBPFM_VERBOSE` asks for.
#[inline]
fn report(library: &Library, found: &Encoded) {
    if library.settings().verbose {
        let codes: Vec<String> = found.codes.iter().map(|code| format!("{code:#x}")).collect();
        let event = found.string.as_deref().unwrap_or_default();
        library.settings().say(&format!("{event}: {}", codes.join(" ")));
    }
}

/// The number for a result, and for a panic.
fn answer(call: impl FnOnce() -> Result<(), Failed>) -> c_int {
    guarded(NOTSUPP.0, || number(call().map(|()| SUCCESS)))
}
