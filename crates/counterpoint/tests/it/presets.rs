//! Presets: each term is an event of its PMU, and names mean what they should.

use std::collections::BTreeSet;

use counterpoint::definitions::{Code, Severity, link};
use counterpoint::presets::{self, Preset};
use counterpoint::{Note, Report, Target};
use counterpoint_fixtures::FakeKernel;
use counterpoint_pmu::vendor::Events;
use counterpoint_pmu::{Context, Layer, Machine, PmuKind, all, find, program};

use crate::tables::sapphire_rapids;
use crate::world::{hold, holds, kernel, row, rows, set, two_sockets};

/// Returns true if a term of a preset is an event of a PMU: of the tables, where a device that the kernel needs is not asked
/// for, or of the vendor.
fn is_event(pmu: &str, term: &str) -> bool {
    let string = if term.contains("::") { term.to_string() } else { format!("{pmu}::{term}") };
    let encode = |layer| {
        let mut context = Context::new(layer);
        context.machine = Machine::with(vec![find(pmu).unwrap()]);
        program(&string, &context).is_ok_and(|program| !program.codes.is_empty())
    };
    let pmu = find(pmu).unwrap();
    let of_vendor = || {
        pmu.processor()
            .is_some_and(|cpu| Events::built_in(&cpu).named(term).any(|event| event.is_for(pmu)))
    };
    encode(Layer::Raw) || encode(Layer::PerfEventExt) || of_vendor()
}

#[test]
fn every_term_of_every_pmu_is_an_event() {
    let mut terms = 0;
    for pmu in presets::pmus() {
        let definitions = presets::definitions(pmu);
        assert!(!definitions.is_empty(), "{pmu} has no presets");
        for definition in definitions.iter() {
            let preset = Preset::find(definition.name());
            assert_eq!(preset.map(|preset| preset.name), Some(definition.name()), "{pmu}");
            let whole = definitions.expand(&definition).unwrap();
            assert!(!whole.terms.is_empty());
            for term in &whole.terms {
                assert!(is_event(pmu, term), "{pmu}: {term}");
                terms += 1;
            }
        }
    }
    assert!(terms > 3_000, "only {terms} terms");
}

#[test]
fn every_core_pmu_has_presets() {
    let known: BTreeSet<&str> = presets::pmus().collect();
    assert_eq!(known.len(), presets::pmus().count(), "a PMU stands in two files");
    let cores = all().filter(|pmu| pmu.kind == PmuKind::Core).map(|pmu| pmu.name);
    let without: Vec<&str> = cores.filter(|name| !known.contains(name)).collect();
    // The sampling facility counts nothing.
    assert_eq!(without, ["cpum_sf"]);
    for name in &known {
        let definitions = presets::definitions(name);
        // Every other event counts how often something happens, so these are there almost everywhere.
        let has = |name: &str| definitions.get(name).is_some();
        let lacks = name.ends_with("_l3") || ["niagara1", "niagara2"].contains(name);
        assert!(lacks || has("PAPI_TOT_CYC") && has("PAPI_TOT_INS"), "{name}");
    }
}

#[test]
fn the_files_are_in_order() {
    let libraries = presets::pmus().filter_map(presets::library);
    for library in libraries.chain([presets::kernel_library()]) {
        let worse =
            library.diagnostics().iter().filter(|finding| finding.severity > Severity::Info);
        // Netburst counts what another event has tagged.
        let odd: Vec<_> = worse
            .filter(|finding| !matches!(finding.code, Code::BeforeCpu | Code::FirstTermOnly))
            .collect();
        let names: Vec<_> =
            (0..library.len()).map(|index| library.definition(index).name().to_string()).collect();
        assert!(odd.is_empty(), "{odd:?} in {names:?}");
        let place = |name: &str| Preset::all().iter().position(|preset| preset.name == name);
        let places: Vec<_> = names.iter().map(|name| place(name)).collect();
        assert!(places.is_sorted(), "{names:?}");
    }
    for definition in link(&[presets::kernel_library()], "any").iter() {
        for term in definition.term_names() {
            assert!(counterpoint_pmu::kernel::find(term).is_some(), "{term}");
        }
    }
}

