use counterpoint_fixtures::FakeKernel;
use counterpoint_perf::{Access, Host};
use std::os::unix::fs::MetadataExt;

fn access(kernel: FakeKernel) -> Access {
    Host::with_kernel(kernel).access()
}

#[test]
fn a_machine_that_shows_nothing_says_nothing() {
    assert_eq!(access(FakeKernel::new()), Access::default());
}

#[test]
fn every_field_comes_from_its_file() {
    let kernel = |name: &str| format!("/proc/sys/kernel/{name}");
    let status = "Name:\tx\nUid:\t1000\t1001\t1000\t1000\nCapInh:\t0000000000000000\nCapEff:\t0000004000000000\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n";
    let limits = "Limit                     Soft Limit           Hard Limit           Units\nMax processes             100                  200                  processes\nMax open files            1024                 unlimited            files\n";
    let access = access(
        FakeKernel::new()
            .file(kernel("perf_event_paranoid"), "-1\n")
            .file(kernel("perf_event_mlock_kb"), "516\n")
            .file(kernel("perf_event_max_sample_rate"), "100000\n")
            .file(kernel("kptr_restrict"), "1\n")
            .file(kernel("nmi_watchdog"), "1\n")
            .file(kernel("osrelease"), "6.1.0-test\n")
            .file("/proc/self/status", status)
            .file("/proc/self/limits", limits)
            .file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lm\n")
            .file("/sys/bus/event_source/devices/cpu/type", "4\n")
            .file("/sys/bus/event_source/devices/software/type", "1\n"),
    );
    let expected = Access {
        paranoid: Some(-1),
        euid: Some(1001),
        cap_perfmon: true,
        cap_sys_admin: false,
        cap_syslog: false,
        user_namespace: false,
        seccomp: Some(2),
        core_pmus: vec!["cpu".into()],
        virtual_machine: true,
        nmi_watchdog: Some(true),
        open_files: Some((1024, u64::MAX)),
        mlock_kb: Some(516),
        kptr_restrict: Some(1),
        max_sample_rate: Some(100_000),
        kernel: Some("6.1.0-test".into()),
    };
    assert_eq!(access, expected);
    assert!(access.is_privileged() && access.is_filtered());
}

#[test]
fn either_capability_frees_from_the_level() {
    for (capabilities, perfmon, admin) in [
        ("0000004000000000", true, false),
        ("0000000000200000", false, true),
        ("000001ffffffffff", true, true),
        ("000001bfffdfffff", false, false),
    ] {
        let access = access(
            FakeKernel::new().file("/proc/self/status", format!("CapEff:\t{capabilities}\n")),
        );
        assert_eq!((access.cap_perfmon, access.cap_sys_admin), (perfmon, admin));
        assert_eq!(access.is_privileged(), perfmon || admin);
        assert!(!access.is_filtered());
    }
}

#[test]
fn capabilities_of_a_user_namespace_are_none() {
    let of = |map: &str| {
        let all = "CapEff:\t000001ffffffffff\n";
        let kernel = FakeKernel::new().file("/proc/self/status", all);
        access(kernel.file("/proc/self/uid_map", map))
    };
    let outside = of("         0          0 4294967295\n");
    assert!(outside.is_privileged() && outside.cap_syslog && !outside.user_namespace);
    for map in ["         0      65534          1\n", "0 1000 1\n1 100000 65536\n"] {
        let inside = of(map);
        assert!(inside.user_namespace && !inside.is_privileged() && !inside.cap_syslog, "{map}");
    }
}

/// `kallsyms_show_value` of the kernel: by the level, the paranoid level and `CAP_SYSLOG`.
#[test]
fn addresses_are_a_matter_of_another_capability() {
    let sees = |kptr_restrict, paranoid, cap_syslog| {
        let cap_perfmon = true;
        let access =
            Access { kptr_restrict, paranoid, cap_perfmon, cap_syslog, ..Access::default() };
        access.sees_kernel_addresses()
    };
    assert_eq!(sees(None, Some(1), true), None);
    for (kptr_restrict, paranoid, cap_syslog, expected) in [
        (0, Some(1), false, true),
        (0, Some(2), false, false),
        (0, None, false, false),
        (0, Some(2), true, true),
        (1, Some(-1), false, false),
        (1, Some(2), true, true),
        (2, Some(-1), true, false),
    ] {
        let shown = sees(Some(kptr_restrict), paranoid, cap_syslog);
        assert_eq!(shown, Some(expected), "{kptr_restrict} {paranoid:?} {cap_syslog}");
    }
}

#[test]
fn core_pmus_are_told_from_others() {
    let files = [
        "armv8_cortex_a53/cpus",
        "armv8_cortex_a76/cpus",
        "arm_dsu_0/cpumask",
        "cpu_atom/cpus",
        "cpu_core/cpus",
        "apple_icestorm_pmu/cpus",
        "uncore_imc_0/cpumask",
        "software/type",
    ];
    let found = |more: &[&str]| {
        let kernel = files.iter().chain(more).fold(FakeKernel::new(), |kernel, file| {
            kernel.file(format!("/sys/bus/event_source/devices/{file}"), "0-3\n")
        });
        let mut found = access(kernel).core_pmus;
        found.sort();
        found
    };
    let cores =
        ["apple_icestorm_pmu", "armv8_cortex_a53", "armv8_cortex_a76", "cpu_atom", "cpu_core"];
    assert_eq!(found(&[]), cores);
    // These have no file of CPUs, and no other kind of core beside them.
    assert_eq!(found(&["cpum_cf/type", "cpum_sf/type"]), ["cpum_cf"]);
    assert_eq!(found(&["cpu/type"]), ["cpu"]);
}

#[test]
fn nonsense_in_a_file_is_not_an_answer() {
    let access = access(
        FakeKernel::new()
            .file("/proc/sys/kernel/perf_event_paranoid", "two\n")
            .file("/proc/self/status", "CapEff:\tzz\nUid:\t1\nSeccomp:\t\n")
            .file("/proc/self/limits", "Max open files  many\n")
            .file("/proc/cpuinfo", [0xff, 0xfe]),
    );
    assert_eq!(access, Access::default());
}

#[test]
fn the_running_machine_tells_who_asks() {
    let access = Host::local().access();
    let owner = std::fs::metadata("/proc/self").unwrap().uid();
    assert_eq!(access.euid, Some(owner));
    assert!(access.kernel.is_some() && access.open_files.is_some());
    if let (Some(sees), Ok(symbols)) =
        (access.sees_kernel_addresses(), std::fs::read_to_string("/proc/kallsyms"))
    {
        let address =
            |line: &str| u64::from_str_radix(line.split_once(' ').unwrap().0, 16).unwrap();
        let is_shown = symbols.lines().any(|line| address(line) > 0);
        assert_eq!(sees, is_shown, "{access:?}");
    }
}
