//! The options of `perf report` that are not options here.

use crate::foreign::accepted::{Accepted, Instead, Takes};

/// Those that change nothing.
pub const ACCEPTED: &[Accepted] = &[
    // There are rows of samples with their numbers, and the threads, in any case.
    Accepted::flag('n', "show-nr-samples"),
    Accepted::flag('T', "threads"),
    Accepted::flag('I', "show-info"),
    Accepted::flag('f', "force"),
    Accepted::flag('q', "quiet"),
    Accepted::flag('v', "verbose"),
    Accepted::long("demangle"),
    Accepted::long("disable-order"),
    Accepted::long("demangle-kernel"),
    Accepted::long("full-source-path"),
    Accepted::long("header"),
    Accepted::long("ignore-vmlinux"),
    Accepted::long("inline"),
    Accepted::long("no-group"),
    Accepted::long("ns"),
    Accepted::long("skip-empty"),
    Accepted::long("source"),
    Accepted::long("stdio"),
    Accepted { short: Some('w'), long: "column-widths", value: Takes::Value },
    Accepted::value("objdump", Takes::Value),
    Accepted::value("percentage", Takes::One(&["relative"])),
    Accepted::value("stdio-color", Takes::One(&["never", "auto"])),
];

/// Each option, by all its names, with what does the same, or comes closest.
pub const INSTEAD: Instead = &[
    (
        &["-b", "--branch-stack", "--branch-history", "--total-cycles"],
        "perf reads the same file, with its branch records: perf report -b -i FILE",
    ),
    (&["-G", "--inverted"], "use --callers SYMBOL, which shows from where a function was called"),
    (
        &["--disassembler-style", "--asm-raw", "--no-source"],
        "use counterpoint annotate SYMBOL FILE for instructions",
    ),
    (&["--parent", "-x", "--exclude-other"], "use --callers SYMBOL, or -S SYMBOL"),
    (
        &["-U", "--hide-unresolved"],
        "use --sort function; samples without a function are in the row [unknown]",
    ),
    (&["--field-separator"], "use --format json, which programs read"),
    (&["--group"], "leave it out: each event has its own table"),
    (
        &["--header-only"],
        "use --format json, whose lines name the machine; or perf report --header-only -i FILE",
    ),
    (&["--hierarchy"], "use --sort KEY,KEY, which shows several keys together"),
    (&["--ignore-callees"], "use --callees SYMBOL for the calls of one function"),
    (&["--max-stack"], "use --percent-limit PERCENT, which leaves out small rows"),
    (&["--mem-mode"], "counterpoint report --memory FILE"),
    (
        &[
            "--mmaps",
            "--pretty",
            "--raw-trace",
            "--samples",
            "--stats",
            "--show-on-off-events",
            "--show-ref-call-graph",
        ],
        "perf reads the same file: perf report -i FILE with this option",
    ),
    (&["--no-inline"], "use --sort function, and leave out --callees"),
    (&["--show-cpu-utilization"], "use --sort module, where [kernel] is the kernel"),
    (
        &["--show-total-period"],
        "use -c N or -F HZ when recording: the number of samples times the period is the number of events",
    ),
    (&["--socket-filter"], "use -C with the CPUs of the socket"),
    (&["--switch-on", "--switch-off"], "use --time START,END"),
    (&["--tasks"], "use --sort pid,tid,comm"),
    (&["--time-quantum"], "use --html FILE, which shows the samples of each thread over time"),
];
