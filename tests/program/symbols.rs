//! The names of `counterpoint profile`, at addresses that a breakpoint chooses.

use crate::{counterpoint, has_tools, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

/// A folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbols").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A program at fixed addresses, in a folder of its own.
pub(crate) fn built(name: &str, source: &str, flags: &[&str]) -> PathBuf {
    let folder = folder(name);
    let program = folder.join("program");
    let code = folder.join("program.c");
    std::fs::write(&code, source).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-fno-builtin", "-no-pie"]).args(flags).arg("-o").args([&program, &code]);
    assert!(gcc.status().unwrap().success(), "{gcc:?}");
    program
}

/// The output of a tool of binutils.
pub(crate) fn printed(tool: &str, arguments: &[&str], program: &Path) -> String {
    let output = Command::new(tool).args(arguments).arg(program).output().unwrap();
    assert!(output.status.success(), "{tool}: {}", stderr(&output));
    stdout(&output)
}

/// The output of a command that has a hardware breakpoint, one command at a time, once it is as it should be: some virtual
/// machines lose hits of breakpoints, and give a process those of another; perf shows the same there.
pub(crate) fn run_with_breakpoint(
    command: &mut Command,
    is_whole: impl Fn(&Output) -> bool,
) -> Output {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut output = command.output().unwrap();
    for _ in 0..9 {
        if is_whole(&output) {
            break;
        }
        output = command.output().unwrap();
    }
    output
}

/// Returns true if a profile in JSON has ten samples, all of one function, which is called ten times.
pub(crate) fn has_ten_samples(output: &Output) -> bool {
    let shown = stdout(output);
    shown.contains(r#""samples":10,"#) && shown.contains(r#""count":10,"#)
}

/// The profile of a breakpoint at an address, with a sample each time.
fn at(address: u64, options: &[&str], program: &Path) -> Value {
    let event = format!("mem:{address:#x}:x:u");
    let mut all = vec!["profile", "--format", "json", "-c", "1", "-e", &event];
    all.extend(options);
    all.extend(["--", program.to_str().unwrap()]);
    let output = run_with_breakpoint(&mut counterpoint(&all), has_ten_samples);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The name of the function at an address at which the program calls it ten times.
pub(crate) fn name_at(address: u64, program: &Path) -> String {
    let profile = at(address, &["--scale", "131072"], program);
    let function = &profile["functions"][0];
    assert_eq!(function["count"], 10, "{profile}");
    function["function"].as_str().unwrap().to_string()
}

/// The symbols of a program with their addresses, as nm lists them.
fn nm(program: &Path) -> Vec<(String, u64)> {
    let listed = printed("nm", &["--defined-only"], program);
    let symbol = |line: &str| {
        let mut words = line.split(' ');
        let address = u64::from_str_radix(words.next()?, 16).ok()?;
        Some((words.nth(1)?.to_string(), address))
    };
    listed.lines().filter_map(symbol).collect()
}

pub(crate) fn address_of(function: &str, program: &Path) -> u64 {
    nm(program).into_iter().find(|(name, _)| name == function).unwrap().1
}

/// Returns true if this machine has hardware breakpoints; otherwise says so.
pub(crate) fn has_breakpoints(program: &Path) -> bool {
    let event = format!("mem:{:#x}:x:u", address_of("main", program));
    let arguments = ["profile", "-c", "1", "-e", &event, "--", program.to_str().unwrap()];
    let output = run_with_breakpoint(&mut counterpoint(&arguments), |_| true);
    if !output.status.success() {
        println!("skipped: no breakpoints: {}", stderr(&output));
    }
    output.status.success()
}

/// Names of C functions that a demangler reads as types and other parts of mangled names.
#[test]
fn functions_of_c_keep_their_names() {
    if !has_tools(&["gcc", "nm", "objcopy", "objdump"]) {
        return;
    }
    const NAMES: [&str; 6] = ["f", "i", "d", "v", "St", "Pc"];
    let define =
        |name: &str| format!("__attribute__((noinline)) void {name}(void) {{ sink++; }}\n");
    let functions: String = NAMES.iter().map(|name| define(name)).collect();
    let calls: String = NAMES.iter().map(|name| format!("{name}(); ")).collect();
    let main =
        format!("int main(void) {{ for (int n = 0; n < 10; n++) {{ {calls}}} return 0; }}\n");
    let program = built("c", &format!("volatile int sink;\n{functions}{main}"), &[]);
    if !has_breakpoints(&program) {
        return;
    }
    for name in NAMES {
        assert_eq!(name_at(address_of(name, &program), &program), name);
    }
}

/// The stubs of a section with their addresses, as objdump names them.
fn stubs(section: &str, program: &Path) -> Vec<(String, u64)> {
    let arguments = ["-d", "-j", section];
    let output = Command::new("objdump").args(arguments).arg(program).output().unwrap();
    let line = |line: &str| {
        let (address, name) = line.split_once(" <")?;
        let name = name.strip_suffix(">:").filter(|name| name.ends_with("@plt"))?;
        Some((name.to_string(), u64::from_str_radix(address, 16).ok()?))
    };
    stdout(&output).lines().filter_map(line).collect()
}

/// Stubs have the names of the functions that they call, in each of the sections that linkers make.
#[test]
fn stubs_of_libraries_have_the_names_of_their_functions() {
    if !has_tools(&["gcc", "nm", "objcopy", "objdump"]) {
        return;
    }
    const CALLS: &str = r#"
#include <string.h>
#include <unistd.h>
volatile long sink;
size_t (*volatile held)(const char *);
int main(int argc, char **argv) {
    held = strlen;
    for (int n = 0; n < 10; n++) {
        sink += strlen(argv[0]);
        sink += getppid();
        sink += strcmp(argv[0], "program");
        asm volatile("" ::: "memory");
    }
    return 0;
}
"#;
    let kinds: [(&str, &[&str], &str); 3] = [
        ("lazy", &["-z", "lazy"], ".plt"),
        ("got", &["-z", "now", "-fPIC"], ".plt.got"),
        ("landing-pads", &["-z", "now", "-fcf-protection=full", "-Wl,-z,ibtplt"], ".plt.sec"),
    ];
    for (kind, flags, section) in kinds {
        let program = built(kind, CALLS, flags);
        if cfg!(not(target_arch = "x86_64")) || !has_breakpoints(&program) {
            return println!("skipped: not an x86-64 machine with breakpoints");
        }
        let stubs = stubs(section, &program);
        assert!(!stubs.is_empty(), "{kind}: the linker makes no {section}");
        for (name, address) in stubs {
            assert_eq!(name_at(address, &program), name, "{kind}");
        }
    }
}

/// Code without a size reaches to the next function of its own section, and code without a name has none.
#[test]
fn a_function_without_a_size_ends_with_its_section() {
    if !has_tools(&["gcc", "nm", "objcopy", "objdump"]) {
        return;
    }
    const ASSEMBLY: &str = r#"
asm(".section .first,\"ax\",@progbits\n"
    "sizeless:\n nop\n inside:\n ret\n"
    ".section .second,\"ax\",@progbits\n"
    ".type hidden, @function\n .globl hidden\n"
    "hidden:\n nop\n ret\n");
void hidden(void);
void sizeless(void);
int main(void) {
    for (int n = 0; n < 10; n++) {
        asm volatile("call sizeless" ::: "memory");
        asm volatile("call hidden" ::: "memory");
    }
    return 0;
}
"#;
    if cfg!(not(target_arch = "x86_64")) {
        return println!("skipped: the assembly is that of x86-64");
    }
    let program = built("sizeless", ASSEMBLY, &["-mno-red-zone"]);
    if !has_breakpoints(&program) {
        return;
    }
    let (sizeless, inside) = (address_of("sizeless", &program), address_of("inside", &program));
    let hidden = address_of("hidden", &program);
    for (address, name) in [(sizeless, "sizeless"), (inside, "inside"), (hidden + 1, "hidden")] {
        assert_eq!(name_at(address, &program), name);
    }
    let removed = ["--strip-symbol=hidden"];
    printed("objcopy", &removed, &program);
    assert_eq!(name_at(hidden, &program), "[unknown]");
}

/// A bucket that several functions share is not given to the first of them, in any format.
#[test]
fn a_bucket_of_several_functions_names_all_of_them() {
    if !has_tools(&["gcc", "nm", "objcopy", "objdump"]) {
        return;
    }
    const SMALL: &str = r#"
volatile int sink;
__attribute__((noinline, aligned(64))) void first(void) { sink++; }
__attribute__((noinline)) void second(void) { sink--; }
int main(void) { for (int n = 0; n < 10; n++) { first(); second(); } return 0; }
"#;
    let program = built("shared", SMALL, &["-g"]);
    if !has_breakpoints(&program) {
        return;
    }
    let (first, second) = (address_of("first", &program), address_of("second", &program));
    assert!(second - first < 64, "both in one bucket of 64 addresses");
    let profile = at(second, &["--scale", "2048"], &program);
    let function = &profile["functions"][0];
    let names: Vec<&str> = function["functions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["first", "second"], "{profile}");
    assert_eq!(function["count"], 10);
    assert_eq!((&function["start"], &function["end"]), (&hex(first), &hex(first + 64)));
    let label = function["function"].as_str().unwrap();
    assert!(label.starts_with(&format!("[{first:#x}-{:#x}: first, second", first + 64)), "{label}");
    assert_eq!(profile["symbols"][format!("{first:#x}")]["functions"], function["functions"]);
    assert_eq!(profile["lines"], Value::Array(Vec::new()), "{profile}");

    let event = format!("mem:{second:#x}:x:u");
    let path = program.to_str().unwrap();
    let of = |format, is_whole: &dyn Fn(&Output) -> bool| {
        let options = ["profile", "--scale", "2048", "--format", format, "-c", "1", "-e", &event];
        run_with_breakpoint(&mut counterpoint(&[&options[..], &["--", path]].concat()), is_whole)
    };
    let table = of("table", &|output| stderr(output).contains("10 samples"));
    assert!(stderr(&table).contains(label), "{}", stderr(&table));
    let folded = format!("{label} 10\n");
    assert_eq!(stdout(&of("folded", &|output| stdout(output) == folded)), folded);
    let svg = of("svg", &|output| stdout(output).contains(label));
    assert!(stdout(&svg).contains(label), "{}", stdout(&svg));
    // Bytes are not mixed with the output of the command.
    let bytes = |format: &str, is_whole: &dyn Fn(&Output) -> bool| {
        let file = std::env::temp_dir()
            .join(format!("counterpoint-shared-{}.{format}", std::process::id()));
        let options = ["profile", "--scale", "2048", "--format", format, "-c", "1", "-e", &event];
        let arguments = [&options[..], &["-o", file.to_str().unwrap(), "--", path]].concat();
        let output = run_with_breakpoint(&mut counterpoint(&arguments), is_whole);
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        (output, bytes)
    };
    let pprof = crate::profile::unpacked(&bytes("pprof", &|_| true).1);
    assert!(String::from_utf8_lossy(&pprof).contains(label));
    let warning = "buckets that several functions share have 10 of the 10 samples in the file; gprof divides them";
    let gmon = bytes("gmon", &|output| stderr(output).contains("of the 10 samples")).0;
    assert!(stderr(&gmon).contains(warning), "{}", stderr(&gmon));

    // The usual buckets are of one function, with its line.
    let fine = at(second, &[], &program);
    assert_eq!(fine["functions"][0]["function"], "second");
    assert_eq!((&fine["lines"][0]["line"], &fine["lines"][0]["last_line"]), (&4.into(), &4.into()));
}

fn hex(address: u64) -> Value {
    format!("{address:#x}").into()
}
