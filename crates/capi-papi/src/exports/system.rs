//! The machine, the process, and clocks.

use std::ffi::c_int;
use std::ptr;

use counterpoint::perf::Host;
use counterpoint_capi::{Lasting, guarded};

use super::{succeed, write};
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

/// `const PAPI_shlib_info_t *PAPI_get_shared_lib_info(void)`: the libraries that are loaded at the first call.
#[unsafe(no_mangle)]
pub extern "C" fn PAPI_get_shared_lib_info() -> *const LibrariesInfo {
    static INFO: Lasting<Kept<LibrariesInfo>> = Lasting::new();
    guarded(ptr::null(), || match Library::current() {
        Ok(library) => ptr::from_ref(&INFO.get_or_make(|| libraries(&library.host)).0),
        Err(_) => ptr::null(),
    })
}

fn libraries(host: &Host) -> Kept<LibrariesInfo> {
    let maps: &'static [AddressMap] = memory::libraries(host).leak();
    Kept(LibrariesInfo { map: maps.as_ptr(), count: maps.len() as c_int })
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
