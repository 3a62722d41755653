use crate::support::software;
use counterpoint_fixtures::{FakeKernel, machine};
use counterpoint_perf::{Access, Attr, Cause, Errno, Hint, Host, Placement, Setup, pmu_type};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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
    assert!(!recorded.is_running() && live.is_running());
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
    for leaf in [0, 0x15, 0x16] {
        assert_eq!(recorded.cpuid(leaf), live.cpuid(leaf), "{leaf:#x}");
    }
    assert_eq!(live.cpuid(0).is_some(), cfg!(target_arch = "x86_64"));
    assert_eq!(live.cpuid(0x7fff_ffff), None, "no processor has so many leaves");
    let tables = "/sys/firmware/acpi/tables";
    assert_eq!(recorded.names(tables), live.names(tables));
    for (attr, placement) in &events {
        let (then, now) = (recorded.probe(attr, placement), live.probe(attr, placement));
        assert_eq!(then, now, "{attr:?}");
    }
    assert_eq!(steady(&Host::with_kernel(FakeKernel::new().files_of(&at))), steady(&live));
}

#[test]
fn leaves_of_cpuid_are_read_back_and_a_mistake_names_its_line() {
    let at = directory("cpuid");
    fs::create_dir_all(&at).unwrap();
    assert_eq!(Host::recorded(&at).unwrap().cpuid(0), None, "the recording has none");
    let file = at.join("cpuid.tsv");
    let header = "leaf\teax\tebx\tecx\tedx\n";
    fs::write(&file, format!("{header}0x15\t0x2\t0x68\t0x249f000\t0x0\n")).unwrap();
    let leaf = Host::recorded(&at).unwrap().cpuid(0x15).unwrap();
    assert_eq!((leaf.eax, leaf.ebx, leaf.ecx, leaf.edx), (2, 104, 38_400_000, 0));
    for wrong in
        ["0x15\t2\t0x68\t0x0\t0x0", "0x15\t0x2", "0x15\t0x2\t0x68\t0x0\t0x0\t0x0", "\u{fe}"]
    {
        fs::write(&file, format!("{header}{wrong}\n")).unwrap();
        let error = Host::recorded(&at).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(error.to_string().contains("cpuid.tsv:2: not of the form"), "{error}");
    }
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
    assert_eq!(error.help(), Some(Hint::UseRunningMachine));
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
    assert!(
        text.starts_with("fixtures/machines has no `no-such`; the machines are: amd-zen4, "),
        "{text}"
    );
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
        "1\t0x1\t0x0\t0x0\t-\t\u{ff}",
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
fn a_missing_header_costs_no_answer() {
    let at = directory("headless");
    fs::create_dir_all(&at).unwrap();
    fs::write(at.join("opens.tsv"), "1\t0x1\t0x0\t0x0\t-\tok\n1\t0x2\t0x0\t0x0\t-\tEINVAL\n")
        .unwrap();
    let host = Host::recorded(&at).unwrap();
    let probe = |config| host.probe(&Attr::new(pmu_type::SOFTWARE, config), &Placement::ThisThread);
    assert!(probe(1).is_ok());
    assert_eq!(probe(2).unwrap_err().errno, Errno::EINVAL);
}

/// A file of so many bytes that take no room on the disk.
fn hollow(path: &Path, bytes: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path).unwrap().set_len(bytes).unwrap();
}

const MIB: u64 = 1 << 20;

#[test]
fn what_is_too_large_is_refused_and_named() {
    let device = "sys/bus/event_source/devices/cpu";
    let files = [
        "opens.tsv".to_string(),
        "proc/cpuinfo".to_string(),
        "proc/self/status".to_string(),
        format!("{device}/events/cycles"),
        format!("{device}/interface/catalog"),
        "sys/devices/system/cpu/cpu3/topology/core_id".to_string(),
    ];
    for file in files {
        let at = directory("large");
        fs::create_dir_all(at.join("sys/devices/system/cpu")).unwrap();
        fs::write(at.join("sys/devices/system/cpu/online"), "0-3\n").unwrap();
        let large = at.join(file);
        hollow(&large, 257 * MIB);
        let error = Host::recorded(&at).unwrap_err();
        let text = format!(
            "{}: with this file, the recorded machine has more than 256 MiB, the maximum",
            large.display()
        );
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::InvalidData, text));
    }
}

#[test]
fn files_that_are_too_large_together_are_refused() {
    let at = directory("together");
    let event = |number| at.join(format!("sys/bus/event_source/devices/cpu/events/{number}"));
    (0..5).for_each(|number| hollow(&event(number), 50 * MIB));
    Host::recorded(&at).unwrap();
    hollow(&event(5), 50 * MIB);
    let error = Host::recorded(&at).unwrap_err().to_string();
    assert!(error.starts_with(&event(5).display().to_string()), "{error}");
    assert!(error.contains("more than 256 MiB"), "{error}");
}

#[test]
fn a_directory_with_too_many_names_is_refused() {
    // In memory, where there is such a place: a disk is slow to make so many files.
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let at = parent.join(format!("counterpoint-names-{}", std::process::id()));
    let events = at.join("sys/bus/event_source/devices/cpu/events");
    fs::create_dir_all(&events).unwrap();
    (0..=1 << 15).for_each(|number| drop(fs::File::create(events.join(number.to_string()))));
    let large = Host::recorded(&at);
    // As many as may be, and those five times.
    fs::remove_file(events.join("0")).unwrap();
    for n in 1..5 {
        std::os::unix::fs::symlink("cpu", at.join(format!("sys/bus/event_source/devices/cpu{n}")))
            .unwrap();
    }
    let linked = Host::recorded(&at);
    fs::remove_dir_all(&at).unwrap();
    let error = large.unwrap_err().to_string();
    assert!(error.starts_with(&events.display().to_string()), "{error}");
    assert!(error.contains("more than 32768 names"), "{error}");
    let error = linked.unwrap_err().to_string();
    assert!(error.starts_with(&at.display().to_string()), "{error}");
    assert!(error.contains("more than 131072 files"), "{error}");
}

#[test]
fn what_would_be_waited_for_or_never_ends_is_no_file_of_a_machine() {
    let at = directory("devices");
    let version = at.join("proc/version");
    fs::create_dir_all(at.join("proc")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &version).unwrap();
    let error = Host::recorded(&at).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: not a plain file", version.display())), "{error}");
    fs::remove_file(&version).unwrap();
    // A file that is looked for only now and then is refused when it is.
    let host = Host::recorded(&at).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at.join("proc/kallsyms")).unwrap();
    hollow(&at.join("proc/modules"), 257 * MIB);
    for path in ["/proc/kallsyms", "/proc/modules"] {
        assert_eq!(host.bytes(path).unwrap_err().kind(), ErrorKind::InvalidData, "{path}");
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
