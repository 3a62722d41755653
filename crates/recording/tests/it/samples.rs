use counterpoint_recording::file::{Contents, Event, Facts, Reader, Writer, comm, mmap};
use counterpoint_recording::{ReadError, Samples};
use std::fs::File;
use std::io::Cursor;
use std::ops::ControlFlow;

/// `PERF_SAMPLE_IP`, `_TID`, `_TIME`, `_ADDR`, `_CALLCHAIN`, `_CPU` and `_PERIOD`.
const FIELDS: u64 = 1 | 2 | 4 | 8 | 32 | 128 | 256;
/// `PERF_CONTEXT_USER`.
const USER: u64 = -512_i64 as u64;

/// A sample of user code of the process 7.
pub(crate) fn sample(ip: u64, time: u64, callers: &[u64]) -> Vec<u8> {
    let halves = |halves: [u32; 2]| {
        u64::from_ne_bytes(halves.map(u32::to_ne_bytes).concat().try_into().unwrap())
    };
    let (pid, cpu) = (halves([7, 8]), halves([3, 0]));
    let mut words = vec![ip, pid, time, 0xda7a, cpu, 1000, callers.len() as u64 + 2, USER, ip];
    words.extend(callers);
    let size = 8 + 8 * words.len() as u16;
    let mut bytes = [9_u32.to_ne_bytes().to_vec(), 2_u16.to_ne_bytes().to_vec()].concat();
    bytes.extend(size.to_ne_bytes());
    bytes.extend(words.into_iter().flat_map(u64::to_ne_bytes));
    bytes
}

fn recording(samples: &[Vec<u8>]) -> Vec<u8> {
    of_machine(samples, &Facts::default())
}

pub(crate) fn of_machine(samples: &[Vec<u8>], facts: &Facts) -> Vec<u8> {
    let mut attr = vec![0; 112];
    attr[24..32].copy_from_slice(&FIELDS.to_ne_bytes());
    let event = Event { name: "task-clock:u".into(), attr, ids: vec![1] };
    let mut writer = Writer::begin(Cursor::new(Vec::new()), &[event]).unwrap();
    // The mapping is told after a sample of its code.
    writer.records(&samples[0]).unwrap();
    writer.records(&comm(7, 8, b"worker", 0)).unwrap();
    writer.records(&mmap(Contents::Code(7), 0x5000..0x6000, 0x1000, b"/no/program", 0)).unwrap();
    samples[1..].iter().for_each(|sample| writer.records(sample).unwrap());
    writer.finish(facts).unwrap().into_inner()
}

pub(crate) fn file(bytes: &[u8]) -> File {
    use std::io::{Seek, Write};
    let name = std::env::temp_dir().join(format!(
        "counterpoint-samples-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let mut file = File::options().read(true).write(true).create_new(true).open(&name).unwrap();
    std::fs::remove_file(name).unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

#[test]
fn each_sample_has_its_thread_its_module_and_its_stack() {
    let bytes = recording(&[sample(0x5010, 10, &[0x5021]), sample(0x9000, 20, &[])]);
    let samples = Samples::read(file(&bytes)).unwrap();
    assert_eq!(samples.events(), ["task-clock:u"]);
    let modules = samples.modules(0).to_vec();
    let mut found = Vec::new();
    let remarks = samples.each(|of| {
        let inside = |address: u64| modules.iter().find(|module| module.range.contains(&address));
        let place = of.located.address.map(|address| {
            let module = inside(address).unwrap();
            (module.path.display().to_string(), address - module.range.start + module.offset)
        });
        let sample = of.sample;
        let numbers = (sample.time, sample.tid, sample.cpu, sample.period, sample.addr);
        assert_eq!(numbers, (sample.time, Some(8), Some(3), Some(1000), Some(0xda7a)));
        found.push((sample.time.unwrap(), of.comm.map(str::to_string), place, of.located.stack));
        ControlFlow::Continue(())
    });
    assert!(remarks.unwrap().is_empty());
    let worker = Some("worker".to_string());
    // A caller is before the address to which it returns.
    let first =
        (10, worker.clone(), Some(("/no/program".to_string(), 0x1010)), vec![0x5010, 0x5020]);
    assert_eq!(found, [first, (20, worker, None, vec![counterpoint::profile::UNKNOWN])]);
}

#[test]
fn samples_end_when_no_more_are_wanted() {
    let samples: Vec<_> = (0..9).map(|time| sample(0x5010, time, &[])).collect();
    let bytes = recording(&samples);
    let mut read = 0;
    let samples = Samples::read(file(&bytes)).unwrap();
    let remarks = samples.each(|of| {
        read += 1;
        if of.sample.time == Some(2) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((read, remarks.unwrap().len()), (3, 0));
    // Records of every kind end the same way.
    let mut reader = Reader::open(Cursor::new(bytes)).unwrap();
    let mut kinds = Vec::new();
    let all = reader.records_until(|raw| {
        kinds.push(raw.kind);
        if raw.kind == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    all.unwrap();
    assert_eq!(kinds, [9, 3, 1]);
}

#[test]
fn what_is_no_recording_is_refused() {
    assert!(matches!(Samples::read(file(b"no recording at all")), Err(ReadError::File(_))));
    assert!(matches!(Samples::open(std::env::temp_dir()), Err(ReadError::Directory)));
    let cut = &recording(&[sample(0x5010, 10, &[]), sample(0x5010, 20, &[])])[..];
    let samples = Samples::read(file(&cut[..cut.len() - 200])).unwrap();
    let remarks = samples.each(|_| ControlFlow::Continue(())).unwrap();
    assert!(!remarks.is_empty());
}
