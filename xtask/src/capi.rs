//! `cargo xtask capi`: builds and installs the C libraries.

use crate::project::{arguments, metadata, root, target};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// A C library: the package that has its functions, the name of what cargo makes of it, its own name, the name that
/// programs are linked with, its headers and the folder of `include` for them, other files with their places, and the name,
/// the version and the description of its pkg-config file.
struct Library {
    package: &'static str,
    made: &'static str,
    name: &'static str,
    soname: &'static str,
    headers: &'static [&'static str],
    folder: &'static str,
    others: &'static [(&'static str, &'static str)],
    config: &'static str,
    version: &'static str,
    about: &'static str,
}

const LIBRARIES: &[Library] = &[
    Library {
        package: "capi-counterpoint",
        made: "counterpoint_c",
        name: "counterpoint",
        soname: "libcounterpoint.so.0",
        headers: &["counterpoint.h"],
        folder: "",
        others: &[
            ("fortran/counterpoint.f90", "include/counterpoint.f90"),
            // In a folder of their own, so that no program finds them in place of likwid's by chance.
            ("likwid/likwid.h", "include/likwid/likwid.h"),
            ("likwid/likwid-marker.h", "include/likwid/likwid-marker.h"),
            ("likwid/likwid.f90", "include/likwid/likwid.f90"),
            ("cmake/counterpoint-config.cmake", "lib/cmake/counterpoint/counterpoint-config.cmake"),
            (
                "cmake/counterpoint-config-version.cmake",
                "lib/cmake/counterpoint/counterpoint-config-version.cmake",
            ),
        ],
        config: "counterpoint",
        version: "0.1.0",
        about: "Performance events by name: values with what they are worth, and regions",
    },
    Library {
        package: "capi-papi-hl",
        made: "papi_hl",
        name: "counterpoint_papi_hl",
        soname: "libcounterpoint_papi_hl.so.0",
        headers: &[],
        folder: "",
        others: &[],
        config: "counterpoint_papi_hl",
        version: "0.1.0",
        about: "PAPI's high-level functions, to be preloaded",
    },
    Library {
        package: "capi-pfm",
        made: "pfm",
        name: "pfm",
        soname: "libpfm.so.4",
        headers: &[
            "perfmon/err.h",
            "perfmon/perf_event.h",
            "perfmon/pfmlib.h",
            "perfmon/pfmlib_perf_event.h",
        ],
        folder: "",
        others: &[],
        config: "libpfm",
        version: "4.13.0",
        about: "Performance events by name, with the interface of libpfm4",
    },
    // Its headers have the names of libpfm4's.
    Library {
        package: "capi-pfm3",
        made: "pfm3",
        name: "pfm3",
        soname: "libpfm.so.3",
        headers: &[
            "perfmon/pfmlib.h",
            "perfmon/pfmlib_amd64.h",
            "perfmon/pfmlib_cell.h",
            "perfmon/pfmlib_core.h",
            "perfmon/pfmlib_coreduo.h",
            "perfmon/pfmlib_gen_ia32.h",
            "perfmon/pfmlib_i386_p6.h",
            "perfmon/pfmlib_intel_atom.h",
            "perfmon/pfmlib_intel_nhm.h",
            "perfmon/pfmlib_itanium.h",
            "perfmon/pfmlib_itanium2.h",
            "perfmon/pfmlib_montecito.h",
        ],
        folder: "libpfm3",
        others: &[],
        config: "libpfm3",
        version: "3.10.0",
        about: "Register dispatch, with the interface of libpfm 3.10",
    },
    Library {
        package: "capi-papi",
        made: "papi",
        name: "papi",
        soname: "libpapi.so.7.0",
        headers: &["papi.h", "papiStdEventDefs.h", "f77papi.h", "f90papi.h", "fpapi.h"],
        folder: "",
        others: &[],
        config: "papi",
        version: "7.3.0",
        about: "Counting performance events, with the interface of PAPI",
    },
];

