//! Every known event string through the C functions, beside what the crate of the tables answers.

use std::fs;

use counterpoint_pmu::{
    Context, CpuId, EncodeError, Encoding, Layer, Machine, PerfEncoding, Privilege, encode,
};

use super::alone::alone;
use super::columns::Columns;
use super::corrections::Corrections;
use super::*;

/// The machine as the library finds it.
fn machine() -> Machine {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut machine = CpuId::from_cpuinfo(&cpuinfo).map(Machine::of).unwrap_or_default();
    machine.perf_events = fs::exists("/proc/sys/kernel/perf_event_paranoid").unwrap_or(false);
    let devices = fs::read_dir("/sys/bus/event_source/devices").into_iter().flatten().flatten();
    let kinds = devices.filter_map(|entry| {
        let kind = fs::read_to_string(entry.path().join("type")).ok()?;
        Some((entry.file_name().into_string().ok()?, kind.trim().parse().ok()?))
    });
    let kinds = kinds.collect();
    machine.showing(kinds)
}

/// The name of a result, without its prefix.
fn name(result: c_int) -> String {
    const NAMES: [&str; 13] = [
        "SUCCESS", "NOTSUPP", "INVAL", "NOINIT", "NOTFOUND", "FEATCOMB", "UMASK", "NOMEM", "ATTR",
        "ATTR_VAL", "ATTR_SET", "TOOMANY", "TOOSMALL",
    ];
    NAMES[usize::try_from(-result).expect("a result")].to_owned()
}

type Answer = (String, String, Vec<u64>);

fn refused(error: &EncodeError) -> Answer {
    (error.code().to_owned(), String::new(), Vec::new())
}

/// The words of `perf_event_attr`, which was zero.
fn words(perf: &PerfEncoding) -> Vec<u64> {
    let flags = u64::from(perf.pinned) << 2
        | u64::from(perf.exclusive) << 3
        | u64::from(perf.exclude_user) << 4
        | u64::from(perf.exclude_kernel) << 5
        | u64::from(perf.exclude_hv) << 6
        | u64::from(perf.freq) << 10
        | u64::from(perf.precise_ip) << 15
        | u64::from(perf.exclude_host) << 19
        | u64::from(perf.exclude_guest) << 20;
    let cpu = perf.cpu.map_or(u64::MAX, u64::from);
    let first = 72 << 32 | u64::from(perf.kind);
    vec![first, perf.config, perf.period, 0, 0, flags, 0, perf.config1, perf.config2, cpu]
}

fn expected(found: &Result<Encoding, EncodeError>) -> Answer {
    let encoding = match found {
        Ok(encoding) => encoding,
        Err(error) => return refused(error),
    };
    let words = encoding.perf.as_ref().map_or_else(|| encoding.codes.to_vec(), words);
    ("SUCCESS".to_owned(), encoding.fully_qualified.clone(), words)
}

fn found(event: &str, levels: c_int, layer: Layer) -> Answer {
    let (result, words, string) = match layer {
        Layer::Raw => {
            let (result, codes, string, _) = raw(event, levels);
            (result, codes, string)
        }
        layer => {
            let (result, attr, string, cpu) = perf(event, levels, layer as u32);
            (result, [&attr[..], &[cpu as i64 as u64]].concat(), string)
        }
    };
    let words = if result == SUCCESS { words } else { Vec::new() };
    (name(result), string, words)
}

/// Compares the rows of a file, and returns how many there are.
fn compare(bytes: &[u8]) -> usize {
    let columns = Columns::read(bytes);
    let corrections = Corrections::read();
    let machine = machine();
    let context = |layer, levels| {
        let mut context = Context::new(layer);
        context.machine = machine.clone();
        context.privilege = Privilege::from_bits(levels).unwrap_or_default();
        context
    };
    let layers = [Layer::Raw, Layer::PerfEvent, Layer::PerfEventExt];
    let contexts =
        layers.map(|layer| (0..32).map(|levels| context(layer, levels)).collect::<Vec<_>>());
    for row in 0..columns.len() {
        let event = columns.get(row, "event");
        let levels: u32 = columns.get(row, "plm").parse().unwrap_or(9);
        for (layer, contexts) in layers.into_iter().zip(&contexts) {
            let found = found(event, levels as c_int, layer);
            match contexts.get(levels as usize) {
                Some(context) => {
                    assert_eq!(found, expected(&encode(event, context)), "{event} {layer:?}");
                }
                None => assert_eq!(found.0, "INVAL", "{event} {levels:#x}"),
            }
        }
        // The energy counters are those of this processor.
        if columns.get(row, "quirk").is_empty() && !event.to_ascii_lowercase().starts_with("rapl::")
        {
            let (result, codes, full, _) = raw(event, levels as c_int);
            let known = (columns.get(row, "raw"), columns.get(row, "codes"));
            let words = |codes: &[u64]| [0, 1].map(|place| codes.get(place).copied().unwrap_or(0));
            let changed = corrections.of(event, &full);
            let number = |code: &str| u64::from_str_radix(code.trim_start_matches("0x"), 16);
            let theirs: Vec<u64> = known.1.split(',').flat_map(number).collect();
            let is_corrected = changed.is_some_and(|changed| {
                known.0 != name(result) || changed.explains(words(&theirs), words(&codes))
            });
            let codes: Vec<String> = codes.iter().map(|code| format!("{code:#x}")).collect();
            let codes = if codes.is_empty() { "-".to_owned() } else { codes.join(",") };
            if !is_corrected {
                assert_eq!((name(result).as_str(), codes.as_str()), known, "{event}");
            }
        }
    }
    columns.len()
}

macro_rules! vectors {
    ($test:ident, $file:literal, $rows:literal) => {
        #[test]
        fn $test() {
            let variables = [("LIBPFM_ENCODE_INACTIVE", "1")];
            alone(concat!("vectors::", stringify!($test)), &variables, || {
                assert_eq!(pfm::pfm_initialize(), SUCCESS);
                let rows = compare(include_bytes!(concat!("../../../../fixtures/pmu/", $file)));
                assert_eq!(rows, $rows);
            });
        }
    };
}

vectors!(every_event_and_unit_mask, "encodings.gz", 141_736);
vectors!(combinations, "combos.gz", 41_812);
vectors!(modifiers, "mods.gz", 39_315);
vectors!(raw_umasks, "raw.gz", 5_834);
vectors!(special_values, "spec.gz", 50_732);
vectors!(syntax, "syntax.gz", 7_494);
