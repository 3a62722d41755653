//! Every option of `perf stat`: what Counterpoint does with it, and the counts of both beside each other.

use crate::{counterpoint, has_tools, may_count_cpus, run, stderr, stdout};
use std::process::{Command, Output};

/// The equivalent of an option in Counterpoint.
enum Ours {
    /// It is the same line.
    Same,
    /// Another line does the same.
    As(&'static [&'static str]),
    /// It is refused, and this is in the advice.
    Refused(&'static str),
}
use Ours::{As, Refused, Same};

/// The subject of the counts of a line.
#[derive(PartialEq)]
enum Counts {
    /// The page faults of the command, which differ little from run to run.
    Command,
    /// Something else, or nothing: both programs print it, and succeed.
    Other,
}
use Counts::{Command as OfCommand, Other};

/// The long name of each option in perf 6.1, a line with it, what ours is, and what the line counts.
/// `PID` is a process that sleeps, `FILE` a file, and the events are page faults unless the line names some.
const TABLE: &[(&str, &[&str], Ours, Counts)] = &[
    ("all-cpus", &["-a"], Same, Other),
    ("no-aggr", &["-a", "-A"], Same, Other),
    ("big-num", &["-B"], Same, OfCommand),
    ("cpu", &["-C", "0"], Same, Other),
    ("delay", &["-D", "1"], Same, Other),
    ("detailed", &["-d"], Same, Other),
    ("event", &["-e", "page-faults:u,task-clock"], Same, OfCommand),
    ("cgroup", &["-a", "-G", "/"], As(&["-G", "/"]), Other),
    ("group", &["-g"], As(&["-e", "{page-faults,task-clock}"]), OfCommand),
    ("interval-print", &["-I", "5000"], Same, Other),
    ("no-inherit", &["-i"], Same, OfCommand),
    ("json-output", &["-j"], Same, OfCommand),
    ("metrics", &["-M", "ipc"], Same, Other),
    ("null", &["-n"], Same, Other),
    ("output", &["-o", "FILE"], Same, OfCommand),
    ("pid", &["-p", "PID"], Same, Other),
    ("repeat", &["-r", "3"], Same, OfCommand),
    ("sync", &["-S"], Refused("--prepare sync"), Other),
    ("tid", &["-t", "PID"], Same, Other),
    ("transaction", &["-T"], Refused("cpu/tx-start/"), Other),
    ("verbose", &["-v"], Same, OfCommand),
    ("field-separator", &["-x", ";"], Same, OfCommand),
    ("all-kernel", &["--all-kernel"], Same, OfCommand),
    ("all-user", &["--all-user"], Same, OfCommand),
    ("append", &["-o", "FILE", "--append"], Same, OfCommand),
    ("control", &["--control", "fd:0"], Same, OfCommand),
    ("cputype", &["--cputype", "core"], Refused("cpu_core/cycles/"), Other),
    ("filter", &["-e", "sched:sched_switch", "--filter", "prev_pid > 0"], Same, Other),
    ("for-each-cgroup", &["-a", "--for-each-cgroup", "/"], Same, Other),
    ("hybrid-merge", &["--hybrid-merge"], Refused("add up the rows"), Other),
    ("interval-clear", &["-I", "5000", "--interval-clear"], Same, OfCommand),
    ("interval-count", &["-I", "5000", "--interval-count", "1"], Same, Other),
    ("iostat", &["--iostat"], Refused("counterpoint list iio"), Other),
    ("log-fd", &["--log-fd", "2"], Same, OfCommand),
    ("metric-no-group", &["--metric-no-group"], Same, OfCommand),
    ("metric-no-merge", &["--metric-no-merge"], Same, OfCommand),
    ("metric-only", &["--metric-only", "-M", "ipc"], Same, Other),
    ("no-csv-summary", &["--no-csv-summary"], Same, OfCommand),
    ("no-merge", &["--no-merge"], Same, OfCommand),
    ("per-core", &["-a", "--per-core"], Same, Other),
    ("per-die", &["-a", "--per-die"], Same, Other),
    ("per-node", &["-a", "--per-node"], Same, Other),
    ("per-socket", &["-a", "--per-socket"], Same, Other),
    ("per-thread", &["-p", "PID", "--per-thread"], Same, Other),
    ("percore-show-thread", &["--percore-show-thread"], Refused("--per-core"), Other),
    ("post", &["--post", "true"], Same, OfCommand),
    ("pre", &["--pre", "true"], Same, OfCommand),
    ("quiet", &["--quiet"], Refused("-o /dev/null"), Other),
    ("scale", &["--scale"], Same, OfCommand),
    ("smi-cost", &["--smi-cost"], Refused("msr/smi/"), Other),
    ("summary", &["-I", "5000", "--summary"], Same, Other),
    ("table", &["-r", "2", "--table"], Same, OfCommand),
    ("td-level", &["--topdown", "--td-level", "1"], Same, Other),
    ("timeout", &["--timeout", "60000"], Same, OfCommand),
    ("topdown", &["--topdown"], Same, Other),
];

