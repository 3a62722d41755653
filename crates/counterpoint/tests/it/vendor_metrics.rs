//! The metrics that are built in from vendors' files are those of the files: of a few processors in `fixtures`, and with
//! `COUNTERPOINT_PMU_EVENTS=linux/tools/perf/pmu-events/arch` of every row of every map, as `cargo xtask conformance vendor`
//! asks. Then it prints how many metrics of each processor have all their events, and why others have no value.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use counterpoint::definitions::metrics::{PerfMetric, TABLE};
use counterpoint::definitions::{Definitions, Expansion, Library, Origin, PmuName, Pmus, link};
use counterpoint::formula::{Formula, Syntax};
use counterpoint::metrics::NamedMetric;
use counterpoint::perf::Host;
use counterpoint::pmu::vendor::{Metric, all_files, example, files};
use counterpoint::pmu::{CpuId, Pmu, PmuKind, detect, find};
use counterpoint::{EventSet, Machine, Reason, Target};
use serde_json::Value;

/// A metric as the files have it.
struct OfFile {
    expression: String,
    /// Its unit with the factor, its groups and its threshold.
    facts: [String; 3],
}

/// The metrics that a processor has by its files, by their names in upper case.
type OfFiles = BTreeMap<String, OfFile>;

/// The objects of the files of a directory.
fn objects(folder: &Path) -> Vec<Value> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let read = |path: &PathBuf| -> Value {
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    };
    files.iter().map(read).flat_map(|file| file.as_array().cloned().unwrap_or_default()).collect()
}

/// The metrics of a directory for these PMUs of cores.
fn of_files(root: &Path, folder: &Path, pmus: &[&Pmu]) -> OfFiles {
    let standard = objects(root);
    let mut found = OfFiles::new();
    for object in objects(folder) {
        let known = standard.iter().find(|known| {
            known["MetricName"].is_string() && known["MetricName"] == object["ArchStdEvent"]
        });
        let fact = |key: &str| object[key].as_str().or_else(|| known?[key].as_str());
        let text = |key: &str| fact(key).unwrap_or_default().to_string();
        let is_of = |unit: &str| pmus.iter().any(|pmu| pmu.devices().any(|own| own == unit));
        let is_here = fact("Unit").is_none_or(|unit| !unit.starts_with("cpu_") || is_of(unit));
        if let (Some(name), Some(expression), true) =
            (fact("MetricName"), fact("MetricExpr"), is_here)
        {
            let groups = format!("{};{}", text("MetricGroup"), text("DefaultMetricgroupName"));
            let mut one: Vec<&str> = Vec::new();
            for group in groups.split([';', ',']).map(str::trim).filter(|group| !group.is_empty()) {
                if !one.contains(&group) {
                    one.push(group);
                }
            }
            let facts = [text("ScaleUnit"), one.join(";"), text("MetricThreshold")];
            let expression = corrected(expression);
            found.insert(name.to_uppercase(), OfFile { expression, facts });
        }
    }
    found
}

/// The expression with the retire latencies of which Linux's converter has made `PEBS`, which the tables put right.
fn corrected(expression: &str) -> String {
    let mut corrected = expression.to_string();
    for event in ["REMOTE_HITM", "REMOTE_FWD", "REMOTE_DRAM"] {
        let event = format!("MEM_LOAD_L3_MISS_RETIRED.{event}");
        corrected = corrected.replace(&format!("{event} * PEBS"), &format!("{event} * {event}:R"));
    }
    corrected
}

/// Random counts of events, the same for those that are programmed alike.
struct Counts<'s> {
    set: &'s EventSet,
    seed: u64,
    known: HashMap<String, f64>,
}

impl Counts<'_> {
    fn of(&mut self, term: &str) -> f64 {
        if let Some(count) = self.known.get(term) {
            return *count;
        }
        let mut hasher = DefaultHasher::new();
        self.seed.hash(&mut hasher);
        match self.set.resolve_list(term) {
            Ok(resolved) if resolved.natives().len() == 1 => {
                let attr = &resolved.natives()[0].boxes[0].attr;
                (attr.kind, attr.config, attr.config1, attr.config2).hash(&mut hasher);
            }
            _ => term.hash(&mut hasher),
        }
        let count = (1 + hasher.finish() % 1_000_000) as f64;
        self.known.insert(term.to_string(), count);
        count
    }

    /// The value of a metric by the files.
    fn of_file(&mut self, name: &str, all: &OfFiles) -> f64 {
        let formula = Formula::parse(&all[name].expression, Syntax::PerfMetric).unwrap();
        let value = |input: &str| match input {
            "duration_time" | "user_time" | "system_time" => self.of(input) * 1e-9,
            "TSC" => self.of("msr/tsc/"),
            _ => match input.to_uppercase() {
                other if other != name && all.contains_key(&other) => self.of_file(&other, all),
                _ => self.of(input),
            },
        };
        let values: Vec<f64> = formula.inputs().map(value).collect();
        formula.eval(&values)
    }

    fn of_expansion(&mut self, whole: &Expansion) -> f64 {
        let values: Vec<f64> = whole.formula.inputs().map(|input| self.of(input)).collect();
        whole.formula.eval(&values)
    }
}

