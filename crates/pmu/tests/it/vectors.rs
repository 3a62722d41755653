//! The answers of libpfm4 to 288,000 event strings, and those of this crate.

use std::collections::BTreeMap;

use counterpoint_pmu::{
    Context, EncodeError, Encoding, Layer, Machine, PerfEncoding, Privilege, encode, find,
};

use super::columns::Columns;
use super::corrections::Corrections;

const DEVICES: &str = include_str!("../../../../fixtures/pmu/devices.tsv");

/// A machine that shows every PMU, with the types that the vectors were made with.
fn machine() -> Machine {
    let mut machine = Machine::default();
    let devices = DEVICES.lines().skip(1).map(|line| line.split_once('\t').expect("a tab"));
    machine.devices =
        devices.map(|(name, kind)| (name.to_owned(), kind.parse().expect("a type"))).collect();
    machine
}

/// A machine without any PMU.
fn bare() -> Machine {
    let devices =
        [("breakpoint", 5), ("msr", 10), ("power", 9), ("software", 1), ("tracepoint", 2)];
    let mut machine = Machine::default();
    machine.devices = devices.map(|(name, kind)| (name.to_owned(), kind)).into();
    machine
}

fn context(layer: Layer, machine: &Machine, arch: &str) -> Context {
    let mut context = Context::new(layer);
    context.machine = machine.clone();
    if matches!(arch, "x86" | "generic") {
        context.machine.privilege = Privilege::USER | Privilege::KERNEL;
    }
    context
}

/// Every context that a file needs, made once.
struct Contexts {
    known: BTreeMap<(u8, String, String), Context>,
    machine: Machine,
}

impl Contexts {
    fn new(machine: Machine) -> Contexts {
        Contexts { known: BTreeMap::new(), machine }
    }

    fn get(&mut self, layer: Layer, plm: &str, arch: &str) -> &Context {
        let key = (layer as u8, plm.to_owned(), arch.to_owned());
        self.known.entry(key).or_insert_with(|| {
            let mut context = context(layer, &self.machine, arch);
            let levels = plm.parse().ok().and_then(Privilege::from_bits);
            context.privilege = levels.unwrap_or(context.privilege);
            context
        })
    }
}

fn hex(values: &[u64]) -> String {
    values.iter().map(|value| format!("{value:#x}")).collect::<Vec<_>>().join(",")
}

fn digits(bits: &[bool]) -> String {
    bits.iter().map(|bit| if *bit { '1' } else { '0' }).collect()
}

fn raw(found: &Result<Encoding, EncodeError>) -> [String; 3] {
    match found {
        Ok(e) => ["SUCCESS".to_owned(), e.fully_qualified.clone(), hex(&e.codes)],
        Err(error) => [error.code().to_owned(), "-".to_owned(), "-".to_owned()],
    }
}

/// The perf columns, with those of sampling where the file has them.
fn perf(found: &Result<Encoding, EncodeError>, sampling: bool) -> Vec<String> {
    let Ok(encoding) = found else {
        let code = found.as_ref().err().map_or("", |error| error.code());
        return vec![code.to_owned()];
    };
    let p: &PerfEncoding = encoding.perf.as_ref().expect("a perf layer");
    let excluded =
        [p.exclude_user, p.exclude_kernel, p.exclude_hv, p.exclude_host, p.exclude_guest];
    let string = Some(&encoding.fully_qualified).filter(|string| !string.is_empty());
    let mut words = vec![
        "SUCCESS".to_owned(),
        string.cloned().unwrap_or("-".to_owned()),
        p.kind.to_string(),
        format!("{:#x}", p.config),
        format!("{:#x}", p.config1),
        format!("{:#x}", p.config2),
        digits(&excluded),
    ];
    if sampling {
        let numbers =
            [p.period, p.freq.into(), p.precise_ip.into(), p.exclusive.into(), p.pinned.into()];
        words.extend(numbers.map(|number| number.to_string()));
        words.push(p.cpu.map_or("-1".to_owned(), |cpu| cpu.to_string()));
    }
    words
}

