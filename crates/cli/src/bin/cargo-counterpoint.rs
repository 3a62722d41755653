//! The program that `cargo counterpoint` calls.

fn main() -> std::process::ExitCode {
    counterpoint_cli::cargo()
}
