//! Every form of event text, and the attributes that are opened.

use crate::world::{asked, cpu_of, kernel, open, recorded, row, set, two_sockets};
use counterpoint::perf::{Attr, Exclude, pmu_type};
use counterpoint::{Error, EventSet, Hint, Target, Value};
use counterpoint_fixtures::{Call, FakeKernel};
use std::collections::BTreeSet;

/// The attributes that a machine with the PMU `cpu` opens for one event at one placement.
fn attr(events: &str) -> Attr {
    thread_local! {
        static ZEN: FakeKernel = kernel("amd-zen4");
    }
    ZEN.with(|zen| attr_on(zen, events))
}

fn attr_on(kernel: &FakeKernel, events: &str) -> Attr {
    let asked = asked(kernel, Target::ThisThread, events);
    assert_eq!(asked.len(), 1, "{events}: {asked:?}");
    asked[0].attr.clone()
}

fn canonical(events: &str) -> String {
    let mut counters = set(&kernel("amd-zen4"), Target::ThisThread).event(events).open().unwrap();
    row(counters.read().unwrap(), events).id.to_string()
}

fn error(machine: &str, events: &str) -> Error {
    let set = EventSet::on(recorded(machine), Target::ThisThread).event(events);
    set.resolve().expect_err(events)
}

