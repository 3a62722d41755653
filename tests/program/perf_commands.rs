//! perf's commands `record`, `report`, `annotate` and `top`, each of its options, and the commands that only perf has.

use crate::perf_table::of_help;
use crate::temporary::Folder;
use crate::{counterpoint, has_tools, may_count_cpus, run, stderr, stdout};
use std::process::{Command, Stdio};

/// What a line with an option does.
enum Ours {
    /// It does the same.
    Same,
    /// It does the same without the option, which changes nothing.
    Ignored,
    /// It is refused, and this is in the advice.
    Instead(&'static str),
}
use Ours::{Ignored, Instead, Same};

/// The long name of each option of perf 6.1, the words that follow it, and what ours does.
type Table = &'static [(&'static str, &'static [&'static str], Ours)];

/// `FILE` is a file in the folder of the test, and `PID` a process that sleeps.
const RECORD: Table = &[
    ("all-cpus", &["-a"], Same),
    ("branch-any", &["-b"], Instead("--call-graph lbr")),
    ("no-buildid", &["-B"], Ignored),
    ("count", &["-c", "1000000"], Same),
    ("cpu", &["-C", "0"], Same),
    ("data", &["-d"], Instead("record --memory")),
    ("delay", &["-D", "1"], Same),
    ("event", &["-e", "page-faults"], Same),
    ("freq", &["-F", "max"], Same),
    ("cgroup", &["-G", "/"], Same),
    ("intr-regs", &["--intr-regs"], Instead("--call-graph dwarf")),
    ("no-inherit", &["-i"], Same),
    ("branch-filter", &["-j", "any"], Instead("--call-graph lbr")),
    ("clockid", &["-k", "mono"], Instead("perf clock")),
    ("mmap-pages", &["-m", "64"], Ignored),
    ("no-buildid-cache", &["-N"], Ignored),
    ("no-samples", &["-n"], Instead("counterpoint stat")),
    ("output", &["-o", "FILE"], Same),
    ("period", &["-P", "--period"], Ignored),
    ("pid", &["-p", "PID"], Same),
    ("quiet", &["-q"], Ignored),
    ("raw-samples", &["-R"], Instead("perf record keeps them")),
    ("realtime", &["-r", "1"], Instead("chrt")),
    ("snapshot", &["-S"], Instead("counterpoint report reads its file")),
    ("stat", &["-s"], Instead("--per-thread")),
    ("tid", &["-t", "PID"], Same),
    ("timestamp", &["-T"], Ignored),
    ("uid", &["-u", "0"], Same),
    ("verbose", &["-vv"], Ignored),
    ("weight", &["-W"], Instead("record --memory")),
    ("compression-level", &["-z"], Instead("gzip")),
    ("affinity", &["--affinity", "node"], Ignored),
    ("aio", &["--aio"], Ignored),
    ("all-cgroups", &["--all-cgroups"], Instead("-G CGROUP")),
    ("all-kernel", &["--all-kernel"], Same),
    ("all-user", &["--all-user"], Same),
    ("aux-sample", &["--aux-sample"], Instead("counterpoint report reads its file")),
    ("buildid-all", &["--buildid-all"], Ignored),
    ("buildid-mmap", &["--buildid-mmap"], Ignored),
    ("call-graph", &["--call-graph", "fp"], Same),
    ("clang-opt", &["--clang-opt", "-O"], Instead("no program for BPF")),
    ("clang-path", &["--clang-path", "clang"], Instead("no program for BPF")),
    ("code-page-size", &["--code-page-size"], Instead("record --memory")),
    ("control", &["--control", "fd:0"], Same),
    ("data-page-size", &["--data-page-size"], Instead("record --memory")),
    ("debuginfod", &["--debuginfod"], Ignored),
    ("dry-run", &["--dry-run"], Instead("counterpoint show EVENT")),
    ("exclude-perf", &["--exclude-perf"], Ignored),
    ("filter", &["--filter", "pid > 1"], Instead("counterpoint stat -e TRACEPOINT --filter")),
    ("group", &["--group"], Instead("its own samples")),
    ("kcore", &["--kcore"], Instead("/proc/kallsyms")),
    ("kernel-callchains", &["--kernel-callchains"], Ignored),
    ("max-size", &["--max-size", "1M"], Instead("--timeout MS")),
    ("mmap-flush", &["--mmap-flush", "1"], Ignored),
    ("namespaces", &["--namespaces"], Instead("-G CGROUP")),
    ("no-bpf-event", &["--no-bpf-event"], Ignored),
    ("no-buffering", &["--no-buffering"], Ignored),
    ("num-thread-synthesize", &["--num-thread-synthesize", "1"], Ignored),
    ("off-cpu", &["--off-cpu"], Instead("counterpoint profile --off-cpu")),
    ("overwrite", &["--overwrite"], Instead("counterpoint report reads its file")),
    ("per-thread", &["--per-thread"], Ignored),
    ("phys-data", &["--phys-data"], Instead("record --memory")),
    ("proc-map-timeout", &["--proc-map-timeout", "500"], Ignored),
    ("running-time", &["--running-time"], Instead("leave it out")),
    ("sample-cpu", &["--sample-cpu"], Ignored),
    ("sample-identifier", &["--sample-identifier"], Ignored),
    ("strict-freq", &["--strict-freq"], Ignored),
    ("switch-events", &["--switch-events"], Instead("--off-cpu")),
    ("switch-max-files", &["--switch-max-files", "2"], Instead("--control")),
    ("switch-output", &["--switch-output"], Instead("--control")),
    ("switch-output-event", &["--switch-output-event", "page-faults"], Instead("--control")),
    ("synth", &["--synth", "all"], Ignored),
    ("tail-synthesize", &["--tail-synthesize"], Ignored),
    ("threads", &["--threads"], Instead("one file")),
    ("timestamp-boundary", &["--timestamp-boundary"], Ignored),
    ("timestamp-filename", &["--timestamp-filename"], Instead("in the name of -o")),
    ("transaction", &["--transaction"], Instead("record --memory")),
    ("user-callchains", &["--user-callchains"], Ignored),
    ("user-regs", &["--user-regs"], Instead("--call-graph dwarf")),
    ("vmlinux", &["--vmlinux", "FILE"], Instead("no program for BPF")),
];

