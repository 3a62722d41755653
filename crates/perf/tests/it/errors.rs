use crate::support::software;
use counterpoint_fixtures::FakeKernel;
use counterpoint_perf::{
    Attr, Cause, Errno, Exclude, Hint, Host, OpenError, OpenFailure, Placement, Setup, pmu_type,
};

use std::error::Error as _;

const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

fn cycles() -> Attr {
    Attr::new(pmu_type::HARDWARE, 0)
}

fn with_core_pmu(kernel: FakeKernel) -> FakeKernel {
    kernel.file("/sys/bus/event_source/devices/cpu/type", "4\n")
}

/// The bits are CAP_SYS_ADMIN (21) and CAP_PERFMON (38).
fn status(capabilities: u64, seccomp: u32) -> String {
    format!(
        "Name:\ttest\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t{capabilities:016x}\nSeccomp:\t{seccomp}\n"
    )
}

fn user(kernel: FakeKernel, paranoid: i32) -> FakeKernel {
    kernel.file(PARANOID, format!("{paranoid}\n")).file("/proc/self/status", status(0, 0))
}

fn open(kernel: FakeKernel, attr: &Attr, placement: Placement) -> OpenError {
    let host = Host::with_kernel(kernel);
    host.open(std::slice::from_ref(attr), placement, Setup::default()).unwrap_err()
}

fn refused(kernel: FakeKernel, errno: Errno, attr: &Attr) -> OpenError {
    open(kernel.refuse_with(errno, |_| true), attr, Placement::ThisThread)
}

#[track_caller]
fn check(error: OpenError, cause: Cause, text: &str, help: &str) {
    assert_eq!(error.cause, cause, "{error:?}");
    assert_eq!(error.to_string(), text);
    assert_eq!(error.help().map(|hint| hint.to_string()).unwrap_or_default(), help);
}

#[test]
fn no_entry_means_no_pmu_or_no_such_event() {
    let help = "software events such as task-clock and page-faults count here; for hardware events, let the hypervisor pass a PMU through";
    for errno in [Errno::ENOENT, Errno::ENODEV] {
        let error = refused(FakeKernel::new(), errno, &cycles());
        assert!(error.is_unsupported() && !error.is_permission());
        check(error, Cause::NoHardwarePmu, "this machine has no hardware PMU", help);
        let text = "the PMU of this machine has no such event";
        let error = refused(with_core_pmu(FakeKernel::new()), errno, &cycles());
        check(error, Cause::NoSuchEvent, text, "");
        check(refused(FakeKernel::new(), errno, &software(77)), Cause::NoSuchEvent, text, "");
    }
    let raw = Attr::new(pmu_type::RAW, 0x1c2);
    assert_eq!(refused(FakeKernel::new(), Errno::ENOENT, &raw).cause, Cause::NoHardwarePmu);
    let other = Attr::new(23, 1);
    assert_eq!(refused(FakeKernel::new(), Errno::ENXIO, &other).cause, Cause::NoSuchEvent);
}

#[test]
fn an_arm_or_hybrid_pmu_is_a_core_pmu() {
    for pmu in ["armv8_pmuv3_0/cpus", "cpu_atom/cpus", "apple_icestorm_pmu/cpus"] {
        let kernel =
            FakeKernel::new().file(format!("/sys/bus/event_source/devices/{pmu}"), "0-3\n");
        assert_eq!(refused(kernel, Errno::ENOENT, &cycles()).cause, Cause::NoSuchEvent, "{pmu}");
    }
}

#[test]
fn permission_says_the_level_that_would_do() {
    let at = |kernel: FakeKernel, paranoid, attr: &Attr, placement| {
        let kernel = user(kernel, paranoid).refuse_with(Errno::EACCES, move |opening| {
            let is_own = matches!(opening.placement, Placement::ThisThread);
            paranoid > 2 || !is_own || !opening.attr.exclude.kernel
        });
        open(kernel, attr, placement)
    };
    let help = |level| {
        format!(
            "run as root, or: sudo sysctl kernel.perf_event_paranoid={level}, or give the program the capability: sudo setcap cap_perfmon+ep PROGRAM"
        )
    };
    let thread = Placement::ThisThread;
    let cases = [
        (2, software(1), thread.clone(), 1),
        (3, software(1).user_only(), thread.clone(), 2),
        (4, cycles().user_only(), thread.clone(), 2),
        (1, software(1), Placement::Cpu(0), 0),
        (2, software(1).user_only(), Placement::Cpu(0), 0),
        (2, Attr::new(pmu_type::TRACEPOINT, 300), thread, 1),
    ];
    for (paranoid, attr, placement, needed) in cases {
        let error = at(with_core_pmu(FakeKernel::new()), paranoid, &attr, placement);
        assert!(error.is_permission());
        let cause = Cause::Permission { paranoid: Some(paranoid), needed: Some(needed) };
        let text = format!("not permitted while kernel.perf_event_paranoid is {paranoid}");
        check(error, cause, &text, &help(needed));
    }
}