#[test]
fn the_names_of_the_kernels_events_are_perfs_the_constants_and_libpfms() {
    let same = [
        (
            Attr::new(pmu_type::HARDWARE, 0),
            "cycles",
            vec![
                "cpu-cycles",
                "PERF_COUNT_HW_CPU_CYCLES",
                "perf::cycles",
                "perf::CYCLES",
                "perf::PERF_COUNT_HW_CPU_CYCLES",
            ],
        ),
        (
            Attr::new(pmu_type::HARDWARE, 4),
            "branches",
            vec!["branch-instructions", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS", "perf::BRANCHES"],
        ),
        (
            Attr::new(pmu_type::SOFTWARE, 1),
            "task-clock",
            vec!["PERF_COUNT_SW_TASK_CLOCK", "perf::TASK-CLOCK"],
        ),
        (
            Attr::new(pmu_type::SOFTWARE, 2),
            "page-faults",
            vec!["faults", "PERF_COUNT_SW_PAGE_FAULTS", "perf::PAGE-FAULTS"],
        ),
        (
            Attr::new(pmu_type::SOFTWARE, 3),
            "context-switches",
            vec!["cs", "PERF_COUNT_SW_CONTEXT_SWITCHES"],
        ),
        (
            Attr::new(pmu_type::HW_CACHE, 0x10000),
            "L1-dcache-load-misses",
            vec![
                "l1d-read-miss",
                "PERF_COUNT_HW_CACHE_L1D:READ:MISS",
                "perf::PERF_COUNT_HW_CACHE_L1D:READ:MISS",
                "perf::L1-DCACHE-LOAD-MISSES",
            ],
        ),
        (Attr::new(pmu_type::HW_CACHE, 0x2), "LLC-loads", vec!["perf::LLC-LOADS"]),
    ];
    for (wanted, name, others) in same {
        assert_eq!(attr(name), wanted, "{name}");
        assert_eq!(canonical(name), name);
        for other in others {
            assert_eq!(attr(other), wanted, "{other}");
        }
    }
}

#[test]
fn an_event_with_two_names_is_opened_once_and_shown_twice() {
    let kernel = two_sockets();
    let mut counters =
        set(&kernel, Target::ThisThread).event("cycles,cpu-cycles").event("cycles").open().unwrap();
    assert_eq!(kernel.asked().len(), 1);
    let events: Vec<_> =
        counters.read().unwrap().rows.iter().map(|row| row.event.clone()).collect();
    assert_eq!(events, ["cycles", "cpu-cycles", "cycles"]);
}

#[test]
fn modifiers_become_attributes() {
    let none = Exclude::default();
    let (user, kernel, hv) = (true, true, true);
    let excludes = [
        ("u", Exclude { kernel, hv, ..none }),
        ("k", Exclude { user, hv, ..none }),
        ("h", Exclude { user, kernel, ..none }),
        ("uk", Exclude { hv, ..none }),
        ("I", Exclude { idle: true, ..none }),
        ("G", Exclude { host: true, ..none }),
        ("H", Exclude { guest: true, ..none }),
    ];
    for (letters, exclude) in excludes {
        for name in ["cycles", "perf::cycles", "PERF_COUNT_HW_CPU_CYCLES", "r76"] {
            assert_eq!(attr(&format!("{name}:{letters}")).exclude, exclude, "{name}:{letters}");
        }
        for name in ["cpu/event=0x76/", "cpu/cache-misses/"] {
            assert_eq!(attr(&format!("{name}{letters}")).exclude, exclude, "{name}{letters}");
        }
        assert_eq!(attr(&format!("mem:0x1000:rw:{letters}")).exclude, exclude);
    }
    assert_eq!(attr("cycles:pp"), Attr { precise: 2, ..Attr::new(pmu_type::HARDWARE, 0) });
    assert_eq!(attr("cycles:D"), Attr { pinned: true, ..Attr::new(pmu_type::HARDWARE, 0) });
    assert_eq!(attr("cycles:e"), Attr { exclusive: true, ..Attr::new(pmu_type::HARDWARE, 0) });
    assert_eq!(
        attr("{cycles:k}:u").exclude,
        Exclude { hv, ..none },
        "a group's modifiers add to an event's own"
    );
    let libpfm = Exclude { kernel, hv, guest: true, ..none };
    assert_eq!(attr("perf::PAGE-FAULTS:u=1").exclude, libpfm, "libpfm leaves guests out");
    assert_eq!(canonical("cycles:uppD"), "cycles:uppD");
    assert_eq!(canonical("cpu/cache-misses/u"), "cpu/cache-misses/u");
}

#[test]
fn raw_codes_and_breakpoints() {
    assert_eq!(attr("r1a8"), Attr::new(pmu_type::RAW, 0x1a8));
    assert_eq!(attr("rFFFFFFFFFFFFFFFF"), Attr::new(pmu_type::RAW, u64::MAX));
    let mut raw = Attr::new(pmu_type::RAW, 0x1a8);
    raw.exclude.guest = true;
    assert_eq!(attr("perf_raw::r1a8"), raw, "libpfm leaves guests out");
    let watch = |address, length, breakpoint| Attr {
        kind: pmu_type::BREAKPOINT,
        config1: address,
        config2: length,
        breakpoint,
        ..Attr::default()
    };
    assert_eq!(attr("mem:0x1000"), watch(0x1000, 4, 3));
    assert_eq!(attr("mem:0x1000/8:w"), watch(0x1000, 8, 2));
    assert_eq!(attr("mem:4096/2:r"), watch(0x1000, 2, 1));
    assert_eq!(attr("mem:0x401000:x"), watch(0x401000, size_of::<usize>() as u64, 4));
}

#[test]
fn fields_and_named_events_of_a_core_pmu() {
    let raw = |config| Attr::new(pmu_type::RAW, config);
    assert_eq!(attr("cpu/event=0xc0,umask=0x1,cmask=2/"), raw(0x0200_01c0));
    assert_eq!(
        attr("cpu/event=0x120,inv/"),
        raw(0x1_0080_0020),
        "a field in two pieces, and one of one bit"
    );
    assert_eq!(attr("cpu/config=0x1234/"), raw(0x1234));
    assert_eq!(attr("cpu/instructions/"), raw(0xc0), "what sysfs names is the processor's event");
    assert_eq!(attr("cpu/cycles/"), Attr::new(pmu_type::HARDWARE, 0), "else it is the kernel's");
    assert_eq!(attr("msr/tsc/"), Attr::new(16, 0));
    let arm = kernel("arm-neoverse");
    for name in ["l1d_cache", "armv8_pmuv3_0/l1d_cache/", "armv8_pmuv3_0/event=4/"] {
        assert_eq!(attr_on(&arm, name), Attr::new(8, 4), "{name}");
    }
    let long = Attr { config1: 1, ..Attr::new(8, 0x11) };
    assert_eq!(attr_on(&arm, "armv8_pmuv3_0/cpu_cycles,long=1/"), long);
    assert_eq!(attr_on(&arm, "sample_pop:u"), Attr::new(8, 0x4000).user_only());
    let power = kernel("power9");
    assert_eq!(attr_on(&power, "mem-loads").kind, pmu_type::RAW);
}

#[test]
fn a_name_without_number_is_all_boxes_and_a_pmu_with_a_cpumask_counts_there() {
    let places = |machine: &str, event: &str| -> Vec<(u32, u32)> {
        asked(&kernel(machine), Target::AllCpus, event)
            .iter()
            .map(|opening| (opening.attr.kind, cpu_of(opening).unwrap()))
            .collect()
    };
    let umc: Vec<(u32, u32)> = (20..32).map(|kind| (kind, 0)).collect();
    assert_eq!(places("amd-zen4", "amd_umc/event=1/"), umc);
    assert_eq!(places("amd-zen4", "amd_umc_*/event=1/"), umc);
    assert_eq!(places("amd-zen4", "amd_umc_10/event=1/"), [(30, 0)]);
    assert_eq!(places("amd-zen4", "amd_l3/event=4/"), [(19, 0), (19, 4), (19, 8), (19, 12)]);
    assert_eq!(places("arm-neoverse", "arm_dsu/cycles/"), [(9, 0), (10, 2)]);
    let cboxes: Vec<(u32, u32)> = (16..21).map(|kind| (kind, 0)).collect();
    for name in ["uncore_cbox", "cbox", "uncore_cbox_?"] {
        assert_eq!(places("intel-hybrid", &format!("{name}/event=0x22/")), cboxes, "{name}");
    }
    assert_eq!(places("intel-hybrid", "imc/event=1/"), [(24, 0), (25, 0)]);
}

#[test]
fn boxes_are_summed() {
    let kernel = kernel("amd-zen4").counts(|opening, _| u64::from(opening.attr.kind));
    let mut counters = set(&kernel, Target::AllCpus).event("amd_umc/event=1/").open().unwrap();
    kernel.run(crate::world::ms(1));
    let report = counters.read().unwrap();
    assert_eq!(report.rows.len(), 1);
    assert_eq!(
        report.rows[0].value,
        Value::Counted(counterpoint::formula::Number::Int((20..32).sum()))
    );
    assert_eq!(counters.open_count(), 12);
}

#[test]
fn parameters_of_24x7_events_must_be_given() {
    let event = "hv_24x7/PM_PB_CYC,chip=3/";
    let asked = asked(&kernel("power9"), Target::AllCpus, event);
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].attr, Attr::new(10, 0x80 << 32 | 3 << 16 | 1));
    let error = error("power9", "hv_24x7/PM_PB_CYC/");
    let (text, help) = (error.to_string(), error.help().unwrap().to_string());
    assert!(text.contains("chip") || help.contains("chip"), "{text}; {help}");
}

