//! A C program, compiled with our headers, over what `cargo xtask capi` installs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let Output { status, stdout, stderr } = &output;
    let (said, errors) = (String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr));
    assert!(status.success(), "{command:?}: {status}\n{said}{errors}");
    said.into_owned()
}

#[test]
fn a_c_program_dispatches_events() {
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: needs gcc");
        return;
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (prefix, program) = (folder.join("pfm3-prefix"), folder.join("pfm3-client"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["xtask", "capi", "--install"]).arg(&prefix).args(["--debug", "pfm3"]);
    run(cargo.current_dir(own));
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-Werror"]).arg(own.join("tests/c/client.c"));
    gcc.arg(format!("-I{}", prefix.join("include/libpfm3").display()));
    gcc.arg(prefix.join("lib/libpfm.so.3")).arg("-o").arg(&program);
    run(&mut gcc);
    let client = |model: &str, events: &[&str]| {
        let mut command = Command::new(&program);
        command.args(events).env("LIBPFM_FORCE_PMU", model);
        command.env("LD_LIBRARY_PATH", prefix.join("lib"));
        command
    };
    let said = run(&mut client("63", &["instructions_retired", "LAST_LEVEL_CACHE_MISSES"]));
    assert!(said.contains("\nINSTRUCTIONS_RETIRED: PMD"), "{said}");
    assert!(said.contains("at 0x186\n"), "{said}");
    let said = run(&mut client("montecito", &[]));
    assert!(said.contains("CPU_OP_CYCLES_ALL: PMD"), "{said}");
    let refused = client("core", &["NONE_SUCH"]).output().expect("it starts");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&refused.stderr), "NONE_SUCH: event not found\n");
}
