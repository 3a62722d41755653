use counterpoint_recording::file::{
    BuildId, Contents, Event, Facts, MemoryNode, Reader, Tracepoint, Tracing, Writer,
    build_id_of_notes, comm, mmap,
};
use std::io::Cursor;

/// A part of the description of a tracepoint.
const WAKING: &str = "name: sched_waking
ID: 375
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;

\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:__data_loc char *[] name;\toffset:28;\tsize:4;\tsigned:0;

print fmt: \"comm=%s pid=%d\", REC->comm, REC->pid
";

/// Two events, three records of the kernel and a round.
pub(crate) fn written() -> (Vec<u8>, Facts) {
    let events = [("task-clock", vec![3, 4]), ("page-faults", vec![5])];
    let events = events.map(|(name, ids)| Event { name: name.into(), attr: vec![0; 112], ids });
    let node = |number| MemoryNode { number, kib: (64, 8), cpus: "0-3".to_string() };
    let facts = Facts {
        nodes: vec![node(0), node(2)],
        node_memory: vec![(0, 0..1 << 31), (0, 1 << 32..3 << 32), (2, 3 << 32..4 << 32)],
        hostname: "here".into(),
        os_release: "6.1".into(),
        version: "1".into(),
        cpuid: "0x00000000410fd0c1".into(),
        arch: "x86_64".into(),
        cpus: Some((4, 3)),
        command_line: vec!["record".into(), "a b".into()],
        sample_time: Some((10, 20)),
        rank: Some((3, 16)),
        tracing: Tracing {
            page: "page\n".into(),
            event: "event\n".into(),
            tracepoints: vec![Tracepoint { system: "sched".into(), format: WAKING.into() }],
        },
        build_ids: vec![
            BuildId { path: b"[kernel.kallsyms]".to_vec(), id: vec![1; 20], is_kernel: true },
            BuildId { path: b"/bin/true".to_vec(), id: vec![2; 16], is_kernel: false },
        ],
    };
    let mut writer = Writer::begin(Cursor::new(Vec::new()), &events).unwrap();
    writer.records(&comm(1, 2, b"name", 32)).unwrap();
    writer.records(&mmap(Contents::Code(1), 0x1000..0x2000, 0, b"/bin/true", 32)).unwrap();
    writer
        .records(&mmap(Contents::Kernel, 0x8000..0x9000, 0x8000, b"[kernel.kallsyms]_stext", 32))
        .unwrap();
    writer.round().unwrap();
    (writer.finish(&facts).unwrap().into_inner(), facts)
}

#[test]
fn what_is_written_comes_back() {
    let (bytes, facts) = written();
    let mut reader = Reader::open(Cursor::new(bytes)).unwrap();
    assert_eq!(reader.facts(), &facts);
    let names: Vec<_> = reader.events().iter().map(|e| (e.name.clone(), e.ids.clone())).collect();
    assert_eq!(names, [("task-clock".into(), vec![3, 4]), ("page-faults".into(), vec![5])]);
    let mut kinds = Vec::new();
    reader.records(|raw| kinds.push((raw.kind, raw.bytes.len() % 8))).unwrap();
    assert_eq!(kinds, [(3, 0), (1, 0), (1, 0)]);
    assert!(reader.problems().is_empty(), "{:?}", reader.problems());
}

#[test]
fn the_build_id_is_found_among_other_notes() {
    let note = |kind: u32, name: &[u8], id: &[u8]| {
        let mut bytes = Vec::new();
        for number in [name.len() as u32, id.len() as u32, kind] {
            bytes.extend(number.to_ne_bytes());
        }
        for part in [name, id] {
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        bytes
    };
    let notes =
        [note(1, b"GNU\0", &[9; 3]), note(3, b"Other\0", &[8; 4]), note(3, b"GNU\0", &[7; 20])];
    let notes = notes.concat();
    assert_eq!(build_id_of_notes(&notes), Some(&[7; 20][..]));
    for end in 0..notes.len() - 19 {
        assert_eq!(build_id_of_notes(&notes[..end]), None);
    }
}

#[test]
fn the_fields_of_a_tracepoint_are_where_the_kernel_says() {
    let waking = Tracepoint { system: "sched".into(), format: WAKING.into() };
    assert_eq!(waking.id(), Some(375));
    assert_eq!(waking.field("pid"), Some(24..28));
    assert_eq!(waking.field("comm"), Some(8..24));
    assert_eq!(waking.field("common_flags"), Some(2..3));
    assert_eq!((waking.field("id"), waking.field("")), (None, None));
    let attr = |kind: u32, config: u64| {
        let mut attr = vec![0; 112];
        attr[..4].copy_from_slice(&kind.to_ne_bytes());
        attr[8..16].copy_from_slice(&config.to_ne_bytes());
        Event { attr, ..Event::default() }
    };
    let (_, facts) = written();
    assert_eq!(facts.tracepoint(&attr(2, 375)), Some(&waking));
    assert_eq!((facts.tracepoint(&attr(1, 375)), facts.tracepoint(&attr(2, 374))), (None, None));
}
