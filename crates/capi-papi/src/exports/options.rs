//! Options of the library and of event sets.

use std::ffi::{c_char, c_int, c_void};

use super::calls::{answer, read, string, succeed, write};
use super::sets::{change, used};
use crate::codes::{ECMP, EINVAL, Failed, OK};
use crate::components::CPU;
use crate::layout::{AttachOption, DebugOption, MAX_LEN, Numbers, PreloadInfo, put};
use crate::library::Library;
use crate::{debug, options, release};

use super::{
    PAPI_attach, PAPI_detach, PAPI_get_component_info, PAPI_get_executable_info,
    PAPI_get_hardware_info, PAPI_get_shared_lib_info, PAPI_num_cmp_hwctrs,
};

const DETACH: c_int = 1;
const DEBUG: c_int = 2;
const MULTIPLEX: c_int = 3;
pub(super) const DEFAULT_DOMAIN: c_int = 4;
pub(super) const DOMAIN: c_int = 5;
pub(super) const DEFAULT_GRANULARITY: c_int = 6;
pub(super) const GRANULARITY: c_int = 7;
const MULTIPLEX_TURN: c_int = 8;
const MOST_MULTIPLEXED: c_int = 11;
const PRELOAD: c_int = 13;
pub(super) const CLOCK_RATE: c_int = 14;
const COUNTERS: c_int = 15;
const HARDWARE: c_int = 16;
const EXECUTABLE: c_int = 17;
const CPUS: c_int = 18;
const ATTACH: c_int = 19;
const LIBRARIES: c_int = 20;
const VERSION: c_int = 21;
const COMPONENT: c_int = 22;
const DATA_RANGE: c_int = 23;
const CODE_RANGE: c_int = 24;
const TIMER: c_int = 25;
const TIMER_TURN: c_int = 26;
const CPU_ATTACH: c_int = 27;
const INHERIT: c_int = 28;
const EVENTS_FILE: c_int = 29;

/// `int PAPI_get_opt(int option, PAPI_option_t *place)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_opt(option: c_int, place: *mut c_void) -> c_int {
    // SAFETY: as the header says.
    unsafe { PAPI_get_cmp_opt(option, place, CPU as c_int) }
}

/// `int PAPI_get_cmp_opt(int option, PAPI_option_t *place, int component)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_cmp_opt(
    option: c_int,
    place: *mut c_void,
    component: c_int,
) -> c_int {
    answer(|| {
        if ![DEBUG, VERSION].contains(&option) {
            Library::current()?;
        }
        options::component(component)?;
        match option {
            DEFAULT_DOMAIN => Ok(options::domain()),
            DEFAULT_GRANULARITY => Ok(options::granularity()),
            MOST_MULTIPLEXED => Ok(options::MOST_MULTIPLEXED),
            CLOCK_RATE => hardware(|info| info.cpu_max_mhz),
            COUNTERS => Ok(PAPI_num_cmp_hwctrs(component)),
            CPUS => hardware(|info| info.ncpu),
            VERSION => Ok(release::version() as c_int),
            _ if place.is_null() => Err(EINVAL),
            // SAFETY: the place is not null, and as large as the header says.
            MULTIPLEX | DOMAIN | GRANULARITY | ATTACH | CPU_ATTACH | INHERIT | DETACH => unsafe {
                of_set(option, place)
            },
            // SAFETY: as above.
            _ => unsafe { of_library(option, place, component) },
        }
    })
}

fn hardware(of: impl Fn(&crate::layout::HardwareInfo) -> c_int) -> Result<c_int, Failed> {
    let info = PAPI_get_hardware_info();
    // SAFETY: it is null, or stays as it is.
    unsafe { info.as_ref() }.map(of).ok_or(EINVAL)
}

