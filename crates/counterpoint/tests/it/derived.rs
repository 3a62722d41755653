//! Formulas over counts.

use crate::world::{cpu_of, hold, holds, open, row, set, two_sockets};
use counterpoint::formula::{EvalErrorKind, Number};
use counterpoint::{Counters, Reason, Report, Row, Split, Target, Value};
use counterpoint_fixtures::FakeKernel;

const DEFINITIONS: &str = "\
EVENT,RATIO,DERIVED_INFIX,N0/N1,instructions,cycles
EVENT,SUM,DERIVED_ADD,instructions,cycles,branches
EVENT,DIFFERENCE,DERIVED_SUB,cycles,instructions
EVENT,SECOND,DERIVED_PS,cycles,instructions
EVENT,DURATION,DERIVED_POSTFIX,N0|#|/|,cycles
EVENT,SAME,NOT_DERIVED,cycles
EVENT,NESTED,DERIVED_INFIX,N0*2,RATIO
EVENT,CONSTANT,DERIVED_INFIX,7*N0/N0,cycles
EVENT,HUGE,DERIVED_INFIX,N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0*N0,cycles
EVENT,ROOT,DERIVED_INFIX,sqrt(N1-N0),cycles,instructions
";

const CYCLES: u64 = 0;
const INSTRUCTIONS: u64 = 1;

fn open_for(kernel: &FakeKernel, target: Target, events: &str) -> Counters {
    set(kernel, target).define(DEFINITIONS).event(events).open().unwrap()
}

/// The value of a derived event on one thread with these cycles and instructions.
fn value(event: &str, cycles: u64, instructions: u64) -> Value {
    let kernel = two_sockets();
    let mut counters = open_for(&kernel, Target::ThisThread, event);
    for (n, opening) in kernel.opened().iter().enumerate() {
        let value = if opening.attr.config == CYCLES { cycles } else { instructions };
        kernel.set(n, holds(value, 1, 1));
    }
    row(counters.read().unwrap(), event).value.clone()
}

fn only(report: &Report) -> &Row {
    assert_eq!(report.rows.len(), 1, "{report:?}");
    &report.rows[0]
}

#[test]
fn formulas_are_computed_and_sums_and_differences_stay_exact() {
    let big = (1 << 53) + 1;
    assert_eq!(value("RATIO", 4, 10), Value::Counted(Number::Real(2.5)));
    assert_eq!(value("NESTED", 4, 10), Value::Counted(Number::Real(5.0)));
    assert_eq!(value("SAME", big, 0), Value::Counted(Number::Int(big.into())));
    let sum = Number::Int(i128::from(big) + 2 * i128::from(u64::MAX));
    assert_eq!(value("SUM", big, u64::MAX), Value::Counted(sum));
    let less = Number::Int(i128::from(big) - i128::from(u64::MAX));
    assert_eq!(value("DIFFERENCE", big, u64::MAX), Value::Counted(less));
}

#[test]
fn a_formula_without_value_says_why() {
    let failed = |kind| Value::NotCounted(Reason::Formula(kind));
    assert_eq!(value("RATIO", 0, 10), failed(EvalErrorKind::DivisionByZero));
    assert_eq!(value("RATIO", 0, 0), failed(EvalErrorKind::DivisionByZero));
    assert_eq!(value("CONSTANT", 0, 0), failed(EvalErrorKind::DivisionByZero));
    assert_eq!(value("HUGE", u64::MAX, 0), failed(EvalErrorKind::Overflow));
    assert_eq!(value("ROOT", 2, 1), failed(EvalErrorKind::Domain));
}

#[test]
fn rates_and_durations_need_the_machines_clock_rate() {
    for event in ["SECOND", "DURATION"] {
        assert_eq!(value(event, 10, 20), Value::NotCounted(Reason::UnknownClockRate));
    }
    let kernel = two_sockets()
        .file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "2000000\n")
        .file("/sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "3000000\n");
    let mut counters = open_for(&kernel, Target::ThisThread, "SECOND,DURATION");
    hold(&kernel, holds(10, 1, 1), |o| o.attr.config == CYCLES);
    hold(&kernel, holds(20, 1, 1), |o| o.attr.config == INSTRUCTIONS);
    let values: Vec<_> =
        counters.read().unwrap().rows.iter().map(|row| row.value.as_f64()).collect();
    assert_eq!(values, [Some(6e9), Some(10.0 / 3e9)]);
}

