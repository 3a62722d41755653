//! A metric: its formula, its place in the tree, its events, and how they fit the counters.

use crate::show::{labelled as line, printable, shell_word};
use counterpoint::definitions::{Definition, Metric, Origin};
use counterpoint::events::{Candidate, CandidateEvent};
use counterpoint::metrics::{Meaning, NamedMetric, Needs};
use counterpoint::planning::Planning;
use counterpoint::{Error, EventSet, Hint, Reason};
use std::io::{self, Write};

/// The metrics of a name or of a group; empty if there are none, or if `found`, the candidates of the name, is an event.
pub fn requested(
    set: &EventSet,
    name: &str,
    found: &Result<Vec<Candidate>, Error>,
) -> Vec<NamedMetric> {
    let is_metric = |event: &CandidateEvent| match event {
        CandidateEvent::Definition { definition, .. } => definition.metric().is_some(),
        _ => false,
    };
    let is_other = match found {
        Ok(found) => !found.first().is_some_and(|first| first.events.iter().any(is_metric)),
        Err(error) => !error.is_unknown_event(),
    };
    if is_other {
        return Vec::new();
    }
    set.metrics().find(name)
}

/// Names of metrics and of their groups that are similar to a name.
pub fn near(set: &EventSet, name: &str) -> Option<Hint> {
    let unknown = set.resolve_both(&[], &[name.to_string()]).err()?;
    unknown.help().filter(|hint| matches!(hint, Hint::DidYouMean(_)))
}

/// A group of metrics: each with its description, and how all are counted.
pub fn write_group(out: &mut impl Write, name: &str, metrics: &[NamedMetric]) -> io::Result<()> {
    writeln!(out, "{}  a group of {} metrics", printable(name), metrics.len())?;
    let names: Vec<String> = metrics.iter().map(|metric| metric.id().to_string()).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    for (name, metric) in names.iter().zip(metrics) {
        let text = metric.definition.short_description().unwrap_or_default();
        let text = format!("  {name:<width$}  {text}");
        writeln!(out, "{}", printable(text.trim_end()))?;
    }
    line(out, "count it", &format!("counterpoint stat -M {} -- COMMAND", shell_word(name)))
}

/// The events of a metric in the passes in which they are counted.
pub fn planning(set: &EventSet, metric: &NamedMetric) -> Option<Planning> {
    let names = [metric.definition.name().to_string()];
    let resolved = set.resolve_both(&[], &names).ok()?;
    Some(set.plan_resolved(&resolved))
}

pub fn write_text(out: &mut impl Write, set: &EventSet, named: &NamedMetric) -> io::Result<()> {
    let definition = &named.definition;
    let about = definition.short_description().unwrap_or("a metric");
    writeln!(out, "{}  {}", printable(&named.id().to_string()), printable(about))?;
    if let Some(text) = definition.long_description().filter(|text| *text != about) {
        text.lines().try_for_each(|text| writeln!(out, "  {}", printable(text)))?;
    }
    let Some(metric) = definition.metric() else { return Ok(()) };
    line(out, "formula", &metric.text)?;
    if definition.units().is_some() || metric.factor != 1.0 {
        let unit = definition.units().unwrap_or("no unit");
        let factor = if metric.factor == 1.0 {
            String::new()
        } else {
            format!(", the value times {}", metric.factor)
        };
        line(out, "unit", &format!("{unit}{factor}"))?;
    }
    if !metric.groups.is_empty() {
        line(out, "groups", &metric.groups.join(", "))?;
    }
    if let Some(threshold) = &metric.threshold {
        line(out, "worth a look", &threshold.text)?;
    }
    tree(out, set, named, metric)?;
    if !metric.samples.is_empty() {
        let first = &metric.samples[0];
        let text = format!("{}: counterpoint profile -e {first}", metric.samples.join(", "));
        line(out, "sample", &text)?;
    }
    if let Some(note) = definition.note() {
        line(out, "note", note)?;
    }
    line(out, "source", &source(named))?;
    match set.metric_needs(named) {
        Err(reason) => line(out, "no value", &reason.to_string())?,
        Ok(needs) => needed(out, &needs)?,
    }
    for pmu in planning(set, named).iter().flat_map(|planning| &planning.pmus) {
        let events = pmu.events.len();
        let text = match pmu.plan.passes.len() {
            0 => format!("{}: the counters are not known", pmu.pmu),
            1 => format!("{}: 1 pass, all {events} events are counted at the same time", pmu.pmu),
            passes => format!("{}: {passes} passes for {events} events", pmu.pmu),
        };
        line(out, "passes", &text)?;
    }
    line(out, "count it", &command(definition))
}

