//! The events and the metrics of processors in an image: each different one once, and for each processor the numbers of its own.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::hash::Hash;

use super::super::layout::{Column, EventRows, Listing, MetricRows};
use super::super::names::short_hash;
use super::metrics::Metric;
use super::phrases::Phrases;
use super::processors::{Event, Processor};
use super::texts::Texts;

/// The processors of a vendor, by the names of their files.
pub(super) type Processors<'p, 'a> = BTreeMap<&'p str, Processor<'a>>;

/// Appends them to an image, and returns the statics of the processors.
pub(super) fn write<'a>(
    processors: &Processors<'_, 'a>,
    metrics: &[Metric<'a>],
    texts: &mut Texts<'a>,
    numbers: &mut Vec<u8>,
) -> Result<String, String> {
    let events = events(processors, texts, numbers)?;
    let metrics = metrics_of(processors, metrics, texts, numbers)?;
    let mut rows = String::new();
    for ((processor, events), metrics) in processors.values().zip(events).zip(metrics) {
        let Processor { source, machines, .. } = processor;
        let _ = writeln!(
            rows,
            "Processor {{ source: {source:?}, machines: {machines:?}, image: IMAGE, events: {events:?}, metrics: {metrics:?} }},"
        );
    }
    Ok(format!("static PROCESSORS: [Processor; {}] = [\n{rows}];\n", processors.len()))
}

/// Appends the events, and returns those of each processor.
fn events<'a>(
    processors: &Processors<'_, 'a>,
    texts: &mut Texts<'a>,
    numbers: &mut Vec<u8>,
) -> Result<Vec<Listing<EventRows>>, String> {
    let mut different = Different::default();
    let mut lists = Vec::new();
    for processor in processors.values() {
        let number = |event: &Event<'a>| different.number(*event);
        lists.push(processor.events.iter().map(number).collect::<Vec<u64>>());
    }
    let rows = different.rows()?;
    let hashes: Vec<u64> = rows.iter().map(|event| short_hash(event.name).into()).collect();
    let hashes = Column::write(&hashes, numbers);
    let mut column = |text: fn(&Event<'a>) -> &'a str| {
        let starts: Vec<u64> = rows.iter().map(|event| texts.add(text(event), "")).collect();
        Column::write(&starts, numbers)
    };
    let of = EventRows {
        hashes,
        names: column(|event| event.name),
        terms: column(|event| event.terms),
        words: column(|event| event.words),
    };
    Ok(lists.iter().map(|list| listing(list, of, numbers)).collect())
}

/// Appends the metrics, and returns those of each processor.
fn metrics_of<'a>(
    processors: &Processors<'_, 'a>,
    metrics: &[Metric<'a>],
    texts: &mut Texts<'a>,
    numbers: &mut Vec<u8>,
) -> Result<Vec<Listing<MetricRows>>, String> {
    let mut lists: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (number, metric) in (0..).zip(metrics) {
        for processor in &metric.processors {
            lists.entry(processor).or_default().push(number);
        }
    }
    if let Some(name) =
        lists.keys().find(|name| !processors.keys().any(|file| stem(file) == **name))
    {
        return Err(format!(" no processor is called {name}"));
    }
    let mut all: Vec<&'a str> = metrics.iter().flat_map(|m| m.facts.iter().copied()).collect();
    all.extend(metrics.iter().flat_map(|metric| [metric.formula, metric.threshold]));
    all.sort_unstable();
    all.dedup();
    let mut phrases = Phrases::with_words_of(all.iter(), texts);
    let mut columns: [Vec<u64>; 4] = Default::default();
    for metric in metrics {
        columns[0].push(texts.add(metric.name, ""));
        columns[1].push(phrases.add(&[metric.formula], numbers));
        columns[2].push(phrases.add(&[metric.threshold], numbers));
        columns[3].push(phrases.add(&metric.facts, numbers));
    }
    let words = phrases.write(texts, numbers);
    let [names, formulas, thresholds, facts] =
        columns.map(|starts| Column::write(&starts, numbers));
    let of = MetricRows { words, names, formulas, thresholds, facts };
    let list = |file: &&str| lists.remove(stem(file)).unwrap_or_default();
    Ok(processors.keys().map(list).map(|list| listing(&list, of, numbers)).collect())
}

/// `x` of `processors/x.txt`.
fn stem(file: &str) -> &str {
    file.trim_start_matches("processors/").trim_end_matches(".txt")
}

fn listing<T: Copy>(rows: &[u64], of: T, numbers: &mut Vec<u8>) -> Listing<T> {
    Listing { count: rows.len() as u32, rows: Column::write(rows, numbers), of }
}

/// Different rows, numbered in the order in which they come.
struct Different<T> {
    numbers: HashMap<T, u64>,
    rows: Vec<T>,
}

impl<T> Default for Different<T> {
    fn default() -> Self {
        Different { numbers: HashMap::new(), rows: Vec::new() }
    }
}

impl<T: Copy + Eq + Hash> Different<T> {
    fn number(&mut self, row: T) -> u64 {
        *self.numbers.entry(row).or_insert_with(|| {
            self.rows.push(row);
            self.rows.len() as u64 - 1
        })
    }

    /// The rows, if their numbers fit in a column.
    fn rows(self) -> Result<Vec<T>, String> {
        match self.rows.len() {
            count if count as u64 > Column::<2>::MOST => {
                Err(format!(" {count} different events are more than a column of two bytes holds"))
            }
            _ => Ok(self.rows),
        }
    }
}
