//! Laws that hold for any files of sysfs at all; the fuzz target asks the same.

use counterpoint_pmu::syntax::{self, Source};
use counterpoint_pmu::sysfs::Pmu;

/// Lines `name=content` are files: those of `format`, after an empty line those of `events`, and after
/// another a list of events for `parse`. Nothing panics, fields give back what they are given, and errors
/// point into the list.
pub(crate) fn check(text: &str) {
    let mut parts = text.splitn(3, "\n\n");
    let mut files = || parts.next().unwrap_or_default().lines().filter_map(|l| l.split_once('='));
    let (formats, events) = (files(), files());
    let pmu = Pmu::from_files("cpu", 4, formats, events);
    for format in &pmu.formats {
        for value in [0, 1, 0x5a5a_5a5a_5a5a_5a5a, u64::MAX] {
            assert_eq!(format.gather(format.scatter(value)), value & format.max(), "{format:?}");
        }
    }
    let list = parts.next().unwrap_or_default();
    let Ok(groups) = syntax::parse(list) else { return };
    for event in groups.iter().flat_map(|group| &group.events) {
        let Source::Pmu { terms, .. } = &event.source else { continue };
        if let Err(error) = pmu.encode(terms) {
            assert!(list.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.help().is_empty());
        }
    }
}

#[test]
fn odd_files() {
    let texts = [
        "",
        "event=config:0-7\n\ncycles=event=0x3c\n\ncpu/cycles,event=1/",
        "a=config:0-63\nb=config:63-0\nc=config4:1\nd=config:\ne=config:64\n\n\ncpu/a=0xffffffffffffffff,b,c,d/",
        "a=config:0-7,0-7\n\n=\n\ncpu/a=256/",
        "é=config:0\n\né=é=1\n\ncpu/é=é,é/",
        "a=config:0\n\nx=a=?\nx.scale=nan\nx.unit=é\n\ncpu/x,a=?/,cpu/x/",
        "event=config:0-7\n\n\ncpu/event=,=,,event=999999999999999999999999/",
    ];
    texts.into_iter().for_each(check);
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("any_sysfs") {
        check(&String::from_utf8_lossy(&seed));
    }
}
