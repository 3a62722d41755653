//! `cargo xtask conformance capi`: programs of the system that call libpfm4, run over its library and over ours. Both
//! must print the same, but for descriptions and for what stands between backquotes below "Programs" in
//! `crates/capi-pfm/DIFFERENCES.md`. What is not installed is skipped, and its package named.

use crate::capi;
use crate::project::{root, target};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A program with its arguments, and Debian's package that has it.
struct Client {
    words: &'static [&'static str],
    package: &'static str,
}

/// The agent of PCP, which `perfevent.sh` asks, because it speaks a protocol of its own.
const PERFEVENT: &str = "/var/lib/pcp/pmdas/perfevent/pmdaperfevent";

const CLIENTS: &[Client] = &[
    Client { words: &["papi_avail"], package: "papi-tools" },
    Client { words: &["papi_component_avail"], package: "papi-tools" },
    Client { words: &["papi_native_avail"], package: "papi-tools" },
    Client { words: &["papi_xml_event_info"], package: "papi-tools" },
    Client {
        words: &["llvm-exegesis-14", "--mode=latency", "--opcode-name=ADD64rr"],
        package: "llvm-14-tools",
    },
    Client { words: &[PERFEVENT], package: "pcp" },
    Client { words: &["dtrace", "-lP", "cpc"], package: "dtrace" },
    Client {
        words: &["perf", "stat", "--pfm-events", "perf::TASK-CLOCK", "true"],
        package: "linux-perf, built with libpfm",
    },
];

/// PMUs that both libraries know; PAPI needs one of a core. Without one, each takes what it finds, and releases differ in
/// the processors that they know.
const FORCED: &[&str] = &["skl", "snb", "nhm", "amd64_fam17h", "ivb_ep"];

/// Events whose encoding is timed, and the limit of the ratio of our time to libpfm4's.
const TIMED: &[&str] = &[
    "perf::CYCLES:u",
    "skl::INST_RETIRED",
    "skx::L2_RQSTS:MISS:u",
    "amd64_fam17h::RETIRED_INSTRUCTIONS",
];
const LIMIT: f64 = 0.1;

pub fn compare() -> Result<(), String> {
    let prefix = target().join("conformance-capi");
    capi::install_names(&prefix, &["pfm"])?;
    let lib = prefix.join("lib");
    let known = known()?;
    let mut problems = 0;
    for client in CLIENTS {
        match lacking(client) {
            Some(lacking) => println!("skipped: {}: {lacking}", client.words.join(" ")),
            None => problems += run_client(client, &lib, &known)?,
        }
    }
    match (problems, speed(&prefix)?) {
        (0, 0) => Ok(()),
        (0, slow) => Err(format!("{slow} rows of speed take more than {LIMIT} of libpfm4's time")),
        (n, _) => Err(format!("{n} differences that crates/capi-pfm/DIFFERENCES.md does not have")),
    }
}

/// Runs a program with each forced PMU over both libraries; returns how many lines differ.
fn run_client(client: &Client, lib: &Path, known: &BTreeSet<String>) -> Result<usize, String> {
    let (mut lines, mut problems) = (0, 0);
    for pmu in FORCED {
        let output = |library: Option<&Path>| {
            let mut command = match client.words {
                [PERFEVENT] => {
                    let mut shell = Command::new("sh");
                    shell.args(["-c", include_str!("perfevent.sh"), "perfevent.sh", PERFEVENT]);
                    shell
                }
                [program, arguments @ ..] => {
                    let mut command = Command::new(program);
                    command.args(arguments);
                    command
                }
                [] => return Err("a client has no words".to_owned()),
            };
            command.env("LIBPFM_FORCE_PMU", pmu);
            library.map(|library| command.env("LD_LIBRARY_PATH", library));
            let output = command.output().map_err(|e| format!("{}: {e}", client.words[0]))?;
            let said = [output.stdout, output.stderr].concat();
            Ok::<_, String>((output.status.code(), compared(&String::from_utf8_lossy(&said))))
        };
        let ((code, theirs), (own_code, ours)) = (output(None)?, output(Some(lib))?);
        lines += theirs.len();
        if theirs.is_empty() {
            println!("{} with {pmu} prints nothing to compare", client.words[0]);
            problems += 1;
        }
        let is_known = |line: &&String| known.iter().any(|part| line.contains(part));
        let (theirs, ours): (BTreeSet<_>, BTreeSet<_>) =
            (theirs.into_iter().collect(), ours.into_iter().collect());
        let mut differ: Vec<&String> = theirs.symmetric_difference(&ours).collect();
        differ.retain(|line| !is_known(line));
        if code != own_code {
            println!("{} with {pmu}: {code:?} there, {own_code:?} here", client.words[0]);
            problems += 1;
        }
        for line in differ.iter().take(10) {
            let whose = if theirs.contains(*line) { "there" } else { "here" };
            println!("{} with {pmu}, only {whose}: {line}", client.words[0]);
        }
        problems += differ.len();
    }
    println!("{}: {lines} lines compared with {} PMUs", client.words.join(" "), FORCED.len());
    Ok(problems)
}

