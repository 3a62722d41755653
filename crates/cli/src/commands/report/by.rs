//! Samples by process, thread, thread name or CPU.

use super::names::Names;
use crate::show;
use clap::ValueEnum;
use counterpoint::perf::records::Sample;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Key {
    /// The process
    Pid,
    /// The thread
    Tid,
    /// The name of the thread
    Comm,
    /// The CPU
    Cpu,
}

/// The number of samples with each key.
#[derive(Default)]
pub struct Counts(BTreeMap<String, u64>);

impl Counts {
    pub fn add(&mut self, key: Key, sample: &Sample<'_>, names: &Names) {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let text = match key {
            Key::Pid => number(sample.pid),
            Key::Tid => number(sample.tid),
            Key::Comm => names.of(sample).map(str::to_string),
            Key::Cpu => number(sample.cpu),
        };
        *self.0.entry(text.unwrap_or_else(|| "[unknown]".to_string())).or_default() += 1;
    }

    /// Writes the table, the greatest number first.
    pub fn write(&self, out: &mut dyn Write, key: Key, event: &str) -> io::Result<()> {
        let total: u64 = self.0.values().sum();
        let title = match key {
            Key::Pid => "process",
            Key::Tid => "thread",
            Key::Comm => "name of the thread",
            Key::Cpu => "CPU",
        };
        let width = total.to_string().len().max("samples".len());
        writeln!(out, "\n {}: {total} samples\n", show::printable(event))?;
        writeln!(out, "   part   error  {:>width$}  {title}", "samples")?;
        let mut rows: Vec<_> = self.0.iter().collect();
        rows.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), *name));
        for (name, count) in rows {
            let part = *count as f64 / total as f64;
            let (percent, error) =
                (100.0 * part, 100.0 * (part * (1.0 - part) / total as f64).sqrt());
            let name = show::printable(name);
            writeln!(out, "{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}  {name}")?;
        }
        Ok(())
    }
}
