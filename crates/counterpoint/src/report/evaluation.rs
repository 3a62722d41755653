//! Computes the values of metrics from the totals at a placement: they are scaled, and used in formulas.

use super::labels::RowPlacement;
use super::note::Note;
use super::rows::Row;
use super::source_total::SourceTotal;
use super::totals::{Line, Total};
use super::values::{Reason, Value};
use crate::counting::deviations::standard_error;
use crate::counting::open::Opened;
use crate::counting::requested::{Input, Metric, Rule};
use crate::names::native::Native;
use crate::sources::marks::Marks;
use counterpoint_formula::{Formula, Number};
use counterpoint_perf::{CpuSet, Host};
use std::time::Duration;

impl Metric {
    /// Its row, with what does not depend on counts.
    pub(crate) fn blank_row(&self, placement: RowPlacement, opened: &Opened) -> Row {
        Row {
            event: self.event.clone(),
            id: self.id.clone(),
            unit: self.unit.clone(),
            placement,
            value: Value::NotCounted(Reason::NeverRan),
            raw: None,
            enabled: Duration::ZERO,
            running: Duration::ZERO,
            notes: self.notes(opened),
            extremes: None,
            spread: None,
            metric: self.definition.clone(),
            crossed: None,
            is_uncertain: false,
        }
    }

    /// Writes what depends on counts into its row.
    pub(crate) fn fill(&self, row: &mut Row, line: Line<'_>, opened: &Opened) {
        let total = self.total(line);
        row.value = self.value(line, opened);
        row.raw = total.filter(|_| row.value.reason().is_none()).map(|total| total.raw);
        row.enabled = total.map_or(Duration::ZERO, |total| total.enabled);
        row.running = total.map_or(Duration::ZERO, |total| total.running);
        if let Some(limit) = &self.limit {
            limit.fill(row, line, opened);
        }
        if self.sources().next().is_some() {
            self.fill_sources(row, line, opened);
        }
    }

    /// Writes what depends on the readings of sources into its row.
    fn fill_sources(&self, row: &mut Row, line: Line<'_>, opened: &Opened) {
        row.notes.retain(|note| !note.is_of_reading());
        for source in self.sources() {
            let Ok(total) = source_total(source, line, opened) else { continue };
            let Marks { wraps, resets, came, went, .. } = total.marks;
            let marked = [
                (wraps, Note::Wrapped),
                (resets, Note::Reset),
                (came, Note::Appeared),
                (went, Note::Vanished),
            ];
            for (_, note) in marked.into_iter().filter(|(number, _)| *number > 0) {
                note.join(&mut row.notes);
            }
        }
        if let Rule::Source(source) = self.rule {
            row.extremes = source_total(source, line, opened).ok().and_then(|total| total.extremes);
            let is_shown = row.value.reason().is_none() && opened.beside[source].is_counter;
            let raw = line.reading(source).ok().filter(|_| is_shown);
            row.raw = raw.and_then(|raw| u64::try_from(raw.number.as_f64().round() as i128).ok());
        }
    }

    fn notes(&self, opened: &Opened) -> Vec<Note> {
        let mut notes: Vec<Note> = self.note.into_iter().collect();
        let natives = self.natives();
        let of_natives = natives.flat_map(|native| &opened.outcomes[native].notes);
        of_natives.for_each(|note| note.join(&mut notes));
        let of_sources = self.sources().flat_map(|source| &opened.beside[source].notes);
        of_sources.for_each(|note| note.join(&mut notes));
        notes
    }

    /// Returns true if any of its events is counted at a placement.
    pub(crate) fn is_at(&self, line: Line<'_>, opened: &Opened) -> bool {
        let number = self.box_number();
        self.natives().any(|native| line.get_box(native, number).is_some())
            || self.cpus(opened).any(|cpus| cpus.iter().any(|cpu| line.is_of(cpu)))
    }

    /// The CPUs of each source, if there are only sources.
    pub(crate) fn cpus<'o>(&self, opened: &'o Opened) -> impl Iterator<Item = &'o CpuSet> {
        let has_natives = self.natives().next().is_some();
        let sources = self.sources().filter(move |_| !has_natives);
        sources.filter_map(|source| opened.beside[source].cpus.as_ref())
    }

    /// The counts of the event, if the metric is not a formula.
    fn total<'t>(&self, line: Line<'t>) -> Option<&'t Total> {
        line.get_box(self.native()?, self.box_number())
    }

    pub(crate) fn is_anywhere(&self, opened: &Opened) -> bool {
        self.natives().any(|native| opened.parts.iter().any(|part| part.native == native))
    }

    /// The value in the unit of the metric.
    pub(crate) fn value(&self, line: Line<'_>, opened: &Opened) -> Value {
        self.unscaled(line, opened).times(self.factor)
    }

    pub(super) fn unscaled(&self, line: Line<'_>, opened: &Opened) -> Value {
        match &self.rule {
            Rule::Native(native) | Rule::Box { native, .. } => {
                native_value(*native, self.total(line), opened)
            }
            Rule::Source(source) => source_value(*source, line, opened),
            Rule::Unavailable(reason) => Value::NotSupported(reason.clone()),
            Rule::Derived { formula, inputs } => derived_value(formula, inputs, line, opened),
        }
    }
}

