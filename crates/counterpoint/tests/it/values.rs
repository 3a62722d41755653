//! From counts to values: estimates, scales, sums, and missing values.

use crate::world::{cpu_of, hold, holds, kernel, ms, open, row, rows, set, two_sockets};
use counterpoint::formula::Number;
use counterpoint::{Reason, Split, Target, Value};

fn counted(whole: i128) -> Value {
    Value::Counted(Number::Int(whole))
}

#[test]
fn a_count_of_the_whole_time_is_exact_and_one_of_a_part_is_an_estimate() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "cycles,instructions,task-clock");
    hold(&kernel, holds(u64::MAX, 10, 10), |o| o.attr.config == 0);
    hold(&kernel, holds(500, 10, 4), |o| o.attr.config == 1 && o.attr.kind == 0);
    hold(&kernel, holds(7, 10, 10), |o| o.attr.kind == 1);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles").value, counted(u64::MAX.into()));
    let part = row(report, "instructions");
    assert_eq!(part.value, Value::Estimated { value: 1250.0, coverage: 0.4, standard_error: None });
    assert_eq!((part.raw, part.enabled, part.running), (Some(500), ms(10), ms(4)));
    assert_eq!(row(report, "task-clock").unit.as_deref(), Some("ns"));
    assert_eq!(part.unit, None);
}

#[test]
fn an_event_that_never_ran_has_no_number() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "cycles");
    let cases = [
        (holds(0, 10, 0), Reason::NoCounter),
        (holds(0, 0, 0), Reason::NeverRan),
        (holds(9, 10, 0), Reason::NoCounter),
    ];
    for (held, reason) in cases {
        hold(&kernel, held, |_| true);
        let report = counters.read().unwrap();
        let row = row(report, "cycles");
        assert_eq!(row.value, Value::NotCounted(reason));
        assert_eq!(row.raw, None, "a counter that never ran holds no count");
    }
}

#[test]
fn a_pinned_event_that_lost_its_counter_has_no_number() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "cycles:D,task-clock");
    kernel.run(ms(1));
    assert_eq!(row(counters.read().unwrap(), "cycles:D").value, counted(1_000_000));
    let opened = kernel.opened();
    kernel.lose_counter(opened.iter().position(|o| o.attr.pinned).unwrap());
    let report = counters.read().unwrap();
    assert_eq!(row(report, "cycles:D").value, Value::NotCounted(Reason::LostCounter));
    assert_eq!(row(report, "task-clock").value, counted(1_000_000));
}

#[test]
fn a_sum_with_a_placement_where_a_pinned_event_lost_its_counter_is_not_a_number() {
    let kernel = two_sockets();
    let events = "cycles:D,instructions";
    let mut counters = set(&kernel, Target::AllCpus).event(events).open().unwrap();
    kernel.run(ms(1));
    let opened = kernel.opened();
    let place = opened.iter().position(|o| o.attr.pinned && cpu_of(o) == Some(2));
    kernel.lose_counter(place.unwrap());
    let before = counters.snapshot().unwrap();
    let report = counters.report(&before, &Split::Total);
    assert_eq!(row(&report, "cycles:D").value, Value::NotCounted(Reason::LostCounter));
    assert_eq!(row(&report, "instructions").value, counted(4_000_000));
    let by_cpu = counters.report(&before, &Split::Cpu);
    let values: Vec<_> = rows(&by_cpu, "cycles:D").iter().map(|row| row.value.clone()).collect();
    let lost = Value::NotCounted(Reason::LostCounter);
    let number = counted(1_000_000);
    assert_eq!(values, [number.clone(), number.clone(), lost.clone(), number]);
    kernel.run(ms(1));
    let difference = counters.snapshot().unwrap().since(&before);
    assert_eq!(row(&counters.report(&difference, &Split::Total), "cycles:D").value, lost);
}

