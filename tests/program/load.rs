//! Commands that fork, die and are traced, and a program that is killed.

use crate::{access, counterpoint, rows, run, stderr};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often a command forks: ten thousand times where the environment asks for a load, else so often that a suite can wait for it.
fn forks() -> u64 {
    if std::env::var_os("COUNTERPOINT_LOAD_SECONDS").is_some() { 10_000 } else { 1_000 }
}

#[test]
fn a_command_that_forks_and_forks_is_counted_whole() {
    let forks = forks();
    let script = format!("i=0; while [ $i -lt {forks} ]; do (exit 3); i=$((i+1)); done; exit $?");
    let events = "task-clock:u,{page-faults:u,minor-faults:u},dummy:u";
    let output = run(&["stat", "--json", "-e", events, "--", "sh", "-c", &script]);
    let (rows, summary) = rows(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let of = |event: &str| rows.iter().find(|row| row["event"] == event).unwrap();
    if of("page-faults:u")["status"] != "counted" {
        return println!("skipped: {}", of("page-faults:u"));
    }
    // A child has pages of its own to touch, one at least.
    let faults = of("page-faults:u")["value"].as_u64().unwrap();
    assert!(faults > forks, "{faults} page faults of {forks} children: {summary}");
    assert!(rows.iter().all(|row| row["status"] == "counted"), "{rows:?}");
}

#[test]
fn a_command_that_is_killed_is_counted_until_then() {
    let output = run(&[
        "stat",
        "--json",
        "-o",
        "/dev/stdout",
        "-e",
        "task-clock:u,page-faults:u",
        "--",
        "sh",
        "-c",
        "kill -9 $$",
    ]);
    assert_eq!(output.status.code(), Some(128 + 9), "as shells tell it");
    let (rows, _) = rows(&output);
    assert_eq!(rows.len(), 2);
    for row in rows.iter().filter(|row| row["status"] != "not-supported") {
        assert_eq!(row["status"], "counted", "{row}");
        assert!(row["value"].as_u64().unwrap() > 0, "{row}");
    }
}

/// Nothing of the program holds the command: it goes on, and nobody is left over when it has ended.
#[test]
fn a_command_outlives_the_program_that_is_killed() {
    let mark = std::env::temp_dir().join(format!("counterpoint-mark-{}", std::process::id()));
    let _ = fs::remove_file(&mark);
    let script = format!("echo $$ > '{0}.pid'; sleep 0.5; echo done > '{0}'", mark.display());
    let mut program = counterpoint(&["stat", "-e", "task-clock:u", "--", "sh", "-c", &script])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid_file = format!("{}.pid", mark.display());
    let until = |what: &str, done: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    until("the command begins", &|| {
        fs::read_to_string(&pid_file).is_ok_and(|pid| pid.ends_with('\n'))
    });
    program.kill().unwrap();
    program.wait().unwrap();
    until("the command ends", &|| mark.exists());
    let pid = fs::read_to_string(&pid_file).unwrap();
    let ended = || match fs::read_to_string(format!("/proc/{}/stat", pid.trim())) {
        // Whoever inherits orphans may be slow to collect them.
        Ok(stat) => {
            stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']))
        }
        Err(_) => true,
    };
    until("nothing is left over", &ended);
    let _ = (fs::remove_file(&mark), fs::remove_file(&pid_file));
}

#[test]
fn a_traced_command_and_a_traced_program_count() {
    if !Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success()) {
        return println!("skipped: there is no strace");
    }
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let stat = ["stat", "--json", "-e", "task-clock:u", "--"];
    let traced_command = run(&[&stat[..], &["strace", "-f", "-o", "/dev/null", "true"]].concat());
    let traced_program = Command::new("strace")
        .args(["-f", "-o", "/dev/null", program])
        .args(stat)
        .arg("true")
        .output()
        .unwrap();
    for output in [traced_command, traced_program] {
        if stderr(&output).contains("ptrace") {
            println!("skipped: {}", stderr(&output));
            continue;
        }
        assert!(output.status.success(), "{}", stderr(&output));
        let (rows, _) = rows(&output);
        assert_eq!(rows[0]["status"], "counted", "{rows:?}");
    }
}

/// A command that gives its privileges up is counted on; one that gains some is not counted by who has none, and it is said.
#[test]
fn privileges_that_a_command_gains_or_drops() {
    if access().euid != Some(0) {
        return println!("skipped: only root can make a program setuid, and become someone else");
    }
    let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    if !Command::new(nobody[0]).args(&nobody[1..]).arg("true").status().is_ok_and(|s| s.success()) {
        return println!("skipped: there is no setpriv that becomes another user");
    }
    let stat = ["stat", "--json", "-e", "task-clock:u,page-faults:u", "--"];
    let output = run(&[&stat[..], &nobody, &["sh", "-c", "exit 4"]].concat());
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(rows(&output).0[1]["status"], "counted", "{}", stderr(&output));

    let folder = std::env::temp_dir().join(format!("counterpoint-setuid-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let [program, setuid] = ["counterpoint", "setuid"].map(|name| folder.join(name));
    fs::copy(env!("CARGO_BIN_EXE_counterpoint"), &program).unwrap();
    fs::copy(fs::canonicalize("/bin/sh").unwrap(), &setuid).unwrap();
    for path in [&folder, &program] {
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let as_nobody = |mode: u32| {
        fs::set_permissions(&setuid, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let words = [
            &nobody[1..],
            &[program.to_str().unwrap()],
            &stat,
            &[setuid.to_str().unwrap(), "-p", "-c", script],
        ];
        Command::new(nobody[0]).args(words.concat()).output().unwrap()
    };
    let (plain, gained) = (as_nobody(0o755), as_nobody(0o4755));
    let _ = fs::remove_dir_all(&folder);
    let (plain, _) = rows(&plain);
    if plain[0]["status"] != "counted" {
        return println!("skipped: an unprivileged user cannot count here: {}", plain[0]);
    }
    assert_eq!(gained.status.code(), Some(2));
    let said = stderr(&gained);
    assert!(said.contains("runs with other privileges") && said.contains("as root"), "{said}");
}