fn is_close(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Everything that is built in for a machine: the metrics of the vendor, and the project's own after them.
fn definitions(metrics: &[Metric], pmus: &[&'static Pmu]) -> Definitions {
    let metrics = metrics.iter().map(|metric| PerfMetric {
        name: metric.name,
        expression: &metric.formula,
        scale: metric.unit.as_deref().unwrap_or_default(),
        pmu: metric.pmu.as_deref().unwrap_or_default(),
        ..PerfMetric::default()
    });
    let vendor = PerfMetric::library(metrics, Origin::Vendor("the test"));
    assert_eq!(vendor.diagnostics(), []);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("metrics");
    let own = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path| (TABLE.read)(&std::fs::read_to_string(path).unwrap(), Origin::Preset);
    let libraries: Vec<Library> = std::iter::once(vendor).chain(own.map(read)).collect();
    let names = pmus.iter().flat_map(|pmu| pmu.devices().chain([pmu.name]));
    link(&libraries, names.map(PmuName::from).collect::<Pmus<'_>>())
}

/// A machine, and its PMUs of cores.
struct OfRow {
    name: String,
    machine: Machine,
    pmus: Vec<&'static Pmu>,
}

/// The machines of a row of a map: one for each kind of core of a processor for which the row is the first that fits.
fn machines(map: &str, path: &str, pattern: &str) -> Vec<OfRow> {
    let is_first = |text: &String| {
        let cpu = CpuId::from_cpuinfo(text);
        cpu.is_some_and(|cpu| files(map, &cpu).0.first().is_some_and(|first| first.path == path))
    };
    let amd = |(family, model): (u32, u32)| {
        format!("vendor_id : AuthenticAMD\ncpu family : {family}\nmodel : {model}\nflags : fpu\n")
    };
    let amd =
        [23, 25, 26].into_iter().flat_map(|family| (0..256).map(move |m| (family, m))).map(amd);
    let Some(text) = example(pattern).into_iter().chain(amd).find(is_first) else {
        return Vec::new();
    };
    let is_core = |pmu: &&Pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural();
    let pmus = detect(&CpuId::from_cpuinfo(&text).unwrap()).into_iter().filter(is_core);
    let pmus: Vec<_> = pmus.collect();
    if pmus.iter().any(|pmu| pmu.devices().any(|device| device == "cpu_core")) {
        let one = |pmu: &&'static Pmu| OfRow {
            name: format!("{path} {}", pmu.name),
            machine: Machine::of_pmu(pmu),
            pmus: vec![*pmu],
        };
        return pmus.iter().map(one).collect();
    }
    let mut files = BTreeMap::from([
        ("/proc/cpuinfo".to_string(), format!("{}\nmodel name : @ 2.00GHz\n", text.trim_end())),
        ("/proc/sys/kernel/perf_event_paranoid".to_string(), "2\n".to_string()),
        ("/sys/devices/system/cpu/online".to_string(), "0-1\n".to_string()),
        ("/sys/devices/system/cpu/smt/active".to_string(), "1\n".to_string()),
    ]);
    for list in ["core_cpus_list", "die_cpus_list", "package_cpus_list"] {
        for cpu in 0..2 {
            let file = format!("/sys/devices/system/cpu/cpu{cpu}/topology/{list}");
            files.insert(file, "0-1\n".to_string());
        }
    }
    let files = files.into_iter().map(|(path, text)| (PathBuf::from(path), text.into_bytes()));
    let machine = Machine::new(Host::with_files(files.collect::<BTreeMap<_, _>>()));
    vec![OfRow { name: path.to_string(), machine, pmus }]
}

/// The reason why a metric has no value; `None` if each of its events is known, though no machine shows the PMU.
fn missing(set: &EventSet, metric: &NamedMetric) -> Option<Reason> {
    let needs = match set.metric_needs(metric) {
        Ok(needs) => needs,
        Err(reason) => return Some(reason),
    };
    let reason = |term: &counterpoint::metrics::Term| {
        let reason = term.meaning.as_ref().err()?;
        let is_event = |name: &str| set.machine().vendor().named(name).next().is_some();
        // `EVENT`, `EVENT/terms/`, `pmu/EVENT,terms/`.
        let is_known = term.name.split(['/', ',']).take(2).any(is_event);
        (!is_known).then(|| reason.clone())
    };
    needs.terms.iter().find_map(reason)
}

/// The numbers of metrics.
#[derive(Default)]
struct Sums {
    all: usize,
    compared: usize,
    own: usize,
    resolved: usize,
    /// A line for each machine, and below it the reasons why metrics have no value.
    report: String,
}

/// Compares the metrics of a row, and counts them.
fn compare(root: &Path, path: &str, row: OfRow, sums: &mut Sums) {
    let OfRow { name: row, machine, pmus } = row;
    let all = of_files(root, &root.join(path), &pmus);
    let built_in = machine.cpu().map(|cpu| Metric::built_in(&cpu)).unwrap_or_default();
    let definitions = definitions(&built_in, &pmus);
    let set = EventSet::with_machine(machine, Target::AllCpus);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut own, mut resolved) = (0, 0);
    for (name, of_file) in &all {
        let found = set.metrics().find(name);
        let metric = found.first().unwrap_or_else(|| panic!("{row}: {name} is not built in"));
        match missing(&set, metric) {
            None => resolved += 1,
            Some(reason) => *reasons.entry(reason.to_string()).or_default() += 1,
        }
        let definition = definitions.get(name).unwrap();
        if !matches!(definition.origin(), Origin::Vendor(_)) {
            own += 1;
            continue;
        }
        assert!(matches!(metric.definition.origin(), Origin::Vendor(_)), "{row}: {name}");
        let fact = built_in.iter().find(|known| {
            let is_of = |pmu: &str| pmus.iter().any(|own| own.devices().any(|name| name == pmu));
            known.name.eq_ignore_ascii_case(name) && known.pmu.as_deref().is_none_or(is_of)
        });
        let fact = fact.unwrap();
        let optional = |text: &Option<String>| text.clone().unwrap_or_default();
        let facts = [optional(&fact.unit), fact.groups.clone(), optional(&fact.threshold)];
        assert_eq!(facts, of_file.facts, "{row}: {name}");
        let whole = definitions.expand(&definition).unwrap();
        for seed in 0..3 {
            let mut counts = Counts { set: &set, seed, known: HashMap::new() };
            let (theirs, ours) = (counts.of_file(name, &all), counts.of_expansion(&whole));
            assert!(is_close(theirs, ours), "{row}: {name}: {theirs} {ours}");
        }
        sums.compared += 1;
    }
    if !all.is_empty() {
        let _ = writeln!(sums.report, "{row:<32} {:>5} {own:>5} {resolved:>9}", all.len());
        for (reason, count) in reasons {
            let _ = writeln!(sums.report, "  {count:>4} {reason}");
        }
    }
    (sums.all, sums.own) = (sums.all + all.len(), sums.own + own);
    sums.resolved += resolved;
}

#[test]
fn built_in_metrics_are_those_of_the_files() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/pmu/metrics");
    let folder = std::env::var_os("COUNTERPOINT_PMU_EVENTS").map_or(fixtures, PathBuf::from);
    let mut sums = Sums::default();
    let entries = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    for root in entries.filter(|root| root.join("mapfile.csv").is_file()) {
        let map = std::fs::read_to_string(root.join("mapfile.csv")).unwrap();
        for entry in all_files(&map).iter().filter(|entry| root.join(entry.path).is_dir()) {
            for row in machines(&map, entry.path, entry.pattern) {
                compare(&root, entry.path, row, &mut sums);
            }
        }
    }
    let Sums { all, compared, own, resolved, report } = sums;
    println!(
        "{:<32} {:>5} {:>5} {:>9}\n{report}{all} metrics of processors: {compared} give what the files' expressions give, {own} have the project's own in their place; {resolved} have all their events",
        "processor", "all", "own", "resolved"
    );
    assert!(compared > 50 && resolved > 50, "{compared} {resolved}");
}

