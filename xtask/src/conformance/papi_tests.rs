//! PAPI's own tests, compiled from its source with our headers, and run over our library and over the system's.

use crate::capi;
use crate::project::{root, target};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Presets of the kernel's own events, for machines without counters. PAPI's tests ask for these.
const PRESETS: &str = include_str!("../../../fixtures/definitions/software_presets.csv");

/// The time that a test may take: some count for a minute on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Helpers of the tests, which are no tests.
const HELPERS: [&str; 4] = ["prof_utils", "burn", "attach_target", "filter_helgrind"];

/// Compiles and runs the tests; as many must pass over our library as over the system's, or more.
pub fn compare(source: &Path) -> Result<(), String> {
    let tests = [source.to_path_buf(), source.join("src")];
    let tests = tests.into_iter().find(|folder| folder.join("ctests").is_dir());
    let tests = tests.ok_or_else(|| format!("{}: no folder ctests", source.display()))?;
    let folder = target().join("conformance-papi");
    drop(fs::remove_dir_all(folder.join("tests")));
    fs::create_dir_all(folder.join("tests")).map_err(|e| format!("{}: {e}", folder.display()))?;
    capi::install_names(&folder, &["papi", "pfm"])?;
    // The system's library knows the processor by our libpfm.so.4.
    let system = folder.join("system");
    fs::create_dir_all(&system).map_err(|error| error.to_string())?;
    fs::copy(folder.join("lib/libpfm.so.4"), system.join("libpfm.so.4"))
        .map_err(|error| error.to_string())?;
    let presets = folder.join("presets.csv");
    let pmus = counterpoint_pmu::all().map(|pmu| format!("CPU,{}\n", pmu.name));
    fs::write(&presets, pmus.chain([PRESETS.to_owned()]).collect::<String>())
        .map_err(|error| error.to_string())?;
    let programs = compile(&tests, &folder)?;
    println!("{} of PAPI's tests compiled", programs.len());
    let [mut ours, mut theirs] = [0, 0];
    for program in &programs {
        let results = [folder.join("lib"), system.clone()].map(|lib| run(program, &lib, &presets));
        ours += usize::from(results[0] == "passed");
        theirs += usize::from(results[1] == "passed");
        if results[0] != results[1] {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            println!("{name:<28} {:<10} {:<10} over the system's PAPI", results[0], results[1]);
        }
    }
    println!("{ours} pass over libpapi.so.7 of this project, {theirs} over the system's");
    if ours >= theirs { Ok(()) } else { Err("fewer pass over this project's".to_owned()) }
}

/// The programs of all tests that compile.
fn compile(tests: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let include = root().join("crates/capi-papi/include");
    let minor = minor(tests)?;
    let gcc = |arguments: &[&Path], output: &Path| {
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-O1", "-fopenmp", "-fcommon", "-Wl,--allow-multiple-definition", "-I"]);
        gcc.arg(&include).arg(format!("-DPAPI_HEADER_MINOR={minor}"));
        for folder in ["testlib", "validation_tests", "ctests"] {
            gcc.arg("-I").arg(tests.join(folder));
        }
        gcc.args(arguments).arg("-o").arg(output).stderr(Stdio::null()).status()
    };
    let mut objects = Vec::new();
    let shared = ["test_utils", "do_loops", "clockcore"].map(|name| format!("testlib/{name}.c"));
    let testcode = sources(&tests.join("validation_tests"));
    let is_shared = |name: &str| {
        !name.starts_with("papi_") && !name.ends_with("_validation") && !name.contains("memleak")
    };
    let testcode = testcode.into_iter().filter(|(name, _)| is_shared(name)).map(|(_, path)| path);
    let shared = shared.map(|name| tests.join(name)).into_iter();
    for source in shared.chain([tests.join("ctests/prof_utils.c")]).chain(testcode) {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let object = folder.join(format!("tests/{name}.o"));
        let status = gcc(&[Path::new("-c"), &source], &object).map_err(|e| format!("gcc: {e}"))?;
        if status.success() {
            objects.push(object);
        }
    }
    let mut programs = Vec::new();
    for (name, source) in sources(&tests.join("ctests")) {
        let program = folder.join("tests").join(&name);
        let library = folder.join("lib/libpapi.so.7.0");
        let mut arguments: Vec<&Path> = vec![&source];
        arguments.extend(objects.iter().map(PathBuf::as_path));
        arguments.extend([library.as_path(), Path::new("-lm"), Path::new("-ldl")]);
        let is_compiled = gcc(&arguments, &program).is_ok_and(|status| status.success());
        if is_compiled && !HELPERS.contains(&name.as_str()) {
            programs.push(program);
        }
    }
    Ok(programs)
}

/// The release 7.x that the tests are of, by the header beside them.
fn minor(tests: &Path) -> Result<u32, String> {
    let header = tests.join("papi.h");
    let text = fs::read_to_string(&header).map_err(|e| format!("{}: {e}", header.display()))?;
    let version = text.split("PAPI_VERSION_NUMBER(7,").nth(1);
    let minor = version.and_then(|rest| rest.split(',').next()?.trim().parse().ok());
    minor.ok_or_else(|| format!("{}: it is not of PAPI 7", header.display()))
}

/// The C files of a folder, by their names.
fn sources(folder: &Path) -> BTreeMap<String, PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let sources = entries.filter(|path| path.extension().is_some_and(|ending| ending == "c"));
    let named = |path: PathBuf| Some((path.file_stem()?.to_str()?.to_owned(), path));
    sources.filter_map(named).collect()
}

/// The result of a test.
fn run(program: &Path, libraries: &Path, presets: &Path) -> &'static str {
    let output = program.with_extension("out");
    let Ok(file) = fs::File::create(&output) else { return "no file" };
    let mut command = Command::new(program);
    command.arg("TESTS_QUIET").env("LD_LIBRARY_PATH", libraries).stdin(Stdio::null());
    command.env("PAPI_CSV_EVENT_FILE", presets).stderr(Stdio::null()).stdout(file);
    // Tests start others of their folder, and have children that are ended with them.
    command.current_dir(program.parent().unwrap_or(Path::new("."))).process_group(0);
    let Ok(child) = command.spawn() else { return "not run" };
    if !wait(child) {
        return "too long";
    }
    let said = String::from_utf8_lossy(&fs::read(&output).unwrap_or_default()).into_owned();
    if said.contains("FAILED") {
        "failed"
    } else if said.contains("PASSED") {
        "passed"
    } else if said.contains("SKIPPED") {
        "skipped"
    } else {
        "no result"
    }
}

/// Waits for a test; one that takes too long is ended, and it is `false`.
fn wait(mut child: Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(_) => return false,
        }
    }
    let group = format!("-{}", child.id());
    // It may have ended by itself meanwhile.
    drop(Command::new("kill").args(["-9", "--", &group]).status());
    drop(child.wait());
    false
}
