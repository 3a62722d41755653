//! Options of `perf stat` and of hyperfine that `stat` does not have, and what to use instead.

use crate::failure::Failure;
use crate::foreign::accepted::Accepted;

/// Those that change nothing.
pub const ACCEPTED: &[Accepted] = &[
    // Values are scaled, metrics share their events, which are together only where they fit, and intervals are one below the other.
    Accepted::long("bpf-counters"),
    Accepted::long("interval-clear"),
    Accepted::long("metric-no-group"),
    Accepted::long("metric-no-merge"),
    Accepted::long("no-csv-summary"),
    Accepted::long("scale"),
];

/// The names of each, with the arguments that do the same, or come closest.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &["--cputype"],
        "name the PMU of the cores, such as -e cpu_core/cycles/ or -e cpu_atom/cycles/",
    ),
    (
        &["--hybrid-merge"],
        "leave it out, and name one kind of cores, such as -e cpu_core/cycles/, or add up the rows",
    ),
    (&["--iostat"], "count the events of the PMUs of I/O; `counterpoint list iio` lists them"),
    (&["--no-scale"], "use --json or --csv, which have the count of the counter as `raw`"),
    (&["--percore-show-thread"], "use --per-core for the sum of each core, or -A for each CPU"),
    (&["--quiet"], "use -o /dev/null"),
    (&["--smi-cost"], "use -e msr/smi/,msr/aperf/, which counts the interrupts of the firmware"),
    (&["-S", "--sync"], "use --prepare sync, which runs it before each run"),
    (
        &["-T", "--transaction"],
        "name the events: -e cycles,cpu/cycles-t/,cpu/tx-start/,cpu/cycles-ct/",
    ),
];

/// The same of hyperfine, whose commands are those of --compare.
const OF_HYPERFINE: &[(&[&str], &str)] = &[
    (&["--export-asciidoc", "--export-orgmode"], "use --format markdown -o FILE, or --csv -o FILE"),
    (&["--export-csv"], "use --csv -o FILE"),
    (&["--export-json"], "use --json -o FILE"),
    (&["--export-markdown"], "use --format markdown -o FILE"),
    (&["--input"], "redirect in the command: 'COMMAND < FILE'"),
    (
        &["--max-runs", "--min-benchmarking-time", "--min-runs", "--runs"],
        "use -r N, or --precision and --max-time",
    ),
    (&["--reference-name"], "leave it out: the reference is named by its command"),
    (
        &["--shell"],
        "use -N for none; or leave it out: sh runs the commands only if one of them needs it",
    ),
    (&["--sort"], "leave it out: the sides are in the order of the commands, and ranked below"),
    (&["--style"], "leave it out: text is fitted to the terminal"),
    (&["--time-unit"], "use --json or --csv, which have seconds"),
];

/// The failure for an option of one of these programs; `None` if it is not one of theirs.
pub fn failure(option: &str) -> Option<Failure> {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    [("perf", INSTEAD), ("hyperfine", OF_HYPERFINE)].into_iter().find_map(|(program, all)| {
        let (_, instead) = all.iter().find(|(names, _)| names.contains(&name))?;
        let text = format!("{name} is an option of {program} that stat does not have");
        Some(Failure::new(text).help(*instead))
    })
}