fn set_of(pmu: &str) -> EventSet {
    EventSet::with_machine(Machine::of_pmu(find(pmu).unwrap()), Target::AllCpus)
}

#[test]
fn a_metric_of_the_vendor_is_where_the_project_has_none() {
    let set = set_of("lnl_lnc");
    let find = |name: &str| {
        let found = set.metrics().find(name);
        found.first().unwrap().definition.clone()
    };
    let bound = find("tma_l3_bound");
    let Origin::Vendor(source) = bound.origin() else { panic!("{:?}", bound.origin()) };
    assert!(source.starts_with("Linux 7.2, lunarlake"), "{source}");
    assert_eq!((bound.units(), bound.metric().unwrap().factor), (Some("%"), 100.0));
    assert_eq!(bound.metric().unwrap().parent.as_deref(), Some("tma_memory_bound"));
    assert_eq!(find("tma_memory_bound").origin(), &Origin::Preset);
    // A part that Arm calls otherwise is in the group once.
    let arm = set_of("arm_v1");
    let named =
        |name: &str| arm.metrics().find("TopdownL1").iter().any(|m| m.definition.name() == name);
    assert!(named("tma_frontend_bound") && !named("frontend_bound"));
    assert_eq!(arm.metrics().find("frontend_bound").len(), 1);
    assert!(set_of("nhm").metrics().find("tma_l3_bound").is_empty());
}

