//! The library as programs load it, and those that are compiled.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder with the shared library, built like the tests.
pub(crate) fn ours() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build("capi-papi", "papi", "libpapi.so.7.0"))
}

/// The folder with `libpfm.so.4` of this project: with it, the system's PAPI knows the processor.
pub(crate) fn pfm() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build("capi-pfm", "pfm", "libpfm.so.4"))
}

fn build(package: &str, name: &str, soname: &str) -> PathBuf {
    let program = std::env::current_exe().expect("a path");
    let profile = program.ancestors().nth(2).expect("the profile's folder");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["rustc", "--quiet", "--locked", "--lib", "--crate-type", "cdylib", "-p"]);
    cargo.arg(format!("counterpoint-{package}"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    cargo.args(["--", &format!("-Clink-arg=-Wl,-soname,{soname}")]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package);
    std::fs::create_dir_all(&folder).expect("a folder");
    let built = profile.join(format!("lib{name}.so"));
    std::fs::copy(&built, folder.join(soname)).expect("it was built");
    folder
}

/// A file of presets of the kernel's own events, for every PMU. Those that PAPI has for a processor need its counters, which
/// PAPI does not ask for and this library does.
fn presets() -> &'static Path {
    const PRESETS: &str = include_str!("../../../../fixtures/definitions/software_presets.csv");
    static WRITTEN: OnceLock<PathBuf> = OnceLock::new();
    WRITTEN.get_or_init(|| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("software_presets.csv");
        let pmus = counterpoint::pmu::all().map(|pmu| format!("CPU,{}\n", pmu.name));
        let text: String = pmus.chain([PRESETS.to_owned()]).collect();
        std::fs::write(&file, text).expect("a file");
        file
    })
}

/// Runs a program with the libraries of a folder in front, without the component that Debian's PAPI does not have.
pub(crate) fn run(program: &Path, arguments: &[&str], libraries: &Path) -> Output {
    let mut command = Command::new(program);
    command.env("PAPI_DISABLE_COMPONENTS", "rapl").env("PAPI_CSV_EVENT_FILE", presets());
    command.args(arguments).env("LD_LIBRARY_PATH", libraries).output().expect("it starts")
}

/// Its standard output.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns true if a program is there.
pub(crate) fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// A file of this package.
pub(crate) fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compiles a program with the headers of a folder, for PAPI 7.0 as the system's are, or with the system's; the path of the program.
pub(crate) fn compile(
    compiler: &str,
    source: &Path,
    headers: Option<&Path>,
    name: &str,
) -> PathBuf {
    compile_for(compiler, source, headers, 0, name)
}

/// Compiles a program for a release 7.x.
pub(crate) fn compile_for(
    compiler: &str,
    source: &Path,
    headers: Option<&Path>,
    minor: u32,
    name: &str,
) -> PathBuf {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Werror", "-O1", "-o"]).arg(&program).arg(source);
    if let Some(headers) = headers {
        command.arg("-I").arg(headers).arg(format!("-DPAPI_HEADER_MINOR={minor}"));
    }
    command.arg("-L").arg(ours()).args(["-l:libpapi.so.7.0", "-lpthread"]);
    let output = command.output().expect("the compiler starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}
