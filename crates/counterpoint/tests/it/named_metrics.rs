//! Metrics that are counted by name or by group.

use crate::world::{cpu_of, hold, holds, kernel, recorded_machine, row, set, two_sockets};
use counterpoint::definitions::{Library, Origin, metrics};
use counterpoint::formula::Number;
use counterpoint::metrics::{Meaning, SavedCounts};
use counterpoint::{EventSet, Reason, Report, Row, Target, Value, read_definitions};
use counterpoint_fixtures::FakeKernel;

fn table(text: &str) -> Library {
    (metrics::TABLE.read)(text, Origin::Text)
}

fn perf(text: &str) -> Library {
    let library = read_definitions("metrics.json", text);
    assert_eq!(library.diagnostics(), []);
    library
}

/// The metrics of a set, where every event has counted `value`.
fn counted(kernel: &FakeKernel, set: &EventSet, value: u64) -> Report {
    let mut counters = set.open().unwrap();
    hold(kernel, holds(value, 1, 1), |_| true);
    counters.read().unwrap().clone()
}

/// The names of the events that are opened, of each once.
fn opened(set: &EventSet) -> Vec<String> {
    set.resolve().unwrap().natives().iter().map(|native| native.id.to_string()).collect()
}

#[test]
fn a_metric_has_its_unit_and_its_factor() {
    let kernel = kernel("amd-zen4");
    let text = "metric share\n formula branches / instructions\n unit 100%\n group shares\nmetric twice\n formula 2 * share\n unit x\n group shares\n";
    let set = set(&kernel, Target::AllCpus).define(table(text)).metric("SHARES");
    let report = counted(&kernel, &set, 8);
    let found: Vec<_> = report
        .rows
        .iter()
        .map(|r| (r.event.as_str(), r.value.as_f64(), r.unit.as_deref()))
        .collect();
    // Other formulas use a metric as it is.
    assert_eq!(found, [("share", Some(100.0), Some("%")), ("twice", Some(2.0), Some("x"))]);
    assert_eq!(opened(&set), ["branches", "instructions"]);
    assert!(report.rows.iter().all(|row| row.metric.is_some() && row.raw.is_none()));
}

#[test]
fn only_the_events_that_the_machine_leaves_in_a_formula_are_opened() {
    let text = r#"[
        {"MetricName": "smt", "MetricExpr": "cycles if #smt_on else branches"},
        {"MetricName": "has", "MetricExpr": "no_such_event * 2 if has_event(no_such_event) else 7"},
        {"MetricName": "wide", "MetricExpr": "instructions if #core_wide < 1 else page\\-faults"},
        {"MetricName": "cpu", "MetricExpr": "1 if strcmp_cpuid_str(GenuineIntel\\-6\\-97) else 2"}
    ]"#;
    let kernel = FakeKernel::new()
        .files_of(&counterpoint_fixtures::machine("intel-hybrid"))
        .file("/sys/devices/system/cpu/smt/active", "0\n");
    let natives = |metric: &str, target: Target| {
        opened(&set(&kernel, target).define(perf(text)).metric(metric))
    };
    assert_eq!(natives("smt", Target::ThisThread), ["cpu_atom/branches/", "cpu_core/branches/"]);
    assert_eq!(natives("wide", Target::AllCpus), ["page-faults"]);
    assert_eq!(natives("has", Target::ThisThread), Vec::<String>::new());
    let both = set(&kernel, Target::ThisThread).define(perf(text)).metric("has").metric("cpu");
    let report = both.open().unwrap().read().unwrap().clone();
    for row in report.rows.iter().filter(|row| row.event == "has") {
        assert_eq!(row.value, Value::Counted(Number::Int(7)), "{row:?}");
    }
    assert!(report.rows.iter().any(|row| row.event == "cpu" && row.value.as_f64().is_some()));
}

#[test]
fn the_slots_lead_the_group_of_top_down_metrics_on_their_kind_of_core() {
    let kernel = kernel("intel-hybrid");
    let text = "pmu cpu_core\nmetric fe\n formula `topdown-fe-bound` / (`topdown-fe-bound` + `topdown-bad-spec` + `topdown-retiring` + `topdown-be-bound`) + 0 * slots\n unit 100%\n threshold fe > 0.2\npmu cpu_atom\nmetric fe\n formula cycles / instructions\n unit 100%\n threshold fe > 2\n";
    let set = set(&kernel, Target::AllCpus).define(table(text)).metric("fe");
    let mut counters = set.open().unwrap();
    hold(&kernel, holds(10, 1, 1), |_| true);
    // Those on this thread were opened to see whether the group fits.
    for opening in kernel.opened().into_iter().filter(|opening| cpu_of(opening).is_some()) {
        let leader = opening.leader.map(|leader| kernel.opened()[leader].attr.config);
        // The slots event and the metrics of the core have these codes.
        match opening.attr.config {
            0x400 => assert_eq!(leader, None),
            0x8000..=0x8700 => assert_eq!(leader, Some(0x400), "{opening:?}"),
            _ => assert!(cpu_of(&opening).is_some_and(|cpu| cpu >= 8), "{opening:?}"),
        }
    }
    let report = counters.read().unwrap();
    let found: Vec<_> = report
        .rows
        .iter()
        .map(|row| (row.id.to_string(), row.value.as_f64(), row.crossed))
        .collect();
    assert_eq!(
        found,
        [
            ("cpu_atom/fe/".to_string(), Some(100.0), Some(false)),
            ("cpu_core/fe/".to_string(), Some(25.0), Some(true)),
        ]
    );
}

