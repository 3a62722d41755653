//! Recordings of Arm's Statistical Profiling Extension, beside what perf says of them.

use crate::recordings::{path, report};
use crate::spe_written::{Access, NAME, Operation, PROCESS, begin, data, memory, time, write};
use crate::{has_tools, run, stderr, stdout};
use counterpoint::perf::records::DataSource;
use counterpoint_recording::{LocatedSample, Samples};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

const NEOVERSE_N1: u64 = 0x410f_d0c1;
const CORTEX_A510: u64 = 0x411f_d461;

/// Operations of two threads: loads and stores of two arrays, branches and others.
fn operations() -> Vec<Operation> {
    let mut random = fastrand::Rng::with_seed(7);
    let operation = |number: u64| {
        // The arrays are on two nodes.
        let (array, node) = [(0x7f00_0000_0000, 0), (0x7f00_1000_0000, 1)][random.usize(0..2)];
        let place = 8 * random.u64(0..1000);
        let access = Access {
            is_store: random.u8(0..4) == 0,
            data: array + place,
            physical: memory(node).start + place,
        };
        let is_kernel = random.u8(0..8) == 0;
        let code = if is_kernel { 0xffff_8000_0810_0000 } else { 0x40_1000 };
        Operation {
            instruction: code + 4 * random.u64(0..20),
            level: u8::from(is_kernel),
            access: (random.u8(0..3) > 0).then_some(access),
            events: 1 << 1 | random.u16(0..1 << 11),
            latency: random.u16(1..600),
            source: Some([0, 8, 9, 0xa, 0xb, 0xc, 0xd, 0xe][random.usize(0..8)]),
            thread: Some(PROCESS + random.u32(0..2)),
            ticks: Some(100 + 10 * number),
        }
    };
    (0..400).map(operation).collect()
}

fn recorded(name: &str, midr: u64, operations: &[Operation]) -> PathBuf {
    let path = path(name);
    let (first, second) = operations.split_at(operations.len() / 2);
    let [first, second] =
        [first, second].map(|of| of.iter().flat_map(Operation::packets).collect::<Vec<u8>>());
    let pieces = [data(0, u32::MAX, 0, &first), data(1, u32::MAX, 0, &second)];
    write(File::create(&path).unwrap(), midr, &[begin(), pieces.to_vec()].concat());
    path
}

/// The samples of each event, as the words of perf: thread, time, address of data, source, latency, instruction, place in memory.
fn ours(file: &Path) -> BTreeMap<String, Vec<String>> {
    let samples = Samples::open(file).unwrap();
    let names = samples.events().to_vec();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let each = |LocatedSample { event, sample: of, .. }: LocatedSample<'_>| {
        let time = of.time.unwrap();
        let time = format!("{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
        let source = of.data_src.map_or(0, DataSource::bits);
        let [tid, latency] = [of.tid.unwrap().into(), of.weight.unwrap()];
        let line = format!(
            "{tid} {time} {:x} {source:x} {latency} {:x} {:x}",
            of.addr.unwrap_or(0),
            of.ip.unwrap(),
            of.phys_addr.unwrap_or(0)
        );
        found.entry(names[event].clone()).or_default().push(line);
        ControlFlow::Continue(())
    };
    let remarks = samples.each(each).unwrap();
    assert!(remarks.is_empty(), "{remarks:?}");
    found
}

/// The same of perf.
fn theirs(file: &Path) -> BTreeMap<String, Vec<String>> {
    let fields = "tid,time,event,ip,addr,weight,data_src,phys_addr";
    let mut perf = Command::new("perf");
    perf.args(["script", "--ns", "--itrace=i1iMfmtab", "-F", fields, "-i"]).arg(file);
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in stdout(&perf.output().unwrap()).lines() {
        let (line, rest) = line.split_once(" |OP ").unwrap();
        let (_, rest) = rest.split_once("|BLK ").unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [tid, time, event, addr, source] = words[..] else { panic!("{line}") };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [latency, ip, physical] = words[words.len() - 3..] else { panic!("{rest}") };
        let (time, event) = (time.trim_end_matches(':'), event.trim_end_matches(':'));
        // Samples of loads and stores have these, whichever event they are of; here, they are those of the event `memory`.
        let of_data = if event == "memory" { [addr, source, physical] } else { ["0"; 3] };
        let [addr, source, physical] = of_data;
        let line = format!("{tid} {time} {addr} {source} {latency} {ip} {physical}");
        let event = if event == "instructions" { NAME } else { event };
        found.entry(event.to_string()).or_default().push(line);
    }
    found
}

