//! The metrics that are built in from the files of vendors are those of the files.
//!
//! `COUNTERPOINT_PMU_EVENTS` names Linux's `tools/perf/pmu-events/arch`, of which every row of every map is compared then, and
//! the metrics without a value are listed with the reasons; `cargo xtask conformance vendor` does so.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use counterpoint::definitions::metrics::{PerfMetric, TABLE};
use counterpoint::definitions::{Definitions, Expansion, Library, Origin, PmuName, link};
use counterpoint::formula::{Formula, Syntax};
use counterpoint::perf::Host;
use counterpoint::pmu::vendor::{Metric, all_files, example, files};
use counterpoint::pmu::{CpuId, Pmu, PmuKind, detect};
use counterpoint::{EventSet, Machine, Target};
use serde_json::Value;

/// The metrics of a directory for one kind of core: the expression of each, by its name in upper case.
type Expressions = BTreeMap<String, String>;

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

/// The metrics that a processor has by the files of a directory, on a kind of core.
fn expressions(root: &Path, folder: &Path, pmus: &[&Pmu]) -> Expressions {
    let standard = objects(root);
    let mut found = Expressions::new();
    for object in objects(folder) {
        let known = standard.iter().find(|known| {
            known["MetricName"].is_string() && known["MetricName"] == object["ArchStdEvent"]
        });
        let fact = |key: &str| {
            let own = object[key].as_str();
            own.or_else(|| known?[key].as_str())
        };
        let is_here = fact("Unit").is_none_or(|unit| {
            !unit.starts_with("cpu_") || pmus.iter().any(|pmu| pmu.devices().any(|own| own == unit))
        });
        if let (Some(name), Some(expression), true) =
            (fact("MetricName"), fact("MetricExpr"), is_here)
        {
            found.insert(name.to_uppercase(), expression.to_string());
        }
    }
    found
}

/// Counts for terms, the same for terms that are programmed alike.
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
    fn of_file(&mut self, name: &str, all: &Expressions) -> f64 {
        let formula = Formula::parse(&all[name], Syntax::PerfMetric).unwrap();
        let values: Vec<f64> = formula
            .inputs()
            .map(|input| match input {
                "duration_time" | "user_time" | "system_time" => self.of(input) * 1e-9,
                "TSC" => self.of("msr/tsc/"),
                _ => match input.to_uppercase() {
                    other if other != name && all.contains_key(&other) => self.of_file(&other, all),
                    _ => self.of(input),
                },
            })
            .collect();
        formula.eval(&values)
    }

    /// The value of a formula over native events.
    fn of_expansion(&mut self, whole: &Expansion) -> f64 {
        let values: Vec<f64> = whole.formula.inputs().map(|input| self.of(input)).collect();
        whole.formula.eval(&values)
    }
}

