//! Users without privileges, with one of them, and programs that gain or drop some.

use crate::{access, objects, rows, run, stderr, stdout};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder that every user may read, with a copy of the program; that of the build may be closed to others.
pub(crate) struct Public(PathBuf);

impl Public {
    pub(crate) fn new(name: &str) -> Public {
        let folder =
            std::env::temp_dir().join(format!("counterpoint-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let folder = Public(folder);
        folder.copy(env!("CARGO_BIN_EXE_counterpoint"), "counterpoint");
        for path in [folder.0.clone(), folder.file("counterpoint")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Copies a program by another process: what other tests fork would hold the file open for writing, and it could not be run.
    fn copy(&self, program: &str, name: &str) -> PathBuf {
        let copied = Command::new("cp").args(["-L", program]).arg(self.file(name)).status();
        assert!(copied.unwrap().success(), "{program} cannot be copied");
        self.file(name)
    }

    /// The program, to be run as another user with no more than `capabilities`, as `setpriv` writes them.
    pub(crate) fn as_nobody(&self, capabilities: &str, args: &[&str]) -> Command {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args(
                ["--inh-caps", "--ambient-caps", "--bounding-set"]
                    .map(|set| format!("{set}={capabilities}")),
            )
            .arg(self.file("counterpoint"))
            .args(args)
            .current_dir("/");
        command
    }
}

impl Drop for Public {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// No capabilities at all.
pub(crate) const NONE: &str = "-all";

/// Returns true if this process can become somebody else; otherwise says so.
pub(crate) fn may_become_nobody() -> bool {
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "true"];
    let may = access().euid == Some(0)
        && Command::new("setpriv").args(nobody).status().is_ok_and(|status| status.success());
    if !may {
        println!("skipped: only root with setpriv can become another user");
    }
    may
}

/// The text for an unprivileged user at `perf_event_paranoid` 2.
#[test]
fn unprivileged_users_count_what_they_may() {
    let access = access();
    if access.paranoid != Some(2) || access.is_filtered() {
        return println!("skipped: needs perf_event_paranoid 2 and no filter; here: {access:?}");
    }
    if !may_become_nobody() {
        return;
    }
    let folder = Public::new("unprivileged");
    let as_nobody = |args: &[&str]| folder.as_nobody(NONE, args).output().unwrap();
    let events = "task-clock,page-faults,context-switches,msr/tsc/";
    let output = as_nobody(&["stat", "-e", events, "--json", "--", "true"]);
    let (rows, _) = rows(&output);
    let status: Vec<&str> = rows.iter().map(|row| row["status"].as_str().unwrap()).collect();
    assert_eq!(&status[..3], ["counted", "counted", "not-supported"], "{rows:?}");
    assert!(rows[0]["value"].as_f64().unwrap() > 0.0);
    assert!(rows[0]["note"].as_str().unwrap().contains("user space only"));
    assert!(rows[2]["reason"].as_str().unwrap().contains("it occurs in the kernel only"));
    let text = stderr(&as_nobody(&["stat", "-e", events, "--", "true"]));
    assert!(text.contains("task-clock, page-faults: counted in user space only"), "{text}");
    // The kernel stops counting a set-user program at its start, and what was counted until then is no answer.
    let secret = folder.copy("/bin/true", "secret");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o711)).unwrap();
    let stopped = as_nobody(&["stat", "-e", "task-clock", "--", secret.to_str().unwrap()]);
    assert_eq!(stopped.status.code(), Some(2));
    assert!(stderr(&stopped).contains("stops counting"), "{}", stderr(&stopped));
    let all = as_nobody(&["stat", "-a", "-e", "task-clock", "--", "true"]);
    assert_eq!(all.status.code(), Some(2));
    assert!(stderr(&all).contains("perf_event_paranoid=0"), "{}", stderr(&all));
    let doctor = as_nobody(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(0));
    assert!(stdout(&doctor).contains("sysctl kernel.perf_event_paranoid=1"), "{}", stdout(&doctor));
}

/// The machine's level, and where the environment asks for it each from 2 to 4, which is nothing to be set beside other tests.
fn at_each_level(test: impl Fn(i32)) {
    const LEVEL: &str = "/proc/sys/kernel/perf_event_paranoid";
    let Ok(before) = fs::read_to_string(LEVEL) else {
        return println!("skipped: there is no {LEVEL}");
    };
    if std::env::var_os("COUNTERPOINT_SET_PARANOID").is_none() {
        return test(before.trim().parse().unwrap());
    }
    struct Restored(String);
    impl Drop for Restored {
        fn drop(&mut self) {
            fs::write(LEVEL, &self.0).unwrap();
        }
    }
    let _restored = Restored(before);
    for level in 2..=4 {
        match fs::write(LEVEL, level.to_string()) {
            Ok(()) => test(level),
            Err(error) => println!("skipped: {LEVEL} cannot be set to {level}: {error}"),
        }
    }
}

/// `CAP_PERFMON` alone lifts the level, whatever it is: the kernel is counted, and whole CPUs are.
#[test]
fn one_capability_is_enough() {
    if !may_become_nobody() {
        return;
    }
    let folder = Public::new("perfmon");
    let as_nobody = |capabilities, args: &[&str]| -> Output {
        folder.as_nobody(capabilities, args).output().unwrap()
    };
    // A number, as not every setpriv knows the name.
    const PERFMON: &str = "-all,+cap_38";
    let has = as_nobody(PERFMON, &["doctor", "--json"]);
    if !stdout(&has).contains("\"text\":\"CAP_PERFMON\"") {
        return println!("skipped: this machine gives nobody CAP_PERFMON alone: {}", stderr(&has));
    }
    if access().is_filtered() {
        return println!("skipped: a seccomp filter decides here");
    }
    at_each_level(|level| {
        let doctor = stdout(&as_nobody(PERFMON, &["doctor"]));
        for says in [
            "task-clock counts, with the kernel".to_string(),
            format!("perf_event_paranoid  {level}: "),
            "; you are exempt".to_string(),
        ] {
            assert!(doctor.contains(&says), "{level}: {says}: {doctor}");
        }
        let events = "task-clock,task-clock:k,page-faults,context-switches";
        for whole in [&[][..], &["-a"]] {
            let args =
                [&["stat", "--json", "-e", events], whole, &["--", "sleep", "0.02"]].concat();
            let output = as_nobody(PERFMON, &args);
            let (rows, _) = rows(&output);
            assert_eq!(rows.len(), 4, "{}", stderr(&output));
            for row in &rows {
                assert_eq!(row["status"], "counted", "{level}: {row}");
                assert!(row["note"].is_null(), "with the kernel: {row}");
                assert!(row["value"].as_u64().unwrap() > 0, "{row}");
            }
        }
        let without = as_nobody(NONE, &["stat", "-a", "--json", "-e", events, "--", "true"]);
        if level > 0 {
            assert_eq!(without.status.code(), Some(2));
            let refused = objects(&without);
            assert!(refused.iter().all(|row| row["value"].is_null()), "{refused:?}");
        }
        println!("counted with CAP_PERFMON alone at level {level}");
    });
}

/// Root of a user namespace has every capability there, and none that the kernel's counters ask for.
#[test]
fn a_rootless_container_is_no_privilege() {
    let level = access().paranoid;
    if level != Some(2) || !may_become_nobody() {
        return println!("skipped: needs perf_event_paranoid 2 and another user; here: {level:?}");
    }
    let folder = Public::new("rootless");
    let inside = |args: &[&str]| {
        let program = folder.file("counterpoint");
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "unshare", "-r"]);
        command.arg(program).args(args).current_dir("/").output().unwrap()
    };
    let doctor = inside(&["doctor"]);
    if doctor.stdout.is_empty() {
        return println!("skipped: users may make no namespaces here: {}", stderr(&doctor));
    }
    assert!(stdout(&doctor).contains("those of a user namespace"), "{}", stdout(&doctor));
    assert!(!stdout(&doctor).contains("does not bind you"), "{}", stdout(&doctor));
    let (rows, _) = rows(&inside(&["stat", "--json", "-e", "task-clock", "--", "true"]));
    assert_eq!(rows[0]["status"], "counted", "{rows:?}");
    assert!(rows[0]["note"].as_str().unwrap().contains("user space only"), "{rows:?}");
    let all = inside(&["stat", "-a", "-e", "task-clock", "--", "true"]);
    assert!(stderr(&all).contains("while kernel.perf_event_paranoid is 2"), "{}", stderr(&all));
}

