//! Programs in other languages: those of `examples`, over what `cargo xtask capi` installs.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use super::*;

const OWN: &str = env!("CARGO_MANIFEST_DIR");

/// The folder in which the library is installed.
static PREFIX: LazyLock<PathBuf> = LazyLock::new(|| {
    let prefix = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("counterpoint-prefix");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["xtask", "capi", "--install"]).arg(&prefix).args([
        "--debug",
        "counterpoint",
        "pfm",
    ]);
    run(cargo.current_dir(OWN));
    prefix
});

fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let Output { status, stdout, stderr } = &output;
    let (said, errors) = (String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr));
    assert!(status.success(), "{command:?}: {status}\n{said}{errors}");
    said.into_owned()
}

fn example(name: &str) -> PathBuf {
    Path::new(OWN).join("../../examples").join(name)
}

/// Returns true if there is such a program; if not, that is said.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: needs {program}");
    }
    found
}

/// A program that finds the library.
fn with_library(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", PREFIX.join("lib"));
    command
}

/// Checks that the lines are those of the events of the examples: a number, or the reason why there is none.
fn check_lines(said: &str) {
    let lines: Vec<&str> = said.lines().collect();
    let [clock, faults, cycles] = lines[..] else { panic!("{said}") };
    let number = |line: &str| -> f64 {
        let number = line.split_whitespace().nth(1).expect("a number");
        number.parse().expect("a number")
    };
    assert!(clock.starts_with("task-clock ") && clock.ends_with(" ns"), "{said}");
    assert!(number(clock) > 0.0, "{said}");
    assert!(faults.starts_with("page-faults ") && number(faults) >= 0.0, "{said}");
    // If no counter counts it, the reason stands in the place of a number.
    assert!(cycles.starts_with("cycles"), "{said}");
    assert!(cycles.starts_with("cycles: ") || cycles.len() > "cycles 0".len(), "{said}");
}

#[test]
fn a_c_program_counts_and_writes_regions() {
    if !has("gcc") || !has("pkg-config") {
        return;
    }
    let mut config = Command::new("pkg-config");
    config.env("PKG_CONFIG_PATH", PREFIX.join("lib/pkgconfig"));
    let flags = run(config.args(["--cflags", "--libs", "counterpoint"]));
    let [program, report, trace] = ["count-c", "count-c.json", "trace-c.json"].map(file);
    for standard in ["-std=c99", "-std=c11"] {
        let mut gcc = Command::new("gcc");
        gcc.args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror"]).arg(example("c/count.c"));
        run(gcc.args(flags.split_whitespace()).arg("-o").arg(&program));
    }
    let mut count = with_library(&program);
    check_lines(&run(count.args(["task-clock,page-faults,cycles"]).args([&report, &trace])));
    check_regions(&report, &trace);
    let refused = with_library(&program).arg("page-fautls").output().expect("it starts");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("page-faults"), "{said}");
    // The static library does the same.
    let mut gcc = Command::new("gcc");
    gcc.arg(example("c/count.c")).arg(format!("-I{}", PREFIX.join("include").display()));
    gcc.arg(PREFIX.join("lib/libcounterpoint.a")).args(["-lpthread", "-ldl", "-lm"]);
    run(gcc.arg("-o").arg(&program));
    check_lines(&run(&mut Command::new(&program)));
}

/// Checks the report and the trace of the three visits of a region.
fn check_regions(report: &Path, trace: &Path) {
    let written = std::fs::read_to_string(report).expect("the program writes it");
    assert!(written.contains("\"region\":\"work\",\"calls\":3"), "{written}");
    let written = std::fs::read_to_string(trace).expect("the program writes it");
    let trace: serde_json::Value = serde_json::from_str(&written).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a trace");
    let visits = events.iter().filter(|of| of["name"] == "work" && of["ph"] == "X");
    assert_eq!(visits.count(), 3, "{trace}");
}

/// A program of these sources over the module `counterpoint`.
fn fortran(name: &str, sources: &[&Path]) -> PathBuf {
    let (program, modules) = (file(name), file(&format!("{name}-modules")));
    std::fs::create_dir_all(&modules).expect("it is made");
    let mut gfortran = Command::new("gfortran");
    gfortran.args(["-std=f2008", "-Wall", "-Werror"]).arg("-J").arg(&modules);
    gfortran.arg(PREFIX.join("include/counterpoint.f90")).args(sources);
    gfortran.arg(format!("-L{}", PREFIX.join("lib").display())).arg("-lcounterpoint");
    run(gfortran.arg("-o").arg(&program));
    program
}