const REPORT: Table = &[
    ("branch-stack", &["-b"], Instead("perf report -b")),
    ("comms", &["--comms", "sh"], Same),
    ("cpu", &["-C", "0"], Same),
    ("dsos", &["-d", "libc.so.6"], Same),
    ("dump-raw-trace", &["-D"], Instead("perf script -D")),
    ("fields", &["-F", "overhead,sample,sym,dso"], Same),
    ("force", &["-f"], Ignored),
    ("call-graph", &["-g", "graph,0.5,caller"], Same),
    ("inverted", &["-G"], Instead("--callers SYMBOL")),
    ("input", &["-i", "FILE"], Same),
    ("show-info", &["-I"], Ignored),
    ("vmlinux", &["-k", "FILE"], Instead("/proc/kallsyms")),
    ("disassembler-style", &["-M", "intel"], Instead("counterpoint annotate")),
    ("modules", &["-m"], Instead("/proc/kallsyms")),
    ("show-nr-samples", &["-n"], Ignored),
    ("parent", &["--parent", "main"], Instead("--callers SYMBOL")),
    ("quiet", &["-q"], Ignored),
    ("sort", &["-s", "comm,dso,sym"], Same),
    ("symbols", &["--symbols", "main"], Same),
    ("field-separator", &["--field-separator", ";"], Instead("--format json")),
    ("threads", &["-T"], Ignored),
    ("hide-unresolved", &["-U"], Instead("[unknown]")),
    ("verbose", &["-v"], Ignored),
    ("column-widths", &["-w", "8,8"], Ignored),
    ("exclude-other", &["-x"], Instead("-S SYMBOL")),
    ("asm-raw", &["--asm-raw"], Instead("counterpoint annotate")),
    ("branch-history", &["--branch-history"], Instead("perf report -b")),
    ("children", &["--children"], Same),
    ("demangle", &["--demangle"], Ignored),
    ("demangle-kernel", &["--demangle-kernel"], Ignored),
    ("disable-order", &["--disable-order"], Ignored),
    ("full-source-path", &["--full-source-path"], Ignored),
    ("group", &["--group"], Instead("its own table")),
    ("group-sort-idx", &["--group-sort-idx", "1"], Instead("perf report -i FILE")),
    ("header", &["--header"], Ignored),
    ("header-only", &["--header-only"], Instead("--format json")),
    ("hierarchy", &["--hierarchy"], Instead("--sort KEY,KEY")),
    ("ignore-callees", &["--ignore-callees", "x"], Instead("--callees SYMBOL")),
    ("ignore-vmlinux", &["--ignore-vmlinux"], Ignored),
    ("inline", &["--inline"], Ignored),
    ("itrace", &["--itrace"], Instead("perf report -i FILE")),
    ("kallsyms", &["--kallsyms", "FILE"], Instead("/proc/kallsyms")),
    ("max-stack", &["--max-stack", "5"], Instead("--percent-limit")),
    ("mem-mode", &["--mem-mode"], Instead("report --memory")),
    ("mmaps", &["--mmaps"], Instead("perf report -i FILE")),
    ("ns", &["--ns"], Ignored),
    ("objdump", &["--objdump", "objdump"], Ignored),
    ("percent-limit", &["--percent-limit", "1"], Same),
    ("percent-type", &["--percent-type", "hits"], Instead("perf report -i FILE")),
    ("percentage", &["--percentage", "relative"], Ignored),
    ("pid", &["--pid", "1"], Same),
    ("prefix", &["--prefix", "/src"], Instead("--debug-dir")),
    ("prefix-strip", &["--prefix-strip", "1"], Instead("--debug-dir")),
    ("pretty", &["--pretty", "raw"], Instead("perf report -i FILE")),
    ("raw-trace", &["--raw-trace"], Instead("perf report -i FILE")),
    ("samples", &["--samples", "1"], Instead("perf report -i FILE")),
    ("show-cpu-utilization", &["--show-cpu-utilization"], Instead("--sort module")),
    ("show-on-off-events", &["--show-on-off-events"], Instead("perf report -i FILE")),
    ("show-ref-call-graph", &["--show-ref-call-graph"], Instead("perf report -i FILE")),
    ("show-total-period", &["--show-total-period"], Instead("-c N or -F HZ")),
    ("skip-empty", &["--skip-empty"], Ignored),
    ("socket-filter", &["--socket-filter", "0"], Instead("the CPUs of the socket")),
    ("source", &["--source"], Ignored),
    ("stats", &["--stats"], Instead("perf report -i FILE")),
    ("stdio", &["--stdio"], Ignored),
    ("stdio-color", &["--stdio-color", "never"], Ignored),
    ("stitch-lbr", &["--stitch-lbr"], Instead("perf report -i FILE")),
    ("switch-off", &["--switch-off", "x"], Instead("--time START,END")),
    ("switch-on", &["--switch-on", "x"], Instead("--time START,END")),
    ("symbol-filter", &["--symbol-filter", "main"], Same),
    ("symfs", &["--symfs", "/"], Instead("--debug-dir")),
    ("tasks", &["--tasks"], Instead("--sort pid,tid,comm")),
    ("tid", &["--tid", "1"], Same),
    ("time", &["--time", "1,2"], Same),
    ("time-quantum", &["--time-quantum", "1ms"], Instead("--html FILE")),
    ("total-cycles", &["--total-cycles"], Instead("perf report -b")),
    ("tui", &["--tui"], Instead("--html FILE")),
];

