//! The system's libpfm4, loaded at run time.

#![allow(unsafe_code, reason = "a C library is called, by the declarations of its header")]

use counterpoint_pmu::Layer;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn free(memory: *mut c_void);
}

const RTLD_NOW: c_int = 2;

/// The library's functions.
pub struct Libpfm {
    get_pmu_info: unsafe extern "C" fn(c_int, *mut CPmuInfo) -> c_int,
    get_event_next: unsafe extern "C" fn(c_int) -> c_int,
    get_event_info: unsafe extern "C" fn(c_int, c_int, *mut CEventInfo) -> c_int,
    get_event_attr_info: unsafe extern "C" fn(c_int, c_int, c_int, *mut CAttrInfo) -> c_int,
    get_os_event_encoding: unsafe extern "C" fn(*const c_char, c_int, c_int, *mut c_void) -> c_int,
}

/// `pfm_pmu_info_t`
#[repr(C)]
struct CPmuInfo {
    name: *const c_char,
    desc: *const c_char,
    size: usize,
    pmu: c_int,
    kind: c_int,
    events: c_int,
    first_event: c_int,
    /// `max_encoding`, `num_cntrs` and `num_fixed_cntrs`.
    numbers: [c_int; 3],
    flags: u32,
}

/// `pfm_event_info_t`
#[repr(C)]
struct CEventInfo {
    name: *const c_char,
    desc: *const c_char,
    equiv: *const c_char,
    size: usize,
    code: u64,
    pmu: c_int,
    dtype: c_int,
    idx: c_int,
    attributes: c_int,
    reserved: c_int,
    flags: u32,
}

/// `pfm_event_attr_info_t`
#[repr(C)]
struct CAttrInfo {
    name: *const c_char,
    desc: *const c_char,
    equiv: *const c_char,
    size: usize,
    code: u64,
    kind: c_int,
    idx: c_int,
    ctrl: c_int,
    flags: u32,
    default: u64,
}

/// `pfm_pmu_encode_arg_t`
#[repr(C)]
struct CRawArguments {
    codes: *mut u64,
    string: *mut *mut c_char,
    size: usize,
    count: c_int,
    idx: c_int,
}

/// `pfm_perf_encode_arg_t`
#[repr(C)]
struct CPerfArguments {
    attr: *mut u64,
    string: *mut *mut c_char,
    size: usize,
    idx: c_int,
    cpu: c_int,
    flags: c_int,
}

/// A PMU of the library.
pub struct PmuInfo {
    pub name: String,
    pub is_present: bool,
    /// The most codes of an encoding, the counters and the fixed counters.
    pub numbers: [c_int; 3],
    first_event: c_int,
}

/// An event of the library.
pub struct EventInfo {
    pub name: String,
    pub index: c_int,
}

/// The answer to a string: the result's name, the string printed, and codes or fields.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub result: String,
    pub string: String,
    pub words: Vec<u64>,
}

impl Libpfm {
    /// Loads and starts it, such that PMUs of other machines can be encoded for.
    pub fn load() -> Result<Libpfm, String> {
        // SAFETY: no other thread of this program runs yet.
        unsafe { std::env::set_var("LIBPFM_ENCODE_INACTIVE", "1") };
        // SAFETY: the name is a C string; libpfm's constructors do nothing.
        let library = unsafe { dlopen(c"libpfm.so.4".as_ptr(), RTLD_NOW) };
        if library.is_null() {
            return Err("libpfm.so.4 is not installed (Debian: apt-get install libpfm4)".to_owned());
        }
        let symbol = |name: &CStr| {
            // SAFETY: the library was loaded and is never closed.
            let address = unsafe { dlsym(library, name.as_ptr()) };
            if address.is_null() { Err(format!("libpfm has no {name:?}")) } else { Ok(address) }
        };
        let initialize = symbol(c"pfm_initialize")?;
        // SAFETY: the header declares it as `int pfm_initialize(void)`.
        let initialize: unsafe extern "C" fn() -> c_int =
            unsafe { std::mem::transmute(initialize) };
        // SAFETY: it may be called at any time.
        let result = unsafe { initialize() };
        if result != 0 {
            return Err(format!("pfm_initialize: {}", name_of(result)));
        }
        let addresses = [
            symbol(c"pfm_get_pmu_info")?,
            symbol(c"pfm_get_event_next")?,
            symbol(c"pfm_get_event_info")?,
            symbol(c"pfm_get_event_attr_info")?,
            symbol(c"pfm_get_os_event_encoding")?,
        ];
        // SAFETY: the fields have the types that the header declares for these functions, in this order,
        // and a pointer to a function is as large as one to data.
        Ok(unsafe { std::mem::transmute::<[*mut c_void; 5], Libpfm>(addresses) })
    }

