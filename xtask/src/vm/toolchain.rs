//! The compiler for the emulated machine.

use super::apt::{Apt, write};
use super::cache::fetched;
use super::host::{host_architecture, host_triple, output, suites};
use super::machines::Machine;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of Debian's packages.
const PROGRAMS: [&str; 3] = ["gcc", "ar", "strip"];

/// The compiler of this project with its standard library for the guest, and Debian's linker and C library.
///
/// The programs are statically linked.
pub(super) struct Toolchain {
    machine: &'static Machine,
    folder: PathBuf,
    build: PathBuf,
}

impl Toolchain {
    pub(super) fn prepare(cache: &Path, machine: &'static Machine) -> Result<Toolchain, String> {
        standard_library(machine.target)?;
        let name = format!("{}-linker", machine.name);
        let folder = fetched(cache, &name, |apt, into| fetch(machine, apt, into))?;
        // Also in a cache of an earlier version.
        wrap(machine, &folder)?;
        Ok(Toolchain { machine, folder, build: cache.join("build") })
    }

    /// A copy of a program without debug information, because all of them must fit in the guest's memory.
    pub(super) fn stripped(&self, program: &Path) -> Result<PathBuf, String> {
        let folder = self.build.join("stripped").join(self.machine.name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let copy = folder.join(program.file_name().unwrap_or_default());
        let mut strip = Command::new(self.folder.join("bin/strip"));
        output(strip.args(["--strip-debug", "-o"]).args([&copy, program]))?;
        Ok(copy)
    }

    /// The environment variables for cargo.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let bin = |name: &str| self.folder.join("bin").join(name).display().to_string();
        let target = self.machine.target;
        let upper = target.to_uppercase().replace('-', "_");
        let lower = target.replace('-', "_");
        [
            ("CARGO_BUILD_TARGET".to_owned(), target.to_owned()),
            // A separate directory, because the profile is another one.
            ("CARGO_TARGET_DIR".to_owned(), self.build.display().to_string()),
            (format!("CARGO_TARGET_{upper}_LINKER"), bin("gcc")),
            (format!("CARGO_TARGET_{upper}_RUSTFLAGS"), "-C target-feature=+crt-static".to_owned()),
            (format!("CC_{lower}"), bin("gcc")),
            (format!("AR_{lower}"), bin("ar")),
            ("CARGO_INCREMENTAL".to_owned(), "0".to_owned()),
        ]
        .into()
    }
}

/// Has rustup add the standard library for a target, if it is missing.
fn standard_library(target: &str) -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    let folder = output(rustc.args(["--print", "target-libdir", "--target", target]))?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    output(Command::new("rustup").args(["target", "add", target])).map(drop)
}

fn fetch(machine: &Machine, apt: &Path, into: &Path) -> Result<(), String> {
    let host = Apt::new(&apt.join("host"), host_architecture()?.trim(), &suites()?, true)?;
    let packages = [format!("gcc-{}", machine.gnu), format!("libc6-dev-{}-cross", machine.debian)];
    host.unpack_with_needs(&packages, into)?;
    // Packages already installed on this system were not downloaded.
    for program in PROGRAMS.map(|program| format!("{}-{program}", machine.gnu)) {
        let path = into.join("usr/bin").join(&program);
        if !path.exists() {
            symlink(Path::new("/usr/bin").join(&program), &path)
                .map_err(|error| format!("{program}: {error}"))?;
        }
    }
    Ok(())
}

/// Writes wrapper scripts that find the private libraries, so that no other program uses them.
fn wrap(machine: &Machine, folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder.join("bin")).map_err(|error| format!("bin: {error}"))?;
    for name in PROGRAMS {
        // Relative paths, because the cache may be moved together with the project folder.
        let text = format!(
            // Unlike other shells, bash hands on variables such as CARGO_BIN_EXE_cargo-counterpoint.
            "#!/bin/bash\nfolder=$(cd \"$(dirname \"$0\")/..\" && pwd)\n\
             export LD_LIBRARY_PATH=\"$folder/usr/lib/{host}:$folder/lib/{host}\"\n\
             export PATH=\"$folder/usr/bin:$PATH\"\nexec \"$folder/usr/bin/{gnu}-{name}\" \"$@\"\n",
            host = host_triple()?,
            gnu = machine.gnu
        );
        let path = folder.join("bin").join(name);
        write(&path, text.as_bytes())?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
