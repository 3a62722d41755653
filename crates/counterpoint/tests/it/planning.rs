//! Plans over recorded machines, and the groups that are opened along them.

use crate::world::{kernel, ms, open, row, rows, set};
use counterpoint::formula::Number;
use counterpoint::perf::{Errno, Host};
use counterpoint::planning::{Known, Planning, PmuPlan, Taken};
use counterpoint::pmu::plan::Over;
use counterpoint::pmu::{self, Layer, PmuKind, counters};
use counterpoint::{EventSet, Machine, Multiplexing, Note, Reason, Target, Value};
use counterpoint_fixtures::{FakeKernel, Holds, machine};
use std::collections::BTreeSet;

/// Seven events of a core with six counters.
const SEVEN: &str = "cycles,instructions,branches,branch-misses,cache-references,cache-misses,stalled-cycles-frontend";

fn plan(machine_name: &str, events: &str) -> Planning {
    let host = Host::recorded(&machine(machine_name)).unwrap();
    EventSet::on(host, Target::ThisThread).event(events).plan().unwrap()
}

fn plan_of(pmu: &str, events: &str) -> PmuPlan {
    let machine = Machine::of_pmu(counterpoint::pmu::find(pmu).unwrap());
    let set = EventSet::with_machine(machine, Target::ThisThread).event(events);
    set.plan().unwrap().pmus.remove(0)
}

fn counted(value: i128) -> Value {
    Value::Counted(Number::Int(value))
}

/// The codes of the events of each group that is still open, the leader first.
fn groups(kernel: &FakeKernel) -> Vec<Vec<u64>> {
    let opened = kernel.opened();
    let last = opened.len() - kernel.still_open();
    let mut groups: Vec<(usize, Vec<u64>)> = Vec::new();
    for (number, opening) in opened.iter().enumerate().skip(last) {
        match opening.leader {
            None => groups.push((number, vec![opening.attr.config])),
            Some(leader) => {
                let group = groups.iter_mut().find(|(number, _)| *number == leader).unwrap();
                group.1.push(opening.attr.config);
            }
        }
    }
    groups.into_iter().map(|(_, codes)| codes).collect()
}

#[test]
fn a_plan_has_the_counters_that_a_pmu_has() {
    let (mut all, mut known) = (0, 0);
    for pmu in pmu::all() {
        all += 1;
        let Some(event) = pmu.events().find_map(|event| {
            let masks = event.attributes(Layer::Raw, &pmu::Machine::default());
            let masks = masks.iter().map(|mask| format!(":{}", mask.name));
            let name = format!("{}::{}", pmu.name, event.name);
            let names = std::iter::once(String::new()).chain(masks);
            names.map(|mask| name.clone() + &mask).find(|name| is_countable(pmu, name))
        }) else {
            continue;
        };
        let plan = plan_of(pmu.name, &event);
        let expected = counters::of(pmu);
        let Known::Counters(free) = &plan.known else {
            assert_eq!((expected, pmu.kind == PmuKind::Uncore), (None, false), "{event}");
            continue;
        };
        known += 1;
        let numbers = (free.all.general.count_ones(), free.all.fixed.count_ones());
        match expected {
            Some(expected) => {
                assert_eq!(free.all, expected, "{event}");
                assert_eq!(numbers, (pmu.counters.into(), pmu.fixed_counters.into()), "{event}");
            }
            // Fewer where the vendor's files correct libpfm4's number, as of IRP.
            None => assert!((2..=pmu.counters.into()).contains(&numbers.0), "{event}: {numbers:?}"),
        }
    }
    assert_eq!((all, known), (719, 679));
}

/// Returns true if a machine with this PMU alone plans the event on it.
fn is_countable(pmu: &'static pmu::Pmu, event: &str) -> bool {
    let set = EventSet::with_machine(Machine::of_pmu(pmu), Target::ThisThread).event(event);
    set.plan().is_ok_and(|planning| planning.pmus.len() == 1)
}

#[test]
fn events_of_one_pass_are_one_group() {
    let kernel = kernel("amd-zen4");
    let mut counters = open(&kernel, "cycles,task-clock,instructions,branches,page-faults");
    assert_eq!(groups(&kernel), [vec![0, 1, 4], vec![1, 2]]);
    kernel.run(ms(1));
    kernel.forget_calls();
    let report = counters.read().unwrap();
    assert_eq!(kernel.calls().len(), 2, "one read for each group");
    assert!(report.rows.iter().all(|row| row.value == counted(1_000_000) && row.notes.is_empty()));
}

