//! The metrics that are built in, as their files say them: terms, sums, units, and the PMUs to which they apply.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use counterpoint::definitions::{
    Definition, Definitions, Expansion, Library, Metric, Origin, link, metrics,
};
use counterpoint::{EventSet, Machine, Reason, Target, presets};
use counterpoint_fixtures::FakeKernel;
use counterpoint_pmu::{Context, Layer, Pmu, PmuKind, find, program};
use proptest::prelude::*;

use crate::world::{kernel, set};

/// The files, of which those of families come after the common one.
static LIBRARIES: LazyLock<Vec<Library>> = LazyLock::new(|| {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("metrics");
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort_by_key(|file| (!file.ends_with("common.txt"), file.clone()));
    let read =
        |file| (metrics::TABLE.read)(&std::fs::read_to_string(file).unwrap(), Origin::Preset);
    files.iter().map(read).collect()
});

/// The presets of a PMU, and the metrics that apply to it.
fn of_pmu(pmu: &str) -> Definitions {
    let mut libraries = vec![presets::kernel_library()];
    libraries.extend(presets::library(pmu));
    libraries.extend_from_slice(&LIBRARIES);
    link(&libraries, pmu)
}

/// The metrics of a PMU, each with its formula over native events.
fn metrics_of(definitions: &Definitions) -> BTreeMap<String, Expansion> {
    let metrics = definitions.iter().filter(|definition| definition.metric().is_some());
    let whole = |d: Definition| {
        let whole = definitions.expand(&d).unwrap_or_else(|e| panic!("{}: {e}", d.name()));
        (d.name().to_string(), whole)
    };
    metrics.map(whole).collect()
}

/// Returns true if a term is not an event of a core: one of another PMU, or a fact of the machine.
fn is_elsewhere(machine: &Machine, term: &str) -> bool {
    term.contains(['/', '(']) || term.starts_with("UNC_") || machine.value(term).is_some()
}

