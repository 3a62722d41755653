//! `counterpoint annotate` and `counterpoint profile --annotate`: a program whose hot line is known, beside perf.

use crate::schema::check;
use crate::symbols::folder;
use crate::{has_tools, objects, run, stderr, stdout};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Divides, which takes longer than anything around it, in line 12 of `hot`, and in the header's line 3.
const PROGRAM: &str = r#"#include "mix.h"
#include <stdlib.h>
volatile unsigned long sink;
unsigned long shared(unsigned long n);
static __attribute__((noinline)) unsigned long same(unsigned long n) {
    for (unsigned long i = 0; i < n; i++) sink = sink * 33 + i;
    return sink;
}
__attribute__((noinline)) unsigned long hot(unsigned long n) {
    unsigned long sum = n;
    for (unsigned long i = 1; i <= n; i++) {
        sum += (sum << 20) % (i + 12345) % (i + 23456) % (i + 34567);
	sum ^= mix(sum, i);
    }
    return sum;
}
int main(int argc, char **argv) {
    for (long i = 0; i < atol(argv[1]); i++) sink += hot(10000) + same(10000) + shared(10000);
    return 0;
}
"#;

const HEADER: &str = r#"static inline __attribute__((always_inline))
unsigned long mix(unsigned long x, unsigned long i) {
    return x % (i + 54321);
}
"#;

const LIBRARY: &str = r#"static volatile unsigned long sink;
static __attribute__((noinline)) unsigned long same(unsigned long n) {
    for (unsigned long i = 0; i < n; i++) sink = sink * 31 + i;
    return sink;
}
unsigned long shared(unsigned long n) { return same(n); }
"#;