/// An option of a set, whose handle is in the structure.
///
/// # Safety
///
/// The place is that of the option's structure.
unsafe fn of_set(option: c_int, place: *mut c_void) -> Result<c_int, Failed> {
    let numbers = place.cast::<c_int>();
    let second = numbers.wrapping_add(1);
    let third = numbers.wrapping_add(2);
    let has_component = matches!(option, DOMAIN | GRANULARITY);
    // SAFETY: as above.
    let handle = unsafe { read(if has_component { second } else { numbers }) }?;
    let own = used(handle)?.1.set()?.options;
    match option {
        MULTIPLEX => {
            // SAFETY: as above.
            unsafe { write(second, options::turn()) }?;
            // SAFETY: as above.
            unsafe { write(third, own.multiplexed.unwrap_or(0)) }?;
            Ok(own.multiplexed.is_some().into())
        }
        // SAFETY: as above.
        DOMAIN => unsafe { write(third, own.domain) }.map(|()| OK),
        // SAFETY: as above.
        GRANULARITY => unsafe { write(third, own.granularity) }.map(|()| OK),
        // SAFETY: as above.
        INHERIT => unsafe { write(second, own.inherit.into()) }.map(|()| OK),
        CPU_ATTACH => {
            // SAFETY: as above.
            unsafe { write(second, own.cpu.unwrap_or(0) as c_int) }?;
            Ok(own.cpu.is_some().into())
        }
        _ => {
            let tid = own.thread.unwrap_or(0) as usize;
            // SAFETY: as above.
            unsafe { write(place.cast(), AttachOption { eventset: handle, tid }) }?;
            // The question is whether the set is detached, or attached.
            Ok((own.thread.is_some() == (option == ATTACH)).into())
        }
    }
}

/// An option of the library.
///
/// # Safety
///
/// The place is that of the option's structure.
unsafe fn of_library(option: c_int, place: *mut c_void, component: c_int) -> Result<c_int, Failed> {
    let pointer = place.cast::<*const c_void>();
    let numbers = place.cast::<c_int>();
    match option {
        DEBUG => {
            let value = DebugOption { level: debug::level(), handler: debug::handler() };
            // SAFETY: as above.
            unsafe { write(place.cast(), value) }
        }
        // SAFETY: as above.
        MULTIPLEX_TURN => unsafe { write(numbers.wrapping_add(1), options::turn()) },
        PRELOAD => {
            let mut value = PreloadInfo {
                env: [0; MAX_LEN],
                separator: b' ',
                directories: [0; MAX_LEN],
                directory_separator: b':',
            };
            put(&mut value.env, "LD_PRELOAD");
            put(&mut value.directories, "LD_LIBRARY_PATH");
            // SAFETY: as above.
            unsafe { write(place.cast(), value) }
        }
        // SAFETY: as above.
        HARDWARE => unsafe { write(pointer, PAPI_get_hardware_info().cast()) },
        // SAFETY: as above.
        EXECUTABLE => unsafe { write(pointer, PAPI_get_executable_info().cast()) },
        // SAFETY: as above.
        LIBRARIES => unsafe { write(pointer, PAPI_get_shared_lib_info().cast()) },
        // SAFETY: as above.
        COMPONENT => unsafe { write(pointer, PAPI_get_component_info(component)) },
        TIMER => {
            // `ITIMER_PROF` and `SIGPROF`, which PAPI uses where the kernel does not count.
            let value: [c_int; 3] = [2, 27, options::turn()];
            // SAFETY: as above.
            unsafe { write(place.cast(), value) }
        }
        // SAFETY: as above.
        TIMER_TURN => unsafe { write(numbers.wrapping_add(2), options::turn()) },
        _ => Err(EINVAL),
    }
    .map(|()| OK)
}