#[test]
fn a_level_that_would_do_and_does_not_needs_the_capability() {
    let kernel = user(FakeKernel::new(), 1).refuse_with(Errno::EACCES, |o| !o.attr.exclude.kernel);
    let error = open(kernel, &software(1), Placement::ThisThread);
    let help =
        "run as root, or give the program the capability: sudo setcap cap_perfmon+ep PROGRAM";
    let cause = Cause::Permission { paranoid: Some(1), needed: None };
    check(error, cause, "not permitted for this user", help);
}

#[test]
fn a_level_that_is_hidden_is_not_made_up() {
    let error = refused(FakeKernel::new(), Errno::EACCES, &software(1));
    assert_eq!(error.cause, Cause::Permission { paranoid: None, needed: Some(1) });
    assert_eq!(error.to_string(), "not permitted for this user");
}

/// The level, the capabilities and the seccomp mode of a process, and the answers that cannot come of the level.
const BLOCKED: [(i32, u64, u32, &[Errno]); 7] = [
    (-1, 0, 2, &[Errno::EPERM, Errno::EACCES, Errno::ENOSYS]),
    (2, 0, 2, &[Errno::EPERM, Errno::EACCES, Errno::ENOSYS]),
    (2, 0, 0, &[Errno::EPERM, Errno::EACCES, Errno::ENOSYS]),
    (3, 0, 2, &[Errno::EPERM, Errno::ENOSYS]),
    (4, 0, 2, &[Errno::EPERM, Errno::ENOSYS]),
    (4, 1 << 38, 0, &[Errno::EPERM, Errno::EACCES, Errno::ENOSYS]),
    (3, 1 << 21, 2, &[Errno::EPERM, Errno::EACCES, Errno::ENOSYS]),
];

#[test]
fn what_the_kernel_would_allow_was_refused_by_a_filter_or_a_module() {
    let says = |seccomp| {
        if seccomp {
            (
                "blocked by a seccomp filter, such as that of a container",
                "let the container call perf_event_open: docker run --cap-add=PERFMON --security-opt seccomp=PROFILE …",
            )
        } else {
            (
                "blocked by a security module or a sandbox, not by the rules of the kernel",
                "allow perf_event_open in the rules of the security module or the sandbox",
            )
        }
    };
    for (paranoid, capabilities, mode, errnos) in BLOCKED {
        let (seccomp, (text, help)) = (mode == 2, says(mode == 2));
        let kernel = |errno| {
            user(FakeKernel::new(), paranoid)
                .file("/proc/self/status", status(capabilities, mode))
                .refuse_with(errno, |_| true)
        };
        for errno in errnos {
            for attr in [software(1), software(1).user_only(), cycles()] {
                for place in [Placement::ThisThread, Placement::Thread(1), Placement::Cpu(0)] {
                    let error = open(kernel(*errno), &attr, place);
                    assert!(error.is_permission() && error.errno == *errno);
                    check(error, Cause::Blocked { seccomp }, text, help);
                }
            }
        }
    }
}

#[test]
fn a_filter_that_lets_a_clock_through_is_not_blamed_for_the_rest() {
    let kernel = user(FakeKernel::new(), 2)
        .file("/proc/self/status", status(0, 2))
        .refuse_with(Errno::EACCES, |o| !matches!(o.placement, Placement::ThisThread));
    let foreign = open(kernel.clone(), &software(1).user_only(), Placement::Thread(1));
    assert_eq!(foreign.cause, Cause::ForeignProcess);
    let cpu = open(kernel, &software(1), Placement::Cpu(0));
    assert_eq!(cpu.cause, Cause::Permission { paranoid: Some(2), needed: Some(0) });
}