/// Rows that came out otherwise: by quirk, how many; by correction, how many that only one side refuses and how many
/// others; and those without either.
struct Outcome {
    rows: usize,
    corrections: Corrections,
    refused: usize,
    corrected: usize,
    quirks: BTreeMap<String, usize>,
    wrong: BTreeMap<String, Vec<String>>,
}

/// `config` and `config1` of an answer, or the codes of registers, which are its last column.
fn words(answer: &[String]) -> [u64; 2] {
    let words: Vec<&str> = match answer {
        [.., codes] if answer.len() <= 3 => codes.split(',').collect(),
        _ => answer.iter().skip(3).map(String::as_str).collect(),
    };
    let number = |word: &&str| u64::from_str_radix(word.trim_start_matches("0x"), 16).unwrap_or(0);
    [0, 1].map(|place| words.get(place).map_or(0, number))
}

/// The expected answer of a row at a layer, and the one that was found.
type Compared = (Vec<String>, Vec<String>);

impl Outcome {
    fn new() -> Outcome {
        Outcome {
            rows: 0,
            corrections: Corrections::read(),
            refused: 0,
            corrected: 0,
            quirks: BTreeMap::new(),
            wrong: BTreeMap::new(),
        }
    }

    fn row(&mut self, event: &str, quirk: &str, compared: &[Compared]) {
        self.rows += 1;
        let mut different =
            compared.iter().filter(|(expected, found)| expected != found).peekable();
        let Some((expected, found)) = different.peek().copied() else { return };
        if different.all(|(expected, found)| self.is_corrected(event, expected, found)) {
            if expected[0] == found[0] {
                self.corrected += 1
            } else {
                self.refused += 1
            }
            return;
        }
        if !quirk.is_empty() {
            *self.quirks.entry(quirk.to_owned()).or_default() += 1;
            return;
        }
        let pmu = event.split("::").next().unwrap_or_default();
        let family = find(pmu).map_or(pmu, |pmu| pmu.description);
        let line = format!("{event}\n  libpfm {expected:?}\n  ours   {found:?}");
        self.wrong.entry(family.to_owned()).or_default().push(line);
    }

    /// Returns true if the list of corrections says that an answer differs, in the words that it does.
    fn is_corrected(&self, event: &str, expected: &[String], found: &[String]) -> bool {
        let full = found.get(1).map_or("", String::as_str);
        let Some(changed) = self.corrections.of(event, full) else { return false };
        if expected[0] != "SUCCESS" || found[0] != "SUCCESS" {
            // Unit masks that are combined with a corrected one, or modifiers that are part of its code.
            return expected[0] != found[0];
        }
        changed.explains(words(expected), words(found))
            && (expected.len() == 2 || changed.explains_text(&expected[1], full))
            // The type, and what follows `config` and `config1`.
            && (expected.len() <= 3
                || expected[2] == found[2] && expected.get(5..) == found.get(5..))
    }

    /// Fails with a few rows of each kind of PMU, if any is wrong.
    fn check(&self, rows: usize, corrected: [usize; 2], quirks: &[(&str, usize)]) {
        let mut text = String::new();
        for (family, lines) in &self.wrong {
            text.push_str(&format!("{family}: {} rows\n", lines.len()));
            let step = (lines.len() / 3).max(1);
            lines.iter().step_by(step).for_each(|line| text.push_str(&format!("  {line}\n")));
        }
        let found: Vec<(&str, usize)> = self.quirks.iter().map(|(k, n)| (k.as_str(), *n)).collect();
        assert!(text.is_empty(), "{text}\n{found:?}");
        assert_eq!(found, quirks);
        assert_eq!([self.corrected, self.refused], corrected);
        assert_eq!(self.rows, rows);
    }
}