/// The command that counts a metric; its last word stands for the command to measure.
fn command(definition: &Definition) -> String {
    let name = shell_word(definition.name());
    match definition.origin() {
        Origin::File(path) => {
            let file = shell_word(&path.display().to_string()).into_owned();
            format!("counterpoint stat -f {file} -M {name} -- COMMAND")
        }
        _ => format!("counterpoint stat -M {name} -- COMMAND"),
    }
}

/// The metrics above and below.
fn tree(
    out: &mut impl Write,
    set: &EventSet,
    named: &NamedMetric,
    metric: &Metric,
) -> io::Result<()> {
    if let Some(parent) = &metric.parent {
        line(out, "part of", parent)?;
    }
    let mut open: Vec<(NamedMetric, usize)> = Vec::new();
    let parts = |of: &NamedMetric, depth: usize| -> Vec<(NamedMetric, usize)> {
        let parts = set.metrics().parts(of).into_iter().rev();
        parts.map(|part| (part, depth)).collect()
    };
    open.extend(parts(named, 0));
    let mut label = "parts";
    // A tree is as deep as top-down analysis, unless parts name each other as parents.
    const DEEPEST: usize = 8;
    while let Some((part, depth)) = open.pop() {
        line(out, label, &format!("{}{}", "  ".repeat(depth), part.definition.name()))?;
        label = "";
        if depth < DEEPEST {
            open.extend(parts(&part, depth + 1));
        }
    }
    Ok(())
}

pub fn source(named: &NamedMetric) -> String {
    let definition = &named.definition;
    match definition.origin() {
        Origin::File(path) => format!("{}, line {}", path.display(), definition.line()),
        Origin::Text => "text of the program".to_string(),
        Origin::Vendor(files) => format!("built in, from {files}"),
        _ => "built in".to_string(),
    }
}

fn needed(out: &mut impl Write, needs: &Needs) -> io::Result<()> {
    let mut label = "needs";
    for term in &needs.terms {
        let text = match &term.meaning {
            Ok(Meaning::Event(native)) => encoding(&term.name, native),
            Ok(Meaning::Source(source)) => format!("{}: {}", term.name, source.description()),
            Ok(Meaning::Fact(fact)) => {
                format!("{}: {}, from {}", term.name, fact.value, fact.source)
            }
            Ok(_) => term.name.clone(),
            Err(reason) => format!("{}: {}", term.name, reason_of(reason)),
        };
        line(out, label, &text)?;
        label = "";
    }
    let mut label = "not measured";
    for (term, cycles) in &needs.latencies {
        line(out, label, &format!("{term}: {cycles} cycles, the default of the vendor's files"))?;
        label = "";
    }
    if needs.missing.is_empty() {
        Ok(())
    } else {
        let names = needs.missing.join(", ");
        line(out, "counts 0", &format!("{names}: this machine has fewer such boxes"))
    }
}

/// The event with its encoding, and the number of its boxes.
fn encoding(name: &str, native: &counterpoint::events::Native) -> String {
    let id = native.id.to_string();
    let called = if id == name { String::new() } else { format!(" is {id}") };
    let boxes = match native.boxes.len() {
        0 | 1 => String::new(),
        boxes => format!(", on {boxes} boxes"),
    };
    format!("{name}{called}: {}{boxes}", codes(native))
}

pub fn codes(native: &counterpoint::events::Native) -> String {
    let Some(first) = native.boxes.first() else { return "no encoding".to_string() };
    let attr = &first.attr;
    let words = [(1, attr.config1), (2, attr.config2), (3, attr.config3), (4, attr.config4)];
    let more = words.iter().filter(|(_, word)| *word != 0);
    let more: Vec<String> = more.map(|(at, word)| format!(" config{at} {word:#x}")).collect();
    let kind = native.kernel_type().map(|kind| format!("type {kind} ")).unwrap_or_default();
    format!("{kind}config {:#x}{}", attr.config, more.concat())
}

/// The reason without the name of the term, which stands before it.
pub fn reason_of(reason: &Reason) -> String {
    match reason {
        Reason::UnknownTerm { problem, .. } => problem.clone(),
        other => other.to_string(),
    }
}
