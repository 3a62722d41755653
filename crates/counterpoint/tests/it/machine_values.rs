//! Facts of machines as numbers, each with its source.

use crate::world::{cpus, holds, recorded_machine, row, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::{Machine, Reason, Target, Value};
use counterpoint_fixtures::FakeKernel;
use std::collections::BTreeSet;

const CPU: &str = "/sys/devices/system/cpu";

/// The value and the end of its source; `Err` with what was looked at.
fn value(machine: &Machine, name: &str) -> Result<(f64, String), String> {
    match machine.value(name).unwrap_or_else(|| panic!("{name} is no machine value")) {
        Ok(value) => Ok((value.value, value.source)),
        Err(Reason::UnknownMachineValue { name: unknown, looked_at }) => {
            assert!(unknown.eq_ignore_ascii_case(name.trim_start_matches('#')), "{unknown}");
            Err(looked_at)
        }
        Err(Reason::UnknownClockRate) => Err("the clock rate".to_string()),
        Err(other) => panic!("{other}"),
    }
}

/// The names that a recorded machine answers, with their values and sources; it answers no other.
fn answers(name: &str, expected: &[(&str, f64, &str)]) {
    let machine = recorded_machine(name);
    let answered: BTreeSet<&str> =
        Machine::value_names().filter(|name| value(&machine, name).is_ok()).collect();
    let named: BTreeSet<&str> = expected.iter().map(|(name, ..)| *name).collect();
    // Other languages call the same facts by other names.
    let again = [
        "system_tsc_freq",
        "inverse_clock",
        "num_sockets",
        "HYPERTHREADING_ON",
        "SOCKET_COUNT",
        "core_wide",
        "target_cpu",
    ];
    let others: BTreeSet<&str> =
        answered.difference(&named).copied().filter(|name| !again.contains(name)).collect();
    assert!(others.is_empty(), "{name} also answers {others:?}");
    for (value_name, number, source) in expected {
        let (found, from) = value(&machine, value_name)
            .unwrap_or_else(|looked_at| panic!("{name}: {value_name}: {looked_at}"));
        assert!((found - number).abs() <= number.abs() * 1e-12, "{name}: {value_name} is {found}");
        assert!(from.contains(source), "{name}: {value_name} is from {from}");
    }
}

#[test]
fn a_hybrid_processor_of_intel() {
    let tsc = 38_400_000.0 * 104.0 / 2.0;
    answers(
        "intel-hybrid",
        &[
            ("#", 4.4e9, "cpufreq/cpuinfo_max_freq"),
            ("smt_on", 1.0, "smt/active"),
            ("num_cpus", 12.0, "cpu/present"),
            ("num_cpus_online", 12.0, "cpu/online"),
            ("num_cores", 8.0, "topology/core_cpus_list"),
            ("num_dies", 1.0, "topology/die_cpus_list"),
            ("num_packages", 1.0, "topology/physical_package_id"),
            ("tsc_freq", tsc, "CPUID leaf 0x15"),
            ("has_pmem", 0.0, "acpi/tables/NFIT"),
            ("inverseClock", 1.0 / tsc, "CPUID leaf 0x15"),
            ("num_numadomains", 1.0, "node/online"),
            ("THREADS_PER_CORE", 2.0, "topology/core_cpus_list"),
            ("CORES_PER_SOCKET", 8.0, "physical_package_id"),
        ],
    );
}

#[test]
fn a_processor_with_a_cpu_offline() {
    // Its leaf 0x15 does not have the rate of the crystal.
    answers(
        "intel-cpu-offline",
        &[
            ("#", 4.2e9, "cpufreq/cpuinfo_max_freq"),
            ("smt_on", 1.0, "topology/thread_siblings_list"),
            ("num_cpus", 8.0, "cpu/present"),
            ("num_cpus_online", 7.0, "cpu/online"),
            ("num_cores", 4.0, "topology/thread_siblings_list"),
            ("num_packages", 1.0, "topology/physical_package_id"),
            ("tsc_freq", 4e9, "CPUID leaf 0x16"),
            ("inverseClock", 1.0 / 4e9, "CPUID leaf 0x16"),
            ("THREADS_PER_CORE", 2.0, "topology/thread_siblings_list"),
            ("CORES_PER_SOCKET", 4.0, "physical_package_id"),
        ],
    );
}

#[test]
fn a_processor_of_amd_does_not_tell_its_time_stamp_rate() {
    answers(
        "amd-zen4",
        &[
            ("#", 3.711914e9, "cpufreq/cpuinfo_max_freq"),
            ("smt_on", 0.0, "smt/active"),
            ("num_cpus", 16.0, "cpu/present"),
            ("num_cpus_online", 16.0, "cpu/online"),
            ("num_cores", 16.0, "topology/thread_siblings_list"),
            ("num_dies", 1.0, "topology/die_cpus_list"),
            ("num_packages", 1.0, "topology/physical_package_id"),
            ("has_pmem", 0.0, "acpi/tables/NFIT"),
            ("num_numadomains", 1.0, "node/online"),
            ("THREADS_PER_CORE", 1.0, "topology/thread_siblings_list"),
            ("CORES_PER_SOCKET", 16.0, "physical_package_id"),
        ],
    );
    let looked_at = value(&recorded_machine("amd-zen4"), "#system_tsc_freq").unwrap_err();
    assert_eq!(looked_at, "CPUID leaves 0x15 and 0x16, and the model name in /proc/cpuinfo");
}

#[test]
fn arm_power_and_a_virtual_machine() {
    answers(
        "arm-neoverse",
        &[
            ("smt_on", 0.0, "topology/thread_siblings_list"),
            ("num_cpus", 4.0, "cpu/present"),
            ("num_cpus_online", 4.0, "cpu/online"),
            ("num_cores", 4.0, "topology/thread_siblings_list"),
            ("num_packages", 1.0, "topology/physical_package_id"),
            ("THREADS_PER_CORE", 1.0, "topology/thread_siblings_list"),
            ("CORES_PER_SOCKET", 4.0, "physical_package_id"),
        ],
    );
    let slots = value(&recorded_machine("arm-neoverse"), "#slots").unwrap_err();
    assert!(slots.ends_with("armv8_pmuv3_0/caps/slots, which is 0"), "N1 has no slots: {slots}");
    answers(
        "power9",
        &[
            ("#", 2.75e9, "/proc/cpuinfo"),
            ("smt_on", 1.0, "topology/thread_siblings_list"),
            ("num_cpus", 16.0, "cpu/present"),
            ("num_cpus_online", 8.0, "cpu/online"),
            ("num_cores", 2.0, "topology/thread_siblings_list"),
            ("num_packages", 1.0, "topology/physical_package_id"),
            ("THREADS_PER_CORE", 4.0, "topology/thread_siblings_list"),
            ("CORES_PER_SOCKET", 2.0, "physical_package_id"),
        ],
    );
    answers(
        "vm-no-pmu",
        &[
            ("#", 2.499998e9, "/proc/cpuinfo"),
            ("smt_on", 1.0, "topology/thread_siblings_list"),
            ("num_cpus", 2.0, "cpu/present"),
            ("num_cpus_online", 2.0, "cpu/online"),
            ("num_cores", 1.0, "topology/thread_siblings_list"),
            ("num_packages", 1.0, "topology/physical_package_id"),
            ("tsc_freq", 2.5e9, "model name in /proc/cpuinfo"),
            ("inverseClock", 1.0 / 2.5e9, "model name in /proc/cpuinfo"),
            ("THREADS_PER_CORE", 2.0, "topology/thread_siblings_list"),
            ("CORES_PER_SOCKET", 1.0, "physical_package_id"),
        ],
    );
    let power = value(&recorded_machine("power9"), "tsc_freq").unwrap_err();
    assert!(power.starts_with("CPUID, which this recording lacks"), "{power}");
}

#[test]
fn names_may_have_a_hash_and_any_case() {
    let machine = recorded_machine("intel-hybrid");
    for (name, same) in [("#SMT_on", "smt_on"), ("#SYSTEM_TSC_FREQ", "tsc_freq")] {
        assert_eq!(value(&machine, name), value(&machine, same));
    }
    assert_eq!(machine.value("#").unwrap().unwrap().unit, Some("Hz"));
    assert_eq!(machine.value("#num_cpus").unwrap().unwrap().unit, None);
    for other in ["", "##", "##smt_on", "cycles", "duration_time"] {
        assert!(machine.value(other).is_none(), "{other}");
    }
}

#[test]
fn whole_cores_are_counted_where_all_their_threads_are() {
    let machine = recorded_machine("intel-hybrid");
    let of = |name, target: Target| machine.value_for(name, &target).unwrap().unwrap().value;
    let on = |list| Target::Cpus(cpus(list));
    for (target, core_wide, target_cpu) in [
        (Target::AllCpus, 1.0, 1.0),
        (on("0-3,8"), 1.0, 1.0),
        (on("0,8"), 0.0, 1.0),
        (on("9"), 1.0, 1.0),
        (Target::ThisThread, 0.0, 0.0),
        (Target::Processes(vec![1]), 0.0, 0.0),
    ] {
        let found = (of("core_wide", target.clone()), of("#target_cpu", target.clone()));
        assert_eq!(found, (core_wide, target_cpu), "{target:?}");
    }
}

#[test]
fn what_other_machines_have() {
    let devices = "/sys/bus/event_source/devices";
    let two = two_sockets()
        .file(format!("{devices}/uncore_cha_0/type"), "20\n")
        .file(format!("{devices}/uncore_cha_11/type"), "21\n")
        .file(format!("{devices}/uncore_cha_free_running/type"), "22\n")
        .file("/sys/firmware/acpi/tables/NFIT", "")
        .file("/sys/devices/system/node/online", "0-1,4\n")
        .file(format!("{CPU}/cpu0/cpufreq/base_frequency"), "2000000\n");
    let machine = set(&two, Target::ThisThread);
    let machine = machine.machine();
    for (name, number) in [
        ("CHAS_PER_SOCKET", 2.0),
        ("#has_pmem", 1.0),
        ("num_numadomains", 3.0),
        ("#num_packages", 2.0),
        ("#num_cores", 4.0),
        ("inverseClock", 1.0 / 2e9),
    ] {
        assert_eq!(value(machine, name).map(|(number, _)| number), Ok(number), "{name}");
    }
    let arm = FakeKernel::new().file(format!("{devices}/armv8_pmuv3_0/caps/slots"), "0x00000008\n");
    let arm = set(&arm, Target::ThisThread);
    assert_eq!(value(arm.machine(), "#slots").map(|(number, _)| number), Ok(8.0));
    // Without lists of threads, nobody knows how many a core has.
    for name in ["smt_on", "THREADS_PER_CORE", "CORES_PER_SOCKET", "num_dies", "num_cpus"] {
        assert!(!value(machine, name).unwrap_err().is_empty(), "{name}");
    }
}

#[test]
fn an_empty_directory_of_the_firmware_is_not_a_machine_without_memory() {
    let value = |kernel: &FakeKernel| {
        let set = set(kernel, Target::ThisThread);
        value(set.machine(), "has_pmem")
    };
    let none = FakeKernel::new().file("/sys/firmware/devicetree/base/name", "");
    assert_eq!(value(&none).map(|(number, _)| number), Ok(0.0));
    assert!(value(&FakeKernel::new()).is_err(), "hidden, as in a container");
}

#[test]
fn formulas_use_machine_values() {
    let kernel = two_sockets();
    let define = "EVENT,PER_CPU,DERIVED_INFIX,N0/N1,page-faults,num_cpus_online\n\
        EVENT,ON_NODES,DERIVED_INFIX,N0*N1,page-faults,num_numadomains\n";
    let set = set(&kernel, Target::ThisThread).define(define).event("PER_CPU,ON_NODES");
    let mut counters = set.open().unwrap();
    kernel.set(0, holds(20, 1, 1));
    let report = counters.read().unwrap();
    assert_eq!(row(report, "PER_CPU").value, Value::Counted(Number::Real(5.0)));
    let unknown = Reason::UnknownMachineValue {
        name: "num_numadomains".to_string(),
        looked_at: "/sys/devices/system/node/online".to_string(),
    };
    assert_eq!(row(report, "ON_NODES").value, Value::NotCounted(unknown));
}

#[cfg(feature = "json")]
#[test]
fn processors_match_the_patterns_of_perf() {
    let matches = |name: &str, pattern: &str| recorded_machine(name).cpuid_matches(pattern);
    for (name, pattern, expected) in [
        ("intel-hybrid", "GenuineIntel-6-9A", true),
        ("intel-hybrid", "GenuineIntel-6-(97|9A|B7|BA|BF)", true),
        ("intel-hybrid", "GenuineIntel-6-9A-3", true),
        ("intel-hybrid", "GenuineIntel-6-9A-[456]", false),
        ("intel-hybrid", "GenuineIntel-6-9", false),
        ("amd-zen4", "AuthenticAMD-25-(1[[:xdigit:]]|[6-9A][[:xdigit:]])", true),
        ("arm-neoverse", "0x00000000410fd0c0", true),
        ("arm-neoverse", "0x411fd0c0", true),
        ("arm-neoverse", "0x411fd0c1", false),
        ("arm-neoverse", "0x413fd0c0", false),
        ("arm-neoverse", "0x410fd490", false),
        ("power9", "0x004e[[:xdigit:]]{4}", true),
        ("power9", "0x004e0203", true),
        ("power9", "0x0080[[:xdigit:]]{4}", false),
    ] {
        assert_eq!(matches(name, pattern), Ok(expected), "{name} {pattern}");
    }
    assert!(matches!(matches("intel-hybrid", "("), Err(Reason::Definition(_))));
    assert!(matches!(matches("arm-neoverse", "GenuineIntel"), Err(Reason::Definition(_))));
    // Without sysfs, the parts of the register in /proc/cpuinfo do.
    let cpuinfo =
        "CPU implementer\t: 0x41\nCPU variant\t: 0x0\nCPU part\t: 0xd49\nCPU revision\t: 3\n";
    let n2 = FakeKernel::new().file("/proc/cpuinfo", cpuinfo);
    let n2 = set(&n2, Target::ThisThread);
    assert_eq!(n2.machine().cpuid_matches("0x410fd493"), Ok(true), "r0p3");
    let none = set(&FakeKernel::new(), Target::ThisThread);
    assert!(none.machine().cpuid_matches("GenuineIntel-6-9A").is_err());
}
