//! Records from bytes, against the forms of `perf_event_open(2)`.

use counterpoint_perf::records::{
    BuildId, DataSource, FileId, Layout, Level, Record, RecordError, RecordErrorKind, Sample,
    Switch,
};
use counterpoint_perf::{Fields, ReadFormat};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

pub(crate) const ALL: [Fields; 14] = [
    Fields::IP,
    Fields::TID,
    Fields::TIME,
    Fields::ADDR,
    Fields::ID,
    Fields::CPU,
    Fields::PERIOD,
    Fields::READ,
    Fields::CALLCHAIN,
    Fields::BRANCH_STACK,
    Fields::REGS_USER,
    Fields::STACK_USER,
    Fields::WEIGHT,
    Fields::DATA_SRC,
];

/// The fields that few recordings have.
const LAST: [Fields; 7] = [
    Fields::WEIGHT_STRUCT,
    Fields::TRANSACTION,
    Fields::REGS_INTR,
    Fields::PHYS_ADDR,
    Fields::CGROUP,
    Fields::DATA_PAGE_SIZE,
    Fields::CODE_PAGE_SIZE,
];

/// The number of registers that a sample has on this processor.
const REGISTERS: u64 = if cfg!(target_arch = "x86_64") {
    17
} else if cfg!(target_arch = "aarch64") {
    33
} else if cfg!(target_arch = "riscv64") {
    32
} else {
    0
};

pub(crate) fn layout(fields: &[Fields]) -> Layout {
    let fields = fields.iter().fold(Fields::default(), |all, field| all | *field);
    Layout::new(fields, ReadFormat { group: true, lost: true })
}

pub(crate) fn record(kind: u32, misc: u16, body: &[u8]) -> Vec<u8> {
    let size = (8 + body.len()) as u16;
    [&kind.to_ne_bytes()[..], &misc.to_ne_bytes(), &size.to_ne_bytes(), body].concat()
}

pub(crate) fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// Two halves in one word, the first one first in memory.
fn pair(first: u32, second: u32) -> u64 {
    let [a, b] = [first, second].map(u32::to_ne_bytes);
    u64::from_ne_bytes([a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]])
}

fn one<'a>(layout: &Layout, bytes: &'a [u8]) -> Record<'a> {
    let all: Vec<_> = layout.records(bytes).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all[0].unwrap()
}

fn name(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() / 8 + 1) * 8, 0);
    bytes
}

#[test]
fn a_sample_holds_what_was_asked_for_in_the_order_of_the_kernel() {
    let body = words(&[
        0x401000,
        pair(10, 11),
        12,
        0xdead,
        13,
        pair(14, 0),
        15,
        // Two events: their number, times; value, number, lost.
        2,
        100,
        90,
        7,
        1,
        0,
        8,
        2,
        0,
        // A chain: kernel, two addresses, user, one.
        5,
        -128_i64 as u64,
        1,
        2,
        -512_i64 as u64,
        3,
        // One call: from, to, flags.
        1,
        0x402000,
        0x403000,
        0,
        // Registers of 64 bits.
        2,
    ]);
    let registers: Vec<u64> = (20..20 + REGISTERS).collect();
    let rest = words(&[16, 0xaa, 0xbb, 8, 16, 17]);
    let body = [body, words(&registers), rest].concat();
    let bytes = record(9, 2 | 1 << 14, &body);
    let Record::Sample(sample) = one(&layout(&ALL), &bytes) else { panic!() };
    let values = sample.values.unwrap();
    assert_eq!(values.iter().collect::<Vec<_>>(), [(1, 7), (2, 8)]);
    assert_eq!(
        (values.enabled, values.running),
        (Some(Duration::from_nanos(100)), Some(Duration::from_nanos(90)))
    );
    let chain: Vec<_> = sample.callchain.unwrap().iter().collect();
    assert_eq!(chain, [(Level::Kernel, 1), (Level::Kernel, 2), (Level::User, 3)]);
    assert_eq!(sample.branches.unwrap().iter().collect::<Vec<_>>(), [(0x402000, 0x403000)]);
    let registers = sample.registers.unwrap();
    let by_dwarf = registers.by_dwarf();
    assert_eq!(by_dwarf.iter().flatten().count() as u64, REGISTERS);
    if cfg!(target_arch = "x86_64") {
        assert_eq!((registers.sp(), registers.ip()), (27, 28));
        // rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, rip.
        let kernel = [20, 23, 22, 21, 24, 25, 26, 27, 29, 30, 31, 32, 33, 34, 35, 36, 28];
        assert_eq!(by_dwarf[..17], kernel.map(Some));
    } else if cfg!(target_arch = "aarch64") {
        assert_eq!((registers.sp(), registers.ip()), (51, 52));
        assert_eq!((by_dwarf[29], by_dwarf[30]), (Some(49), Some(50)));
    }
    assert!(registers.is_64_bit());
    // Of the 16 bytes, the kernel could read 8.
    assert_eq!(sample.stack.unwrap(), words(&[0xaa]));
    let expected = Sample {
        level: Level::User,
        exact: true,
        ip: Some(0x401000),
        pid: Some(10),
        tid: Some(11),
        time: Some(12),
        addr: Some(0xdead),
        id: Some(13),
        cpu: Some(14),
        period: Some(15),
        weight: Some(16),
        data_src: Some(DataSource::from_bits(17)),
        ..sample
    };
    assert_eq!(sample, expected);
}

