//! Commands that fork, die and are traced, and a program that is killed.

use crate::{counterpoint, rows, run, stderr};
use nix::sys::ptrace::{Options, attach, detach, interrupt, seize};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The number of times that a command forks: ten thousand if the environment asks for a load, otherwise so few that a suite can wait for it.
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

fn until(what: &str, done: &dyn Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(5));
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

/// A debugger that stops a command and lets it go again stops its clock, and nothing else of the measurement.
#[test]
fn a_command_that_is_stopped_by_a_tracer_is_counted_on() {
    const STOPPED: Duration = Duration::from_millis(200);
    type Attach = fn(Pid) -> nix::Result<()>;
    let attaches: [(&str, Attach); 2] = [
        ("PTRACE_ATTACH", attach),
        ("PTRACE_SEIZE", |pid| seize(pid, Options::empty()).and_then(|()| interrupt(pid))),
    ];
    for (name, attach) in attaches {
        let mark = std::env::temp_dir().join(format!("counterpoint-{name}-{}", std::process::id()));
        let mark = mark.to_str().unwrap();
        let (pid_file, go) = (format!("{mark}.pid"), format!("{mark}.go"));
        let turn = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done";
        let script =
            format!("echo $$ > '{pid_file}'; while [ ! -e '{go}' ]; do {turn}; done; exit 7");
        let begun = Instant::now();
        let stat =
            ["stat", "--json", "-e", "task-clock:u,page-faults:u", "--", "sh", "-c", &script];
        let program = counterpoint(&stat).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        until("the command begins", &|| {
            fs::read_to_string(&pid_file).is_ok_and(|pid| pid.ends_with('\n'))
        });
        let pid = Pid::from_raw(fs::read_to_string(&pid_file).unwrap().trim().parse().unwrap());
        let attached = attach(pid);
        if attached.is_ok() {
            waitpid(pid, None).unwrap();
            std::thread::sleep(STOPPED);
            let process = pid.to_string();
            let beside = run(&["stat", "--json", "-e", "task-clock:u", "-p", &process, "true"]);
            let (beside, _) = rows(&beside);
            assert!(beside[0]["value"].is_null(), "{name}: nothing ran: {beside:?}");
            detach(pid, None).unwrap();
        }
        fs::write(&go, "").unwrap();
        let output = program.unwrap().wait_with_output().unwrap();
        let elapsed = begun.elapsed();
        let _ = (fs::remove_file(&pid_file), fs::remove_file(&go));
        assert_eq!(output.status.code(), Some(7), "{name}: {}", stderr(&output));
        if let Err(error) = attached {
            println!("skipped: this user may not trace here: {name}: {error}");
            continue;
        }
        let (rows, _) = rows(&output);
        if rows[0]["status"] == "not-supported" {
            return println!("skipped: {}", rows[0]);
        }
        assert!(rows.iter().all(|row| row["status"] == "counted"), "{name}: {rows:?}");
        let clock = Duration::from_nanos(rows[0]["value"].as_u64().unwrap());
        assert!(
            clock > Duration::ZERO && clock + STOPPED <= elapsed,
            "{name}: {clock:?} of {elapsed:?}"
        );
    }
}
