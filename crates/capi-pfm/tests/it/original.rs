//! This library beside the system's libpfm4, through the same functions.

use std::ffi::c_void;

use super::alone::alone;
use super::corrections::Corrections;
use super::*;

/// The answers that are known to differ, because the tables here are those of a later release.
const RELEASES: &str = include_str!("../../../pmu/DIFFERENCES.md");

/// The functions of a library.
struct Api {
    get_pmu_info: unsafe extern "C" fn(u32, *mut PmuInfo) -> c_int,
    get_event_next: extern "C" fn(c_int) -> c_int,
    get_event_info: unsafe extern "C" fn(c_int, u32, *mut EventInfo) -> c_int,
    get_event_attr_info: unsafe extern "C" fn(c_int, c_int, u32, *mut AttrInfo) -> c_int,
    get_os_event_encoding: unsafe extern "C" fn(*const c_char, c_int, u32, *mut c_void) -> c_int,
    find_event: unsafe extern "C" fn(*const c_char) -> c_int,
}

const OURS: Api = Api {
    get_pmu_info: pfm::pfm_get_pmu_info,
    get_event_next: pfm::pfm_get_event_next,
    get_event_info: pfm::pfm_get_event_info,
    get_event_attr_info: pfm::pfm_get_event_attr_info,
    get_os_event_encoding: pfm::pfm_get_os_event_encoding,
    find_event: pfm::pfm_find_event,
};

