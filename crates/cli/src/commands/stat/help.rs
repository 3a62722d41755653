//! The headings of the options in the help, and those of `-h`.

use crate::help::headings::{Headings, Most};

pub const HEADINGS: Headings = &[
    (
        "Events",
        &[
            "events",
            "filter",
            "metrics",
            "groups",
            "paths",
            "topdown",
            "from",
            "files",
            "vendor_events",
            "all_user",
            "all_kernel",
            "no_merge",
            "null",
            "detailed",
        ],
    ),
    (
        "Target",
        &[
            "pid",
            "tid",
            "all_cpus",
            "cpus",
            "cgroup",
            "uid",
            "for_each_cgroup",
            "no_inherit",
            "mpi",
        ],
    ),
    (
        "Rows",
        &[
            "per_cpu",
            "per_core",
            "per_socket",
            "per_die",
            "per_node",
            "per_cache",
            "per_thread",
            "metric_only",
        ],
    ),
    ("Time", &["delay", "control", "timeout", "interval", "interval_count", "summary"]),
    ("Runs of a command", &["repeat", "table", "own_cost"]),
    (
        "Output",
        &[
            "plot",
            "html",
            "format",
            "json",
            "field_separator",
            "csv",
            "big_num",
            "no_big_num",
            "output",
            "color",
            "log_fd",
            "append",
        ],
    ),
];

pub const MOST: Most = &[
    ("events", "Count these events"),
    ("metrics", "Count these metrics, such as ipc"),
    ("detailed", "Count more events, of caches and TLBs"),
    ("pid", "Count in these processes"),
    ("all_cpus", "Count on all CPUs"),
    ("per_cpu", "Print a row for each CPU"),
    ("interval", "Print the counts of every interval"),
    ("repeat", "Run the command N times, and print means and errors"),
    ("compare", "Compare these commands"),
    ("timeout", "Stop after this time"),
    ("json", "Print JSON lines"),
    ("output", "Write the result to FILE"),
    ("html", "Also write a page with charts"),
];
