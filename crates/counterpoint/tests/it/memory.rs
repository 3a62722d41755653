//! The events of accesses to data, and what is made of accesses.

use counterpoint::memory::{
    Access, Accesses, Allocations, Line, MappingRecords, MemoryEvent, Nodes, Object, Objects,
    SharedLines, events,
};
use counterpoint::perf::Host;
use counterpoint::perf::records::{Comm, DataSource, Mmap, Record, Sample, Task};
use counterpoint::symbols::{Binaries, CodeFiles, DebugFiles};
use counterpoint_fixtures::machine;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

fn names(machine: &Host) -> Vec<(String, Option<String>)> {
    let name = |MemoryEvent { name, leader, .. }: MemoryEvent| (name, leader);
    events(machine).into_iter().map(name).collect()
}

#[test]
fn each_machine_has_the_events_that_sample_its_accesses() {
    let alone = |name: &str| (name.to_string(), None);
    let of = |name: &str| names(&Host::recorded(&machine(name)).unwrap());
    let aux = Some("cpu_core/mem-loads-aux/".to_string());
    assert_eq!(
        of("intel-hybrid"),
        [
            alone("cpu_atom/mem-loads,ldlat=30/P"),
            alone("cpu_atom/mem-stores/P"),
            ("cpu_core/mem-loads,ldlat=30/P".to_string(), aux),
            alone("cpu_core/mem-stores/P"),
        ]
    );
    assert_eq!(of("amd-zen4"), [alone("ibs_op//")]);
    assert_eq!(of("power9"), [alone("cpu/mem-loads/"), alone("cpu/mem-stores/")]);
    assert_eq!(of("vm-no-pmu"), [alone("page-faults")]);
    assert_eq!(of("arm-neoverse"), [alone("page-faults")]);
}

fn map(pid: u32, (start, length): (u64, u64), path: &str, time: u64) -> Record<'_> {
    Record::Mmap(Mmap {
        pid,
        tid: pid,
        start,
        length,
        offset: 0,
        executable: false,
        shared: false,
        path: Path::new(path),
        file: None,
        time: Some(time),
    })
}

fn access(pid: u32, tid: u32, address: u64, source: u64, time: u64) -> Access {
    let sample = Sample {
        pid: Some(pid),
        tid: Some(tid),
        addr: Some(address),
        time: Some(time),
        data_src: Some(DataSource::from_bits(source)),
        ..Sample::default()
    };
    Access::of(&sample).unwrap()
}

#[test]
fn memory_that_the_kernel_joins_to_older_memory_leaves_that_as_it_is() {
    let mut records = MappingRecords::default();
    // The stack of a thread, which is readable from its second page on, below an array.
    for record in [
        map(7, (0x9000, 0x4000), "//anon", 10),
        map(7, (0x4000, 0x5000), "//anon", 20),
        map(7, (0x5000, 0x8000), "//anon", 21),
        map(7, (0x1000, 0x1000), "/nowhere/data", 5),
        Record::Fork(Task { pid: 8, tid: 8, parent_pid: 7, parent_tid: 7, time: 30 }),
        map(8, (0x9000, 0x4000), "/nowhere/other", 31),
        Record::Comm(Comm { pid: 7, tid: 7, name: OsStr::new("new"), exec: true, time: Some(40) }),
    ] {
        records.take(&record);
    }
    let binaries = Binaries::new(CodeFiles::below("/nowhere"), DebugFiles::default());
    let mut objects = Objects::new(&binaries, records.finish(Allocations::default()), &[]);
    let places: Vec<_> = [(7, 0x9000, 25), (7, 0x5000, 25), (7, 0x1010, 25), (8, 0x9000, 32)]
        .into_iter()
        .chain([(7, 0x9000, 41), (8, 0x5000, 99), (7, u64::MAX - 9, 25)])
        .map(|(pid, address, time)| objects.find(&access(pid, pid, address, 2, time)))
        .collect();
    let found = objects.finish();
    let of = |index: usize| &found[places[index].object];
    let anonymous = |addresses| Object::Anonymous { pid: 7, addresses };
    assert_eq!(of(0), &anonymous(0x9000..0xd000));
    assert_eq!(of(1), &anonymous(0x5000..0xd000), "as the kernel says of the joined memory");
    assert_eq!((of(2), places[2].offset), (&Object::File("/nowhere/data".into()), 0x10));
    assert_eq!(of(3), &Object::File("/nowhere/other".into()));
    assert_eq!(of(4), &Object::Unknown, "exec has removed it");
    assert_eq!(of(5), of(1), "a child has the memory of its parent");
    assert_eq!(of(6), &Object::Kernel);
}

