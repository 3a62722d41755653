//! Finds out if the compiler has stable inline assembly for the target: for POWER since Rust 1.95.

use std::env::var;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(assembly)");
    let first = match var("CARGO_CFG_TARGET_ARCH").unwrap_or_default().as_str() {
        "x86_64" | "aarch64" | "riscv64" => 0,
        "powerpc64" => 95,
        _ => return,
    };
    if minor_version().is_some_and(|minor| minor >= first) {
        println!("cargo::rustc-cfg=assembly");
    }
}

/// The second number of the compiler's version.
fn minor_version() -> Option<u32> {
    let output = Command::new(var("RUSTC").ok()?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split(' ').nth(1)?.split('.').nth(1)?.parse().ok()
}
