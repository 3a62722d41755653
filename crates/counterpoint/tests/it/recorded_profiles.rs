//! Profiles of recorded samples: records in any order, and several files of one path.

use counterpoint::perf::records::{
    BuildId, Comm, FileId, Layout, Level, Mmap, Record, Sample, Task,
};
use counterpoint::perf::{Every, Fields, Host, ReadFormat};
use counterpoint::profile::{
    CallGraph, KernelSymbols, Profile, Profiled, Replay, SampleKey, ThreadNames,
};
use proptest::prelude::*;
use std::ffi::OsStr;
use std::path::Path;

fn replay(records: &[Record<'_>]) -> Profiled {
    let profile = Profile::every(Every::Period(1)).keys(&[SampleKey::Name]);
    let mut replay = Replay::new(&Host::local(), "page-faults", &profile);
    records.iter().for_each(|record| replay.take(record));
    replay.finish()
}

fn sample(pid: u32, time: u64, ip: u64) -> Record<'static> {
    let (pid, ip, time) = (Some(pid), Some(ip), Some(time));
    Record::Sample(Sample { pid, tid: pid, ip, time, level: Level::User, ..Sample::default() })
}

fn map(pid: u32, time: u64, file: Option<FileId>) -> Record<'static> {
    let path = Path::new("/lib/cur.so");
    let (start, length, offset) = (0x7000, 0x1000, 0);
    let (executable, shared, time) = (true, false, Some(time));
    Record::Mmap(Mmap {
        pid,
        tid: pid,
        start,
        length,
        offset,
        executable,
        shared,
        path,
        file,
        time,
    })
}

fn fork(parent: u32, tid: u32, time: u64) -> Record<'static> {
    let (pid, parent_pid, parent_tid) = (tid, parent, parent);
    Record::Fork(Task { pid, tid, parent_pid, parent_tid, time })
}