/// The options that perf's help lists.
pub(crate) fn of_help(help: &str) -> Vec<String> {
    let option = |line: &str| {
        let line = line.strip_prefix("    ")?;
        let (_, long) = line.split_once("--").filter(|(short, _)| short.trim().len() <= 3)?;
        let end = long.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
        Some(long[..end.unwrap_or(long.len())].to_string())
    };
    help.lines().filter_map(option).collect()
}

#[test]
fn every_option_that_perf_lists_is_in_the_table() {
    if !has_tools(&["perf"]) {
        return;
    }
    let perf = |args: &[&str]| {
        let output = Command::new("perf").args(args).output().unwrap();
        stdout(&output) + &stderr(&output)
    };
    let listed = of_help(&perf(&["stat", "-h"]));
    assert!(listed.len() > 40, "{listed:?}");
    let is_known = |option: &String| TABLE.iter().any(|(name, ..)| name == option);
    let missing: Vec<&String> = listed.iter().filter(|option| !is_known(option)).collect();
    let version = perf(&["--version"]);
    if version.starts_with("perf version 6.1.") {
        assert!(missing.is_empty(), "{missing:?}");
    } else {
        println!("skipped: the table is that of perf 6.1, and not of {version}: {missing:?}");
    }
}

/// The arguments of a line, with what stands for a process and a file.
fn filled(line: &[&str], pid: &str, file: &str) -> Vec<String> {
    let mut args = vec!["stat".to_string()];
    let has_events =
        line.iter().any(|word| matches!(*word, "-e" | "-M" | "-n" | "--topdown" | "-d"));
    if !has_events {
        args.extend(["-e", "page-faults"].map(str::to_string));
    }
    args.extend(line.iter().map(|word| word.replace("PID", pid).replace("FILE", file)));
    args.extend(["--", "true"].map(str::to_string));
    args
}

/// The page faults in a result of any format: the number before the name of the event, or after it.
fn page_faults(text: &str) -> Option<f64> {
    let numbers = |part: &str| -> Vec<f64> {
        let words = part.split(|c: char| c.is_whitespace() || "\",;:{}".contains(c));
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let of_line = |line: &str| {
        let (before, after) = line.split_once("page-faults")?;
        match after.split_once("\"value\":") {
            Some((_, value)) => numbers(value).first().copied(),
            None => numbers(before).last().copied(),
        }
    };
    text.lines().find_map(of_line)
}

/// Returns true if tracepoints can be read.
fn has_tracefs() -> bool {
    let roots = ["/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"];
    roots.into_iter().any(|root| std::fs::read_dir(root).is_ok())
}

fn text(output: &Output, file: &std::path::Path) -> String {
    let of_file = std::fs::read_to_string(file).unwrap_or_default();
    let _ = std::fs::remove_file(file);
    stdout(output) + &stderr(output) + &of_file
}

#[test]
fn every_line_counts_what_perf_counts_or_says_what_to_use() {
    let _alone = may_count_cpus();
    let has_perf = has_tools(&["perf"]);
    let mut sleeper = Command::new("sleep").arg("60").spawn().unwrap();
    let pid = sleeper.id().to_string();
    let file = std::env::temp_dir().join(format!("counterpoint-perf-table-{pid}"));
    let name = file.to_str().unwrap();
    let mut compared = 0;
    for (option, line, ours, counts) in TABLE {
        let own_line = if let As(line) = ours { line } else { line };
        let own_args = filled(own_line, &pid, name);
        let own_args: Vec<&str> = own_args.iter().map(String::as_str).collect();
        let output = counterpoint(&own_args).output().unwrap();
        let own_text = text(&output, &file);
        if let Refused(advice) = ours {
            assert_eq!(output.status.code(), Some(2), "--{option}: {own_text}");
            assert!(own_text.contains(advice), "--{option}: {own_text}");
            continue;
        }
        let is_usage = own_text.contains("error:") || own_text.contains("is not an option");
        assert!(!is_usage, "--{option}: {own_text}");
        // perf mounts tracefs where it is not mounted, and a test leaves the machine as it is.
        let needs_tracefs = *option == "filter" && !has_tracefs();
        if !has_perf || needs_tracefs {
            continue;
        }
        let perf = |_| {
            let output = Command::new("perf").args(filled(line, &pid, name)).output().unwrap();
            (output.status.success(), text(&output, &file))
        };
        // Now and then, perf prints nothing of a command that is shorter than its interval.
        let printed = (0..5).map(perf).find(|(_, text)| !text.is_empty());
        let (succeeds, perf_text) = printed.unwrap_or((true, String::new()));
        if *counts == Other || !succeeds {
            continue;
        }
        let (Some(own), Some(perf)) = (page_faults(&own_text), page_faults(&perf_text)) else {
            panic!("--{option}: {own_text}\nperf: {perf_text}");
        };
        assert!(
            (own - perf).abs() <= 0.2 * perf + 5.0,
            "--{option}: {own_text}\nperf: {perf_text}"
        );
        compared += 1;
    }
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    assert!(!has_perf || compared >= 12, "{compared} lines were compared");
    let long_names = ["stat", "--interval-print", "5000", "--json-output", "-e", "page-faults"];
    let output = run(&[&long_names[..], &["--", "true"]].concat());
    assert!(output.status.success() && stdout(&output).contains("interval_s"));
}
