//! The options of `perf annotate` that are not options here.

use crate::foreign::accepted::{Accepted, Instead, Takes};

/// Those that change nothing.
pub const ACCEPTED: &[Accepted] = &[
    // Lines and instructions have the numbers of their samples in any case.
    Accepted::flag('n', "show-nr-samples"),
    Accepted::flag('f', "force"),
    Accepted::flag('l', "print-line"),
    Accepted::flag('P', "full-paths"),
    Accepted::flag('q', "quiet"),
    Accepted::flag('v', "verbose"),
    Accepted::long("demangle"),
    Accepted::long("demangle-kernel"),
    Accepted::long("ignore-vmlinux"),
    Accepted::long("no-group"),
    Accepted::long("skip-missing"),
    Accepted::long("stdio"),
    Accepted::long("stdio2"),
    Accepted { short: Some('M'), long: "disassembler-style", value: Takes::One(&["intel"]) },
    Accepted::value("objdump", Takes::Value),
    Accepted::value("stdio-color", Takes::One(&["never", "auto"])),
];

/// Each option, by all its names, with what does the same, or comes closest.
pub const INSTEAD: Instead = &[
    (
        &["-d", "--dsos"],
        "use counterpoint report --module FILE to find the function; its name is enough here",
    ),
    (&["--asm-raw"], "leave it out: the addresses of instructions are shown, and not their bytes"),
    (&["--group"], "leave it out: each event has its own table"),
    (&["--percent-limit"], "leave it out: > marks the hottest lines"),
    (&["--show-total-period"], "leave it out: the samples of each line are shown"),
    (
        &["--tui", "--gtk"],
        "use counterpoint report --html FILE, which writes a page with source lines",
    ),
];