#[test]
fn a_retire_latency_is_the_default_of_the_files() {
    let needs = |pmu: &str| {
        let set = set_of(pmu);
        set.metric_needs(&set.metrics().find("tma_l2_hit_latency")[0])
    };
    let needs_here = needs("gnr").unwrap();
    let [(term, cycles)] = &needs_here.latencies[..] else { panic!("{:?}", needs_here.latencies) };
    assert_eq!(term, "MEM_LOAD_RETIRED.L2_HIT:R");
    let event = Metric::built_in(&find("gnr").unwrap().processor().unwrap());
    assert!(event.iter().any(|metric| metric.formula.contains(term)) && *cycles > 1.0);
    let set = set_of("gnr").metric("tma_l2_hit_latency");
    let report = set.report_over(&counterpoint::metrics::SavedCounts::default()).unwrap();
    assert_eq!(report.rows.len(), 1);
    let none = needs("mtl_rwc").unwrap_err().to_string();
    assert!(none.contains("no default for this retire latency"), "{none}");
}

#[test]
fn a_kind_of_core_is_where_another_pmu_counts() {
    let kernel = crate::world::kernel("intel-hybrid")
        .file("/sys/bus/event_source/devices/msr/type", "20\n")
        .file("/sys/bus/event_source/devices/msr/format/event", "config:0-63\n")
        .file("/sys/bus/event_source/devices/msr/events/tsc", "event=0x00\n");
    let set = EventSet::with_machine(Machine::new(Host::with_kernel(kernel)), Target::AllCpus);
    let resolved = set.resolve_list("msr/tsc,cpu=cpu_core/").unwrap();
    let one = &resolved.natives()[0].boxes[0];
    assert_eq!((one.attr.kind, one.attr.config), (20, 0));
    let core = set.machine().core_pmus();
    let core = core.iter().find(|core| core.pmu.name == "cpu_core").unwrap();
    assert_eq!(one.cpus, core.cpus);
    let error = set.resolve_list("msr/tsc,cpu=cpu_other/").unwrap_err();
    assert!(error.to_string().contains("no PMU is called `cpu_other`"), "{error}");
}

#[test]
fn each_kind_of_core_has_the_events_of_its_own_processor() {
    let kernel = crate::world::kernel("arm-big-little");
    let set = EventSet::with_machine(Machine::new(Host::with_kernel(kernel)), Target::AllCpus);
    let config = |text: &str| {
        let resolved = set.resolve_list(text)?;
        Ok::<_, counterpoint::Error>(resolved.natives()[0].boxes[0].attr.config)
    };
    for kind in ["a710", "x2"] {
        assert_eq!(config(&format!("armv9_cortex_{kind}/ASE_INST_SPEC/")).unwrap(), 0x8005);
    }
    let error = config("armv9_cortex_a510/ASE_INST_SPEC/").unwrap_err();
    assert!(error.to_string().contains("ASE_INST_SPEC"), "{error}");
    assert_eq!(config("armv9_cortex_a510/L1D_CACHE_REFILL/").unwrap(), 3);
}

#[test]
fn a_vendors_event_takes_terms_without_its_pmu() {
    let config = |text: &str| {
        let resolved = set_of("srf").resolve_list(text).unwrap();
        resolved.natives()[0].boxes[0].attr.config
    };
    let plain = config("TOPDOWN_RETIRING.ALL");
    assert_eq!(config("TOPDOWN_RETIRING.ALL/cmask=1/"), plain | 1 << 24);
    assert_eq!(config("cpu/TOPDOWN_RETIRING.ALL,cmask=1/"), plain | 1 << 24);
    assert_eq!(config("topdown-retiring"), plain);
    // The unit of a machine that is not here has the fields of one that shows it.
    let kernel = crate::world::kernel("intel-sierra-forest");
    let shown = EventSet::with_machine(Machine::new(Host::with_kernel(kernel)), Target::AllCpus);
    let of_unit = |set: &EventSet| {
        let resolved = set.resolve_list("UNC_CHA_TOR_INSERTS.IA_MISS/thresh=1/").unwrap();
        resolved.natives()[0].boxes[0].attr.config
    };
    assert_eq!(
        (of_unit(&set_of("srf")), of_unit(&shown)),
        (0xc0_01fe_0100_0135, 0xc0_01fe_0100_0135)
    );
    let error = shown.resolve_list("UNC_UPI_CLOCKTICKS").unwrap_err();
    assert!(error.to_string().contains("no PMU is called `uncore_upi`"), "{error}");
}
