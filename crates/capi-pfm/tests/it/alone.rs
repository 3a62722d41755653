//! Tests that need a process of their own: the library's state is that of the process.

use std::process::Command;

/// Runs the test of this name in a process of its own with these variables.
pub(crate) fn alone(test: &str, variables: &[(&str, &str)], body: impl FnOnce()) {
    const INSIDE: &str = "COUNTERPOINT_TEST_ALONE";
    if std::env::var(INSIDE).is_ok_and(|inside| inside == test) {
        return body();
    }
    let program = std::env::current_exe().expect("a path");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture"]).env(INSIDE, test);
    let output = command.envs(variables.iter().copied()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("1 passed"), "no test is called {test}: {said}");
    // The lack of the machine is said once more, so that it is seen.
    said.lines().filter(|line| line.contains("skipped:")).for_each(|line| println!("{line}"));
}
