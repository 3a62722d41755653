//! Definition files against the tables: the malformed files of `fixtures/definitions`, each against its line of the index.

use crate::world::recorded;
use counterpoint::definitions::{Code, Diagnostic, Severity, line_column};
use counterpoint::pmu::find;
use counterpoint::{Machine, check_definitions, definitions_on, papi_differences};
use serde_json::Value;
use std::path::Path;

fn check(text: &str, pmu: Option<&str>) -> Vec<Diagnostic> {
    check_definitions(&Machine::new(recorded("amd-zen4")), &[text.into()], pmu)
}

fn codes(text: &str, pmu: Option<&str>) -> Vec<(usize, Code, Severity)> {
    let found = check(text, pmu).into_iter();
    found.map(|f| (line_column(text, f.span.start).0, f.code, f.severity)).collect()
}

#[test]
fn each_malformed_file_gives_the_finding_of_the_index() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/definitions/malformed");
    let index = std::fs::read_to_string(dir.join("index.jsonl")).unwrap();
    let mut of_tables = 0;
    for line in index.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let text = std::fs::read_to_string(dir.join(entry["file"].as_str().unwrap())).unwrap();
        let found = check(&text, None);
        let is_expected = |finding: &Diagnostic| {
            let (line, column) = line_column(&text, finding.span.start);
            Some(finding.severity.name()) == entry["severity"].as_str()
                && Some(finding.code.name()) == entry["code"].as_str()
                && (Some(line as u64), Some(column as u64))
                    == (entry["line"].as_u64(), entry["column"].as_u64())
        };
        if entry["pass"] == "tables" {
            assert!(found.iter().any(is_expected), "{entry}: {found:?}");
            of_tables += 1;
        } else {
            // A file that is odd in other ways has no finding of the tables as well.
            let others = found.iter().filter(|f| f.severity > Severity::Info && !is_expected(f));
            assert_eq!(others.count(), 0, "{entry}: {found:?}");
        }
    }
    assert_eq!(of_tables, 7);
}

#[test]
fn a_term_must_be_an_event_of_one_of_the_pmus_that_are_named() {
    use Severity::{Error, Warning};
    let text = "CPU,snb\nCPU,skx\n\
        EVENT,A,DERIVED_ADD,L1D:REPLACEMENT:u,FP_ARITH_INST_RETIRED:SCALAR_DOUBLE,NO_SUCH\n\
        PRESET,B,NOT_DERIVED,L1D:REPLACMENT\n\
        EVENT,C,DERIVED_ADD,skl::L1D:REPLACEMENT,skl::NONE,none::L1D,r1a8,cpu/event=1/,A,page-faults:u\n";
    let found = check(text, None);
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(messages[0], "none of these PMUs has an event `NO_SUCH`");
    assert_eq!(&text[found[0].span.clone()], "NO_SUCH");
    assert!(messages[1].contains("L1D has no attribute `REPLACMENT`"), "{messages:?}");
    assert_eq!(found[1].help.as_deref(), Some("did you mean REPLACEMENT?"));
    assert_eq!(messages[2..], ["skl has no event `NONE`", "no PMU is called `none`"]);
    assert_eq!(
        codes(text, None),
        [
            (3, Code::UnknownEvent, Error),
            (4, Code::UnknownEvent, Warning),
            (5, Code::UnknownEvent, Error),
            (5, Code::UnknownEvent, Error)
        ]
    );
    // One PMU is asked for: Sandy Bridge has no such event.
    assert_eq!(codes(text, Some("snb")).iter().filter(|finding| finding.0 == 3).count(), 2);
    assert_eq!(codes(text, Some("icl")), []);
}

#[test]
fn pmus_are_those_of_the_tables_and_of_the_kernel() {
    let text = "CPU,SKX,319\nCPU,skx,1\nCPU,cpu_atom\nCPU,perf\nCPU,skylak\nEVENT,A,NOT_DERIVED,page-faults\n";
    assert_eq!(
        codes(text, None),
        [(2, Code::WrongCpuNumber, Severity::Warning), (5, Code::UnknownPmu, Severity::Warning)]
    );
    let text = "EVENT,A,NOT_DERIVED,NO_SUCH\nCPU,icl\nEVENT,B,NOT_DERIVED,NO_SUCH\n";
    assert_eq!(codes(text, Some("skx")), [(1, Code::UnknownEvent, Severity::Error)]);
    assert_eq!(codes(text, None), [(3, Code::UnknownEvent, Severity::Error)]);
}