fn with_tracefs() -> FakeKernel {
    kernel("amd-zen4")
        .file("/sys/kernel/tracing/events/sched/sched_switch/id", "316\n")
        .file("/sys/kernel/tracing/events/sched/enable", "0\n")
        .file("/sys/kernel/tracing/events/syscalls/sys_enter_read/id", "700\n")
}

#[test]
fn a_pattern_stands_for_all_events_that_match() {
    let kernel = with_tracefs().file("/sys/kernel/tracing/events/sched/sched_wakeup/id", "317\n");
    let set = |events: &str| set(&kernel, Target::ThisThread).event(events);
    let names = |events: &str| set(events).resolve().unwrap().names();
    assert_eq!(names("sched:*"), ["sched:sched_switch", "sched:sched_wakeup"]);
    assert_eq!(
        names("sched:sched_w[!b]keup,s*:*_read:u"),
        ["sched:sched_wakeup", "syscalls:sys_enter_read:u"]
    );
    assert_eq!(names("{task-clock,minor-*}"), ["task-clock", "minor-faults"]);
    assert_eq!(names("cpu-cyc?es"), ["cycles"], "another name of one event is not another event");
    let of_tables = names("ls_dispatch*");
    assert!(of_tables.len() > 1, "{of_tables:?}");
    assert!(of_tables.iter().all(|name| name.starts_with("LS_DISPATCH:")), "{of_tables:?}");
    for (pattern, near) in
        [("sched:sched_swich*", "sched:sched_switch"), ("pagefaults*", "page-faults")]
    {
        let error = set(pattern).resolve().unwrap_err();
        assert!(error.is_unknown_event());
        assert_eq!(error.to_string(), format!("no event here matches `{pattern}`"));
        assert_eq!(error.span(), Some(0..pattern.len()));
        assert!(error.help().unwrap().to_string().contains(near), "{:?}", error.help());
    }
    let many = (0..1100).fold(kernel.clone(), |kernel, number| {
        kernel.file(format!("/sys/kernel/tracing/events/many/e{number}/id"), number.to_string())
    });
    let error = crate::world::set(&many, Target::ThisThread).event("many:*").resolve().unwrap_err();
    assert_eq!(error.to_string(), "1100 events match `many:*`, and at most 1024 are counted");
}