/// What is behind the source of data, with what is not decoded between it.
#[test]
fn of_the_fields_behind_the_source_of_data_addresses_and_pages_are_decoded() {
    let fields = [
        Fields::WEIGHT_STRUCT,
        Fields::DATA_SRC,
        Fields::TRANSACTION,
        Fields::REGS_INTR,
        Fields::PHYS_ADDR,
        Fields::CGROUP,
        Fields::DATA_PAGE_SIZE,
    ];
    for (registers, interrupted) in [(&[2, 7, 8][..], true), (&[0], false)] {
        let layout = Layout { interrupt_registers: 0b101, ..layout(&fields) };
        let body = [&[1 << 48 | 2 << 32 | 99, 17, 5], registers, &[0x9000, 6, 4096]].concat();
        let bytes = record(9, 2, &words(&body));
        let Record::Sample(sample) = one(&layout, &bytes) else { panic!() };
        assert_eq!((sample.weight, sample.data_src.map(DataSource::bits)), (Some(99), Some(17)));
        let of_data = (sample.phys_addr, sample.data_page_size);
        assert_eq!(of_data, (Some(0x9000), Some(4096)), "{interrupted}");
    }
}

/// Files whose samples have them: `perf mem record` on Intel, AMD and IBM's processors, and SPE as perf puts it.
#[test]
fn sources_of_data_are_in_the_words_of_perf() {
    let (hit, remote, number) = (2_u64 << 5, 1_u64 << 37, 33);
    for (bits, words) in [
        (2 | hit | 0x8 << 5, "L1 hit"),
        (2 | hit | 0x10 << 5, "LFB/MAB hit"),
        (2 | 4 << 5 | 0x40 << 5, "L3 miss"),
        (2 | hit | 0x80 << 5, "Local RAM hit"),
        (2 | hit | 0x100 << 5, "Remote RAM (1 hop) hit"),
        (2 | hit | 0x800 << 5, "Remote Cache (2 hops) hit"),
        (2 | hit | 0x2000 << 5, "Uncached hit"),
        // The newer fields alone.
        (2 | hit | 3 << number, "L3 hit"),
        (2 | hit | 0xd << number, "Local RAM hit"),
        (2 | hit | 0xd << number | remote | 2 << 43, "Remote RAM (2 hops) hit"),
        (2 | hit | 0xb << number | remote | 1 << 43, "Remote Cache (1 hop) hit"),
        (2 | 1 << 5 | 0x9 << number, "CXL"),
        (2 | hit | 0xe << number, "PMEM hit"),
        // Arm's SPE says of a place that it is another socket, or the level at which it was missed here.
        (2 | 1 << 5 | 0xf << number | remote, "Remote"),
        (2 | 4 << 5 | 0x40 << 5 | remote, "Remote L3 miss"),
    ] {
        let level = DataSource::from_bits(bits).level().unwrap();
        assert_eq!(level.to_string(), words, "{bits:#x}");
    }
    // Of a page fault, the kernel says of each part that it is not known.
    let unknown = DataSource::from_bits(1 | 1 << 5 | 1 << 19 | 1 << 24 | 1 << 26 | 0xf << number);
    assert_eq!((unknown.operation(), unknown.level(), unknown.snoop()), (None, None, None));
    assert_eq!((unknown.tlb(), unknown.is_locked()), (None, None));
    let locked = DataSource::from_bits(4 | 2 << 24 | 0x24 << 26);
    assert_eq!((locked.is_locked(), locked.tlb().as_deref()), (Some(true), Some("Walker miss")));
    let blocked = |bits: u64| DataSource::from_bits(bits << 40).blocked();
    assert_eq!([1, 2, 4].map(blocked), [None, Some("Data"), Some("Addr")]);
    let nothing = DataSource::default();
    assert_eq!((nothing.level(), nothing.tlb(), nothing.is_locked()), (None, None, None));
}

