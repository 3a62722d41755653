//! The structures of PAPI's header, for the releases 7.0 and 7.2.

#![allow(unsafe_code, reason = "structures with pointers are shared by threads")]
#![allow(missing_docs, reason = "the names are those of C")]

use std::ffi::{c_char, c_int, c_uint, c_void};

/// The lengths of strings in structures.
pub(crate) const MIN_LEN: usize = 64;
pub(crate) const MAX_LEN: usize = 128;
pub(crate) const LONG_LEN: usize = 256;
pub(crate) const HUGE_LEN: usize = 1024;

/// The most native events that a structure describes.
pub(crate) const TERMS: usize = 12;

/// Writes a text with a zero at its end, cut to what there is room for.
pub(crate) fn put(place: &mut [u8], text: &str) {
    let Some(room) = place.len().checked_sub(1) else { return };
    let text = text.split('\0').next().unwrap_or_default().as_bytes();
    let length = text.len().min(room);
    place[..length].copy_from_slice(&text[..length]);
    place[length..].fill(0);
}

/// `PAPI_event_info_t` of 7.0; later releases have more behind it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct EventInfo {
    pub event_code: c_uint,
    pub symbol: [u8; HUGE_LEN],
    pub short_descr: [u8; MIN_LEN],
    pub long_descr: [u8; HUGE_LEN],
    pub component_index: c_int,
    pub units: [u8; MIN_LEN],
    /// `location`, `data_type`, `value_type`, `timescope`, `update_type`, `update_freq`.
    pub kinds: [c_int; 6],
    pub count: c_uint,
    pub event_type: c_uint,
    pub derived: [u8; MIN_LEN],
    pub postfix: [u8; LONG_LEN],
    pub code: [c_uint; TERMS],
    pub name: [[u8; LONG_LEN]; TERMS],
    pub note: [u8; HUGE_LEN],
}

/// The members that 7.2 has behind `PAPI_event_info_t` of 7.0. This library has no events with qualifiers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Qualifiers {
    pub num_quals: c_int,
    pub quals: [[u8; HUGE_LEN]; 8],
    pub quals_descrs: [[u8; HUGE_LEN]; 8],
}

impl EventInfo {
    pub(crate) const EMPTY: EventInfo = EventInfo {
        event_code: 0,
        symbol: [0; HUGE_LEN],
        short_descr: [0; MIN_LEN],
        long_descr: [0; HUGE_LEN],
        component_index: 0,
        units: [0; MIN_LEN],
        kinds: [0; 6],
        count: 0,
        event_type: 0,
        derived: [0; MIN_LEN],
        postfix: [0; LONG_LEN],
        code: [0; TERMS],
        name: [[0; LONG_LEN]; TERMS],
        note: [0; HUGE_LEN],
    };
}

impl Qualifiers {
    pub(crate) const NONE: Qualifiers =
        Qualifiers { num_quals: 0, quals: [[0; HUGE_LEN]; 8], quals_descrs: [[0; HUGE_LEN]; 8] };
}

/// The beginning of `PAPI_component_info_t`, the same in all releases.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ComponentNames {
    pub name: [u8; MAX_LEN],
    pub short_name: [u8; MIN_LEN],
    pub description: [u8; MAX_LEN],
    pub version: [u8; MIN_LEN],
    pub support_version: [u8; MIN_LEN],
    pub kernel_version: [u8; MIN_LEN],
    pub disabled_reason: [u8; HUGE_LEN],
    pub disabled: c_int,
}

/// The rest of `PAPI_component_info_t`, the same in all releases.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ComponentNumbers {
    pub initialized: c_int,
    pub cmp_idx: c_int,
    pub num_cntrs: c_int,
    pub num_mpx_cntrs: c_int,
    pub num_preset_events: c_int,
    pub num_native_events: c_int,
    pub default_domain: c_int,
    pub available_domains: c_int,
    pub default_granularity: c_int,
    pub available_granularities: c_int,
    pub hardware_intr_sig: c_int,
    pub component_type: c_int,
}

/// The end of `PAPI_component_info_t`, the same in all releases.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ComponentFlags {
    pub pmu_names: [*const c_char; 80],
    pub reserved: [c_int; 8],
    /// From the lowest bit: `hardware_intr`, `precise_intr`, `posix1b_timers`, `kernel_profile`, `kernel_multiplex`,
    /// `fast_counter_read`, `fast_real_timer`, `fast_virtual_timer`, `attach`, `attach_must_ptrace`, `cntr_umasks`, `cpu`,
    /// `inherit`.
    pub flags: c_uint,
}

