//! PAPI's names with a component before them, in each command that takes an event.

use crate::{run, stderr, stdout};
use std::fs;
use std::path::PathBuf;

/// A recorded machine with the energy of two packages, that goes away with the test.
struct TwoPackages(PathBuf);

impl TwoPackages {
    fn new(name: &str) -> TwoPackages {
        let root = std::env::temp_dir().join(format!("counterpoint-{name}-{}", std::process::id()));
        let power = "sys/bus/event_source/devices/power";
        let cpu = "sys/devices/system/cpu";
        for (file, text) in [
            (format!("{power}/type"), "28\n"),
            (format!("{power}/cpumask"), "0,2\n"),
            (format!("{power}/format/event"), "config:0-7\n"),
            (format!("{power}/events/energy-pkg"), "event=0x02\n"),
            (format!("{power}/events/energy-pkg.unit"), "Joules\n"),
            (format!("{cpu}/online"), "0-3\n"),
            (format!("{cpu}/cpu0/topology/core_id"), "0\n"),
            (format!("{cpu}/cpu0/topology/physical_package_id"), "0\n"),
            (format!("{cpu}/cpu2/topology/core_id"), "0\n"),
            (format!("{cpu}/cpu2/topology/physical_package_id"), "1\n"),
        ] {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        TwoPackages(root)
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let machine = ["--machine", self.0.to_str().unwrap()];
        let output = run(&[&args[..1], &machine, &args[1..]].concat());
        (output.status.code(), stdout(&output) + &stderr(&output))
    }
}

impl Drop for TwoPackages {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_energy_of_one_package_is_that_of_one_everywhere() {
    let machine = TwoPackages::new("packages");
    for (event, cpus) in [
        ("rapl:::PACKAGE_ENERGY:PACKAGE1", "2"),
        ("rapl:::PACKAGE_ENERGY:PACKAGE0", "0"),
        ("rapl:::PACKAGE_ENERGY", "0,2"),
    ] {
        for command in ["encode", "show"] {
            let (code, text) = machine.run(&[command, event]);
            assert_eq!(code, Some(0), "{command} {event}: {text}");
            let line = text.lines().find(|line| line.trim_start().starts_with("CPUs")).unwrap();
            assert_eq!(line.split_whitespace().last(), Some(cpus), "{command} {event}: {text}");
        }
        let (_, shown) = machine.run(&["show", event]);
        assert!(shown.contains(&format!("stat -a -e {event} -- COMMAND")), "{shown}");
        let (_, json) = machine.run(&["show", "--json", event]);
        assert!(json.contains(&format!("\"cpus\":\"{cpus}\"")), "{json}");
        let (code, listed) = machine.run(&["list", event]);
        assert!(code == Some(0) && listed.contains("power/energy-pkg/"), "{listed}");
        let (_, planned) = machine.run(&["plan", event]);
        assert!(planned.contains(&format!("no counter needed: {event}")), "{planned}");
    }
    for command in ["encode", "show", "plan"] {
        let (code, text) = machine.run(&[command, "rapl:::PACKAGE_ENERGY:PACKAGE7"]);
        assert_ne!(code, Some(0), "{command}: {text}");
        assert!(text.contains("did you mean `rapl:::PACKAGE_ENERGY:PACKAGE0`"), "{text}");
    }
}

#[test]
fn a_component_that_there_is_not_is_refused_with_those_that_there_are() {
    for command in ["encode", "list", "show", "plan", "stat -e", "profile -e"] {
        for event in ["cuda:::sm__cycles_active", "nvml:::A100:power", "lustre:::fs:read_count"] {
            let mut args: Vec<&str> = command.split(' ').collect();
            args.push(event);
            if command.ends_with("-e") {
                args.extend(["--", "true"]);
            }
            let output = run(&args);
            let text = stdout(&output) + &stderr(&output);
            let code = if command.contains("-e") || command == "plan" { 2 } else { 1 };
            assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
            let component = event.split(":::").next().unwrap();
            assert!(
                text.contains(&format!("unknown component `{component}`: only PMUs")),
                "{text}"
            );
            assert!(text.contains("perf_event_uncore::: or rapl:::"), "{text}");
            assert!(text.contains("`counterpoint list` shows"), "{text}");
        }
    }
}

#[test]
fn a_component_says_nothing_more_before_the_events_of_one_pmu() {
    let machine = TwoPackages::new("one-pmu");
    for (pmu, event, plain) in [
        ("spr", "perf_event:::L1D:REPLACEMENT", "L1D:REPLACEMENT"),
        ("spr", "perf_event:::spr::L1D:REPLACEMENT", "spr::L1D:REPLACEMENT"),
        ("power", "perf_event_uncore:::energy-pkg", "energy-pkg"),
    ] {
        let shown = machine.run(&["show", "--pmu", pmu, event]);
        assert_eq!(shown.0, Some(0), "{shown:?}");
        assert_eq!(shown, machine.run(&["show", "--pmu", pmu, plain]));
    }
    let (_, one) = machine.run(&["show", "--pmu", "power", "rapl:::PACKAGE_ENERGY:PACKAGE1"]);
    assert!(one.contains("PAPI's name for power/energy-pkg/"), "{one}");
}
