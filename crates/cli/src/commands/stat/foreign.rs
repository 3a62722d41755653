//! Options of `perf stat` that `stat` does not have, and what to use instead.

use crate::failure::Failure;

/// The names of each, with the arguments that do the same, or come closest.
const INSTEAD: &[(&[&str], &str)] = &[
    (&["--bpf-counters"], "leave it out: the events are opened for each CPU or process"),
    (
        &["--cputype"],
        "name the PMU of the cores, such as -e cpu_core/cycles/ or -e cpu_atom/cycles/",
    ),
    (
        &["--hybrid-merge"],
        "leave it out, and name one kind of cores, such as -e cpu_core/cycles/, or add up the rows",
    ),
    (&["--interval-clear"], "leave it out: intervals are printed one below the other"),
    (&["--iostat"], "count the events of the PMUs of I/O; `counterpoint list iio` lists them"),
    (
        &["--metric-no-group"],
        "leave it out: the events of a metric are counted together only where they fit",
    ),
    (&["--metric-no-merge"], "leave it out: an event that several metrics need is counted once"),
    (&["--metric-only"], "use -M NAME without -e, which prints metrics only"),
    (&["--no-csv-summary"], "leave it out: -x prints no summary"),
    (
        &["--no-scale", "--scale"],
        "use --json or --csv, which have the count of the counter as `raw`",
    ),
    (&["--percore-show-thread"], "use --per-core for the sum of each core, or -A for each CPU"),
    (&["--post"], "run a shell: -- sh -c 'COMMAND; POST', which counts POST too"),
    (&["--pre"], "run a shell: -- sh -c 'PRE; COMMAND', which counts PRE too"),
    (&["--quiet"], "use -o /dev/null"),
    (&["--smi-cost"], "use -e msr/smi/,msr/aperf/, which counts the interrupts of the firmware"),
    (
        &["--summary"],
        "leave out -I, which leaves the counts of the whole run, or add up the intervals",
    ),
    (&["-S", "--sync"], "run sync before: sync; counterpoint stat -- COMMAND"),
    (
        &["--table"],
        "use -r N --json, which has the value of each run, and their minimum, median and maximum",
    ),
    (&["--td-level"], "use --topdown=LEVEL"),
    (
        &["-T", "--transaction"],
        "name the events: -e cycles,cpu/cycles-t/,cpu/tx-start/,cpu/cycles-ct/",
    ),
];

/// The failure for an option of perf; `None` if it is not one of these.
pub fn failure(option: &str) -> Option<Failure> {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let (_, instead) = INSTEAD.iter().find(|(names, _)| names.contains(&name))?;
    Some(
        Failure::new(format!("{name} is an option of perf that stat does not have")).help(*instead),
    )
}
