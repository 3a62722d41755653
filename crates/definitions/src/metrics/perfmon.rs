//! The metrics of intel/perfmon: objects with `MetricName`, `Events`, `Constants` and a `Formula` over their aliases.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use counterpoint_formula::Syntax as FormulaSyntax;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::json::span;
use super::reader::{
    Draft, MEMORY_ENERGY, MILLISECONDS, PACKAGE_ENERGY, Parsed, Reader, SECONDS, words,
};
use crate::diagnostic::Code;
use crate::library::Library;
use crate::model::{Metric, Origin, Threshold};
use crate::syntax::Syntax;

/// The metrics of intel/perfmon's `metrics/*_metrics.json`.
pub const SYNTAX: Syntax = Syntax { name: "intel/perfmon metrics", accepts, read };

fn accepts(_: &Path, text: &str) -> bool {
    let is_object = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    is_object && text.contains("\"Metrics\"") && text.contains("\"Formula\"")
}

#[derive(Deserialize)]
struct Item<'t> {
    #[serde(borrow, rename = "MetricName")]
    name: Option<&'t RawValue>,
    #[serde(borrow, rename = "LegacyName")]
    legacy_name: Option<&'t RawValue>,
    #[serde(borrow, rename = "BriefDescription")]
    brief: Option<&'t RawValue>,
    #[serde(borrow, rename = "UnitOfMeasure")]
    unit: Option<&'t RawValue>,
    #[serde(borrow, rename = "Events", default)]
    events: Option<&'t RawValue>,
    #[serde(borrow, rename = "Constants", default)]
    constants: Option<&'t RawValue>,
    #[serde(borrow, rename = "Formula")]
    formula: Option<&'t RawValue>,
    #[serde(borrow, rename = "ParentCategory")]
    parent: Option<&'t RawValue>,
    #[serde(borrow, rename = "Threshold")]
    threshold: Option<&'t RawValue>,
    #[serde(borrow, rename = "MetricGroup")]
    groups: Option<&'t RawValue>,
    #[serde(borrow, rename = "LocateWith")]
    samples: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct Alias {
    #[serde(rename = "Name", alias = "Value")]
    name: String,
    #[serde(rename = "Alias")]
    alias: String,
}

#[derive(Deserialize)]
struct Limit {
    #[serde(rename = "ThresholdMetrics", default)]
    metrics: Vec<Alias>,
    #[serde(rename = "Formula")]
    formula: String,
}

/// The names behind the aliases of a formula, by alias in lower case.
type Aliases = HashMap<String, String>;

fn read(text: &str, origin: Origin) -> Library {
    let mut reader = Reader::new(text);
    // Thresholds refer to metrics by their legacy names.
    let mut names = Aliases::new();
    let mut items = Vec::new();
    for element in reader.elements() {
        let place = span(text, element);
        let Ok(item) = serde_json::from_str::<Item<'_>>(element.get()) else {
            reader.report(Code::WrongShape, place, "this is not an object");
            continue;
        };
        let string = |part: Option<&RawValue>| serde_json::from_str::<String>(part?.get()).ok();
        if let (Some(legacy), Some(name)) = (string(item.legacy_name), string(item.name)) {
            names.insert(legacy.to_lowercase(), name);
        }
        items.push((item, place));
    }
    for (item, place) in &items {
        read_item(&mut reader, item, place.clone(), &names);
    }
    reader.finish(origin)
}

