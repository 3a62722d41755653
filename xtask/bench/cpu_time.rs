//! The CPU time of commands.

use counterpoint::perf::process::children_times;
use std::process::{Command, Stdio};

/// The seconds of CPU time that a command takes, whose output is thrown away.
pub(crate) fn cpu_time(command: &mut Command) -> f64 {
    let times = || {
        let (user, system) = children_times().unwrap();
        (user + system).as_secs_f64()
    };
    let before = times();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
    times() - before
}
