//! The options of `perf record` that are not options here.

use crate::foreign::accepted::{Accepted, Instead, Takes};

/// Those that change nothing.
pub const ACCEPTED: &[Accepted] = &[
    // Samples have their time and CPU, and the period where it is not the same for all.
    Accepted::flag('T', "timestamp"),
    Accepted::flag('B', "no-buildid"),
    Accepted::flag('N', "no-buildid-cache"),
    Accepted::flag('q', "quiet"),
    Accepted::flag('v', "verbose"),
    Accepted::long("buildid-all"),
    Accepted::long("buildid-mmap"),
    Accepted::long("exclude-perf"),
    Accepted::long("kernel-callchains"),
    Accepted::long("no-bpf-event"),
    Accepted::long("no-buffering"),
    Accepted::long("per-thread"),
    Accepted::long("sample-cpu"),
    Accepted::long("sample-identifier"),
    Accepted::long("strict-freq"),
    Accepted::long("tail-synthesize"),
    Accepted::long("timestamp-boundary"),
    Accepted::long("user-callchains"),
    Accepted { short: Some('m'), long: "mmap-pages", value: Takes::Value },
    Accepted::value("affinity", Takes::One(&["sys", "node", "cpu"])),
    Accepted::value("aio", Takes::Optional),
    Accepted::value("debuginfod", Takes::Optional),
    Accepted::value("mmap-flush", Takes::Value),
    Accepted::value("num-thread-synthesize", Takes::Value),
    Accepted::value("proc-map-timeout", Takes::Value),
    Accepted::value("synth", Takes::One(&["all", "task", "mmap", "cgroup"])),
];

/// The same of `record`, whose period is `--count`.
pub const OF_RECORD: &[Accepted] = &[Accepted::flag('P', "period")];

/// Each option, by all its names, with what does the same, or comes closest.
pub const INSTEAD: Instead = &[
    (
        &["-b", "--branch-any", "-j", "--branch-filter"],
        "use --call-graph lbr for call stacks; perf record -b takes branches, and counterpoint report reads its file",
    ),
    (
        &[
            "-d",
            "--data",
            "--phys-data",
            "--data-page-size",
            "--code-page-size",
            "-W",
            "--weight",
            "--transaction",
        ],
        "counterpoint record --memory samples addresses of data, where it was found and how long that took",
    ),
    (
        &["-I", "--intr-regs", "--user-regs"],
        "use --call-graph dwarf, which takes the registers that stacks need",
    ),
    (&["-k", "--clockid"], "leave it out: times are those of the kernel's perf clock"),
    (&["-n", "--no-samples"], "use counterpoint stat, which counts and takes no samples"),
    (
        &["-R", "--raw-samples"],
        "leave it out: the fields of tracepoints are not kept; perf record keeps them",
    ),
    (&["-r", "--realtime"], "run it with chrt: chrt -f PRIORITY counterpoint record"),
    (
        &["-S", "--snapshot", "--aux-sample", "--overwrite"],
        "perf record has it; counterpoint report reads its file",
    ),
    (&["-s", "--stat"], "use counterpoint stat -p PID --per-thread for counts of each thread"),
    (&["-z", "--compression-level"], "compress the file: gzip perf.data"),
    (
        &["--all-cgroups", "--namespaces", "--switch-events"],
        "use -G CGROUP for one cgroup, or --off-cpu for the time that threads wait",
    ),
    (
        &["--group", "--kcore", "--running-time"],
        "leave it out: each event has its own samples, and names of the kernel are those of /proc/kallsyms",
    ),
    (&["--clang-opt", "--clang-path", "--vmlinux"], "leave it out: no program for BPF is compiled"),
    (&["--dry-run"], "use counterpoint show EVENT, which says if it can be sampled here"),
    (
        &["--filter"],
        "use counterpoint stat -e TRACEPOINT --filter CONDITION, which counts; perf record takes the samples",
    ),
    (&["--max-size"], "use --timeout MS, or -F HZ for fewer samples"),
    (
        &["--switch-output", "--switch-output-event", "--switch-max-files", "--timestamp-filename"],
        "use --control CTL,ACK to take samples only when they are wanted, and %p or {rank} in the name of -o",
    ),
    (&["--threads"], "leave it out: there is one file, which is read as a whole"),
];
