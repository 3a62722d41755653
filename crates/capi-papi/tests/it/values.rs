//! The events that are counted.

use papi::*;

use super::alone::alone;
use super::*;

fn read(set: c_int, count: usize) -> Vec<i64> {
    let mut values = vec![0; count];
    // SAFETY: there is room for a value of each event.
    assert_eq!(unsafe { PAPI_read(set, values.as_mut_ptr()) }, OK);
    values
}

#[test]
fn faults_are_counted_exactly() {
    start();
    let set = set(&["perf::PAGE-FAULTS", "perf::TASK-CLOCK"]);
    assert_eq!(PAPI_start(set), OK);
    let before = read(set, 2);
    touch(1000);
    let after = read(set, 2);
    let mut last = [0_i64; 2];
    // SAFETY: there is room for two values.
    assert_eq!(unsafe { PAPI_stop(set, last.as_mut_ptr()) }, OK);
    let faults = after[0] - before[0];
    assert!((1000..1100).contains(&faults), "{faults}");
    assert!(after[1] > before[1] && last[1] >= after[1]);
    assert_eq!(read(set, 2), last);
    remove(set);
}

#[test]
fn presets_and_user_events_are_computed() {
    let folder = std::env::temp_dir().join(format!("papi-values-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (presets, events) = (folder.join("presets.csv"), folder.join("events.txt"));
    let pmu = "perf";
    std::fs::write(
        &presets,
        format!(
            "CPU,{pmu}\n\
             PRESET,PAPI_TOT_INS,NOT_DERIVED,perf::PAGE-FAULTS\n\
             PRESET,PAPI_TOT_CYC,DERIVED_ADD,perf::PAGE-FAULTS,perf::MINOR-FAULTS\n\
             PRESET,PAPI_L1_DCM,DERIVED_POSTFIX,N0|2|*|N1|-|,perf::PAGE-FAULTS,perf::MINOR-FAULTS\n"
        ),
    )
    .expect("a file");
    std::fs::write(&events, "EVENT,DOUBLE_FAULTS,DERIVED_INFIX,N0*2,perf::PAGE-FAULTS\n")
        .expect("a file");
    let [presets, events] = [&presets, &events].map(|path| path.display().to_string());
    let variables = [("PAPI_CSV_EVENT_FILE", &*presets), ("PAPI_USER_EVENTS_FILE", &*events)];
    alone("values::presets_and_user_events_are_computed", &variables, || {
        start();
        let names = ["PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_L1_DCM", "DOUBLE_FAULTS"];
        let set = set(&names);
        assert_eq!(code("DOUBLE_FAULTS") as u32, 0xc000_0000);
        assert_eq!(PAPI_start(set), OK);
        touch(500);
        let mut values = [0_i64; 4];
        // SAFETY: there is room for four values.
        assert_eq!(unsafe { PAPI_stop(set, values.as_mut_ptr()) }, OK);
        let faults = values[0];
        assert!(faults > 0);
        assert_eq!(values, [faults, 2 * faults, faults, 2 * faults]);
        let mut info = std::mem::MaybeUninit::<EventInfo>::zeroed();
        // SAFETY: a whole structure.
        assert_eq!(unsafe { PAPI_get_event_info(code("PAPI_L1_DCM"), info.as_mut_ptr()) }, OK);
        // SAFETY: any bytes are a value.
        let info = unsafe { info.assume_init() };
        assert_eq!((info.count, info.event_code), (2, 0x8000_0000));
        assert!(info.derived.starts_with(b"DERIVED_POSTFIX\0"));
        assert!(info.postfix.starts_with(b"N0|2|*|N1|-|"), "{:?}", &info.postfix[..20]);
        assert!(info.name[1].starts_with(b"perf::MINOR-FAULTS\0"));
        remove(set);
    });
}

#[test]
fn what_the_user_domain_cannot_see_is_not_a_false_zero() {
    start();
    let mut set = NULL;
    // SAFETY: a place for a number.
    assert_eq!(unsafe { PAPI_create_eventset(&mut set) }, OK);
    if PAPI_add_event(set, code("perf::CONTEXT-SWITCHES")) != OK {
        println!("skipped: needs the right to count the kernel");
        remove(set);
        return;
    }
    assert_eq!(PAPI_start(set), OK);
    for _ in 0..20 {
        std::thread::sleep(std::time::Duration::from_micros(100));
    }
    assert!(read(set, 1)[0] >= 20);
    // SAFETY: null is allowed.
    assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
    remove(set);
}

#[test]
fn a_set_that_was_stopped_starts_from_zero() {
    start();
    let set = set(&["perf::PAGE-FAULTS"]);
    for _ in 0..3 {
        assert_eq!(PAPI_start(set), OK);
        touch(100);
        assert!((100..150).contains(&read(set, 1)[0]));
        // SAFETY: null is allowed.
        assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
    }
    // SAFETY: null is allowed.
    assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, ENOTRUN);
    remove(set);
}

#[test]
fn options_say_what_is_attached_and_how_many_cpus_a_node_has() {
    start();
    const DETACH: c_int = 1;
    const MAX_CPUS: c_int = 18;
    const ATTACH: c_int = 19;
    let set = set(&["perf::TASK-CLOCK"]);
    let attached = || {
        let mut place = [set as usize, 0];
        let place = place.as_mut_ptr().cast();
        // SAFETY: the place is as large as the structure of a handle and a thread.
        unsafe { [PAPI_get_opt(ATTACH, place), PAPI_get_opt(DETACH, place)] }
    };
    assert_eq!(attached(), [0, 1]);
    assert_eq!(PAPI_attach(set, std::process::id().into()), OK);
    assert_eq!(attached(), [1, 0]);
    remove(set);
    // SAFETY: it stays as it is, and the option needs no structure.
    let (info, cpus) =
        unsafe { (&*PAPI_get_hardware_info(), PAPI_get_opt(MAX_CPUS, std::ptr::null_mut())) };
    assert_eq!(cpus, info.ncpu);
}

#[test]
fn an_event_that_cannot_be_removed_leaves_the_set_as_it_was() {
    start();
    let set = set(&["perf::TASK-CLOCK", "perf::PAGE-FAULTS", "perf::MINOR-FAULTS"]);
    assert_eq!(PAPI_remove_event(set, code("perf::TASK-CLOCK")), OK);
    let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("it starts");
    assert_eq!(PAPI_attach(set, child.id().into()), OK);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // The events that are left are opened again, for a process that has gone.
    assert!(PAPI_remove_event(set, code("perf::PAGE-FAULTS")) < 0);
    assert_eq!(PAPI_num_events(set), 2);
    assert_eq!(PAPI_detach(set), OK);
    assert_eq!(PAPI_start(set), OK);
    touch(50);
    let values = read(set, 2);
    assert!(values[0] >= 50 && values[0] == values[1], "{values:?}");
    // SAFETY: null is allowed.
    assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
    assert_eq!(PAPI_remove_event(set, code("perf::PAGE-FAULTS")), OK);
    assert_eq!(PAPI_remove_event(set, code("perf::MINOR-FAULTS")), OK);
    assert_eq!(PAPI_num_events(set), 0);
    remove(set);
}

/// The values of the presets that are left are made of the same events, which have other places.
#[test]
fn a_set_without_one_of_its_events_computes_the_others() {
    const LINES: &str = "PRESET,PAPI_TOT_INS,NOT_DERIVED,perf::TASK-CLOCK\n\
         PRESET,PAPI_TOT_CYC,DERIVED_ADD,perf::PAGE-FAULTS,perf::MINOR-FAULTS\n\
         PRESET,PAPI_L1_DCM,NOT_DERIVED,perf::MINOR-FAULTS\n";
    let file = presets("removed", LINES);
    let variables = [("PAPI_CSV_EVENT_FILE", &*file)];
    alone("values::a_set_without_one_of_its_events_computes_the_others", &variables, || {
        start();
        let set = set(&["PAPI_TOT_INS", "PAPI_L1_DCM", "PAPI_TOT_CYC"]);
        assert_eq!(PAPI_remove_event(set, code("PAPI_TOT_INS")), OK);
        assert_eq!(PAPI_start(set), OK);
        touch(100);
        let values = read(set, 2);
        assert!(values[0] >= 100 && values[1] == 2 * values[0], "{values:?}");
        // SAFETY: null is allowed.
        assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
        assert_eq!(PAPI_remove_event(set, code("PAPI_L1_DCM")), OK);
        assert_eq!(PAPI_start(set), OK);
        touch(100);
        assert!(read(set, 1)[0] >= 200);
    });
}

/// A set that one thread has made and another one starts counts the first, and so do its overflows.
#[test]
fn overflows_are_those_of_the_thread_that_is_counted() {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicI32, Ordering};
    static OF: [AtomicI32; 2] = [const { AtomicI32::new(0) }; 2];
    static OPENER: AtomicI32 = AtomicI32::new(0);
    fn thread() -> i32 {
        nix::unistd::gettid().as_raw()
    }
    extern "C" fn overflow(_: c_int, _: *mut c_void, _: i64, _: *mut c_void) {
        let is_opener = thread() == OPENER.load(Ordering::Relaxed);
        OF[usize::from(is_opener)].fetch_add(1, Ordering::Relaxed);
    }
    alone("values::overflows_are_those_of_the_thread_that_is_counted", &[], || {
        start();
        OPENER.store(thread(), Ordering::Relaxed);
        let [first, second] = [(); 2].map(|()| set(&["perf::TASK-CLOCK"]));
        let clock = code("perf::TASK-CLOCK");
        assert_eq!(PAPI_overflow(first, clock, 500_000, 0, Some(overflow)), OK);
        let by_another = |call: &(dyn Fn() -> c_int + Sync)| {
            std::thread::scope(|scope| scope.spawn(call).join().expect("no panic"))
        };
        assert_eq!(by_another(&|| PAPI_start(first)), OK);
        const EISRUN: c_int = -10;
        assert_eq!([PAPI_start(second), by_another(&|| PAPI_start(second))], [EISRUN; 2]);
        let own = || {
            let own = set(&["perf::TASK-CLOCK"]);
            let started = PAPI_start(own);
            // SAFETY: null is allowed.
            unsafe { PAPI_stop(own, std::ptr::null_mut()) };
            started
        };
        assert_eq!(by_another(&own), OK, "another thread counts itself");
        let before = read(first, 1)[0];
        let begun = std::time::Instant::now();
        while OF[1].load(Ordering::Relaxed) < 5 {
            assert!(begun.elapsed().as_secs() < 10, "no overflow: {OF:?}");
        }
        assert!(read(first, 1)[0] > before + 1_000_000);
        assert_eq!(OF[0].load(Ordering::Relaxed), 0);
        // SAFETY: null is allowed.
        assert_eq!(unsafe { PAPI_stop(first, std::ptr::null_mut()) }, OK);
    });
}

