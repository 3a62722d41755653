//! The machines that can be emulated.

/// An architecture, its emulated machine, and what is tested there.
pub(super) struct Architecture {
    /// Its name for `--arch`, by which its programs are in Rust's targets and the emulator's name, too.
    pub(super) name: &'static str,
    /// Rust's target.
    pub(super) target: &'static str,
    /// The prefix of the compiler and the linker for C.
    pub(super) gnu: &'static str,
    /// Debian's name of it.
    pub(super) debian: &'static str,
    /// The package of the emulator, its program, and what describes the machine to it.
    pub(super) emulator: &'static str,
    pub(super) program: &'static str,
    pub(super) machine: &'static [&'static str],
    /// The metapackage of its kernel, the release that has it if the one of this system does not, and the device of its
    /// console.
    pub(super) kernel: &'static str,
    pub(super) suite: Option<&'static str>,
    pub(super) console: &'static str,
    /// The packages whose tests run there, with filters for the tests (none: all).
    pub(super) tests: &'static [(&'static str, &'static [&'static str])],
    /// Whether it has hardware counters, so that tests may not skip what needs them.
    pub(super) has_pmu: bool,
}

/// The time of the emulated processor is the number of its instructions, which a PMU needs in order to count them; so two
/// runs have the same counts.
const BY_INSTRUCTIONS: &str = "shift=0,sleep=off";

/// What reaches the kernel and its hardware counters.
const OF_COUNTERS: &[(&str, &[&str])] = &[
    ("counterpoint-perf", &["hardware", "live", "sampling", "unprivileged"]),
    ("counterpoint", &["hardware"]),
    ("counterpoint-cli", &["hardware"]),
];

/// What reads and writes bytes: on a big-endian machine, too.
const OF_BYTES: &[(&str, &[&str])] = &[
    ("counterpoint-formula", &[]),
    ("counterpoint-definitions", &[]),
    ("counterpoint-catalog24x7", &[]),
    ("counterpoint-profil", &[]),
    ("counterpoint-recording", &[]),
    ("counterpoint-report", &[]),
    ("counterpoint-perf", &["live", "sampling", "unprivileged"]),
    ("counterpoint-cli", &["catalog", "report::", "recordings", "stat::"]),
];

pub(super) const ALL: [Architecture; 4] = [
    Architecture {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        gnu: "aarch64-linux-gnu",
        debian: "arm64",
        emulator: "qemu-system-arm",
        program: "qemu-system-aarch64",
        // Without a seed from this machine, two runs are identical. PMUv3 has six counters and a cycle counter.
        machine: &[
            "-M",
            "virt,dtb-randomness=off",
            "-cpu",
            "neoverse-n1",
            "-icount",
            BY_INSTRUCTIONS,
        ],
        kernel: "linux-image-cloud-arm64",
        suite: None,
        console: "ttyAMA0",
        tests: OF_COUNTERS,
        has_pmu: true,
    },
    Architecture {
        name: "riscv64",
        target: "riscv64gc-unknown-linux-gnu",
        gnu: "riscv64-linux-gnu",
        debian: "riscv64",
        emulator: "qemu-system-misc",
        program: "qemu-system-riscv64",
        // Overflows interrupt by the extension Sscofpmf.
        machine: &["-M", "virt", "-cpu", "rv64,sscofpmf=on", "-icount", BY_INSTRUCTIONS],
        kernel: "linux-image-riscv64",
        suite: Some("trixie"),
        console: "ttyS0",
        tests: OF_COUNTERS,
        has_pmu: true,
    },
    Architecture {
        name: "ppc64le",
        target: "powerpc64le-unknown-linux-gnu",
        gnu: "powerpc64le-linux-gnu",
        debian: "ppc64el",
        emulator: "qemu-system-ppc",
        program: "qemu-system-ppc64",
        // Of its six counters, the emulator counts cycles and instructions, also while the run latch is set.
        machine: &["-M", "pseries", "-cpu", "POWER9", "-icount", BY_INSTRUCTIONS],
        kernel: "linux-image-powerpc64le",
        suite: None,
        console: "hvc0",
        tests: OF_COUNTERS,
        has_pmu: true,
    },
    Architecture {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        debian: "s390x",
        emulator: "qemu-system-misc",
        program: "qemu-system-s390x",
        machine: &["-M", "s390-ccw-virtio", "-cpu", "max"],
        kernel: "linux-image-s390x",
        suite: None,
        console: "ttysclp0",
        tests: OF_BYTES,
        has_pmu: false,
    },
];

/// The architecture of a name.
pub(super) fn named(name: &str) -> Option<&'static Architecture> {
    ALL.iter().find(|known| known.name == name)
}