fn native_value(native: usize, total: Option<&Total>, opened: &Opened) -> Value {
    if let Some(reason) = &opened.outcomes[native].failure {
        if reason.is_elsewhere() {
            return Value::NotCounted(reason.clone());
        }
        return Value::NotSupported(reason.clone());
    }
    let Some((number, coverage)) = total.and_then(Total::value) else {
        return Value::NotCounted(why_not_counted(
            total,
            &opened.schedule.natives[native],
            &opened.host,
        ));
    };
    let runs = total.map_or(1, |total| total.runs.max(1));
    let factor = opened.schedule.natives[native].scale.unwrap_or(1.0) / f64::from(runs);
    let number = if factor == 1.0 { number } else { Number::Real(number.as_f64() * factor) };
    if coverage < 1.0 {
        let standard_error = total.and_then(|total| total.error).map(|error| error * factor.abs());
        Value::Estimated { value: number.as_f64(), coverage, standard_error }
    } else {
        Value::Counted(number)
    }
}

/// The value of a source, which is the same at every placement unless it is one of CPUs.
fn source_value(source: usize, line: Line<'_>, opened: &Opened) -> Value {
    match source_total(source, line, opened) {
        Ok(total) => Value::Counted(total.number),
        Err(reason) => Value::NotCounted(reason),
    }
}

fn source_total(source: usize, line: Line<'_>, opened: &Opened) -> Result<SourceTotal, Reason> {
    if opened.beside[source].is_elsewhere {
        return Err(Reason::CountedElsewhere);
    }
    let total = line.reading(source)?;
    Ok(total.scaled(opened.schedule.sources[source].factor()))
}

/// The reason why an open event has no value.
fn why_not_counted(total: Option<&Total>, native: &Native, host: &Host) -> Reason {
    let cpus: Option<Vec<_>> = native.boxes.iter().map(|b| b.cpus.as_ref()).collect();
    let cpus: Option<CpuSet> = cpus.map(|sets| sets.into_iter().flat_map(CpuSet::iter).collect());
    let is_some = |cpus: &CpuSet| host.online_cpus().iter().any(|cpu| !cpus.contains(cpu));
    match (total, cpus.filter(is_some)) {
        (Some(total), _) if total.is_lost => Reason::LostCounter,
        (Some(total), _) if total.enabled.is_zero() => Reason::NeverRan,
        (_, Some(cpus)) => Reason::OtherCores { cpus },
        (Some(_), None) => Reason::NoCounter,
        (None, None) => Reason::NeverRan,
    }
}

pub(super) fn derived_value(
    formula: &Formula,
    inputs: &[Input],
    line: Line<'_>,
    opened: &Opened,
) -> Value {
    let mut numbers = Vec::with_capacity(inputs.len());
    let mut lowest = 1.0_f64;
    let mut has_errors = true;
    for input in inputs {
        let value = match input {
            Input::Native(native) => native_value(*native, line.get(*native), opened),
            Input::Source(source) => source_value(*source, line, opened),
            Input::Machine(name) => match opened.values.get(name) {
                Some(Ok(value)) => Value::Counted(Number::Real(value.value)),
                Some(Err(reason)) => return Value::NotCounted(reason.clone()),
                None => return Value::NotCounted(Reason::NeverRan),
            },
        };
        let name = || match input {
            Input::Native(native) => opened.schedule.natives[*native].id.to_string(),
            Input::Source(source) => opened.schedule.sources[*source].name().to_string(),
            Input::Machine(name) => name.to_string(),
        };
        match value {
            Value::Counted(number) => numbers.push(number),
            Value::Estimated { value, coverage, standard_error } => {
                lowest = lowest.min(coverage);
                has_errors &= standard_error.is_some();
                numbers.push(Number::Real(value));
            }
            Value::NotCounted(reason) => {
                return Value::NotCounted(Reason::Term { name: name(), reason: Box::new(reason) });
            }
            Value::NotSupported(reason) => {
                return Value::NotSupported(Reason::Term {
                    name: name(),
                    reason: Box::new(reason),
                });
            }
        }
    }
    match formula.eval_numbers(&numbers) {
        Err(error) => Value::NotCounted(Reason::Formula(error.kind)),
        Ok(number) if lowest < 1.0 => Value::Estimated {
            value: number.as_f64(),
            coverage: lowest,
            standard_error: has_errors
                .then(|| derived_error(formula, inputs, &numbers, line, opened))
                .flatten(),
        },
        Ok(number) => Value::Counted(number),
    }
}

/// The standard error of a formula over estimates: its slopes weigh the deviations of each slice, so that events that vary together are not taken for independent (the delta method).
fn derived_error(
    formula: &Formula,
    inputs: &[Input],
    numbers: &[Number],
    line: Line<'_>,
    opened: &Opened,
) -> Option<f64> {
    let numbers: Vec<f64> = numbers.iter().map(|number| number.as_f64()).collect();
    let mut sum: Vec<f64> = Vec::new();
    for (input, slope) in inputs.iter().zip(formula.slopes(&numbers)) {
        let Input::Native(native) = input else { continue };
        let Some(deviations) = line.deviations(*native) else { continue };
        let weight = slope * opened.schedule.natives[*native].scale.unwrap_or(1.0);
        sum.resize(deviations.len(), 0.0);
        sum.iter_mut().zip(deviations).for_each(|(sum, deviation)| *sum += weight * deviation);
    }
    Some(standard_error(&sum)).filter(|error| error.is_finite())
}