fn run(bytes: &[u8], layer: Layer) -> Outcome {
    let columns = Columns::read(bytes);
    let mut outcome = Outcome::new();
    let (mut full, mut bares) = (Contexts::new(machine()), Contexts::new(bare()));
    let name = if layer == Layer::PerfEvent { "perf" } else { "perfext" };
    for row in 0..columns.len() {
        let get = |name: &str| columns.get(row, name);
        let own = |name: &str| get(name).to_owned();
        let (event, plm, arch) = (get("event"), get("plm"), get("arch"));
        if !plm.is_empty() && Privilege::from_bits(plm.parse().expect("a mask")).is_none() {
            // Levels that do not exist cannot be asked for here.
            assert_eq!((get("raw"), get(name)), ("INVAL", "INVAL"), "{event}");
            outcome.rows += 1;
            continue;
        }
        let found = raw(&encode(event, full.get(Layer::Raw, plm, arch)));
        let mut compared = vec![(["raw", "raw_string", "codes"].map(own).to_vec(), found.to_vec())];
        let context = full.get(layer, plm, arch);
        let encoding = encode(event, context);
        if let Ok(encoding) = &encoding {
            let again = encode(&encoding.canonical, context);
            assert_eq!(again.as_ref(), Ok(encoding), "{event} {}", encoding.canonical);
        }
        let found = perf(&encoding, layer == Layer::PerfEventExt);
        let mut expected = vec![own(name)];
        if expected[0] == "SUCCESS" {
            expected.push(own(&format!("{name}_string")));
            let rest = ["attr_type", "config", "config1", "config2", "exclude_ukhHG", "period"];
            let more = ["freq", "precise_ip", "exclusive", "pinned", "cpu"];
            expected.extend(rest.iter().chain(&more).map(|n| own(n)).filter(|c| !c.is_empty()));
        }
        compared.push((expected, found));
        if !matches!(get("bare"), "" | "-") {
            let found = perf(&encode(event, bares.get(layer, plm, arch)), false);
            let kind = found.get(2).cloned().unwrap_or(own("bare_type"));
            compared.push((["bare", "bare_type"].map(own).to_vec(), vec![found[0].clone(), kind]));
        }
        outcome.row(event, get("quirk"), &compared);
    }
    outcome
}

macro_rules! vectors {
    ($test:ident, $file:literal, $layer:expr, $rows:literal, $corrected:expr, $quirks:expr) => {
        #[test]
        fn $test() {
            let bytes = include_bytes!(concat!("../../../../fixtures/pmu/", $file));
            run(bytes, $layer).check($rows, $corrected, &$quirks);
        }
    };
}

vectors!(
    every_event_and_unit_mask,
    "encodings.gz",
    Layer::PerfEvent,
    141_736,
    [1_689, 0],
    [("dfl-flags-missed,zero-printed-refused,no-roundtrip", 8), ("torrent-empty-name", 178)]
);
vectors!(combinations, "combos.gz", Layer::PerfEventExt, 41_812, [190, 17], []);
vectors!(
    modifiers,
    "mods.gz",
    Layer::PerfEventExt,
    39_315,
    [177, 0],
    [
        ("nhm-c-inval", 16),
        ("torrent-attr-position", 64),
        ("torrent-empty-name", 21),
        ("torrent-empty-name,torrent-attr-position", 3),
    ]
);
vectors!(raw_umasks, "raw.gz", Layer::PerfEventExt, 5_834, [4, 0], []);
vectors!(special_values, "spec.gz", Layer::PerfEventExt, 50_732, [532, 6], []);
vectors!(
    syntax,
    "syntax.gz",
    Layer::PerfEventExt,
    7_494,
    [5, 0],
    [("torrent-empty-name", 4), ("torrent-empty-name,torrent-attr-position", 2),]
);

