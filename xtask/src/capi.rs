use crate::{arguments, root, target};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// A C library: the package that has its functions, its name, the name that programs are linked with, its headers, and
/// the version and the description of its pkg-config file.
struct Library {
    package: &'static str,
    name: &'static str,
    soname: &'static str,
    headers: &'static [&'static str],
    version: &'static str,
    about: &'static str,
}

const LIBRARIES: &[Library] = &[
    Library {
        package: "capi-pfm",
        name: "pfm",
        soname: "libpfm.so.4",
        headers: &["perfmon/perf_event.h", "perfmon/pfmlib.h", "perfmon/pfmlib_perf_event.h"],
        version: "4.13.0",
        about: "Performance events by name, with the interface of libpfm4",
    },
    Library {
        package: "capi-papi",
        name: "papi",
        soname: "libpapi.so.7.0",
        headers: &["papi.h", "papiStdEventDefs.h", "f77papi.h", "f90papi.h", "fpapi.h"],
        version: "7.0.0",
        about: "Counting performance events, with the interface of PAPI",
    },
];

/// What a program needs beside the static library.
const SYSTEM: &str = "-lpthread -ldl -lm";

/// Builds the C libraries and installs them below a directory: `lib`, `include`, `lib/pkgconfig`.
pub fn run() -> Result<(), String> {
    let arguments: Vec<String> = arguments().collect();
    let [option, directory] = &arguments[..] else { return Err(USAGE.to_string()) };
    if option != "--install" {
        return Err(USAGE.to_string());
    }
    let directory = std::path::absolute(directory).map_err(|e| format!("{directory}: {e}"))?;
    for library in LIBRARIES {
        install(library, &directory)?;
    }
    Ok(())
}

const USAGE: &str = "usage: cargo xtask capi --install DIR";

fn install(library: &Library, directory: &Path) -> Result<(), String> {
    let shared = build(library, "cdylib", &format!("-Clink-arg=-Wl,-soname,{}", library.soname))?;
    let archive = build(library, "staticlib", "-Cstrip=debuginfo")?;
    let said = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let put = |from: &Path, to: PathBuf| {
        let parent = to.parent().unwrap_or(directory);
        fs::create_dir_all(parent).map_err(|error| said(parent, error))?;
        // A running program may have the old one mapped: it is replaced, not overwritten.
        drop(fs::remove_file(&to));
        fs::copy(from, &to).map_err(|error| said(&to, error))?;
        println!("{}", to.display());
        Ok::<(), String>(())
    };
    let lib = directory.join("lib");
    put(&shared, lib.join(library.soname))?;
    put(&archive, lib.join(format!("lib{}.a", library.name)))?;
    for header in library.headers {
        let from = root().join("crates").join(library.package).join("include").join(header);
        put(&from, directory.join("include").join(header))?;
    }
    let link = lib.join(format!("lib{}.so", library.name));
    drop(fs::remove_file(&link));
    symlink(library.soname, &link).map_err(|error| said(&link, error))?;
    println!("{}", link.display());
    let config = lib.join(format!("pkgconfig/lib{}.pc", library.name));
    fs::create_dir_all(lib.join("pkgconfig"))
        .and_then(|()| fs::write(&config, pkg_config(library, directory)))
        .map_err(|error| said(&config, error))?;
    println!("{}", config.display());
    Ok(())
}

/// Builds the library in one form, and returns where it is. The crate itself is an ordinary one, so that
/// the usual build makes none of these.
fn build(library: &Library, form: &str, flag: &str) -> Result<PathBuf, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["rustc", "--locked", "--profile", "release", "--lib", "--crate-type", form, "-p"]);
    cargo.arg(format!("counterpoint-{}", library.package)).args(["--", flag]).current_dir(root());
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    let ending = if form == "cdylib" { "so" } else { "a" };
    let path = target().join(format!("release/lib{}.{ending}", library.name));
    if status.success() { Ok(path) } else { Err(format!("{form} of {} failed", library.package)) }
}

fn pkg_config(library: &Library, directory: &Path) -> String {
    let Library { name, version, about, .. } = library;
    let prefix = directory.display();
    format!(
        "prefix={prefix}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: lib{name}\nDescription: {about}\nVersion: {version}\n\
         Libs: -L${{libdir}} -l{name}\nLibs.private: {SYSTEM}\nCflags: -I${{includedir}}\n"
    )
}