fn read_item<'t>(
    reader: &mut Reader<'t>,
    item: &Item<'t>,
    place: Range<usize>,
    names: &Aliases,
) -> Option<()> {
    let formula = reader.string("Formula", item.formula)?;
    let Some(name) = reader.string("MetricName", item.name) else {
        reader.report(Code::MissingName, place, "a metric has no MetricName");
        return None;
    };
    let mut aliases = read_aliases(reader, item, &name.value)?;
    let at = |range| formula.place(range);
    let parsed = reader.formula(&name.value, &joined(&formula.value), FormulaSyntax::Infix, &at)?;
    // Some formulas use constants without an alias.
    for input in parsed.inputs().filter(|input| is_constant(input)) {
        aliases.entry(input.to_lowercase()).or_insert_with(|| input.to_uppercase());
    }
    let unknown = |input: &&str| !aliases.contains_key(&input.to_lowercase());
    if let Some(input) = parsed.inputs().find(unknown) {
        let message = format!(
            "the formula of {} uses `{input}`, which is not an alias of its events",
            name.value
        );
        let used = parsed.inputs().position(|other| other == input).unwrap_or_default();
        reader.report(Code::UnknownInput, at(parsed.input_span(used)), message);
        return None;
    }
    let named = |input: &str| term(&aliases[&input.to_lowercase()]);
    let Some(value) = Parsed::new(&parsed, at, named) else {
        let message = format!("the formula of {} is too large", name.value);
        reader.report(Code::TooLarge, formula.span(), message);
        return None;
    };
    let text = parsed.rename_inputs(|input| aliases[&input.to_lowercase()].clone()).to_string();
    let mut metric = Metric { text, ..Metric::default() };
    read_attributes(reader, item, &mut metric);
    metric.threshold = item.threshold.and_then(|part| threshold(reader, &name.value, part, names));
    let unit = reader.string("UnitOfMeasure", item.unit).map(|unit| match &*unit.value {
        "percent" => "%".to_owned(),
        other => other.to_owned(),
    });
    let brief = reader.string("BriefDescription", item.brief);
    reader.add(Draft {
        name_span: name.span(),
        name: name.value.into_owned(),
        value,
        metric,
        units: unit.unwrap_or_default(),
        short_description: brief.map(|text| text.value.into_owned()).unwrap_or_default(),
        notation: "Formula",
        span: place,
        ..Draft::default()
    });
    Some(())
}

/// Reads the names of the events and the constants of a metric.
fn read_aliases(reader: &mut Reader<'_>, item: &Item<'_>, metric: &str) -> Option<Aliases> {
    let mut aliases = Aliases::new();
    for (key, part) in [("Events", item.events), ("Constants", item.constants)] {
        let Some(part) = part else { continue };
        match serde_json::from_str::<Vec<Alias>>(part.get()) {
            Ok(list) => aliases.extend(list.into_iter().map(|a| (a.alias.to_lowercase(), a.name))),
            Err(error) => {
                let message = format!("{key} of {metric} cannot be read: {error}");
                reader.report(Code::WrongShape, span(reader.text, part), message);
                return None;
            }
        }
    }
    Some(aliases)
}

/// Reads the groups, the parent and the events to sample of a metric.
fn read_attributes<'t>(reader: &mut Reader<'t>, item: &Item<'t>, metric: &mut Metric) {
    if let Some(list) = reader.string("MetricGroup", item.groups) {
        metric.groups = words(&list.value);
    }
    metric.parent = reader.string("ParentCategory", item.parent).map(|p| p.value.into_owned());
    if let Some(list) = reader.string("LocateWith", item.samples) {
        metric.samples = words(&list.value);
    }
}

/// Reads a threshold, with the names of metrics for their aliases.
fn threshold(
    reader: &mut Reader<'_>,
    metric: &str,
    part: &RawValue,
    names: &Aliases,
) -> Option<Threshold> {
    let place = span(reader.text, part);
    let limit = match serde_json::from_str::<Limit>(part.get()) {
        // Metrics without a threshold have an empty one, or an empty text.
        Ok(limit) if limit.formula.trim().is_empty() => return None,
        Ok(limit) => limit,
        Err(_) if part.get().len() < 3 => return None,
        Err(error) => {
            let message = format!("the threshold of {metric} cannot be read: {error}");
            reader.report(Code::BadThreshold, place, message);
            return None;
        }
    };
    let at = |_| place.clone();
    // Without aliases, the formula has the names themselves, which contain signs.
    let mut formula = limit.formula.replace("&&", "& ");
    let mut direct: Vec<&String> = names.keys().filter(|_| limit.metrics.is_empty()).collect();
    direct.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for legacy in direct {
        if let Some(start) = formula.to_lowercase().find(legacy.as_str()) {
            formula.replace_range(start..start + legacy.len(), &names[legacy]);
        }
    }
    let found = reader.threshold(metric, &formula, FormulaSyntax::PerfMetric, &at)?;
    let name = |input: &str| {
        let alias = limit.metrics.iter().find(|alias| alias.alias.eq_ignore_ascii_case(input));
        let legacy = alias.map_or(input, |alias| &alias.name);
        names.get(&legacy.to_lowercase()).cloned().unwrap_or_else(|| legacy.to_owned())
    };
    let formula = found.formula.rename_inputs(name);
    Some(Threshold { text: formula.to_string(), formula })
}

/// The formula with the signs of comparisons that a blank divides; nothing moves.
fn joined(formula: &str) -> String {
    formula.replace("> =", ">= ").replace("< =", "<= ").replace("= =", "== ").replace("! =", "!= ")
}

