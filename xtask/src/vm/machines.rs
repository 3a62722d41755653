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
    /// `None` if no archive has one: then programs are emulated over the kernel of this system.
    pub(super) kernel: Option<Kernel>,
    pub(super) emulator: &'static str,
    /// Whether it comes from the backports of this system's release.
    pub(super) needs_backports: bool,
    /// The packages of the emulator and its firmware.
    pub(super) packages: &'static [&'static str],
    /// The arguments of the emulator, without the files.
    pub(super) arguments: &'static str,
}

/// A kernel of Debian.
pub(super) struct Kernel {
    /// The release that it is from, if the release of this system has none for the architecture.
    pub(super) release: Option<&'static str>,
    /// The package that depends on the newest one.
    pub(super) package: &'static str,
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
        kernel: Some(Kernel {
            release: None,
            package: "linux-image-cloud-arm64",
            console: "ttyAMA0",
        }),
        emulator: "qemu-system-aarch64",
        needs_backports: false,
        packages: &["qemu-system-arm"],
        // Without a seed from this machine, two runs are identical.
        arguments: concat!(
            "-M virt,dtb-randomness=off -cpu neoverse-n1",
            one_instruction_a_nanosecond!()
        ),
    },
    Machine {
        name: "riscv64",
        target: "riscv64gc-unknown-linux-gnu",
        gnu: "riscv64-linux-gnu",
        debian: "riscv64",
        is_big_endian: false,
        kernel: Some(Kernel {
            release: Some("trixie"),
            package: "linux-image-riscv64",
            console: "ttyS0",
        }),
        emulator: "qemu-system-riscv64",
        // An earlier one, QEMU 7.2, counts at every privilege level.
        needs_backports: true,
        // The kernel asks the firmware for counters.
        packages: &["qemu-system-riscv", "opensbi"],
        arguments: concat!("-M virt -cpu rv64,sscofpmf=on", one_instruction_a_nanosecond!()),
    },
    Machine {
        name: "ppc64le",
        target: "powerpc64le-unknown-linux-gnu",
        gnu: "powerpc64le-linux-gnu",
        debian: "ppc64el",
        is_big_endian: false,
        kernel: Some(Kernel { release: None, package: "linux-image-powerpc64le", console: "hvc0" }),
        emulator: "qemu-system-ppc64",
        // An earlier one, QEMU 7.2, raises no interrupt when a counter overflows.
        needs_backports: true,
        packages: &["qemu-system-ppc"],
        arguments: concat!("-M pseries -cpu power9", one_instruction_a_nanosecond!()),
    },
    Machine {
        name: "ppc64",
        target: "powerpc64-unknown-linux-gnu",
        gnu: "powerpc64-linux-gnu",
        debian: "ppc64",
        is_big_endian: true,
        kernel: None,
        emulator: "qemu-ppc64",
        needs_backports: false,
        packages: &["qemu-user"],
        arguments: "-cpu power9",
    },
    // It has no PMU.
    Machine {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        gnu: "s390x-linux-gnu",
        debian: "s390x",
        is_big_endian: true,
        kernel: Some(Kernel { release: None, package: "linux-image-s390x", console: "ttysclp0" }),
        emulator: "qemu-system-s390x",
        needs_backports: false,
        packages: &["qemu-system-misc"],
        arguments: concat!("-M s390-ccw-virtio -cpu max", one_instruction_a_nanosecond!()),
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