/// `int PAPI_set_opt(int option, PAPI_option_t *place)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_set_opt(option: c_int, place: *mut c_void) -> c_int {
    answer(|| {
        if option != DEBUG {
            Library::current()?;
        }
        if place.is_null() {
            return Err(EINVAL);
        }
        match option {
            DEBUG => {
                // SAFETY: as the header says.
                let value = unsafe { read(place.cast::<DebugOption>()) }?;
                debug::set_level(value.level)?;
                debug::set_handler(value.handler);
                Ok(OK)
            }
            ATTACH => {
                // SAFETY: as the header says.
                let value = unsafe { read(place.cast::<AttachOption>()) }?;
                Ok(PAPI_attach(value.eventset, value.tid as std::ffi::c_ulong))
            }
            EVENTS_FILE => {
                // SAFETY: as the header says.
                let path = unsafe { read(place.cast::<*const c_char>()) }?;
                // SAFETY: as the header says.
                Library::current()?.with_events(unsafe { string(path) }?).map(|()| OK)
            }
            DATA_RANGE | CODE_RANGE => Err(ECMP),
            // SAFETY: the other structures begin with numbers.
            _ => set(option, unsafe { numbers(option, place) }?),
        }
    })
}

/// The numbers of an option's structure.
///
/// # Safety
///
/// The place is that of the option's structure.
unsafe fn numbers(option: c_int, place: *const c_void) -> Result<Numbers, Failed> {
    let count = match option {
        DETACH => 1,
        MULTIPLEX_TURN | CPU_ATTACH | INHERIT => 2,
        MULTIPLEX | DEFAULT_DOMAIN | DOMAIN | DEFAULT_GRANULARITY | GRANULARITY | TIMER_TURN => 3,
        TIMER => 4,
        _ => return Err(EINVAL),
    };
    let mut numbers = Numbers::default();
    for (place, number) in
        (0..count).map(|at| place.cast::<c_int>().wrapping_add(at)).zip(&mut numbers)
    {
        // SAFETY: as above.
        *number = unsafe { read(place) }?;
    }
    Ok(numbers)
}

fn set(option: c_int, [first, second, third, _]: Numbers) -> Result<c_int, Failed> {
    match option {
        DETACH => return Ok(PAPI_detach(first)),
        DEFAULT_DOMAIN => return Ok(PAPI_set_cmp_domain(third, first)),
        DEFAULT_GRANULARITY => return Ok(PAPI_set_cmp_granularity(third, first)),
        MULTIPLEX_TURN => options::set_turn(second),
        TIMER | TIMER_TURN => options::set_turn(third),
        MULTIPLEX => change(first, |options| match options.multiplexed.replace(third) {
            None => Ok(()),
            Some(_) => Err(EINVAL),
        }),
        DOMAIN => change(second, |options| {
            options.domain = options::domain_of_set(third)?;
            Ok(())
        }),
        GRANULARITY => change(second, |options| {
            options::check_granularity(third)?;
            options.granularity = third;
            options.cpu = (third == options::SYSTEM).then(crate::threads::cpu);
            Ok(())
        }),
        CPU_ATTACH => change(first, |options| {
            options.cpu = Some(u32::try_from(second).map_err(|_| EINVAL)?);
            Ok(())
        }),
        _ => change(first, |options| {
            options.inherit = second != 0;
            Ok(())
        }),
    }
    .map(|()| OK)
}

/// `int PAPI_set_domain(int domain)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_domain(domain: c_int) -> c_int {
    PAPI_set_cmp_domain(domain, CPU as c_int)
}

/// `int PAPI_set_granularity(int granularity)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_granularity(granularity: c_int) -> c_int {
    PAPI_set_cmp_granularity(granularity, CPU as c_int)
}

/// `int PAPI_set_cmp_domain(int domain, int component)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_cmp_domain(domain: c_int, component: c_int) -> c_int {
    succeed(|| {
        Library::current()?;
        options::set_domain(domain, component)
    })
}

/// `int PAPI_set_cmp_granularity(int granularity, int component)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_set_cmp_granularity(granularity: c_int, component: c_int) -> c_int {
    succeed(|| {
        Library::current()?;
        options::set_granularity(granularity, component)
    })
}