#[test]
fn a_member_that_has_gone_from_its_group_has_no_number() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "{cycles,instructions,branches}");
    kernel.run(ms(1));
    kernel.vanish(kernel.opened().iter().position(|o| o.attr.config == 1).unwrap());
    let report = counters.read().unwrap();
    let values: Vec<_> = report.rows.iter().map(|row| row.value.clone()).collect();
    let gone = Value::NotCounted(Reason::NoCounter);
    assert_eq!(values, [counted(1_000_000), gone, counted(1_000_000)]);
}

#[test]
fn sysfs_scales_the_value_and_names_its_unit_and_the_raw_count_stays() {
    let kernel = kernel("intel-hybrid");
    let events = "power/energy-pkg/,uncore_imc_free_running/data_read/,msr/tsc/";
    let mut counters = set(&kernel, Target::AllCpus).event(events).open().unwrap();
    hold(&kernel, holds(1 << 33, 1, 1), |o| o.attr.kind == 28);
    hold(&kernel, holds(16384, 1, 1), |o| matches!(o.attr.kind, 26 | 27));
    hold(&kernel, holds(3, 1, 1), |o| o.attr.kind == 13);
    let report = counters.read().unwrap();
    let energy = row(report, "power/energy-pkg/");
    assert_eq!(energy.value, Value::Counted(Number::Real(2.0)));
    assert_eq!((energy.unit.as_deref(), energy.raw), (Some("Joules"), Some(1 << 33)));
    let read = row(report, "uncore_imc_free_running/data_read/");
    assert_eq!(read.value, Value::Counted(Number::Real(2.0)), "two boxes of 1 MiB each");
    assert_eq!((read.unit.as_deref(), read.raw), (Some("MiB"), Some(32768)));
    assert_eq!(row(report, "msr/tsc/").value, counted(36), "12 CPUs");
}

#[test]
fn the_same_code_without_its_name_has_no_scale() {
    let kernel = kernel("intel-hybrid");
    let events = "power/energy-pkg/,power/event=0x2/";
    let mut counters = set(&kernel, Target::AllCpus).event(events).open().unwrap();
    hold(&kernel, holds(1 << 33, 1, 1), |_| true);
    let report = counters.read().unwrap();
    assert_eq!(row(report, "power/energy-pkg/").value, Value::Counted(Number::Real(2.0)));
    let plain = row(report, "power/event=0x2/");
    assert_eq!((plain.value.clone(), plain.unit.clone()), (counted(1 << 33), None));
}

#[test]
fn a_state_is_not_summed_and_has_no_difference() {
    let kernel = kernel("intel-hybrid");
    let event = "msr/cpu_thermal_margin/";
    let mut counters = set(&kernel, Target::AllCpus).event(event).open().unwrap();
    hold(&kernel, holds(40, 1, 1), |_| true);
    hold(&kernel, holds(55, 1, 1), |o| cpu_of(o) == Some(7));
    let report = counters.read().unwrap();
    assert_eq!(row(report, event).value, counted(55));
    assert_eq!(row(report, event).unit.as_deref(), Some("C"));
    counters.reset().unwrap();
    hold(&kernel, holds(50, 2, 2), |_| true);
    assert_eq!(row(counters.read().unwrap(), event).value, counted(50));
    let snapshot = counters.snapshot().unwrap();
    let split = counters.report(&snapshot, &Split::Cpu);
    assert!(split.rows.iter().all(|row| row.value == counted(50)));
}

#[test]
fn parts_are_scaled_by_themselves_and_summed() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::AllCpus).event("cycles").open().unwrap();
    for (cpu, held) in [holds(10, 10, 10), holds(20, 10, 10), holds(30, 10, 10), holds(40, 10, 10)]
        .into_iter()
        .enumerate()
    {
        hold(&kernel, held, |o| cpu_of(o) == Some(cpu as u32));
    }
    assert_eq!(row(counters.read().unwrap(), "cycles").value, counted(100));

    hold(&kernel, holds(10, 10, 5), |o| cpu_of(o) == Some(0));
    let report = counters.read().unwrap();
    assert_eq!(
        row(report, "cycles").value,
        Value::Estimated { value: 110.0, coverage: 0.875, standard_error: None }
    );
    assert_eq!(row(report, "cycles").raw, Some(100));
}

