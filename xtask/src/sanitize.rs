//! `cargo xtask sanitize [address|thread|valgrind]` runs the tests that call the kernel, and those of the C libraries, under
//! the sanitizers of a nightly compiler, and C programs over the libraries under valgrind.

use crate::capi;
use crate::project::{arguments, host, root, target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages, and which of their integration tests to run, beside the unit tests of the C libraries; an empty list stands for all.
const TESTS: &[(&str, &[&str])] = &[
    (PERF, &[]),
    ("counterpoint", &["life::", "live::", "profile::", "regions::", "runs::", "targets::"]),
    ("counterpoint-capi-counterpoint", &["any_call::", "arguments::", "counting::", "regions::"]),
    ("counterpoint-capi", &["handles::", "lasting::", "sized::", "text::"]),
    (PAPI_TESTS, &["any_call::", "arguments::", "claim::", "lifetime::", "rates::", "values::"]),
    ("counterpoint-capi-papi-hl", &["threads::"]),
    ("counterpoint-capi-pfm", &["any_call::", "arguments::", "lifetime::"]),
    ("counterpoint-capi-pfm3", &["any_request::", "functions::", "vectors::"]),
];

/// A C program over a library.
struct Program {
    source: &'static str,
    library: &'static str,
    /// The folder of `include` that has the library's headers.
    headers: &'static str,
    arguments: &'static [&'static str],
    /// The PMU that is forced; empty for none.
    pmu: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program { arguments: &["task-clock,page-faults"], ..COUNT },
    Program { arguments: &["task-clock", REPORT], ..COUNT },
    PAPI,
    Program { source: "crates/capi-papi/tests/c/regions.c", ..PAPI },
    Program { arguments: &["perf::CYCLES:u", "NONE_SUCH"], ..PFM },
    Program { arguments: &["snb::L2_RQSTS:ALL_PF"], pmu: "snb", ..PFM },
    Program { arguments: &[], pmu: "montecito", ..PFM3 },
    Program { arguments: &["INSTRUCTIONS_RETIRED"], pmu: "63", ..PFM3 },
];

const COUNT: Program = Program {
    source: "examples/c/count.c",
    library: "libcounterpoint.so.0",
    headers: "",
    arguments: &[],
    pmu: "",
};
const PAPI: Program =
    Program { source: "crates/capi-papi/tests/c/client.c", library: "libpapi.so.7.0", ..COUNT };
const PFM: Program =
    Program { source: "crates/capi-pfm/tests/c/client.c", library: "libpfm.so.4", ..COUNT };
const PFM3: Program = Program {
    source: "crates/capi-pfm3/tests/c/client.c",
    library: "libpfm.so.3",
    headers: "libpfm3",
    ..COUNT
};
/// A file below the folder of the libraries.
const REPORT: &str = "regions.json";

/// Tests that a sanitizer itself interferes with, by the sanitizer and the package, and how.
const DISTURBED: &[(&str, &str, &str, &str)] = &[
    ("address", PERF, "live::fresh_pages_are_counted_one_by_one", FAULTS),
    ("address", PERF, "sampling::page_faults_give_the_addresses_of_the_pages", FAULTS),
    ("address", PERF, "sampling::software_overflow_follows_an_event_that_only_counts", FAULTS),
    ("thread", PERF, "live::fresh_pages_are_counted_one_by_one", FAULTS),
    (
        "address",
        PERF,
        "stacks::a_sample_has_the_registers_and_the_top_of_the_stack",
        "it keeps variables beside the stack",
    ),
    (
        "thread",
        PERF,
        "sampling::a_ring_that_is_too_small_says_what_it_lost_and_does_not_block",
        FAULTS,
    ),
    ("thread", PERF, "sampling::software_overflow_follows_an_event_that_only_counts", FAULTS),
    (
        "thread",
        PERF,
        "sampling::a_signal_comes_for_each_sample_to_the_thread_that_asked",
        "it delays signals until the thread makes a call",
    ),
    (
        "thread",
        "counterpoint",
        "profile::a_derived_event_is_profiled_beside_another",
        "it delays the reader, which makes samples of a derived event rare",
    ),
    ("address", PAPI_TESTS, "values::faults_are_counted_exactly", FAULTS),
    ("thread", PAPI_TESTS, "values::faults_are_counted_exactly", FAULTS),
    ("thread", PAPI_TESTS, "values::a_set_that_was_stopped_starts_from_zero", FAULTS),
    ("thread", PAPI_TESTS, "lifetime::sixty_four_threads_count_their_own_faults", FAULTS),
    ("thread", PAPI_TESTS, "rates::", FAULTS),
];

