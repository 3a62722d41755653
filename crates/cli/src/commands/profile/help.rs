//! The headings of the options in the help, and those of `-h`.

use crate::help::headings::{Headings, Most};

pub const HEADINGS: Headings = &[
    (
        "Events",
        &[
            "events",
            "files",
            "vendor_events",
            "count",
            "frequency",
            "off_cpu",
            "wall",
            "memory",
            "allocations",
            "metric",
            "paths",
            "call_graph",
            "frame_pointers",
            "term",
            "software",
            "all_user",
            "all_kernel",
        ],
    ),
    ("Target", &["pid", "tid", "all_cpus", "cpus", "cgroup", "uid", "no_inherit"]),
    ("Time", &["delay", "control", "timeout"]),
    (
        "Table",
        &[
            "sort",
            "children",
            "callers",
            "callees",
            "limit",
            "percent_limit",
            "full_names",
            "annotate",
        ],
    ),
    ("Comparison", &["compare", "repeat", "show_output", "ignore_failure"]),
    ("Output", &["format", "output", "append", "mpi", "html", "debug_dir", "own_cost"]),
    ("Histogram", &["region", "random", "weighted", "compress", "bucket", "scale"]),
];

pub const MOST: Most = &[
    ("events", "Profile these events; task-clock without -e"),
    ("frequency", "Take about so many samples per second"),
    ("count", "Take a sample every PERIOD events"),
    ("frame_pointers", "Take call stacks, too; --call-graph dwarf without frame pointers"),
    ("wall", "Show where wall time goes: running, waiting for what, in a run queue"),
    ("pid", "Profile these processes"),
    ("all_cpus", "Profile all CPUs"),
    ("timeout", "Stop after this time"),
    ("sort", "Show samples by function, line, module, pid, tid, comm, cpu or rank"),
    ("format", "Write another format, such as json, folded, svg or pprof"),
    ("output", "Write the result to FILE"),
    ("html", "Also write a page with a flame graph"),
    ("compare", "Profile two commands in turn, and compare them"),
];

pub const MOST_RECORDED: Most = &[
    ("events", "Sample these events; task-clock without -e"),
    ("frequency", "Take about so many samples per second"),
    ("count", "Take a sample every so many events"),
    ("frame_pointers", "Take call stacks, too; --call-graph dwarf without frame pointers"),
    ("pid", "Sample these processes"),
    ("tid", "Sample these threads"),
    ("all_cpus", "Sample all CPUs"),
    ("cpus", "Sample these CPUs"),
    ("delay", "Begin this time after the start of the command"),
    ("timeout", "Stop after this time"),
    ("output", "Write the samples to FILE in place of perf.data"),
];
