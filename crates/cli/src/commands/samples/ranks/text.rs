//! The ranks for people: their samples, what is below calls of MPI, and in what they differ.

use super::Ranks;
use super::differences::{Difference, differences, totals};
use super::mpi::Mpi;
use crate::commands::samples::named::Event;
use crate::show::{cut, printable};
use counterpoint::profil::write::{TableSize, share_error};
use counterpoint::symbols::ShortNames;
use std::io::{self, Write};

/// The differences that are named.
const NAMED: usize = 5;

pub fn write(
    out: &mut dyn Write,
    event: &Event<'_>,
    ranks: Option<&Ranks<'_>>,
    size: &TableSize,
) -> io::Result<()> {
    let stacks = event.profiled.stacks.as_ref();
    let mpi = stacks.and_then(|stacks| Mpi::of(stacks, event.symbols));
    if let Some(mpi) = &mpi {
        calls(out, mpi, event, size)?;
    }
    let Some(ranks) = ranks else { return Ok(()) };
    let totals = totals(event.profiled, ranks);
    let below = mpi.zip(stacks).and_then(|(mpi, stacks)| mpi.by_recording(stacks, ranks));
    table(out, event, ranks, (&totals, below.as_deref()), size)?;
    let differences = differences(&event.full, event.profiled, ranks);
    writeln!(out)?;
    for text in sentences(&differences, ranks, event.names) {
        writeln!(out, "{}", printable(&text))?;
    }
    Ok(())
}

/// A function of MPI in a row, and the functions that call it below.
fn calls(out: &mut dyn Write, mpi: &Mpi, event: &Event<'_>, size: &TableSize) -> io::Result<()> {
    let unit = event.full.unit();
    let width = event.full.snapshot.total().to_string().len().max(unit.len());
    let head = format!("   part   error  {unit:>width$}  below MPI");
    writeln!(out, "\n{head}")?;
    let mut line = |count: u64, name: &str| {
        let (percent, error) = share(event, count);
        let text = format!("{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}  {}", printable(name));
        writeln!(out, "{}", cut(&text, size.columns))
    };
    let is_shown = |count: u64| share(event, count).0 >= size.percent;
    line(mpi.count, "all calls")?;
    for call in mpi.calls.iter().take(size.rows).filter(|call| is_shown(call.count)) {
        line(call.count, &format!("  {}", event.names.short(&call.function)))?;
        for (caller, count) in call.callers.iter().take(CALLERS).filter(|(_, of)| is_shown(*of)) {
            let caller = caller.as_deref().map_or("[unknown]", |of| event.names.short(of));
            line(*count, &format!("    called by {caller}"))?;
        }
    }
    Ok(())
}

/// The callers of a function of MPI that are shown.
const CALLERS: usize = 5;

/// The samples of each rank, and their part below MPI.
fn table(
    out: &mut dyn Write,
    event: &Event<'_>,
    ranks: &Ranks<'_>,
    (totals, below): (&[u64], Option<&[u64]>),
    size: &TableSize,
) -> io::Result<()> {
    let unit = event.full.unit();
    let most = totals.iter().max().copied().unwrap_or(0);
    let width = most.to_string().len().max(unit.len());
    let heading = if below.is_some() { "  below MPI" } else { "" };
    writeln!(out, "\n   part   error  {unit:>width$}{heading}  rank")?;
    let all = ranks.all();
    for (recording, _) in all.iter().take(size.rows) {
        let count = totals[*recording];
        let (percent, error) = share(event, count);
        let below = below.map_or(String::new(), |below| match count {
            0 => format!("  {:>9}", "-"),
            _ => format!("  {:>8.2}%", 100.0 * below[*recording] as f64 / count as f64),
        });
        let name = ranks.name(*recording);
        let name = printable(&name);
        let text = format!("{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}{below}  {name}");
        writeln!(out, "{}", cut(&text, size.columns))?;
    }
    match all.len().saturating_sub(size.rows) {
        0 => Ok(()),
        1 => writeln!(out, "        … and 1 more rank"),
        more => writeln!(out, "        … and {more} more ranks"),
    }
}

/// What the differences say.
pub fn sentences(differences: &[Difference], ranks: &Ranks<'_>, names: &ShortNames) -> Vec<String> {
    if differences.is_empty() {
        return vec![
            "no function was found whose share differs between the ranks by more than chance"
                .to_string(),
        ];
    }
    let sentence = |of: &Difference| {
        let change = of.comparison.difference;
        let (points, margin) = (100.0 * change.estimate, 100.0 * change.margin());
        let word = if points > 0.0 { "more" } else { "fewer" };
        let (rank, function) = (ranks.name(of.recording), names.short(&of.function));
        let (own, others) = (100.0 * of.share, 100.0 * of.others);
        format!(
            "{rank} spends {:.1} ± {margin:.1} points {word} in {function} than the others: {own:.1}% in place of {others:.1}%",
            points.abs()
        )
    };
    let mut sentences: Vec<String> = differences.iter().take(NAMED).map(sentence).collect();
    let more = differences.len().saturating_sub(NAMED);
    if more > 0 {
        sentences.push(format!(
            "{more} more differences are greater than chance: --format json and --html have all"
        ));
    }
    sentences
}

/// The share in percent of all samples, and its standard error.
pub fn share(event: &Event<'_>, count: u64) -> (f64, f64) {
    let snapshot = &event.profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    let part = if total == 0 { 0.0 } else { count.min(total) as f64 / total as f64 };
    (100.0 * part, 100.0 * share_error(part, snapshot.effective_samples()))
}
