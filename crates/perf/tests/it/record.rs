use crate::support::software;
use counterpoint_fixtures::{FakeKernel, machine};
use counterpoint_perf::{Access, Attr, Cause, Errno, Host, Placement, Setup, pmu_type};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("recorded-{name}"));
    let _ = fs::remove_dir_all(&path);
    path
}

fn steady(host: &Host) -> Access {
    // The kernel lowers the rate by itself when samples take long.
    Access { max_sample_rate: None, ..host.access() }
}

#[test]
fn a_recorded_machine_answers_as_the_machine_did() {
    let live = Host::local();
    let at = directory("live");
    let attrs = [
        software(0),
        software(1),
        software(2).user_only(),
        software(9_999),
        Attr::new(pmu_type::HARDWARE, 0),
        Attr::new(pmu_type::RAW, 0x1c2).user_only(),
        Attr { config1: 7, config2: 8, ..Attr::new(4_000_000, u64::MAX) },
    ];
    let events = attrs.map(|attr| (attr, Placement::ThisThread));
    live.record(&at, &events).unwrap();
    live.record(&at, &events).unwrap();

    let recorded = Host::recorded(&at).unwrap();
    assert!(recorded.is_recording() && !live.is_recording());
    assert_eq!(steady(&recorded), steady(&live));
    assert_eq!(recorded.online_cpus(), live.online_cpus());
    assert!(!recorded.online_cpus().is_empty());
    for cpu in live.online_cpus().iter() {
        assert_eq!(recorded.core_and_socket(cpu), live.core_and_socket(cpu));
    }
    let devices = "/sys/bus/event_source/devices";
    for pmu in recorded.names(devices) {
        for file in ["type", "cpus", "cpumask"] {
            let path = format!("{devices}/{pmu}/{file}");
            assert_eq!(recorded.text(&path).ok(), live.text(&path).ok(), "{path}");
        }
        let formats = format!("{devices}/{pmu}/format");
        assert_eq!(recorded.names(&formats), live.names(&formats));
    }
    for (attr, placement) in &events {
        let (then, now) = (recorded.probe(attr, placement), live.probe(attr, placement));
        assert_eq!(then, now, "{attr:?}");
    }
    assert_eq!(steady(&Host::with_kernel(FakeKernel::new().files_of(&at))), steady(&live));
}

#[test]
fn what_was_refused_to_a_user_is_tried_in_user_space() {
    let kernel = FakeKernel::new().refuse_with(Errno::EACCES, |o| !o.attr.exclude.kernel);
    let at = directory("user");
    let events = [(software(1), Placement::ThisThread)];
    Host::with_kernel(kernel).record(&at, &events).unwrap();
    let opens = fs::read_to_string(at.join("opens.tsv")).unwrap();
    let expected = "type\tconfig\tconfig1\tconfig2\texclude\tresult\n1\t0x1\t0x0\t0x0\t-\tEACCES\n1\t0x1\t0x0\t0x0\tkh\tok\n";
    assert_eq!(opens, expected);
    let recorded = Host::recorded(&at).unwrap();
    recorded.probe(&software(1).user_only(), &Placement::ThisThread).unwrap();
    assert!(recorded.probe(&software(1), &Placement::ThisThread).unwrap_err().is_permission());
    let unknown = recorded.probe(&software(2), &Placement::ThisThread).unwrap_err();
    assert_eq!((unknown.errno, unknown.cause), (Errno::ENODATA, Cause::NotRecorded));
}

#[test]
fn only_what_bears_on_counting_is_kept_of_the_process() {
    let status = "Name:\tx\nPPid:\t77\nUid:\t1\t1\t1\t1\nGroups:\t4 24\nCapEff:\t0000000000000000\nSeccomp:\t0\n";
    let at = directory("status");
    Host::with_kernel(FakeKernel::new().file("/proc/self/status", status))
        .record(&at, &[])
        .unwrap();
    let kept = fs::read_to_string(at.join("proc/self/status")).unwrap();
    assert_eq!(kept, "Name:\tx\nUid:\t1\t1\t1\t1\nCapEff:\t0000000000000000\nSeccomp:\t0\n");
}

