//! The functions for Fortran: each takes all by reference, and the lengths of strings after the other arguments.
//!
//! Compilers spell names in four ways, and so each function has four names. PAPI spells three of them in its own way too.

#![allow(missing_docs, reason = "each does what the function of C with the same name does")]
#![allow(clippy::multiple_unsafe_ops_per_block, reason = "all arguments are references of Fortran")]
#![allow(clippy::too_many_arguments, reason = "the interface is PAPI's")]
#![allow(unused_unsafe, reason = "one function has no arguments")]

use std::ffi::{CString, c_char, c_int, c_ulong};
use std::ptr;

use counterpoint_capi::{guarded, text};

use super::options::{CLOCK_RATE, DEFAULT_DOMAIN, DEFAULT_GRANULARITY, DOMAIN, GRANULARITY};
use super::*;
use crate::codes::{EINVAL, Failed};
use crate::devices;
use crate::layout::{EventInfo, Numbers};
use crate::threads::NumberThread;

/// A name of a Fortran program: without the blanks at its end.
///
/// # Safety
///
/// The pointer is to so many bytes.
unsafe fn name(place: *const c_char, length: c_int) -> CString {
    // SAFETY: as above.
    let text = unsafe { text::of_fortran(place, length) }.unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

/// Fills a string of a Fortran program, with blanks at its end.
///
/// # Safety
///
/// The pointer is to so many bytes.
unsafe fn fill(place: *mut c_char, length: c_int, text: &[u8]) {
    let length = usize::try_from(length).unwrap_or(0);
    if place.is_null() {
        return;
    }
    // SAFETY: as above.
    let bytes = unsafe { std::slice::from_raw_parts_mut(place.cast::<u8>(), length) };
    let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = text.get(at).copied().unwrap_or(b' ');
    }
}

/// Defines functions under each of their names.
macro_rules! fortran {
    ($([$($name:ident)*] $arguments:tt $body:block)*) => {
        $(fortran!(@each [$($name)*] $arguments $body);)*
    };
    (@each [$($name:ident)*] $arguments:tt $body:block) => {
        $(fortran!(@one $name $arguments $body);)*
    };
    (@one $name:ident ($($argument:ident: $of:ty),*) $body:block) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $of),*) {
            // SAFETY: a Fortran program passes references to variables of these types.
            guarded((), || unsafe { $body })
        }
    };
}

type Int = *mut c_int;
type Long = *mut i64;
type Real = *mut f32;
type Text = *mut c_char;