/// Returns true if a name is that of a constant, and not of an event.
fn is_constant(name: &str) -> bool {
    let upper = name.to_uppercase();
    upper.parse::<f64>().is_err() && term(&upper) != upper
}

/// The term for a name of Intel's files: an event, or a fact of the machine.
fn term(name: &str) -> String {
    if let Some((event, options)) = name.split_once(':') {
        return with_options(event, options).unwrap_or_else(|| name.to_owned());
    }
    if let Some(share) = name.strip_prefix("PERF_METRICS.") {
        return topdown(share).map_or_else(|| name.to_owned(), str::to_owned);
    }
    let fact = match name {
        "TSC" => "msr/tsc/",
        "FREERUN_PKG_ENERGY_STATUS" | "UNC_PKG_ENERGY_STATUS" => PACKAGE_ENERGY,
        "FREERUN_DRAM_ENERGY_STATUS" => MEMORY_ENERGY,
        "HYPERTHREADING_ON" => "#smt_on",
        "THREADS_PER_CORE" => "#threads_per_core",
        "CORES_PER_SOCKET" => "#cores_per_socket",
        "CHAS_PER_SOCKET" => "#chas_per_socket",
        "SOCKET_COUNT" => "#num_packages",
        "SYSTEM_TSC_FREQ" => "#system_tsc_freq",
        "system.sockets[0].cpus.count * system.socket_count" => "#num_cpus_online",
        "DURATIONTIMEINMILLISECONDS" => MILLISECONDS,
        "DURATIONTIMEINSECONDS" => SECONDS,
        number if number.parse::<f64>().is_ok() => return format!("#{number}"),
        event => event,
    };
    fact.to_owned()
}

/// The kernel's event for a field of the register of top-down metrics.
fn topdown(share: &str) -> Option<&'static str> {
    Some(match share {
        "RETIRING" => "topdown-retiring",
        "BAD_SPECULATION" => "topdown-bad-spec",
        "FRONTEND_BOUND" => "topdown-fe-bound",
        "BACKEND_BOUND" => "topdown-be-bound",
        "HEAVY_OPERATIONS" => "topdown-heavy-ops",
        "BRANCH_MISPREDICTS" => "topdown-br-mispredict",
        "FETCH_LATENCY" => "topdown-fetch-lat",
        "MEMORY_BOUND" => "topdown-mem-bound",
        _ => return None,
    })
}

/// An event with options as terms of its PMU: `A.B:c1:e1` is `cpu/A.B,cmask=0x1,edge=1/`; `None` if an option is unknown.
///
/// `cpu` is the PMU of the kind of core that a metric is about.
fn with_options(event: &str, options: &str) -> Option<String> {
    // The event leads the group of the metrics that it is read with.
    if options == "perf_metrics" {
        return Some("slots".to_owned());
    }
    let boxes = [
        ("UNC_CHA_", "cha"),
        ("UNC_C_", "cbox"),
        ("UNC_M_", "imc"),
        ("UNC_P_", "pcu"),
        ("UNC_UPI_", "upi"),
        ("UNC_Q_", "qpi"),
    ];
    let of_box = boxes.iter().find(|(prefix, _)| event.starts_with(prefix)).map(|(_, pmu)| *pmu);
    let mut pmu = of_box.unwrap_or("cpu").to_owned();
    let (mut terms, mut modifiers) = (event.to_owned(), "");
    for option in options.split(':') {
        let value = |key: &str| {
            let digits = option.strip_prefix(key)?;
            let hex = digits.strip_prefix("0x").unwrap_or(digits);
            let is_number = !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit());
            is_number.then_some(digits)
        };
        let threshold = if of_box.is_some() { "thresh" } else { "cmask" };
        let known = [
            ("ocr_msr_val=", "offcore_rsp"),
            ("filter1=", "config1"),
            ("opc=", "filter_opc"),
            ("tid=", "filter_tid"),
            ("eq", "eq"),
            ("c", threshold),
            ("e", "edge"),
            ("i", "inv"),
            ("u", "umask"),
        ];
        match option {
            "SUP" | "sup" => modifiers = "k",
            "USER" | "user" => modifiers = "u",
            "one_unit" => pmu.push_str("_0"),
            _ => {
                let (field, value) =
                    known.iter().find_map(|(key, field)| Some((field, value(key)?)))?;
                terms.push_str(&format!(",{field}={value}"));
            }
        }
    }
    if terms == event && pmu == "cpu" {
        return Some(format!("{event}:{modifiers}"));
    }
    Some(format!("{pmu}/{terms}/{modifiers}"))
}
