//! The metrics of vendors that are built in, read in place.

use super::processor::Processor;
use crate::cpu::CpuId;
use crate::tables::layout::{Column, PHRASE_END, WORD};

/// A metric of a processor by its vendor's files; the texts are those of Linux's `pmu-events`.
///
/// ```
/// use counterpoint_pmu::find;
/// use counterpoint_pmu::vendor::Metric;
///
/// let metrics = Metric::built_in(&find("spr").unwrap().processor().unwrap());
/// let bound = metrics.iter().find(|metric| metric.name == "tma_backend_bound").unwrap();
/// assert_eq!(bound.unit.as_deref(), Some("100%"));
/// assert!(bound.formula.starts_with("topdown\\-be\\-bound / (topdown\\-fe\\-bound"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metric {
    /// Its name (`MetricName`).
    pub name: &'static str,
    /// The files that it is from, and their release.
    pub source: &'static str,
    /// Its value (`MetricExpr`).
    pub formula: String,
    /// The condition under which its value is worth a look (`MetricThreshold`).
    pub threshold: Option<String>,
    /// The factor of its value, and the unit (`ScaleUnit`).
    pub unit: Option<String>,
    /// The groups that it belongs to, with `;` between them (`MetricGroup`).
    pub groups: String,
    /// The rule for the grouping of its events (`MetricConstraint`).
    pub constraint: Option<String>,
    /// The part of the machine of which it has a value each (`AggregationMode`).
    pub each: Option<String>,
    /// The PMU of the kind of core that it is about, where cores differ.
    pub pmu: Option<String>,
}

impl Metric {
    /// The metrics of a processor that are built in, in the order of their names.
    pub fn built_in(cpu: &CpuId) -> Vec<Metric> {
        Processor::all(cpu).into_iter().flat_map(Processor::metrics).collect()
    }
}

impl Processor {
    fn metrics(&'static self) -> impl Iterator<Item = Metric> {
        (0..self.metrics.count as usize).filter_map(|number| self.metric(number))
    }

    fn metric(&'static self, number: usize) -> Option<Metric> {
        let numbers = self.image.numbers;
        let row = usize::try_from(self.metrics.rows.get(numbers, number)?).ok()?;
        let of = self.metrics.of;
        let mut metric = Metric {
            name: self.image.text(of.names.get(numbers, row)?)?,
            source: self.source,
            formula: self.phrase(of.formulas, row)?,
            threshold: self.phrase(of.thresholds, row).filter(|text| !text.is_empty()),
            ..Metric::default()
        };
        for fact in self.phrase(of.facts, row)?.lines() {
            let Some((key, text)) = fact.split_once(' ') else { continue };
            let text = text.to_owned();
            match key {
                "unit" => metric.unit = Some(text),
                "group" => metric.groups = text,
                "constraint" => metric.constraint = Some(text),
                "each" => metric.each = Some(text),
                "pmu" => metric.pmu = Some(text),
                _ => {}
            }
        }
        Some(metric)
    }

    /// The phrase at the position that a column has.
    fn phrase(&self, column: Column<3>, row: usize) -> Option<String> {
        let numbers = self.image.numbers;
        let start = usize::try_from(column.get(numbers, row)?).ok()?;
        let mut bytes = numbers.get(start..)?.iter().copied();
        let mut text = String::new();
        loop {
            match bytes.next()? {
                PHRASE_END => return Some(text),
                high if high & WORD != 0 => {
                    let word = usize::from(high & !WORD) << 8 | usize::from(bytes.next()?);
                    let position = self.metrics.of.words.get(numbers, word)?;
                    text.push_str(self.image.text(position)?);
                }
                byte => text.push(byte.into()),
            }
        }
    }
}