/// Other names under which programs, also those of other releases, look for a library, which serves them too.
const LINKS: &[(&str, &[&str])] =
    &[("libpapi.so.7.0", &["libpapi.so.7", "libpapi.so.7.1", "libpapi.so.7.2", "libpapi.so.7.3"])];

/// The libraries that a program needs beside the static library.
const SYSTEM: &str = "-lpthread -ldl -lm";

/// Builds the C libraries and installs them below a directory: `lib`, `include`, `lib/pkgconfig`.
pub fn run() -> Result<(), String> {
    let arguments: Vec<String> = arguments().collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (directory, rest) = match arguments[..] {
        ["--install", directory, ref rest @ ..] => (directory, rest),
        ["--header"] => return header(false),
        ["--header", "--bless"] => return header(true),
        _ => return Err(USAGE.to_string()),
    };
    let directory = std::path::absolute(directory).map_err(|e| format!("{directory}: {e}"))?;
    let (profile, names) = match rest {
        ["--debug", names @ ..] => (Profile::Debug, names),
        names => (Profile::Release, names),
    };
    let is_unknown = |name: &&&str| !LIBRARIES.iter().any(|library| library.name == **name);
    if let Some(unknown) = names.iter().find(is_unknown) {
        return Err(format!("there is no library {unknown}; {USAGE}"));
    }
    install_all(&directory, profile, names)
}

/// Installs these libraries, as they are for use.
pub fn install_names(directory: &Path, names: &[&str]) -> Result<(), String> {
    install_all(directory, Profile::Release, names)
}

fn install_all(directory: &Path, profile: Profile, names: &[&str]) -> Result<(), String> {
    let is_wanted = |library: &&Library| names.is_empty() || names.contains(&library.name);
    LIBRARIES.iter().filter(is_wanted).try_for_each(|library| install(library, directory, profile))
}

/// The profile of a library's build: for use, or quickly for a test.
#[derive(Clone, Copy, PartialEq)]
enum Profile {
    Release,
    Debug,
}

const USAGE: &str =
    "usage: cargo xtask capi --install DIR [--debug] [NAME…] | capi --header [--bless]";

/// Compares `counterpoint.h` with what the functions and structures make of it, or writes it.
fn header(bless: bool) -> Result<(), String> {
    let tool = root().join("xtask/header");
    // Its packages come from a registry, and are not dependencies of the workspace itself.
    if let Err(lacking) = metadata(&tool, &["--locked"]) {
        if bless {
            return Err(lacking);
        }
        println!("skipped: {lacking}");
        return Ok(());
    }
    let package = root().join("crates/capi-counterpoint");
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--locked", "--target-dir"]).arg(target().join("header"));
    let made = cargo.arg("--").arg(&package).current_dir(&tool).output();
    let made = made.map_err(|error| format!("cargo: {error}"))?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).into_owned());
    }
    let file = package.join("include/counterpoint.h");
    if bless {
        return fs::write(&file, made.stdout).map_err(|e| format!("{}: {e}", file.display()));
    }
    if fs::read(&file).is_ok_and(|now| now == made.stdout) {
        Ok(())
    } else {
        Err("counterpoint.h is stale; `cargo xtask capi --header --bless` writes it".into())
    }
}

fn install(library: &Library, directory: &Path, profile: Profile) -> Result<(), String> {
    let [shared, archive] = build(library, profile)?;
    let archive = hidden(&archive, &shared)?;
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
        put(&from, directory.join("include").join(library.folder).join(header))?;
    }
    for (from, to) in library.others {
        put(&root().join("crates").join(library.package).join(from), directory.join(to))?;
    }
    let plain = format!("lib{}.so", library.name);
    let others = LINKS.iter().filter(|(soname, _)| *soname == library.soname);
    let others = others.flat_map(|(_, names)| names.iter().copied());
    for link in others.chain([plain.as_str()]).map(|name| lib.join(name)) {
        drop(fs::remove_file(&link));
        symlink(library.soname, &link).map_err(|error| said(&link, error))?;
        println!("{}", link.display());
    }
    let config = lib.join(format!("pkgconfig/{}.pc", library.config));
    fs::create_dir_all(lib.join("pkgconfig"))
        .and_then(|()| fs::write(&config, pkg_config(library, directory)))
        .map_err(|error| said(&config, error))?;
    println!("{}", config.display());
    Ok(())
}