const PERF: &str = "counterpoint-perf";
const PAPI_TESTS: &str = "counterpoint-capi-papi";
const FAULTS: &str = "its own memory causes page faults too";

/// Runs the tests under both sanitizers, or under the given one.
pub fn run() -> Result<(), String> {
    let wanted: Vec<String> = arguments().collect();
    let known = ["address", "thread"];
    let is_known = |name: &String| name == "valgrind" || known.contains(&name.as_str());
    if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
        return Err(format!(
            "unknown sanitizer {unknown}; usage: sanitize [address|thread|valgrind]"
        ));
    }
    if wanted.is_empty() || wanted.iter().any(|name| name == "valgrind") {
        valgrind()?;
    }
    if wanted == ["valgrind"] {
        return Ok(());
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

/// Runs the C programs under valgrind: no error, and nothing lost. What a library keeps until the end is not lost.
fn valgrind() -> Result<(), String> {
    for tool in ["valgrind", "gcc"] {
        if Command::new(tool).arg("--version").output().is_err() {
            println!("skipped: needs {tool}");
            return Ok(());
        }
    }
    let prefix = target().join("sanitize/valgrind");
    capi::install_names(&prefix, &["counterpoint", "papi", "pfm", "pfm3"])?;
    let (lib, program) = (prefix.join("lib"), prefix.join("program"));
    let mut failed = Vec::new();
    for Program { source, library, headers, arguments, pmu } in PROGRAMS {
        let mut gcc = Command::new("gcc");
        gcc.arg("-g").arg(root().join(source)).arg("-I").arg(prefix.join("include").join(headers));
        gcc.arg(lib.join(library)).arg("-o").arg(&program);
        if !gcc.status().is_ok_and(|status| status.success()) {
            return Err(format!("{source} does not compile"));
        }
        let arguments: Vec<PathBuf> = arguments
            .iter()
            .map(|word| if *word == REPORT { prefix.join(word) } else { PathBuf::from(word) })
            .collect();
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=99", "--leak-check=full"]);
        valgrind.arg("--errors-for-leak-kinds=definite").arg(&program).args(&arguments);
        valgrind.env("LD_LIBRARY_PATH", &lib).env("PAPI_OUTPUT_DIRECTORY", &prefix);
        if !pmu.is_empty() {
            valgrind.env("LIBPFM_FORCE_PMU", pmu);
        }
        let output = valgrind.output().map_err(|error| format!("valgrind: {error}"))?;
        // Each ends with another status if a call fails that should not.
        let outcome = if output.status.success() {
            "clean"
        } else {
            println!("{}{}", String::from_utf8_lossy(&output.stderr), output.status);
            failed.push(*source);
            "FAILED"
        };
        println!("valgrind: {source} {arguments:?} over {library}: {outcome}");
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn passes(sanitizer: &str, host: &str, package: &str, tests: &[&str]) -> Result<bool, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["+nightly", "test", "--locked", "-p", package, "--target", host]);
    let is_of_c = package.starts_with("counterpoint-capi");
    cargo.args(is_of_c.then_some("--lib"));
    // The shared parts of the C libraries have unit tests only.
    cargo.args(if package == "counterpoint-capi" { &[][..] } else { &["--test", "it"] });
    cargo.arg("--target-dir").arg(target().join("sanitize").join(sanitizer));
    // Without an instrumented standard library, a sanitizer does not see synchronization through locks and channels.
    cargo.args(["-Zbuild-std", "--"]).args(tests);
    let is_disturbed =
        |(by, of, ..): &&(&str, &str, &str, &str)| *by == sanitizer && *of == package;
    for (_, _, test, why) in DISTURBED.iter().filter(is_disturbed) {
        println!("skipped: {test}: {why}");
        cargo.args(["--skip", test]);
    }
    cargo.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer} -Cdebuginfo=1"));
    cargo.env("ASAN_OPTIONS", "detect_stack_use_after_return=1");
    // A finding fails the test program as a whole, but does not stop its other tests.
    cargo.env("TSAN_OPTIONS", "halt_on_error=0 second_deadlock_stack=1 die_after_fork=0");
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
    if Path::new(&sysroot).join("lib/rustlib/src/rust/library").is_dir() {
        Ok(())
    } else {
        Err("sanitizers need the standard library's source: rustup component add rust-src --toolchain nightly".to_string())
    }
}