/// A command that gives its privileges up is counted on; one that gains some is not counted by who has none, and it is said.
#[test]
fn privileges_that_a_command_gains_or_drops() {
    if !may_become_nobody() {
        return;
    }
    let stat = ["stat", "--json", "-e", "task-clock:u,page-faults:u", "--"];
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let output = run(&[&stat[..], &nobody, &["sh", "-c", "exit 4"]].concat());
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(rows(&output).0[1]["status"], "counted", "{}", stderr(&output));

    let folder = Public::new("setuid");
    let setuid = folder.copy("/bin/sh", "setuid");
    let as_nobody = |mode: u32| {
        fs::set_permissions(&setuid, fs::Permissions::from_mode(mode)).unwrap();
        let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let command = [setuid.to_str().unwrap(), "-p", "-c", script];
        folder.as_nobody(NONE, &[&stat[..], &command].concat()).output().unwrap()
    };
    let (plain, gained) = (as_nobody(0o755), as_nobody(0o4755));
    let (plain, _) = rows(&plain);
    if plain[0]["status"] != "counted" {
        return println!("skipped: an unprivileged user cannot count here: {}", plain[0]);
    }
    assert_eq!(gained.status.code(), Some(2));
    let said = stderr(&gained);
    assert!(said.contains("runs with other privileges") && said.contains("as root"), "{said}");
}
