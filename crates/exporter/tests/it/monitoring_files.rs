//! The files of `examples/monitor`: what they name is what the exporter shows.

use crate::values::{exporter, machine};
use counterpoint_exporter::Format;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/monitor");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// The names of series in a text; those of rules have a colon before them.
fn series(text: &str) -> BTreeSet<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let words = text.split(|c: char| !is_name(c));
    words.filter(|word| word.starts_with("counterpoint_")).collect()
}

#[test]
fn rules_and_dashboard_name_series_of_the_configuration() {
    let kernel = ["system.slice", "user.slice"].iter().fold(machine(2), |kernel, cgroup| {
        kernel.file(format!("/sys/fs/cgroup/{cgroup}/cgroup.procs"), "")
    });
    let kernel = kernel
        .file("/proc/self/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
        .file("/sys/bus/event_source/devices/power/type", "12\n")
        .file("/sys/bus/event_source/devices/power/cpumask", "0\n")
        .file("/sys/bus/event_source/devices/power/format/event", "config:0-7\n")
        .file("/sys/bus/event_source/devices/power/events/energy-pkg", "event=0x02\n")
        .file("/sys/bus/event_source/devices/power/events/energy-pkg.unit", "Joules\n")
        .file("/sys/bus/event_source/devices/power/events/energy-pkg.scale", "2.3e-10\n");
    let mut exporter = exporter(&kernel, &file("counterpoint.toml"));
    assert_eq!(exporter.refused().count(), 0);
    kernel.run(Duration::from_millis(1));
    exporter.end_interval();
    let text = exporter.text(Format::Prometheus);
    let shown = series(&text);
    for name in ["rules.yml", "dashboard.json"] {
        let text = file(name);
        let named = series(&text);
        assert!(named.len() > 5, "{name}: {named:?}");
        let unknown: Vec<_> = named.difference(&shown).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}, where there is {shown:?}");
    }
}