    /// Every PMU that it was built with.
    pub fn pmus(&self) -> Vec<PmuInfo> {
        (0..4096).filter_map(|number| self.pmu(number)).collect()
    }

    fn pmu(&self, number: c_int) -> Option<PmuInfo> {
        // SAFETY: all fields may be zero.
        let mut info: CPmuInfo = unsafe { std::mem::zeroed() };
        info.size = size_of::<CPmuInfo>();
        // SAFETY: the size says how much may be written.
        let result = unsafe { (self.get_pmu_info)(number, &mut info) };
        let name = (result == 0).then(|| text(info.name))?;
        let CPmuInfo { numbers, flags, first_event, .. } = info;
        Some(PmuInfo { name, is_present: flags & 1 != 0, numbers, first_event })
    }

    /// The events of a PMU.
    pub fn events(&self, pmu: &PmuInfo) -> Vec<EventInfo> {
        let mut events = Vec::new();
        let mut index = pmu.first_event;
        while index != -1 {
            // SAFETY: all fields may be zero.
            let mut info: CEventInfo = unsafe { std::mem::zeroed() };
            info.size = size_of::<CEventInfo>();
            // SAFETY: the size says how much may be written.
            if unsafe { (self.get_event_info)(index, 0, &mut info) } == 0 {
                events.push(EventInfo { name: text(info.name), index });
            }
            // SAFETY: the index came from the library.
            index = unsafe { (self.get_event_next)(index) };
        }
        events
    }

    /// The names of an event's attributes.
    pub fn attributes(&self, event: c_int, layer: Layer) -> Vec<String> {
        let attribute = |number| {
            // SAFETY: all fields may be zero.
            let mut info: CAttrInfo = unsafe { std::mem::zeroed() };
            info.size = size_of::<CAttrInfo>();
            let layer = layer_number(layer);
            // SAFETY: the size says how much may be written.
            let result = unsafe { (self.get_event_attr_info)(event, number, layer, &mut info) };
            (result == 0).then(|| text(info.name))
        };
        (0..).map_while(attribute).collect()
    }

    /// The encoding of a string, counting in user space and in the kernel.
    pub fn encode(&self, event: &str, layer: Layer) -> Answer {
        let Ok(event) = CString::new(event) else { return Answer::default() };
        let mut string: *mut c_char = ptr::null_mut();
        let mut codes = [0; 4];
        // `perf_event_attr` with its size in the upper half of the first word.
        let mut attr = [0u64; 16];
        attr[0] = 128 << 32;
        let mut raw = CRawArguments {
            codes: codes.as_mut_ptr(),
            string: &mut string,
            size: size_of::<CRawArguments>(),
            count: 4,
            idx: 0,
        };
        let mut perf = CPerfArguments {
            attr: attr.as_mut_ptr(),
            string: &mut string,
            size: size_of::<CPerfArguments>(),
            idx: 0,
            cpu: 0,
            flags: 0,
        };
        let arguments = match layer {
            Layer::Raw => ptr::from_mut(&mut raw).cast(),
            _ => ptr::from_mut(&mut perf).cast(),
        };
        let layer_number = layer_number(layer);
        // SAFETY: the arguments are those of the layer, and what they point to outlives the call.
        let result =
            unsafe { (self.get_os_event_encoding)(event.as_ptr(), 9, layer_number, arguments) };
        let count = usize::try_from(raw.count).unwrap_or(0).min(4);
        let printed = text(string);
        // SAFETY: the library allocates it with malloc for the caller, or leaves it null.
        unsafe { free(string.cast()) };
        if result != 0 {
            return Answer { result: name_of(result), ..Answer::default() };
        }
        let flags = attr[5];
        let excluded = flags >> 4 & 0b111 | flags >> 16 & 0b11000;
        let words = match layer {
            Layer::Raw => codes[..count].to_vec(),
            _ => vec![attr[0] & 0xffff_ffff, attr[1], attr[7], attr[8], excluded],
        };
        Answer { result: "SUCCESS".to_owned(), string: printed, words }
    }
}

fn layer_number(layer: Layer) -> c_int {
    match layer {
        Layer::Raw => 0,
        Layer::PerfEvent => 1,
        Layer::PerfEventExt => 2,
    }
}

fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: the library's strings end in a zero.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

fn name_of(result: c_int) -> String {
    const NAMES: [&str; 13] = [
        "SUCCESS", "NOTSUPP", "INVAL", "NOINIT", "NOTFOUND", "FEATCOMB", "UMASK", "NOMEM", "ATTR",
        "ATTR_VAL", "ATTR_SET", "TOOMANY", "TOOSMALL",
    ];
    let name = usize::try_from(-result).ok().and_then(|number| NAMES.get(number));
    name.map_or_else(|| result.to_string(), |name| (*name).to_owned())
}
