//! Makes the tables of the kernel's events and of the vendors whose features are on, from the texts in `tables`: `build/mod.rs` says how.

#[path = "src/tables/hash.rs"]
mod hash;
#[allow(dead_code, reason = "only the crate reads what is written here")]
#[path = "src/tables/layout.rs"]
mod layout;
#[allow(dead_code, reason = "only the crate hashes folded names")]
#[path = "src/vendor/names.rs"]
mod names;
#[path = "build/mod.rs"]
mod tables;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The features, each with a folder of `tables`, in the order in which their PMUs are tried.
const VENDORS: [&str; 8] = ["intel", "amd", "arm", "power", "s390x", "sparc", "mips", "riscv"];

/// The events that Linux itself names.
const KERNEL: &str = "tables/kernel.txt";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Err(problem) = make() {
        println!("cargo::error={problem}");
    }
}

/// Writes the files of each vendor, and the module of all.
fn make() -> Result<(), String> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo::rerun-if-changed={KERNEL}");
    let events = tables::kernel::statics(&read(KERNEL)?);
    let events = events.map_err(|error| format!("{KERNEL}:{error}"))?;
    write(&folder.join("kernel.rs"), events.as_bytes())?;
    let is_on =
        |vendor: &&str| env::var_os(format!("CARGO_FEATURE_{}", vendor.to_uppercase())).is_some();
    let (mut modules, mut statics) = (String::new(), String::new());
    for vendor in VENDORS.into_iter().filter(is_on) {
        println!("cargo::rerun-if-changed=tables/{vendor}");
        let made = tables::of_vendor(vendor, &processors(vendor)?, |file| {
            read(&format!("tables/{vendor}/{file}"))
        })?;
        write(&folder.join(format!("{vendor}.numbers")), &made.numbers)?;
        write(&folder.join(format!("{vendor}.texts")), made.texts.as_bytes())?;
        let _ = writeln!(
            modules,
            "#[allow(unused_imports, reason = \"some vendors lack some kinds of tables\")]\nmod {vendor} {{\n{}}}",
            made.rust
        );
        let _ = write!(statics, "&{vendor}::PMUS, ");
    }
    let _ = writeln!(modules, "pub(crate) static VENDORS: &[&Pmus] = &[{statics}];");
    write(&folder.join("vendors.rs"), modules.as_bytes())
}

/// The files of a vendor's processors, in the order of their names.
fn processors(vendor: &str) -> Result<Vec<String>, String> {
    let folder = format!("tables/{vendor}/processors");
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.map_err(|error| format!("{folder}: {error}"))?.file_name();
        Ok(format!("processors/{}", name.to_string_lossy()))
    };
    let mut names: Vec<String> = entries.map(name).collect::<Result<_, String>>()?;
    names.sort();
    Ok(names)
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