#[test]
fn a_filter_is_for_the_last_event_before_it() {
    let kernel = with_tracefs().file("/sys/kernel/tracing/events/sched/sched_wakeup/id", "317\n");
    let set = |events: &str| set(&kernel, Target::ThisThread).event(events);
    let filters = |set: counterpoint::EventSet| -> Vec<Option<String>> {
        let before = kernel.asked().len();
        set.open().unwrap();
        kernel.asked().split_off(before).into_iter().map(|o| o.attr.filter).collect()
    };
    let own = |text: &str| Some(text.to_string());
    let two = set("sched:sched_switch,sched:sched_switch").filter("prev_pid != 0").unwrap();
    assert_eq!(filters(two), [None, own("prev_pid != 0")], "one with and one without");
    let all = set("page-faults").event("sched:*").filter("pid > 1").unwrap();
    let all = all.filter("pid < 9").unwrap().event("syscalls:sys_enter_read");
    let both = own("(pid > 1) && (pid < 9)");
    assert_eq!(filters(all), [None, both.clone(), both, None]);
    let set_filters = kernel.calls().into_iter().filter(|call| matches!(call, Call::Filter(..)));
    assert_eq!(set_filters.count(), 3, "each is told to the kernel");

    let error =
        set("sched:sched_switch,page-faults").filter("pid > 1").unwrap().open().unwrap_err();
    assert!(error.to_string().contains("`page-faults` is not a tracepoint"), "{error}");
    let none = crate::world::set(&kernel, Target::ThisThread).filter("pid > 1").unwrap_err();
    assert_eq!(none.to_string(), "there is no event before the filter `pid > 1`");
    let report =
        set("sched:sched_switch").filter("nonsense").unwrap().open().unwrap().read().cloned();
    let rows = report.unwrap().rows;
    let reason = rows[0].value.reason().unwrap().to_string();
    assert!(reason.contains("the kernel does not accept the filter"), "{reason}");
}

