//! The options of `-h`.

use crate::help::headings::Most;

pub const MOST: Most = &[
    ("all_cpus", "Show all processes on all CPUs"),
    ("pid", "Show these processes"),
    ("events", "Sample these events"),
    ("frame_pointers", "Take call stacks, too"),
    ("stat", "Count these events beside the samples"),
    ("metric", "Show these metrics"),
    ("delay", "Show a new interval every so many seconds"),
];
