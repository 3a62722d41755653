//! `uprobe:FILE:FUNCTION`: calls of functions of programs and libraries, and the heap by who asked for it (`--allocations`).

use crate::privileges::Public;
use crate::{has_tools, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// Writes to some of the pages of a block.
const TOUCH: &str = r#"
#define _GNU_SOURCE
#define PAGE 4096
#define FUNCTION __attribute__((noinline, noclone))
static volatile char *volatile kept;
FUNCTION void touch(volatile char *block, long from, long to) {
    block = (volatile char *)(((unsigned long)block + PAGE - 1) / PAGE * PAGE);
    for (long i = from; i < to; i++) block[i * PAGE] = 1;
}
"#;

/// Touches blocks of the heap that different functions ask for: 20 pages of a block that is freed, 60 of one that may be at the same place, 110 of one that grows, 90 of an aligned one, and 75 of its parent's in a child, all of which are too large to be next to others.
const BLOCKS: &str = r#"
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
FUNCTION char *first(void) { char *block = malloc(64 * PAGE); kept = block; return block; }
FUNCTION char *second(void) { char *block = calloc(64, PAGE); kept = block; return block; }
FUNCTION char *grown(char *old) { char *block = realloc(old, 200 * PAGE); kept = block; return block; }
FUNCTION char *aligned(void) { char *block = aligned_alloc(PAGE, 100 * PAGE); kept = block; return block; }
FUNCTION char *mapped(void) {
    char *block = mmap(0, 80 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    kept = block;
    return block;
}
int main(void) {
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    // Each large block stays a mapping of its own, at the place of the one that was freed before.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    char *block = first();
    touch(block, 0, 20);
    free(block);
    block = second();
    touch(block, 1, 61);
    char *other = grown(malloc(PAGE));
    touch(other, 5, 115);
    char *wide = aligned();
    touch(wide, 2, 92);
    char *map = mapped();
    if (fork() == 0) {
        touch(map, 0, 75);
        _exit(0);
    }
    wait(0);
    return 0;
}
"#;

fn blocks() -> String {
    static BUILT: LazyLock<String> = LazyLock::new(|| {
        let flags = ["-O1", "-g", "-fno-omit-frame-pointer"];
        crate::symbols::built("blocks", &[TOUCH, BLOCKS].concat(), &flags)
            .to_str()
            .unwrap()
            .to_string()
    });
    BUILT.clone()
}

/// Probes need root and a kernel with them.
pub(crate) fn may_probe() -> bool {
    let may = Path::new("/sys/kernel/tracing/uprobe_events").exists()
        && Path::new("/sys/bus/event_source/devices/uprobe").exists()
        && crate::access().euid == Some(0);
    if !may {
        println!("skipped: this user or this kernel has no probes of programs");
    }
    may
}

fn has_probes() -> bool {
    may_probe() && has_tools(&["gcc"])
}

/// Without a compiler, as in emulated machines: the program itself is probed.
#[test]
fn calls_and_allocations_of_the_program_itself_are_known() {
    if !may_probe() {
        return;
    }
    let program = env!("CARGO_BIN_EXE_counterpoint");
    let event = format!("uprobe:{program}:main");
    let output = run(&["stat", "-x", ",", "-e", &event, "--", program, "list", "--presets"]);
    assert!(stderr(&output).starts_with("1,"), "{}", stderr(&output));
    if cfg!(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))) {
        let output = run(&["profile", "--memory", "--allocations", "--", "true"]);
        assert!(stderr(&output).contains("is not known on this processor"), "{}", stderr(&output));
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-blocks.json");
    if !run(&["stat", "-e", "uprobe:libc.so.6:malloc", "true"]).status.success() {
        return println!("skipped: there is no libc.so.6, as in emulated machines");
    }
    let options = ["profile", "--memory", "--allocations", "--call-graph", "dwarf", "--format"];
    let output = ["json", "-o", file.to_str().unwrap(), "--", program, "list", "--presets"];
    let output = run(&[&options[..], &output].concat());
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let line: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let objects = line["objects"].as_array().unwrap().iter();
    let own = objects.filter(|of| {
        let name = of["name"].as_str().unwrap();
        of["module"] == "counterpoint"
            && name.starts_with("[allocated by ")
            && name.contains("counterpoint")
    });
    assert!(own.count() > 0, "{line}{}", stderr(&output));
}

#[test]
fn calls_and_returns_of_a_function_are_counted() {
    if !has_probes() {
        return;
    }
    let program = blocks();
    let [calls, returns] = ["uprobe", "uretprobe"].map(|word| format!("{word}:{program}:touch"));
    let list =
        format!("{calls},{returns},uprobe:{program}:second+0x0,uprobe:libc.so.6:aligned_alloc");
    let output = run(&["stat", "--json", "-e", &list, "--", &program]);
    let values: Vec<f64> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| {
            line["value"]
                .as_f64()
                .filter(|_| line["event"].as_str().unwrap_or("").contains("probe:"))
        })
        .collect();
    assert_eq!(values, [5.0, 5.0, 1.0, 1.0], "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn callers_of_a_function_are_profiled() {
    if !has_probes() {
        return;
    }
    let program = blocks();
    // A return is in the caller, also of a function that has no frame of its own.
    for (word, stack) in [("uprobe", ";touch "), ("uretprobe", ";main ")] {
        let event = format!("{word}:{program}:touch");
        let options = ["profile", "-e", &event, "-g", "--format", "folded", "--"];
        let output = run(&[&options[..], &[&program]].concat());
        let calls: u64 = stdout(&output)
            .lines()
            .filter(|line| line.contains(stack))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
            .sum();
        assert_eq!(calls, 5, "{event}: {}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn what_cannot_be_probed_says_what_to_write() {
    if !has_probes() {
        return;
    }
    let program = blocks();
    let refused = |event: &str, words: &[&str]| {
        let output = run(&["stat", "-e", event, "true"]);
        assert_eq!(output.status.code(), Some(2), "{event}: {}", stderr(&output));
        let text = stderr(&output);
        assert!(words.iter().all(|word| text.contains(word)), "{event}: {text}");
    };
    refused(
        &format!("uprobe:{program}:touc"),
        &["no function of this name", "did you mean", ":touch`"],
    );
    refused("uprobe:libc.so.6:memcpy", &["chosen among several when a program starts"]);
    refused(
        "uprobe:libnothere.so:memcpy",
        &["there is no library libnothere.so", "write the path"],
    );
    refused("uprobe:/etc/passwd:main", &["no program or library"]);
    refused("uprobe:libc.so.6", &["a probe needs a file and a function", "uprobe:./solve:lookup"]);
    let folder = Public::new("probes");
    let output =
        folder.as_nobody("-all", &["stat", "-e", "uprobe:libc.so.6:malloc", "true"]).output();
    let text = stderr(&output.unwrap());
    assert!(
        text.contains("this user may not define probes") && text.contains("run as root"),
        "{text}"
    );
}

#[test]
fn blocks_of_the_heap_are_named_by_who_asked_for_them() {
    if !has_probes() {
        return;
    }
    let program = blocks();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("blocks.perf");
    let file = file.to_str().unwrap();
    for graph in ["fp", "dwarf"] {
        let options =
            ["record", "--memory", "--allocations", "--call-graph", graph, "-o", file, "--"];
        let output = run(&[&options[..], &[&program]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let output = run(&["report", "--memory", "--format", "json", file]);
        let line: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let mut pages: BTreeMap<&str, u64> = BTreeMap::new();
        for access in line["accesses"].as_array().unwrap() {
            let object = &line["objects"][access["object"].as_u64().unwrap() as usize];
            let touches = access["frames"]
                .as_array()
                .unwrap()
                .iter()
                .any(|frame| frame["function"] == "touch");
            if touches && object["kind"] == "allocated" {
                assert_eq!(object["module"], "program");
                *pages.entry(object["name"].as_str().unwrap()).or_default() +=
                    access["samples"].as_u64().unwrap();
            }
        }
        let expected =
            [("aligned", 90), ("first", 20), ("grown", 110), ("mapped", 75), ("second", 60)];
        let expected = expected.map(|(name, pages)| (format!("[allocated by {name}]"), pages));
        let found: Vec<(String, u64)> =
            pages.into_iter().map(|(name, pages)| (name.to_string(), pages)).collect();
        assert_eq!(found, expected, "{graph}: {}", stderr(&output));
    }
    let table = run(&["report", "--memory", "--limit", "4", file]);
    assert!(stdout(&table).contains("[allocated by grown]  program"), "{}", stdout(&table));
}

/// What a program defined that was killed is removed by the next one, and what others use is not.
#[test]
fn probes_of_a_program_that_was_killed_are_removed() {
    if !has_probes() {
        return;
    }
    let tracefs = Path::new("/sys/kernel/tracing");
    let defined = |pid: u32| {
        let all = std::fs::read_to_string(tracefs.join("uprobe_events")).unwrap();
        all.contains(&format!("counterpoint_{pid}/"))
    };
    let mut begun = Vec::new();
    for _ in 0..2 {
        let stat = ["stat", "-e", "uprobe:libc.so.6:valloc", "--", "sleep", "60"];
        begun.push(crate::counterpoint(&stat).spawn().unwrap());
    }
    let waits = |of: &dyn Fn() -> bool| {
        (0..500).any(|_| {
            of() || {
                std::thread::sleep(Duration::from_millis(10));
                false
            }
        })
    };
    assert!(waits(&|| begun.iter().all(|of| defined(of.id()))));
    let [killed, kept] = &mut begun[..] else { panic!() };
    killed.kill().unwrap();
    killed.wait().unwrap();
    let gone = || {
        run(&["stat", "-e", "uprobe:libc.so.6:valloc", "true"]);
        !defined(killed.id())
    };
    assert!(waits(&gone));
    assert!(defined(kept.id()));
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(kept.id() as i32),
        nix::sys::signal::Signal::SIGTERM,
    )
    .unwrap();
    kept.wait().unwrap();
    assert!(!defined(kept.id()));
}

/// Linux may take a probe out of the memory of a process that is just being forked while another one ends.
#[test]
fn calls_of_children_that_run_at_the_same_time_are_all_counted() {
    if !has_probes() {
        return;
    }
    const SOURCE: &str = r#"
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(void) {
    for (int i = 0; i < 30; i++)
        if (fork() == 0) {
            for (int k = 0; k < 10; k++) work();
            _exit(0);
        }
    while (wait(0) > 0);
    return 0;
}
"#;
    // A name that tracefs has other uses for.
    let program = crate::symbols::built("children", SOURCE, &["-O1"]);
    let copy = program.with_file_name("a #b,c");
    std::fs::copy(&program, &copy).unwrap();
    let event = format!("uprobe:'{}':work", copy.display());
    for _ in 0..20 {
        let output = run(&["stat", "-x", ",", "-e", &event, "--", copy.to_str().unwrap()]);
        assert!(stderr(&output).starts_with("300,"), "{}", stderr(&output));
    }
}

#[test]
fn functions_of_one_name_are_told_apart_by_their_addresses() {
    if !has_probes() {
        return;
    }
    const SOURCE: &str = r#"
namespace ns {
struct T {
    int at;
    __attribute__((noinline)) ~T() { __asm__ volatile(""); }
    __attribute__((noinline)) int operator+(int of) const { __asm__ volatile(""); return at + of; }
};
template <class A> __attribute__((noinline)) A both(A one, A other) { __asm__ volatile(""); return one + other; }
}
int main() {
    int sum = ns::both(1, 2) + ns::both(3, 4) + (int)ns::both(1.5, 2.5);
    for (int i = 0; i < 4; i++) { ns::T t{i}; sum += t + 1; }
    return sum == 0;
}
"#;
    if !has_tools(&["g++"]) {
        return;
    }
    let program = crate::symbols::built("overloads", SOURCE, &["-x", "c++"]);
    let program = program.to_str().unwrap();
    let count = |function: &str| {
        let event = format!("uprobe:{program}:{function}");
        stderr(&run(&["stat", "-x", ",", "-e", &event, "--", program]))
    };
    for (function, calls) in [
        ("ns::T::~T", "4,"),
        ("ns::T::operator+", "4,"),
        ("ns::T::operator+(int) const", "4,"),
        ("T::operator+:u", "4,"),
        ("ns::both<int>", "2,"),
        ("int ns::both<int>(int, int)", "2,"),
        ("ns::both<double>", "1,"),
    ] {
        assert!(count(function).starts_with(calls), "{function}: {}", count(function));
    }
    let refused = count("ns::both");
    let (_, written) = refused.split_once("write one of them: `").unwrap();
    let one = written.split('`').next().unwrap().rsplit(':').next().unwrap();
    assert!(
        ["1,", "2,"].iter().any(|calls| count(one).starts_with(calls)),
        "{one}: {}",
        count(one)
    );
    assert!(count("main+0x100000").contains("the function has "), "{}", count("main+0x100000"));
}

/// A program that has its own allocator, as a static one does, is not all allocator.
#[test]
fn a_program_may_have_its_own_allocator() {
    if !has_probes() {
        return;
    }
    let flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-static"];
    let program = crate::symbols::built("blocks-static", &[TOUCH, BLOCKS].concat(), &flags);
    let program = program.to_str().unwrap();
    let own = format!("--allocations={program}");
    let output =
        run(&["profile", "--memory", &own, "-g", "--limit", "all", "-o", "-", "--", program]);
    let table = stdout(&output);
    for (count, name) in
        [(20, "first"), (60, "second"), (110, "grown"), (90, "aligned"), (75, "mapped")]
    {
        let name = format!("[allocated by {name}]");
        assert_eq!(touched(&table, &name), count, "{name}: {table}{}", stderr(&output));
    }
}

/// The accesses of `touch` to an object, by the table.
fn touched(table: &str, object: &str) -> u64 {
    let rows = table.lines().filter(|line| line.contains("  touch ") && line.contains(object));
    rows.map(|line| line.split_whitespace().next().unwrap().parse::<u64>().unwrap()).sum()
}

/// Memory that was given back, and that `realloc` moved, is no longer where it was.
#[test]
fn what_was_given_back_or_moved_is_nobodys() {
    if !has_probes() {
        return;
    }
    const SOURCE: &str = r#"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
FUNCTION char *given(long pages) { char *block = malloc(pages * PAGE); kept = block; return block; }
FUNCTION char *moved(char *old, long pages) { char *block = realloc(old, pages * PAGE); kept = block; return block; }
FUNCTION char *unseen(void *at, long pages) {
    return (char *)syscall(SYS_mmap, at, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}
int main(void) {
    char *block = given(100);
    touch(block, 0, 30);
    void *at = (void *)((unsigned long)block / PAGE * PAGE);
    free(block);
    touch(unseen(at, 100), 10, 50);
    // The rest of the block is in the way, so that it moves.
    block = moved(given(300), 900);
    touch(block, 0, 70);
    return 0;
}
"#;
    let flags = ["-O1", "-g", "-fno-omit-frame-pointer"];
    let program = crate::symbols::built("moved", &[TOUCH, SOURCE].concat(), &flags);
    let program = program.to_str().unwrap();
    let options = ["profile", "--memory", "--allocations", "-g", "--limit", "all", "-o", "-", "--"];
    let output = run(&[&options[..], &[program]].concat());
    let table = stdout(&output);
    assert_eq!(
        (touched(&table, "[allocated by given]"), touched(&table, "[allocated by moved]")),
        (30, 70),
        "{table}"
    );
    assert_eq!(touched(&table, "[anonymous ") + touched(&table, "[unknown]"), 40, "{table}");
}

/// An allocator that does not have the function is refused, and without --memory the option has no meaning.
#[test]
fn allocations_are_of_a_file_that_allocates() {
    if !has_probes() {
        return;
    }
    let program = blocks();
    let output = run(&["profile", "--memory", &format!("--allocations={program}"), "--", "true"]);
    assert!(stderr(&output).contains(":malloc` cannot be counted"), "{}", stderr(&output));
    let output = run(&["profile", "--allocations", "--", "true"]);
    assert!(stderr(&output).contains("--memory"), "{}", stderr(&output));
}