#[test]
fn a_recorded_machine_does_not_count() {
    let at = directory("still");
    Host::local().record(&at, &[(software(1), Placement::ThisThread)]).unwrap();
    let host = Host::recorded(&at).unwrap();
    let error = host.open(&[software(1)], Placement::ThisThread, Setup::default()).unwrap_err();
    assert_eq!(error.cause, Cause::Recording);
    assert_eq!(error.to_string(), "a recorded machine cannot count");
    let help = "leave out --machine to count on the machine that this runs on";
    assert_eq!(error.help().as_deref(), Some(help));
    assert!(host.open_directory("/sys".as_ref()).is_err());
}

#[test]
fn the_recorded_machines_of_the_tests_can_be_loaded() {
    for (name, has_core_pmu) in [("vm-no-pmu", false), ("amd-zen4", true), ("intel-hybrid", true)] {
        let host = Host::recorded(&machine(name)).unwrap();
        assert_eq!(!host.access().core_pmus.is_empty(), has_core_pmu, "{name}");
        let fake = Host::with_kernel(FakeKernel::new().files_of(&machine(name)));
        assert_eq!(fake.access(), host.access(), "{name}");
    }
    let missing = std::panic::catch_unwind(|| machine("no-such")).unwrap_err();
    let text = missing.downcast::<String>().unwrap();
    assert!(text.starts_with("fixtures/machines has no `no-such`; it has: amd-zen4, "), "{text}");
}

#[test]
fn a_bad_line_names_its_file_and_number() {
    let at = directory("bad");
    fs::create_dir_all(&at).unwrap();
    let good = "1\t0x1\t0x0\t0x0\t-\tok";
    for bad in [
        "1\t0x1\t0x0\t0x0\t-",
        "x\t0x1\t0x0\t0x0\t-\tok",
        "1\t1\t0x0\t0x0\t-\tok",
        "1\t0x1\t0x0\t0x0\tz\tok",
        "1\t0x1\t0x0\t0x0\t-\tEWHAT",
        "1\t0x1\t0x0\t0x0\t-\tok\tmore",
    ] {
        let path = at.join("opens.tsv");
        fs::write(&path, format!("type\tconfig\n{good}\n\n{bad}\n{good}\n")).unwrap();
        let error = Host::recorded(&at).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        let start = format!("{}:4: not of the form `type config", path.display());
        assert!(error.to_string().starts_with(&start), "{error}");
    }
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let at = directory("missing");
    let error = Host::recorded(&at).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().starts_with(&at.display().to_string()), "{error}");
}

#[test]
fn an_empty_directory_is_a_machine_that_shows_nothing() {
    let at = directory("empty");
    fs::create_dir_all(&at).unwrap();
    let host = Host::recorded(&at).unwrap();
    assert_eq!(host.access(), Access::default());
    assert!(host.online_cpus().is_empty() && host.names("/sys").is_empty());
}

#[test]
fn a_path_stays_inside_the_recording() {
    let outside = directory("outside");
    let inside = outside.join("machine");
    fs::create_dir_all(inside.join("proc")).unwrap();
    fs::write(outside.join("secret"), "no").unwrap();
    fs::write(inside.join("proc/version"), "Linux\n").unwrap();
    let host = Host::recorded(&inside).unwrap();
    assert_eq!(host.text("/proc/version").unwrap(), "Linux");
    for path in ["/../secret", "/proc/../../secret", "../secret", "secret", "proc/version"] {
        assert_eq!(host.text(path).unwrap_err().kind(), ErrorKind::NotFound, "{path}");
    }
    assert_eq!(host.names("/proc"), ["version"]);
    assert!(host.names("/..").is_empty() && host.names("/proc/../..").is_empty());
}