/// `show` can say of every event that a preset counts what it is.
#[test]
fn the_events_of_presets_are_described() {
    let machine = counterpoint_pmu::Machine::default();
    let mut missing = BTreeSet::new();
    for pmu in presets::pmus().filter_map(counterpoint_pmu::find) {
        let definitions = presets::definitions(pmu.name);
        for term in definitions.iter().flat_map(|d| definitions.expand(&d).unwrap().terms) {
            let (pmu, text) = match term.split_once("::") {
                Some((prefix, text)) => (counterpoint_pmu::find(prefix).unwrap(), text),
                None => (pmu, term.as_str()),
            };
            let mut words = text.split(':');
            let Some(event) = pmu.event(words.next().unwrap()) else { continue };
            let attributes = event.attributes(counterpoint_pmu::Layer::Raw, &machine);
            let masks: Vec<_> = words
                .filter_map(|word| attributes.iter().find(|a| a.name.eq_ignore_ascii_case(word)))
                .collect();
            let is_described = event.description().is_some()
                || masks.iter().any(|mask| mask.description().is_some());
            if !is_described || masks.iter().any(|mask| mask.description().is_none()) {
                missing.insert(format!("{}::{text}", pmu.name));
            }
        }
    }
    // Intel says of its siblings "taken", and of this one "predicted taken".
    let doubtful = ["knl::BR_INST_RETIRED:TAKEN_JCC", "knm::BR_INST_RETIRED:TAKEN_JCC"];
    assert_eq!(missing, BTreeSet::from(doubtful.map(str::to_string)));
}

#[test]
fn names_are_papis() {
    let all = Preset::all();
    assert_eq!(all.len(), 110);
    let names: BTreeSet<&str> = all.iter().map(|preset| preset.name).collect();
    let words: BTreeSet<&str> = all.iter().map(|preset| preset.description).collect();
    assert_eq!((names.len(), words.len()), (110, 110));
    assert!(all.iter().all(|preset| preset.name.starts_with("PAPI_")));
    assert_eq!(Preset::find("papi_tot_ins"), Some(&all[50]));
    assert_eq!(Preset::find("PAPI_TOT"), None);
}

/// The report of a set when each event holds its own code.
fn counted(kernel: &FakeKernel, events: &str, definitions: &str) -> Report {
    let set = set(kernel, Target::ThisThread).define(definitions).event(events);
    let mut counters = set.open().unwrap();
    for opening in kernel.opened() {
        let code = opening.attr.config;
        hold(kernel, holds(code, 1, 1), |other| other.attr.config == code);
    }
    counters.read().unwrap().clone()
}

#[test]
fn a_preset_counts_what_the_processor_has() {
    let report = counted(&sapphire_rapids(), "PAPI_TOT_INS,papi_l1_dcm:u,PAPI_L1_TCM", "");
    let value = |event: &str| row(&report, event).value.as_f64().unwrap();
    assert_eq!(value("PAPI_TOT_INS"), f64::from(0xc0));
    assert_eq!(value("papi_l1_dcm:u"), f64::from(0x151));
    assert_eq!(value("PAPI_L1_TCM"), f64::from(0x151 + 0xe424));
    assert_eq!(row(&report, "papi_l1_dcm:u").id.to_string(), "PAPI_L1_DCM");
    assert!(report.rows.iter().all(|row| row.notes.is_empty()));
}