#[test]
fn a_metric_that_cannot_be_counted_says_why_and_costs_only_itself() {
    let text = "metric a\n formula cycles + no_such_event\nmetric b\n formula cycles * 2\nmetric c\n formula #num_elephants * cycles\nmetric d\n formula cycles / (cycles - cycles)\n";
    let kernel = kernel("amd-zen4");
    let set = set(&kernel, Target::ThisThread).define(table(text));
    let set = ["a", "b", "c", "d"].into_iter().fold(set, EventSet::metric);
    let report = counted(&kernel, &set, 5);
    let reason = |name: &str| row(&report, name).value.reason().map(ToString::to_string);
    assert!(reason("a").unwrap().starts_with("no_such_event: no event is called"));
    assert_eq!(row(&report, "b").value.as_f64(), Some(10.0));
    assert!(reason("c").unwrap().contains("#num_elephants"), "{:?}", reason("c"));
    assert_eq!(reason("d").unwrap(), "division by zero");
    let error = set.metric("bb").resolve().unwrap_err();
    assert_eq!(error.to_string(), "no metric and no group of metrics is called `bb` here");
}

#[test]
fn sources_are_the_boxes_of_an_event() {
    let text = r#"[{"MetricName": "latency", "MetricExpr": "uncore_cbox@event\\=1@ / source_count(uncore_cbox@event\\=1@)", "Unit": "cpu_core"}]"#;
    let kernel = kernel("intel-hybrid");
    let set = set(&kernel, Target::AllCpus).define(perf(text));
    let needs = set.metric_needs(&set.metrics().find("latency")[0]).unwrap();
    assert_eq!(needs.formula.to_string(), "`uncore_cbox/event=1/` / 5");
    let [term] = needs.terms.as_slice() else { panic!("{needs:?}") };
    assert!(matches!(&term.meaning, Ok(Meaning::Event(native)) if native.boxes.len() == 5));
}

#[test]
fn events_that_may_not_be_grouped_are_planned_apart() {
    let table_of = |constraint: &str| {
        table(&format!("metric m\n formula cycles + instructions + branches\n {constraint}\n"))
    };
    let units = |constraint: &str| {
        let set = EventSet::with_machine(recorded_machine("amd-zen4"), Target::ThisThread);
        let set = set.define(table_of(constraint)).metric("m");
        set.plan().unwrap().pmus.iter().map(|pmu| pmu.units.len()).sum::<usize>()
    };
    assert_eq!((units("note none"), units("constraint no-group")), (1, 0));
}

#[test]
fn metrics_have_a_row_for_each_placement() {
    let kernel = two_sockets();
    let set = set(&kernel, Target::AllCpus).define(table("metric m\n formula 3 * `task-clock`\n"));
    let mut counters = set.metric("m").open().unwrap();
    for cpu in 0..4 {
        hold(&kernel, holds(u64::from(cpu) + 1, 1, 1), |o| cpu_of(o) == Some(cpu));
    }
    let snapshot = counters.snapshot().unwrap();
    let values = |split| -> Vec<Option<f64>> {
        let rows = counters.report(&snapshot, &split).rows;
        rows.iter().map(|row: &Row| row.value.as_f64()).collect()
    };
    assert_eq!(values(counterpoint::Split::Socket), [Some(9.0), Some(21.0)]);
    assert_eq!(values(counterpoint::Split::Total), [Some(30.0)]);
}

