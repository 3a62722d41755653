use super::{Profile, Symbol};
use std::collections::HashMap;

/// The counts of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionCount {
    /// Its name, or the address where none is known; `[elsewhere]` stands for what has no address.
    pub function: String,
    /// The executable or shared object that it is in, where known.
    pub module: Option<String>,
    /// Its samples.
    pub count: u64,
    /// Its part of all samples, in percent.
    pub percent: f64,
    /// The standard error of that part, in percent: what another run of the same program may differ by.
    pub error: f64,
}

/// The counts of a line of source.
#[derive(Clone, PartialEq, Debug)]
pub struct LineCount {
    /// The source file.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// The function that it is part of.
    pub function: String,
    /// Its samples.
    pub count: u64,
    /// Its part of all samples, in percent.
    pub percent: f64,
    /// The standard error of that part, in percent.
    pub error: f64,
}

/// The name of what has no address of its own.
pub(super) const ELSEWHERE: &str = "[elsewhere]";

/// The functions of a profile, those with the most samples first.
///
/// Percentages are of all samples that came, those outside of all regions included.
/// Their error is that of a part p of n independent samples, √(p(1−p)/n).
pub fn functions(profile: &Profile<'_>) -> Vec<FunctionCount> {
    let total = profile.total();
    let mut counts: HashMap<(String, Option<String>), u64> = HashMap::new();
    for bucket in profile.placed() {
        let key = match (profile.symbols)(bucket.first) {
            Some(symbol) => (symbol.function, symbol.module),
            None => (format!("{:#x}", bucket.first), None),
        };
        let sum = counts.entry(key).or_default();
        *sum = sum.saturating_add(bucket.count);
    }
    if profile.unplaced() > 0 {
        counts.insert((ELSEWHERE.to_string(), None), profile.unplaced());
    }
    let mut functions: Vec<FunctionCount> = counts
        .into_iter()
        .map(|((function, module), count)| {
            let (percent, error) = part(count, total);
            FunctionCount { function, module, count, percent, error }
        })
        .collect();
    functions.sort_by(|a, b| {
        b.count.cmp(&a.count).then_with(|| (&a.function, &a.module).cmp(&(&b.function, &b.module)))
    });
    functions
}

/// The lines of a profile that are known, those with the most samples first.
pub fn lines(profile: &Profile<'_>) -> Vec<LineCount> {
    let total = profile.total();
    let mut counts: HashMap<(String, u32, String), u64> = HashMap::new();
    for bucket in profile.placed() {
        let symbol = (profile.symbols)(bucket.first);
        if let Some(Symbol { function, file: Some(file), line: Some(line), .. }) = symbol {
            let sum = counts.entry((file, line, function)).or_default();
            *sum = sum.saturating_add(bucket.count);
        }
    }
    let mut lines: Vec<LineCount> = counts
        .into_iter()
        .map(|((file, line, function), count)| {
            let (percent, error) = part(count, total);
            LineCount { file, line, function, count, percent, error }
        })
        .collect();
    lines.sort_by(|a, b| {
        b.count
            .cmp(&a.count)
            .then_with(|| (&a.file, a.line, &a.function).cmp(&(&b.file, b.line, &b.function)))
    });
    lines
}

/// A part in percent, and its standard error.
fn part(count: u64, total: u64) -> (f64, f64) {
    let percent = super::percent(count, total);
    let p = percent / 100.0;
    (percent, (p * (1.0 - p) / (total.max(1) as f64)).sqrt() * 100.0)
}
