//! The data of Arm's Statistical Profiling Extension, read as samples.

use crate::written::{
    Access, NAME, Operation, PMU, PROCESS, at, begin, data, record, time, two, write,
};
use counterpoint_recording::file::{Problem, Reader};
use proptest::prelude::*;
use std::io::Cursor;

const SAMPLE: u32 = 9;
const EVENTS: [&str; 7] =
    [NAME, "memory", "l1d-miss", "llc-miss", "tlb-miss", "branch-miss", "remote-access"];
const NEOVERSE_N1: u64 = 0x410f_d0c1;

/// The words of each sample behind its id, and the name of its event.
fn samples(records: &[Vec<u8>]) -> (Vec<(String, Vec<u64>)>, Vec<Problem>) {
    let mut file = Cursor::new(Vec::new());
    write(&mut file, NEOVERSE_N1, records);
    let mut reader = Reader::open(file).unwrap();
    let ids = reader.events().iter().flat_map(|of| of.ids.iter().map(|id| (*id, of.name.clone())));
    let ids: Vec<_> = ids.collect();
    let mut samples = Vec::new();
    for _ in 0..2 {
        samples.clear();
        let each = |raw: counterpoint_recording::file::Raw<'_>| {
            if raw.kind == SAMPLE {
                let words = raw.bytes[8..].as_chunks().0.iter().map(|of| u64::from_ne_bytes(*of));
                let words: Vec<u64> = words.collect();
                let name = ids.iter().find(|(id, _)| *id == words[0]).unwrap().1.clone();
                samples.push((name, words[1..].to_vec()));
            }
        };
        reader.records(each).unwrap();
    }
    (samples, reader.into_problems())
}

fn with_data(pieces: &[Vec<u8>]) -> Vec<Vec<u8>> {
    [begin(), pieces.to_vec()].concat()
}

#[test]
fn a_load_is_a_sample_of_each_event_that_it_is() {
    let load = Operation {
        instruction: 0x40_1234,
        access: Some(Access { is_store: false, data: 0x7fff_1000, physical: 0x8_0000_1000 }),
        // A miss of the first level and of the TLB, answered by another socket.
        events: 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5,
        latency: 321,
        source: Some(0xd),
        thread: Some(PROCESS + 1),
        ticks: Some(500),
        ..Operation::default()
    };
    let (samples, problems) = samples(&with_data(&[data(1, u32::MAX, 0, &load.packets())]));
    assert!(problems.is_empty(), "{problems:?}");
    let common = [0x40_1234, two(PROCESS, PROCESS + 1), time(500)];
    let plain = [&common[..], &[two(1, 0), 321]].concat();
    // A load from another socket, it is not known where there, after a walk of the tables.
    let source = 2 | 1 << 5 | 0xf << 33 | 1 << 37 | 2 << 38 | (0x20 | 4) << 26;
    let memory = [&common[..], &[0x7fff_1000, two(1, 0), 321, source, 0x8_0000_1000]].concat();
    let expected =
        [(NAME, &plain), ("memory", &memory), ("l1d-miss", &plain), ("tlb-miss", &plain)];
    let expected = expected.map(|(name, words)| (name.to_string(), words.clone()));
    assert_eq!(samples, expected);
}