#[test]
fn what_was_not_asked_for_is_not_there() {
    let bytes = record(9, 1, &words(&[5]));
    let Record::Sample(sample) = one(&layout(&[Fields::PERIOD]), &bytes) else { panic!() };
    assert_eq!(sample, Sample { level: Level::Kernel, period: Some(5), ..Sample::default() });
}

#[test]
fn an_event_read_alone_has_its_times_between_value_and_number() {
    for lost in [false, true] {
        let read = ReadFormat { group: false, lost };
        let layout = Layout::new(Fields::READ | Fields::WEIGHT, read);
        let mut body = vec![70, 100, 90, 3];
        body.extend(lost.then_some(1));
        body.push(99);
        let bytes = record(9, 2, &words(&body));
        let Record::Sample(sample) = one(&layout, &bytes) else { panic!() };
        let values = sample.values.unwrap();
        assert_eq!(values.iter().collect::<Vec<_>>(), [(3, 70)]);
        let running = Some(Duration::from_nanos(90));
        assert_eq!((values.running, sample.weight), (running, Some(99)));
    }
}

/// Two of the costs have their own bits since Linux 5.12.
#[test]
fn what_is_behind_the_costs_is_in_the_order_of_the_kernel() {
    let costs = 9 << 48 | 7 << 32 | 500;
    // Registers of 64 bits, two of them.
    let body = words(&[costs, 17, 18, 2, 1, 2, 19, 20, 4096, 8192]);
    let layout =
        Layout { interrupt_registers: 0b101, ..layout(&[&LAST[..], &[Fields::DATA_SRC]].concat()) };
    let bytes = record(9, 2, &body);
    let Record::Sample(sample) = one(&layout, &bytes) else { panic!() };
    let expected = Sample {
        level: Level::User,
        weight: Some(500),
        latencies: Some([7, 9]),
        data_src: Some(DataSource::from_bits(17)),
        transaction: Some(18),
        phys_addr: Some(19),
        cgroup: Some(20),
        data_page_size: Some(4096),
        code_page_size: Some(8192),
        ..Sample::default()
    };
    assert_eq!(sample, expected);
    let cut = record(9, 2, &body[..body.len() - 8]);
    assert!(layout.records(&cut).next().unwrap().is_err(), "the last word is missing");
}

/// perf's `:S` leaves out the times, and Linux 6.0 adds the number of lost samples.
#[test]
fn values_have_the_times_ids_and_losses_that_their_format_has() {
    let (times, id, group, lost) = (0b11, 1 << 2, 1 << 3, 1 << 4);
    for (format, body, expected, enabled) in [
        (id | group | lost, vec![2, 70, 3, 0, 80, 4, 1], vec![(3, 70), (4, 80)], None),
        (id | group, vec![2, 70, 3, 80, 4], vec![(3, 70), (4, 80)], None),
        (times | id | group, vec![1, 9, 8, 70, 3], vec![(3, 70)], Some(Duration::from_nanos(9))),
        (1 | id, vec![70, 9, 3], vec![(3, 70)], Some(Duration::from_nanos(9))),
        (id | lost, vec![70, 3, 5], vec![(3, 70)], None),
        (0, vec![70], vec![], None),
        (group, vec![2, 70, 80], vec![], None),
    ] {
        let layout = Layout {
            read_format: format,
            ..Layout::new(Fields::READ | Fields::WEIGHT, ReadFormat::default())
        };
        let bytes = record(9, 2, &words(&[body, vec![99]].concat()));
        let Record::Sample(sample) = one(&layout, &bytes) else { panic!() };
        let values = sample.values.unwrap();
        assert_eq!((values.iter().collect::<Vec<_>>(), values.enabled), (expected, enabled));
        assert_eq!(sample.weight, Some(99), "format {format:#x}");
    }
}