#[test]
fn a_sample_stands_for_its_period_unless_latencies_are_sampled() {
    let of = |period, weight| {
        let sample = Sample { addr: Some(0x5000), period, weight, ..Sample::default() };
        Access::of(&sample).unwrap()
    };
    let mut accesses = Accesses::default();
    for access in [of(Some(1), None), of(Some(99), None), of(None, None)] {
        accesses.add(&access, (0, 0, 0), &Nodes::default());
    }
    let all = accesses.all;
    assert_eq!((all.accesses, all.events, all.cost), (3, 101, 101));
    // perf counts an access whose latency is 0 as 1, whatever its period is.
    assert_eq!([of(Some(4000), Some(0)), of(Some(4000), Some(70))].map(|of| of.cost), [1, 70]);
}

#[test]
fn memory_that_processes_map_from_one_file_is_the_same_for_all() {
    let mut records = MappingRecords::default();
    for (pid, start, shared) in [(1, 0x5000, true), (2, 0x9000, true), (3, 0x5000, false)] {
        let Record::Mmap(of) = map(pid, (start, 0x1000), "/dev/shm/ring", 0) else { panic!() };
        records.take(&Record::Mmap(Mmap { shared, offset: 0x2000, ..of }));
    }
    let binaries = Binaries::new(CodeFiles::below("/nowhere"), DebugFiles::default());
    let mut objects = Objects::new(&binaries, records.finish(Allocations::default()), &[]);
    let mut shared = |pid, address| objects.shared(&access(pid, pid, address, 2, 1));
    let one = shared(1, 0x5010).unwrap();
    assert_eq!((one.1, shared(2, 0x9010)), (0x2010, Some(one)));
    assert_eq!((shared(3, 0x5010), shared(1, 0x9010)), (None, None));
}

/// The variables of this program, whose addresses it knows itself.
#[test]
fn variables_of_this_program_are_found_with_their_offsets() {
    static VALUES: [u64; 64] = [7; 64];
    static ZEROS: std::sync::Mutex<[u64; 4096]> = std::sync::Mutex::new([0; 4096]);
    let mut records = MappingRecords::default();
    let maps = Host::local().maps(None).unwrap();
    for of in maps.iter() {
        let path = of.path.clone().unwrap_or("//anon".into());
        let (start, length) = (of.range.start, of.range.end - of.range.start);
        let Record::Mmap(map) = map(9, (start, length), path.to_str().unwrap(), 0) else {
            panic!()
        };
        records.take(&Record::Mmap(Mmap { offset: of.offset, ..map }));
    }
    let binaries = Binaries::default();
    let mut objects = Objects::new(&binaries, records.finish(Allocations::default()), &[]);
    let zeros = &raw const *ZEROS.lock().unwrap();
    let heap = Box::new([1_u8; 10]);
    let local = 5_u64;
    let addresses = [
        std::hint::black_box(&VALUES[3]) as *const u64 as u64,
        zeros as u64 + 800,
        heap.as_ptr() as u64,
        std::hint::black_box(&local) as *const u64 as u64,
    ];
    let places = addresses.map(|address| objects.find(&access(9, 9, address, 2, 1)));
    let found = objects.finish();
    let of = |index: usize| &found[places[index].object];
    let Object::Variable { name, addresses, .. } = of(0) else { panic!("{:?}", of(0)) };
    assert!(name.ends_with("VALUES") && addresses.end - addresses.start == 512, "{name}");
    assert_eq!(places[0].offset, 24);
    let Object::Variable { name, .. } = of(1) else { panic!("{:?}", of(1)) };
    assert!(name.ends_with("ZEROS"), "{name}");
    // The array is somewhere in the lock.
    assert!((800..900).contains(&places[1].offset), "{}", places[1].offset);
    for index in [2, 3] {
        let is_memory = matches!(of(index), Object::Heap | Object::Anonymous { .. });
        assert!(is_memory || index == 3, "{:?}", of(index));
    }
}

