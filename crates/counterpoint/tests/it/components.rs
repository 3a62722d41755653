//! PAPI's names with a component before them.

use crate::tables::sapphire_rapids;
use crate::world::{asked, cpu_of, error_of, hold, holds, recorded, row, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::{EventSet, Hint, Machine, Target, Value, check_definitions};
use counterpoint_fixtures::FakeKernel;

#[test]
fn the_component_of_pmus_says_nothing_more() {
    let kernel = sapphire_rapids();
    for (papi, usual) in [
        ("perf_event:::page-faults", "page-faults"),
        ("PERF_EVENT:::perf::PERF_COUNT_SW_PAGE_FAULTS:u", "page-faults:u"),
        ("perf_event:::spr::L1D:REPLACEMENT:k", "spr::L1D:REPLACEMENT:k"),
        ("perf_event:::L1D:REPLACEMENT", "L1D:REPLACEMENT"),
        ("{perf_event:::cycles,instructions}:u", "{cycles,instructions}:u"),
    ] {
        let attrs = |events| {
            let opened = asked(&kernel, Target::ThisThread, events);
            opened.into_iter().map(|opening| opening.attr).collect::<Vec<_>>()
        };
        assert_eq!(attrs(papi), attrs(usual), "{papi}");
    }
    let text = "page-faults,perf_event:::spr::L1D:NOPE";
    let span = error_of(&kernel, text).span().unwrap();
    assert_eq!(&text[span], "NOPE");
    let unknown = error_of(&kernel, "perf_event:::page-fault");
    assert!(unknown.is_unknown_event(), "{unknown}");
    assert!(
        unknown.help().is_some_and(|help| help.to_string().contains("page-faults")),
        "{unknown:?}"
    );

    let gpu = error_of(&kernel, "page-faults,cuda:::sm__cycles_active");
    assert!(gpu.is_unknown_event() && gpu.to_string().contains("`cuda`"), "{gpu}");
    assert!(gpu.help().is_some_and(|help| help.to_string().contains("rapl:::")), "{gpu:?}");
    let machine = Machine::new(recorded("amd-zen4"));
    let wrong = "CPU,spr\nEVENT,MY_GPU,NOT_DERIVED,cuda:::sm__cycles_active\n";
    let found = check_definitions(&machine, &[wrong.into()], None);
    assert!(found[0].message.contains("`cuda`"), "{found:?}");

    let definition = "CPU,spr\nEVENT,MY_FAULTS,NOT_DERIVED,perf_event:::page-faults\n";
    assert_eq!(check_definitions(&machine, &[definition.into()], None), []);
    let counted = set(&kernel, Target::ThisThread).define(definition).event("MY_FAULTS");
    assert_eq!(counted.resolve().unwrap().natives()[0].id.to_string(), "page-faults");
}

/// Two sockets, with the energy of each and of its memory.
pub(crate) fn with_energy() -> FakeKernel {
    let power = "/sys/bus/event_source/devices/power";
    let mut kernel = two_sockets()
        .file(format!("{power}/type"), "28\n")
        .file(format!("{power}/cpumask"), "0,2\n")
        .file(format!("{power}/format/event"), "config:0-7\n");
    for (event, code) in [("energy-pkg", "event=0x02\n"), ("energy-ram", "event=0x03\n")] {
        kernel = kernel
            .file(format!("{power}/events/{event}"), code)
            .file(format!("{power}/events/{event}.scale"), "0.5\n")
            .file(format!("{power}/events/{event}.unit"), "Joules\n");
    }
    kernel
}

#[test]
fn energies_of_rapl_are_those_of_the_kernel_for_all_packages_or_one() {
    let kernel = with_energy();
    let places = |event| -> Vec<_> {
        let opened = asked(&kernel, Target::AllCpus, event);
        opened.iter().map(|o| (o.attr.config, cpu_of(o))).collect()
    };
    assert_eq!(places("rapl:::PACKAGE_ENERGY"), [(2, Some(0)), (2, Some(2))]);
    assert_eq!(places("rapl:::PACKAGE_ENERGY:PACKAGE0"), [(2, Some(0))]);
    assert_eq!(places("RAPL:::dram_energy:package1"), [(3, Some(2))]);

    let events = "rapl:::PACKAGE_ENERGY:PACKAGE0,rapl:::PACKAGE_ENERGY:PACKAGE1,power/energy-pkg/";
    let mut counters = set(&kernel, Target::AllCpus).event(events).open().unwrap();
    hold(&kernel, holds(10, 1, 1), |o| cpu_of(o) == Some(0));
    hold(&kernel, holds(4, 1, 1), |o| cpu_of(o) == Some(2));
    let report = counters.read().unwrap();
    for (event, joules) in events.split(',').zip([5.0, 2.0, 7.0]) {
        let row = row(report, event);
        assert_eq!(row.value, Value::Counted(Number::Real(joules)), "{event}");
        assert_eq!(row.unit.as_deref(), Some("Joules"));
    }
}

#[test]
fn energies_that_there_are_not_are_refused_with_those_that_there_are() {
    let kernel = with_energy();
    for (event, help) in [
        ("rapl:::PACKAGE_ENERGY:PACKAGE2", "rapl:::PACKAGE_ENERGY:PACKAGE1"),
        ("rapl:::PACKAGE_ENERGY:CORE0", "rapl:::DRAM_ENERGY"),
        ("rapl:::PP0_ENERGY", "rapl:::PACKAGE_ENERGY"),
        ("rapl:::THERMAL_SPEC:PACKAGE0", "rapl:::PACKAGE_ENERGY"),
    ] {
        let error = error_of(&kernel, event);
        assert!(error.is_unknown_event(), "{error}");
        assert!(
            error.help().is_some_and(|text| text.to_string().contains(help)),
            "{event}: {:?}",
            error.help()
        );
    }
    let none = set(&two_sockets(), Target::AllCpus).event("rapl:::PACKAGE_ENERGY");
    let report = none.open().unwrap().read().unwrap().clone();
    let why = report.rows[0].value.reason().map(ToString::to_string);
    assert_eq!(why.as_deref(), Some("no PMU is called `power` on the machine"));
    let process = error_of(&kernel, "rapl:::PACKAGE_ENERGY:PACKAGE0").help().unwrap();
    assert!(matches!(process, Hint::CountAllCpus { .. }), "{process}");
}

#[test]
fn a_preset_hides_nothing_unless_a_definition_takes_its_name() {
    let set = |text: &str| EventSet::on(recorded("arm-neoverse"), Target::ThisThread).define(text);
    let kinds = |text: &str| -> Vec<&str> {
        let candidates = set(text).candidates("PAPI_TOT_INS").unwrap();
        candidates.iter().flat_map(|candidate| &candidate.events).map(|e| e.kind()).collect()
    };
    assert_eq!(kinds(""), ["preset"]);
    assert_eq!(kinds("EVENT,PAPI_TOT_INS,NOT_DERIVED,task-clock"), ["definition", "preset"]);
}

#[test]
fn a_pmu_of_other_machines_does_not_end_a_job() {
    let kernel = FakeKernel::new();
    let set = set(&kernel, Target::ThisThread)
        .event("power/energy-pkg/,{task-clock,uncore_imc/cas_count_read,name=reads/}");
    let mut counters = set.open().unwrap();
    assert_eq!(counters.open_count(), 1);
    let rows = &counters.read().unwrap().rows;
    let events: Vec<_> = rows.iter().map(|row| row.event.as_str()).collect();
    assert_eq!(events, ["power/energy-pkg/", "task-clock", "reads"]);
    for (row, pmu) in [(&rows[0], "power"), (&rows[2], "uncore_imc")] {
        let Value::NotSupported(reason) = &row.value else { panic!("{row:?}") };
        assert_eq!(reason.to_string(), format!("no PMU is called `{pmu}` on the machine"));
    }
    let error = error_of(&kernel, "pwoer/energy-pkg/");
    assert_eq!(error.to_string(), "no PMU is called `pwoer` on the machine");
}
