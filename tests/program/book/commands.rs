//! The commands of the book: those of `console` blocks print what stands below them, and those of `sh` blocks succeed.

use super::{Block, blocks, pages, read};
use crate::probes::may_probe;
use crate::{access, counterpoint, has_tools, root, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The page whose commands need ranks; `mpi::every_command_of_the_chapter_works` runs them.
const RUN_BY_MPI: &str = "mpi.md";

/// The commands that print more for a user who may not count the kernel.
const COUNT_THE_KERNEL: [&str; 4] = [" stat ", " list page-faults", " show page-faults", " doctor"];

/// The command that another program answers.
const IN_ANOTHER_PROGRAM: &str = "query ";

/// The program that the pages measure: it divides, allocates, and has a second thread.
const SOLVE: &str = r#"#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
volatile unsigned long sink;
__attribute__((noinline)) unsigned long multiply(unsigned long n) {
    unsigned long sum = n;
    for (unsigned long i = 1; i <= n; i++)
        sum += (sum << 20) % (i + 12345);
    return sum;
}
static void *work(void *name) {
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < 100; i++) {
        char *block = malloc(1 << 20);
        for (int at = 0; at < 1 << 20; at += 4096) block[at] = 1;
        sink += multiply(20000) + block[4096];
        free(block);
    }
    usleep(1000);
    return NULL;
}
int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, work, "worker");
    work("solve");
    pthread_join(other, NULL);
    return 0;
}
"#;

/// `counterpoint`, with comparisons of a second at most where none is asked for.
const WRAPPER: &str = r#"#!/bin/sh
case " $* " in
*" -r "*) exec PROGRAM "$@" ;;
*" --compare"*) shift; exec PROGRAM stat --max-time 1 "$@" ;;
*) exec PROGRAM "$@" ;;
esac
"#;

/// The text with every number as `0`, runs of blanks as one, so that two measurements look the same.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let mut number = false;
    for c in text.chars() {
        if c.is_ascii_digit() || (number && matches!(c, '.' | ',')) {
            if !number {
                shape.push('0');
            }
            number = true;
        } else {
            number = false;
            if !(c == ' ' && shape.ends_with(' ')) {
                shape.push(c);
            }
        }
    }
    // A rate's unit depends on its size.
    let shape = shape.replace("K/sec", "/sec").replace("M/sec", "/sec");
    shape.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn may_count_the_kernel() -> bool {
    let access = access();
    access.is_privileged() || access.paranoid.is_some_and(|level| level <= 1)
}

/// Asserts that each command of a `console` block prints what stands below it.
pub(crate) fn assert_prints(block: &Block, page: &str) {
    let commands: Vec<&str> = block.text.split("$ ").skip(1).collect();
    assert!(!commands.is_empty(), "{page}:{}: no command after `$ `", block.line);
    for command in commands {
        let (line, expected) = command.split_once('\n').unwrap();
        let at = format!("{page}:{}: $ {line}", block.line);
        let words = shell_words(line);
        let output = match words[0] {
            "counterpoint" => counterpoint(&words[1..]).output().unwrap(),
            other => Command::new(other).args(&words[1..]).current_dir(root()).output().unwrap(),
        };
        let printed = [output.stdout, output.stderr].concat();
        let printed = shape(&String::from_utf8(printed).unwrap());
        if COUNT_THE_KERNEL.iter().any(|part| line.contains(part)) && !may_count_the_kernel() {
            println!(
                "skipped: what `{line}` prints for a user who may not count the kernel has notes more"
            );
            assert!(printed.contains("page-faults") && output.status.success(), "{at}\n{printed}");
            continue;
        }
        // Text that depends on the machine is cut with an ellipsis; everything before it is compared.
        let expected = shape(expected);
        match expected.split_once("…") {
            Some((start, _)) => assert!(printed.starts_with(start.trim_end()), "{at}\n{printed}"),
            None => assert_eq!(printed, expected, "{at}"),
        }
        assert!(output.status.success(), "{at}: {}", output.status);
    }
}

/// The words of a line; those between quotes are one.
fn shell_words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (place, part) in line.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

#[test]
fn every_console_block_prints_what_stands_there() {
    let mut count = 0;
    for page in pages() {
        for block in blocks(&read(&format!("docs/{page}"))) {
            if block.tag == "console" {
                assert_prints(&block, &page);
                count += 1;
            }
        }
    }
    assert!(count >= 6, "{count} blocks");
}

#[test]
fn every_command_runs() {
    if !has_tools(&["gcc", "sh"]) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let solve = built(&folder);
    let mut counts = BTreeMap::new();
    for page in pages().into_iter().filter(|page| page != RUN_BY_MPI) {
        let scratch = scratch(&folder.join(page.replace(['/', '.'], "-")), &solve);
        for block in blocks(&read(&format!("docs/{page}"))) {
            if block.tag != "sh" {
                continue;
            }
            let at = format!("docs/{page}:{}", block.line);
            match block.not_run {
                Some(_) => assert_options_exist(&block, &at),
                None => assert_runs(&block, &scratch, &at),
            }
            *counts.entry(block.not_run.is_some()).or_insert(0) += 1;
        }
    }
    assert!(counts[&false] > 15 && counts[&true] < counts[&false], "{counts:?}");
}

