//! The tables that are compiled in say what the texts in `tables` do, which are read here without the build script.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use counterpoint_pmu::{AttributeKind, Layer, Machine, Pmu, find, left_out};

const VENDORS: [&str; 8] = ["intel", "amd", "arm", "power", "s390x", "sparc", "mips", "riscv"];

/// What is said about an event or one of its unit masks.
#[derive(Debug, PartialEq)]
struct Said<'a> {
    event: &'a str,
    /// `""` of an event.
    mask: &'a str,
    /// Of an event: those of unit masks are shown as their PMU programs them.
    code: Option<u64>,
    alias: Option<&'a str>,
    description: Option<&'a str>,
}

/// Descriptions by table, event, and unit mask or `""`.
type Descriptions<'a> = HashMap<(&'a str, &'a str, &'a str), &'a str>;

#[test]
fn every_line_is_compiled_in() {
    for vendor in VENDORS.into_iter().filter(|vendor| !left_out().contains(vendor)) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables").join(vendor);
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let (list, described) = (read("pmus.list"), read("descriptions.txt"));
        let described = descriptions(&described);
        let mut lines = 0;
        for line in list.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(" | ").next().unwrap().split(' ').collect();
            if words[1].starts_with("processors/") {
                // `processors::derived_tables_encode_as_the_vendors_terms` compares these.
                continue;
            }
            let text = read(&format!("{}.txt", words[1]));
            let of_text = of_text(&words, &text, &described);
            let pmu = find(words[0]).expect(words[0]);
            let of_crate = of_crate(pmu);
            for (said, compiled) in of_text.iter().zip(&of_crate) {
                assert_eq!(compiled, said, "{}", pmu.name);
            }
            assert_eq!(of_crate.len(), of_text.len(), "{}", pmu.name);
            lines += of_text.len();
        }
        assert!(lines > 100 || vendor == "riscv", "{vendor}");
    }
}

/// What the texts say of a PMU, whose words in the list these are.
fn of_text<'a>(pmu: &[&str], text: &'a str, described: &Descriptions<'a>) -> Vec<Said<'a>> {
    let revision = value(pmu, "rev").unwrap_or("0");
    let is_for = |words: &[&str]| {
        let number = |text: &str| text.parse::<u32>().ok();
        let (from, till) =
            value(words, "rev").unwrap_or("0-").split_once('-').expect("two revisions");
        value(words, "only").is_none_or(|only| only == pmu[0])
            && number(from) <= number(revision)
            && number(till).is_none_or(|till| number(revision) <= Some(till))
    };
    let (mut event, mut has_event) = ("", false);
    let mut said = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.trim_start().split(' ').collect();
        let is_event = !line.starts_with('\t');
        if is_event {
            (event, has_event) = (words[0], is_for(&words));
        }
        if has_event && is_for(&words) {
            let mask = if is_event { "" } else { words[0] };
            said.push(Said {
                event,
                mask,
                code: is_event.then(|| code(words[1]).expect("a code")),
                alias: value(&words, "alias"),
                description: described.get(&(pmu[1], event, mask)).copied(),
            });
        }
    }
    said
}

/// What the crate says of a PMU.
fn of_crate(pmu: &'static Pmu) -> Vec<Said<'static>> {
    let machine = Machine::default();
    let mut said = Vec::new();
    for event in pmu.all_events() {
        let (name, description) = (event.name, event.description());
        let code = Some(event.code);
        said.push(Said { event: name, mask: "", code, alias: event.equiv, description });
        let attributes = event.attributes(Layer::Raw, &machine).into_iter();
        said.extend(attributes.filter(|mask| mask.kind == AttributeKind::Umask).map(|mask| Said {
            event: name,
            mask: mask.name,
            code: None,
            alias: mask.equiv,
            description: mask.description(),
        }));
    }
    said
}

fn descriptions(text: &str) -> Descriptions<'_> {
    let (mut tables, mut event) = (Vec::new(), "");
    let mut described = HashMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(names) = line.strip_prefix('[') {
            tables = names.trim_end_matches(']').split(' ').collect();
            continue;
        }
        let (name, description) = line.split_once(" | ").unwrap_or((line, ""));
        let mask = name.strip_prefix('\t').unwrap_or_default();
        if mask.is_empty() {
            event = name;
        }
        for table in tables.iter().filter(|_| !description.is_empty()) {
            described.insert((*table, event, mask), description);
        }
    }
    described
}

fn code(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn value<'a>(words: &[&'a str], key: &str) -> Option<&'a str> {
    words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}