/// The lines without descriptions, which are our own, with their numbers, so that their order is compared too.
fn compared(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with("|            "));
    let without = |line: &str| match line.split_once(" desc=\"") {
        Some((before, rest)) => {
            [before, rest.split_once('"').map_or("", |(_, rest)| rest)].concat()
        }
        None => line.to_owned(),
    };
    // Files that exist for a moment have other names each time.
    let lines = lines.filter(|line| !line.contains("/tmp/")).map(without);
    lines.enumerate().map(|(number, line)| format!("{number}: {line}")).collect()
}

/// The reason why a program cannot be compared: it is not installed, or does not use the library.
fn lacking(client: &Client) -> Option<String> {
    let name = client.words[0];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let Some(file) =
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
    else {
        return Some(format!("needs the package {}", client.package));
    };
    let linked = Command::new("ldd").arg(&file).output().map(|output| output.stdout);
    let linked = String::from_utf8_lossy(&linked.unwrap_or_default()).into_owned();
    let uses = linked.contains("libpfm.so.4") || linked.contains("libpapi");
    (!uses).then(|| format!("is not linked with libpfm4 here; needs {}", client.package))
}

/// Times both libraries; returns how many events are not as much faster as they should be.
fn speed(prefix: &Path) -> Result<usize, String> {
    let program = prefix.join("speed");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-o"]).arg(&program).arg(root().join("crates/capi-pfm/tests/c/speed.c"));
    gcc.arg(format!("-I{}", prefix.join("include").display())).arg(prefix.join("lib/libpfm.so.4"));
    if !gcc.status().is_ok_and(|status| status.success()) {
        println!("skipped: the speed needs gcc");
        return Ok(0);
    }
    let mut slow = 0;
    println!(
        "{:<38} {:>6} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6}",
        "event", "string", "ours", "libpfm4", "ratio", "first", "libpfm4", "ratio"
    );
    for event in TIMED {
        for string in ["0", "1"] {
            let time = |library: Option<&Path>| {
                let mut command = Command::new(&program);
                command.args([event, string]).env("LIBPFM_ENCODE_INACTIVE", "1");
                library.map(|library| command.env("LD_LIBRARY_PATH", library));
                let said = command.output().ok().filter(|output| output.status.success())?.stdout;
                let text = String::from_utf8_lossy(&said).into_owned();
                let mut numbers =
                    text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
                Some((numbers.next()?, numbers.next()?))
            };
            let best = |library: Option<&Path>| {
                let runs: Vec<_> = (0..5).filter_map(|_| time(library)).collect();
                let least = |of: fn(&(f64, f64)) -> f64| runs.iter().map(of).reduce(f64::min);
                Some((least(|run| run.0)?, least(|run| run.1)?))
            };
            let (Some(theirs), Some(ours)) = (best(None), best(Some(&prefix.join("lib")))) else {
                println!("skipped: the speed needs libpfm4 (Debian: libpfm4), which knows {event}");
                return Ok(slow);
            };
            let (ratio, first) = (ours.1 / theirs.1, ours.0 / theirs.0);
            println!(
                "{event:<38} {string:>6} {:>6.0} ns {:>6.0} ns {ratio:>6.3} {:>6.0} us {:>6.0} us {first:>6.2}",
                ours.1,
                theirs.1,
                ours.0 / 1e3,
                theirs.0 / 1e3
            );
            slow += usize::from(ratio > LIMIT);
        }
    }
    Ok(slow)
}

/// The texts between backquotes below "Programs".
fn known() -> Result<BTreeSet<String>, String> {
    let path = root().join("crates/capi-pfm/DIFFERENCES.md");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (_, section) = text.split_once("\n## Programs\n").unwrap_or_default();
    Ok(section.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}
