//! The findings of the doctor on the recorded machines.

use crate::world::{kernel, recorded_machine, two_sockets};
use counterpoint::Machine;
use counterpoint::doctor::{Finding, Status, examine};
use counterpoint::perf::{Errno, Host};
use counterpoint_fixtures::FakeKernel;

fn recorded(name: &str) -> Vec<Finding> {
    examine(&recorded_machine(name))
}

fn scripted(kernel: FakeKernel) -> Vec<Finding> {
    examine(&Machine::new(Host::with_kernel(kernel)))
}

fn about<'f>(findings: &'f [Finding], subject: &str) -> &'f Finding {
    findings
        .iter()
        .find(|finding| finding.subject == subject)
        .unwrap_or_else(|| panic!("{subject}"))
}

/// The command that changes what a finding reports, or else how to change it.
fn fix(finding: &Finding) -> String {
    let hint = finding.hint.as_ref().unwrap();
    hint.command().unwrap_or_else(|| hint.to_string())
}

/// The subjects that are not as they should be.
fn wrong(findings: &[Finding]) -> Vec<&str> {
    let wrong = findings.iter().filter(|finding| finding.status != Status::Good);
    wrong.map(|finding| finding.subject).collect()
}

#[test]
fn each_machine_has_its_troubles() {
    assert!(wrong(&recorded("amd-zen4")).is_empty());
    assert_eq!(wrong(&recorded("intel-cpu-offline")), ["NMI watchdog"]);
    assert_eq!(wrong(&recorded("arm-neoverse")), ["perf_event_paranoid", "capabilities"]);
    assert_eq!(wrong(&recorded("power9")), ["NMI watchdog"]);
    assert_eq!(
        wrong(&recorded("intel-hybrid")),
        [
            "software events",
            "hardware events",
            "perf_event_paranoid",
            "capabilities",
            "NMI watchdog",
            "kernel addresses"
        ]
    );
    assert_eq!(
        wrong(&recorded("vm-no-pmu")),
        [
            "software events",
            "hardware events",
            "perf_event_paranoid",
            "capabilities",
            "seccomp",
            "kernel addresses"
        ]
    );
}

#[test]
fn the_first_finding_says_whether_anything_counts() {
    let first = |name| {
        let first = recorded(name).swap_remove(0);
        (first.subject, first.status)
    };
    for (name, status) in [
        ("amd-zen4", Status::Good),
        ("arm-neoverse", Status::Good),
        ("intel-hybrid", Status::Limited),
        ("power9", Status::Good),
        ("vm-no-pmu", Status::Blocked),
    ] {
        assert_eq!(first(name), ("software events", status), "{name}");
    }
}

#[test]
fn what_can_be_changed_comes_with_the_command() {
    let command = |name, subject| fix(about(&recorded(name), subject));
    assert_eq!(
        command("intel-hybrid", "hardware events"),
        "sudo sysctl kernel.perf_event_paranoid=1"
    );
    assert_eq!(
        command("arm-neoverse", "perf_event_paranoid"),
        "sudo sysctl kernel.perf_event_paranoid=0"
    );
    assert!(command("vm-no-pmu", "software events").contains("let the container call"));
    assert_eq!(command("power9", "NMI watchdog"), "sudo sysctl kernel.nmi_watchdog=0");
    assert!(command("vm-no-pmu", "seccomp").starts_with("docker run --cap-add=PERFMON"));
    assert!(command("intel-hybrid", "capabilities").contains("setcap cap_perfmon+ep"));
}

#[test]
fn every_limit_says_what_it_is_and_good_findings_ask_for_nothing() {
    for name in ["amd-zen4", "arm-neoverse", "intel-hybrid", "power9", "vm-no-pmu"] {
        for finding in recorded(name) {
            assert!(!finding.text.is_empty(), "{name}: {finding:?}");
            if finding.status == Status::Good {
                assert_eq!(finding.hint, None, "{name}: {finding:?}");
            } else {
                assert!(!fix(&finding).is_empty(), "{name}: {}", finding.text);
            }
        }
    }
}