/// Builds the shared and the static library, and returns where they are. The crate itself is an ordinary one, so that
/// the usual build makes none of these.
fn build(library: &Library, profile: Profile) -> Result<[PathBuf; 2], String> {
    let (profile, folder) = match profile {
        Profile::Release => ("release", "release"),
        Profile::Debug => ("dev", "debug"),
    };
    let mut cargo = Command::new("cargo");
    cargo.args(["rustc", "--locked", "--profile", profile, "--lib", "-p"]);
    cargo.arg(format!("counterpoint-{}", library.package));
    cargo.args(["--crate-type", "cdylib,staticlib", "--", "-Cstrip=debuginfo"]);
    cargo.arg(format!("-Clink-arg=-Wl,-soname,{}", library.soname)).current_dir(root());
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err(format!("the build of {} failed", library.package));
    }
    let made = |ending| target().join(format!("{folder}/lib{}.{ending}", library.made));
    Ok(["so", "a"].map(made))
}

/// An archive of one object that has the functions of the shared library and hides everything else: several of the
/// libraries have the same runtime in them, and are linked into one program.
fn hidden(archive: &Path, shared: &Path) -> Result<PathBuf, String> {
    let listed = Command::new("nm").args(["-D", "--defined-only", "-P"]).arg(shared).output();
    let listed = listed.map_err(|error| format!("nm: {error}"))?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    let functions: Vec<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    if functions.is_empty() {
        return Err(format!("{}: it has no functions", shared.display()));
    }
    let [object, names, made] =
        ["hidden.o", "hidden.txt", "hidden.a"].map(|ending| archive.with_extension(ending));
    let said = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    fs::write(&names, functions.join("\n")).map_err(|error| said(&names, error))?;
    drop(fs::remove_file(&made));
    let mut link = Command::new("ld");
    link.args(["-r", "--gc-sections"]).args(functions.iter().flat_map(|name| ["-u", name]));
    link.arg("-o").arg(&object).arg(archive);
    let mut hide = Command::new("objcopy");
    // The standard library's bitcode makes linkers with a plugin of another LLVM fail.
    hide.args(["--remove-section", ".llvmbc", "--remove-section", ".llvmcmd"]);
    hide.arg("--keep-global-symbols").arg(&names).arg(&object);
    let mut pack = Command::new("ar");
    pack.arg("crsD").arg(&made).arg(&object);
    for mut command in [link, hide, pack] {
        let name = command.get_program().to_string_lossy().into_owned();
        let output = command.output().map_err(|error| format!("{name}: {error}"))?;
        if !output.status.success() {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(made)
}

fn pkg_config(library: &Library, directory: &Path) -> String {
    let Library { name, folder, config, version, about, .. } = library;
    let prefix = directory.display();
    format!(
        "prefix={prefix}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: {config}\nDescription: {about}\nVersion: {version}\n\
         Libs: -L${{libdir}} -l{name}\nLibs.private: {SYSTEM}\nCflags: -I${{includedir}}/{folder}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libpapi_has_each_name_that_programs_ask_for() {
        let (of, names) = LINKS[0];
        assert_eq!(of, "libpapi.so.7.0");
        for name in ["libpapi.so.7", "libpapi.so.7.1", "libpapi.so.7.2", "libpapi.so.7.3"] {
            assert!(names.contains(&name), "{name}");
        }
    }
}