#[test]
fn more_events_than_counters_are_one_group_a_pass() {
    let kernel = kernel("amd-zen4").counters(6);
    let _counters = open(&kernel, SEVEN);
    let groups = groups(&kernel);
    assert_eq!(groups.iter().map(Vec::len).collect::<BTreeSet<_>>(), [1, 6].into());
    let codes: BTreeSet<u64> = groups.into_iter().flatten().collect();
    assert_eq!(codes, [0, 1, 2, 3, 4, 5, 7].into());
}

/// Two formulas that share an event and do not fit one pass: each has it among its own.
#[test]
fn an_event_of_two_passes_is_counted_in_both() {
    let kernel = kernel("amd-zen4").counters(6);
    let of = |name: &str, rest: &str| {
        format!("EVENT,{name},DERIVED_INFIX,N0+0*(N1+N2+N3),cycles,{rest}\n")
    };
    let mine = of("A", "instructions,branches,branch-misses")
        + &of("B", "cache-references,cache-misses,stalled-cycles-frontend");
    let set = set(&kernel, Target::ThisThread).define(mine).event("A,B,cycles");
    let mut counters = set.open().unwrap();
    let opened = groups(&kernel);
    assert_eq!(opened.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4], "{opened:?}");
    assert!(opened.iter().all(|group| group.contains(&0)), "{opened:?}");
    kernel.run(ms(1));
    let cycles = (0..kernel.opened().len()).rev().filter(|n| kernel.opened()[*n].attr.config == 0);
    for (number, event) in cycles.take(2).enumerate() {
        let value = 7 + number as u64;
        kernel.set(event, Holds { value, enabled: ms(1), running: ms(1), lost: 0 });
    }
    let report = counters.read().unwrap();
    let value = |name: &str| row(report, name).value.as_f64().unwrap();
    assert_eq!(BTreeSet::from([value("A") as u32, value("B") as u32]), [7, 8].into());
    assert_eq!(report.rows.len(), 3, "the copy has no row of its own");
    assert!([7.0, 8.0].contains(&value("cycles")));
}

/// If one pass holds all, an event that formulas share is opened once.
#[test]
fn an_event_of_two_formulas_in_one_pass_is_opened_once() {
    let kernel = kernel("amd-zen4").counters(6);
    let mine = "EVENT,A,DERIVED_ADD,cycles,branches\nEVENT,B,DERIVED_SUB,cycles,instructions\n";
    let set = set(&kernel, Target::ThisThread).define(mine).event("A,B");
    let _counters = set.open().unwrap();
    assert_eq!(groups(&kernel).iter().map(Vec::len).collect::<Vec<_>>(), [3]);
}

#[test]
fn each_kind_of_core_has_its_groups() {
    let kernel = kernel("intel-hybrid");
    let _counters = open(&kernel, "cycles,instructions,branches");
    let (core, atom) = (4 << 32, 10 << 32);
    let of = |kind: u64| vec![kind, kind | 1, kind | 4];
    assert_eq!(groups(&kernel).into_iter().collect::<BTreeSet<_>>(), [of(core), of(atom)].into(),);
}

#[test]
fn braces_stay_as_they_are_written() {
    let kernel = kernel("amd-zen4");
    let _counters = open(&kernel, "{cycles,instructions},branches,{branch-misses},cache-misses");
    assert_eq!(groups(&kernel), [vec![0, 1], vec![4, 3], vec![5]]);
    let kernel = self::kernel("amd-zen4");
    let _counters = open(&kernel, "cycles:D,instructions,branches,cache-misses:e");
    assert_eq!(groups(&kernel), [vec![0], vec![1, 4], vec![3]], "pinned and exclusive ones lead");
}

#[test]
fn events_that_keep_their_counters_are_on_their_own() {
    let kernel = kernel("amd-zen4");
    let set = set(&kernel, Target::ThisThread).event("cycles,instructions");
    let _counters = set.multiplexing(Multiplexing::Refuse).open().unwrap();
    assert_eq!(groups(&kernel), [[0], [1]]);
}