#[test]
fn energies_of_packages_are_a_component_of_their_own() {
    start();
    // SAFETY: a C string.
    let component = unsafe { PAPI_get_component_index(c("rapl").as_ptr()) };
    let info = PAPI_get_component_info(component).cast::<ComponentInfo>();
    // SAFETY: the structure of a component that there is; it stays.
    let info = unsafe { &*info };
    let mut event = 0x4000_0000;
    // SAFETY: a place for a number.
    let first = unsafe { PAPI_enum_cmp_event(&mut event, 1, component) };
    if info.names.disabled != OK {
        assert_eq!((first, info.numbers.num_native_events), (ENOCMP, 0));
        assert!(info.names.disabled_reason.starts_with(b"The kernel has no PMU named power\0"));
        println!("skipped: needs a kernel that counts energies");
        return;
    }
    let mut names = Vec::new();
    while names.is_empty()
        // SAFETY: as above.
        || unsafe { PAPI_enum_cmp_event(&mut event, 0, component) } == OK
    {
        let mut info = std::mem::MaybeUninit::<EventInfo>::zeroed();
        // SAFETY: a whole structure.
        assert_eq!(unsafe { PAPI_get_event_info(event, info.as_mut_ptr()) }, OK);
        // SAFETY: any bytes are a value.
        let info = unsafe { info.assume_init() };
        assert!(info.units.starts_with(b"nJ\0"));
        let end = info.symbol.iter().position(|byte| *byte == 0).expect("an end");
        let name = std::str::from_utf8(&info.symbol[..end]).expect("a name").to_owned();
        assert_eq!(code(&name), event);
        assert_eq!(code(name.strip_prefix("rapl:::").expect("the component")), event);
        names.push(name);
    }
    assert_eq!(names.len(), usize::try_from(info.numbers.num_native_events).expect("a number"));
    let mut set = NULL;
    // SAFETY: a place for a number.
    assert_eq!(unsafe { PAPI_create_eventset(&mut set) }, OK);
    if PAPI_add_event(set, event) != OK {
        println!("skipped: needs the right to count packages");
        remove(set);
        return;
    }
    assert_eq!(PAPI_get_eventset_component(set), component);
    assert_eq!(PAPI_add_event(set, code("perf::PAGE-FAULTS")), EINVAL);
    assert_eq!(PAPI_attach(set, std::process::id().into()), ENOSUPP);
    assert_eq!(PAPI_start(set), OK);
    let first = read(set, 1)[0];
    std::thread::sleep(std::time::Duration::from_millis(20));
    let second = read(set, 1)[0];
    // A virtual machine may show the PMU and no energy.
    assert!(first >= 0 && second >= first, "{first} {second}");
    // SAFETY: null is allowed.
    assert_eq!(unsafe { PAPI_stop(set, std::ptr::null_mut()) }, OK);
    remove(set);
}