/// A host with Sapphire Rapids and all its uncore boxes.
#[test]
fn without_a_prefix_the_machine_decides() {
    let columns = Columns::read(include_bytes!("../../../../fixtures/pmu/noprefix.gz"));
    let uncore = |pmu: &&counterpoint_pmu::Pmu| pmu.name.starts_with("spr_unc_");
    let mut pmus = vec![find("spr").unwrap(), find("rapl").unwrap()];
    pmus.extend(counterpoint_pmu::all().filter(uncore));
    let mut machine = Machine::with(pmus);
    machine.devices = self::machine().devices;
    let mut outcome = Outcome::new();
    for row in 0..columns.len() {
        let mut context = Context::new(Layer::Raw);
        context.machine = machine.clone();
        let own = |name: &str| columns.get(row, name).to_owned();
        let Some(levels) = Privilege::from_bits(own("plm").parse().expect("a mask")) else {
            assert_eq!((own("raw"), own("perfext")), ("INVAL".into(), "INVAL".into()));
            outcome.rows += 1;
            continue;
        };
        context.privilege = levels;
        let event = columns.get(row, "event");
        let found = raw(&encode(event, &context));
        let mut compared = vec![(["raw", "raw_string", "codes"].map(own).to_vec(), found.to_vec())];
        context.layer = Layer::PerfEventExt;
        let mut found = perf(&encode(event, &context), true);
        let mut expected = ["perfext", "perfext_string", "attr_type", "config"].map(own).to_vec();
        found.truncate(4);
        expected.truncate(found.len());
        compared.push((expected, found));
        outcome.row(event, columns.get(row, "quirk"), &compared);
    }
    outcome.check(20, [3, 0], &[]);
}

/// The strings that libpfm4 tests itself with.
#[test]
fn strings_of_libpfms_own_tests() {
    let columns = Columns::read(include_bytes!("../../../../fixtures/pmu/upstream.gz"));
    let mut outcome = Outcome::new();
    let mut contexts = Contexts::new(machine());
    for row in 0..columns.len() {
        let own = |name: &str| columns.get(row, name).to_owned();
        let event = columns.get(row, "event");
        let suite = columns.get(row, "suite");
        let [code, _, codes] = raw(&encode(event, contexts.get(Layer::Raw, "9", suite)));
        let compared = (["raw", "codes"].map(own).to_vec(), vec![code, codes]);
        outcome.row(event, columns.get(row, "quirk"), &[compared]);
    }
    outcome.check(1_036, [16, 0], &[]);
}

#[test]
fn every_correction_is_in_the_tables() {
    let corrections = Corrections::read();
    let context = context(Layer::PerfEvent, &machine(), "x86");
    let mut compared = 0;
    for (name, words) in corrections.events() {
        // A list of boxes is shown by its first one, and a bit that every event of a kind loses by none.
        let name = name.replace("*::", "0::");
        let mut found = encode(&name, &context);
        if found.is_err() {
            found = encode(&format!("{name}:nf=1"), &context);
        }
        let perf = found.unwrap_or_else(|error| panic!("{name}: {error}")).perf.expect("perf");
        let exact = [perf.config, perf.config1];
        if name.starts_with("atom::") && words == [0, 0] {
            assert_eq!(exact[0] & 0x3000, 0, "{name}");
        } else if name.contains(":TARGET") {
            assert_eq!(exact[0], words[0], "{name}");
        } else {
            assert_eq!(exact, words, "{name}");
        }
        compared += 1;
    }
    assert!(compared > 250, "{compared}");
}

/// The events that Intel's files of August 2026 have, and libpfm4 has not.
#[test]
fn codes_are_the_vendors() {
    let context = context(Layer::PerfEvent, &machine(), "x86");
    for (event, config, config1) in [
        ("adl_glc::CPU_CLK_UNHALTED:THREAD", 0x3c, 0),
        ("adl_glc::CPU_CLK_UNHALTED:REF_TSC", 0x300, 0),
        ("adl_glc::UOPS_RETIRED:MS", 0x4c2, 8),
        ("spr::CPU_CLK_UNHALTED:THREAD", 0x3c, 0),
        ("spr::INT_MISC:UNKNOWN_BRANCH_CYCLES:c=2", 0x200_40ad, 7),
        ("spr::MEM_TRANS_RETIRED:STORE_SAMPLE", 0x2cd, 0),
        ("spr::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=64", 0x1cd, 64),
        ("gnr::OCR:DEMAND_RFO_CXL_MEM", 0x12a, 0x7_03c0_0002),
        ("gnr_unc_imc0::UNC_M_CLOCKTICKS", 0x101, 0),
        ("hswep_unc_imc0::UNC_M_RD_CAS_RANK2:BANK12", 0xcb2, 0),
    ] {
        let perf = encode(event, &context).expect(event).perf.expect("perf");
        assert_eq!((perf.config, perf.config1), (config, config1), "{event}");
    }
}