/// The folder of the program, and a recording of it.
fn recorded(name: &str, flags: &[&str]) -> Option<(PathBuf, String)> {
    if !has_tools(&["gcc"]) {
        return None;
    }
    let folder = folder(&format!("annotate-{name}"));
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    file("program.c", PROGRAM);
    file("mix.h", HEADER);
    file("library.c", LIBRARY);
    let gcc = |arguments: &[&str]| {
        let mut gcc = Command::new("gcc");
        gcc.arg("-O1").args(flags).args(arguments).current_dir(&folder);
        assert!(gcc.status().unwrap().success(), "{gcc:?}");
    };
    gcc(&["-shared", "-fPIC", "-o", "libsame.so", "library.c"]);
    gcc(&["-o", "program", "program.c", "-L.", "-lsame", "-Wl,-rpath,$ORIGIN"]);
    let path = folder.join("run.perf").display().to_string();
    let program = folder.join("program").display().to_string();
    let options = ["profile", "-e", "task-clock:u", "--format", "perf", "-o", &path];
    let output = run(&[&options[..], &["--", &program, "2000"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    Some((folder, path))
}

fn annotated(arguments: &[&str]) -> Vec<Value> {
    let output = run(&[&["annotate", "--format", "json"], arguments].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    check("annotate", &stdout(&output), &stderr(&output));
    objects(&output)
}

/// The percentages of the lines of a file.
fn share(of: &Value, file: &str, line: u64) -> f64 {
    let lines = of["lines"].as_array().unwrap().iter();
    let is_it = |of: &&Value| of["file"].as_str().unwrap().ends_with(file) && of["line"] == line;
    lines.filter(is_it).map(|of| of["percent"].as_f64().unwrap()).sum()
}

#[test]
fn the_hot_line_and_its_instructions_have_the_samples() {
    let Some((_, path)) = recorded("lines", &["-g"]) else { return };
    let [of] = &annotated(&["hot", &path])[..] else { panic!("one function") };
    let count = of["count"].as_u64().unwrap();
    assert!(count > 100, "{of}");
    // The sample of a division is often taken at the instruction after it, which is of the line that calls `mix`.
    let inlined = share(of, "mix.h", 3) + share(of, "program.c", 13);
    let divisions = share(of, "program.c", 12);
    assert!(divisions + inlined > 80.0, "{of}");
    assert!(divisions > 40.0 && divisions > 1.5 * inlined && inlined > 1.0, "{of}");
    let sum = |key: &str| -> u64 {
        of[key].as_array().unwrap().iter().map(|of| of["count"].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("lines"), sum("instructions")), (count, count));
    let all = run(&["report", &path, "--format", "json"]);
    assert_eq!(crate::profile::count(&objects(&all)[0], "hot"), count as f64);

    let table = stdout(&run(&["annotate", "hot", &path]));
    let hot = table.lines().find(|line| line.contains("% (i + 12345)")).unwrap();
    assert!(hot.starts_with('>') && hot.contains('±') && hot.contains("  12  "), "{table}");
    assert!(table.contains("mix.h") && table.contains("unsigned long sum = n;"), "{table}");
    assert!(table.contains("  13          sum ^= mix(sum, i);"), "a tab is spaces: {table}");
    assert!(table.contains("task-clock:u: ") && table.contains("  instruction"), "{table}");
    let only = |option: &str| stdout(&run(&["annotate", option, "hot", &path]));
    assert!(!only("--source").contains("  instruction") && !only("--asm").contains("sum = n;"));
}

#[test]
fn instructions_have_the_shares_of_perf_annotate() {
    if !has_tools(&["perf", "objdump"]) {
        return;
    }
    let Some((_, path)) = recorded("perf", &["-g"]) else { return };
    let [of] = &annotated(&["--asm", "hot", &path])[..] else { panic!("one function") };
    let mut perf = Command::new("perf");
    let output = perf.args(["annotate", "--stdio", "-s", "hot", "-i", &path]).output().unwrap();
    let text = stdout(&output);
    // `12.34 :   11e8:   lea …`
    let row = |line: &str| {
        let mut fields = line.split(':').map(str::trim);
        let share: f64 = fields.next()?.parse().ok()?;
        Some((u64::from_str_radix(fields.next()?, 16).ok()?, share))
    };
    let of_perf: Vec<(u64, f64)> = text.lines().filter_map(row).collect();
    assert!(of_perf.len() > 5, "{text}{}", stderr(&output));
    for (address, expected) in of_perf {
        let instructions = of["instructions"].as_array().unwrap();
        let is_it = |of: &&Value| of["address"] == format!("{address:#x}");
        let ours = instructions.iter().find(is_it).unwrap_or_else(|| panic!("{address:#x}: {of}"));
        let percent = ours["percent"].as_f64().unwrap();
        assert!((percent - expected).abs() < 0.006, "{ours} and {expected}");
    }
}

#[test]
fn functions_of_one_name_are_shown_with_their_files() {
    let Some((_, path)) = recorded("same", &["-g"]) else { return };
    let functions = annotated(&["same", &path]);
    let mut modules: Vec<&str> =
        functions.iter().map(|of| of["module"].as_str().unwrap()).collect();
    modules.sort_unstable();
    let [library, program] = modules[..] else { panic!("{modules:?}") };
    assert!(library.ends_with("libsame.so") && program.ends_with("program"), "{modules:?}");
    for of in &functions {
        let module = of["module"].as_str().unwrap();
        let file = if module.ends_with(".so") { "library.c" } else { "program.c" };
        let lines = of["lines"].as_array().unwrap();
        let all = lines.iter().all(|line| line["file"].as_str().unwrap().ends_with(file));
        assert!(all && !lines.is_empty(), "{of}");
    }
}

#[test]
fn functions_of_other_languages_are_found_without_their_parameters() {
    if !has_tools(&["g++"]) {
        return;
    }
    let folder = folder("annotate-cpp");
    let (source, program) = (folder.join("program.cpp"), folder.join("program"));
    let text = "namespace app { volatile long sink; \n\
        __attribute__((noinline)) void add(long n) { for (long i = 0; i < n; i++) sink += i; }\n\
        __attribute__((noinline)) void add(char n) { for (long i = 0; i < n; i++) sink -= i; } }\n\
        int main() { app::add('a'); app::add(100000000L); }\n";
    std::fs::write(&source, text).unwrap();
    let mut gcc = Command::new("g++");
    gcc.args(["-g", "-O1", "-o"]).args([&program, &source]);
    assert!(gcc.status().unwrap().success(), "{gcc:?}");
    let path = folder.join("run.perf").display().to_string();
    let options = ["profile", "-e", "task-clock:u", "--format", "perf", "-o", &path, "--"];
    let output = run(&[&options[..], &[program.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for name in ["app::add", "app::add(long)", "add", "p::ad"] {
        let [of] = &annotated(&[name, &path])[..] else { panic!("{name}") };
        assert_eq!(of["function"], "app::add(long)");
    }
    let near = run(&["annotate", "app::ad_", &path]);
    assert!(stderr(&near).contains("did you mean `app::add`"), "{}", stderr(&near));
}

#[test]
fn what_is_missing_is_said() {
    let Some((folder, path)) = recorded("plain", &[]) else { return };
    let table = stdout(&run(&["annotate", "--source", "hot", &path]));
    assert!(table.contains("no debug information of lines"), "{table}");
    assert!(table.contains("  instruction"), "what there is, is shown: {table}");
    let unknown = run(&["annotate", "hat", &path]);
    assert_eq!(unknown.status.code(), Some(2));
    let text = stderr(&unknown);
    assert!(text.contains("no sample is in a function `hat`"), "{text}");
    assert!(text.contains("did you mean `hot`"), "{text}");
    let text = stderr(&run(&["annotate", "entirely_different", &path]));
    assert!(text.contains("most samples are in `") && text.contains("`hot`"), "{text}");
    std::fs::remove_file(folder.join("program")).unwrap();
    assert_eq!(run(&["annotate", "hot", &path]).status.code(), Some(2), "a name needs its file");

    let Some((folder, path)) = recorded("moved", &["-g"]) else { return };
    std::fs::remove_file(folder.join("program.c")).unwrap();
    let table = stdout(&run(&["annotate", "hot", &path]));
    assert!(table.contains("program.c is not shown: it is not on this machine"), "{table}");
    assert!(table.contains("mix.h") && table.contains("  instruction"), "{table}");
}

#[test]
fn a_running_profile_is_annotated() {
    let Some((folder, _)) = recorded("live", &["-g"]) else { return };
    let program = folder.join("program").display().to_string();
    let live = |options: &[&str]| {
        let options = [&["profile", "-e", "task-clock:u", "--annotate", "hot"], options].concat();
        run(&[&options[..], &["--", &program, "300"]].concat())
    };
    let output = live(&["--format", "json"]);
    check("annotate", &stdout(&output), &stderr(&output));
    assert!(share(&objects(&output)[0], "program.c", 12) > 40.0, "{}", stdout(&output));
    assert!(stderr(&live(&[])).contains("  instruction"));
    let refused = live(&["--format", "svg"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--annotate is for"), "{}", stderr(&refused));
}
