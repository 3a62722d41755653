//! Metrics in each of their languages.

use counterpoint_definitions::{Constraint, Library, Origin, Syntax, link, metrics};

fn read(syntax: Syntax, text: &str) -> Library {
    (syntax.read)(text, Origin::file("groups/X/MEM.txt"))
}

/// The findings, each with the text that it is about.
fn findings<'t>(library: &Library, text: &'t str) -> Vec<(&'static str, &'t str)> {
    let findings = library.diagnostics().iter();
    findings.map(|finding| (finding.code.name(), &text[finding.span.clone()])).collect()
}

/// The formula of a metric over native events.
fn whole(library: &Library, pmu: &str, name: &str) -> String {
    let definitions = link(std::slice::from_ref(library), pmu);
    let definition = definitions.get(name).unwrap_or_else(|| panic!("{name}"));
    definitions.expand(&definition).unwrap_or_else(|e| panic!("{name}: {e}")).formula.to_string()
}

const PERF: &str = r#"[
  {"MetricName": "tma_x", "MetricGroup": "TopdownL2;tma_y_group", "ScaleUnit": "100%", "BriefDescription": "Part of y",
   "MetricExpr": "1 - cpu_core@A.B\\,cmask\\=1@ / tma_slots", "MetricThreshold": "tma_x > 0.1 & tma_y > 0.2",
   "MetricConstraint": "NO_GROUP_EVENTS_NMI", "Unit": "cpu_core"},
  {"MetricName": "tma_slots", "MetricExpr": "TOPDOWN.SLOTS", "Unit": "cpu_core"},
  {"MetricName": "tma_x", "MetricExpr": "E.F / 5 / duration_time", "Unit": "cpu_atom"},
  {"EventName": "A.B", "EventCode": "0x1", "UMask": "0x2"},
  {"MetricName": "ipc", "MetricExpr": "ipc / (cycles \u00e9) if #smt_on else 1", "ScaleUnit": "1..2x"},
  {"MetricName": "cut", "MetricExpr": "(a"},
  {"MetricName": "twice", "MetricExpr": "a\\-b +\n  * 2"},
  {"MetricName": 5, "MetricExpr": "a"},
  {"MetricExpr": "a"},
  7,
  {"MetricName": "last", "MetricExpr": "last2", "MetricThreshold": "last >", "MetricConstraint": "NEVER"},
  {"MetricName": "lost", "MetricExpr": 
]"#;

