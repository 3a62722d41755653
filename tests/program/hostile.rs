//! Names, files and lines that mean harm: to a terminal, to a file of the user's, to time and memory.

use crate::{access, run, run_on, stderr, stdout};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A directory of a test, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("counterpoint-{name}-{}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        fs::create_dir_all(&folder.0).unwrap();
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Colours, a title, an eight-bit sequence, and what takes characters back.
const HOSTILE: &str = "a\u{1b}[31mb\u{1b}]0;t\u{7}c\u{9b}31md\u{85}e\u{7f}f\u{8}g";

#[test]
fn no_name_reaches_the_terminal_as_it_is() {
    let folder = Folder::new("names");
    let definitions = folder.file(
        "events.csv",
        format!("CPU,{HOSTILE}\nEVENT,{HOSTILE},DERIVED_INFIX,N0+,{HOSTILE}\nNONSENSE {HOSTILE}\n"),
    );
    let json = serde_json::json!({
        "schema": 1, "event": HOSTILE, "canonical": HOSTILE, "value": 1, "status": "counted", "raw": 1,
        "enabled_ns": 1, "running_ns": 1, "unit": HOSTILE, "thread": 1,
    });
    let report = folder.file("report.jsonl", format!("{json}\n"));
    let empty = folder.path(HOSTILE);
    let list = format!("task-clock,{HOSTILE}");
    let formula = format!("{HOSTILE}+1");
    let cases: [&[&str]; 18] = [
        &["check", &definitions],
        &["check", "--json", &definitions],
        &["check", "--papi", "--pmu", HOSTILE, &definitions],
        &["check", &empty],
        &["merge", &report],
        &["merge", "--json", &report],
        &["stat", "-f", &definitions, "-e", HOSTILE, "--", "true"],
        &["stat", "-e", &list, "--", "true"],
        &["stat", "--json", "-e", "task-clock", "--", "true", HOSTILE],
        &["stat", "-e", "task-clock", "-o", "/dev/stdout", "--", "true", HOSTILE],
        &["stat", "-e", "task-clock", "--", HOSTILE],
        &["encode", HOSTILE],
        &["encode", "--json", HOSTILE],
        &["show", HOSTILE],
        &["list", HOSTILE],
        &["eval", &formula],
        &["plan", HOSTILE],
        &["stat", "--no-such-option", HOSTILE],
    ];
    for args in cases {
        let output = run(args);
        let text = stdout(&output) + &stderr(&output);
        assert!(!text.is_empty() || args[0] == "list", "{args:?}");
        let harm = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
        assert_eq!(harm, None, "{args:?}: {text:?}");
        for line in stdout(&output).lines().filter(|line| line.starts_with('{')) {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            if let Some(event) = value.get("event").filter(|_| args[0] == "merge") {
                assert_eq!(*event, HOSTILE, "it is only spelled in another way");
            }
        }
    }
}

fn write_to(path: &str) -> Output {
    run(&["stat", "-e", "task-clock", "--json", "-o", path, "--", "true"])
}

#[test]
fn nothing_is_written_through_what_others_may_have_put_there() {
    let folder = Folder::new("places");
    let own = folder.file("own", "precious");
    // In a directory of the user's own a link is the user's own too.
    let link = folder.path("link");
    symlink(&own, &link).unwrap();
    assert!(write_to(&link).status.success());
    assert!(fs::read_to_string(&own).unwrap().starts_with('{'));

    fs::write(&own, "precious").unwrap();
    let open = folder.path("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, Permissions::from_mode(0o1777)).unwrap();
    let inside = |name: &str| format!("{open}/{name}");
    symlink(&own, inside("link")).unwrap();
    symlink(folder.path("nothing"), inside("dangling")).unwrap();
    fs::hard_link(&own, inside("hard")).unwrap();
    symlink(&folder.0, inside("record")).unwrap();
    for (name, why) in
        [("link", "symbolic link"), ("dangling", "symbolic link"), ("hard", "several hard links")]
    {
        let path = inside(name);
        let append = ["stat", "-e", "task-clock", "--append", "-o", &path, "--", "true"];
        for output in [write_to(&path), run(&append)] {
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(stderr(&output).contains(why), "{name}: {}", stderr(&output));
        }
    }
    let output = run(&["doctor", "--record", &inside("record")]);
    assert!(stderr(&output).contains("symbolic link"), "{}", stderr(&output));
    assert!(
        !Path::new(&folder.path("proc")).exists() && !Path::new(&folder.path("nothing")).exists()
    );
    assert_eq!(fs::read_to_string(&own).unwrap(), "precious");
    // A new file, and one's own again.
    for _ in 0..2 {
        assert!(write_to(&inside("new")).status.success());
    }
    if access().euid != Some(0) {
        return println!("skipped: only root can give a file away");
    }
    chown(inside("new"), Some(65534), None).unwrap();
    let output = write_to(&inside("new"));
    assert!(stderr(&output).contains("another user"), "{}", stderr(&output));
}

#[test]
fn a_new_file_has_the_permissions_that_the_umask_leaves() {
    let folder = Folder::new("umask");
    let program = env!("CARGO_BIN_EXE_counterpoint");
    for (umask, mode) in [("077", 0o600), ("027", 0o640), ("022", 0o644)] {
        let path = folder.path(umask);
        let line = format!("umask {umask}; '{program}' stat -e task-clock -o '{path}' -- true");
        assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
        let found = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{umask}: {found:o}");
    }
}

/// A file without an end, and a path that is no file, are refused by every command that reads files.
#[test]
fn inputs_without_an_end_are_refused() {
    let readers: [&[&str]; 4] = [
        &["check"],
        &["catalog", "check"],
        &["stat", "-e", "task-clock", "-C", "0", "--timeout", "1", "-f"],
        &["catalog", "dump"],
    ];
    for (path, why) in [("/dev/zero", "larger than the limit of 256 MiB"), ("/", "directory")] {
        for args in readers {
            let args = [args, &[path]].concat();
            let output = run(&args);
            assert!(!output.status.success(), "{args:?}");
            assert!(stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
        }
    }
    // A directory is the reports in it.
    let output = run(&["merge", "/dev/zero"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("larger than the limit of 256 MiB"), "{}", stderr(&output));
    for args in [&["encode", "--batch"][..], &["eval", "--batch"], &["dispatch", "--batch"]] {
        let output = run_on(&vec![b'x'; 20 << 20], args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("16 MiB"), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_pipe_is_read_to_its_end() {
    let line = format!(
        "printf 'EVENT,A,NOT_DERIVED,cycles\\n' | '{}' check /dev/stdin",
        env!("CARGO_BIN_EXE_counterpoint")
    );
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    assert!(stdout(&output).contains("1 file, 1 definition"), "{}", stderr(&output));
}

/// A catalog in which each formula uses the one before it: what the last one needs stands twenty thousand formulas away.
fn chain_of_formulas() -> Vec<u8> {
    use counterpoint::catalog::{CatalogBuilder, Formula};
    let first = CatalogBuilder::new(1).formula(Formula::new("F0", "SYMBOL"));
    let chain = (1..20_000).fold(first, |builder, n| {
        builder.formula(Formula::new(&format!("F{n}"), &format!("F{} 1 +", n - 1)))
    });
    chain.build().unwrap().encode().unwrap()
}

/// The counts of one rank.
const REPORT: &str =
    "{\"schema\":1,\"event\":\"faults\",\"value\":2,\"raw\":2,\"status\":\"counted\"}\n";

/// So long that what grows with the square of the input is seen, and short enough for a suite.
#[test]
fn large_inputs_take_time_as_their_size() {
    let folder = Folder::new("large");
    let cpus: String =
        (0..50_000).map(|n| format!("CPU,pmu{n}\nEVENT,A{n},NOT_DERIVED,cycles\n")).collect();
    let cpus = folder.file("cpus.csv", cpus);
    let long = folder.file("long.csv", format!("EVENT,A,NOT_DERIVED,{}\n", "x".repeat(8 << 20)));
    let deep = format!("{}1{}", "(".repeat(1 << 17), ")".repeat(1 << 17));
    let nested = vec![b'['; 1 << 20];
    let timed = |what: &str, work: &dyn Fn() -> Output| {
        let begun = Instant::now();
        let output = work();
        let time = begun.elapsed();
        println!("{what}: {time:?}");
        assert!(time < Duration::from_secs(60), "{what} took {time:?}");
        assert!(output.status.code().is_some_and(|code| code <= 2), "{what}: {output:?}");
        output
    };
    let output = timed("50,000 CPU lines", &|| run(&["check", "--json", &cpus]));
    assert!(stdout(&output).lines().filter(|line| line.contains("unknown-pmu")).count() >= 50_000);
    timed("a long line", &|| run(&["check", &long]));
    timed("a deep formula", &|| {
        run_on(format!("{{\"formula\":\"{deep}\"}}\n").as_bytes(), &["eval", "--batch"])
    });
    for args in [&["dispatch", "--batch"][..], &["eval", "--batch"]] {
        let output = timed("deep JSON", &|| run_on(&nested, args));
        assert_eq!(stdout(&output).lines().count(), 1, "one answer for the line");
    }
    let chain = timed("a chain of formulas", &|| {
        run(&["catalog", "formula", &folder.file("chain", chain_of_formulas()), "--json"])
    });
    let last = stdout(&chain).lines().last().unwrap().to_string();
    assert!(last.contains("\"needs_more\":true"), "it is said that there is more: {last}");
    let report = format!("{REPORT}\n{{\"schema\":1,\"summary\":{{}}}}\n");
    let report = folder.file("report.jsonl", report);
    let ranks: Vec<String> = (0..6000).map(|n| folder.path(&format!("{n}.jsonl"))).collect();
    ranks.iter().for_each(|rank| fs::hard_link(&report, rank).unwrap());
    let merge: Vec<&str> = ["merge"].into_iter().chain(ranks.iter().map(String::as_str)).collect();
    let merged = timed("6000 ranks", &|| run(&merge));
    assert!(stdout(&merged).contains("12,000"), "{merged:?}");
    let region = |n: u32| REPORT.replace("faults\"", &format!("faults\",\"region\":\"r{n}\""));
    let regions = folder.file("regions.jsonl", (0..12_000).map(region).collect::<String>());
    let merged = timed("12,000 regions", &|| run(&["merge", "--json", &regions]));
    assert!(stdout(&merged).lines().count() >= 12_000);
    timed("a long event", &|| run_on(&vec![b'A'; 4 << 20], &["encode", "--batch"]));
}

/// Files that take no room on the disk, and more than may be read.
#[test]
fn directories_of_too_much_are_refused_and_the_file_is_named() {
    let hollow = |path: &str, bytes: u64| {
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        fs::File::create(path).unwrap().set_len(bytes).unwrap();
    };
    let refused = |args: &[&str], file: &str, says: &str| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = stderr(&output);
        assert!(text.contains(file) && text.contains(says), "{args:?}: {text}");
    };
    let machine = Folder::new("machine");
    let cpuinfo = machine.path("proc/cpuinfo");
    hollow(&cpuinfo, 257 << 20);
    for command in ["doctor", "list"] {
        refused(&[command, "--machine", &machine.path("")], &cpuinfo, "more than 256 MiB");
    }
    let vendor = Folder::new("vendor");
    hollow(&vendor.path("a.json"), 257 << 20);
    let with = |folder: &Folder| {
        let path = folder.path("");
        ["show", "--machine", "fixtures/formula", "--vendor-events", &path, "skl::INST_RETIRED"]
            .map(str::to_string)
    };
    let show = |folder: &Folder, file: &str, says: &str| {
        let args = with(folder);
        refused(&args.each_ref().map(String::as_str), file, says);
    };
    show(&vendor, "a.json", "it is larger than the limit of 256 MiB");
    // As a pipe is, which would be waited for.
    for name in ["a.json", "mapfile.csv"] {
        let device = Folder::new("device");
        symlink("/dev/zero", device.path(name)).unwrap();
        let hybrid = ["show", "--machine", "fixtures/machines/intel-hybrid", "L1D"];
        let path = device.path("");
        refused(
            &[&hybrid[..], &["--vendor-events", &path]].concat(),
            name,
            "it is not a regular file",
        );
    }
    let together = Folder::new("together");
    together.file("a.json", format!("[]{}", " ".repeat(1 << 20)));
    hollow(&together.path("b.json"), 256 << 20);
    show(&together, "b.json", "it and the files before it are larger than the limit of 256 MiB");
    let many = Folder::new("many");
    (0..=1 << 12).for_each(|number| drop(many.file(&format!("{number}.json"), "[]")));
    show(&many, &many.path(""), "more than 4096 files of events, which is the limit");
}

/// Each of thousands of threads has rows of its own.
#[test]
fn many_threads_take_time_as_their_number() {
    const THREADS: usize = 3000;
    let (stop, wait) = std::sync::mpsc::channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let wait = std::sync::Arc::clone(&wait);
            let thread = std::thread::Builder::new().stack_size(1 << 16);
            thread.spawn(move || _ = wait.lock().unwrap().recv())
        })
        .collect();
    let pid = std::process::id().to_string();
    let counted = |more: &[&str]| {
        let of = ["stat", "--per-thread", "-e", "task-clock", "--timeout", "10", "-p", &pid];
        let begun = Instant::now();
        let output = run(&[&of, more].concat());
        (begun.elapsed(), output)
    };
    let (lines, json) = counted(&["--json"]);
    let formats: [&[&str]; 3] = [&[], &["--csv"], &["--html", "/dev/null"]];
    let others = formats.map(|more| (more, counted(more)));
    drop(stop);
    let started = threads.into_iter().filter_map(|thread| thread.ok()?.join().ok()).count();
    if started < THREADS || !json.status.success() {
        return println!("skipped: {THREADS} threads cannot be started and counted here");
    }
    for (more, (time, output)) in others {
        assert!(output.status.success(), "{more:?}: {}", stderr(&output));
        assert!(
            time < 3 * lines + Duration::from_secs(1),
            "{more:?} took {time:?}, JSON {lines:?}"
        );
    }
}
