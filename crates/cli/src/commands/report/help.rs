//! The headings of the options in the help, and those of `-h`.

use crate::help::headings::{Headings, Most};

pub const HEADINGS: Headings = &[
    (
        "Samples",
        &[
            "event",
            "pid",
            "tid",
            "comm",
            "cpu",
            "time",
            "symbol",
            "module",
            "wall",
            "memory",
            "shared_lines",
            "metric",
            "paths",
        ],
    ),
    (
        "Table",
        &[
            "sort",
            "children",
            "callers",
            "callees",
            "no_children",
            "limit",
            "percent_limit",
            "full_names",
        ],
    ),
    ("Output", &["format", "output", "html", "debug_dir"]),
];

pub const MOST: Most = &[
    ("event", "Show only samples of these events"),
    ("comm", "Show only samples of threads with these names"),
    ("time", "Show only samples from START to END"),
    ("symbol", "Show only samples in this function"),
    ("module", "Show only samples in these programs and libraries"),
    ("wall", "Show where wall time goes: running, waiting, in a run queue"),
    ("sort", "Show samples by function, line, module, pid, tid, comm, cpu or rank"),
    ("callers", "Show from where a function was called"),
    ("callees", "Show what a function called"),
    ("format", "Write another format, such as json, folded, svg or pprof"),
    ("output", "Write the result to FILE"),
    ("html", "Also write a page with a flame graph"),
];
