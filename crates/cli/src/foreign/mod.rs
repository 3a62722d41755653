//! Commands and options of perf that this program has by other names, or does not need.

pub mod accepted;

use crate::commands;
use crate::failure::Failure;
use accepted::{Accepted, Instead};
use clap::Command;

/// The commands of perf, with those that do the same here, or come closest.
const COMMANDS: &[(&str, &str)] = &[
    (
        "archive",
        "leave it out: the files of the programs are found by their build ids on this machine; `perf archive FILE` packs them for another one",
    ),
    ("bench", "compare programs of your own: counterpoint stat --compare 'COMMAND' 'COMMAND'"),
    ("buildid-cache", "leave it out: debug files are found by build id, also on servers"),
    ("buildid-list", "perf reads the files of this program: perf buildid-list -i FILE"),
    (
        "c2c",
        "counterpoint record --memory samples loads and stores, and counterpoint report --shared-lines shows the lines that threads share, also of a file of perf c2c record",
    ),
    ("config", "leave it out: there is no file of settings"),
    ("daemon", "counterpoint exporter counts for monitoring"),
    (
        "data",
        "counterpoint report --format json, folded or pprof FILE writes a recording in another form",
    ),
    (
        "diff",
        "counterpoint report diff BEFORE AFTER, or counterpoint stat diff for reports of stat",
    ),
    ("evlist", "counterpoint report FILE shows each event of the file"),
    (
        "ftrace",
        "counterpoint stat -e 'SUBSYSTEM:*' counts tracepoints; perf ftrace shows them one by one",
    ),
    (
        "inject",
        "counterpoint report reads the names of run-time compilers without it; perf inject reads the files of this program",
    ),
    (
        "iostat",
        "counterpoint list iio lists the events of the PMUs of I/O, which counterpoint stat -a -e EVENT counts",
    ),
    ("kallsyms", "grep SYMBOL /proc/kallsyms"),
    (
        "kmem",
        "counterpoint stat -e 'kmem:*' -- COMMAND, or counterpoint profile -g -e kmem:kmalloc -c 1 -- COMMAND",
    ),
    ("kvm", "counterpoint stat -a -e 'kvm:*' counts the exits of guests"),
    ("kwork", "counterpoint stat -a -e 'irq:*,workqueue:*' counts the work of the kernel"),
    (
        "lock",
        "counterpoint profile --off-cpu -g -- COMMAND shows where threads wait, for locks as well",
    ),
    (
        "mem",
        "counterpoint profile --memory samples loads and stores with the addresses of data, and counterpoint report --memory shows them, also of a file of perf mem record",
    ),
    (
        "probe",
        "counterpoint stat -e uprobe:FILE:FUNCTION -- COMMAND counts calls of a function without a definition, and counterpoint profile -g -e uretprobe:FILE:FUNCTION -- COMMAND shows from where; counterpoint stat -e probe:NAME counts what perf probe defined",
    ),
    (
        "sched",
        "counterpoint profile --off-cpu -g -- COMMAND shows where threads wait and for how long; counterpoint stat -e 'sched:*' counts what the scheduler does",
    ),
    (
        "script",
        "counterpoint report --format json, folded or pprof FILE writes the samples for other programs; perf script -i FILE prints them one by one",
    ),
    ("test", "counterpoint doctor checks what can be counted here"),
    (
        "timechart",
        "counterpoint profile -a --html FILE -- COMMAND shows the samples of each thread over time",
    ),
    (
        "trace",
        "counterpoint stat -e 'syscalls:sys_enter_*' -- COMMAND counts system calls; perf trace shows them one by one",
    ),
    ("version", "counterpoint --version"),
];

/// The failure for a command of perf; `None` if perf has none of this name.
pub fn command(name: &str) -> Option<Failure> {
    let (_, instead) = COMMANDS.iter().find(|(known, _)| *known == name)?;
    let text = format!("{name} is a command of perf that counterpoint does not have");
    Some(Failure::new(text).help(*instead))
}

/// The failure for an option of the command of the same name of perf, or of another program; `None` if it is not one of theirs.
pub fn option(command: &str, option: &str) -> Option<Failure> {
    let (of_perf, tables): (&str, &[Instead]) = match command {
        "stat" => return commands::stat::foreign::failure(option),
        "annotate" => ("perf annotate", &[commands::annotate::foreign::INSTEAD, OF_FILES]),
        "profile" | "record" => ("perf record", &[commands::profile::foreign::INSTEAD]),
        "report" => ("perf report", &[commands::report::foreign::INSTEAD, OF_FILES]),
        #[cfg(feature = "top")]
        "top" => ("perf top", &[commands::top::foreign::INSTEAD]),
        _ => return None,
    };
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let mut all = tables.iter().flat_map(|table| table.iter());
    let (_, instead) = all.find(|(names, _)| names.contains(&name))?;
    let text = format!("{name} is an option of {of_perf} that {command} does not have");
    Some(Failure::new(text).help(*instead))
}

/// What only perf has, of everything that reads recordings.
const OF_FILES: Instead = &[
    (&["-D", "--dump-raw-trace"], "perf reads the same file: perf script -D -i FILE"),
    (
        &["-k", "--vmlinux", "--kallsyms", "-m", "--modules"],
        "leave it out: the names of the kernel are those of /proc/kallsyms of the machine that records",
    ),
    (
        &["--itrace", "--stitch-lbr", "--group-sort-idx", "--percent-type"],
        "perf reads the same file: perf report -i FILE",
    ),
    (&["--no-demangle"], "leave it out; --full-names shows whole names, with parameters"),
    (&["--no-demangle-kernel"], "leave it out"),
    (
        &["--prefix", "--prefix-strip"],
        "leave it out: source files are found where the debug information says, or below --debug-dir",
    ),
    (&["--symfs"], "use --debug-dir DIR for debug files that are elsewhere"),
    (&["--tui", "--gtk"], "use --html FILE, which writes a page to look around in"),
];

/// The program, whose command of this name also accepts the options of perf that change nothing.
pub fn accepting(program: Command, name: &str) -> Command {
    let accepted: &[&[Accepted]] = match name {
        "stat" => &[commands::stat::foreign::ACCEPTED],
        "annotate" => &[commands::annotate::foreign::ACCEPTED],
        "profile" => &[commands::profile::foreign::ACCEPTED],
        "record" => &[commands::profile::foreign::ACCEPTED, commands::profile::foreign::OF_RECORD],
        "report" => &[commands::report::foreign::ACCEPTED],
        #[cfg(feature = "top")]
        "top" => &[commands::top::foreign::ACCEPTED],
        _ => return program,
    };
    let accepted = accepted.iter().flat_map(|table| table.iter());
    program.mut_subcommand(name, |command| {
        accepted.fold(command, |command, option| command.arg(option.arg()))
    })
}
