//! The machine, the process, and clocks.

use std::ffi::c_int;
use std::{iter, ptr};

use counterpoint::perf::Host;
use counterpoint_capi::{Current, Lasting, guarded};

use super::calls::{succeed, write};
use crate::codes::EBUG;
use crate::layout::{AddressMap, ExecutableInfo, HardwareInfo, Kept, LibrariesInfo, MemoryInfo};
use crate::library::Library;
use crate::{hardware, memory, timers};

/// `const PAPI_hw_info_t *PAPI_get_hardware_info(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_hardware_info() -> *const HardwareInfo {
    static INFO: Lasting<HardwareInfo> = Lasting::new();
    guarded(ptr::null(), || match Library::current() {
        Ok(library) => ptr::from_ref(INFO.get_or_make(|| hardware::read(&library.host))),
        Err(_) => ptr::null(),
    })
}

/// `const PAPI_exe_info_t *PAPI_get_executable_info(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_executable_info() -> *const ExecutableInfo {
    static INFO: Lasting<ExecutableInfo> = Lasting::new();
    guarded(ptr::null(), || match Library::current() {
        Ok(library) => ptr::from_ref(INFO.get_or_make(|| memory::executable(&library.host))),
        Err(_) => ptr::null(),
    })
}

/// `const PAPI_shlib_info_t *PAPI_get_shared_lib_info(void)`: the libraries that are loaded now. What an earlier call has returned
/// stays as it was.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_shared_lib_info() -> *const LibrariesInfo {
    guarded(ptr::null(), || match Library::current() {
        Ok(library) => ptr::from_ref(&libraries(&library.host).info.0),
        Err(_) => ptr::null(),
    })
}

/// The libraries that were loaded at some time, and the structure that points to them.
struct Libraries {
    maps: Vec<AddressMap>,
    info: Kept<LibrariesInfo>,
    /// The list that was made before this one.
    before: Option<&'static Libraries>,
}

/// Those that are loaded: the list of an earlier call, unless there is none like it.
fn libraries(host: &Host) -> &'static Libraries {
    static LATEST: Current<Libraries> = Current::none();
    let maps = memory::libraries(host);
    loop {
        let before = LATEST.get();
        let mut lists = iter::successors(before, |list| list.before);
        if let Some(known) = lists.find(|list| list.maps == maps) {
            return known;
        }
        let (maps, count) = (maps.clone(), maps.len() as c_int);
        let info = Kept(LibrariesInfo { map: maps.as_ptr(), count });
        // If another thread is quicker, its list may be another one.
        LATEST.put(before, Box::new(Libraries { maps, info, before }));
    }
}

/// `int PAPI_get_dmem_info(PAPI_dmem_info_t *info)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn PAPI_get_dmem_info(place: *mut MemoryInfo) -> c_int {
    succeed(|| {
        let library = Library::current()?;
        // SAFETY: as the header says.
        unsafe { write(place, memory::sizes(&library.host)) }
    })
}

/// `long long PAPI_get_real_cyc(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_real_cyc() -> i64 {
    guarded(EBUG.0.into(), timers::real_cycles)
}

/// `long long PAPI_get_real_nsec(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_real_nsec() -> i64 {
    timers::real()
}

/// `long long PAPI_get_real_usec(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_real_usec() -> i64 {
    timers::real() / 1000
}

/// `long long PAPI_get_virt_cyc(void)`: the first call reads the rate of the processor from files.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_virt_cyc() -> i64 {
    guarded(EBUG.0.into(), timers::virt_cycles)
}

/// `long long PAPI_get_virt_nsec(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_virt_nsec() -> i64 {
    timers::virt()
}

/// `long long PAPI_get_virt_usec(void)`
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_virt_usec() -> i64 {
    timers::virt() / 1000
}