/// The tables promise six counters, and the kernel has two.
#[test]
fn groups_that_the_kernel_rejects_are_opened_in_smaller_ones() {
    let kernel = kernel("amd-zen4").counters(2);
    let mut counters = open(&kernel, "cycles,instructions,branches,branch-misses");
    assert_eq!(groups(&kernel).iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    kernel.run(ms(1));
    for row in &counters.read().unwrap().rows {
        assert_eq!((&row.value, &*row.notes), (&counted(1_000_000), &[Note::PlanSplit][..]));
    }
}

/// The kernel takes any group, and only one counter is free.
#[test]
fn a_group_that_would_never_run_is_not_opened() {
    let kernel = kernel("amd-zen4").free_counters(1);
    let mut counters = open(&kernel, "cycles,instructions,branches");
    assert_eq!(groups(&kernel), [[0], [1], [4]]);
    kernel.run(ms(1));
    for row in &counters.read().unwrap().rows {
        assert_eq!((&row.value, &*row.notes), (&counted(1_000_000), &[Note::PlanSplit][..]));
    }
    // Braces are not changed: they wait, and their events have no value.
    let kernel = self::kernel("amd-zen4").free_counters(1);
    let mut counters = open(&kernel, "{cycles,instructions}");
    kernel.run(ms(1));
    for row in &counters.read().unwrap().rows {
        assert_eq!(row.value, Value::NotCounted(Reason::NoCounter));
    }
}

/// Seven events for six counters: the plan has the conflicting events, and the seventh is not opened again.
#[test]
fn events_that_do_not_fit_their_braces_are_reported_as_conflicting() {
    let seven = "{cycles,instructions,branches,branch-misses,cache-misses,cache-references,r1}";
    let kernel = kernel("amd-zen4").counters(6);
    let mut counters = open(&kernel, seven);
    assert_eq!(groups(&kernel), [vec![0, 1, 4, 5, 3, 2]]);
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    let Value::NotSupported(reason @ Reason::Conflicting { rivals }) = &row(report, "r1").value
    else {
        panic!("{report:?}")
    };
    assert_eq!(rivals.len(), 6, "{reason}");
    assert!(reason.to_string().contains("beside cycles, instructions"), "{reason}");
    assert!(reason.help().unwrap().to_string().contains("braces"));
    assert!(report.rows[..6].iter().all(|row| row.value == counted(1_000_000)), "{report:?}");
    // A kernel that has more counters than the table counts all.
    let kernel = self::kernel("amd-zen4").counters(7);
    let _counters = open(&kernel, seven);
    assert_eq!(groups(&kernel)[0].len(), 7);
    // Weak ones leave their group, and have a value.
    let kernel = self::kernel("amd-zen4").counters(6);
    let mut counters = open(&kernel, &format!("{seven}:W"));
    kernel.run(ms(1));
    assert!(counters.read().unwrap().rows.iter().all(|row| row.value == counted(1_000_000)));
}

/// The trial goes well on this thread, and the CPUs that are counted have fewer counters.
#[test]
fn an_event_that_does_not_fit_where_it_is_counted_leaves_its_group() {
    let kernel = kernel("amd-zen4").refuse_with(Errno::EINVAL, |opening| {
        crate::world::cpu_of(opening).is_some() && opening.leader.is_some() && opening.members > 1
    });
    let set = set(&kernel, Target::Cpus("0".parse().unwrap()));
    let mut counters = set.event("cycles,instructions,branches").open().unwrap();
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").notes, []);
    assert_eq!(row(report, "branches").notes, [Note::Split]);
    assert!(report.rows.iter().all(|row| row.value == counted(1_000_000)), "{report:?}");
}

#[test]
fn one_open_error_does_not_affect_other_events() {
    let kernel = kernel("amd-zen4").refuse_with(Errno::ENOENT, |opening| opening.attr.config == 4);
    let mut counters = open(&kernel, "cycles,instructions,branches");
    kernel.run(ms(1));
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").value, counted(1_000_000));
    assert_eq!(row(report, "instructions").value, counted(1_000_000));
    assert_eq!(row(report, "branches").value.status().name(), "not-supported");
}

#[test]
fn the_terms_of_a_formula_share_a_group() {
    let kernel = kernel("amd-zen4").counters(6);
    let set = set(&kernel, Target::ThisThread)
        .define("EVENT,FRONT,DERIVED_INFIX,N0/N1,stalled-cycles-frontend,cycles")
        .event(SEVEN)
        .event("FRONT");
    let plan = set.plan().unwrap();
    assert_eq!((plan.pmus[0].plan.passes.len(), plan.pmus[0].plan.separated.len()), (2, 0));
    let mut counters = set.open().unwrap();
    let (cycles, stalled) = (0, 7);
    let groups = groups(&kernel);
    assert_eq!(groups.len(), 2);
    assert!(groups.iter().any(|group| group.contains(&cycles) && group.contains(&stalled)));
    kernel.run(ms(1));
    assert_eq!(rows(counters.read().unwrap(), "FRONT")[0].value.as_f64(), Some(1.0));
}

#[test]
fn counters_that_are_taken_are_not_planned() {
    let planning = plan("intel-hybrid", "cycles,instructions");
    for pmu in &planning.pmus {
        let Known::Counters(free) = &pmu.known else { panic!("{:?}", pmu.known) };
        assert_eq!(free.taken, [Taken::NmiWatchdog { counters: 1 << 33 }], "{}", pmu.pmu);
        assert!(pmu.plan.passes[0].iter().all(|slot| slot.counter != 33));
    }
    let watched = kernel("amd-zen4").file("/proc/sys/kernel/nmi_watchdog", "1\n");
    let set = set(&watched, Target::ThisThread)
        .event("cycles,instructions,branches,branch-misses,cache-references,cache-misses");
    let plan = &set.plan().unwrap().pmus[0];
    assert_eq!(plan.plan.passes.len(), 2, "five of six counters are free");
    let Some(conflict) = plan.conflict(None) else { panic!("six events fit five counters") };
    assert_eq!((conflict.events.len(), conflict.over), (6, Over::Counters(0b01_1111)));
}

#[test]
fn threads_of_a_core_share_its_counters() {
    let cpuinfo = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: x\nstepping\t: 4\nflags\t\t: arch_perfmon\n";
    let skylake = |smt: &str| {
        let kernel = FakeKernel::new()
            .file("/proc/cpuinfo", cpuinfo)
            .file("/sys/bus/event_source/devices/cpu/type", "4\n")
            .file("/sys/devices/system/cpu/smt/active", smt);
        let set = set(&kernel, Target::ThisThread)
            .event("branches,branch-misses,cache-misses,cache-references,r1c2");
        set.plan().unwrap().pmus[0].plan.passes.len()
    };
    assert_eq!((skylake("1\n"), skylake("0\n")), (2, 1));
}

/// Both events are counted on the fourth counter, as their codes in sysfs say.
#[test]
fn power_counts_the_kernels_events_where_their_codes_say() {
    let passes = |events| plan("power9", events).pmus[0].plan.passes.len();
    assert_eq!(passes("instructions,branches"), 1);
    assert_eq!(passes("instructions,branches,branch-misses"), 2);
    assert_eq!(passes("branches,L1-dcache-loads,cycles,instructions"), 1);
}

#[test]
fn power_counts_all_at_the_same_levels() {
    let plan = &plan("power9", "PM_CYC:u,PM_L1_DCACHE_RELOAD_VALID:k").pmus[0];
    assert_eq!(plan.plan.passes.len(), 2);
    let conflict = plan.conflict(None).unwrap();
    assert!(matches!(conflict.over, Over::Register { copies: 1, .. }), "{conflict:?}");
}

#[test]
fn unknown_counters_are_planned_by_opening() {
    let kernel = kernel("intel-hybrid").counters(2);
    let events =
        "{uncore_arb_0/event=1/,uncore_arb_0/event=2/},uncore_arb_0/event=3/,uncore_arb_0/event=4/";
    let plan = &set(&kernel, Target::AllCpus).event(events).plan().unwrap().pmus[0];
    assert!(matches!(plan.known, Known::Tried));
    let passes: Vec<Vec<usize>> =
        plan.plan.passes.iter().map(|pass| pass.iter().map(|slot| slot.event).collect()).collect();
    assert_eq!(passes, [[0, 1], [2, 3]]);
    assert_eq!(kernel.still_open(), 0, "nothing stays open");

    let recorded = self::plan("amd-zen4", "amd_df/event=1/");
    assert!(matches!(recorded.pmus[0].known, Known::Nothing));
    assert!(recorded.is_complete());
}

#[test]
fn the_counters_of_units_are_known_where_no_event_can_be_opened() {
    let of_unit = |pmu: &PmuPlan| {
        let Known::Counters(free) = &pmu.known else { panic!("{pmu:?}") };
        (pmu.pmu.clone(), free.all.general, pmu.plan.passes.len())
    };
    // By the vendor's names and libpfm's, which are those of one unit.
    let both = "UNC_M_CAS_COUNT.RD,spr_unc_imc0::UNC_M_CAS_COUNT:WR";
    assert_eq!(of_unit(&plan_of("spr_unc_imc0", both)), ("spr_unc_imc0".into(), 0xf, 1));
    // An event that only libpfm names, with the one counter that it has.
    let occupancy = "UNC_C_TOR_OCCUPANCY:ALL,UNC_C_TOR_OCCUPANCY:MISS_ALL";
    assert_eq!(of_unit(&plan_of("bdx_unc_cbo3", occupancy)), ("bdx_unc_cbo3".into(), 0xf, 2));
    let recorded = plan("intel-sierra-forest", "UNC_CHA_CLOCKTICKS,UNC_M_CAS_COUNT_SCH0.RD");
    let units: Vec<_> = recorded.pmus.iter().map(of_unit).collect();
    assert_eq!(units, [("uncore_cha".into(), 0xf, 1), ("uncore_imc".into(), 0xf, 1)]);
}

#[test]
fn events_with_a_register_of_their_own_take_no_counter() {
    for (pmu, event) in [
        ("rapl", "RAPL_ENERGY_PKG"),
        ("adl_glc", "UNC_CLOCK.SOCKET"),
        ("spr", "UNC_IIO_BANDWIDTH_IN.PART0_FREERUN"),
        ("skx_unc_imc0", "UNC_M_CLOCKTICKS_F"),
    ] {
        let machine = Machine::of_pmu(pmu::find(pmu).unwrap());
        let set = EventSet::with_machine(machine, Target::ThisThread).event(event);
        let planning = set.plan().unwrap();
        assert_eq!((planning.software, planning.pmus.len()), (vec![event.to_string()], 0), "{pmu}");
    }
}

#[test]
fn without_a_pmu_nothing_can_be_planned() {
    let planning = plan("vm-no-pmu", "cycles,task-clock");
    assert!(planning.pmus.is_empty() && !planning.is_complete());
    assert_eq!(planning.software, ["task-clock"]);
    assert_eq!(planning.unavailable[0].0, "cycles");
    let both = "EVENT,A,DERIVED_POSTFIX,N0|N1|+|,cycles,instructions\nEVENT,B,DERIVED_POSTFIX,N0|N1|-|,cycles,instructions\n";
    let kernel = FakeKernel::new();
    let planning = set(&kernel, Target::ThisThread).define(both).event("A,B").plan().unwrap();
    let names: Vec<&str> = planning.unavailable.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["A", "B"], "each once, whatever terms they share");
}

