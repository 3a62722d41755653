//! `cargo xtask sanitize [address|thread]` runs the tests that call the kernel under the sanitizers of a nightly compiler.

use crate::{arguments, host, root, target};
use std::path::Path;
use std::process::Command;

/// Packages, and which of their tests to run; an empty list stands for all.
const TESTS: &[(&str, &[&str])] = &[
    ("counterpoint-perf", &[]),
    ("counterpoint", &["life::", "live::", "profile::", "regions::", "runs::", "targets::"]),
];

/// Tests of `counterpoint-perf` that a sanitizer itself interferes with, and how.
const DISTURBED: &[(&str, &str, &str)] = &[
    ("address", "live::fresh_pages_are_counted_one_by_one", FAULTS),
    ("address", "sampling::page_faults_give_the_addresses_of_the_pages", FAULTS),
    ("address", "sampling::software_overflow_follows_an_event_that_only_counts", FAULTS),
    ("thread", "live::fresh_pages_are_counted_one_by_one", FAULTS),
    ("thread", "sampling::a_ring_that_is_too_small_says_what_it_lost_and_does_not_block", FAULTS),
    ("thread", "sampling::software_overflow_follows_an_event_that_only_counts", FAULTS),
    (
        "thread",
        "sampling::a_signal_comes_for_each_sample_to_the_thread_that_asked",
        "it delays signals until the thread makes a call",
    ),
];

const FAULTS: &str = "its own memory causes page faults too";

/// Runs the tests under both sanitizers, or under the given one.
pub fn run() -> Result<(), String> {
    let wanted: Vec<String> = arguments().collect();
    let known = ["address", "thread"];
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("unknown sanitizer {unknown}; usage: sanitize [address|thread]"));
    }
    needed()?;
    let host = host()?;
    let mut failed = Vec::new();
    for sanitizer in known {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == sanitizer) {
            continue;
        }
        for (package, tests) in TESTS {
            println!("\n==> {sanitizer} sanitizer, {package}");
            if !passes(sanitizer, &host, package, tests)? {
                failed.push(format!("{package} under the {sanitizer} sanitizer"));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn passes(sanitizer: &str, host: &str, package: &str, tests: &[&str]) -> Result<bool, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["+nightly", "test", "--locked", "-p", package, "--test", "it", "--target", host]);
    cargo.arg("--target-dir").arg(target().join("sanitize").join(sanitizer));
    // Without an instrumented standard library, a sanitizer does not see synchronization through locks and channels.
    cargo.args(["-Zbuild-std", "--"]).args(tests);
    let disturbed = |of: &str| of == sanitizer && package == "counterpoint-perf";
    for (_, test, why) in DISTURBED.iter().filter(|(of, ..)| disturbed(of)) {
        println!("skipped: {test}: {why}");
        cargo.args(["--skip", test]);
    }
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer} -Cdebuginfo=1"));
    cargo.env("ASAN_OPTIONS", "detect_stack_use_after_return=1");
    // A finding fails the test program as a whole, but does not stop its other tests.
    cargo.env("TSAN_OPTIONS", "halt_on_error=0 second_deadlock_stack=1");
    let status = cargo.current_dir(root()).status();
    Ok(status.map_err(|error| format!("cargo: {error}"))?.success())
}

/// Checks that the required tools are installed, or returns the command that installs them.
fn needed() -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    let sysroot = rustc.args(["+nightly", "--print", "sysroot"]).output();
    let Some(sysroot) = sysroot.ok().filter(|output| output.status.success()) else {
        return Err("sanitizers need a nightly compiler: rustup toolchain install nightly --component rust-src".to_string());
    };
    let sysroot = String::from_utf8_lossy(&sysroot.stdout).trim().to_string();
    match Path::new(&sysroot).join("lib/rustlib/src/rust/library").is_dir() {
        true => Ok(()),
        false => Err("sanitizers need the standard library's source: rustup component add rust-src --toolchain nightly".to_string()),
    }
}
