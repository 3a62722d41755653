//! The options of `perf top` that are not options here.

use crate::foreign::accepted::{Accepted, Instead, Takes};

/// Those that change nothing.
pub const ACCEPTED: &[Accepted] = &[
    // Shares are those of the last interval, and rows have the numbers of their samples.
    Accepted::flag('z', "zero"),
    Accepted::flag('n', "show-nr-samples"),
    Accepted::flag('v', "verbose"),
    Accepted::long("children"),
    Accepted::long("demangle-kernel"),
    Accepted::long("force"),
    Accepted::long("ignore-vmlinux"),
    Accepted::long("no-bpf-event"),
    Accepted::long("tui"),
    Accepted { short: Some('m'), long: "mmap-pages", value: Takes::Value },
    Accepted::value("max-stack", Takes::Value),
    Accepted::value("num-thread-synthesize", Takes::Value),
    Accepted::value("proc-map-timeout", Takes::Value),
];

/// Each option, by all its names, with what does the same, or comes closest.
pub const INSTEAD: Instead = &[
    (
        &["-b", "--branch-any", "-j", "--branch-filter"],
        "use --call-graph lbr, which takes call stacks from the branches that the processor recorded",
    ),
    (
        &["-D", "--dump-symtab", "-k", "--vmlinux", "--kallsyms"],
        "leave it out: the names of the kernel are those of /proc/kallsyms",
    ),
    (&["-E", "--entries"], "leave it out: there are as many rows as fit on the screen"),
    (&["--count-filter", "--percent-limit"], "leave it out: the hottest rows come first"),
    (&["-K", "--hide_kernel_symbols"], "name events of user space only, such as -e task-clock:u"),
    (&["-U", "--hide_user_symbols"], "name events of the kernel only, such as -e cpu-clock:k"),
    (
        &[
            "--disassembler-style",
            "--asm-raw",
            "--source",
            "--objdump",
            "--prefix",
            "--prefix-strip",
            "--sym-annotate",
        ],
        "use counterpoint profile --annotate SYMBOL for instructions; the key 3 shows lines",
    ),
    (&["-r", "--realtime"], "run it with chrt: chrt -f PRIORITY counterpoint top"),
    (
        &["--sort", "--fields"],
        "the keys 1, 2, 3 and 4 show functions, threads, lines and processes, and s sorts them",
    ),
    (
        &[
            "-w",
            "--column-widths",
            "--hierarchy",
            "--raw-trace",
            "--group",
            "--group-sort-idx",
            "--percentage",
            "--show-total-period",
            "--overwrite",
            "--namespaces",
            "--all-cgroups",
            "--show-on-off-events",
        ],
        "leave it out: there is one view of functions, threads, lines and processes for each event",
    ),
    (&["--comms"], "use -t TID, or the key / in the view of threads"),
    (&["--dsos", "--symbols"], "the key / shows the rows that have a text"),
    (&["--ignore-callees", "--stitch-lbr"], "use --call-graph fp or dwarf"),
    (&["--no-children"], "leave out --call-graph"),
    (&["--stdio"], "use counterpoint profile -- COMMAND, which prints a table"),
    (
        &["--switch-on", "--switch-off"],
        "use counterpoint profile --control CTL,ACK, which begins and ends sampling",
    ),
];