#[test]
fn a_user_hears_of_permission_only_if_permission_would_help() {
    let user_space = |answer: Option<Errno>| {
        user(FakeKernel::new(), 2).refuse(move |opening| {
            let errno = match (opening.attr.exclude.kernel, opening.attr.kind) {
                (true, pmu_type::SOFTWARE) => None,
                (true, _) => answer,
                (false, _) => Some(Errno::EACCES),
            };
            errno.map(OpenFailure::from)
        })
    };
    let cycles_open = |kernel| open(kernel, &cycles(), Placement::ThisThread);
    let nothing = OpenError { errno: Errno::ENOENT, cause: Cause::NoHardwarePmu };
    assert_eq!(cycles_open(user_space(Some(Errno::ENOENT))), nothing);
    let other = OpenError { errno: Errno::ENOENT, cause: Cause::NoSuchEvent };
    assert_eq!(cycles_open(with_core_pmu(user_space(Some(Errno::ENOENT)))), other);
    let unsupported = OpenError { errno: Errno::EOPNOTSUPP, cause: Cause::Unsupported };
    assert_eq!(cycles_open(with_core_pmu(user_space(Some(Errno::EOPNOTSUPP)))), unsupported);
    let permission = Cause::Permission { paranoid: Some(2), needed: Some(1) };
    for answer in [None, Some(Errno::EACCES), Some(Errno::EINVAL)] {
        let error = cycles_open(with_core_pmu(user_space(answer)));
        assert_eq!((error.errno, error.cause), (Errno::EACCES, permission.clone()));
    }
}

#[test]
fn limits_of_open_files_say_the_number() {
    let kernel = FakeKernel::new().open_files(1, 1);
    let host = Host::with_kernel(kernel);
    let events = [software(1), software(2)];
    let error = host.open(&events, Placement::ThisThread, Setup::default()).unwrap_err();
    let text = "the limit of 1 open files is reached; every event needs one on every CPU";
    let help = "count fewer events or CPUs, or raise the limit: ulimit -n 65536";
    check(error, Cause::TooManyOpenFiles { limit: Some(1) }, text, help);
    let error = refused(FakeKernel::new(), Errno::EMFILE, &software(1));
    let text = "the limit of open files is reached";
    check(error, Cause::TooManyOpenFiles { limit: None }, text, help);
    let error = refused(FakeKernel::new(), Errno::ENFILE, &software(1));
    let help = "raise the machine's limit: sudo sysctl fs.file-max=1000000";
    let text = "the machine's limit of open files is reached";
    check(error, Cause::TooManyOpenFilesInSystem, text, help);
}

#[test]
fn a_field_that_is_too_new_is_named() {
    let attr = |config1, config2, config3| Attr { config1, config2, config3, ..cycles() };
    let cases =
        [(128, attr(1, 1, 1), "config3 (Linux 6.3)"), (64, attr(1, 1, 0), "config2 (Linux 3.3)")];
    for (size, attr, field) in cases {
        let error = open(FakeKernel::new().attr_size(size), &attr, Placement::ThisThread);
        let text =
            format!("this kernel does not know {field} (its attributes end at {size} bytes)");
        check(error, Cause::AttributeTooNew { field, known_size: Some(size) }, &text, "");
    }
    let error = refused(FakeKernel::new(), Errno::E2BIG, &attr(0, 1, 0));
    assert_eq!(error.to_string(), "this kernel does not know config2 (Linux 3.3)");
    let kernel = FakeKernel::new().attr_size(72);
    Host::with_kernel(kernel)
        .open(&[attr(1, 1, 0)], Placement::ThisThread, Setup::default())
        .unwrap();
}

#[test]
fn invalid_is_told_apart_by_trying_less() {
    let msr = FakeKernel::new()
        .refuse(|o| (!o.attr.exclude.is_none()).then(|| OpenFailure::from(Errno::EINVAL)));
    let exclude = Exclude { guest: true, ..Exclude::default() };
    let error = open(msr, &Attr { exclude, ..Attr::new(9, 0) }, Placement::ThisThread);
    let text = "this PMU does not distinguish privilege levels";
    check(error, Cause::ExcludeUnsupported, text, "leave out the modifiers :u, :k, :h");

    let precise = Attr { precise: 2, ..cycles() };
    let text = "this PMU does not support that precision";
    for errno in [Errno::EINVAL, Errno::EOPNOTSUPP] {
        let kernel = FakeKernel::new().refuse_with(errno, |o| o.attr.precise > 0);
        let error = open(kernel, &precise, Placement::ThisThread);
        check(error, Cause::PreciseUnsupported, text, "leave out the modifier :p");
    }

    let host = Host::with_kernel(FakeKernel::new().counters(1));
    let events = [cycles(), Attr::new(pmu_type::HARDWARE, 1)];
    let error = host.open(&events, Placement::ThisThread, Setup::default()).unwrap_err();
    let help = "take events out of the braces, so that they take turns";
    check(error, Cause::GroupDoesNotFit, "the events cannot be counted together", help);

    let error = refused(FakeKernel::new(), Errno::EINVAL, &Attr { precise: 1, ..precise });
    assert!(error.is_unsupported());
    check(error, Cause::InvalidEvent, "the PMU does not accept this code", "");
}