fortran! {
    [papif_accum papif_accum_ papif_accum__ PAPIF_ACCUM]
    (set: Int, values: Long, check: Int) { *check = PAPI_accum(*set, values); }
    [papif_add_event papif_add_event_ papif_add_event__ PAPIF_ADD_EVENT]
    (set: Int, event: Int, check: Int) { *check = PAPI_add_event(*set, *event); }
    [papif_add_named_event papif_add_named_event_ papif_add_named_event__ PAPIF_ADD_NAMED_EVENT]
    (set: Int, event: Text, check: Int, length: c_int) {
        *check = PAPI_add_named_event(*set, name(event, length).as_ptr());
    }
    [papif_add_events papif_add_events_ papif_add_events__ PAPIF_ADD_EVENTS]
    (set: Int, events: Int, count: Int, check: Int) {
        *check = PAPI_add_events(*set, events, *count);
    }
    [papif_cleanup_eventset papif_cleanup_eventset_ papif_cleanup_eventset__ PAPIF_CLEANUP_EVENTSET]
    (set: Int, check: Int) { *check = PAPI_cleanup_eventset(*set); }
    [papif_create_eventset papif_create_eventset_ papif_create_eventset__ PAPIF_CREATE_EVENTSET]
    (set: Int, check: Int) { *check = PAPI_create_eventset(set); }
    [papif_assign_eventset_component papif_assign_eventset_component_
     papif_assign_eventset_component__ PAPIF_ASSIGN_EVENTSET_COMPONENT]
    (set: Int, component: Int, check: Int) {
        *check = PAPI_assign_eventset_component(*set, *component);
    }
    [papif_destroy_eventset papif_destroy_eventset_ papif_destroy_eventset__ PAPIF_DESTROY_EVENTSET]
    (set: Int, check: Int) { *check = PAPI_destroy_eventset(set); }
    [papif_get_dmem_info papif_get_dmem_info_ papif_get_dmem_info__ PAPIF_GET_DMEM_INFO]
    (sizes: Long, check: Int) { *check = PAPI_get_dmem_info(sizes.cast()); }
    [papif_get_exe_info papif_get_exe_info_ papif_get_exe_info__ PAPIF_GET_EXE_INFO]
    (path: Text, file: Text, text_start: Long, text_end: Long, data_start: Long, data_end: Long,
     bss_start: Long, bss_end: Long, check: Int, path_length: c_int, file_length: c_int) {
        let info = PAPI_get_executable_info();
        *check = if info.is_null() { -1 } else { 0 };
        if let Some(info) = info.as_ref() {
            let map = &info.address_info;
            fill(path, path_length, &info.fullname);
            fill(file, file_length, &map.name);
            [*text_start, *text_end] = map.text.map(|address| address as i64);
            [*data_start, *data_end] = map.data.map(|address| address as i64);
            [*bss_start, *bss_end] = map.bss.map(|address| address as i64);
        }
    }
    [papif_get_hardware_info papif_get_hardware_info_ papif_get_hardware_info__
     PAPIF_GET_HARDWARE_INFO]
    (cpus: Int, nodes: Int, all_cpus: Int, vendor: Int, vendor_name: Text, model: Int,
     model_name: Text, revision: Real, megahertz: Real, vendor_length: c_int,
     model_length: c_int) {
        if let Some(info) = PAPI_get_hardware_info().as_ref() {
            (*cpus, *nodes, *all_cpus) = (info.ncpu, info.nnodes, info.totalcpus);
            (*vendor, *model, *revision) = (info.vendor, info.model, info.revision);
            *megahertz = info.cpu_max_mhz as f32;
            fill(vendor_name, vendor_length, &info.vendor_string);
            fill(model_name, model_length, &info.model_string);
        }
    }
    [papif_num_hwctrs papif_num_hwctrs_ papif_num_hwctrs__ PAPIF_NUM_HWCTRS PAPIF_num_hwctrs]
    (count: Int) { *count = PAPI_num_hwctrs(); }
    [papif_num_cmp_hwctrs papif_num_cmp_hwctrs_ papif_num_cmp_hwctrs__ PAPIF_NUM_CMP_HWCTRS
     PAPIF_num_cmp_hwctrs]
    (component: Int, count: Int) { *count = PAPI_num_cmp_hwctrs(*component); }
    [papif_get_real_cyc papif_get_real_cyc_ papif_get_real_cyc__ PAPIF_GET_REAL_CYC]
    (cycles: Long) { *cycles = PAPI_get_real_cyc(); }
    [papif_get_real_usec papif_get_real_usec_ papif_get_real_usec__ PAPIF_GET_REAL_USEC]
    (time: Long) { *time = PAPI_get_real_usec(); }
    [papif_get_real_nsec papif_get_real_nsec_ papif_get_real_nsec__ PAPIF_GET_REAL_NSEC]
    (time: Long) { *time = PAPI_get_real_nsec(); }
    [papif_get_virt_cyc papif_get_virt_cyc_ papif_get_virt_cyc__ PAPIF_GET_VIRT_CYC]
    (cycles: Long) { *cycles = PAPI_get_virt_cyc(); }
    [papif_get_virt_usec papif_get_virt_usec_ papif_get_virt_usec__ PAPIF_GET_VIRT_USEC]
    (time: Long) { *time = PAPI_get_virt_usec(); }
    [papif_is_initialized papif_is_initialized_ papif_is_initialized__ PAPIF_IS_INITIALIZED]
    (level: Int) { *level = PAPI_is_initialized(); }
    [papif_library_init papif_library_init_ papif_library_init__ PAPIF_LIBRARY_INIT]
    (check: Int) { *check = PAPI_library_init(*check); }
    [papif_thread_id papif_thread_id_ papif_thread_id__ PAPIF_THREAD_ID]
    (number: *mut c_ulong) { *number = PAPI_thread_id(); }
    [papif_register_thread papif_register_thread_ papif_register_thread__ PAPIF_REGISTER_THREAD]
    (check: Int) { *check = PAPI_register_thread(); }
    [papif_unregister_thread papif_unregister_thread_ papif_unregister_thread__
     PAPIF_UNREGISTER_THREAD papif_unregster_thread papif_unregster_thread_
     papif_unregster_thread__ PAPIF_UNREGSTER_THREAD]
    (check: Int) { *check = PAPI_unregister_thread(); }
    [papif_thread_init papif_thread_init_ papif_thread_init__ PAPIF_THREAD_INIT]
    (number: Option<NumberThread>, check: Int) { *check = PAPI_thread_init(number); }
    [papif_list_events papif_list_events_ papif_list_events__ PAPIF_LIST_EVENTS]
    (set: Int, events: Int, count: Int, check: Int) {
        *check = PAPI_list_events(*set, events, count);
    }
    [papif_multiplex_init papif_multiplex_init_ papif_multiplex_init__ PAPIF_MULTIPLEX_INIT]
    (check: Int) { *check = PAPI_multiplex_init(); }
    [papif_get_multiplex papif_get_multiplex_ papif_get_multiplex__ PAPIF_GET_MULTIPLEX]
    (set: Int, check: Int) { *check = PAPI_get_multiplex(*set); }
    [papif_set_multiplex papif_set_multiplex_ papif_set_multiplex__ PAPIF_SET_MULTIPLEX]
    (set: Int, check: Int) { *check = PAPI_set_multiplex(*set); }
    [papif_perror papif_perror_ papif_perror__ PAPIF_PERROR]
    (text: Text, length: c_int) { PAPI_perror(name(text, length).as_ptr()); }
    [papif_query_event papif_query_event_ papif_query_event__ PAPIF_QUERY_EVENT]
    (event: Int, check: Int) { *check = PAPI_query_event(*event); }
    [papif_query_named_event papif_query_named_event_ papif_query_named_event__
     PAPIF_QUERY_NAMED_EVENT]
    (event: Text, check: Int, length: c_int) {
        *check = PAPI_query_named_event(name(event, length).as_ptr());
    }
    [papif_get_event_info papif_get_event_info_ papif_get_event_info__ PAPIF_GET_EVENT_INFO]
    (event: Int, symbol: Text, long: Text, short: Text, count: Int, note: Text, _flags: Int,
     check: Int, symbol_length: c_int, long_length: c_int, short_length: c_int,
     note_length: c_int) {
        let info = of_event(*event);
        *check = info.as_ref().map_or_else(|code| *code, |_| 0);
        if let Ok(info) = info {
            fill(symbol, symbol_length, &info.symbol);
            fill(long, long_length, &info.long_descr);
            fill(short, short_length, &info.short_descr);
            fill(note, note_length, &info.note);
            *count = info.count as c_int;
        }
    }
    [papif_event_code_to_name papif_event_code_to_name_ papif_event_code_to_name__
     PAPIF_EVENT_CODE_TO_NAME]
    (event: Int, place: Text, check: Int, length: c_int) {
        let mut text = [0_u8; crate::layout::MAX_LEN];
        *check = PAPI_event_code_to_name(*event, text.as_mut_ptr().cast());
        fill(place, length, &text);
    }
    [papif_event_name_to_code papif_event_name_to_code_ papif_event_name_to_code__
     PAPIF_EVENT_NAME_TO_CODE]
    (event: Text, code: Int, check: Int, length: c_int) {
        *check = PAPI_event_name_to_code(name(event, length).as_ptr(), code);
    }
    [papif_num_events papif_num_events_ papif_num_events__ PAPIF_NUM_EVENTS]
    (set: Int, count: Int) { *count = PAPI_num_events(*set); }
    [papif_enum_event papif_enum_event_ papif_enum_event__ PAPIF_ENUM_EVENT]
    (event: Int, modifier: Int, check: Int) { *check = PAPI_enum_event(event, *modifier); }
    [papif_read papif_read_ papif_read__ PAPIF_READ]
    (set: Int, values: Long, check: Int) { *check = PAPI_read(*set, values); }
    [papif_read_ts papif_read_ts_ papif_read_ts__ PAPIF_READ_TS]
    (set: Int, values: Long, cycles: Long, check: Int) {
        *check = PAPI_read_ts(*set, values, cycles);
    }
    [papif_remove_event papif_remove_event_ papif_remove_event__ PAPIF_REMOVE_EVENT]
    (set: Int, event: Int, check: Int) { *check = PAPI_remove_event(*set, *event); }
    [papif_remove_named_event papif_remove_named_event_ papif_remove_named_event__
     PAPIF_REMOVE_NAMED_EVENT]
    (set: Int, event: Text, check: Int, length: c_int) {
        *check = PAPI_remove_named_event(*set, name(event, length).as_ptr());
    }
    [papif_remove_events papif_remove_events_ papif_remove_events__ PAPIF_REMOVE_EVENTS]
    (set: Int, events: Int, count: Int, check: Int) {
        *check = PAPI_remove_events(*set, events, *count);
    }
    [papif_reset papif_reset_ papif_reset__ PAPIF_RESET]
    (set: Int, check: Int) { *check = PAPI_reset(*set); }
    [papif_set_debug papif_set_debug_ papif_set_debug__ PAPIF_SET_DEBUG]
    (level: Int, check: Int) { *check = PAPI_set_debug(*level); }
    [papif_set_domain papif_set_domain_ papif_set_domain__ PAPIF_SET_DOMAIN]
    (domain: Int, check: Int) { *check = PAPI_set_domain(*domain); }
    [papif_set_cmp_domain papif_set_cmp_domain_ papif_set_cmp_domain__ PAPIF_SET_CMP_DOMAIN]
    (domain: Int, component: Int, check: Int) {
        *check = PAPI_set_cmp_domain(*domain, *component);
    }
    [papif_set_granularity papif_set_granularity_ papif_set_granularity__ PAPIF_SET_GRANULARITY]
    (granularity: Int, check: Int) { *check = PAPI_set_granularity(*granularity); }
    [papif_set_cmp_granularity papif_set_cmp_granularity_ papif_set_cmp_granularity__
     PAPIF_SET_CMP_GRANULARITY]
    (granularity: Int, component: Int, check: Int) {
        *check = PAPI_set_cmp_granularity(*granularity, *component);
    }
    [papif_shutdown papif_shutdown_ papif_shutdown__ PAPIF_SHUTDOWN] () { PAPI_shutdown(); }
    [papif_start papif_start_ papif_start__ PAPIF_START]
    (set: Int, check: Int) { *check = PAPI_start(*set); }
    [papif_state papif_state_ papif_state__ PAPIF_STATE]
    (set: Int, state: Int, check: Int) { *check = PAPI_state(*set, state); }
    [papif_stop papif_stop_ papif_stop__ PAPIF_STOP]
    (set: Int, values: Long, check: Int) { *check = PAPI_stop(*set, values); }
    [papif_write papif_write_ papif_write__ PAPIF_WRITE]
    (set: Int, values: Long, check: Int) { *check = PAPI_write(*set, values); }
    [papif_lock papif_lock_ papif_lock__ PAPIF_LOCK]
    (lock: Int, check: Int) { *check = PAPI_lock(*lock); }
    [papif_unlock papif_unlock_ papif_unlock__ PAPIF_UNLOCK PAPIF_unlock]
    (lock: Int, check: Int) { *check = PAPI_unlock(*lock); }
    [papif_get_clockrate papif_get_clockrate_ papif_get_clockrate__ PAPIF_GET_CLOCKRATE]
    (megahertz: Int) { *megahertz = PAPI_get_opt(CLOCK_RATE, ptr::null_mut()); }
    [papif_get_preload papif_get_preload_ papif_get_preload__ PAPIF_GET_PRELOAD]
    (place: Text, check: Int, length: c_int) {
        fill(place, length, b"LD_PRELOAD");
        *check = 0;
    }
    [papif_get_granularity papif_get_granularity_ papif_get_granularity__ PAPIF_GET_GRANULARITY]
    (set: Int, granularity: Int, mode: Int, check: Int) {
        *check = of_set_or_default(*set, *mode, [DEFAULT_GRANULARITY, GRANULARITY], granularity);
    }
    [papif_get_domain papif_get_domain_ papif_get_domain__ PAPIF_GET_DOMAIN]
    (set: Int, domain: Int, mode: Int, check: Int) {
        *check = of_set_or_default(*set, *mode, [DEFAULT_DOMAIN, DOMAIN], domain);
    }
    [papif_set_event_domain papif_set_event_domain_ papif_set_event_domain__ PAPIF_SET_EVENT_DOMAIN]
    (set: Int, domain: Int, check: Int) {
        let mut option: Numbers = [0, *set, *domain, 0];
        *check = PAPI_set_opt(DOMAIN, option.as_mut_ptr().cast());
    }
    [papif_set_inherit papif_set_inherit_ papif_set_inherit__ PAPIF_SET_INHERIT]
    (_inherit: Int, check: Int) { *check = EINVAL.0; }
    [papif_ipc papif_ipc_ papif_ipc__ PAPIF_IPC]
    (real: Real, process: Real, count: Long, rate: Real, check: Int) {
        *check = PAPI_ipc(real, process, count, rate);
    }
    [papif_epc papif_epc_ papif_epc__ PAPIF_EPC]
    (event: Int, real: Real, process: Real, reference: Long, core: Long, count: Long, rate: Real,
     check: Int) {
        *check = PAPI_epc(*event, real, process, reference, core, count, rate);
    }
    [papif_flips_rate papif_flips_rate_ papif_flips_rate__ PAPIF_FLIPS_RATE]
    (event: Int, real: Real, process: Real, count: Long, rate: Real, check: Int) {
        *check = PAPI_flips_rate(*event, real, process, count, rate);
    }
    [papif_flops_rate papif_flops_rate_ papif_flops_rate__ PAPIF_FLOPS_RATE]
    (event: Int, real: Real, process: Real, count: Long, rate: Real, check: Int) {
        *check = PAPI_flops_rate(*event, real, process, count, rate);
    }
    [papif_rate_stop papif_rate_stop_ papif_rate_stop__ PAPIF_RATE_STOP]
    (check: Int) { *check = PAPI_rate_stop(); }
    [papif_enum_dev_type papif_enum_dev_type_ papif_enum_dev_type__ PAPIF_ENUM_DEV_TYPE]
    (modifier: Int, handle: Int, check: Int) {
        let mut found = ptr::null_mut();
        *check = PAPI_enum_dev_type(*modifier, &mut found);
        *handle = devices::number(found);
    }
    [papif_get_dev_type_attr papif_get_dev_type_attr_ papif_get_dev_type_attr__
     PAPIF_GET_DEV_TYPE_ATTR]
    (handle: Int, attribute: Int, number: Int, text: Text, check: Int, length: c_int) {
        let value = devices::type_attribute(*handle, *attribute);
        *check = give(value, number, text, length);
    }
    [papif_get_dev_attr papif_get_dev_attr_ papif_get_dev_attr__ PAPIF_GET_DEV_ATTR]
    (handle: Int, device: Int, attribute: Int, number: Int, text: Text, check: Int,
     length: c_int) {
        let value = devices::attribute(*handle, *device, *attribute);
        *check = give(value, number, text, length);
    }
    [papif_hl_region_begin papif_hl_region_begin_ papif_hl_region_begin__ PAPIF_HL_REGION_BEGIN]
    (region: Text, check: Int, length: c_int) {
        *check = PAPI_hl_region_begin(name(region, length).as_ptr());
    }
    [papif_hl_read papif_hl_read_ papif_hl_read__ PAPIF_HL_READ]
    (region: Text, check: Int, length: c_int) {
        *check = PAPI_hl_read(name(region, length).as_ptr());
    }
    [papif_hl_region_end papif_hl_region_end_ papif_hl_region_end__ PAPIF_HL_REGION_END]
    (region: Text, check: Int, length: c_int) {
        *check = PAPI_hl_region_end(name(region, length).as_ptr());
    }
    [papif_hl_stop papif_hl_stop_ papif_hl_stop__ PAPIF_HL_STOP]
    (check: Int) { *check = PAPI_hl_stop(); }
}