/// Runs a program with markers; the lines of the report for the whole region.
fn marked(program: &Path) -> Vec<String> {
    let report = file("markers.jsonl");
    let mut command = with_library(program);
    command.env("PAPI_EVENTS", "page-faults,task-clock").env("LIKWID_FILEPATH", &report);
    run(&mut command);
    let written = std::fs::read_to_string(&report).expect("the program writes it");
    let of_region = |line: &&str| line.contains("\"region\":\"solve\"");
    let whole = written.lines().filter(of_region).filter(|line| !line.contains("\"thread\":"));
    whole.map(str::to_string).collect()
}

#[test]
fn markers_of_likwid_are_regions() {
    let include = PREFIX.join("include");
    let source = Path::new(OWN).join("tests/likwid/markers.c");
    let compile = |compiler: &str, flags: &[&str], name: &str| {
        let program = file(name);
        let mut command = Command::new(compiler);
        command.args(["-Wall", "-Wextra", "-Werror"]).args(flags).arg("-I").arg(&include);
        command.arg("-I").arg(include.join("likwid")).arg(&source).arg("-o").arg(&program);
        command.arg(format!("-L{}", PREFIX.join("lib").display()));
        run(command.args(["-lcounterpoint", "-lpthread"]));
        program
    };
    for (compiler, flags) in
        [("gcc", &["-std=c99", "-pedantic"][..]), ("g++", &["-x", "c++", "-std=c++11"])]
    {
        if !has(compiler) {
            continue;
        }
        // As for likwid, the markers are nothing without the macro.
        compile(compiler, flags, "markers-none");
        let flags = [flags, &["-DLIKWID_PERFMON"]].concat();
        let lines = marked(&compile(compiler, &flags, "markers"));
        let [faults, clock, wall] = &lines[..] else { panic!("{lines:?}") };
        assert!(faults.contains("\"calls\":2") && faults.contains("page-faults"), "{faults}");
        let value = faults.split("\"value\":").nth(1).and_then(|rest| rest.split(',').next());
        let value: u64 = value.and_then(|value| value.parse().ok()).expect("a number");
        // Two threads have touched four MiB each; pages may be huge ones.
        assert!(value >= 4, "{faults}");
        assert!(clock.contains("task-clock"), "{clock}");
        assert!(wall.contains("duration_time"), "{wall}");
    }
}

#[test]
fn markers_of_likwid_in_fortran_are_regions() {
    if !has("gfortran") {
        return;
    }
    let markers = Path::new(OWN).join("tests/likwid/markers.f90");
    let likwid = PREFIX.join("include/likwid/likwid.f90");
    let lines = marked(&fortran("markers-fortran", &[&likwid, &markers]));
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("\"calls\":1"), "{lines:?}");
}

/// A client of libpfm4 as those of the world are: it includes this header alone, in strict C++ and C, and opens the event.
const CLIENT: &str = r#"
#include <perfmon/pfmlib_perf_event.h>
#include <counterpoint.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    struct perf_event_attr attr;
    pfm_perf_encode_arg_t arg;
    uint64_t count = 0;
    int fd;
    memset(&attr, 0, sizeof attr);
    memset(&arg, 0, sizeof arg);
    arg.attr = &attr;
    arg.size = sizeof arg;
    if (pfm_initialize() != PFM_SUCCESS) return 1;
    if (pfm_get_os_event_encoding("perf::PAGE-FAULTS", PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS) return 2;
    fd = perf_event_open(&attr, 0, -1, -1, 0);
    if (fd >= 0 && (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0 || read(fd, &count, sizeof count) != sizeof count)) return 3;
    if (prctl(PR_TASK_PERF_EVENTS_DISABLE) != 0) return 4;
    printf("%s of %" PRIu64 "\n", counterpoint_version(), count);
    return 0;
}
"#;