#[test]
fn programs_in_c_and_python_compile() {
    if !has_tools(&["gcc", "python3"]) {
        return;
    }
    let headers = root().join("crates/capi-counterpoint/include").display().to_string();
    let gcc = ["-fsyntax-only", "-Wall", "-Werror", "-x", "c", "-I", &headers, "-"];
    let parse = "import ast, sys; ast.parse(sys.stdin.read())";
    let mut count = 0;
    for page in pages() {
        for block in blocks(&read(&format!("docs/{page}"))) {
            let (compiler, arguments) = match &*block.tag {
                "c" => ("gcc", &gcc[..]),
                "python" => ("python3", &["-c", parse][..]),
                _ => continue,
            };
            let mut compiler = Command::new(compiler);
            let mut child = compiler.args(arguments).stdin(Stdio::piped()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(block.text.as_bytes()).unwrap();
            assert!(child.wait().unwrap().success(), "docs/{page}:{}", block.line);
            count += 1;
        }
    }
    assert!(count >= 4, "{count} programs");
}

/// Crates include the pages with programs in Rust in their documentation, and so run them as doc tests.
#[test]
fn programs_in_rust_are_doc_tests() {
    let included: Vec<PathBuf> = ["crates/counterpoint", "crates/criterion", "crates/tracing"]
        .into_iter()
        .flat_map(|name| {
            let text = read(&format!("{name}/src/lib.rs"));
            let paths: Vec<PathBuf> = text
                .split("include_str!(\"../")
                .skip(1)
                .map(|rest| root().join(name).join(rest.split('"').next().unwrap()))
                .collect();
            paths
        })
        .map(|path| path.canonicalize().unwrap())
        .collect();
    for page in pages() {
        let path = root().join("docs").join(&page);
        if blocks(&read(&format!("docs/{page}"))).iter().any(|block| block.tag == "rust") {
            assert!(included.contains(&path), "{page} is not in {included:?}");
        }
    }
    assert!(included.len() >= 3, "{included:?}");
}

/// The program that the pages measure.
fn built(folder: &Path) -> PathBuf {
    fs::write(folder.join("solve.c"), SOLVE).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O1", "-fno-omit-frame-pointer", "-pthread", "-o", "solve", "solve.c"]);
    assert!(gcc.current_dir(folder).status().unwrap().success(), "{gcc:?}");
    folder.join("solve")
}

/// A folder with the programs and files that the pages name.
fn scratch(folder: &Path, solve: &Path) -> PathBuf {
    fs::create_dir_all(folder.join("bin")).unwrap();
    let wrapper = folder.join("bin/counterpoint");
    fs::write(&wrapper, WRAPPER.replace("PROGRAM", env!("CARGO_BIN_EXE_counterpoint"))).unwrap();
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.join("input"), "").unwrap();
    for program in ["solve", "solve-old"] {
        fs::copy(solve, folder.join(program)).unwrap();
    }
    folder.to_path_buf()
}

/// Asserts that each line of a block succeeds in this folder, or counts events that this machine does not have.
fn assert_runs(block: &Block, folder: &Path, at: &str) {
    let path = format!("{}/bin:{}", folder.display(), std::env::var("PATH").unwrap());
    for line in block.text.lines().filter(|line| !line.is_empty()) {
        let needs_rights =
            [" -a ", " -C ", "--off-cpu", "--wall"].iter().any(|option| line.contains(option));
        if needs_rights && !access().is_privileged() {
            println!("skipped: {at}: this user may not count whole CPUs or the kernel: {line}");
            continue;
        }
        let needs_probes = ["uprobe:", "--allocations"].iter().any(|word| line.contains(word));
        if needs_probes && !may_probe() {
            println!("skipped: {at}: {line}");
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(folder).env("PATH", &path);
        let output = shell.output().unwrap();
        let text = [stdout(&output), stderr(&output)].concat();
        if text.contains("none of these events can be counted here") {
            println!("skipped: {at}: needs a hardware PMU: {line}");
            continue;
        }
        assert!(output.status.success(), "{at}: {}: {line}\n{text}", output.status);
    }
}

/// Asserts that the program has the options of a block that is not run: `--help` comes after them, and an option that
/// does not exist is an error before that.
fn assert_options_exist(block: &Block, at: &str) {
    for line in block.text.lines() {
        let Some((_, command)) = line.split_once("counterpoint ") else { continue };
        if command.starts_with(IN_ANOTHER_PROGRAM) {
            continue;
        }
        let options = command.split(" -- ").next().unwrap();
        let mut words = shell_words(options);
        words.push("--help");
        let is_cargo = line.contains("cargo counterpoint ");
        let mut program =
            if is_cargo { crate::cargo::counterpoint(&words) } else { counterpoint(&words) };
        let output = program.output().unwrap();
        assert!(output.status.success(), "{at}: {line}\n{}", stderr(&output));
    }
}
