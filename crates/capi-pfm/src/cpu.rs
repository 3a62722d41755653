//! The processor that this runs on, by its own instruction.

use std::arch::x86_64::__cpuid;

use counterpoint_pmu::CpuId;

/// This processor, as it describes itself, which takes a fraction of the time of reading `/proc/cpuinfo`.
///
/// The numbers are put together as Intel's and AMD's manuals say (CPUID, leaf 1) and as the kernel does.
pub(crate) fn own() -> CpuId {
    #[allow(unused_unsafe, reason = "it is not unsafe in newer releases of Rust")]
    #[allow(unsafe_code, reason = "there is no other way to the instruction")]
    // SAFETY: every x86-64 processor has the instruction.
    let leaf = |number| unsafe { __cpuid(number) };
    let identity = leaf(0);
    let vendor = [identity.ebx, identity.edx, identity.ecx].map(u32::to_le_bytes).concat();
    let vendor = String::from_utf8_lossy(&vendor).into_owned();
    let signature = leaf(1).eax;
    let bits = |from: u32, count: u32| signature >> from & ((1 << count) - 1);
    let family = match bits(8, 4) {
        15 => 15 + bits(20, 8),
        family => family,
    };
    let model = if family >= 6 { bits(16, 4) << 4 | bits(4, 4) } else { bits(4, 4) };
    let has_perfmon = vendor == "GenuineIntel" && identity.eax >= 10 && {
        let perfmon = leaf(10).eax;
        perfmon & 0xff != 0 && perfmon >> 8 & 0xff > 1
    };
    CpuId::X86 { vendor, family, model, stepping: bits(0, 4), architectural: has_perfmon.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_describes_itself_as_the_kernel_does() {
        let text = std::fs::read_to_string("/proc/cpuinfo").expect("Linux has it");
        assert_eq!(Some(own()), CpuId::from_cpuinfo(&text));
    }
}
