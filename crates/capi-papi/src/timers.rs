//! Clocks.

#![allow(unsafe_code, reason = "the counter of cycles is read by an instruction")]

use counterpoint_capi::Lasting;
use nix::time::{ClockId, clock_gettime};

use crate::codes::ENOSUPP;

/// The rate of the processor, by which cycles and times are converted; `None` if the machine does not say it.
pub(crate) fn megahertz() -> Option<i64> {
    static RATE: Lasting<Option<i64>> = Lasting::new();
    *RATE.get_or_make(|| {
        let rate = counterpoint::perf::Host::local().max_mhz()? as i64;
        (rate > 0).then_some(rate)
    })
}

fn nanoseconds(clock: ClockId) -> i64 {
    clock_gettime(clock).map_or(0, |time| time.tv_sec() * 1_000_000_000 + time.tv_nsec())
}

/// The time.
pub(crate) fn real() -> i64 {
    nanoseconds(ClockId::CLOCK_REALTIME)
}

/// The time for which this thread ran.
pub(crate) fn virt() -> i64 {
    nanoseconds(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

/// The cycles of a clock of constant rate; an error's code where there is none and the rate of the processor is not known.
pub(crate) fn real_cycles() -> i64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction only reads a counter, and every processor of the architecture has it.
    return unsafe { core::arch::x86_64::_rdtsc() } as i64;
    #[cfg(not(target_arch = "x86_64"))]
    cycles(real())
}

/// The cycles in which this thread ran, by the rate of the clock; an error's code if that is not known.
pub(crate) fn virt_cycles() -> i64 {
    cycles(virt())
}

fn cycles(nanoseconds: i64) -> i64 {
    let at = |rate| (i128::from(nanoseconds) * i128::from(rate) / 1000) as i64;
    megahertz().map_or(i64::from(ENOSUPP.0), at)
}

/// The name that a virtual machine's host gives itself; empty on other processors than x86.
pub(crate) fn hypervisor() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        const LEAF: u32 = 0x4000_0000;
        #[allow(unused_unsafe, reason = "later compilers know that it is safe")]
        // SAFETY: every processor of the architecture has the instruction.
        let answer = unsafe { core::arch::x86_64::__cpuid(LEAF) };
        let words = [answer.ebx, answer.ecx, answer.edx].map(u32::to_le_bytes);
        let name = words.concat();
        String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned()
    }
    #[cfg(not(target_arch = "x86_64"))]
    String::new()
}