/// The structure of an event, or the error's code.
fn of_event(event: c_int) -> Result<EventInfo, c_int> {
    let mut place = std::mem::MaybeUninit::<(EventInfo, crate::layout::Qualifiers)>::zeroed();
    let info = place.as_mut_ptr().cast::<EventInfo>();
    // SAFETY: there is room for the structure of any release.
    match unsafe { PAPI_get_event_info(event, info) } {
        // SAFETY: any bytes are a value, and they are zeros where nothing was written.
        0 => Ok(unsafe { info.read() }),
        code => Err(code),
    }
}

/// An option of a set, or that of new sets.
///
/// # Safety
///
/// The place can be written.
unsafe fn of_set_or_default(set: c_int, mode: c_int, options: [c_int; 2], place: Int) -> c_int {
    let mut option: Numbers = [0, set, 0, 0];
    let [default, own] = options;
    let value = match mode {
        // SAFETY: the option needs no structure.
        _ if mode == default => unsafe { PAPI_get_opt(mode, ptr::null_mut()) },
        _ if mode == own => {
            // SAFETY: its structure is three numbers.
            let result = unsafe { PAPI_get_opt(mode, option.as_mut_ptr().cast()) };
            if result < 0 {
                return result;
            }
            option[2]
        }
        _ => return EINVAL.0,
    };
    if value < 0 {
        return value;
    }
    // SAFETY: as above.
    unsafe { place.write(value) };
    0
}

/// Writes the value of an attribute of a device.
///
/// # Safety
///
/// The places can be written, the text as long as it says.
unsafe fn give(
    value: Result<devices::Value, Failed>,
    number: Int,
    text: Text,
    length: c_int,
) -> c_int {
    match value {
        // SAFETY: as above.
        Ok(devices::Value::Number(value)) => unsafe { number.write(value) },
        // SAFETY: as above.
        Ok(devices::Value::Text(value)) => unsafe { fill(text, length, value.to_bytes()) },
        Err(failed) => return failed.0,
    }
    0
}