#[test]
fn samples_are_those_of_perf() {
    if !has_tools(&["perf"]) {
        return;
    }
    for (name, midr) in [("spe-n1.perf", NEOVERSE_N1), ("spe-a510.perf", CORTEX_A510)] {
        let file = recorded(name, midr, &operations());
        let (mut ours, mut theirs) = (ours(&file), theirs(&file));
        for event in ["l1d-access", "llc-access", "tlb-access"] {
            assert!(theirs.remove(event).is_some(), "perf has events that say nothing of a place");
        }
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
        for (event, lines) in &mut ours {
            lines.sort();
            let theirs = theirs.get_mut(event).unwrap();
            theirs.sort();
            assert_eq!(lines, theirs, "{event} of {name}");
        }
    }
}

#[test]
fn accesses_are_shown_with_their_levels() {
    let operations = operations();
    let file = recorded("spe.perf", NEOVERSE_N1, &operations);
    let text = report(&file, &[]);
    let heading = format!(" {NAME}: 400 samples, one every 1024\n");
    assert!(text.contains(&heading) && text.contains(" branch-miss: "), "{text}");
    let accesses = operations.iter().filter_map(|of| of.access).count();
    let text = report(&file, &["--memory"]);
    assert!(text.contains(&format!("{accesses} accesses, of memory\n")), "{text}");
    for level in ["L1 hit", "L2 hit, from a peer", "Local RAM hit", "Remote, from a peer"] {
        assert!(text.contains(&format!("load           {level}\n")), "{level}: {text}");
    }
    // The first hundred operations, by the times of perf.
    let until = time(operations[100].ticks.unwrap());
    let until = format!(",{}.{:09}", until / 1_000_000_000, until % 1_000_000_000);
    let text = report(&file, &["--event", NAME, "--time", &until]);
    assert!(text.contains(&format!(" {NAME}: 100 samples")), "{text}");
    let one = report(&file, &["--event", "tlb-miss", "--format", "json"]);
    let one: Value = serde_json::from_str(&one).unwrap();
    let misses = operations.iter().filter(|of| of.events & 1 << 5 != 0).count();
    assert_eq!((&one["event"], &one["samples"]), (&"tlb-miss".into(), &misses.into()));
}

#[test]
fn events_without_addresses_of_data_are_refused() {
    let file = recorded("spe-refused.perf", NEOVERSE_N1, &operations());
    let path = file.to_str().unwrap();
    let output = run(&["report", "--memory", "--event", "tlb-miss", path]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("the samples of `tlb-miss` have no addresses of data"), "{said}");
    assert!(said.contains("those of these events have: memory"), "{said}");
}

#[test]
fn a_recording_without_operations_is_one_without_samples() {
    let file = recorded("spe-none.perf", NEOVERSE_N1, &[]);
    let text = report(&file, &[]);
    assert!(text.contains(&format!("{NAME}: 0 samples")), "{text}");
}

/// The first half of the operations is of CPU 0, the second one of CPU 1, each of which is a node.
#[test]
fn accesses_are_of_the_nodes_of_their_cpus_and_of_their_data() {
    let operations = operations();
    let file = recorded("spe-nodes.perf", NEOVERSE_N1, &operations);
    let mut expected: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for (number, access) in operations.iter().map(|of| of.access).enumerate() {
        let Some(access) = access else { continue };
        let node = u64::from(!memory(0).contains(&access.physical));
        *expected.entry((number as u64 / 200, node)).or_default() += 1;
    }
    let text = report(&file, &["--memory"]);
    let (_, table) = text.split_once("CPU of node  data of node\n").unwrap();
    for line in table.lines().take(4) {
        let words: Vec<u64> = line
            .split_whitespace()
            .enumerate()
            .filter(|(column, _)| [0, 3, 4].contains(column))
            .map(|(_, word)| word.parse().unwrap())
            .collect();
        let [accesses, cpu, data] = words[..] else { panic!("{line}") };
        assert_eq!(expected[&(cpu, data)], accesses, "{table}");
    }
    let json = report(&file, &["--memory", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let mut found: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for access in json["accesses"].as_array().unwrap() {
        let [cpu, data, samples] =
            ["cpu_node", "data_node", "samples"].map(|key| access[key].as_u64().unwrap());
        *found.entry((cpu, data)).or_default() += samples;
    }
    assert_eq!(found, expected);
    // perf reads the nodes, too.
    if has_tools(&["perf"]) {
        let mut perf = Command::new("perf");
        perf.args(["report", "--header-only", "-I", "-i"]).arg(&file);
        let header = stdout(&perf.output().unwrap());
        assert!(header.contains("memory nodes (nr 2, block size 0x100000000)"), "{header}");
    }
}
