//! Laws that hold for any call at all: structures of any size, null pointers, odd strings. The fuzz target asks the same.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use pfm::*;

unsafe extern "C" {
    fn free(memory: *mut c_void);
}

/// The bytes of a call, one after the other; zeros after the last one.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let (first, rest) =
            self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.next(), self.next(), self.next(), self.next()])
    }
}

/// A structure of a caller, with what must stay as it is after its end.
struct Room([u64; 64]);

impl Room {
    /// Zeros, with this size at the place of the member.
    fn new(size: usize, size_at: usize) -> Room {
        let mut words = [0; 64];
        words[size_at / 8] = size as u64;
        Room(words)
    }

    fn at(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }

    /// Nothing is written beyond the size, of which 0 stands for the structure's own.
    fn check(&self, size: usize, own: usize) {
        let end = if size == 0 { own } else { size }.max(own).div_ceil(8);
        assert!(self.0[end..].iter().all(|word| *word == 0), "{size}");
    }
}

/// A call returns success or an error, and writes nothing beyond the structures.
pub(crate) fn check(bytes: &[u8]) {
    assert_eq!(pfm_initialize(), 0);
    let mut bytes = Bytes(bytes);
    let (which, layer, size) =
        (bytes.next(), u32::from(bytes.next() % 5), usize::from(bytes.next()));
    let (number, levels) = (bytes.word() as c_int, bytes.next());
    let rest: Vec<u8> = bytes.0.iter().copied().take_while(|byte| *byte != 0).collect();
    let event = CString::new(rest).unwrap_or_default();
    let result = match which % 7 {
        0 => with_room(size, size_of::<PmuInfo>(), 16, |room| {
            // SAFETY: the room is larger than any size, null or not.
            unsafe { pfm_get_pmu_info(number as u32, room.cast()) }
        }),
        1 => with_room(size, size_of::<EventInfo>(), 24, |room| {
            // SAFETY: as above.
            unsafe { pfm_get_event_info(number, layer, room.cast()) }
        }),
        2 => with_room(size, size_of::<AttrInfo>(), 24, |room| {
            // SAFETY: as above, and a string.
            let index = unsafe { pfm_find_event(event.as_ptr()) };
            // SAFETY: as above.
            unsafe { pfm_get_event_attr_info(index, number, layer, room.cast()) }
        }),
        3 => raw(&event, levels.into(), size, number),
        4 => perf(&event, levels.into(), layer.max(1), size, number as u32),
        5 => {
            // SAFETY: a string.
            unsafe { pfm_find_event(event.as_ptr()) }.min(0)
        }
        _ => pfm_get_event_next(number).min(0),
    };
    assert!((-12..=0).contains(&result), "{result}");
}

fn with_room(
    size: usize,
    own: usize,
    size_at: usize,
    call: impl Fn(*mut c_void) -> c_int,
) -> c_int {
    let mut room = Room::new(size, size_at);
    let result = call(room.at());
    room.check(size, own);
    assert!(call(ptr::null_mut()) < 0);
    result
}

fn raw(event: &CStr, levels: c_int, size: usize, choice: c_int) -> c_int {
    let own = size_of::<RawArguments>();
    let (mut codes, mut string) = ([7_u64; 12], ptr::null_mut::<c_char>());
    let mut room = Room::new(size, 16);
    let args = room.at().cast::<RawArguments>();
    let count = choice.rem_euclid(10);
    let has_codes = choice & 0x100 != 0;
    // SAFETY: the room is larger than the structure.
    unsafe {
        (*args).count = count;
        (*args).codes = if has_codes { codes.as_mut_ptr() } else { ptr::null_mut() };
        (*args).fstr = if choice & 0x200 != 0 { &raw mut string } else { ptr::null_mut() };
    }
    // SAFETY: the pointers in it are null or point to what they say.
    let result = unsafe { pfm_get_os_event_encoding(event.as_ptr(), levels, 0, args.cast()) };
    room.check(size, own);
    assert!(codes[count.max(0) as usize..].iter().all(|code| *code == 7));
    assert!(result == 0 || string.is_null());
    // SAFETY: the library allocates both, or they are null.
    unsafe {
        free(string.cast());
        if result == 0 && !has_codes {
            free((*room.at().cast::<RawArguments>()).codes.cast());
        }
    }
    result
}

fn perf(event: &CStr, levels: c_int, layer: u32, size: usize, choice: u32) -> c_int {
    let own = size_of::<PerfArguments>();
    let (mut attr, mut string) = ([0_u64; 40], ptr::null_mut::<c_char>());
    // The structure says its size in its second word.
    let attr_size = choice % 200;
    attr[0] = u64::from(attr_size) << 32;
    let mut room = Room::new(size, 16);
    let args = room.at().cast::<PerfArguments>();
    // SAFETY: the room is larger than the structure.
    unsafe {
        (*args).attr = if choice & 0x100 != 0 { attr.as_mut_ptr().cast() } else { ptr::null_mut() };
        (*args).fstr = if choice & 0x200 != 0 { &raw mut string } else { ptr::null_mut() };
    }
    // SAFETY: the pointers in it are null or point to what they say.
    let result = unsafe { pfm_get_os_event_encoding(event.as_ptr(), levels, layer, args.cast()) };
    let end = if attr_size == 0 { 72 } else { attr_size.max(8) }.div_ceil(8) as usize;
    assert!(attr[end..].iter().all(|word| *word == 0), "{attr_size}");
    if (1..64).contains(&attr_size) {
        assert_ne!(result, 0, "{attr_size}");
        assert_eq!(attr[0], u64::from(attr_size) << 32, "nothing is written");
        assert!(attr[1..].iter().all(|word| *word == 0), "nothing is written");
    }
    room.check(size, own);
    assert!(result == 0 || string.is_null());
    // SAFETY: the library allocates it, or it is null.
    unsafe { free(string.cast()) };
    result
}

#[test]
fn seeds() {
    for seed in super::seeds::of("any_pfm_call") {
        check(&seed);
    }
}

#[test]
fn any_size_and_number() {
    for which in 0..7 {
        for size in 0..=255 {
            for number in [0_i32, 1, 51, 0x1ff, 0x3ff, -1, i32::MAX, 51 << 21] {
                let [a, b, c, d] = number.to_le_bytes();
                let mut bytes = vec![which, 1, size, a, b, c, d, 9];
                bytes.extend_from_slice(b"perf::CYCLES:u");
                check(&bytes);
            }
        }
    }
}
