use crate::root;
use std::process::Command;
use std::time::Instant;

/// Each step as it can be typed, with the environment variables it needs.
const STEPS: &[(&str, &[(&str, &str)])] = &[
    // The README's second command comes first.
    ("cargo test --workspace", &[]),
    // Of all that was built for the first command, only the program is built again.
    ("cargo test --workspace --features counterpoint-cli/exporter --test program exporter", &[]),
    ("cargo build -p counterpoint-formula --no-default-features --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features intel --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features amd --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features arm --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features power --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features s390x --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features sparc --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features mips --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features libpfm3 --locked", &[]),
    ("cargo check -p counterpoint --no-default-features --features unwind --locked", &[]),
    ("cargo check -p counterpoint-cli --no-default-features --locked", &[]),
    ("cargo fmt --all --check", &[]),
    (
        "cargo clippy --workspace --all-targets --features counterpoint-cli/exporter --locked -- -D warnings",
        &[],
    ),
    ("cargo doc --workspace --no-deps --locked", &[("RUSTDOCFLAGS", "-D warnings")]),
    ("cargo xtask tidy", &[]),
    ("cargo xtask public-api", &[]),
    ("cargo xtask capi --header", &[]),
    ("cargo xtask package", &[]),
];

/// Runs every step, even if an earlier one fails, so that one run shows all problems.
pub fn run() -> Result<(), String> {
    let mut failed = Vec::new();
    for (step, environment) in STEPS {
        println!("\n==> {step}");
        let begun = Instant::now();
        let mut words = step.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        let status =
            command.args(words).envs(environment.iter().copied()).current_dir(root()).status();
        let passed = status.map_err(|e| format!("{step}: {e}"))?.success();
        println!(
            "==> {} in {:.1} s",
            if passed { "passed" } else { "FAILED" },
            begun.elapsed().as_secs_f64()
        );
        if !passed {
            failed.push(*step);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
}
