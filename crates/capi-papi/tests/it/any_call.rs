//! Laws that hold for any calls in any order: odd handles, codes, names and numbers. The fuzz target asks the same.

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use papi::*;

const NAMES: [&str; 8] = [
    "perf::TASK-CLOCK",
    "perf::PAGE-FAULTS",
    "perf::CONTEXT-SWITCHES:k",
    "perf::PAGE-FAULTS:u:cpu=0",
    "PAPI_TOT_CYC",
    "PAPI_L1_DCM",
    "rapl:::PSYS_ENERGY:PACKAGE0",
    "perf_event:::perf::CPU-CLOCK",
];
/// The length of strings that callers have room for.
const ROOM: usize = 128;
const GUARD: i64 = 0x5a5a_5a5a_5a5a_5a5a;

static OVERFLOWS: AtomicU32 = AtomicU32::new(0);

extern "C" fn count_overflow(_: c_int, _: *mut c_void, _: i64, _: *mut c_void) {
    OVERFLOWS.fetch_add(1, Ordering::Relaxed);
}

/// The bytes that decide what is called, and the sets and codes so far.
struct Calls<'b> {
    bytes: std::slice::Iter<'b, u8>,
    sets: Vec<c_int>,
    codes: Vec<c_int>,
}

/// Each call returns success or an error of the header, and writes nothing beyond the values of a set.
pub(crate) fn check(bytes: &[u8]) {
    let mut calls = Calls { bytes: bytes.iter(), sets: vec![-1], codes: vec![0] };
    assert!(PAPI_library_init(7 << 24) > 0);
    while let Some(choice) = calls.bytes.next() {
        let result = calls.call(*choice);
        assert_ne!(result, -6, "an error of the library itself, at {choice}");
        if result < 0 {
            assert!(!PAPI_strerror(result).is_null(), "{result}");
        }
    }
    for mut set in calls.sets {
        // SAFETY: null is allowed.
        unsafe { PAPI_stop(set, ptr::null_mut()) };
        PAPI_cleanup_eventset(set);
        // SAFETY: a place for a number.
        let removed = unsafe { PAPI_destroy_eventset(&mut set) };
        // Those of an earlier start are gone, and an initialization with an odd version has failed.
        assert!([0, -1, -11, -16].contains(&removed), "{removed}");
    }
    PAPI_shutdown();
}