const ANNOTATE: Table = &[
    ("cpu", &["-C", "0-1023"], Same),
    ("dsos", &["-d", "sh"], Instead("--module FILE")),
    ("dump-raw-trace", &["-D"], Instead("perf script -D")),
    ("force", &["-f"], Ignored),
    ("input", &["-i", "FILE"], Same),
    ("vmlinux", &["-k", "FILE"], Instead("/proc/kallsyms")),
    ("print-line", &["-l"], Ignored),
    ("disassembler-style", &["-M", "intel"], Ignored),
    ("modules", &["-m"], Instead("/proc/kallsyms")),
    ("show-nr-samples", &["-n"], Ignored),
    ("full-paths", &["-P"], Ignored),
    ("quiet", &["-q"], Ignored),
    ("symbol", &["-s", "SYMBOL"], Same),
    ("verbose", &["-v"], Ignored),
    ("asm-raw", &["--asm-raw"], Instead("leave it out")),
    ("demangle", &["--demangle"], Ignored),
    ("demangle-kernel", &["--demangle-kernel"], Ignored),
    ("group", &["--group"], Instead("its own table")),
    ("ignore-vmlinux", &["--ignore-vmlinux"], Ignored),
    ("itrace", &["--itrace"], Instead("perf report -i FILE")),
    ("objdump", &["--objdump", "objdump"], Ignored),
    ("percent-limit", &["--percent-limit", "1"], Instead("the hottest lines")),
    ("percent-type", &["--percent-type", "hits"], Instead("perf report -i FILE")),
    ("prefix", &["--prefix", "/src"], Instead("--debug-dir")),
    ("prefix-strip", &["--prefix-strip", "1"], Instead("--debug-dir")),
    ("show-total-period", &["--show-total-period"], Instead("the samples of each line")),
    ("skip-missing", &["--skip-missing"], Ignored),
    ("source", &["--source"], Same),
    ("stdio", &["--stdio"], Ignored),
    ("stdio-color", &["--stdio-color", "never"], Ignored),
    ("stdio2", &["--stdio2"], Ignored),
    ("symfs", &["--symfs", "/"], Instead("--debug-dir")),
    ("tui", &["--tui"], Instead("--html FILE")),
];

