//! The program where a real seccomp filter refuses `perf_event_open`, as those of container engines do.

#![allow(unsafe_code, reason = "a filter is installed between fork and exec, by a system call")]

use crate::privileges::{NONE, Public, may_become_nobody};
use crate::{access, counterpoint, objects, stderr, stdout};
use nix::libc;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

/// The answers of filters: Docker's and Podman's `EPERM`, others' `ENOSYS`, as if the kernel were too old.
const ANSWERS: [(i32, &str); 3] =
    [(libc::EPERM, "EPERM"), (libc::EACCES, "EACCES"), (libc::ENOSYS, "ENOSYS")];

/// Runs it, and all that it runs, under a filter that answers every `perf_event_open` with `errno`.
fn under_filter(mut command: Command, errno: i32) -> io::Result<Output> {
    let step = |code: u32, jt, jf, k| libc::sock_filter { code: code as u16, jt, jf, k };
    let call = libc::SYS_perf_event_open as u32;
    // The number of the call is the first thing that a filter sees (`struct seccomp_data` of `linux/seccomp.h`).
    let mut steps = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 0, 1, call),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | errno as u32),
        step(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let install = move || {
        let program = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_mut_ptr() };
        // SAFETY: takes numbers.
        let promised = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
        let mode = libc::SECCOMP_MODE_FILTER;
        // SAFETY: the kernel copies the program and its steps, which live through the call.
        let installed = unsafe { libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program) };
        if promised == 0 && installed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    };
    // SAFETY: the closure makes two system calls, and allocates and locks nothing.
    unsafe { command.pre_exec(install) }.output()
}

/// Checks that the program blames the filter and has no numbers; `who` is for messages.
fn says_that_a_filter_refuses(who: &str, errno: &str, run: impl Fn(&[&str]) -> Output) {
    let blames = |text: &str| {
        assert!(text.contains("blocked by a seccomp filter"), "{who}, {errno}: {text}");
        assert!(!text.contains("while kernel.perf_event_paranoid is"), "{who}, {errno}: {text}");
        assert!(!text.contains("another user"), "{who}, {errno}: {text}");
    };
    let events = "task-clock,page-faults:u,cycles,{context-switches,dummy}";
    for whole in [&[][..], &["-a"]] {
        let stat = [&["stat", "-e", events], whole].concat();
        let text = run(&[&stat[..], &["--", "true"]].concat());
        assert_eq!(text.status.code(), Some(2), "{who}, {errno}");
        blames(&stderr(&text));
        assert!(stderr(&text).contains("counterpoint doctor"), "{}", stderr(&text));
        let rows = objects(&run(&[&stat[..], &["--json", "--", "true"]].concat()));
        assert_eq!(rows.len(), 5, "{who}, {errno}");
        for row in rows {
            assert_eq!(row["status"], "not-supported", "{who}, {errno}: {row}");
            for number in ["value", "raw", "enabled_ns", "running_ns"] {
                assert!(row[number].is_null(), "{who}, {errno}: {row}");
            }
            blames(row["reason"].as_str().unwrap());
        }
    }
    let doctor = run(&["doctor"]);
    assert_eq!(doctor.status.code(), Some(1), "nothing can be counted");
    blames(&stdout(&doctor));
    let first = stdout(&doctor).lines().next().unwrap_or_default().to_string();
    assert!(first.contains("BLOCKED") && first.contains("seccomp filter"), "{first}");
    assert!(stdout(&doctor).contains("it refuses perf_event_open"), "{}", stdout(&doctor));
    let profile = run(&["profile", "-e", "task-clock", "--", "true"]);
    assert_ne!(profile.status.code(), Some(0));
    blames(&stderr(&profile));
}

#[test]
fn a_filter_is_blamed_and_not_the_level() {
    let access = access();
    let Some(level) = access.paranoid else {
        return println!("skipped: this machine hides kernel.perf_event_paranoid");
    };
    for (errno, name) in ANSWERS {
        if let Err(error) = under_filter(Command::new("true"), errno) {
            return println!("skipped: no filter can be installed here: {error}");
        }
        // From level 3 on, EACCES is what the kernel itself may say to a user.
        if errno != libc::EACCES || level <= 2 || access.is_privileged() {
            says_that_a_filter_refuses("this user", name, |args| {
                under_filter(counterpoint(args), errno).unwrap()
            });
        }
    }
}

#[test]
fn a_user_without_privileges_is_told_of_the_filter_too() {
    let access = access();
    let Some(level) = access.paranoid else {
        return println!("skipped: this machine hides kernel.perf_event_paranoid");
    };
    if !may_become_nobody() || under_filter(Command::new("true"), libc::EPERM).is_err() {
        return println!("skipped: this needs another user and a filter");
    }
    let folder = Public::new("filtered");
    for (errno, name) in ANSWERS {
        if errno != libc::EACCES || level <= 2 {
            says_that_a_filter_refuses("nobody", name, |args| {
                under_filter(folder.as_nobody(NONE, args), errno).unwrap()
            });
        }
    }
}
