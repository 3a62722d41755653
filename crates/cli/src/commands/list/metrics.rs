//! The metrics of a machine, or of a PMU, by group.

use super::args::ListArgs;
use super::json::Metric;
use super::wanted::Wanted;
use crate::failure::Failure;
use crate::show::{self, printable};
use counterpoint::metrics::NamedMetric;
use counterpoint::{EventSet, Reason};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

/// A metric, and why it has no value here.
struct Row {
    /// Its usual name, with the kind of core if there are several.
    id: String,
    metric: NamedMetric,
    reason: Option<Reason>,
}

/// Lists the metrics that have all words; returns whether there are any.
pub fn metrics(
    args: &ListArgs,
    set: &EventSet,
    wanted: &Wanted,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let rows = rows(set, wanted)?;
    if args.json {
        rows.iter().try_for_each(|row| write_json(out, row))?
    } else {
        let place = args.pmu.as_ref().map_or("here".to_string(), |pmu| format!("on {pmu}"));
        write_text(out, &rows, &place)?;
    }
    Ok(!rows.is_empty())
}

fn rows(set: &EventSet, wanted: &Wanted) -> Result<Vec<Row>, Failure> {
    let found: Vec<NamedMetric> =
        set.metrics().iter().filter(|metric| wanted.matches(&searched(metric))).collect();
    let mut names: Vec<String> = found.iter().map(|m| m.definition.name().to_string()).collect();
    names.dedup();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let resolved = set.resolve_both(&[], &names)?;
    let known: HashMap<String, Option<&Reason>> =
        resolved.ids().map(|(id, reason)| (id.to_string(), reason)).collect();
    // A metric with all of its events has no value where no PMU counts them.
    let planning = set.plan_resolved(&resolved);
    let unavailable = planning.unavailable.iter();
    let uncounted: HashMap<&str, &Reason> =
        unavailable.map(|(name, reason)| (name.as_str(), reason)).collect();
    let mut rows: Vec<Row> = Vec::new();
    let mut listed = HashSet::new();
    for metric in found {
        // One value may be that of all kinds of cores; its name is not that of one.
        let own = metric.id().to_string();
        let id = if known.contains_key(&own) { own } else { metric.definition.name().to_string() };
        let unknown = known.get(&id).copied().flatten();
        // On a machine with several kinds of cores, their PMUs are visible, and the plan does not name the kind.
        let uncounted = uncounted.get(metric.definition.name()).filter(|_| metric.core.is_none());
        let reason = unknown.or(uncounted.copied()).cloned();
        if listed.insert(id.clone()) {
            rows.push(Row { id, metric, reason });
        }
    }
    Ok(rows)
}

fn searched(metric: &NamedMetric) -> String {
    let definition = &metric.definition;
    let groups = definition.metric().map(|m| m.groups.join(" ")).unwrap_or_default();
    let texts = [definition.short_description(), definition.long_description()];
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    format!("{} {groups} {}", definition.name(), texts.join(" "))
}

/// Metrics group by group, each under its first group.
fn write_text(out: &mut impl Write, rows: &[Row], place: &str) -> io::Result<()> {
    let mut groups: Vec<(&str, Vec<&Row>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        let groups_of = row.metric.definition.metric().map_or(&[][..], |m| &m.groups);
        let group = groups_of.first().map_or("(no group)", String::as_str);
        let place = *places.entry(group).or_insert(groups.len());
        if place == groups.len() {
            groups.push((group, Vec::new()));
        }
        groups[place].1.push(row);
    }
    for (place, (group, members)) in groups.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        let available = members.iter().filter(|row| row.reason.is_none()).count();
        writeln!(out, "{} ({available} of {} available)", printable(group), members.len())?;
        let width = members.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
        for row in members {
            let state = if row.reason.is_none() { "yes" } else { "no " };
            let unit = row.metric.definition.units();
            let unit = unit.map(|unit| format!(" [{unit}]")).unwrap_or_default();
            let about = row.metric.definition.short_description().unwrap_or_default();
            let line = format!("  {:<width$}  {state}  {about}{unit}", row.id);
            writeln!(out, "{}", printable(line.trim_end()))?;
        }
    }
    let hidden = rows.iter().filter(|row| row.reason.is_some()).count();
    writeln!(out, "\n{} metrics; `counterpoint show NAME` says what each needs", rows.len())?;
    match hidden {
        0 => Ok(()),
        _ => writeln!(out, "{hidden} have no value {place}; `counterpoint show NAME` says why"),
    }
}

fn write_json(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let definition = &row.metric.definition;
    let metric = definition.metric();
    let line = Metric {
        schema: 1,
        name: definition.name(),
        canonical: &row.id,
        pmu: row.metric.core.as_deref(),
        kind: "metric",
        groups: metric.map(|m| m.groups.as_slice()),
        description: definition.short_description(),
        unit: definition.units(),
        factor: metric.map(|m| m.factor),
        formula: metric.map(|m| m.text.as_str()),
        parent: metric.and_then(|m| m.parent.as_deref()),
        threshold: metric.and_then(|m| m.threshold.as_ref()).map(|t| t.text.as_str()),
        status: if row.reason.is_none() { "available" } else { "unsupported" },
        reason: row.reason.as_ref().map(ToString::to_string),
    };
    show::json(out, &line)
}