#[test]
fn values_come_from_the_sums_over_cpus_and_not_from_other_values() {
    let kernel = two_sockets();
    let mut counters = open_for(&kernel, Target::AllCpus, "RATIO");
    for (cpu, cycles, instructions) in [(0, 10, 10), (1, 10, 30), (2, 100, 100), (3, 80, 60)] {
        hold(&kernel, holds(cycles, 1, 1), |o| cpu_of(o) == Some(cpu) && o.attr.config == CYCLES);
        hold(&kernel, holds(instructions, 1, 1), |o| {
            cpu_of(o) == Some(cpu) && o.attr.config == INSTRUCTIONS
        });
    }
    let value = |value: &Value| value.as_f64();
    assert_eq!(value(&only(counters.read().unwrap()).value), Some(1.0), "200/200");
    let snapshot = counters.snapshot().unwrap();
    let by = |split| -> Vec<f64> {
        let report = counters.report(&snapshot, &split);
        report.rows.iter().map(|row| row.value.as_f64().unwrap()).collect()
    };
    assert_eq!(by(Split::Socket), [2.0, 160.0 / 180.0]);
    assert_eq!(by(Split::Cpu), [1.0, 3.0, 1.0, 0.75]);
}

#[test]
fn an_estimated_input_makes_the_value_an_estimate() {
    let kernel = two_sockets();
    let mut counters = open_for(&kernel, Target::ThisThread, "RATIO");
    hold(&kernel, holds(10, 10, 8), |o| o.attr.config == CYCLES);
    hold(&kernel, holds(10, 10, 2), |o| o.attr.config == INSTRUCTIONS);
    let report = counters.read().unwrap();
    assert_eq!(
        only(report).value,
        Value::Estimated { value: 4.0, coverage: 0.2, standard_error: None }
    );
    assert_eq!(only(report).raw, None);
}

#[test]
fn an_input_without_number_is_named() {
    let kernel = two_sockets();
    let mut counters = open_for(&kernel, Target::ThisThread, "RATIO");
    hold(&kernel, holds(10, 10, 10), |o| o.attr.config == CYCLES);
    hold(&kernel, holds(0, 10, 0), |o| o.attr.config == INSTRUCTIONS);
    let report = counters.read().unwrap();
    let Value::NotCounted(reason) = &only(report).value else { panic!("{report:?}") };
    assert_eq!(reason.to_string(), "instructions: no counter was free for it");

    let refusing = two_sockets()
        .refuse_with(counterpoint::perf::Errno::ENOENT, |o| o.attr.config == INSTRUCTIONS);
    let mut counters = set(&refusing, Target::ThisThread)
        .define(DEFINITIONS)
        .event("RATIO,cycles")
        .open()
        .unwrap();
    refusing.run(crate::world::ms(1));
    let report = counters.read().unwrap();
    let Value::NotSupported(reason) = &row(report, "RATIO").value else { panic!("{report:?}") };
    assert!(reason.to_string().starts_with("instructions: "), "{reason}");
    assert_eq!(row(report, "cycles").value.status().name(), "counted", "the others count on");
}

#[test]
fn a_formula_shares_counters_with_events_and_other_formulas() {
    let kernel = two_sockets();
    let counters =
        open_for(&kernel, Target::ThisThread, "cycles,RATIO,DIFFERENCE,instructions,SUM");
    assert_eq!((kernel.asked().len(), counters.open_count()), (3, 3));
}

#[test]
fn a_formula_in_braces_has_its_events_in_the_group() {
    let kernel = two_sockets();
    set(&kernel, Target::ThisThread)
        .define(DEFINITIONS)
        .event("cycles,{RATIO,branches}")
        .open()
        .unwrap();
    let leaders: Vec<_> = kernel.opened().iter().map(|o| o.leader).collect();
    assert_eq!(leaders, [None, None, Some(1), Some(1)], "cycles by itself is another counter");
}

#[test]
fn units_of_a_definition_are_those_of_its_row() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::ThisThread)
        .define("EVENT,BYTES,DERIVED_INFIX,N0*64,cache-misses,UNITS,bytes\n")
        .event("BYTES")
        .open()
        .unwrap();
    assert_eq!(only(counters.read().unwrap()).unit.as_deref(), Some("bytes"));
}

#[test]
fn later_files_win() {
    let kernel = two_sockets();
    let mut counters = set(&kernel, Target::ThisThread)
        .define("EVENT,X,NOT_DERIVED,instructions\n")
        .define("EVENT,X,NOT_DERIVED,cycles\n")
        .event("X")
        .open()
        .unwrap();
    hold(&kernel, holds(5, 1, 1), |o| o.attr.config == CYCLES);
    assert_eq!(only(counters.read().unwrap()).value, Value::Counted(Number::Int(5)));
    assert!(open(&kernel, "cycles").is_any_open());
}
