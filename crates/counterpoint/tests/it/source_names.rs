//! Names of numbers of files: patterns, quotes, and what is wrong with a name.

use crate::sources::{kernel, number, open};
use crate::world::set;
use counterpoint::perf::Host;
use counterpoint::{Machine, Target, doctor};

fn names(pattern: &str) -> Vec<String> {
    let mut counters = open(&kernel("linux-7.2"), Target::AllCpus, pattern);
    counters.read().unwrap().rows.iter().map(|row| row.id.to_string()).collect()
}

#[test]
fn a_pattern_stands_for_names_with_as_many_parts() {
    assert_eq!(
        names("vmstat/pg*fault/"),
        ["vmstat/pgfault/", "vmstat/pgmajfault/"],
        "without instances"
    );
    assert!(names("memory/*/").contains(&"memory/MemFree/".to_string()));
    assert_eq!(names("irq/cpu[01]/LOC/"), ["irq/cpu0/LOC/", "irq/cpu1/LOC/"]);
    assert_eq!(names("irq/*/LOC/").len(), 4);
    assert_eq!(names("cputime/*/steal/").len(), 4);
    assert_eq!(names("cputime/ste*/"), ["cputime/steal/"]);
    assert_eq!(names("net/l*/rx_b*/"), ["net/lo/rx_bytes/"]);
    assert!(names("softirq/*/").iter().all(|name| name.matches('/').count() == 2));
}

#[test]
fn an_instance_with_a_comma_is_written_in_quotes() {
    let text = "Inter-|\n face |\nx,y: 5 0\n it's: 6 0\n";
    let kernel = kernel("linux-7.2").file("/proc/net/dev", text);
    let events = r#"net/'x,y'/rx_bytes/,net/"it's"/rx_bytes/,net/*/rx_packets/"#;
    let mut counters = open(&kernel, Target::AllCpus, events);
    _ = kernel.file("/proc/net/dev", text.replace("5 0", "12 0").replace("6 0", "16 0"));
    let report = counters.read().unwrap();
    assert_eq!(number(report, "net/'x,y'/rx_bytes/"), 7.0);
    assert_eq!(number(report, "net/\"it's\"/rx_bytes/"), 10.0);
    let listed: Vec<String> = report.rows[2..].iter().map(|row| row.id.to_string()).collect();
    assert_eq!(listed, ["net/'x,y'/rx_packets/", "net/\"it's\"/rx_packets/"]);
}

#[test]
fn a_wrong_name_is_told_the_nearest_field_and_modifiers_are_refused() {
    let io = format!("/proc/{}/io", std::process::id());
    let kernel = kernel("linux-7.2").file(io, "rchar: 5\n");
    let error = |event: &str| {
        let error = set(&kernel, Target::AllCpus).event(event).open().unwrap_err();
        (error.to_string(), error.similar().to_vec())
    };
    for (event, nearest) in [
        ("io/rchr/", "io/rchar/"),
        ("cputime/usr/", "cputime/user/"),
        ("cputime/cpu0/usr/", "cputime/cpu0/user/"),
        ("net/lo/rx_byte/", "net/lo/rx_bytes/"),
    ] {
        let (text, similar) = error(event);
        assert_eq!(text, format!("no event is called `{event}` here"));
        assert!(similar.iter().any(|name| name == nearest), "{event}: {similar:?}");
    }
    for event in ["memory/MemFree/u", "net/lo/rx_bytes/u", "memory/MemFree/:u", "cputime/user/k"] {
        let (text, _) = error(event);
        assert!(text.contains("is not a valid modifier for"), "{event}: {text}");
    }
    let (text, _) = error("net/lo/rx_bytes");
    assert_eq!(text, "`rx_bytes` is neither modifiers nor a field that a slash closes");
    let mut counters = open(&kernel, Target::AllCpus, "memory/MemFre/");
    let report = counters.read().unwrap().to_string();
    assert!(report.ends_with("/proc/meminfo has no number `MemFre`, but `MemFree`"), "{report}");
    // The modifiers of a group are those of its events.
    let group = set(&kernel, Target::AllCpus).event("{memory/MemFree/,page-faults}:u");
    assert!(group.open().is_ok());
}

#[test]
fn the_doctor_says_which_numbers_of_files_are_here_and_which_are_for_root() {
    let finding = |kernel| {
        let findings = doctor::examine(&Machine::new(Host::with_kernel(kernel)));
        findings.into_iter().find(|finding| finding.subject == "numbers of files").unwrap()
    };
    let found = finding(kernel("linux-4.18"));
    let (here, absent) = found.text.split_once("; not here: ").unwrap();
    assert!(here.starts_with("hwmon, powercap, thermal, "), "{here}");
    assert!(absent.contains("pressure") && found.status == doctor::Status::Good, "{absent}");
    // Energies that cannot be read are those that are for root.
    let mut kernel = kernel("linux-7.2");
    for zone in ["intel-rapl:0", "intel-rapl:0:0", "intel-rapl:1", "intel-rapl:1:0"] {
        kernel = kernel.file(format!("/sys/class/powercap/{zone}/energy_uj"), "\n");
    }
    let found = finding(kernel);
    assert!(found.text.contains("; for root only: powercap"), "{}", found.text);
    assert_eq!(found.status, doctor::Status::Limited);
}