impl Calls<'_> {
    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    /// A small number, or one of any size.
    fn number(&mut self) -> c_int {
        match self.byte() {
            byte @ 0..128 => c_int::from(byte) - 2,
            _ => c_int::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
        }
    }

    fn set(&mut self) -> c_int {
        let place = usize::from(self.byte());
        self.sets.get(place % 8).copied().unwrap_or(place as c_int)
    }

    fn code(&mut self) -> c_int {
        match usize::from(self.byte()) {
            place @ 0..192 => self.codes[place % self.codes.len()],
            _ => self.number(),
        }
    }

    /// A known name, or any bytes.
    fn name(&mut self) -> CString {
        let choice = usize::from(self.byte());
        let name = match NAMES.get(choice % 16) {
            Some(name) => name.as_bytes().to_vec(),
            None => (0..choice / 8).map(|_| self.byte()).filter(|byte| *byte != 0).collect(),
        };
        CString::new(name).unwrap_or_default()
    }

    fn call(&mut self, choice: u8) -> c_int {
        match choice % 6 {
            0 => self.change_sets(choice / 6),
            1 | 2 => self.count(choice / 6),
            3 => self.ask_events(choice / 6),
            4 => self.set_options(choice / 6),
            _ => self.overflow(choice / 6),
        }
    }

    fn change_sets(&mut self, choice: u8) -> c_int {
        let (mut set, code) = (self.set(), self.code());
        let name = self.name();
        // SAFETY: places for numbers, a C string, and so many codes.
        unsafe {
            match choice % 8 {
                0 | 1 if self.sets.len() < 8 => {
                    let mut made = -1;
                    let result = PAPI_create_eventset(&mut made);
                    assert_eq!(result == 0, made >= 0);
                    self.sets.extend((result == 0).then_some(made));
                    result
                }
                0..3 => PAPI_add_named_event(set, name.as_ptr()),
                3 => PAPI_add_event(set, code),
                4 => PAPI_remove_event(set, code),
                5 => PAPI_cleanup_eventset(set),
                6 => PAPI_destroy_eventset(&mut set),
                _ => PAPI_add_events(set, self.codes.as_mut_ptr(), self.codes.len() as c_int),
            }
        }
    }

    /// Values are written for the events of the set, and nothing behind them.
    fn count(&mut self, choice: u8) -> c_int {
        let set = self.set();
        let events = usize::try_from(PAPI_num_events(set)).unwrap_or(0);
        let mut values = vec![0; events];
        values.extend([GUARD; 4]);
        let mut cycles = 0;
        let place = values.as_mut_ptr();
        // SAFETY: there is room for a value of each event.
        let result = unsafe {
            match choice % 8 {
                0..2 => PAPI_start(set),
                2 => PAPI_stop(set, place),
                3 => PAPI_read(set, place),
                4 => PAPI_accum(set, place),
                5 => PAPI_read_ts(set, place, &mut cycles),
                6 => PAPI_reset(set),
                _ => PAPI_stop(set, ptr::null_mut()),
            }
        };
        assert_eq!(values[events..], [GUARD; 4]);
        result
    }

    fn ask_events(&mut self, choice: u8) -> c_int {
        let (name, modifier, component) = (self.name(), self.number(), self.number());
        let mut code = self.code();
        let mut text = [0x55_u8; ROOM + 8];
        let mut info = std::mem::MaybeUninit::<(EventInfo, Qualifiers)>::zeroed();
        // SAFETY: places for numbers, structures of the latest release, and strings.
        let result = unsafe {
            match choice % 6 {
                0 | 1 => PAPI_event_name_to_code(name.as_ptr(), &mut code),
                2 => PAPI_enum_event(&mut code, modifier),
                3 => PAPI_enum_cmp_event(&mut code, modifier, component),
                4 => PAPI_event_code_to_name(code, text.as_mut_ptr().cast()),
                _ => PAPI_get_event_info(code, info.as_mut_ptr().cast()),
            }
        };
        if result == 0 {
            assert!(PAPI_get_event_component(code) >= 0, "{code:#x}");
            self.codes.truncate(32);
            self.codes.push(code);
            if choice % 6 == 4 {
                let name = CStr::from_bytes_until_nul(&text).expect("an end");
                assert!(!name.is_empty() && text[ROOM..] == [0x55; 8]);
            }
        }
        result
    }

    fn set_options(&mut self, choice: u8) -> c_int {
        /// Options whose structures point to a handler, and to the name of a file.
        const DEBUG: c_int = 2;
        const EVENTS_FILE: c_int = 29;
        let (option, set) = (self.number(), self.set());
        let mut place = [0_i64; 1024];
        let numbers = [set, self.number(), self.number(), self.number()];
        place[0] = i64::from(numbers[0]) & 0xffff_ffff | i64::from(numbers[1]) << 32;
        place[1] = if option == DEBUG { 0 } else { i64::from(numbers[2]) & 0xffff_ffff };
        let pointer = place.as_mut_ptr().cast();
        // SAFETY: the room is larger than each structure; a handler in it is null.
        unsafe {
            match choice % 8 {
                0..2 if option != EVENTS_FILE => PAPI_set_opt(option, pointer),
                0..3 => PAPI_get_opt(option, pointer),
                3 => PAPI_set_multiplex(set),
                4 => PAPI_attach(set, std::process::id().into()),
                5 => PAPI_detach(set),
                6 => PAPI_assign_eventset_component(set, numbers[1]),
                _ => {
                    PAPI_shutdown();
                    PAPI_library_init([7 << 24, 7 << 24 | 2 << 16, numbers[1]][choice as usize % 3])
                        .min(0)
                }
            }
        }
    }

    fn overflow(&mut self, choice: u8) -> c_int {
        /// The buckets of profiles, which signals count in after a call has ended.
        static BUCKETS: [AtomicU32; 256] = [const { AtomicU32::new(0) }; 256];
        let (set, code, number) = (self.set(), self.code(), self.number());
        let threshold = if number < 100_000 { 0 } else { number };
        let code_here = check as fn(&[u8]) as *mut c_void;
        let place = BUCKETS.as_ptr().cast_mut().cast();
        // SAFETY: the buckets stay, and the handler may be called at any time.
        unsafe {
            match choice % 4 {
                0 | 1 => PAPI_overflow(set, code, threshold, 0, Some(count_overflow)),
                2 => PAPI_profil(place, 1024, code_here, 65536, set, code, threshold, 0x10),
                _ => PAPI_get_multiplex(set),
            }
        }
    }
}

#[test]
fn seeds() {
    super::alone::alone("any_call::seeds", &[], || {
        for seed in super::seeds::of("any_papi_call") {
            check(&seed);
        }
    });
}