#[test]
fn a_diagnosis_leaves_nothing_open_and_the_group_alone() {
    let kernel = FakeKernel::new().counters(2);
    let host = Host::with_kernel(kernel.clone());
    let mut group = host.group(Placement::ThisThread, Setup::default());
    let mut added = 0;
    let error = loop {
        match group.add(&cycles()) {
            Ok(_) => added += 1,
            Err(e) => break e,
        }
    };
    assert_eq!((added, group.len(), kernel.still_open()), (2, 2, 2));
    assert_eq!(error.cause, Cause::GroupDoesNotFit);
}

#[test]
fn a_cpu_that_is_not_there_is_named_so() {
    let text = "the CPU is offline, or the PMU does not count on it";
    let online = |kernel: FakeKernel| kernel.file("/sys/devices/system/cpu/online", "0-3\n");
    for errno in [Errno::EINVAL, Errno::ENODEV] {
        let kernel = online(FakeKernel::new()).refuse_with(errno, |_| true);
        check(open(kernel, &software(0), Placement::Cpu(9)), Cause::NoSuchCpu, text, "");
    }
    let kernel = online(FakeKernel::new()).refuse_with(Errno::EINVAL, |_| true);
    assert_eq!(open(kernel, &software(0), Placement::Cpu(3)).cause, Cause::InvalidEvent);
    let kernel = FakeKernel::new().refuse_with(Errno::EINVAL, |_| true);
    assert_eq!(open(kernel, &software(0), Placement::Cpu(3)).cause, Cause::InvalidEvent);
}

#[test]
fn every_other_number_has_its_meaning() {
    let cases = [
        (Errno::ENOSYS, Cause::NoPerfEvents, "perf_event_open is not available here"),
        (Errno::EOPNOTSUPP, Cause::Unsupported, "the PMU does not support this event"),
        (Errno::EBUSY, Cause::Busy, "the PMU is in exclusive use"),
        (Errno::ENOSPC, Cause::NoFreeBreakpoint, "all breakpoint registers are in use"),
        (Errno::ESRCH, Cause::NoSuchProcess, "the process or thread does not exist"),
        (Errno::ENOMEM, Cause::Other, "the kernel returned ENOMEM"),
        (Errno(4000), Cause::Other, "the kernel returned errno 4000"),
    ];
    for (errno, cause, text) in cases {
        let error = refused(FakeKernel::new(), errno, &software(1));
        assert_eq!((error.errno, &error.cause, error.to_string().as_str()), (errno, &cause, text));
        assert!(!error.is_permission());
        assert_eq!(
            error.help().is_some(),
            !matches!(cause, Cause::Unsupported | Cause::NoSuchProcess | Cause::Other)
        );
    }
}

#[test]
fn the_error_number_is_the_source_and_the_hint_is_typed() {
    let error = open(
        user(with_core_pmu(FakeKernel::new()), 2).refuse_with(Errno::EACCES, |_| true),
        &cycles(),
        Placement::Cpu(0),
    );
    assert_eq!(error.source().and_then(|source| source.downcast_ref()), Some(&Errno::EACCES));
    let error = refused(FakeKernel::new(), Errno::EMFILE, &software(1));
    let hint = error.help().unwrap();
    assert_eq!(hint, Hint::RaiseOpenFiles { limit: 65536 });
    assert_eq!(hint.command().unwrap(), "ulimit -n 65536");
    assert!(hint.to_string().ends_with(": ulimit -n 65536"), "{hint}");
    let addresses = Hint::ShowKernelAddresses { kptr_restrict: true, paranoid: true };
    let command = "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1";
    assert_eq!(addresses.command().unwrap(), command);
    assert_eq!(Hint::WaitForPmu.command(), None);
}

/// As a `main` prints the error that it returns.
#[test]
fn errors_show_their_sentences_and_help() {
    let list = "3-1".parse::<counterpoint_perf::CpuSet>().unwrap_err();
    assert_eq!(format!("{list:?}"), list.to_string());
    assert!(format!("{list:#?}").contains("item: "));
    let error = OpenError {
        errno: Errno::EACCES,
        cause: Cause::Permission { paranoid: Some(4), needed: Some(2) },
    };
    let help = error.help().unwrap();
    assert_eq!(format!("{error:?}"), format!("{error}\n  help: {help}"));
    assert!(format!("{error:#?}").contains("errno: EACCES"));
}