const ONE_VIEW: &str = "one view of functions, threads, lines and processes";
const TOP: Table = &[
    ("all-cpus", &["-a"], Same),
    ("branch-any", &["-b"], Instead("--call-graph lbr")),
    ("count", &["-c", "1000000"], Same),
    ("cpu", &["-C", "0"], Same),
    ("delay", &["-d", "1"], Same),
    ("dump-symtab", &["-D"], Instead("/proc/kallsyms")),
    ("entries", &["-E", "10"], Instead("as fit on the screen")),
    ("event", &["-e", "page-faults"], Same),
    ("count-filter", &["--count-filter", "5"], Instead("the hottest rows come first")),
    ("freq", &["-F", "max"], Same),
    ("cgroup", &["-G", "/"], Same),
    ("no-inherit", &["-i"], Same),
    ("branch-filter", &["-j", "any"], Instead("--call-graph lbr")),
    ("hide_kernel_symbols", &["-K"], Instead("-e task-clock:u")),
    ("vmlinux", &["-k", "FILE"], Instead("/proc/kallsyms")),
    ("disassembler-style", &["--disassembler-style", "intel"], Instead("--annotate SYMBOL")),
    ("mmap-pages", &["-m", "64"], Ignored),
    ("show-nr-samples", &["-n"], Ignored),
    ("pid", &["-p", "PID"], Same),
    ("realtime", &["-r", "1"], Instead("chrt")),
    ("sort", &["--sort", "comm"], Instead("the keys 1, 2, 3 and 4")),
    ("tid", &["-t", "PID"], Same),
    ("hide_user_symbols", &["-U"], Instead("-e cpu-clock:k")),
    ("uid", &["-u", "0"], Same),
    ("verbose", &["-v"], Ignored),
    ("column-widths", &["-w", "8"], Instead(ONE_VIEW)),
    ("zero", &["-z"], Ignored),
    ("all-cgroups", &["--all-cgroups"], Instead(ONE_VIEW)),
    ("asm-raw", &["--asm-raw"], Instead("--annotate SYMBOL")),
    ("call-graph", &["--call-graph", "fp"], Same),
    ("children", &["--children"], Ignored),
    ("comms", &["--comms", "sh"], Instead("-t TID")),
    ("demangle-kernel", &["--demangle-kernel"], Ignored),
    ("dsos", &["--dsos", "sh"], Instead("the key /")),
    ("fields", &["--fields", "sym"], Instead("the keys 1, 2, 3 and 4")),
    ("force", &["--force"], Ignored),
    ("group", &["--group"], Instead(ONE_VIEW)),
    ("group-sort-idx", &["--group-sort-idx", "1"], Instead(ONE_VIEW)),
    ("hierarchy", &["--hierarchy"], Instead(ONE_VIEW)),
    ("ignore-callees", &["--ignore-callees", "x"], Instead("--call-graph fp")),
    ("ignore-vmlinux", &["--ignore-vmlinux"], Ignored),
    ("kallsyms", &["--kallsyms", "FILE"], Instead("/proc/kallsyms")),
    ("max-stack", &["--max-stack", "5"], Ignored),
    ("namespaces", &["--namespaces"], Instead(ONE_VIEW)),
    ("no-bpf-event", &["--no-bpf-event"], Ignored),
    ("num-thread-synthesize", &["--num-thread-synthesize", "1"], Ignored),
    ("objdump", &["--objdump", "objdump"], Instead("--annotate SYMBOL")),
    ("overwrite", &["--overwrite"], Instead(ONE_VIEW)),
    ("percent-limit", &["--percent-limit", "1"], Instead("the hottest rows come first")),
    ("percentage", &["--percentage", "relative"], Instead(ONE_VIEW)),
    ("prefix", &["--prefix", "/src"], Instead("--annotate SYMBOL")),
    ("prefix-strip", &["--prefix-strip", "1"], Instead("--annotate SYMBOL")),
    ("proc-map-timeout", &["--proc-map-timeout", "500"], Ignored),
    ("raw-trace", &["--raw-trace"], Instead(ONE_VIEW)),
    ("show-on-off-events", &["--show-on-off-events"], Instead(ONE_VIEW)),
    ("show-total-period", &["--show-total-period"], Instead(ONE_VIEW)),
    ("source", &["--source"], Instead("--annotate SYMBOL")),
    ("stdio", &["--stdio"], Instead("counterpoint profile")),
    ("stitch-lbr", &["--stitch-lbr"], Instead("--call-graph fp")),
    ("switch-off", &["--switch-off", "x"], Instead("--control")),
    ("switch-on", &["--switch-on", "x"], Instead("--control")),
    ("sym-annotate", &["--sym-annotate", "main"], Instead("--annotate SYMBOL")),
    ("symbols", &["--symbols", "main"], Instead("the key /")),
    ("tui", &["--tui"], Ignored),
];

