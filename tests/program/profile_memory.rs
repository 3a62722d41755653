//! `profile --memory`, `report --memory` and `report --shared-lines`: of a program that touches a known number of pages, and of recordings of loads and stores beside what perf shows of the same files.

use crate::recordings::{event, pair, path, record, report, written};
use crate::series::data;
use crate::{has_tools, run, stderr, stdout};
use counterpoint_recording::file::{Contents, Facts, MemoryNode, Writer, comm, mmap};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// Writes to each of the first pages of a variable of zeros (300), of one that has a value (20), of the heap (100), of other memory (70), of a file (40) and of the stack of a thread (50).
const PAGES: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#define PAGE 4096
#define FUNCTION __attribute__((noinline, noclone))
char zeros[300 * PAGE] __attribute__((aligned(PAGE)));
char values[20 * PAGE] __attribute__((aligned(PAGE))) = {1};
FUNCTION void touch(volatile char *memory, int pages) {
    for (long i = 0; i < pages; i++) memory[i * PAGE] = 1;
}
FUNCTION void *works(void *unused) {
    volatile char local[50 * PAGE];
    touch(local, 50);
    return unused;
}
int main(int count, char **words) {
    pthread_t thread;
    int file = open(words[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    touch(zeros, 300);
    touch(values, 20);
    char *heap = sbrk(101 * PAGE);
    touch(heap + PAGE - (unsigned long)heap % PAGE, 100);
    touch(mmap(0, 70 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 70);
    if (ftruncate(file, 40 * PAGE)) return 1;
    touch(mmap(0, 40 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), 40);
    pthread_create(&thread, 0, works, 0);
    pthread_join(thread, 0);
    return 0;
}
"#;

fn pages() -> [PathBuf; 2] {
    static BUILT: Once = Once::new();
    let (source, program) = (path("pages.c"), path("pages"));
    BUILT.call_once(|| {
        std::fs::write(&source, PAGES).unwrap();
        let mut gcc = Command::new("gcc");
        gcc.args(["-O1", "-g", "-pthread", "-o"]).arg(&program).arg(&source);
        assert!(gcc.status().unwrap().success());
    });
    [program, path("pages.data")]
}

/// The number of accesses by the name and the kind of their object.
fn by_object(line: &Value) -> BTreeMap<(String, String), u64> {
    let mut sums = BTreeMap::new();
    for access in line["accesses"].as_array().unwrap() {
        let object = &line["objects"][access["object"].as_u64().unwrap() as usize];
        let text = |key: &str| object[key].as_str().unwrap().to_string();
        *sums.entry((text("kind"), text("name"))).or_default() +=
            access["samples"].as_u64().unwrap();
    }
    sums
}

/// Each page is touched once, at first: the page faults are known.
fn has_the_pages(line: &Value) {
    let sums = by_object(line);
    let of = |kind: &str, name: &str| {
        let fits = |of: &&(String, String)| of.0 == kind && of.1.starts_with(name);
        sums.keys().filter(fits).map(|of| sums[of]).collect::<Vec<_>>()
    };
    assert_eq!(of("variable", "zeros"), [300], "{sums:?}");
    // The loader reads the page before it is written if it has other data.
    assert!([20, 21].contains(&of("variable", "values")[0]), "{sums:?}");
    assert!((100..110).contains(&of("heap", "[heap]")[0]), "{sums:?}");
    assert!(of("anonymous", "").contains(&70), "{sums:?}");
    assert_eq!(of("file", "[file]").iter().sum::<u64>(), 40 + of_loader(line), "{sums:?}");
    let objects = line["objects"].as_array().unwrap();
    let zeros = objects.iter().find(|object| object["name"] == "zeros").unwrap();
    assert_eq!(zeros["bytes"], 300 * 4096);
}

/// The accesses to files that are not that of the program.
fn of_loader(line: &Value) -> u64 {
    let accesses = line["accesses"].as_array().unwrap().iter();
    let others = accesses.filter(|access| {
        let object = &line["objects"][access["object"].as_u64().unwrap() as usize];
        let module = object["module"].as_str().unwrap_or_default();
        object["kind"] == "file" && !module.ends_with("pages.data")
    });
    others.map(|access| access["samples"].as_u64().unwrap()).sum()
}

#[test]
fn each_object_has_the_page_faults_that_the_program_makes() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let [program, data] = pages().map(|path| path.to_str().unwrap().to_string());
    let output = run(&["profile", "--memory", "--format", "json", "--", &program, &data]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("page faults"), "{}", stderr(&output));
    let line: Value = serde_json::from_str(&stdout(&output)).unwrap();
    has_the_pages(&line);
    let stacks: Vec<_> =
        by_object(&line).into_iter().filter(|((kind, _), _)| kind == "stack").collect();
    assert!(stacks.iter().any(|(_, count)| (50..56).contains(count)), "{stacks:?}");
    let table = run(&["profile", "--memory", "--limit", "3", "-o", "-", "--", &program, &data]);
    let table = stdout(&table);
    assert!(table.lines().any(|line| line.ends_with(" 300  zeros  pages")), "{table}");
    assert!(table.contains("touch"), "{table}");
    let limits = ["profile", "--memory", "--percent-limit", "20", "-o", "-", "--"];
    let few = stdout(&run(&[&limits[..], &[&program, &data]].concat()));
    assert!(few.contains(" 300  zeros  pages") && !few.contains("[file]"), "{few}");
    let folded = run(&["profile", "--memory", "-g", "--format", "folded", "--", &program, &data]);
    let folded = stdout(&folded);
    let zeros: u64 = folded
        .lines()
        .filter(|line| line.starts_with("zeros  pages;") && line.contains("touch"))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        .sum();
    assert_eq!(zeros, 300, "{folded}");
}

#[test]
fn memory_of_several_processes_is_shown_with_its_process() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let [program, data] = pages().map(|path| path.to_str().unwrap().to_string());
    let file = path("processes.perf").to_str().unwrap().to_string();
    let twice = format!("{program} {data} && {program} {data}.2");
    let output = run(&["record", "--memory", "-o", &file, "--", "sh", "-c", &twice]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let json = report(Path::new(&file), &["--memory", "--format", "json"]);
    let line: Value = serde_json::from_str(&json).unwrap();
    let objects = line["objects"].as_array().unwrap().iter();
    let pids: BTreeSet<u64> = objects.filter_map(|object| object["pid"].as_u64()).collect();
    assert!(pids.len() >= 2, "{line}");
    let table = report(Path::new(&file), &["--memory", "--limit", "all"]);
    for pid in pids {
        assert!(table.contains(&format!("]  process {pid}\n")), "{pid}: {table}");
    }
}

#[test]
fn recordings_of_page_faults_by_both_tools_have_the_same_objects() {
    if !has_tools(&["gcc"]) {
        return;
    }
    let [program, data] = pages().map(|path| path.to_str().unwrap().to_string());
    let file = path("pages.perf").to_str().unwrap().to_string();
    let output = run(&["record", "--memory", "-o", &file, "--", &program, &data]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let of = |file: &str| -> Value {
        serde_json::from_str(&report(Path::new(file), &["--memory", "--format", "json"])).unwrap()
    };
    has_the_pages(&of(&file));
    let lines = report(Path::new(&file), &["--shared-lines"]);
    assert!(lines.contains("do not say whether they are loads or stores"), "{lines}");
    if has_tools(&["perf"]) {
        let record = ["record", "-q", "-e", "page-faults", "-c", "1", "-d", "-o", &file, "--"];
        let perf = Command::new("perf").args(record).args([&program, &data]).output().unwrap();
        assert!(perf.status.success(), "{}", stderr(&perf));
        has_the_pages(&of(&file));
    }
}

const IP: u64 = 1 << 0;
const TID: u64 = 1 << 1;
const TIME: u64 = 1 << 2;
const ADDR: u64 = 1 << 3;
const CPU: u64 = 1 << 7;
const WEIGHT: u64 = 1 << 14;
const DATA_SRC: u64 = 1 << 15;
const IDENTIFIER: u64 = 1 << 16;
const USER: u16 = 2;

/// Operations, levels, what other caches said, locks and translations, as processors write them.
const SOURCES: [u64; 12] = {
    const LOAD: u64 = 2;
    const STORE: u64 = 4;
    const HIT: u64 = 2 << 5;
    const NONE: u64 = 2 << 19;
    const TLB: u64 = 0x1a << 26;
    [
        LOAD | HIT | 0x8 << 5 | NONE | TLB,
        LOAD | HIT | 0x10 << 5 | NONE | TLB,
        LOAD | HIT | 0x20 << 5 | NONE | TLB,
        LOAD | HIT | 0x40 << 5 | NONE | 0x14 << 26,
        LOAD | HIT | 0x40 << 5 | 4 << 19 | TLB,
        LOAD | HIT | 0x40 << 5 | 0x10 << 19 | TLB,
        LOAD | HIT | 0x80 << 5 | 8 << 19 | 0x22 << 26,
        LOAD | HIT | 0x100 << 5 | 8 << 19 | TLB,
        LOAD | HIT | 0x400 << 5 | 0x10 << 19 | TLB,
        LOAD | HIT | 0x400 << 5 | 4 << 19 | TLB | 2 << 24,
        STORE | HIT | 0x8 << 5 | 1 << 19 | TLB,
        STORE | 4 << 5 | 0x8 << 5 | 1 << 19 | 2 << 24,
    ]
};

/// The thread, the time, the CPU and the event, behind all records but samples.
const TRAILER: usize = 4 * 8;

/// A record of the process 70 at its begin, with its trailer.
fn first(mut record: Vec<u8>) -> Vec<u8> {
    let start = record.len() - TRAILER;
    record[start..].copy_from_slice(&[pair(70, 70), 1, 0, 1].map(u64::to_ne_bytes).concat());
    record
}

/// A recording of threads that access eight lines, some of which they share; the numbers are drawn, and always the same.
fn accesses(name: &str) -> PathBuf {
    let kinds = IDENTIFIER | IP | TID | TIME | ADDR | CPU | WEIGHT | DATA_SRC;
    let loads = event("cpu/mem-loads,ldlat=30/P", 1, &[(0, 4), (8, 0x1cd), (16, 100), (24, kinds)]);
    let stores = event("cpu/mem-stores/P", 2, &[(0, 4), (8, 0x82d0), (16, 100), (24, kinds)]);
    let (code, data) = (0x40_0000..0x40_4000, 0x60_0000..0x60_4000);
    let mut records = vec![
        first(comm(70, 70, b"solve", TRAILER)),
        first(mmap(Contents::Code(70), code, 0, b"/nowhere/solve", TRAILER)),
        first(mmap(Contents::Data(70), data, 0x4000, b"/nowhere/solve", TRAILER)),
    ];
    let mut state = 12345_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for number in 0..4000 {
        let source = SOURCES[draw(SOURCES.len() as u64) as usize];
        // Later lines have fewer accesses, so that none are as many.
        let line = draw(8).min(draw(8));
        let thread = 70 + draw(3) as u32;
        let address = 0x60_0000 + 64 * line + 8 * u64::from(thread - 70);
        let is_store = source & 4 != 0;
        let (id, weight) = if is_store { (2, 0) } else { (1, 30 + draw(900)) };
        let ip = 0x40_0000 + 0x100 * draw(4);
        let words = [id, ip, pair(70, thread), 1000 + number, address, 0, weight, source];
        records.push(record(9, USER, &words));
    }
    let path = path(name);
    let mut writer = Writer::begin(File::create(&path).unwrap(), &[loads, stores]).unwrap();
    records.iter().for_each(|record| writer.records(record).unwrap());
    let node = MemoryNode { number: 0, kib: (1 << 20, 1 << 19), cpus: "0-1".to_string() };
    let facts = Facts { cpus: Some((2, 2)), nodes: vec![node], ..Facts::default() };
    writer.finish(&facts).unwrap();
    path
}

/// perf's table of a file: the cells of each row.
fn of_perf(args: &[&str]) -> String {
    let output = Command::new("perf").args(args).output().unwrap();
    stdout(&output)
}

/// The name of a level, of which perf may say the same twice, and the buffer of which has had two names.
fn level(text: &str) -> String {
    let (places, outcome) = match text.rsplit_once(' ') {
        Some((places, outcome @ ("hit" | "miss"))) => (places, outcome),
        _ => (text, ""),
    };
    let mut places: Vec<&str> = places.split(" or ").collect();
    places.dedup();
    format!("{} {outcome}", places.join(" or ")).replace("LFB/MAB", "LFB").trim().to_string()
}

#[test]
fn levels_are_in_the_words_and_the_order_of_perf_mem() {
    let file = accesses("accesses.perf");
    let line: Value =
        serde_json::from_str(&report(&file, &["--memory", "--format", "json"])).unwrap();
    assert_eq!(line["samples"], 4000);
    let mut sums: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for access in line["accesses"].as_array().unwrap() {
        let text = |key: &str| access[key].as_str().unwrap().to_string();
        let sum = sums.entry((text("event"), level(&text("level")))).or_default();
        sum.0 += access["cost"].as_u64().unwrap();
        sum.1 += access["samples"].as_u64().unwrap();
    }
    if !has_tools(&["perf"]) {
        return;
    }
    let mut rows: BTreeMap<String, Vec<(String, u64)>> = BTreeMap::new();
    let mut ordered: Vec<_> = sums.into_iter().collect();
    ordered.sort_by_key(|(_, (cost, _))| std::cmp::Reverse(*cost));
    for ((event, level), (_, samples)) in ordered {
        rows.entry(event).or_default().push((level, samples));
    }
    let name = file.to_str().unwrap();
    let perf = of_perf(&["report", "--stdio", "--mem-mode", "-n", "--sort", "mem", "-i", name]);
    let mut events: BTreeMap<String, Vec<(String, u64)>> = BTreeMap::new();
    let mut event = String::new();
    for line in perf.lines() {
        if let Some((_, name)) = line.split_once(" of event '") {
            event = name.trim_end_matches('\'').to_string();
        } else if line.contains('%') && !line.starts_with('#') {
            let mut words = line.split_whitespace().skip(1);
            let samples = words.next().unwrap().parse().unwrap();
            let words = words.collect::<Vec<_>>().join(" ");
            events.entry(event.clone()).or_default().push((level(&words), samples));
        }
    }
    assert_eq!(rows, events, "{perf}");
}

#[test]
fn shared_lines_are_those_of_perf_c2c_in_its_order() {
    let file = accesses("lines.perf");
    let json = report(&file, &["--shared-lines", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let number = |of: &Value, key: &str| of[key].as_u64().unwrap();
    let lines: Vec<[u64; 6]> = json["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            ["address", "local_hitm", "remote_hitm", "accesses", "loads", "stores"]
                .map(|key| number(line, key))
        })
        .collect();
    assert_eq!(lines.len(), 8);
    // Each thread has eight bytes of its own.
    let first = &json["lines"][0];
    assert_eq!(first["false_sharing"], true, "{first}");
    assert_eq!(first["object"]["kind"], "data", "the program is not there: {first}");
    let table = report(&file, &["--shared-lines"]);
    assert!(table.contains("false sharing"), "{table}");
    if !has_tools(&["perf"]) {
        return;
    }
    let perf = of_perf(&["c2c", "report", "--stdio", "--no-source", "-i", file.to_str().unwrap()]);
    let (_, table) = perf.split_once("Shared Data Cache Line Table").unwrap();
    let (heads, rest) = table.split_once("# .....").unwrap();
    let (table, _) = rest.split_once("=====").unwrap();
    assert!(heads.contains("LclHitm"), "{heads}");
    let row = |line: &str| -> Option<[u64; 6]> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let address = u64::from_str_radix(words.get(1)?.strip_prefix("0x")?, 16).ok()?;
        let percent = words.iter().position(|word| word.ends_with('%'))?;
        let number = |at: usize| words.get(percent + at)?.parse().ok();
        // The percentage is followed by the sum of both kinds.
        Some([address, number(2)?, number(3)?, number(4)?, number(5)?, number(6)?])
    };
    let rows: Vec<[u64; 6]> = table.lines().filter_map(row).collect();
    assert_eq!(lines, rows, "{perf}");
}

#[test]
fn the_page_has_the_tables_of_both_views_and_the_stacks_below_the_objects() {
    let file = accesses("page.perf");
    let page = path("memory.html");
    let html = page.to_str().unwrap();
    let of = |view: &str| -> Value {
        let json = report(&file, &[view, "--format", "json", "--html", html]);
        serde_json::from_str(&json).unwrap()
    };
    let (memory, lines) = (of("--memory"), of("--shared-lines"));
    let page = data(&std::fs::read_to_string(&page).unwrap());
    let sections = page["sections"].as_array().unwrap();
    let table = |title: &str| {
        let is_it = |of: &&Value| of["title"] == title;
        sections.iter().find(is_it).unwrap_or_else(|| panic!("{title}: {page}"))
    };
    let column = |title: &str, name: &str| -> Vec<f64> {
        let columns = table(title)["columns"].as_array().unwrap();
        let at = columns.iter().position(|column| column["name"] == name).unwrap();
        let rows = table(title)["rows"].as_array().unwrap();
        rows.iter().map(|row| row[at]["value"].as_f64().unwrap_or(0.0)).collect()
    };
    for title in ["Where data was found", "Objects", "Functions and the objects they access"] {
        assert_eq!(column(title, "accesses").iter().sum::<f64>(), 4000.0, "{title}");
    }
    assert_eq!(column("Pages of memory", "accesses"), [4000.0]);
    // A line has a row, and one for each of its parts.
    let loads: f64 = column("Lines that threads share", "loads").iter().sum();
    let of_lines = lines["lines"].as_array().unwrap().iter();
    let of_lines: u64 = of_lines.map(|line| line["loads"].as_u64().unwrap()).sum();
    assert_eq!(loads, 2.0 * of_lines as f64);
    let graph = table("Flame graph of the objects");
    assert_eq!(graph["total"], memory["cost"]);
    let counts: Vec<u64> =
        graph["counts"].as_array().unwrap().iter().map(|of| of.as_u64().unwrap()).collect();
    let drawn: u64 = counts.chunks(4).map(|count| count[3]).sum();
    assert_eq!(drawn, memory["cost"].as_u64().unwrap(), "{graph}");
    assert_eq!(
        graph["functions"][graph["calls"][0].as_u64().unwrap() as usize]["name"],
        "[data]  solve"
    );
    assert_eq!(graph["threads"].as_array().unwrap().len(), 3);
    assert_eq!(page["notes"][1], "Accesses that locked their line: 663.");
}

#[test]
fn what_has_no_addresses_of_data_is_refused_with_what_to_record() {
    let kinds = IDENTIFIER | IP | TID | TIME;
    let clock = event("cycles:u", 1, &[(16, 1), (24, kinds)]);
    let file = written("no-addresses.perf", &[clock], &[record(9, USER, &[1, 16, pair(5, 5), 1])]);
    for option in ["--memory", "--shared-lines"] {
        let output = run(&["report", option, file.to_str().unwrap()]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(
            text.contains("no addresses of data") && text.contains("record --memory"),
            "{text}"
        );
    }
    for command in ["profile", "record"] {
        for event in ["task-clock", "page-faults,context-switches"] {
            let output = run(&[command, "--memory", "-e", event, "--", "true"]);
            let text = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(text.contains("have no addresses of data"), "{text}");
        }
    }
    let output = run(&["report", "--shared-lines", "--format", "svg", file.to_str().unwrap()]);
    assert!(stderr(&output).contains("use --format table or json"), "{}", stderr(&output));
}