#[test]
fn tracepoints_have_numbers_in_tracefs() {
    let wanted = Attr::new(pmu_type::TRACEPOINT, 316);
    assert_eq!(attr_on(&with_tracefs(), "sched:sched_switch"), wanted);
    assert_eq!(attr_on(&with_tracefs(), "sched:sched_switch:u"), wanted.user_only());
    let old =
        kernel("amd-zen4").file("/sys/kernel/debug/tracing/events/sched/sched_switch/id", "316");
    assert_eq!(attr_on(&old, "sched:sched_switch"), wanted);

    let unknown = set(&with_tracefs(), Target::ThisThread).event("page-faults,sched:sched_swich");
    let unknown = unknown.resolve().unwrap_err();
    assert!(unknown.is_unknown_event());
    assert_eq!(unknown.span(), Some(12..29));
    assert!(
        unknown.help().unwrap().to_string().contains("sched:sched_switch"),
        "{:?}",
        unknown.help()
    );

    let unreadable = set(&kernel("vm-no-pmu"), Target::ThisThread).event("sched:sched_switch");
    let unreadable = unreadable.resolve().unwrap_err();
    assert!(!unreadable.is_unknown_event());
    assert!(
        unreadable.help().unwrap().to_string().contains("mount -t tracefs"),
        "{:?}",
        unreadable.help()
    );
}

#[test]
fn a_definition_is_found_before_an_event_of_the_kernel() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::ThisThread)
        .define("EVENT,Instructions,DERIVED_ADD,page-faults,task-clock,UNITS,things\n")
        .event("cycles,instructions")
        .open()
        .unwrap();
    let configs: Vec<_> = kernel.asked().iter().map(|o| (o.attr.kind, o.attr.config)).collect();
    assert_eq!(
        configs,
        [(pmu_type::HARDWARE, 0), (pmu_type::SOFTWARE, 2), (pmu_type::SOFTWARE, 1)]
    );
    let report = counters.read().unwrap();
    assert_eq!(row(report, "instructions").raw, None, "a formula has no counter of its own");
}

#[test]
fn a_definitions_modifiers_reach_its_terms_unless_they_name_levels() {
    let kernel = two_sockets();
    set(&kernel, Target::ThisThread)
        .define("EVENT,BOTH,DERIVED_ADD,cycles,instructions:k\n")
        .event("BOTH:u")
        .open()
        .unwrap();
    let excludes: Vec<_> = kernel.asked().iter().map(|o| o.attr.exclude.letters()).collect();
    assert_eq!(excludes, ["kh", "uh"]);
}

#[test]
fn a_definition_with_an_unknown_term_names_it_and_opens_nothing() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::ThisThread)
        .define("EVENT,HALF,DERIVED_ADD,page-faults,cycels\n")
        .event("HALF")
        .open()
        .unwrap();
    assert_eq!(kernel.asked().len(), 0);
    let report = counters.read().unwrap();
    let row = row(report, "HALF");
    assert_eq!(row.value.status().name(), "not-supported");
    let reason = row.value.reason().unwrap().to_string();
    assert!(reason.contains("cycels") && reason.contains("cycles"), "{reason}");
}

#[test]
fn a_definition_in_terms_of_itself_is_an_error_and_not_an_endless_loop() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::ThisThread)
        .define("EVENT,A,DERIVED_ADD,B,cycles\nEVENT,B,DERIVED_ADD,A,cycles\n")
        .event("A")
        .open()
        .unwrap();
    let report = counters.read().unwrap();
    assert_eq!(row(report, "A").value.status().name(), "not-supported");
}

