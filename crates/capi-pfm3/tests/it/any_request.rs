//! Laws that hold for any structures at all; the fuzz target asks the same.

use std::ptr;

use pfm3::*;

/// Larger than the input and the output of any model.
const ROOM: usize = 16 << 10;
const UNTOUCHED: u8 = 0xa5;

/// A dispatch succeeds within the structures, or is refused and writes nothing.
pub(crate) fn check(bytes: &[u8]) {
    let mut rest = bytes.iter().copied();
    let mut byte = || rest.next().unwrap_or(0);
    let kinds = [
        1, 2, 3, 4, 16, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 63, 64, 65, 66, 67, 68, 70, 71, 72,
        73, 74, 75, 76, 100, 110, 111, 114, 115, 116, 117, 130, 131, 132, 133, 134, 135, 136,
    ];
    let kind = kinds[usize::from(byte()) % kinds.len()];
    assert_eq!(pfm_force_pmu(kind), 0, "{kind}");
    let choice = byte();
    // SAFETY: the structure has numbers only.
    let mut input: Box<InputParam> = Box::new(unsafe { std::mem::zeroed() });
    let odd = choice & 0x10 != 0;
    input.pfp_event_count = if odd { u32::from_le_bytes([byte(); 4]) } else { (byte() % 8).into() };
    input.pfp_dfl_plm = byte().into();
    input.pfp_flags = byte().into();
    input.pfp_unavail_pmcs.bits[0] =
        u64::from_le_bytes([byte(), 0, byte(), 0, byte(), 0, 0, 0]) as _;
    for event in input.pfp_events.iter_mut().take(8) {
        event.event = u32::from(byte()) | u32::from(byte() % 4) << 8;
        event.plm = (byte() % 32).into();
        event.num_masks = (byte() % 64).into();
        event.unit_masks = [(); 48].map(|()| 0);
        event.unit_masks[..4].iter_mut().for_each(|mask| *mask = (byte() % 32).into());
    }
    let tail: Vec<u8> = rest.collect();
    let mut given: Vec<u8> = tail.iter().copied().cycle().take(ROOM).collect();
    given.resize(ROOM, 0);
    let mut output = vec![UNTOUCHED; size_of::<OutputParam>() + 64];
    let mut model_output = vec![UNTOUCHED; ROOM];
    let p = if choice & 1 != 0 { ptr::null_mut() } else { &raw mut *input };
    let mod_in = if choice & 2 != 0 { given.as_mut_ptr() } else { ptr::null_mut() };
    let q = if choice & 4 != 0 { ptr::null_mut() } else { output.as_mut_ptr() };
    let mod_out = if choice & 8 != 0 { model_output.as_mut_ptr() } else { ptr::null_mut() };
    // SAFETY: null, or larger than the structures; they need not be aligned.
    let code = unsafe { pfm_dispatch_events(p, mod_in.cast(), q.cast(), mod_out.cast()) };
    assert!((-23..=0).contains(&code), "{code}");
    assert!(output[size_of::<OutputParam>()..].iter().all(|byte| *byte == UNTOUCHED));
    if code != 0 {
        assert!(output.iter().chain(&model_output).all(|byte| *byte == UNTOUCHED), "{code}");
        return;
    }
    assert!(!p.is_null() || !mod_in.is_null());
    if !q.is_null() {
        // SAFETY: the function has written it.
        let output = unsafe { output.as_ptr().cast::<OutputParam>().read_unaligned() };
        assert!(output.pfp_pmc_count <= 512 && output.pfp_pmd_count <= 512);
        let events = if p.is_null() { 0 } else { input.pfp_event_count };
        assert!(output.pfp_pmd_count >= events, "a counter for each event");
        let unused = &output.pfp_pmcs[output.pfp_pmc_count as usize..];
        assert!(unused.iter().all(|reg| reg.reg_value == 0 && reg.reg_num == 0));
    }
}

#[test]
fn seeds() {
    let _alone = super::forced("core");
    for seed in super::seeds::of("any_pfm3_request") {
        check(&seed);
    }
}

#[test]
fn any_bytes() {
    let _alone = super::forced("core");
    // A sequence without a short period.
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    for length in 0..2000 {
        let bytes: Vec<u8> = (0..length % 300).map(|_| byte()).collect();
        check(&bytes);
    }
}
