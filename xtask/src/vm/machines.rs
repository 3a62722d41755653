//! The machines that are emulated, as data: what differs between them, and nothing else.

use crate::live::PORTABLE;

/// A machine, its kernel and its compiler.
pub(super) struct Machine {
    /// Its word on the command line.
    pub(super) name: &'static str,
    /// The compiler's name of it.
    pub(super) target: &'static str,
    /// How the names of Debian's cross compiler and linker begin.
    pub(super) gnu: &'static str,
    /// Debian's name of the architecture, which its C library and its kernel have.
    pub(super) debian: &'static str,
    /// Whether it has the other byte order than most machines.
    pub(super) is_big_endian: bool,
    /// The Debian release of the kernel, if the release of this system has none for the architecture.
    pub(super) release: Option<&'static str>,
    /// The package that depends on the newest kernel.
    pub(super) kernel: &'static str,
    pub(super) emulator: &'static str,
    /// Whether it comes from the backports of this system's release.
    pub(super) needs_backports: bool,
    /// The packages of the emulator and its firmware.
    pub(super) packages: &'static [&'static str],
    /// The arguments of the emulator, without the files.
    pub(super) arguments: &'static str,
    pub(super) console: &'static str,
}

/// Virtual time is the number of instructions, so that two runs have the same counts; the PMUs of arm64 and riscv64 count only so.
macro_rules! one_instruction_a_nanosecond {
    () => {
        " -smp 1 -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm"
    };
}

/// The first one is the machine of `vm-test` without a name.
pub(super) const MACHINES: &[Machine] = &[
    Machine {
        name: "arm64",
        target: "aarch64-unknown-linux-gnu",
        gnu: "aarch64-linux-gnu",
        debian: "arm64",
        is_big_endian: false,
        release: None,
        kernel: "linux-image-cloud-arm64",
        emulator: "qemu-system-aarch64",
        needs_backports: false,
        packages: &["qemu-system-arm"],
        // Without a seed from this machine, two runs are identical.
        arguments: concat!(
            "-M virt,dtb-randomness=off -cpu neoverse-n1",
            one_instruction_a_nanosecond!()
        ),
        console: "ttyAMA0",
    },
    Machine {
        name: "riscv64",
        target: "riscv64gc-unknown-linux-gnu",
        gnu: "riscv64-linux-gnu",
        debian: "riscv64",
        is_big_endian: false,
        release: Some("trixie"),
        kernel: "linux-image-riscv64",
        emulator: "qemu-system-riscv64",
        // An earlier one, QEMU 7.2, counts at every privilege level.
        needs_backports: true,
        // The kernel asks the firmware for counters.
        packages: &["qemu-system-riscv", "opensbi"],
        arguments: concat!("-M virt -cpu rv64,sscofpmf=on", one_instruction_a_nanosecond!()),
        console: "ttyS0",
    },
    // It has no PMU.
    Machine {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        debian: "s390x",
        is_big_endian: true,
        release: None,
        kernel: "linux-image-s390x",
        emulator: "qemu-system-s390x",
        needs_backports: false,
        packages: &["qemu-system-misc"],
        arguments: concat!("-M s390-ccw-virtio -cpu max", one_instruction_a_nanosecond!()),
        console: "ttysclp0",
    },
];

impl Machine {
    /// The packages whose tests depend on the byte order, on a machine where it is the other one.
    pub(super) fn portable(&self) -> &'static [&'static str] {
        if self.is_big_endian { PORTABLE } else { &[] }
    }

    /// The machine of a word on the command line.
    pub(super) fn named(word: &str) -> Option<&'static Machine> {
        MACHINES.iter().find(|machine| machine.name == word)
    }
}
