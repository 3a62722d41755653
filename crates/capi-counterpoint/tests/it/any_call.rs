//! Laws that hold for any call at all: options and values of any size, odd names, numbers that are no handles. The fuzz target
//! asks the same.

use std::ffi::{CStr, CString};
use std::ptr;

use counterpoint_c::*;

/// A call returns success or an error with a message, and writes nothing beyond the structures.
pub(crate) fn check(bytes: &[u8]) {
    let mut rest = bytes.iter().copied();
    let mut byte = || rest.next().unwrap_or(0);
    let (choice, size, flags, target) = (byte(), usize::from(byte()), byte(), byte() % 8);
    let (id, value_size, count) =
        (i32::from_le_bytes([byte(), byte(), byte(), byte()]), byte(), byte() % 5);
    let handle = usize::from_le_bytes([byte(), byte(), byte(), 0, 0, 0, 0, 0]);
    let name: Vec<u8> = rest.take_while(|byte| *byte != 0).collect();
    let name = CString::new(name).unwrap_or_default();
    let mut options = [0_u64; 64];
    let place = options.as_mut_ptr().cast::<Options>();
    // SAFETY: the room is larger than the structure.
    unsafe {
        (*place).size = size;
        (*place).metrics = if choice & 1 != 0 { name.as_ptr() } else { ptr::null() };
        (*place).target = target.into();
        (*place).id = id;
        (*place).flags = flags.into();
        (*place).timeline = u32::from(choice >> 7);
    }
    let events = if choice & 2 != 0 { ptr::null() } else { name.as_ptr() };
    let given = if choice & 4 != 0 { ptr::null() } else { place.cast_const() };
    let mut set = ptr::without_provenance_mut(1);
    // SAFETY: a place, null or a string, null or options whose size is smaller than the room.
    let opened = unsafe { counterpoint_open(&mut set, events, given) };
    assert_eq!(opened == COUNTERPOINT_OK, !set.is_null(), "{opened}");
    judge(opened);
    if opened == COUNTERPOINT_OK {
        judge(counterpoint_start(set));
        read(set, value_size.into(), count.into());
        assert_eq!(counterpoint_close(set), COUNTERPOINT_OK);
    }
    let wrong = ptr::without_provenance_mut::<Set>(handle);
    for result in [counterpoint_start(wrong), counterpoint_count(wrong), counterpoint_close(set)] {
        assert!(result < 0, "{result}");
    }
    // SAFETY: a string.
    judge(unsafe { counterpoint_region_begin(wrong.cast(), name.as_ptr()) });
}

fn read(set: *mut Set, size: usize, count: usize) {
    let mut values = vec![0xa5_u8; count * size + 64];
    // SAFETY: as many places of this size.
    let result = unsafe { counterpoint_read(set, values.as_mut_ptr().cast(), count, size) };
    judge(result);
    assert!(values[count * size..].iter().all(|byte| *byte == 0xa5));
}

/// Errors have a message.
fn judge(result: i32) {
    assert_ne!(result, COUNTERPOINT_ERROR_INTERNAL);
    if result < 0 {
        // SAFETY: the library's strings end in a zero.
        assert!(!unsafe { CStr::from_ptr(counterpoint_error()) }.is_empty(), "{result}");
    }
}

#[test]
fn seeds() {
    for seed in super::seeds::of("any_counterpoint_call") {
        check(&seed);
    }
}