#[test]
fn a_machine_without_pmu_counts_software() {
    let findings = scripted(
        FakeKernel::new()
            .file("/sys/devices/system/cpu/online", "0-1\n")
            .file("/proc/sys/kernel/perf_event_paranoid", "2\n")
            .file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor sse\n")
            .refuse_with(Errno::EACCES, |o| !o.attr.exclude.kernel)
            .refuse_with(Errno::ENOENT, |o| o.attr.kind == 0),
    );
    assert_eq!(about(&findings, "software events").status, Status::Limited);
    let hardware = about(&findings, "hardware events");
    assert!(hardware.text.contains("virtual machine"), "{}", hardware.text);
    assert!(fix(hardware).contains("pmu"));
    assert!(findings.iter().all(|finding| finding.subject != "NMI watchdog"));
}

#[test]
fn too_few_open_files_and_unreadable_tracepoints_are_found() {
    let findings = scripted(two_sockets().open_files(64, 128));
    let files = about(&findings, "open files");
    assert_eq!(files.status, Status::Limited);
    assert!(files.text.contains("need 192"), "{}", files.text);

    let tracefs = |kernel: FakeKernel| about(&scripted(kernel), "tracepoints").clone();
    let here = kernel("amd-zen4").file("/sys/kernel/tracing/events/sched/sched_switch/id", "1");
    assert_eq!(tracefs(here).status, Status::Good);
    let mounted = kernel("amd-zen4")
        .file("/proc/self/mounts", "tracefs /sys/kernel/tracing tracefs rw 0 0\n");
    assert!(tracefs(mounted).text.contains("cannot be read by this user"));
    let not = kernel("amd-zen4").file("/proc/self/mounts", "proc /proc proc rw 0 0\n");
    assert!(fix(&tracefs(not)).contains("mount -t tracefs"));
}

#[test]
fn a_filter_is_said_to_do_what_it_does() {
    let under = |kernel: FakeKernel| {
        let kernel = kernel
            .file("/proc/self/status", "CapEff:\t0\nSeccomp:\t2\n")
            .file("/proc/sys/kernel/perf_event_paranoid", "2\n");
        let findings = scripted(kernel);
        (findings[0].status, about(&findings, "seccomp").clone())
    };
    let (status, seccomp) = under(FakeKernel::new());
    assert_eq!((status, seccomp.status), (Status::Good, Status::Good));
    assert!(seccomp.text.ends_with("lets perf_event_open through"), "{}", seccomp.text);
    for errno in [Errno::EPERM, Errno::EACCES, Errno::ENOSYS] {
        let (status, seccomp) = under(FakeKernel::new().refuse_with(errno, |_| true));
        assert_eq!((status, seccomp.status), (Status::Blocked, Status::Limited));
        assert!(seccomp.text.ends_with("it refuses perf_event_open"), "{}", seccomp.text);
    }
}

#[test]
fn addresses_that_are_zeros_are_said_to_be_hidden() {
    let addresses = |capabilities: u64, kptr_restrict: &str, paranoid: &str| {
        let kernel = FakeKernel::new()
            .file("/proc/self/status", format!("CapEff:\t{capabilities:x}\n"))
            .file("/proc/sys/kernel/kptr_restrict", kptr_restrict)
            .file("/proc/sys/kernel/perf_event_paranoid", paranoid);
        about(&scripted(kernel), "kernel addresses").clone()
    };
    let (perfmon, syslog) = (1 << 38, 1 << 34);
    assert_eq!(addresses(0, "0", "1").text, "shown");
    assert_eq!(addresses(syslog, "1", "2").text, "shown to you");
    let hidden = addresses(perfmon, "0", "2");
    assert_eq!(hidden.text, "hidden (no CAP_SYSLOG): kernel samples have no names");
    assert_eq!(fix(&hidden), "sudo sysctl kernel.perf_event_paranoid=1");
    let command = fix(&addresses(perfmon, "1", "2"));
    assert_eq!(command, "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
    for paranoid in ["-1", "2"] {
        let command = fix(&addresses(syslog, "2", paranoid));
        assert_eq!(command, "sudo sysctl kernel.kptr_restrict=0");
    }
}

#[test]
fn a_kernel_without_performance_events_blocks_everything() {
    let findings = scripted(FakeKernel::new().refuse_with(Errno::ENOSYS, |_| true));
    assert_eq!(findings[0].status, Status::Blocked);
    assert!(about(&findings, "perf_event_paranoid").text.contains("no performance events"));
}