#[test]
fn the_json_of_perf_is_read_with_the_places_of_its_mistakes() {
    let library = read(metrics::PERF, PERF);
    assert_eq!(
        findings(&library, PERF),
        [
            ("passed-over", "\\u00e9"),
            ("bad-scale", "1..2x"),
            ("bad-formula", "("),
            ("bad-formula", "*"),
            ("wrong-shape", "5"),
            ("missing-name", r#"{"MetricExpr": "a"}"#),
            ("wrong-shape", "7"),
            ("bad-threshold", ""),
            ("unknown-constraint", "NEVER"),
            ("bad-json", "]"),
        ]
    );
    assert_eq!(
        whole(&library, "cpu_core", "tma_x"),
        "1 - ratio(`cpu_core/A.B,cmask=1/`, TOPDOWN.SLOTS)"
    );
    assert_eq!(whole(&library, "cpu_atom", "tma_x"), "ratio(E.F / 5, duration_time * 1e-9)");
    assert_eq!(whole(&library, "cpu_atom", "ipc"), "ratio(ipc, cycles) if #smt_on else 1");
    let definitions = link(std::slice::from_ref(&library), "cpu_core");
    let x = definitions.get("TMA_X").unwrap();
    let metric = x.metric().unwrap();
    assert_eq!(
        (metric.factor, x.units(), x.short_description()),
        (100.0, Some("%"), Some("Part of y"))
    );
    assert_eq!(metric.groups, ["TopdownL2", "tma_y_group"]);
    assert_eq!(
        (metric.parent.as_deref(), metric.constraint),
        (Some("tma_y"), Constraint::NoGroupNmi)
    );
    assert_eq!(
        metric.threshold.as_ref().unwrap().formula.to_string(),
        "tma_x > 0.1 && tma_y > 0.2"
    );
    let term = x.terms().next().unwrap();
    assert_eq!(
        (term.name, &PERF[term.span]),
        ("cpu_core/A.B,cmask=1/", r"cpu_core@A.B\\,cmask\\=1@")
    );
    assert_eq!((x.line(), &PERF[x.name_span()]), (2, "tma_x"));
}

const PERFMON: &str = r#"{"Header": {"Info": "x"}, "Metrics": [
  {"MetricName": "Bound", "LegacyName": "metric_Bound(%)", "UnitOfMeasure": "percent", "ParentCategory": "Memory",
   "Events": [{"Name": "A.ANY:c1", "Alias": "a"}, {"Name": "B.ALL", "Alias": "a_b"}],
   "Constants": [{"Name": "DURATIONTIMEINMILLISECONDS", "Alias": "t"}, {"Name": "HYPERTHREADING_ON", "Alias": "smt_on"}, {"Name": "20", "Alias": "w"}],
   "Formula": "100 * ( A / a_b ) * w / ( T / 1000 ) if smt_on else 0", "LocateWith": " C.D;E.F ", "MetricGroup": "TmaL1;Mem",
   "Threshold": {"ThresholdMetrics": [{"Alias": "a", "Value": "metric_Bound(%)"}], "Formula": "a > 15"}},
  {"MetricName": "Odd", "LegacyName": "x", "Events": [], "Constants": [], "Formula": "q + 1", "Threshold": ""},
  {"MetricName": "Events", "Events": [{"Name": 1}], "Formula": "q"}
]}"#;

