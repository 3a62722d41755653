//! Makes the tables of the vendors whose features are on, from the texts in `tables`: `build/mod.rs` says how.

#[path = "src/tables/hash.rs"]
mod hash;
#[allow(dead_code, reason = "only the crate reads what is written here")]
#[path = "src/tables/layout.rs"]
mod layout;
#[path = "build/mod.rs"]
mod tables;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The features, each with a folder of `tables`, in the order in which their PMUs are tried.
const VENDORS: [&str; 7] = ["intel", "amd", "arm", "power", "s390x", "sparc", "mips"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(problem) = make() {
        println!("cargo::error={problem}");
    }
}

/// Writes the files of each vendor, and the module of all.
fn make() -> Result<(), String> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let is_on =
        |vendor: &&str| env::var_os(format!("CARGO_FEATURE_{}", vendor.to_uppercase())).is_some();
    let (mut modules, mut statics) = (String::new(), String::new());
    for vendor in VENDORS.into_iter().filter(is_on) {
        println!("cargo::rerun-if-changed=tables/{vendor}");
        let made = tables::of_vendor(vendor, |file| read(&format!("tables/{vendor}/{file}")))?;
        write(&folder.join(format!("{vendor}.numbers")), &made.numbers)?;
        write(&folder.join(format!("{vendor}.texts")), made.texts.as_bytes())?;
        let _ = writeln!(modules, "mod {vendor} {{\n{}}}", made.rust);
        let _ = write!(statics, "&{vendor}::PMUS, ");
    }
    let _ = writeln!(modules, "pub(crate) static VENDORS: &[&Pmus] = &[{statics}];");
    write(&folder.join("vendors.rs"), modules.as_bytes())
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
