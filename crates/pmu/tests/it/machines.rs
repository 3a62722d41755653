//! The recorded machines' PMUs: their files are what the crate has to understand.

use std::fs;
use std::path::Path;

use counterpoint_pmu::syntax::{Term, Value};
use counterpoint_pmu::sysfs::Pmu;

/// The files of a directory, with their names; none if there is no such directory.
fn files(directory: &Path) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let file = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a text");
        (entry.file_name().to_string_lossy().into_owned(), text)
    };
    entries.map(|entry| file(entry.expect("an entry"))).collect()
}

fn borrowed(files: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
}

/// Every PMU of every recorded machine.
fn pmus() -> Vec<Pmu> {
    let machines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines");
    let machines = fs::read_dir(machines).expect("recorded machines");
    let mut pmus = Vec::new();
    for machine in machines {
        let devices = machine.expect("an entry").path().join("sys/bus/event_source/devices");
        let Ok(devices) = fs::read_dir(devices) else { continue };
        for device in devices {
            let path = device.expect("an entry").path();
            let kind = fs::read_to_string(path.join("type")).expect("a type");
            let (formats, events) = (files(&path.join("format")), files(&path.join("events")));
            let name = path.file_name().expect("a name").to_string_lossy();
            let kind = kind.trim().parse().expect("a number");
            pmus.push(Pmu::from_files(&name, kind, borrowed(&formats), borrowed(&events)));
        }
    }
    pmus
}

#[test]
fn every_event_of_every_pmu_is_encoded_and_can_be_read_back() {
    let pmus = pmus();
    let mut events = 0;
    for pmu in &pmus {
        assert_eq!(pmu.problems, [], "{}", pmu.name);
        for event in &pmu.events {
            let flag =
                Term { name: event.name.clone(), value: Value::Flag, span: 0..1, value_span: 0..1 };
            let supplied = event.placeholders().map(|name| Term {
                name: name.to_owned(),
                value: Value::Number(1),
                ..flag.clone()
            });
            let terms: Vec<Term> = std::iter::once(flag.clone()).chain(supplied).collect();
            let config =
                pmu.encode(&terms).unwrap_or_else(|error| panic!("{}: {error}", event.name));
            assert_eq!(config.event.as_deref(), Some(event.name.as_str()));
            for term in &event.terms {
                let Some(format) = pmu.format(&term.name) else { continue };
                let expected = match term.value {
                    Value::Number(value) => value,
                    _ => 1,
                };
                let found = format.gather(config.register(format.register));
                assert_eq!(found, expected, "{} {}", event.name, term.name);
            }
            assert_eq!(pmu.encode(&[flag]).is_err(), event.placeholders().count() > 0);
            events += 1;
        }
    }
    assert!(pmus.len() > 50 && events > 100, "{} PMUs, {events} events", pmus.len());
}