#[test]
fn an_unknown_name_is_reported_with_its_position_and_similar_names() {
    let cases = [
        ("vm-no-pmu", "task-clock,page-fualts", 11..22, "page-faults"),
        ("vm-no-pmu", "{task-clock,cycels}", 12..18, "cycles"),
        ("vm-no-pmu", "msr/tcs/", 4..7, "tsc"),
        ("amd-zen4", "pwer/energy-pkg/", 0..16, "power"),
        ("amd-zen4", "cpu/evnt=1/", 4..10, "event"),
        ("arm-neoverse", "l1d_cach", 0..8, "l1d_cache"),
        ("vm-no-pmu", "perf::PAGE-FUALTS", 6..17, "page-faults"),
    ];
    for (machine, events, span, help) in cases {
        let error = error(machine, events);
        assert_eq!(error.span(), Some(span), "{events}: {error}");
        assert!(
            error.help().unwrap().to_string().contains(help),
            "{events}: {error}: {:?}",
            error.help()
        );
    }
    assert!(error("vm-no-pmu", "page-fualts").is_unknown_event());
    assert!(error("vm-no-pmu", "cpu/event=1/").is_unknown_event());
    assert!(error("vm-no-pmu", "perf::NOPE").is_unknown_event());
    assert!(!error("vm-no-pmu", "{task-clock").is_unknown_event());
}

#[test]
fn names_of_definitions_are_suggested_too() {
    let set = EventSet::on(recorded("vm-no-pmu"), Target::ThisThread)
        .define("EVENT,FAULT_RATE,DERIVED_INFIX,N0/N1,page-faults,task-clock\n")
        .event("FAULT_RAET");
    let error = set.resolve().unwrap_err();
    assert!(error.help().unwrap().to_string().contains("`FAULT_RATE`"), "{:?}", error.help());
}

#[test]
fn no_events_at_all_are_an_error() {
    let error = EventSet::on(recorded("vm-no-pmu"), Target::ThisThread).resolve().unwrap_err();
    assert_eq!(error.to_string(), "no events were named");
    assert_eq!(error.help(), Some(Hint::NameEvent));
}

#[test]
fn every_named_event_of_the_recorded_machines_resolves_under_its_listed_name() {
    for name in ["amd-zen4", "arm-neoverse", "intel-hybrid", "power9", "vm-no-pmu"] {
        let machine = crate::world::recorded_machine(name);
        let mut set = EventSet::on(machine.host().clone(), Target::AllCpus);
        let mut events = 0;
        for device in machine.devices() {
            for event in device.pmu.events.iter().filter(|e| e.placeholders().next().is_none()) {
                set = set.event(format!("{}/{}/", device.pmu.name, event.name));
                events += 1;
            }
        }
        assert!(events > 0 && set.resolve().is_ok(), "{name}: {:?}", set.resolve().err());
    }
}

#[test]
fn a_given_name_is_that_of_the_results() {
    let kernel = two_sockets();
    let list = "cpu/event=0x3c,name=mine/,cpu/event=0x3c,name=yours/u,cpu/event=0x3c/,\
        cycles/name=turns/,cpu/cycles,name=turns2/";
    let mut counters = open(&kernel, list);
    let rows = &counters.read().unwrap().rows;
    let names: Vec<&str> = rows.iter().map(|row| row.event.as_str()).collect();
    assert_eq!(names, ["mine", "yours", "cpu/event=0x3c/", "turns", "turns2"]);
    let ids: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
    assert_eq!(ids, ["mine", "yours:u", "cpu/event=0x3c/", "turns", "turns2"]);
    let configs: BTreeSet<u64> = kernel.asked().iter().map(|asked| asked.attr.config).collect();
    assert_eq!(configs, BTreeSet::from([0, 0x3c]), "one encoding, opened once at each level");
    assert_eq!(kernel.opened().len(), 3);
}

#[test]
fn a_modifier_of_samples_changes_no_count() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "{task-clock,page-faults}:S,cpu/event=0x3c/uS");
    let rows = &counters.read().unwrap().rows;
    assert_eq!(rows[2].id.to_string(), "cpu/event=0x3c/uS");
    assert!(
        kernel
            .opened()
            .iter()
            .all(|opened| opened.attr.exclude.kernel == (opened.attr.config == 0x3c))
    );
}