#[test]
fn the_tree_of_metrics_is_walked_both_ways() {
    let text = r#"[
        {"MetricName": "tma_be", "MetricExpr": "cycles", "MetricGroup": "TopdownL1"},
        {"MetricName": "tma_mem", "MetricExpr": "cycles", "MetricGroup": "TopdownL2;tma_be_group"},
        {"MetricName": "tma_core", "MetricExpr": "cycles", "MetricGroup": "TopdownL2;tma_be_group"}
    ]"#;
    let set = EventSet::with_machine(recorded_machine("amd-zen4"), Target::ThisThread);
    let set = set.define(perf(text));
    let of = |name: &str| set.metrics().find(name).remove(0);
    let names = |metrics: Vec<counterpoint::metrics::NamedMetric>| -> Vec<String> {
        metrics.iter().map(|metric| metric.definition.name().to_string()).collect()
    };
    assert_eq!(names(set.metrics().parts(&of("tma_be"))), ["tma_mem", "tma_core"]);
    assert_eq!(set.metrics().parent(&of("tma_core")).unwrap().definition.name(), "tma_be");
    assert_eq!(set.metrics().group_of_parts(&of("tma_be")).as_deref(), Some("tma_be_group"));
    assert_eq!(set.metrics().groups()["tma_be_group"], 2);
}

#[test]
fn saved_counts_are_looked_at_by_other_metrics() {
    let text = "metric m\n formula 100 * `page-faults` / duration_time\n unit per x\nmetric n\n formula cycles\n";
    let set = EventSet::with_machine(recorded_machine("amd-zen4"), Target::ThisThread);
    let set = set.define(table(text)).metric("m").metric("n");
    let mut saved = SavedCounts::default();
    saved.insert(
        "page-faults",
        Value::Estimated { value: 3.0, coverage: 0.5, standard_error: None },
    );
    saved.insert("duration_time", Value::Counted(Number::Int(600)));
    let report = set.report_over(&saved).unwrap();
    assert_eq!(
        row(&report, "m").value,
        Value::Estimated { value: 0.5, coverage: 0.5, standard_error: None }
    );
    let missing = Reason::Term { name: "cycles".to_string(), reason: Box::new(Reason::NotSaved) };
    assert_eq!(row(&report, "n").value.reason(), Some(&missing));
}

/// Whatever varies together, the error of a metric is no greater than the sum of what each term adds.
#[test]
fn errors_of_saved_counts_go_through_formulas() {
    let text = "metric rate\n formula 100 * `page-faults` / duration_time\n threshold rate > 0.6\nmetric sum\n formula `page-faults` + duration_time\n";
    let set = EventSet::with_machine(recorded_machine("amd-zen4"), Target::ThisThread);
    let set = set.define(table(text)).metric("rate").metric("sum");
    for (errors, is_uncertain, expected) in [
        ([Some(0.15), Some(0.0)], false, [Some(0.025), Some(0.15)]),
        ([Some(0.6), Some(30.0)], true, [Some(0.125), Some(30.6)]),
        ([None, Some(30.0)], false, [None, None]),
    ] {
        let mut saved = SavedCounts::default();
        for ((name, value), standard_error) in
            [("page-faults", 3.0), ("duration_time", 600.0)].into_iter().zip(errors)
        {
            saved.insert(name, Value::Estimated { value, coverage: 0.5, standard_error });
        }
        let report = set.report_over(&saved).unwrap();
        let rate = row(&report, "rate");
        assert_eq!((rate.crossed, rate.is_uncertain), (Some(false), is_uncertain), "{errors:?}");
        for (name, expected) in ["rate", "sum"].into_iter().zip(expected) {
            let found = row(&report, name).value.standard_error();
            let off = found.zip(expected).map_or(0.0, |(found, expected)| found / expected - 1.0);
            assert!(
                found.is_some() == expected.is_some() && off.abs() < 1e-12,
                "{name}: {found:?}"
            );
        }
    }
}

#[test]
fn a_metric_of_each_chip_has_a_value_for_each() {
    let text = r#"[{"MetricName": "reads", "MetricExpr": "hv_24x7@event\\=1\\,chip\\=?@ * 2", "AggregationMode": "PerChip"}]"#;
    let devices = "/sys/bus/event_source/devices/hv_24x7";
    let kernel = two_sockets()
        .file(format!("{devices}/type"), "9\n")
        .file(format!("{devices}/format/event"), "config:0-15\n")
        .file(format!("{devices}/format/chip"), "config:16-31\n")
        .file(format!("{devices}/interface/sockets"), "2\n");
    let two = set(&kernel, Target::AllCpus).define(perf(text)).metric("reads");
    let resolved = two.resolve().unwrap();
    assert_eq!(resolved.names(), ["reads_0", "reads_1"]);
    let codes: Vec<u64> = resolved.natives().iter().map(|n| n.boxes[0].attr.config).collect();
    assert_eq!(codes, [0x1, 0x1_0001]);
    let none = set(&two_sockets(), Target::AllCpus).define(perf(text)).metric("reads");
    let resolved = none.resolve().unwrap();
    let reasons: Vec<String> = resolved.unavailable().map(|(_, why)| why.to_string()).collect();
    assert!(reasons[0].contains("interface/sockets"), "{reasons:?}");
}
