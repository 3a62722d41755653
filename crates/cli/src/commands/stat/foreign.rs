//! Options of `perf stat` that `stat` does not have, and what to use instead.

use crate::failure::Failure;

/// Each with the arguments that do the same, or come closest.
const INSTEAD: &[(&str, &str)] = &[
    ("--bpf-counters", "leave it out: the events are opened for each CPU or process"),
    ("--metric-only", "use -M NAME without -e, which prints metrics only"),
    ("--post", "run a shell: -- sh -c 'COMMAND; POST', which counts POST too"),
    ("--pre", "run a shell: -- sh -c 'PRE; COMMAND', which counts PRE too"),
    ("--smi-cost", "use -e msr/smi/,msr/aperf/, which counts the interrupts of the firmware"),
    ("--table", "use -r N --json, which has the minimum, the median and the maximum of the runs"),
    ("--td-level", "use --topdown=LEVEL"),
];

/// The failure for an option of perf; `None` if it is not one of these.
pub fn failure(option: &str) -> Option<Failure> {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let (_, instead) = INSTEAD.iter().find(|(known, _)| *known == name)?;
    Some(
        Failure::new(format!("{name} is an option of perf that stat does not have")).help(*instead),
    )
}