#[test]
fn every_term_of_every_metric_is_an_event() {
    let mut wrong = Vec::new();
    let mut looked_up = BTreeSet::new();
    // An old name of Zen, whose events are looked up as those of `amd64_fam17h_zen1`.
    for pmu in presets::pmus().filter(|pmu| *pmu != "amd64_fam17h") {
        let table = find(pmu).unwrap();
        let set = EventSet::with_machine(Machine::of_pmu(table), Target::ThisThread);
        for (name, whole) in metrics_of(&of_pmu(pmu)) {
            let found = set.metrics().find(&name);
            let [metric] = &found[..] else { panic!("{pmu} has no metric {name}") };
            // Terms that the facts of this machine leave out are events too, and those that only some models have.
            let samples = &metric.definition.metric().unwrap().samples;
            let terms =
                whole.terms.iter().chain(samples).filter(|t| !is_elsewhere(set.machine(), t));
            for term in terms.filter(|term| looked_up.insert((pmu, (*term).clone()))) {
                let error = set.resolve_list(term).err().filter(|_| table.event(term).is_none());
                if let Some(error) = error {
                    wrong.push(format!("{pmu}: {name}: {term}: {error}"));
                }
            }
            let needs = match set.metric_needs(metric) {
                Ok(needs) => needs.terms,
                Err(Reason::UnknownMachineValue { .. }) => continue,
                Err(why) => panic!("{pmu}: {name}: {why}"),
            };
            for term in needs.iter().filter(|term| !is_elsewhere(set.machine(), &term.name)) {
                if let Err(why) = &term.meaning {
                    wrong.push(format!("{pmu}: {name}: {}: {why}", term.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(looked_up.len() > 1_000, "only {} terms", looked_up.len());
}

/// Events outside the cores, which are on machines beside the PMU to which the metric applies.
#[test]
fn events_of_an_uncore_are_in_its_table() {
    let mut terms = BTreeSet::new();
    for library in &*LIBRARIES {
        for definition in (0..library.len()).map(|index| library.definition(index)) {
            let uncore =
                definition.term_names().into_iter().filter(|term| term.starts_with("UNC_"));
            terms.extend(uncore.map(str::to_string));
        }
    }
    assert!(terms.len() >= 5, "{terms:?}");
    for term in terms {
        let is_event = |pmu: &&'static Pmu| {
            let mut context = Context::new(Layer::Raw);
            context.machine = counterpoint_pmu::Machine::with(vec![pmu]);
            pmu.kind == PmuKind::Uncore
                && program(&format!("{}::{term}", pmu.name), &context).is_ok()
        };
        assert!(counterpoint_pmu::all().any(|pmu| is_event(&pmu)), "{term}");
    }
}

/// A metric, and the parts that make it up: level 1 of the top-down analysis is all slots, which is 1.
struct Sum {
    pmu: &'static str,
    whole: Option<Expansion>,
    parts: Vec<Expansion>,
    /// The parts that fill all slots of a cycle together, if each is counted and none is taken as the rest that the others leave.
    filling: Vec<Expansion>,
}

/// Every sum of every PMU.
fn sums() -> Vec<Sum> {
    let mut sums = Vec::new();
    for pmu in presets::pmus() {
        let definitions = of_pmu(pmu);
        let metrics = metrics_of(&definitions);
        let metric = |name: &str| definitions.get(name).unwrap().metric().unwrap().clone();
        let parts = |is_part: &dyn Fn(&Metric) -> bool| -> Vec<Expansion> {
            let parts = metrics.iter().filter(|(name, _)| is_part(&metric(name)));
            parts.map(|(_, whole)| whole.clone()).collect()
        };
        let level_1 = parts(&|metric| is_in(metric, "TopdownL1"));
        if !level_1.is_empty() {
            let filling = [
                "tma_frontend_bound",
                "tma_backend_bound",
                "tma_smt_contention",
                "tma_dispatched",
                "tma_slots",
            ];
            let is_counted = metrics.contains_key("tma_smt_contention");
            let filling = filling.iter().filter(|_| is_counted);
            let filling = filling.map(|name| metrics[*name].clone()).collect();
            sums.push(Sum { pmu, whole: None, parts: level_1, filling });
        }
        let wholes: BTreeSet<String> =
            metrics.keys().filter_map(|name| metric(name).parent).collect();
        for whole in wholes {
            let is_whole_stack = whole == "cpi_run" || whole == "cpi_stall";
            let parts = parts(&|metric| {
                let is_part = metric.parent.as_ref() == Some(&whole);
                is_part && (is_in(metric, "TopdownL2") || is_whole_stack)
            });
            if !parts.is_empty() {
                let whole = Some(metrics[&whole].clone());
                sums.push(Sum { pmu, whole, parts, filling: Vec::new() });
            }
        }
    }
    sums
}

fn is_in(metric: &Metric, group: &str) -> bool {
    metric.groups.iter().any(|other| other == group)
}

/// The value of a formula if the terms, in the order of their names, have these counts.
fn value(whole: &Expansion, counts: &BTreeMap<String, f64>) -> f64 {
    let inputs: Vec<f64> = whole.formula.inputs().map(|input| counts[input]).collect();
    whole.formula.eval(&inputs)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_add_up_to_their_whole(counts in prop::collection::vec(1_u32..1_000_000, 32)) {
        static SUMS: LazyLock<Vec<Sum>> = LazyLock::new(sums);
        for Sum { pmu, whole, parts, filling } in &*SUMS {
            let counts = &counts;
            let all = parts.iter().chain(whole).chain(filling);
            let terms: BTreeSet<String> = all.flat_map(|part| part.terms.clone()).collect();
            prop_assert!(terms.len() <= counts.len());
            let count = |(term, count): (String, &u32)| {
                let is_fact = term.starts_with("#smt") || term.starts_with("#core") || term.contains('(');
                (term, f64::from(if is_fact { count % 2 } else { *count }))
            };
            let mut counts: BTreeMap<String, f64> = terms.into_iter().zip(counts).map(count).collect();
            if let [front_end, back_end, other_thread, dispatched, slots] = &filling[..] {
                let of = |part: &Expansion| value(part, &counts);
                let dispatched = of(dispatched) / of(slots);
                let filled = of(front_end) + of(back_end) + of(other_thread) + dispatched;
                *counts.get_mut("CYCLES_NOT_IN_HALT").unwrap() *= filled;
            }
            let parts: Vec<f64> = parts.iter().map(|part| value(part, &counts)).collect();
            let whole = whole.as_ref().map_or(1.0, |whole| value(whole, &counts));
            let size: f64 = parts.iter().map(|part| part.abs()).sum();
            let sum: f64 = parts.iter().sum();
            prop_assert!((sum - whole).abs() <= 1e-9 * size, "{pmu}: {parts:?} is {sum}, not {whole}");
        }
    }

    #[test]
    fn instructions_in_a_cycle_are_the_inverse_of_cycles_for_one(
        instructions in 1_u32..1_000_000, cycles in 1_u32..1_000_000,
    ) {
        let definitions = of_pmu("spr");
        let metrics = metrics_of(&definitions);
        let counts = [("INST_RETIRED:ANY_P", instructions), ("CPU_CLK_UNHALTED:THREAD_P", cycles)];
        let counts = counts.map(|(name, count)| (name.to_string(), f64::from(count))).into();
        let product = value(&metrics["ipc"], &counts) * value(&metrics["cpi"], &counts);
        prop_assert!((product - 1.0).abs() < 1e-12);
    }
}

/// Which processors have which levels; a family that loses its events in the tables would else go unnoticed.
#[test]
fn levels_are_there_for_the_families_that_count_them() {
    let with = |parts: &[&str]| -> BTreeSet<&str> {
        let has = |pmu: &&str| {
            let definitions = of_pmu(pmu);
            parts.iter().all(|part| definitions.get(part).is_some())
        };
        presets::pmus().filter(has).collect()
    };
    let level_1 = ["frontend_bound", "backend_bound", "bad_speculation", "retiring"];
    let level_1 = with(&level_1.map(|part| format!("tma_{part}")).each_ref().map(String::as_str));
    assert_eq!(level_1.len(), 37, "{level_1:?}");
    let level_2 = [
        "fetch_latency",
        "fetch_bandwidth",
        "branch_mispredicts",
        "machine_clears",
        "memory_bound",
        "core_bound",
        "heavy_operations",
        "light_operations",
    ];
    let level_2 = with(&level_2.map(|part| format!("tma_{part}")).each_ref().map(String::as_str));
    let wanted =
        ["adl_glc", "amd64_fam19h_zen4", "clx", "emr", "gnr", "icl", "icx", "skl", "skx", "spr"];
    assert_eq!(level_2, BTreeSet::from(wanted));
    let any = with(&["ipc", "cpi"]);
    assert_eq!(any.len(), presets::pmus().count());
}

/// The widths of the cores at issue or dispatch, from the vendors' optimization guides.
#[test]
fn a_cycle_has_as_many_slots_as_the_core_is_wide() {
    for (pmu, cycles, width) in [
        ("snb", "CPU_CLK_UNHALTED:THREAD_P", 4),
        ("clx", "CPU_CLK_UNHALTED:THREAD_P", 4),
        ("adl_grt", "CPU_CLK_UNHALTED:CORE_P", 5),
        ("amd64_fam17h_zen2", "CYCLES_NOT_IN_HALT", 6),
        ("amd64_fam19h_zen3", "CYCLES_NOT_IN_HALT", 6),
        ("amd64_fam19h_zen4", "CYCLES_NOT_IN_HALT", 6),
        ("amd64_fam1ah_zen5", "CYCLES_NOT_IN_HALT", 8),
    ] {
        let set = EventSet::with_machine(Machine::of_pmu(find(pmu).unwrap()), Target::ThisThread);
        let needs = set.metric_needs(&set.metrics().find("tma_slots")[0]).unwrap();
        assert_eq!(needs.formula.to_string(), format!("{width} * {cycles}"), "{pmu}");
    }
}

/// The lists of PMUs of the common metrics are those whose own presets have all that the metric needs.
#[test]
fn common_metrics_apply_where_the_presets_of_the_processor_have_their_terms() {
    let common = &LIBRARIES[0];
    let general: BTreeSet<String> =
        link(std::slice::from_ref(common), "any").iter().map(|d| d.name().to_string()).collect();
    let mut wrong = Vec::new();
    for pmu in presets::pmus().filter(|pmu| *pmu != "ix86arch") {
        let own = presets::definitions(pmu);
        let applying = link(std::slice::from_ref(common), pmu);
        let mut possible = BTreeSet::new();
        for definition in (0..common.len()).map(|index| common.definition(index)) {
            let mut terms = definition.term_names().into_iter().peekable();
            let is_of_presets = terms.peek().is_some_and(|term| term.starts_with("PAPI_"));
            let has = |term: &str| !term.starts_with("PAPI_") || own.get(term).is_some();
            let name = definition.name();
            if !general.contains(name) && is_of_presets && terms.all(has) {
                possible.insert(name.to_string());
            }
            if let Some(found) = applying.get(name)
                && !general.contains(name)
                && !found.term_names().into_iter().all(has)
            {
                wrong.push(format!("{name} applies to {pmu}, whose presets lack a term"));
            }
        }
        let lacking = possible.iter().filter(|name| applying.get(name).is_none());
        wrong.extend(lacking.map(|name| format!("{name} should name {pmu}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn metrics_say_what_they_are() {
    const UNITS: [&str; 13] = [
        "%",
        "/s",
        "CPUs",
        "GB/s",
        "GFLOP/s",
        "GHz",
        "J",
        "W",
        "cycles",
        "cycles/instruction",
        "instructions/cycle",
        "misses/1000 instructions",
        "slots",
    ];
    let mut units = BTreeSet::new();
    for definition in LIBRARIES.iter().flat_map(|l| (0..l.len()).map(|index| l.definition(index))) {
        let name = definition.name();
        let metric = definition.metric().unwrap();
        let is_lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.chars().all(is_lower), "{name}");
        let about = definition.short_description();
        assert!(about.is_some_and(|about| about.ends_with('.')), "{name} does not say what it is");
        let unit = definition.units().unwrap_or_else(|| panic!("{name} has no unit"));
        assert!(UNITS.contains(&unit), "{name}: {unit}");
        units.insert(unit.to_string());
        assert_eq!(unit == "%", metric.factor == 100.0, "{name}");
        assert!(!metric.groups.is_empty(), "{name}");
        if let Some(parent) = metric.parent.as_deref().filter(|parent| *parent != "cpi_run") {
            let group = format!("{parent}_group");
            assert!(is_in(metric, &group), "{name}");
        }
    }
    assert_eq!(units.len(), UNITS.len(), "a unit that nothing has: {units:?}");
    for library in &*LIBRARIES {
        assert_eq!(library.diagnostics(), []);
    }
}

/// The page of the metrics that are built in names all of them, and no others.
#[test]
fn the_page_names_every_metric() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/metrics-builtin.md");
    let page = std::fs::read_to_string(page).unwrap();
    let named: BTreeSet<&str> = page
        .lines()
        .filter(|line| !line.starts_with("|---"))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect();
    let mut known = BTreeSet::new();
    for library in &*LIBRARIES {
        for definition in (0..library.len()).map(|index| library.definition(index)) {
            assert!(named.contains(definition.name()), "{} is not on the page", definition.name());
            known.insert(definition.name().to_string());
            known.extend(definition.metric().unwrap().groups.clone());
        }
    }
    let is_metric = |name: &&str| {
        name.contains('_') && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let others = ["uncore_imc", "uncore_imc_free_running", "cpu_core", "cpu_atom", "amd_df"];
    let unknown: Vec<_> = named
        .into_iter()
        .filter(is_metric)
        .filter(|name| !known.contains(*name) && !others.contains(name))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn thresholds_and_parents_are_metrics_of_the_same_processor() {
    for pmu in presets::pmus() {
        let definitions = of_pmu(pmu);
        for definition in definitions.iter() {
            let Some(metric) = definition.metric() else { continue };
            let names = metric.threshold.iter().flat_map(|threshold| threshold.formula.inputs());
            for name in names.chain(metric.parent.as_deref()) {
                let is_metric = definitions.get(name).is_some_and(|d| d.metric().is_some());
                assert!(is_metric, "{pmu}: {}: {name}", definition.name());
            }
        }
    }
}

/// The PMUs that the tables do not name are found, too: the cores of a hybrid machine that no table knows, energy and memory controllers.
#[test]
fn a_machine_has_the_metrics_of_its_pmus() {
    let events = |kernel: &FakeKernel, names: &[&str]| -> BTreeSet<String> {
        let set = set(kernel, Target::AllCpus);
        let resolved = names.iter().fold(set, |set, name| set.metric(*name)).resolve().unwrap();
        let missing: Vec<_> =
            resolved.unavailable().map(|(name, why)| format!("{name}: {why}")).collect();
        assert!(missing.is_empty(), "{missing:?}");
        resolved.natives().iter().map(|native| native.id.to_string()).collect()
    };
    let hybrid = kernel("intel-hybrid");
    let natives = events(
        &hybrid,
        &["power_package", "energy_cores", "memory_bandwidth", "TopdownL1", "TopdownL2"],
    );
    assert!(natives.contains("power/energy-pkg/"), "{natives:?}");
    assert!(natives.contains("uncore_imc_free_running/data_read/"), "{natives:?}");
    assert!(natives.contains("adl_grt::TOPDOWN_FE_BOUND:ALL"), "{natives:?}");

    let meteor_lake = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 170\n";
    let later = kernel("intel-hybrid").file("/proc/cpuinfo", meteor_lake);
    let natives = events(&later, &["TopdownL1", "TopdownL2", "ipc", "frequency"]);
    assert!(natives.contains("cpu_core/slots/"), "{natives:?}");
    assert!(natives.contains("cpu_atom/topdown-bad-spec/"), "{natives:?}");

    let natives =
        events(&kernel("amd-zen4"), &["TopdownL1", "TopdownL2", "cpi", "page_fault_rate"]);
    assert!(natives.iter().any(|name| name.contains("DISPATCH_STALLS_1:BE_STALLS")), "{natives:?}");

    let natives = events(&kernel("power9"), &["cpi_stack", "summary"]);
    assert!(natives.iter().any(|name| name.contains("PM_CMPLU_STALL")), "{natives:?}");
}
