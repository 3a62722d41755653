use crate::recursion::{samples, unwind, unwinder};
use counterpoint_unwind::IS_SUPPORTED;
use std::collections::HashMap;

#[test]
fn every_call_of_a_recursion_is_found() {
    if !IS_SUPPORTED {
        return println!("skipped: needs x86-64 or arm64");
    }
    let taken = match samples(40) {
        Ok(taken) => taken,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let mut unwinder = unwinder();
    let mut whole = 0;
    for sample in &taken {
        let mut times: HashMap<u64, u32> = HashMap::new();
        if unwind(&mut unwinder, sample, |address| *times.entry(address).or_default() += 1).is_ok()
        {
            // Each call but the first is from the same place.
            whole += u32::from(times.values().any(|times| (39..=40).contains(times)));
        }
    }
    // The others are of the kernel's way in and out, and of the time before and after the recursion.
    assert!(
        taken.len() > 10 && whole as usize >= taken.len() * 9 / 10,
        "{whole} of {}",
        taken.len()
    );
}