/// Definitions of files: those of this machine are there, with their texts.
#[test]
fn definitions_are_described_as_their_file_says() {
    let path = std::env::temp_dir().join(format!("papi-described-{}.csv", std::process::id()));
    std::fs::write(
        &path,
        "CPU,perf\n\
         PRESET,PAPI_TOT_CYC,NOT_DERIVED,perf::PAGE-FAULTS,LDESC,\"my long\",SDESC,\"my short\",NOTE,\"my note\"\n\
         EVENT,PAPI_TOT_INS,NOT_DERIVED,perf::PAGE-FAULTS,LDESC,\"other long\",SDESC,\"other short\"\n\
         EVENT,OWN,NOT_DERIVED,perf::PAGE-FAULTS,LDESC,\"own long\"\n\
         PRESET,NO_PRESET_OF_PAPI,NOT_DERIVED,perf::PAGE-FAULTS\n\
         PRESET,PAPI_L1_DCM,DERIVED_ADD,perf::PAGE-FAULTS,no::SUCH_EVENT\n\
         EVENT,UNKNOWN,DERIVED_ADD,perf::PAGE-FAULTS,no::SUCH_EVENT\n\
         CPU,no_such_pmu\n\
         EVENT,ELSEWHERE,NOT_DERIVED,perf::PAGE-FAULTS\n\
         EVENT,OWN,NOT_DERIVED,perf::MINOR-FAULTS\n",
    )
    .expect("a file");
    let file = path.display().to_string();
    alone(
        "values::definitions_are_described_as_their_file_says",
        &[("PAPI_USER_EVENTS_FILE", &*file)],
        || {
            start();
            let info = |code: c_int| {
                let mut info = std::mem::MaybeUninit::<EventInfo>::zeroed();
                // SAFETY: a whole structure.
                let answer = unsafe { PAPI_get_event_info(code, info.as_mut_ptr()) };
                // SAFETY: any bytes are a value.
                (answer, unsafe { info.assume_init() })
            };
            let (_, cycles) = info(code("PAPI_TOT_CYC"));
            assert!(cycles.long_descr.starts_with(b"my long\0"));
            assert!(cycles.short_descr.starts_with(b"my short\0"));
            assert!(cycles.note.starts_with(b"my note\0"));
            let (_, instructions) = info(code("PAPI_TOT_INS"));
            assert!(instructions.long_descr.starts_with(b"other long\0"));
            // Names of presets are no events of the user, and each other name is one.
            let users = ["OWN", "NO_PRESET_OF_PAPI", "UNKNOWN"];
            for (place, name) in users.into_iter().zip(0xc000_0000_u32..).map(|(n, p)| (p, n)) {
                assert_eq!(code(name) as u32, place, "{name}");
            }
            let mut number = 0;
            // SAFETY: a text, and a place for a number.
            let answer = unsafe { PAPI_event_name_to_code(c"ELSEWHERE".as_ptr(), &mut number) };
            assert_ne!(answer, OK, "it is of another processor");
            let (answer, own) = info(code("OWN"));
            assert_eq!((answer, own.count), (OK, 1));
            assert!(own.name[0].starts_with(b"perf::PAGE-FAULTS\0"));
            // An event with an unknown term is not there; a preset says how it would be computed.
            assert_ne!(info(code("UNKNOWN")).0, OK);
            let (answer, misses) = info(code("PAPI_L1_DCM"));
            assert_eq!((answer, misses.count), (OK, 0));
            assert!(misses.derived.starts_with(b"DERIVED_ADD\0"));
        },
    );
    std::fs::remove_file(path).expect("the file");
}