/// An index before the branches (Linux 5.7) and counters behind them (6.8).
#[test]
fn branches_are_found_among_what_is_recorded_beside_them() {
    let (index, counters) = (1 << 17, 1 << 19);
    for (branch_type, body) in [
        (0, vec![1, 10, 20, 0]),
        (index, vec![1, 7, 10, 20, 0]),
        (counters, vec![1, 10, 20, 0, 6]),
        (index | counters, vec![1, 7, 10, 20, 0, 6]),
    ] {
        let fields = Fields::BRANCH_STACK | Fields::WEIGHT;
        let layout = Layout { branch_type, ..Layout::new(fields, ReadFormat::default()) };
        let bytes = record(9, 2, &words(&[body, vec![99]].concat()));
        let Record::Sample(sample) = one(&layout, &bytes) else { panic!() };
        assert_eq!(sample.branches.unwrap().iter().collect::<Vec<_>>(), [(10, 20)]);
        assert_eq!(sample.weight, Some(99));
    }
}

#[test]
fn a_mapping_of_an_early_kernel_has_its_path_in_place_of_the_protection() {
    let layout = layout(&[Fields::IP, Fields::TID]);
    let start = words(&[pair(10, 11), 0x400000, 0x1000, 0, pair(253, 1), 77, 2]);
    let trailer = words(&[pair(10, 11)]);
    let mapped = |misc: u16, protection: &[u8], path: &str| {
        let bytes = record(10, misc, &[&start[..], protection, &name(path), &trailer].concat());
        let Record::Mmap(map) = one(&layout, &bytes) else { panic!() };
        (map.path.to_path_buf(), map.executable)
    };
    let path = Path::new("/usr/bin/true").to_path_buf();
    assert_eq!(mapped(2, &[], "/usr/bin/true"), (path.clone(), true));
    // Flag 13 says that it is data.
    assert_eq!(mapped(2 | 1 << 13, &[], "/usr/bin/true"), (path.clone(), false));
    assert_eq!(mapped(2, &words(&[pair(5, 2)]), "/usr/bin/true"), (path.clone(), true));
    assert_eq!(mapped(2, &words(&[pair(3, 2)]), "/usr/bin/true"), (path, false));
}

#[test]
fn a_mapping_says_which_of_the_files_of_its_path_it_is() {
    let layout = layout(&[Fields::IP, Fields::TID, Fields::TIME]);
    let trailer = words(&[pair(10, 11), 777]);
    let start = words(&[pair(10, 11), 0x400000, 0x1000, 0]);
    let end = [words(&[pair(5, 2)]), name("/lib/a.so"), trailer].concat();
    let file = |misc, id: &[u8]| {
        let bytes = record(10, misc, &[&start[..], id, &end].concat());
        let Record::Mmap(map) = one(&layout, &bytes) else { panic!() };
        assert_eq!((map.path, map.executable), (Path::new("/lib/a.so"), true));
        map.file
    };
    let inode = FileId::Inode { device: (8, 1), inode: 42, generation: 7 };
    assert_eq!(file(0, &words(&[pair(8, 1), 42, 7])), Some(inode));
    assert_eq!(file(0, &words(&[pair(0, 0), 0, 0])), None, "memory without a file");
    let mut id = [0_u8; 24];
    id[0] = 20;
    for (index, byte) in id[4..].iter_mut().enumerate() {
        *byte = index as u8 + 1;
    }
    let build_id = BuildId::new(&id[4..]).unwrap();
    assert_eq!(build_id.as_bytes(), &id[4..]);
    assert_eq!(file(1 << 14, &id), Some(FileId::BuildId(build_id)));
    id[0] = 21;
    assert_eq!(file(1 << 14, &id), None, "longer than its place");
    id[0] = 0;
    assert_eq!(file(1 << 14, &id), None);
}