#[test]
fn a_line_is_shared_if_a_thread_changes_it_and_another_one_accesses_it() {
    let (load, store, changed) = (2, 4, 2 | 2 << 5 | 0x40 << 5 | 0x10 << 19);
    let lines = |accesses: &[(u32, u32, u64, u64)]| {
        let mut lines = SharedLines::new(64);
        for (pid, tid, address, source) in accesses {
            lines.add(&access(*pid, *tid, *address, *source, 1), None, 0);
        }
        lines.finish()
    };
    let addresses = |lines: &[Line]| lines.iter().map(|line| line.address).collect::<Vec<_>>();
    let found = lines(&[
        (1, 1, 0x100, load),
        (1, 2, 0x108, load),
        (1, 1, 0x140, store),
        (1, 1, 0x148, load),
        (1, 1, 0x180, store),
        (1, 2, 0x188, load),
        (1, 1, 0x1c0, store),
        (1, 2, 0x1c0, store),
        (1, 1, 0x200, changed),
        // Another process has other memory at this address.
        (2, 3, 0x140, load),
    ]);
    assert_eq!(addresses(&found), [0x200, 0x180, 0x1c0]);
    let false_sharing: Vec<_> = found.iter().map(Line::is_false_sharing).collect();
    assert_eq!(false_sharing, [false, true, false]);
    assert_eq!((found[0].sums.local_hitm, found[0].sums.hitm()), (1, 1));
    assert_eq!((found[1].writers(), found[1].readers()), (&[1].into(), &[2].into()));
    // The kernel's lines are those of all processes, and so is memory that they share.
    let of_kernel = |offset: u64| u64::MAX - 0xfff + offset;
    assert_eq!(lines(&[(1, 1, of_kernel(0), store), (2, 2, of_kernel(8), load)]).len(), 1);
    let mut shared = SharedLines::new(64);
    shared.add(&access(1, 1, 0x1000, store, 1), Some((5, 0x40)), 0);
    shared.add(&access(2, 2, 0x7040, load, 1), Some((5, 0x48)), 0);
    assert_eq!(addresses(&shared.finish()), [0x1000]);
}

proptest! {
    /// Of any accesses, the shared lines are those that a plain count finds.
    #[test]
    fn lines_are_those_of_a_plain_count(
        accesses in prop::collection::vec((1_u32..4, 0_u64..40, prop::bool::ANY), 0..60),
    ) {
        let mut lines = SharedLines::new(8);
        let mut all = Accesses::default();
        let mut plain: BTreeMap<u64, [BTreeSet<u32>; 2]> = BTreeMap::new();
        for (tid, address, stores) in &accesses {
            let access = access(1, *tid, address + 8, if *stores { 4 } else { 2 }, 1);
            lines.add(&access, None, 0);
            all.add(&access, (0, 0, 0), &Nodes::default());
            plain.entry((address + 8) / 8 * 8).or_default()[usize::from(*stores)].insert(*tid);
        }
        let is_shared = |[readers, writers]: &[BTreeSet<u32>; 2]| {
            writers.iter().any(|writer| readers.iter().chain(writers).any(|of| of != writer))
        };
        let expected: BTreeSet<u64> =
            plain.iter().filter(|(_, of)| is_shared(of)).map(|(line, _)| *line).collect();
        let found: BTreeSet<u64> = lines.finish().iter().map(|line| line.address).collect();
        prop_assert_eq!(found, expected);
        let sums: u64 = all.sums().iter().map(|(_, sums)| sums.accesses).sum();
        let pages: u64 = all.pages().iter().map(|page| page.sums.accesses).sum();
        prop_assert_eq!((sums, pages), (accesses.len() as u64, accesses.len() as u64));
    }
}