#[test]
fn the_json_of_perfmon_is_read_by_its_aliases() {
    assert!((metrics::PERFMON.accepts)("x.json".as_ref(), PERFMON));
    assert!(!(metrics::PERFMON.accepts)("x.json".as_ref(), PERF));
    let library = read(metrics::PERFMON, PERFMON);
    assert_eq!(
        findings(&library, PERFMON),
        [("unknown-input", "q"), ("wrong-shape", r#"[{"Name": 1}]"#)]
    );
    let bound = whole(&library, "spr", "Bound");
    assert_eq!(
        bound,
        "100 * (`cpu/A.ANY,cmask=1/` / B.ALL) * 20 / (duration_time * 1e-6 / 1000) if #smt_on else 0"
    );
    let bound = library.definition(0);
    let metric = bound.metric().unwrap();
    assert_eq!((bound.units(), metric.parent.as_deref()), (Some("%"), Some("Memory")));
    assert_eq!(metric.samples, ["C.D", "E.F"]);
    assert_eq!(metric.threshold.as_ref().unwrap().text, "Bound > 15");
    let places: Vec<_> = bound.terms().map(|term| (term.name, &PERFMON[term.span])).collect();
    assert!(
        places.contains(&("cpu/A.ANY,cmask=1/", "A")) && places.contains(&("B.ALL", "a_b")),
        "{places:?}"
    );
}

const LIKWID: &str = "SHORT Bandwidth
REQUIRE_NOHT

EVENTSET
FIXC0 INSTR_RETIRED_ANY
PMC3:EDGEDETECT:THRESHOLD=0x2  UOPS_STALLS
MBOX0C1 CAS_COUNT_RD
CBOX1C0:STATE=0x3F LLC_LOOKUP
PWR0 PWR_PKG_ENERGY
UBOXFIX UNCORE_CLOCK
PMC1

METRICS
Runtime [s] time
Bandwidth [MBytes/s] 1.0E-06*(MBOX0C1+CBOX1C0:STATE=0x3F)*64.0/time
Stalls  PMC3/FIXC0*inverseClock
Split  1.0E-06*(PWR0+ UBOXFIX)
Lost PMC7/FIXC0
Untitled
LONG
Formulas:
 a = b
";

#[test]
fn groups_of_likwid_are_read_by_their_counters() {
    assert!((metrics::LIKWID.accepts)("MEM.txt".as_ref(), LIKWID));
    let library = read(metrics::LIKWID, LIKWID);
    assert_eq!(
        findings(&library, LIKWID),
        [("wrong-shape", "PMC1"), ("unknown-input", "PMC7"), ("missing-formula", "Untitled")]
    );
    let formula = |name| whole(&library, "skx", name);
    assert_eq!(formula("MEM:Runtime [s]"), "duration_time * 1e-9");
    assert_eq!(
        formula("MEM:Bandwidth [MBytes/s]"),
        "1e-6 * (`mbox0/CAS_COUNT_RD/` + `cbox1/LLC_LOOKUP:STATE=0x3F/`) * 64 / (duration_time * 1e-9)"
    );
    assert_eq!(
        formula("MEM:Stalls"),
        "`UOPS_STALLS:e=1:c=0x2` / INSTR_RETIRED_ANY * #inverseClock"
    );
    assert_eq!(formula("MEM:Split"), "1e-6 * (`pwr/PWR_PKG_ENERGY/` + `ubox/UNCORE_CLOCK/`)");
    let bandwidth = library.definition(1);
    let metric = bandwidth.metric().unwrap();
    assert_eq!((metric.title.as_deref(), bandwidth.units()), (Some("Bandwidth"), Some("MBytes/s")));
    assert_eq!(
        (bandwidth.note(), bandwidth.short_description()),
        (Some("REQUIRE_NOHT"), Some("Bandwidth"))
    );
    assert_eq!(bandwidth.long_description(), Some("Formulas:\na = b"));
}

const TABLE: &str = "# facts
metric ipc
  formula   instructions / cycles
  unit      instructions per cycle
  group     summary all
  threshold ipc < 0.5
  about     Instructions in each cycle.
pmu skx CLX
metric share
  formula   100 * (a:b if c > 0 else 0)
  unit      1e2%
  parent    ipc
  sample    X Y
  constraint no-group
metric empty
metric wrong
  formula   a +
  colour    red
pmu *
metric other
  formula   share
  constraint never
group x
";

#[test]
fn tables_are_read_fact_by_fact() {
    assert!((metrics::TABLE.accepts)("x".as_ref(), TABLE));
    let library = read(metrics::TABLE, TABLE);
    assert_eq!(
        findings(&library, TABLE),
        [
            ("missing-formula", "empty"),
            ("bad-formula", ""),
            ("unknown-key", "colour    red"),
            ("unknown-constraint", "never"),
        ]
    );
    assert_eq!(whole(&library, "clx", "share"), "100 * (a:b if c > 0 else 0)");
    assert_eq!(whole(&library, "clx", "ipc"), "instructions / cycles");
    assert!(link(std::slice::from_ref(&library), "icl").get("share").is_none());
    let share = link(std::slice::from_ref(&library), "skx").get("share").unwrap();
    let metric = share.metric().unwrap();
    assert_eq!((metric.factor, share.units()), (100.0, Some("%")));
    assert_eq!((metric.parent.as_deref(), metric.samples.len()), (Some("ipc"), 2));
}

#[test]
fn metrics_that_need_each_other_cost_only_themselves() {
    let text = r#"[{"MetricName": "a", "MetricExpr": "b + 1"}, {"MetricName": "b", "MetricExpr": "a * 2"},
        {"MetricName": "c", "MetricExpr": "a"}, {"MetricName": "d", "MetricExpr": "x"}]"#;
    let definitions = link(&[read(metrics::PERF, text)], "skx");
    let finding = &definitions.diagnostics()[0];
    assert_eq!((finding.code.name(), &text[finding.span.clone()]), ("cycle", "a"));
    assert!(definitions.unavailable("c").is_some() && definitions.unavailable("d").is_none());
}

/// A text that is too large is refused in time that grows with its size.
#[test]
fn a_large_expression_is_read_or_refused_at_once() {
    let sum = |count: usize| vec!["event"; count].join("+");
    let deep = "(".repeat(5 << 20) + "a" + &")".repeat(5 << 20);
    for (expression, is_read) in [(sum(1 << 14), true), (sum(2 << 20), false), (deep, false)] {
        let text = format!(
            r#"[{{"MetricName": "m", "MetricExpr": "{expression}"}}, {{"MetricName": "n", "MetricExpr": "a"}}]"#
        );
        let library = read(metrics::PERF, &text);
        assert_eq!(library.len(), 1 + usize::from(is_read), "{:?}", library.diagnostics());
        assert_eq!(library.diagnostics().is_empty(), is_read);
    }
}

#[test]
fn a_library_is_for_one_pmu_if_its_file_does_not_say_so_itself() {
    let text = "metric a\n formula x\npmu cpu_atom\nmetric b\n formula y\n";
    let library = read(metrics::TABLE, text).only_for("cpu_core");
    let names = |pmu: &str| -> Vec<String> {
        let definitions = link(std::slice::from_ref(&library), pmu);
        definitions.iter().map(|definition| definition.name().to_owned()).collect()
    };
    assert_eq!(
        (names("cpu_core"), names("cpu_atom")),
        (vec!["a".to_owned()], vec!["b".to_owned()])
    );
    assert!(names("skx").is_empty());
}

#[test]
fn metrics_of_a_vendor_use_each_other_whatever_hides_them() {
    let metric = |name, expression| metrics::PerfMetric { name, expression, ..Default::default() };
    let theirs = [
        metric("half", "whole / 2"),
        metric("whole", "A + B"),
        metric("own", "own / A"),
        metric("C", "1 + whole"),
    ];
    let vendor = metrics::PerfMetric::library(theirs, Origin::Vendor("Linux"));
    let mine = read(
        metrics::TABLE,
        "metric whole\n formula D\nmetric third\n formula whole / half\nmetric A\n formula 7\n",
    );
    let definitions = link(&[vendor, mine], "skx");
    let formula = |name: &str| {
        let definition = definitions.get(name).unwrap();
        definitions.expand(&definition).unwrap().formula.to_string()
    };
    assert_eq!(formula("half"), "(A + B) / 2");
    assert_eq!(formula("C"), "1 + (A + B)");
    assert_eq!(formula("own"), "ratio(own, A)");
    assert_eq!(formula("third"), "D / ((A + B) / 2)");
    let names: Vec<String> = definitions.iter().map(|known| known.name().to_string()).collect();
    assert_eq!(names, ["half", "whole", "own", "C", "third", "A"]);
    assert_eq!((definitions.len(), definitions.diagnostics()), (6, &[][..]));
    assert_eq!(definitions.hidden("whole").count(), 1);
}

#[test]
fn a_metric_that_is_in_no_file_has_what_one_of_a_file_has() {
    let metric = metrics::PerfMetric {
        name: "tma_x",
        expression: "1 - cpu_core@A.B\\,cmask\\=1@ / TSC",
        scale: "100%",
        groups: "TopdownL2;tma_y_group",
        threshold: "tma_x > 0.1",
        constraint: "NO_GROUP_EVENTS_NMI",
        aggregation: "PerChip",
        pmu: "cpu_core",
    };
    let wrong = metrics::PerfMetric { name: "cut", expression: "(a", ..Default::default() };
    let library = metrics::PerfMetric::library([metric, wrong], Origin::Vendor("Linux"));
    assert_eq!(
        whole(&library, "cpu_core", "tma_x"),
        "1 - ratio(`cpu_core/A.B,cmask=1/`, `msr/tsc/`)"
    );
    let found = link(std::slice::from_ref(&library), "cpu_core").get("tma_x").unwrap();
    let facts = found.metric().unwrap();
    assert_eq!((found.units(), facts.factor), (Some("%"), 100.0));
    assert_eq!(
        (facts.parent.as_deref(), facts.constraint),
        (Some("tma_y"), Constraint::NoGroupNmi)
    );
    assert!(facts.threshold.is_some() && facts.each.is_some());
    assert!(link(std::slice::from_ref(&library), "cpu_atom").get("tma_x").is_none());
    assert_eq!((library.len(), library.diagnostics().len()), (1, 1));
    assert!(found.origin().is_included());
}
