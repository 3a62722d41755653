//! `counterpoint query`, which another program answers.

use crate::{counterpoint, run, stderr, stdout};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_program_that_answers_is_found_and_gets_every_argument() {
    let folder = std::env::temp_dir().join(format!("counterpoint-query-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("counterpoint-query");
    fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 3\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = counterpoint(&["query", "--format", "csv", "SELECT 1", "--", "-x", "a b"]);
    let output = command.env("PATH", path).output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(stdout(&output), "--format\ncsv\nSELECT 1\n--\n-x\na b\n");
}

#[test]
fn without_it_the_answer_is_how_to_install_it() {
    let output = counterpoint(&["query", "SELECT 1"]).env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("counterpoint-query is not installed"), "{text}");
    assert!(text.contains("cargo install --path datafusion"), "{text}");
    assert_eq!(run(&["query"]).status.code(), Some(2));
}