fn is_close(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// The metrics of a machine as it links them: those of the vendor, and then the project's own.
fn definitions(machine: &Machine, pmus: &[&'static Pmu]) -> Definitions {
    let metrics = machine.cpu().map(|cpu| Metric::built_in(&cpu)).unwrap_or_default();
    let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
    let facts: Vec<[String; 2]> = metrics.iter().map(|m| [text(&m.unit), text(&m.pmu)]).collect();
    let metrics = metrics.iter().zip(&facts).map(|(metric, [scale, pmu])| PerfMetric {
        name: metric.name,
        expression: &metric.formula,
        scale,
        pmu,
        ..PerfMetric::default()
    });
    let mut libraries = vec![PerfMetric::library(metrics, Origin::Vendor("the test"))];
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("metrics");
    let own = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let read =
        |path: PathBuf| (TABLE.read)(&std::fs::read_to_string(path).unwrap(), Origin::Preset);
    libraries.extend(own.map(read).collect::<Vec<Library>>());
    let names = pmus.iter().flat_map(|pmu| pmu.devices().chain([pmu.name])).map(PmuName::from);
    link(&libraries, names.collect::<counterpoint::definitions::Pmus<'_>>())
}

/// Processors for an entry of a map: those for which it is the first, each as the PMUs that it has.
fn machines(map: &str, path: &str, pattern: &str) -> Vec<(String, Machine, Vec<&'static Pmu>)> {
    let is_first = |cpu: &CpuId| files(map, cpu).0.first().is_some_and(|first| first.path == path);
    let amd = |family: u32| {
        (0..=255).map(move |model| {
            format!("vendor_id : AuthenticAMD\ncpu family : {family}\nmodel : {model}\nstepping : 0\nflags : arch_perfmon\n")
        })
    };
    let texts = example(pattern).into_iter().chain([23, 25, 26].into_iter().flat_map(amd));
    let mut texts =
        texts.filter(|text| CpuId::from_cpuinfo(text).is_some_and(|cpu| is_first(&cpu)));
    let Some(text) = texts.next() else { return Vec::new() };
    let is_core = |pmu: &&Pmu| pmu.kind == PmuKind::Core && !pmu.is_architectural();
    let pmus: Vec<_> =
        detect(&CpuId::from_cpuinfo(&text).unwrap()).into_iter().filter(is_core).collect();
    if pmus.iter().any(|pmu| pmu.devices().any(|device| device == "cpu_core")) {
        let one = |pmu: &&'static Pmu| (pmu.name.to_string(), Machine::of_pmu(pmu), vec![*pmu]);
        return pmus.iter().map(one).collect();
    }
    let files = [
        ("/proc/cpuinfo", text.as_str()),
        ("/proc/sys/kernel/perf_event_paranoid", "2\n"),
        ("/sys/devices/system/cpu/smt/active", "1\n"),
    ];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()));
    vec![(path.to_string(), Machine::new(Host::with_files(BTreeMap::from(files))), pmus)]
}

#[test]
fn built_in_metrics_are_those_of_the_files() {
    let Some(folder) = std::env::var_os("COUNTERPOINT_PMU_EVENTS").map(PathBuf::from) else {
        return;
    };
    let mut total = 0;
    let entries = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
    for root in entries.filter(|root| root.join("mapfile.csv").is_file()) {
        let map = std::fs::read_to_string(root.join("mapfile.csv")).unwrap();
        for entry in all_files(&map) {
            if !root.join(entry.path).is_dir() || entry.path == "compat" {
                continue;
            }
            for (name, machine, pmus) in machines(&map, entry.path, entry.pattern) {
                let all = expressions(&root, &root.join(entry.path), &pmus);
                let definitions = definitions(&machine, &pmus);
                let set = EventSet::with_machine(machine, Target::AllCpus);
                let (mut same, mut hidden, mut whole) = (0, 0, 0);
                total += all.len();
                let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
                for name in all.keys() {
                    let found = set.metrics().find(name);
                    let Some(metric) = found.first() else {
                        println!("{} {name}: not built in", entry.path);
                        continue;
                    };
                    match set.metric_needs(metric) {
                        Err(reason) => *reasons.entry(reason.to_string()).or_default() += 1,
                        Ok(needs) => {
                            match needs.terms.iter().find_map(|term| term.meaning.as_ref().err()) {
                                None => whole += 1,
                                Some(reason) => {
                                    *reasons.entry(reason.to_string()).or_default() += 1
                                }
                            }
                        }
                    }
                    let mut counts = Counts { set: &set, seed: 1, known: HashMap::new() };
                    let is_ours = !matches!(metric.definition.origin(), Origin::Vendor(_));
                    hidden += usize::from(is_ours);
                    let definition = definitions.get(name).unwrap();
                    assert_eq!(is_ours, !matches!(definition.origin(), Origin::Vendor(_)));
                    if is_ours {
                        continue;
                    }
                    let (a, b) = (
                        counts.of_file(name, &all),
                        counts.of_expansion(&definitions.expand(&definition).unwrap()),
                    );
                    if is_close(a, b) {
                        same += 1
                    } else {
                        println!(
                            "{} {name}: {a} {b} {}",
                            entry.path,
                            if is_ours { "(ours)" } else { "" }
                        );
                    }
                }
                println!(
                    "== {} {name}: {} metrics, {same} same, {hidden} hidden by ours, {whole} whole",
                    entry.path,
                    all.len()
                );
                for (reason, count) in reasons {
                    println!("  -- {count} {reason}");
                }
            }
        }
    }
    println!("{total} metrics");
}