/// A command that takes longer than a delay of a millisecond.
const WORK: [&str; 2] = ["sleep", "0.02"];

/// Runs ours with an option; the words before and after it are those that the command needs.
fn check(
    command: &str,
    (option, words, ours): &(&str, &[&str], Ours),
    (before, after): (&[&str], &[&str]),
    of: &[(&str, &str)],
) {
    let filled: Vec<&str> = words
        .iter()
        .map(|word| of.iter().find(|(name, _)| name == word).map_or(*word, |(_, value)| value))
        .collect();
    let args = [&[command], before, &filled, after].concat();
    let output = counterpoint(&args).stdin(Stdio::null()).output().unwrap();
    let text = stderr(&output);
    match ours {
        Same | Ignored => {
            let is_usage = text.contains("error:") || text.contains("an option of");
            assert!(!is_usage, "{command} --{option}: {text}");
            // The screen of `top` needs a terminal.
            assert!(output.status.success() || command == "top", "{command} --{option}: {text}");
        }
        Instead(advice) => {
            assert_eq!(output.status.code(), Some(2), "{command} --{option}: {text}");
            assert!(text.contains(advice), "{command} --{option}: {text}");
        }
    }
}

fn is_ignored((_, _, ours): &(&str, &[&str], Ours)) -> bool {
    matches!(ours, Ignored)
}

/// Runs ours with all options together that change nothing.
fn check_ignored(command: &str, table: Table, after: &[&str]) {
    let words = table.iter().filter(|row| is_ignored(row)).flat_map(|(_, words, _)| *words);
    let words: Vec<&str> = words.copied().collect();
    assert!(words.len() > 10, "{words:?}");
    check(command, &("ignored", &words, Ignored), (&[], after), &[]);
}