#[test]
fn a_pmu_that_is_asked_for_takes_its_own_number_only() {
    let text = "CPU,spr,1\nEVENT,A,NOT_DERIVED,NO_SUCH\nCPU,nosuch\nEVENT,B,NOT_DERIVED,NO_SUCH\n\
        CPU,spr,512\nEVENT,C,NOT_DERIVED,NO_SUCH\n";
    assert_eq!(
        codes(text, Some("spr")),
        [
            (1, Code::WrongCpuNumber, Severity::Warning),
            (3, Code::UnknownPmu, Severity::Warning),
            (6, Code::UnknownEvent, Severity::Error)
        ]
    );
}

#[test]
fn blocks_of_every_pmu_of_a_machine_are_checked_for_one_of_its_pmus() {
    let block = |pmu: &str, term: &str| format!("CPU,{pmu}\nEVENT,A,NOT_DERIVED,{term}\n");
    let applies = |text: &str| definitions_on(find("skx").unwrap(), &[text.into()]).len();
    for pmu in ["perf", "PERF", "ix86arch", "skx"] {
        let wrong = block(pmu, "NO_SUCH");
        assert_eq!(codes(&wrong, Some("skx")), [(2, Code::UnknownEvent, Severity::Error)], "{pmu}");
        assert_eq!(applies(&wrong), 1, "{pmu}");
        for term in ["page-faults", "L1D:REPLACEMENT"] {
            assert_eq!(check(&block(pmu, term), Some("skx")), [], "{pmu} {term}");
        }
    }
    assert_eq!(check(&block("ix86arch", "INSTRUCTION_RETIRED"), Some("skx")), []);
    let of_device = block("uncore_imc_0", "NO_SUCH");
    assert_eq!(codes(&of_device, Some("skx_unc_imc0")).len(), 1);
    for pmu in ["icl", "skx_unc_imc0", "arm_n1"] {
        let text = block(pmu, "NO_SUCH");
        assert_eq!((check(&text, Some("skx")), applies(&text)), (vec![], 0), "{pmu}");
    }
}

#[test]
fn every_hidden_definition_is_named_and_only_where_both_hold() {
    let redefined = |text: &str| -> Vec<String> {
        let found = check(text, None).into_iter();
        found.filter(|f| f.code == Code::Redefined).map(|f| f.message).collect()
    };
    let define = |pmu: &str| format!("CPU,{pmu}\nEVENT,A,NOT_DERIVED,page-faults\n");
    let hybrid = redefined(&[define("adl_glc"), define("adl_grt"), define("perf")].concat());
    assert_eq!(hybrid.len(), 2, "{hybrid:?}");
    assert!(hybrid[0].contains("line 2") && hybrid[1].contains("line 4"), "{hybrid:?}");
    let sysfs = redefined(&[define("cpu"), define("uncore_imc_0"), define("power")].concat());
    assert_eq!(sysfs.len(), 2, "{sysfs:?}");
    assert_eq!(redefined(&[define("cpu_core"), define("cpu_atom")].concat()), [""; 0]);
    // A number of another PMU means that the block never holds.
    assert_eq!(redefined(&[define("skx"), define("skx,999")].concat()), [""; 0]);
}

#[test]
fn energies_of_papis_component_are_left_to_the_machine() {
    assert_eq!(check("CPU,skx\nEVENT,A,NOT_DERIVED,rapl:::PACKAGE_ENERGY\n", None), []);
}

#[test]
fn tracepoints_and_events_of_sysfs_are_left_to_the_machine() {
    let block = |pmu: &str, term: &str| format!("CPU,{pmu}\nEVENT,A,NOT_DERIVED,{term}\n");
    for pmu in ["perf", "skx"] {
        for term in ["sched:sched_switch", "sched:sched_switch:u", "probe_libc:malloc", "r1a8:u"] {
            assert_eq!(check(&block(pmu, term), None), [], "{pmu} {term}");
            assert_eq!(check(&block(pmu, term), Some("skx")), [], "{pmu} {term}");
        }
        // Events of tables, definitions and presets are no subsystems, nor is what has the form of a table's event.
        for term in [
            "L1D:REPLACMENT",
            "l1d:replacment",
            "L1DD:REPLACEMENT",
            "cycles:foo",
            "A:foo",
            "PAPI_TOT_CYC:foo",
            "cylces:u",
            "NO_SUCH",
            "sched:",
        ] {
            let found = check(&block(pmu, term), None);
            assert!(found.iter().any(|f| f.code == Code::UnknownEvent), "{pmu} {term}: {found:?}");
        }
    }
    // A definition of such a name hides no event that is known.
    assert_eq!(check("CPU,skx\nEVENT,sched:x,NOT_DERIVED,page-faults\n", None), []);
    let on = |machine: &str, term: &str| {
        let machine = Machine::new(recorded(machine));
        check_definitions(&machine, &[block("perf", term).as_str().into()], None).len()
    };
    assert_eq!([on("intel-hybrid", "mem-loads"), on("intel-hybrid", "mem-loads:u")], [0, 0]);
    assert_eq!([on("intel-hybrid", "mem-laods"), on("amd-zen4", "mem-loads")], [1, 1]);
    assert_eq!(on("amd-zen4", "cpu/mem-loads/"), 0);
}