/// The system's library, started.
fn original() -> Option<Api> {
    unsafe extern "C" {
        fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
        fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    // SAFETY: a C string; 2 is RTLD_NOW.
    let library = unsafe { dlopen(c"libpfm.so.4".as_ptr(), 2) };
    if library.is_null() {
        println!("skipped: needs libpfm4 (Debian: libpfm4)");
        return None;
    }
    let symbol = |name: &CStr| {
        // SAFETY: the library stays loaded.
        let address = unsafe { dlsym(library, name.as_ptr()) };
        assert!(!address.is_null(), "{name:?}");
        address
    };
    // SAFETY: the header declares it so, and a function's address is as large as one of data.
    let start: extern "C" fn() -> c_int = unsafe { std::mem::transmute(symbol(c"pfm_initialize")) };
    assert_eq!(start(), SUCCESS);
    // SAFETY: as above, for each of them.
    Some(unsafe {
        Api {
            get_pmu_info: std::mem::transmute(symbol(c"pfm_get_pmu_info")),
            get_event_next: std::mem::transmute(symbol(c"pfm_get_event_next")),
            get_event_info: std::mem::transmute(symbol(c"pfm_get_event_info")),
            get_event_attr_info: std::mem::transmute(symbol(c"pfm_get_event_attr_info")),
            get_os_event_encoding: std::mem::transmute(symbol(c"pfm_get_os_event_encoding")),
            find_event: std::mem::transmute(symbol(c"pfm_find_event")),
        }
    })
}

impl Api {
    fn pmu(&self, number: u32) -> Option<PmuInfo> {
        let mut info = PmuInfo { size: size_of::<PmuInfo>(), ..zeroed() };
        // SAFETY: the size is the structure's.
        (unsafe { (self.get_pmu_info)(number, &mut info) } == SUCCESS).then_some(info)
    }

    /// The names and indices of the events of a PMU, in order.
    fn events(&self, pmu: &PmuInfo) -> Vec<(String, c_int)> {
        let mut found = Vec::new();
        let mut index = pmu.first_event;
        while index != -1 {
            found.push((text(self.event(index, 0).name), index));
            index = (self.get_event_next)(index);
        }
        found
    }

    fn event(&self, index: c_int, layer: u32) -> EventInfo {
        let mut info = EventInfo { size: size_of::<EventInfo>(), ..zeroed() };
        // SAFETY: as above.
        assert_eq!(unsafe { (self.get_event_info)(index, layer, &mut info) }, SUCCESS);
        info
    }

    /// Everything that the library says of an event and its attributes, but for descriptions.
    fn about(&self, index: c_int, layer: u32) -> String {
        let event = self.event(index, layer);
        let EventInfo { code, dtype, nattrs, flags, equiv, .. } = event;
        let equiv = if equiv.is_null() { String::new() } else { text(equiv) };
        let mut about = format!("{code:#x} {dtype} {nattrs} {flags:#x} {equiv}\n");
        for number in 0..nattrs {
            let mut info = AttrInfo { size: size_of::<AttrInfo>(), ..zeroed() };
            // SAFETY: as above.
            let result = unsafe { (self.get_event_attr_info)(index, number, layer, &mut info) };
            assert_eq!(result, SUCCESS);
            let AttrInfo { name, equiv, code, kind, idx, ctrl, flags, .. } = info;
            let equiv = if equiv.is_null() { String::new() } else { text(equiv) };
            // `support_no_mods` is of a later release. libpfm4 does not say which unit masks of the PMU `perf`
            // apply when none is written.
            let flags = flags & if event.pmu == 51 { 0x1e } else { 0x1f };
            about += &format!("{} {equiv} {code:#x} {kind} {idx} {ctrl} {flags:#x}\n", text(name));
        }
        about
    }

    /// The result, the words and the string of an event string.
    fn encode(&self, event: &CStr, layer: u32) -> (c_int, Vec<u64>, String) {
        let mut words = [0u64; 16];
        words[0] = 128 << 32;
        let mut codes = [0; 4];
        let mut string: *mut c_char = ptr::null_mut();
        let (raw, perf) = (&mut zeroed::<RawArguments>(), &mut zeroed::<PerfArguments>());
        *raw = RawArguments {
            codes: codes.as_mut_ptr(),
            fstr: &mut string,
            size: 32,
            count: 4,
            idx: 0,
        };
        *perf = PerfArguments {
            attr: words.as_mut_ptr().cast(),
            fstr: &mut string,
            size: 40,
            ..zeroed()
        };
        let at = if layer == 0 { ptr::from_mut(raw).cast() } else { ptr::from_mut(perf).cast() };
        // SAFETY: the arguments are those of the layer.
        let result = unsafe { (self.get_os_event_encoding)(event.as_ptr(), 9, layer, at) };
        if result != SUCCESS {
            return (result, Vec::new(), String::new());
        }
        // Some have no string.
        let string = if string.is_null() { String::new() } else { taken(string) };
        let (words, index) = match layer {
            0 => (codes[..raw.count as usize].to_vec(), raw.idx),
            _ => (words.to_vec(), perf.idx),
        };
        (result, [words, vec![index as u64]].concat(), string)
    }
}

/// Returns true if an event, or a result for a PMU, is among the known differences.
fn is_known(pmu: &str, what: &str) -> bool {
    let (_, releases) = RELEASES.split_once("\n## Releases\n").expect("a heading");
    let releases = releases.split("\n## ").next().expect("a section");
    releases.contains(&format!("`{pmu}{what}`"))
}

#[test]
fn events_attributes_and_encodings_are_those_of_libpfm4() {
    let test = "original::events_attributes_and_encodings_are_those_of_libpfm4";
    // Releases know different processors; this way none of them is the machine's.
    let variables = [("LIBPFM_ENCODE_INACTIVE", "1"), ("LIBPFM_FORCE_PMU", "perf")];
    alone(test, &variables, || {
        let Some(original) = original() else { return };
        assert_eq!(pfm::pfm_initialize(), SUCCESS);
        let corrections = Corrections::read();
        let (mut compared, mut differ) = (0, Vec::new());
        for number in 0..700 {
            let Some(theirs) = original.pmu(number) else { continue };
            let pmu = text(theirs.name);
            let Some(ours) = OURS.pmu(number) else {
                differ.push(format!("{pmu} is missing"));
                continue;
            };
            assert_eq!(text(ours.name), pmu);
            // Of two events with one name the first is found.
            let mut here = std::collections::BTreeMap::new();
            for (name, index) in OURS.events(&ours) {
                here.entry(name).or_insert(index);
            }
            let mut seen = std::collections::BTreeSet::new();
            for (event, index) in original.events(&theirs) {
                if !seen.insert(event.clone()) {
                    continue;
                }
                let known = is_known(&pmu, &format!("::{event}"))
                    || corrections.concern(&format!("{pmu}::{event}"));
                let Some(own) = here.get(&event) else {
                    if !known {
                        differ.push(format!("{pmu}::{event} is missing"));
                    }
                    continue;
                };
                compared += 1;
                if known {
                    continue;
                }
                for layer in 0..3 {
                    let (theirs, ours) = (original.about(index, layer), OURS.about(*own, layer));
                    if theirs != ours {
                        differ.push(format!("{pmu}::{event} {layer}: {theirs:?} there, {ours:?}"));
                    }
                    let string = c(&format!("{pmu}::{event}"));
                    let (theirs, ours) =
                        (original.encode(&string, layer), OURS.encode(&string, layer));
                    let words = |words: &[u64]| words.split_last().map(|(_, rest)| rest.to_vec());
                    let same = (theirs.0, words(&theirs.1), &theirs.2)
                        == (ours.0, words(&ours.1), &ours.2);
                    let unsupported = theirs.0 == NOTSUPP && is_known(&pmu, ":NOTSUPP");
                    if !same && !unsupported {
                        differ.push(format!("{string:?} {layer}: {theirs:x?} there, {ours:x?}"));
                    }
                }
                let string = c(&format!("{pmu}::{event}"));
                // SAFETY: a C string.
                let found = unsafe {
                    (
                        (original.find_event)(string.as_ptr()) >= 0,
                        (OURS.find_event)(string.as_ptr()) >= 0,
                    )
                };
                if found.0 != found.1 {
                    differ.push(format!("{string:?} is found by one"));
                }
            }
        }
        println!("{compared} events compared");
        assert!(compared > 18_000, "{compared}");
        let few: Vec<&String> = differ.iter().step_by((differ.len() / 30).max(1)).collect();
        assert!(differ.is_empty(), "{} differ: {few:#?}", differ.len());
    });
}