#[test]
fn record_does_what_perf_record_does_or_says_what_to_use() {
    let _alone = may_count_cpus();
    let folder = Folder::new("perf-record");
    let (file, other) = (folder.path("perf.data"), folder.path("other.data"));
    let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
    let pid = sleeper.id().to_string();
    let in_file = [&["-o", &file, "--timeout", "9000", "--"][..], &WORK].concat();
    check_ignored("record", RECORD, &in_file);
    for row in RECORD.iter().filter(|row| !is_ignored(row)) {
        let after = if row.0 == "output" { &in_file[2..] } else { &in_file };
        check("record", row, (&[], after), &[("PID", &pid), ("FILE", &other)]);
    }
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert!(std::fs::metadata(&other).unwrap().len() > 1000, "-o was obeyed");
    let here = counterpoint(&["record", "-e", "page-faults", "-c", "1", "-g", "true"])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert!(stderr(&here).contains("written to perf.data"), "{}", stderr(&here));
    let read = counterpoint(&["report", "--format", "json"]).current_dir(&folder.0).output();
    let read: serde_json::Value = serde_json::from_str(stdout(&read.unwrap()).trim()).unwrap();
    assert!(read["samples"].as_u64() > Some(10) && read["event"] == "page-faults", "{read}");
    assert!(read["stacks"].as_array().is_some_and(|stacks| !stacks.is_empty()), "{read}");
    if has_tools(&["perf"]) {
        let mut perf = Command::new("perf");
        let script = perf.args(["script", "-F", "ip,sym", "-i"]).arg(folder.path("perf.data"));
        assert!(script.output().unwrap().status.success());
    }
}

const PROGRAM: &str = r#"
#include <time.h>
volatile unsigned long sink;
__attribute__((noinline)) void work(long rounds) { while (rounds-- > 0) sink += rounds; }
int main(void) {
    while (clock() < CLOCKS_PER_SEC / 10) work(10000);
    return 0;
}
"#;

/// A recording with call stacks of a program that works in `work`; `None` if it cannot be compiled.
fn recording(folder: &Folder) -> Option<String> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let (source, program, file) =
        (folder.path("work.c"), folder.path("work"), folder.path("perf.data"));
    std::fs::write(&source, PROGRAM).unwrap();
    let mut gcc = Command::new("gcc");
    let gcc = gcc.args(["-g", "-O1", "-fno-omit-frame-pointer", "-o", &program, &source]);
    assert!(gcc.status().unwrap().success());
    let recorded = run(&["record", "-F", "2000", "--all-user", "-g", "-o", &file, "--", &program]);
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    Some(file)
}

#[test]
fn report_does_what_perf_report_does_or_says_what_to_use() {
    let folder = Folder::new("perf-report");
    let Some(file) = recording(&folder) else { return };
    check_ignored("report", REPORT, &[&file]);
    for row in REPORT.iter().filter(|row| !is_ignored(row)) {
        let after: &[&str] = if row.0 == "input" { &[] } else { &[&file] };
        check("report", row, (&[], after), &[("FILE", &file), ("main", "work")]);
    }
    let table = |args: &[&str]| stdout(&run(&[&["report"], args].concat()));
    let whole = table(&[&file]);
    assert!(whole.contains("children"), "{whole}");
    for args in [&["-i", &*file, "--no-children"][..], &["-i", &file, "-g", "none"]] {
        let without = table(args);
        assert!(!without.contains("children") && without.contains("task-clock"), "{without}");
    }
    assert_eq!(table(&["--stdio", "-n", "-i", &file, "-g"]), whole);
    let by_field = table(&["-F", "overhead,comm,dso", &file]);
    assert_eq!(by_field, table(&["--sort", "comm,module", &file]));
    let wrong = run(&["report", "-F", "weight", &file]);
    assert!(stderr(&wrong).contains("the keys are function, line"), "{}", stderr(&wrong));
    let file_after = run(&["report", "-g", &file]);
    assert!(stderr(&file_after).contains("write the file before it"), "{}", stderr(&file_after));
}

#[test]
fn samples_are_filtered_by_their_files() {
    let folder = Folder::new("perf-modules");
    let Some(file) = recording(&folder) else { return };
    let samples = |args: &[&str]| -> u64 {
        let text = stdout(&run(&[&["report", "--format", "json", &file], args].concat()));
        let read: serde_json::Value = serde_json::from_str(text.trim()).unwrap();
        read["samples"].as_u64().unwrap()
    };
    let read = stdout(&run(&["report", "--format", "json", &file]));
    let read: serde_json::Value = serde_json::from_str(read.trim()).unwrap();
    let mut modules: Vec<&str> =
        read["regions"].as_array().unwrap().iter().filter_map(|of| of["module"].as_str()).collect();
    modules.sort_unstable();
    modules.dedup();
    let total = samples(&[]);
    let sum: u64 = modules.iter().map(|module| samples(&["--module", module])).sum();
    assert_eq!((sum, samples(&["-d", &modules.join(",")])), (total, total), "{modules:?}");
    let name = modules[0].rsplit('/').next().unwrap();
    assert_eq!(samples(&["--dsos", name]), samples(&["--module", modules[0]]), "{name}");
    assert_eq!(samples(&["--dso", "no-such-file"]), 0);
}