fn comm(tid: u32, time: u64, name: &'static str) -> Record<'static> {
    let (name, time) = (OsStr::new(name), Some(time));
    Record::Comm(Comm { pid: tid, tid, name, exec: false, time })
}

fn by_name(profiled: &Profiled) -> Vec<(Option<&str>, u64)> {
    let total = |of: &counterpoint::profile::Part| of.snapshot.total() + of.snapshot.outside;
    profiled.parts.iter().map(|part| (part.name.as_deref(), total(part))).collect()
}

/// The buffers of two CPUs are one after the other in a file: the fork of a thread may be before the name of the thread that made it.
#[test]
fn a_thread_has_the_name_that_its_creator_had_in_time() {
    let records = [
        fork(1, 2, 20),
        fork(2, 3, 30),
        comm(1, 10, "sh"),
        comm(1, 25, "later"),
        sample(3, 40, 0x10),
        sample(2, 40, 0x10),
        sample(1, 40, 0x10),
    ];
    let profiled = replay(&records);
    assert_eq!(by_name(&profiled), [(Some("later"), 1), (Some("sh"), 2)]);
}

#[test]
fn a_name_that_is_given_with_the_fork_is_the_one_that_counts() {
    // perf writes both for threads that ran before, without a time.
    for records in [[fork(1, 2, 0), comm(2, 0, "own")], [comm(2, 0, "own"), fork(1, 2, 0)]] {
        let mut names = ThreadNames::default();
        names.take(&comm(1, 0, "parent"));
        records.iter().for_each(|record| names.take(record));
        let Record::Sample(sample) = sample(2, 5, 0) else { panic!() };
        assert_eq!(names.of(&sample), Some("own"));
    }
}

/// Two threads that claim to have made each other end a search.
#[test]
fn threads_that_made_each_other_have_no_name() {
    let mut names = ThreadNames::default();
    names.take(&fork(1, 2, 10));
    names.take(&fork(2, 1, 10));
    let Record::Sample(sample) = sample(1, 20, 0) else { panic!() };
    assert_eq!(names.of(&sample), None);
}

#[test]
fn a_file_that_took_the_place_of_another_is_a_module_of_its_own() {
    let id = |byte| Some(FileId::BuildId(BuildId::new(&[byte; 20]).unwrap()));
    let inode = |inode, generation| Some(FileId::Inode { device: (8, 1), inode, generation });
    for (first, second, modules) in [
        (id(1), id(2), 2),
        (id(1), id(1), 1),
        (inode(5, 1), inode(6, 1), 2),
        // The number of a deleted file is used again.
        (inode(5, 1), inode(5, 2), 2),
        // perf has no generation in what it reads in `/proc/PID/maps`.
        (inode(5, 0), inode(5, 2), 1),
        (None, id(2), 1),
        (inode(5, 1), id(2), 1),
    ] {
        let records = [
            map(1, 10, first),
            sample(1, 15, 0x7010),
            map(1, 20, second),
            sample(1, 25, 0x7010),
            sample(1, 26, 0x7020),
        ];
        let profiled = replay(&records);
        let totals: Vec<u64> = profiled.snapshot.regions.iter().map(|of| of.total()).collect();
        assert_eq!(totals.len(), modules, "{first:?} {second:?}");
        assert_eq!(profiled.modules.len(), modules);
        if modules == 2 {
            assert_eq!(totals, [1, 2]);
            assert_eq!((profiled.modules[0].file, profiled.modules[1].file), (first, second));
        }
    }
}

/// The addresses of a guest are not those of the process that runs it.
#[test]
fn samples_of_a_guest_are_in_no_module() {
    for level in [Level::GuestUser, Level::GuestKernel, Level::Hypervisor] {
        let Record::Sample(of_user) = sample(1, 15, 0x7010) else { panic!() };
        let guest = Record::Sample(Sample { level, ..of_user });
        let profiled = replay(&[map(1, 10, None), guest]);
        assert_eq!((profiled.snapshot.outside, profiled.snapshot.total()), (1, 0), "{level:?}");
    }
}

#[test]
fn the_file_of_a_run_time_compiler_is_known_by_its_process() {
    let path = Path::new("/tmp/jit-7.dump");
    let Record::Mmap(of) = map(7, 10, None) else { panic!() };
    let profiled = replay(&[Record::Mmap(Mmap { path, ..of }), sample(7, 20, 0x10)]);
    assert_eq!(profiled.jit_dumps.get(&7).map(|path| path.as_path()), Some(path));
}

proptest! {
    /// In whatever order the records of forks and names come, a thread has the same name.
    #[test]
    fn the_order_of_records_does_not_matter(
        names in prop::collection::vec((1_u32..6, 0_u64..40, 0_usize..3), 0..12),
        forks in prop::collection::vec((1_u32..6, 1_u32..6, 0_u64..40), 0..12),
        keys in prop::collection::vec(any::<u32>(), 24),
        look in (1_u32..6, 0_u64..50),
    ) {
        // Two records of one kind at one time have no order of their own.
        let mut seen = std::collections::HashSet::new();
        let names = names.into_iter().filter(|(tid, time, _)| seen.insert((0, *tid, *time)));
        let names: Vec<_> = names
            .map(|(tid, time, name)| comm(tid, time, ["a", "b", "c"][name]))
            .collect();
        let mut seen = std::collections::HashSet::new();
        let forks = forks.into_iter().filter(|(_, tid, time)| seen.insert((*tid, *time)));
        let records: Vec<_> =
            names.into_iter().chain(forks.map(|(parent, tid, time)| fork(parent, tid, time))).collect();
        let mut shuffled: Vec<_> = records.iter().zip(keys).collect();
        shuffled.sort_by_key(|(_, key)| *key);
        let (mut one, mut other) = (ThreadNames::default(), ThreadNames::default());
        records.iter().for_each(|record| one.take(record));
        shuffled.iter().for_each(|(record, _)| other.take(record));
        let Record::Sample(sample) = sample(look.0, look.1, 0) else { panic!() };
        prop_assert_eq!(one.of(&sample), other.of(&sample));
    }
}

/// The bytes of a sample of a process at a time, with a call chain.
fn sample_bytes(pid: u32, time: u64, chain: &[u64]) -> Vec<u8> {
    let ip = chain.iter().copied().find(|address| (*address as i64) >= 0).unwrap_or(0);
    let thread = u64::from(pid) | u64::from(pid) << 32;
    let words = [&[ip, thread, time, chain.len() as u64], chain].concat();
    let size = 8 + 8 * words.len() as u16;
    let mut bytes = [&9_u32.to_ne_bytes()[..], &2_u16.to_ne_bytes(), &size.to_ne_bytes()].concat();
    bytes.extend(words.into_iter().flat_map(u64::to_ne_bytes));
    bytes
}

proptest! {
    /// A stack has mostly the callers of the one before, which are not looked up again.
    #[test]
    fn a_stack_is_the_same_whatever_stack_was_before(
        maps in prop::collection::vec((1_u32..4, 0_u64..20, 0_u64..8), 0..12),
        stacks in prop::collection::vec(
            (1_u32..4, 0_u64..20, 0_usize..3, prop::collection::vec(0_u64..4, 0..3), prop::bool::ANY),
            1..40,
        ),
    ) {
        const KERNEL: u64 = (-128_i64) as u64;
        const USER: u64 = (-512_i64) as u64;
        let layout = Layout::new(
            Fields::IP | Fields::TID | Fields::TIME | Fields::CALLCHAIN,
            ReadFormat::default(),
        );
        let profile = Profile::every(Every::Period(1)).call_graph(CallGraph::FramePointers);
        let mapped = || {
            let mut replay = Replay::new(&Host::local(), "page-faults", &profile);
            replay.kernel(KernelSymbols::default());
            for (index, (pid, time, page)) in maps.iter().enumerate() {
                let Record::Mmap(any) = map(*pid, *time, None) else { unreachable!() };
                let path = format!("/lib/{index}.so");
                let start = page << 12;
                replay.take(&Record::Mmap(Mmap { start, path: Path::new(&path), ..any }));
            }
            replay
        };
        let (mut all, mut last) = (mapped(), Vec::new());
        for (pid, time, in_kernel, inner, is_new) in stacks {
            // Mostly the callers of the stack before, under other functions.
            if is_new || last.len() > 20 {
                last = (1..6).map(|frame| frame << 11).collect();
            }
            last.splice(0..last.len().min(1), inner.iter().map(|frame| frame << 12 | 0x10));
            let of_kernel = (0..in_kernel as u64).map(|frame| 0xffff_ffff_8100_0000 + frame);
            let mut chain = vec![KERNEL];
            chain.extend(of_kernel);
            chain.push(USER);
            chain.extend(&last);
            let bytes = sample_bytes(pid, time, &chain);
            let Some(Ok(Record::Sample(sample))) = layout.records(&bytes).next() else { panic!() };
            prop_assert_eq!(all.locate(&sample), mapped().locate(&sample));
        }
    }
}