#[test]
fn two_static_libraries_are_in_one_program() {
    if !has("gcc") || !has("g++") {
        return;
    }
    let (source, program) = (file("both.c"), file("both"));
    std::fs::write(&source, CLIENT).expect("it is written");
    let libraries = ["counterpoint", "pfm"].map(|name| PREFIX.join(format!("lib/lib{name}.a")));
    let [one, other] = &libraries;
    for (compiler, language, standard, order) in [
        ("gcc", "c", "-std=gnu99", [one, other]),
        ("gcc", "c", "-std=c11", [other, one]),
        ("g++", "c++", "-std=c++11", [one, other]),
    ] {
        let mut build = Command::new(compiler);
        build.args([standard, "-Wall", "-Wextra", "-Werror", "-x", language]).arg(&source);
        build.arg(format!("-I{}", PREFIX.join("include").display())).args(["-x", "none"]);
        run(build.args(order).args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program));
        let said = run(&mut Command::new(&program));
        assert!(said.contains(" of "), "{compiler} {standard}: {said}");
    }
    // Nothing but their functions can be seen.
    let seen = run(Command::new("nm").args(["-g", "--defined-only", "-P"]).args(&libraries));
    let names = seen.lines().filter(|line| line.contains(' ')).map(|line| line.split(' ').next());
    let strange: Vec<&str> = names
        .flatten()
        .filter(|name| !["counterpoint_", "pfm_"].iter().any(|begin| name.starts_with(begin)))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
}

#[test]
fn the_header_is_one_of_cpp_too() {
    if !has("g++") {
        return;
    }
    let mut gcc = Command::new("g++");
    gcc.args(["-std=c++11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-xc++"]);
    run(gcc.arg(Path::new(OWN).join("include/counterpoint.h")));
}

#[test]
fn a_fortran_program_counts() {
    if !has("gfortran") {
        return;
    }
    let program = fortran("count-fortran", &[&example("fortran/count.f90")]);
    let [report, trace] = ["count-fortran.json", "trace-fortran.json"].map(file);
    check_lines(&run(with_library(&program).args([&report, &trace])));
    check_regions(&report, &trace);
}

#[test]
fn a_python_program_counts() {
    if !has("python3") {
        return;
    }
    check_lines(&run(with_library("python3").arg(example("python/count.py"))));
    let refused =
        with_library("python3").arg(example("python/count.py")).arg("page-fautls").output();
    let refused = refused.expect("it starts");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("page-faults"), "{said}");
}

#[test]
fn cmake_finds_the_library() {
    if !has("cmake") {
        return;
    }
    let folder = file("cmake");
    std::fs::create_dir_all(&folder).expect("it is made");
    let source = example("c/count.c");
    let lists = format!(
        "cmake_minimum_required(VERSION 3.10)\nproject(count C)\nfind_package(counterpoint 0.1 REQUIRED)\n\
         add_executable(count {})\ntarget_link_libraries(count counterpoint::counterpoint)\n",
        source.canonicalize().expect("it is there").display()
    );
    std::fs::write(folder.join("CMakeLists.txt"), lists).expect("it is written");
    let mut cmake = Command::new("cmake");
    cmake.arg("-S").arg(&folder).arg("-B").arg(folder.join("build"));
    run(cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", PREFIX.display())));
    run(Command::new("cmake").arg("--build").arg(folder.join("build")));
    check_lines(&run(&mut with_library(folder.join("build/count"))));
}

#[test]
fn cmake_is_told_the_version() {
    let folder = PREFIX.join("lib/cmake/counterpoint");
    let version = std::fs::read_to_string(folder.join("counterpoint-config-version.cmake"));
    let line = format!("set(PACKAGE_VERSION \"{}\")", env!("CARGO_PKG_VERSION"));
    assert!(version.expect("it is installed").contains(&line), "{line}");
}

/// The functions of the header and of the Fortran module are those of the library.
#[test]
fn every_function_is_declared() {
    let read = |path: &str| std::fs::read_to_string(Path::new(OWN).join(path)).expect(path);
    let exports = read("src/exports.rs");
    let names = exports.split("extern \"C\" fn ").skip(1);
    let names: Vec<&str> = names.filter_map(|rest| rest.split('(').next()).collect();
    assert_eq!(names.len(), 15);
    let (header, fortran) = (read("include/counterpoint.h"), read("fortran/counterpoint.f90"));
    for name in names {
        assert!(header.contains(&format!("{name}(")), "{name}");
        assert!(fortran.contains(&format!("end function {name}")), "{name}");
    }
}