/// Newer files of perf say of each CPU which processor it is: one has the numbers of Neoverse, the other none that are known.
#[test]
fn each_cpu_has_the_sources_of_its_processor() {
    const CORTEX_A510: u64 = 0x411f_d461;
    let access = Some(Access { is_store: false, data: 0x1000, physical: 0 });
    // Found in the second level by its number, and in the last one by its events.
    let load = Operation {
        access,
        source: Some(8),
        events: 1 << 8,
        ticks: Some(1),
        ..Operation::default()
    };
    let of_cpu = |cpu, midr| [0x1010_1010_1010_1010, cpu, 3, midr, PMU, 256];
    let head = [two(4, 0), 1, 4, PMU, 2];
    let words = [&head[..], &of_cpu(0, NEOVERSE_N1), &of_cpu(1, CORTEX_A510)].concat();
    let mut records = with_data(&[0, 1].map(|cpu| data(cpu, u32::MAX, 0, &load.packets())));
    records[1] = record(70, 0, &words);
    let (samples, problems) = samples(&records);
    assert!(problems.is_empty(), "{problems:?}");
    let of_memory = samples.iter().filter(|(name, _)| name == "memory");
    let sources: Vec<u64> = of_memory.map(|(_, words)| words[6]).collect();
    let (hit, l2, l3) = (2 << 5, 0x20 << 5 | 2 << 33 | 2 << 19, 0x40 << 5);
    assert_eq!(sources, [2 | hit | l2, 2 | hit | l3]);
}

#[test]
fn the_events_are_those_of_the_file_and_those_that_are_made() {
    let mut file = Cursor::new(Vec::new());
    write(&mut file, NEOVERSE_N1, &begin());
    let reader = Reader::open(file).unwrap();
    let names: Vec<_> = reader.events().iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, [&[NAME, "dummy:u"][..], &EVENTS].concat());
    assert!(reader.events()[2..].iter().all(|of| of.kind() == PMU as u32 && of.period() == 1024));
}

/// Without the numbers of threads in the data, the switches of each CPU tell who ran.
#[test]
fn switches_say_which_thread_it_was() {
    let operation = |ticks| Operation { ticks: Some(ticks), ..Operation::default() };
    let to = |tid, ticks, cpu| at(record(14, 0, &[0; 4]), tid, time(ticks), cpu);
    let from = |tid, ticks, cpu| {
        at(record(15, 1 << 13, &[two(PROCESS, 0), 0, 0, 0, 0]), tid, time(ticks), cpu)
    };
    let pieces = [
        to(PROCESS + 1, 300, 0),
        to(PROCESS, 100, 0),
        from(PROCESS, 200, 0),
        data(0, u32::MAX, 0, &[50, 150, 250, 350].map(|at| operation(at).packets()).concat()),
        data(u32::MAX, PROCESS + 1, 0, &operation(50).packets()),
    ];
    let (samples, _) = samples(&with_data(&pieces));
    let tids: Vec<u64> = samples.iter().map(|(_, words)| words[1]).collect();
    let nobody = two(u32::MAX, u32::MAX);
    let [first, second] = [PROCESS, PROCESS + 1].map(|tid| two(PROCESS, tid));
    assert_eq!(tids, [nobody, first, two(0, 0), second, second]);
}

#[test]
fn what_is_no_packet_costs_its_operation_and_is_said() {
    let operation =
        |instruction| Operation { instruction, ticks: Some(1), ..Operation::default() }.packets();
    let bytes = [operation(0x10), vec![0xff], operation(0x20), operation(0x30)].concat();
    let (samples, problems) = samples(&with_data(&[data(0, u32::MAX, 0, &bytes)]));
    let addresses: Vec<u64> = samples.iter().map(|(_, words)| words[0]).collect();
    assert_eq!(addresses, [0x10, 0x30]);
    let [Problem::AuxDamaged { bytes: 1 }] = problems[..] else { panic!("{problems:?}") };
}

#[test]
fn what_the_processor_has_not_written_is_said() {
    let aux = |flags| at(record(11, 0, &[0, 64, flags, 0, 0, 0, 0]), 0, 0, 0);
    let (_, problems) = samples(&with_data(&[aux(1), aux(8), aux(9)]));
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(said[0].ends_with("was full, so that operations are missing: 2 times"), "{said:?}");
    assert!(said[1].ends_with("which longer periods prevent: 2 parts of the data"), "{said:?}");
    assert_eq!(said.len(), 2, "{said:?}");
}