#[test]
fn any_pmu_of_the_tables_can_be_planned_for() {
    let plan = plan_of("skx", "PAPI_L1_DCM,PAPI_L3_TCM,{cycles,instructions}");
    assert_eq!((plan.pmu.as_str(), plan.plan.passes.len()), ("skx", 1));
    assert_eq!(plan.units.len(), 1);
    let skx = Machine::of_pmu(counterpoint::pmu::find("skx").unwrap());
    let set = EventSet::with_machine(skx, Target::ThisThread).event("cycles");
    assert!(set.open_all().is_err(), "nothing can be counted there");
}

#[test]
fn events_that_fit_beside_a_pass_are_listed() {
    // Four events that take every general counter of a thread, and cycles on its fixed one.
    let events: Vec<String> = (1..=8).map(|code| format!("r{code:x}ff")).collect();
    let plan = plan_of("skx", &events.join(","));
    let beside = plan.candidates();
    assert!(beside.len() > 100);
    let fits: Vec<&str> = beside
        .iter()
        .filter(|(_, demand)| plan.beside(&plan.plan.passes[0], demand).is_some())
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(fits.iter().any(|name| name.contains("INST")), "{fits:?}");
    assert!(fits.iter().all(|name| !name.contains("BACLEARS")), "{fits:?}");
    assert!(fits.len() < 10, "only events of the three fixed counters: {fits:?}");
}