#[test]
fn other_records_tell_of_files_threads_and_losses() {
    let layout = layout(&[Fields::IP, Fields::TID, Fields::TIME, Fields::CPU]);
    let trailer = words(&[pair(10, 11), 777, pair(3, 0)]);

    let head = words(&[pair(10, 11), 0x400000, 0x1000, 0x2000, 1, 2, 3, pair(5, 2)]);
    let bytes = record(10, 0, &[head, name("/bin/true"), trailer.clone()].concat());
    let Record::Mmap(map) = one(&layout, &bytes) else { panic!() };
    assert_eq!((map.pid, map.tid, map.range(), map.offset), (10, 11, 0x400000..0x401000, 0x2000));
    assert_eq!((map.path, map.executable, map.time), (Path::new("/bin/true"), true, Some(777)));

    let bytes =
        record(3, 1 << 13, &[words(&[pair(10, 11)]), name("true"), trailer.clone()].concat());
    let Record::Comm(comm) = one(&layout, &bytes) else { panic!() };
    assert_eq!((comm.tid, comm.name, comm.exec), (11, OsStr::new("true"), true));

    let task = [words(&[pair(1, 2), pair(3, 4), 5]), trailer.clone()].concat();
    let fork = record(7, 0, &task);
    let Record::Fork(fork) = one(&layout, &fork) else { panic!() };
    assert_eq!((fork.pid, fork.parent_pid, fork.tid, fork.parent_tid, fork.time), (1, 2, 3, 4, 5));
    let exit = record(4, 0, &task);
    assert_eq!(one(&layout, &exit), Record::Exit(fork));

    let two = [words(&[8, 9]), trailer.clone()].concat();
    assert_eq!(one(&layout, &record(2, 0, &two)), Record::Lost { id: 8, lost: 9 });
    assert_eq!(one(&layout, &record(5, 0, &two)), Record::Throttle { time: 8, id: 9 });
    assert_eq!(one(&layout, &record(6, 0, &two)), Record::Unthrottle { time: 8, id: 9 });
    assert_eq!(one(&layout, &record(13, 0, &two)), Record::LostSamples { lost: 8 });
    assert_eq!(one(&layout, &record(99, 6, &two)), Record::Other { kind: 99, misc: 6, body: &two });
}

#[test]
fn switches_say_which_thread_stops_or_runs() {
    let layout = layout(&[Fields::IP, Fields::TID, Fields::TIME, Fields::CPU]);
    let trailer = words(&[pair(10, 11), 77, pair(3, 0)]);
    let of = |is_out, is_preempted| {
        Record::Switch(Switch { pid: 10, tid: 11, time: 77, is_out, is_preempted })
    };
    assert_eq!(one(&layout, &record(14, 0, &trailer)), of(false, false));
    assert_eq!(one(&layout, &record(14, 1 << 13, &trailer)), of(true, false));
    assert_eq!(one(&layout, &record(14, 3 << 13, &trailer)), of(true, true));
    // That of a CPU first has the other thread.
    let wide = [words(&[pair(20, 21)]), trailer.clone()].concat();
    assert_eq!(one(&layout, &record(15, 1 << 13, &wide)), of(true, false));
    let timeless = Layout::new(Fields::IP | Fields::TID, ReadFormat::default());
    let Record::Other { kind: 14, .. } = one(&timeless, &record(14, 0, &trailer)) else { panic!() };
}

#[test]
fn what_cannot_be_read_is_said_and_the_next_record_follows() {
    let layout = layout(&[Fields::IP, Fields::TID]);
    let short = record(9, 2, &words(&[1]));
    let good = record(9, 2, &words(&[1, 2]));
    let error = |offset, kind, size, problem| RecordError { offset, kind, size, problem };

    let bytes = [short.clone(), good.clone()].concat();
    let all: Vec<_> = layout.records(&bytes).collect();
    assert_eq!(all[0], Err(error(0, 9, 16, RecordErrorKind::TooShort)));
    assert!(matches!(all[..], [_, Ok(Record::Sample(_))]), "{all:?}");

    let cut = &good[..good.len() - 1];
    let bytes = [good.as_slice(), cut].concat();
    assert_eq!(layout.records(&bytes).last(), Some(Err(error(24, 9, 24, RecordErrorKind::CutOff))));
    assert_eq!(
        layout.records(&good[..7]).last(),
        Some(Err(error(0, 0, 0, RecordErrorKind::CutOff)))
    );
    let no_length = [&9_u64.to_le_bytes()[..], &good].concat();
    assert_eq!(layout.records(&no_length).count(), 1, "after no length nothing can be found");
    let text = layout.records(&no_length).last().unwrap().unwrap_err().to_string();
    assert!(text.ends_with("shorter than a header"), "{text}");
}

