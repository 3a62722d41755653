//! The compiler for the emulated machine.

use super::apt::{Apt, write};
use super::cache::fetched;
use super::host::{host_architecture, host_triple, suite};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const GNU: &str = "aarch64-linux-gnu";

/// A compiler for the guest's programs, which are statically linked.
///
/// A standard library works only with the compiler that built it; Debian has the same version of both for all its architectures, whichever toolchain is installed here.
pub(super) struct Toolchain {
    folder: PathBuf,
}

impl Toolchain {
    pub(super) fn prepare(cache: &Path) -> Result<Toolchain, String> {
        let folder = fetched(cache, "toolchain", fetch)?;
        // Also in a cache of an earlier version.
        wrap(&folder)?;
        Ok(Toolchain { folder })
    }

    /// The environment variables for cargo.
    pub(super) fn environment(&self) -> Vec<(String, String)> {
        let bin = |name: &str| self.folder.join("bin").join(name).display().to_string();
        let upper = TARGET.to_uppercase().replace('-', "_");
        let lower = TARGET.replace('-', "_");
        [
            ("RUSTC".to_owned(), bin("rustc")),
            ("CARGO_BUILD_TARGET".to_owned(), TARGET.to_owned()),
            // A separate directory, because `target` contains the output of another compiler.
            (
                "CARGO_TARGET_DIR".to_owned(),
                self.folder.with_file_name("build").display().to_string(),
            ),
            (format!("CARGO_TARGET_{upper}_LINKER"), bin("gcc")),
            (format!("CARGO_TARGET_{upper}_RUSTFLAGS"), "-C target-feature=+crt-static".to_owned()),
            (format!("CC_{lower}"), bin("gcc")),
            (format!("AR_{lower}"), bin("ar")),
            // The programs must fit in the guest's memory.
            ("CARGO_PROFILE_DEV_DEBUG".to_owned(), "line-tables-only".to_owned()),
            ("CARGO_INCREMENTAL".to_owned(), "0".to_owned()),
        ]
        .into()
    }
}

fn fetch(apt: &Path, into: &Path) -> Result<(), String> {
    let suite = suite()?;
    let suites: Vec<String> =
        ["", "-updates", "-security"].iter().map(|of| format!("{suite}{of}")).collect();
    let host = Apt::new(&apt.join("host"), host_architecture()?.trim(), &suites, true)?;
    let guest = Apt::new(&apt.join("guest"), "arm64", &suites, false)?;
    let version = common_version(&host, &guest)?;
    host.unpack_with_needs(
        &[
            format!("gcc-{GNU}"),
            "libc6-dev-arm64-cross".to_owned(),
            format!("rustc-web={version}"),
            format!("libstd-rust-web-dev={version}"),
        ],
        into,
    )?;
    let library = into.join("guest");
    guest.unpack(&[format!("libstd-rust-web-dev={version}")], &library, &[])?;
    let folder = "usr/lib/rustlib/".to_owned() + TARGET;
    fs::rename(library.join(&folder), into.join(&folder))
        .map_err(|error| format!("{folder}: {error}"))?;
    let _ = fs::remove_dir_all(&library);
    // Packages already installed on this system were not downloaded.
    for program in [format!("{GNU}-gcc"), format!("{GNU}-ar")] {
        let path = into.join("usr/bin").join(&program);
        if !path.exists() {
            symlink(Path::new("/usr/bin").join(&program), &path)
                .map_err(|error| format!("{program}: {error}"))?;
        }
    }
    Ok(())
}

/// Writes wrapper scripts that find the private libraries, so that no other program uses them.
fn wrap(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder.join("bin")).map_err(|error| format!("bin: {error}"))?;
    let own =
        [("rustc", "rustc"), ("gcc", "aarch64-linux-gnu-gcc"), ("ar", "aarch64-linux-gnu-ar")];
    for (name, program) in own {
        // Relative paths, because the cache may be moved together with the project folder.
        let text = format!(
            // Unlike other shells, bash hands on variables such as CARGO_BIN_EXE_cargo-counterpoint.
            "#!/bin/bash\nfolder=$(cd \"$(dirname \"$0\")/..\" && pwd)\n\
             export LD_LIBRARY_PATH=\"$folder/usr/lib/{host}:$folder/lib/{host}\"\n\
             export PATH=\"$folder/usr/bin:$PATH\"\nexec \"$folder/usr/bin/{program}\" \"$@\"\n",
            host = host_triple()?
        );
        let path = folder.join("bin").join(name);
        write(&path, text.as_bytes())?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The newest compiler for this machine whose standard library also exists for the guest's architecture.
fn common_version(host: &Apt, guest: &Apt) -> Result<String, String> {
    let theirs = guest.versions("libstd-rust-web-dev")?;
    let ours = host.versions("rustc-web")?;
    ours.into_iter().find(|version| theirs.contains(version)).ok_or_else(|| {
        "no version of Debian's rustc-web is there for this machine and for arm64 alike: \
         try again after the archive has caught up"
            .to_owned()
    })
}