/// `PAPI_component_info_t` of 7.0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ComponentInfo {
    pub names: ComponentNames,
    pub numbers: ComponentNumbers,
    pub flags: ComponentFlags,
}

/// `PAPI_component_info_t` of 7.2.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ComponentInfo72 {
    pub names: ComponentNames,
    pub partially_disabled_reason: [u8; HUGE_LEN],
    pub partially_disabled: c_int,
    pub numbers: ComponentNumbers,
    pub flags: ComponentFlags,
}

impl ComponentNames {
    pub(crate) const EMPTY: ComponentNames = ComponentNames {
        name: [0; MAX_LEN],
        short_name: [0; MIN_LEN],
        description: [0; MAX_LEN],
        version: [0; MIN_LEN],
        support_version: [0; MIN_LEN],
        kernel_version: [0; MIN_LEN],
        disabled_reason: [0; HUGE_LEN],
        disabled: 0,
    };
}

/// A structure whose pointers are to memory that is never freed and never changed.
#[derive(Debug)]
pub(crate) struct Kept<T>(pub(crate) T);

// SAFETY: see above.
unsafe impl<T> Send for Kept<T> {}
// SAFETY: see above.
unsafe impl<T> Sync for Kept<T> {}

/// `PAPI_mh_tlb_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct TlbInfo {
    pub kind: c_int,
    pub num_entries: c_int,
    pub page_size: c_int,
    pub associativity: c_int,
}

/// `PAPI_mh_cache_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct CacheInfo {
    pub kind: c_int,
    pub size: c_int,
    pub line_size: c_int,
    pub num_lines: c_int,
    pub associativity: c_int,
}

/// `PAPI_mh_level_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct LevelInfo {
    pub tlb: [TlbInfo; 6],
    pub cache: [CacheInfo; 6],
}

/// `PAPI_hw_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HardwareInfo {
    pub ncpu: c_int,
    pub threads: c_int,
    pub cores: c_int,
    pub sockets: c_int,
    pub nnodes: c_int,
    pub totalcpus: c_int,
    pub vendor: c_int,
    pub vendor_string: [u8; MAX_LEN],
    pub model: c_int,
    pub model_string: [u8; MAX_LEN],
    pub revision: f32,
    pub cpuid_family: c_int,
    pub cpuid_model: c_int,
    pub cpuid_stepping: c_int,
    pub cpu_max_mhz: c_int,
    pub cpu_min_mhz: c_int,
    pub levels: c_int,
    pub level: [LevelInfo; 4],
    pub virtualized: c_int,
    pub virtual_vendor_string: [u8; MAX_LEN],
    pub virtual_vendor_version: [u8; MAX_LEN],
    pub mhz: f32,
    pub clock_mhz: c_int,
    pub reserved: [c_int; 8],
}

/// `PAPI_address_map_t`
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AddressMap {
    pub name: [u8; HUGE_LEN],
    /// The first address and the one past the last, of code, data, and memory that begins as zeros.
    pub text: [usize; 2],
    pub data: [usize; 2],
    pub bss: [usize; 2],
}

/// `PAPI_exe_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ExecutableInfo {
    pub fullname: [u8; HUGE_LEN],
    pub address_info: AddressMap,
}

/// `PAPI_shlib_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct LibrariesInfo {
    pub map: *const AddressMap,
    pub count: c_int,
}

/// `PAPI_dmem_info_t`: `peak`, `size`, `resident`, `high_water_mark`, `shared`, `text`, `library`, `heap`, `locked`, `stack`,
/// `pagesize`, `pte`.
pub type MemoryInfo = [i64; 12];

/// `PAPI_sprofil_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ProfileRegion {
    pub base: *mut c_void,
    pub size: c_uint,
    pub offset: usize,
    pub scale: c_uint,
}

/// `PAPI_preload_info_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct PreloadInfo {
    pub env: [u8; MAX_LEN],
    pub separator: u8,
    pub directories: [u8; MAX_LEN],
    pub directory_separator: u8,
}

/// `PAPI_attach_option_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AttachOption {
    pub eventset: c_int,
    pub tid: usize,
}

/// `PAPI_addr_range_option_t`, and the other options as far as they are numbers: those of an event set have it first, those of
/// a default have the component first.
pub type Numbers = [c_int; 4];

/// `PAPI_debug_option_t`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DebugOption {
    pub level: c_int,
    pub handler: Option<crate::debug::DebugHandler>,
}