/// The numbers of files are components of their own: their events are listed, named and counted.
#[test]
fn numbers_of_files_are_components_with_events() {
    start();
    let component = |name: &str| {
        let name = CString::new(name).expect("a name");
        // SAFETY: the name ends with a zero byte.
        unsafe { PAPI_get_component_index(name.as_ptr()) }
    };
    for name in ["coretemp", "infiniband", "io", "net", "powercap", "stealtime"] {
        let number = component(name);
        assert!((4..PAPI_num_components()).contains(&number), "{name}: {number}");
        assert!(!PAPI_get_component_info(number).is_null(), "{name}");
        let mut code = 0x4000_0000;
        let mut listed = 0;
        // SAFETY: there is room for a code.
        let mut result = unsafe { PAPI_enum_cmp_event(&mut code, 1, number) };
        while result == OK {
            listed += 1;
            assert_eq!(PAPI_query_event(code), OK, "{name}");
            // SAFETY: there is room for a code.
            result = unsafe { PAPI_enum_cmp_event(&mut code, 0, number) };
        }
        assert_eq!(PAPI_num_cmp_hwctrs(number), listed, "{name}");
    }
    if !std::path::Path::new("/proc/self/io").exists() {
        println!("skipped: this kernel has no /proc/self/io");
        return;
    }
    let set = set(&["io:::rchar", "io:::wchar", "io:::syscr"]);
    assert_eq!(PAPI_start(set), OK);
    let before = read(set, 3);
    // As PAPI's, they are those since the process began, and a write is accepted and changes nothing.
    assert!(before[0] > 0 && before[2] > 0, "{before:?}");
    // SAFETY: three values.
    assert_eq!(unsafe { PAPI_write(set, [0_i64; 3].as_mut_ptr()) }, OK);
    assert!(read(set, 3)[0] >= before[0]);
    let mut bytes = vec![0; 1 << 20];
    let mut zeros = std::fs::File::open("/dev/zero").expect("a device");
    std::io::Read::read_exact(&mut zeros, &mut bytes).expect("zeros");
    let after = read(set, 3);
    assert!((1 << 20..1 << 21).contains(&(after[0] - before[0])), "{before:?} {after:?}");
    assert!(after[2] > before[2], "{before:?} {after:?}");
    let mut last = [0_i64; 3];
    // SAFETY: there is room for three values.
    assert_eq!(unsafe { PAPI_stop(set, last.as_mut_ptr()) }, OK);
    assert_eq!(PAPI_reset(set), OK);
    assert_eq!(read(set, 3)[0], 0);
    remove(set);
}

/// Bytes over loopback, by PAPI's name of them.
#[test]
fn bytes_of_an_interface_are_counted() {
    start();
    let name = "net:::lo:rx:bytes";
    if !std::fs::read_to_string("/proc/net/dev").is_ok_and(|text| text.contains("lo:")) {
        println!("skipped: there is no loopback interface");
        return;
    }
    let set = set(&[name, "net:::lo:tx:packets"]);
    assert_eq!(PAPI_start(set), OK);
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let address = socket.local_addr().expect("its address");
    for _ in 0..10 {
        assert_eq!(socket.send_to(&[0; 1000], address).expect("a packet"), 1000);
    }
    let mut values = [0_i64; 2];
    // SAFETY: there is room for two values.
    assert_eq!(unsafe { PAPI_stop(set, values.as_mut_ptr()) }, OK);
    assert!(values[0] >= 10_000 && values[1] >= 10, "{values:?}");
    remove(set);
}