/// A count that is far too large for the record must neither allocate nor overflow.
#[test]
fn counts_beyond_the_record_are_too_short() {
    for count in [3, u64::MAX, u64::MAX / 8, 1 << 61, 1 << 32] {
        let chain = record(9, 2, &words(&[count, 1, 2]));
        assert!(layout(&[Fields::CALLCHAIN]).records(&chain).next().unwrap().is_err());
        let values = record(9, 2, &words(&[count, 1, 2, 3, 4, 5]));
        assert!(layout(&[Fields::READ]).records(&values).next().unwrap().is_err());
        let branches = record(9, 2, &words(&[count, 1, 2, 3]));
        assert!(layout(&[Fields::BRANCH_STACK]).records(&branches).next().unwrap().is_err());
        let stack = record(9, 2, &words(&[count, 1]));
        assert!(layout(&[Fields::STACK_USER]).records(&stack).next().unwrap().is_err());
    }
}

fn any_layout() -> impl Strategy<Value = Layout> {
    let fields = [&ALL[..], &LAST].concat();
    let most = fields.len();
    let fields = proptest::sample::subsequence(fields, 0..=most);
    (fields, 0_u64..32, any::<u64>()).prop_map(|(fields, read_format, branch_type)| Layout {
        read_format,
        branch_type,
        interrupt_registers: branch_type,
        ..layout(&fields)
    })
}

/// Bytes with record headers here and there, so that more than the first check is met.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let kind = prop_oneof![4 => 0..20_u32, 1 => any::<u32>()];
    let piece = (
        kind,
        any::<u16>(),
        prop_oneof![4 => 0..200_u16, 1 => any::<u16>()],
        vec(any::<u8>(), 0..200),
    );
    vec(piece, 0..8).prop_map(|pieces| {
        let bytes = |(kind, misc, size, body): (u32, u16, u16, Vec<u8>)| {
            [&kind.to_ne_bytes()[..], &misc.to_ne_bytes(), &size.to_ne_bytes(), &body].concat()
        };
        pieces.into_iter().flat_map(bytes).collect()
    })
}

proptest! {
    #[test]
    fn any_bytes_in_any_layout_do_no_harm(bytes in vec(any::<u8>(), 0..300)) {
        crate::walk::any_layout(&bytes);
    }

    #[test]
    fn hostile_bytes_do_no_harm(layout in any_layout(), bytes in hostile()) {
        prop_assert!(crate::walk::walk(&layout, &bytes) <= 4 * bytes.len());
    }

    #[test]
    fn samples_come_back_as_they_were_written(
        fields in proptest::sample::subsequence(ALL[..7].to_vec(), 0..=7),
        values in vec(any::<u64>(), 7),
        count in 1..5_usize,
    ) {
        let layout = layout(&fields);
        let body: Vec<u64> = ALL[..7]
            .iter()
            .zip(&values)
            .filter(|(field, _)| fields.contains(field))
            .map(|(_, value)| *value)
            .collect();
        let bytes = record(9, 2, &words(&body)).repeat(count);
        let has = |place: usize| fields.contains(&ALL[place]).then_some(values[place]);
        let halves = |place: usize| has(place).map(|word| {
            let b = word.to_ne_bytes();
            [u32::from_ne_bytes([b[0], b[1], b[2], b[3]]), u32::from_ne_bytes([b[4], b[5], b[6], b[7]])]
        });
        let expected = Sample {
            level: Level::User,
            ip: has(0),
            pid: halves(1).map(|[pid, _]| pid),
            tid: halves(1).map(|[_, tid]| tid),
            time: has(2),
            addr: has(3),
            id: has(4),
            cpu: halves(5).map(|[cpu, _]| cpu),
            period: has(6),
            ..Sample::default()
        };
        let all: Vec<_> = layout.records(&bytes).collect();
        prop_assert_eq!(all, vec![Ok(Record::Sample(expected)); count]);
    }
}