#[test]
fn a_part_that_never_ran_makes_the_sum_an_estimate() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::AllCpus).event("cycles").open().unwrap();
    hold(&kernel, holds(30, 10, 10), |_| true);
    hold(&kernel, holds(0, 10, 0), |o| cpu_of(o) == Some(3));
    let report = counters.read().unwrap();
    let Value::Estimated { value, coverage, .. } = row(report, "cycles").value else {
        panic!("{report:?}");
    };
    assert!((value - 120.0).abs() < 1e-9, "the three others' mean for the fourth: {value}");
    assert_eq!(coverage, 0.75);
    let snapshot = counters.snapshot().unwrap();
    let by_cpu = counters.report(&snapshot, &Split::Cpu);
    assert_eq!(by_cpu.rows[2].value, counted(30));
    assert_eq!(by_cpu.rows[3].value, Value::NotCounted(Reason::NoCounter));
}

#[test]
fn a_reset_is_a_baseline_and_snapshots_have_differences() {
    let kernel = two_sockets();
    let mut counters = open(&kernel, "cycles");
    hold(&kernel, holds(100, 10, 10), |_| true);
    counters.reset().unwrap();
    assert_eq!(
        row(counters.read().unwrap(), "cycles").value,
        Value::NotCounted(Reason::NeverRan),
        "nothing yet"
    );
    hold(&kernel, holds(130, 14, 12), |_| true);
    let report = counters.read().unwrap();
    let after = row(report, "cycles");
    assert_eq!(after.value, Value::Estimated { value: 60.0, coverage: 0.5, standard_error: None });
    assert_eq!((after.raw, after.enabled, after.running), (Some(30), ms(4), ms(2)));
    counters.reset().unwrap();
    hold(&kernel, holds(137, 15, 13), |_| true);
    assert_eq!(row(counters.read().unwrap(), "cycles").value, counted(7), "reset twice");
}

#[test]
fn intervals_are_differences_of_snapshots() {
    let kernel = two_sockets().counts(|_, time| time.as_millis() as u64 * 10);
    let mut counters = open(&kernel, "cycles");
    kernel.run(ms(1));
    let first = counters.snapshot().unwrap();
    kernel.run(ms(3));
    let second = counters.snapshot().unwrap();
    let interval = counters.report(&second.since(&first), &Split::Total);
    assert_eq!(row(&interval, "cycles").value, counted(30));
    let all = counters.report(&second, &Split::Total);
    assert_eq!(row(&all, "cycles").value, counted(40));
    let backwards = counters.report(&first.since(&second), &Split::Total);
    assert_eq!(
        row(&backwards, "cycles").value.as_f64(),
        None,
        "no time passed, and nothing wrapped"
    );
}

#[test]
fn counting_can_be_stopped_and_resumed() {
    let kernel = two_sockets();
    let mut counters =
        set(&kernel, Target::ThisThread).event("cycles").delayed(true).open().unwrap();
    kernel.run(ms(1));
    assert_eq!(row(counters.read().unwrap(), "cycles").value.as_f64(), None);
    counters.start().unwrap();
    kernel.run(ms(2));
    counters.stop().unwrap();
    kernel.run(ms(4));
    let value = row(counters.read().unwrap(), "cycles").value.clone();
    assert_eq!(value, counted(2_000_000));
    counters.start().unwrap();
    kernel.run(ms(8));
    let value = row(counters.read().unwrap(), "cycles").value.clone();
    assert_eq!(value, counted(10_000_000));
}
