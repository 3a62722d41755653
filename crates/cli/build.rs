//! Links the program so that it starts quickly, where the C library is that of GNU.
//!
//! - The unwinder of GCC is linked in. Rust's standard library takes it from `libgcc_s.so.1`, which every start of the program would load to use it in panics alone: a tenth of the time that `stat` takes beside its command.
//! - The program has fixed addresses. Otherwise every start relocates thirty thousand pointers in its tables, which is a fifth of the pages that a start of `stat` touches.

use std::env;
use std::path::Path;
use std::process::Command;

const UNWINDER: &str = "libgcc_eh.a";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    // A compiler prints the bare name of a file that it has not.
    let linker = env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".to_string());
    let asked = Command::new(linker).arg(format!("-print-file-name={UNWINDER}")).output();
    let path = asked.map(|output| output.stdout).unwrap_or_default();
    if is_gnu {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    if is_gnu && Path::new(String::from_utf8_lossy(&path).trim()).is_file() {
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}