/// The codes are those of AMD's PPR, of the Arm ARM's common events, and of IBM's lists.
#[test]
fn recorded_machines_count_presets_by_their_processors_own_events() {
    for (machine, cycles, instructions, misses) in [
        ("amd-zen4", 0x76, 0xc0, None),
        ("arm-neoverse", 0x11, 0x08, Some(0x03)),
        // PM_RUN_CYC, cycles in which a thread runs, on PMC2; PM_INST_CMPL on any counter.
        ("power9", 0x200f4, 0x2, None),
    ] {
        let report = counted(&kernel(machine), "PAPI_TOT_CYC,PAPI_TOT_INS,PAPI_L1_DCM", "");
        let value = |event: &str| row(&report, event).value.as_f64().map(|code| code as u64);
        assert_eq!(value("PAPI_TOT_CYC"), Some(cycles), "{machine}");
        assert_eq!(value("PAPI_TOT_INS"), Some(instructions), "{machine}");
        let of_misses = value("PAPI_L1_DCM");
        assert!(of_misses.is_some() && misses.is_none_or(|m| of_misses == Some(m)), "{machine}");
        assert!(report.rows.iter().all(|row| row.notes.is_empty()), "no generic event: {machine}");
    }
}

#[test]
fn a_users_definition_goes_before_a_preset_and_may_be_made_of_presets() {
    let mine = "CPU,spr\nEVENT,CPI,DERIVED_INFIX,N0/N1,PAPI_TOT_CYC,PAPI_TOT_INS\n\
        EVENT,PAPI_BR_INS,NOT_DERIVED,PAPI_BR_MSP\n";
    let report = counted(&sapphire_rapids(), "CPI,PAPI_BR_INS,PAPI_BR_MSP", mine);
    assert_eq!(row(&report, "CPI").value.as_f64(), Some(f64::from(0x3c) / f64::from(0xc0)));
    assert_eq!(row(&report, "PAPI_BR_INS").value, row(&report, "PAPI_BR_MSP").value);
}

#[test]
fn a_block_for_another_number_is_not_for_this_pmu() {
    let mine = "CPU,spr,1\nEVENT,A,NOT_DERIVED,PAPI_TOT_CYC\nCPU,spr,512\nEVENT,B,NOT_DERIVED,PAPI_TOT_CYC\n";
    let open =
        |event: &str| set(&sapphire_rapids(), Target::ThisThread).define(mine).event(event).open();
    assert!(open("A").err().unwrap().is_unknown_event());
    assert!(open("B").is_ok());
}

#[test]
fn the_kernel_counts_presets_of_processors_that_no_table_knows() {
    let report = counted(&two_sockets(), "PAPI_TOT_INS,PAPI_TOT_CYC", "");
    let instructions = row(&report, "PAPI_TOT_INS");
    // PERF_COUNT_HW_INSTRUCTIONS
    assert_eq!(
        (instructions.value.as_f64(), &*instructions.notes),
        (Some(1.0), &[Note::Generic][..])
    );
    // Of what its tables lack too.
    let report = counted(&sapphire_rapids(), "PAPI_TLB_IM,PAPI_RES_STL", "");
    assert_eq!(row(&report, "PAPI_RES_STL").notes, [Note::Generic]);
}

#[test]
fn a_preset_that_nothing_counts_is_no_mistake_and_has_a_reason() {
    let report = counted(&sapphire_rapids(), "PAPI_TOT_CYC,papi_fsq_ins:u", "");
    let row = row(&report, "papi_fsq_ins:u");
    assert_eq!(row.id.to_string(), "PAPI_FSQ_INS");
    assert_eq!(row.value.status().name(), "not-supported");
    assert_eq!(row.value.reason().unwrap().to_string(), "no event of this processor counts it");
    let error =
        set(&sapphire_rapids(), Target::ThisThread).event("PAPI_FSQ_IN").open().err().unwrap();
    assert!(error.is_unknown_event(), "{error}");
    assert!(error.similar().contains(&"PAPI_FP_INS".to_string()), "{:?}", error.similar());
}

#[test]
fn each_kind_of_core_counts_a_preset_its_own_way() {
    let report = counted(&kernel("intel-hybrid"), "PAPI_TOT_INS,PAPI_L3_TCM", "");
    let names: Vec<String> =
        rows(&report, "PAPI_TOT_INS").iter().map(|row| row.id.to_string()).collect();
    assert_eq!(names, ["cpu_atom/PAPI_TOT_INS/", "cpu_core/PAPI_TOT_INS/"]);
}