/// Whatever a file says of places and ids is no reason to stop.
#[test]
fn numbers_that_are_too_large_do_no_harm() {
    let operation = Operation { instruction: 0x10, ticks: Some(1), ..Operation::default() };
    let packets = [operation.packets(), vec![0x23, 0]].concat();
    for position in [u64::MAX, u64::MAX - 7, 1 << 63] {
        let (samples, _) = samples(&with_data(&[data(0, PROCESS, position, &packets)]));
        assert_eq!(samples.len(), 1, "{position:#x}");
    }
    // The data go on behind the end of the file, and the last packet of what is there is cut off.
    let mut long = data(0, PROCESS, 0, &[operation.packets(), vec![0xb0]].concat());
    long[8..16].copy_from_slice(&u64::MAX.to_ne_bytes());
    let (samples, problems) = samples(&with_data(&[long]));
    assert_eq!(samples.len(), 1);
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|text| text.contains("longer than the rest of the file")), "{said:?}");
    assert!(said.iter().any(|text| text.contains("so that operations are missing: ")), "{said:?}");
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let address = prop_oneof![0_u64..1 << 47, (0_u64..1 << 47).prop_map(|low| low | 0xffff << 48)];
    let access = (any::<bool>(), address.clone(), 0_u64..1 << 48);
    let access = access.prop_map(|(is_store, data, physical)| Access { is_store, data, physical });
    let operation = (
        (address, 0_u8..3, prop::option::of(access)),
        (any::<u16>(), any::<u16>(), prop::option::of(0_u8..16)),
        (prop::option::of(PROCESS..PROCESS + 2), prop::option::of(0_u64..1 << 40)),
    );
    let operation = operation.prop_map(|((instruction, level, access), of, (thread, ticks))| {
        let (events, latency, source) = of;
        Operation { instruction, level, access, events, latency, source, thread, ticks }
    });
    prop::collection::vec(operation, 0..30)
}

proptest! {
    #[test]
    fn operations_are_samples_however_they_are_cut(
        operations in operations(),
        cuts in prop::collection::vec(0_usize..2000, 0..4),
    ) {
        let bytes: Vec<u8> = operations.iter().flat_map(Operation::packets).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1) / 8 * 8).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|of| data(0, PROCESS, of[0] as u64, &bytes[of[0]..of[1]]));
        let (samples, problems) = samples(&with_data(&pieces.collect::<Vec<_>>()));
        prop_assert!(problems.is_empty(), "{:?}", problems);
        let of_all: Vec<_> = samples.iter().filter(|(name, _)| name == NAME).collect();
        prop_assert_eq!(of_all.len(), operations.len());
        for ((_, words), operation) in of_all.iter().zip(&operations) {
            prop_assert_eq!(words[0], operation.instruction);
            prop_assert_eq!(words[1], two(PROCESS, operation.thread.unwrap_or(PROCESS)));
            prop_assert_eq!(words[2], operation.ticks.map_or(0, time));
            prop_assert_eq!(words[4], u64::from(operation.latency));
        }
        let accesses = operations.iter().filter_map(|of| of.access);
        let of_memory = samples.iter().filter(|(name, _)| name == "memory");
        let found: Vec<_> = of_memory.map(|(_, words)| (words[3], words[6] & 0x1f, words[7])).collect();
        let expected = accesses.map(|of| (of.data, if of.is_store { 4 } else { 2 }, of.physical));
        prop_assert_eq!(found, expected.collect::<Vec<_>>());
        for (bit, event) in [(3, "l1d-miss"), (9, "llc-miss"), (5, "tlb-miss"), (7, "branch-miss")] {
            let expected = operations.iter().filter(|of| of.events & 1 << bit != 0).count();
            let found = samples.iter().filter(|(name, _)| name == event).count();
            prop_assert_eq!(found, expected, "{}", event);
        }
    }

    #[test]
    fn any_data_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (samples, problems) = samples(&with_data(&[data(0, PROCESS, 0, &bytes)]));
        prop_assert!(samples.len() <= 7 * bytes.len() && problems.len() <= 1);
    }
}