#[test]
fn annotate_does_what_perf_annotate_does_or_says_what_to_use() {
    let folder = Folder::new("perf-annotate");
    let Some(file) = recording(&folder) else { return };
    check_ignored("annotate", ANNOTATE, &["work", &file]);
    for row in ANNOTATE.iter().filter(|row| !is_ignored(row)) {
        let around: (&[&str], &[&str]) = match row.0 {
            "input" => (&["work"], &[]),
            "symbol" => (&[], &["-i", &file]),
            _ => (&[], &["work", &file]),
        };
        check("annotate", row, around, &[("FILE", &file), ("SYMBOL", "work")]);
    }
    let ours = stdout(&run(&["annotate", "work", &file]));
    assert!(ours.contains("samples"), "{ours}");
    for args in [&["-s", "work", "-i", &file][..], &["-s", "work", &file]] {
        assert_eq!(stdout(&run(&[&["annotate", "--stdio"], args].concat())), ours);
    }
    let only = stdout(&run(&["annotate", "--no-source", "work", &file]));
    assert_eq!(only, stdout(&run(&["annotate", "--asm", "work", &file])));
}

#[test]
fn top_does_what_perf_top_does_or_says_what_to_use() {
    for row in TOP {
        check("top", row, (&[], &["--iterations", "1"]), &[("PID", "1"), ("FILE", "vmlinux")]);
    }
}

#[test]
fn every_option_that_perf_lists_is_in_a_table() {
    if !has_tools(&["perf"]) {
        return;
    }
    let perf = |args: &[&str]| {
        let output = Command::new("perf").args(args).output().unwrap();
        stdout(&output) + &stderr(&output)
    };
    let version = perf(&["--version"]);
    for (command, table) in
        [("record", RECORD), ("report", REPORT), ("annotate", ANNOTATE), ("top", TOP)]
    {
        let listed = of_help(&perf(&[command, "-h"]));
        assert!(listed.len() > 25, "{command}: {listed:?}");
        let is_known = |option: &String| table.iter().any(|(name, ..)| name == option);
        let missing: Vec<&String> = listed.iter().filter(|option| !is_known(option)).collect();
        if version.starts_with("perf version 6.1.") {
            assert!(missing.is_empty(), "{command}: {missing:?}");
        } else {
            println!("skipped: the table is that of perf 6.1, and not of {version}: {missing:?}");
        }
    }
}

#[test]
fn commands_that_only_perf_has_are_answered_with_what_to_use() {
    let ours = stdout(&run(&["--help"]));
    let is_ours = |name: &str| ours.lines().any(|line| line.starts_with(&format!("  {name} ")));
    let known = [
        ("script", "counterpoint report --format"),
        ("mem", "profile --memory"),
        ("c2c", "report --shared-lines"),
        ("sched", "profile --off-cpu"),
        ("lock", "profile --off-cpu"),
        ("diff", "report diff"),
        ("archive", "perf archive"),
        ("trace", "syscalls"),
        ("probe", "stat -e probe:NAME"),
        ("evlist", "counterpoint report FILE"),
    ];
    for (name, instead) in known {
        let output = run(&[name, "-a", "record", "--anything"]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text.contains(&format!("{name} is a command of perf")), "{text}");
        assert!(text.contains(instead), "{name}: {text}");
    }
    if !has_tools(&["perf"]) {
        return;
    }
    let listed = stdout(&Command::new("perf").arg("--list-cmds").output().unwrap());
    for name in listed.split_whitespace() {
        let text = stderr(&run(&[name, "-v"]));
        let is_answered = text.contains("is a command of perf") || is_ours(name) || name == "help";
        assert!(is_answered, "{name}: {text}");
    }
}