#[test]
fn values_per_second_divide_by_the_cycles_of_a_preset() {
    let first = |term: &str| {
        let text = format!("CPU,skx\nEVENT,X,DERIVED_PS,{term},L1D:REPLACEMENT\n");
        codes(&text, None).iter().any(|(_, code, _)| *code == Code::NotCycles)
    };
    for cycles in [
        "PAPI_TOT_CYC",
        "CPU_CLK_UNHALTED",
        "CPU_CLK_UNHALTED:THREAD_P",
        "cycles",
        "cpu-cycles:u",
        "perf::CYCLES",
        "cpu/cycles/",
        "cpu/event=0x3c/",
    ] {
        assert!(!first(cycles), "{cycles}");
    }
    for other in [
        "PAPI_TOT_INS",
        "PAPI_REF_CYC",
        "INST_RETIRED:ANY_P",
        "CPU_CLK_UNHALTED:REF_XCLK",
        "instructions",
        "instructions:u",
        "branches",
        "L1-dcache-loads",
        "ref-cycles",
        "task-clock",
        "duration_time",
        "msr/tsc/",
        "cpu/instructions/",
    ] {
        assert!(first(other), "{other}");
    }
}

#[test]
fn a_file_that_defines_nothing_is_reported() {
    for text in ["", "# nothing\n", "CPU,skx\n"] {
        assert_eq!(codes(text, None), [(1, Code::NoDefinition, Severity::Warning)], "{text:?}");
    }
    // The errors of a file say why it defines nothing.
    assert!(
        codes("CPU,skx\nEVENT,X,NO_TYPE,L1D\n", None).iter().all(|f| f.1 != Code::NoDefinition)
    );
}

#[test]
fn a_block_applies_to_the_pmus_that_are_known() {
    let message = |text: &str| check(text, None).remove(0).message;
    let event = "EVENT,X,NOT_DERIVED,INST_RETIRED:ANY_P\n";
    assert_eq!(
        message(&format!("CPU,spr\nCPU,other\n{event}")),
        "no PMU is called `other`, so this line has no effect"
    );
    assert_eq!(
        message(&format!("CPU,other\n{event}")),
        "no PMU is called `other`, so these definitions apply to no machine"
    );
    assert!(message(&format!("CPU,spr,1\nCPU,skx\n{event}")).ends_with("this line has no effect"));
    assert!(message(&format!("CPU,spr,1\n{event}")).ends_with("apply to no machine"));
}

#[test]
fn papi_answers_otherwise_because_of_its_presets() {
    let text = "CPU,spr\n\
        EVENT,A,DERIVED_POSTFIX,N0|N1|/|,PAPI_L1_DCA,PAPI_TOT_CYC\n\
        EVENT,B,DERIVED_ADD,PAPI_L1_TCM,PAPI_L1_DCM\n\
        EVENT,PAPI_TOT_CYC,NOT_DERIVED,CPU_CLK_UNHALTED:REF_TSC\n\
        PRESET,PAPI_TOT_INS,NOT_DERIVED,INST_RETIRED:ANY_P\n\
        EVENT,PAPI_BR_PRC,NOT_DERIVED,BR_INST_RETIRED\n\
        EVENT,C,DERIVED_ADD,PAPI_BR_PRC,PAPI_BR_PRC\n";
    let found = papi_differences(&["EVENT,D,NOT_DERIVED,cycles".into(), text.into()]);
    let found: Vec<_> = found
        .iter()
        .map(|f| (f.file, line_column(text, f.span.start).0, f.code, &text[f.span.clone()]))
        .collect();
    assert_eq!(
        found,
        [
            (1, 2, Code::PapiNested, "PAPI_L1_DCA"),
            (1, 3, Code::PapiNested, "PAPI_L1_TCM"),
            (1, 4, Code::PapiHiddenName, "PAPI_TOT_CYC"),
            (1, 6, Code::PapiHiddenName, "PAPI_BR_PRC"),
        ]
    );
}
