//! The comparison as a page: the calls of both files in one flame graph, in which only a difference that is more than chance has a colour.

use super::sentences::verdict_sentences;
use super::side::Event;
use super::table::Table;
use crate::output::Sink;
use crate::page::{Cell, Column, Difference, Fact, Page, PageFunction, Section};
use crate::show::{grouped, printable};
use counterpoint::symbols::ShortNames;
use counterpoint_compare::{Comparison, Verdict, verdicts};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// The samples that a call needs in both files together: of fewer, no split would be more than chance.
const FEW: u64 = 5;
/// The functions of a table.
const ROWS: usize = 1000;

pub fn write(
    mut sink: Sink,
    tables: &[Table],
    sides: [&[Event]; 2],
    files: [&Path; 2],
) -> io::Result<()> {
    let file = |name, path: &Path| Fact::text(name, printable(&path.to_string_lossy()));
    let facts = vec![file("A", files[0]), file("B", files[1])];
    let (mut sections, mut notes) = (Vec::new(), Vec::new());
    for table in tables {
        let names = ShortNames::new(table.functions());
        notes.extend(verdict_sentences(table, &names));
        let of = |side: usize| sides[side].iter().find(|event| event.name == table.event);
        if let (Some(base), Some(other)) = (of(0), of(1)) {
            sections.extend(difference(&table.event, base, other, table.each.unwrap_or_default()));
        }
        sections.push(functions(table, &names));
    }
    Page { title: "Difference of two profiles".to_string(), facts, notes, sections }
        .write(&mut sink)?;
    sink.publish()
}

/// `None` if a file has no stacks.
fn difference(event: &str, base: &Event, other: &Event, each: [f64; 2]) -> Option<Section> {
    let trees = [base.tree.as_ref()?, other.tree.as_ref()?];
    let all = trees.iter().flat_map(|tree| tree.calls()).map(|call| call.function.as_str());
    let names = ShortNames::new(all);
    let mut page = Difference {
        title: format!("Calls of {}", printable(event)),
        totals: [base.samples, other.samples],
        each,
        ..Difference::default()
    };
    let (mut modules, mut functions, mut known) = (HashMap::new(), HashMap::new(), HashMap::new());
    for (side, tree) in trees.into_iter().enumerate() {
        let mut of: Vec<usize> = Vec::new();
        for call in tree.calls() {
            let module = call.module.as_deref().unwrap_or("");
            let module = *modules.entry(module).or_insert_with(|| {
                page.modules.push(module.to_string());
                page.modules.len() - 1
            });
            // Two versions of a program may be in files of different names.
            let function = *functions.entry(call.function.as_str()).or_insert_with(|| {
                let name = names.short(&call.function).to_string();
                let full = (name != call.function).then(|| call.function.clone());
                page.functions.push(PageFunction { name, full, module, inlined: call.inlined });
                page.functions.len() - 1
            });
            let caller = call.caller.map(|caller| of[caller]);
            let index = *known.entry((caller, function)).or_insert_with(|| {
                page.calls.push(function);
                page.callers.push(caller.map_or(-1, |caller| caller as i64));
                page.counts.push([0, 0]);
                page.calls.len() - 1
            });
            page.counts[index][side] += call.whole();
            of.push(index);
        }
    }
    page.verdicts = judged(&page.counts, page.totals);
    Some(Section::Difference(Box::new(page)))
}

/// For each call: 1 for more in the second file, -1 for less, 0 for no difference that is more than chance.
fn judged(counts: &[[u64; 2]], totals: [u64; 2]) -> Vec<i8> {
    let compare = |(call, of): (usize, &[u64; 2])| {
        let comparison = Comparison::of_shares((of[0], totals[0]), (of[1], totals[1]))?;
        (of[0] + of[1] >= FEW).then_some((call, comparison))
    };
    let (calls, compared): (Vec<usize>, Vec<Comparison>) =
        counts.iter().enumerate().filter_map(compare).unzip();
    let mut all = vec![0; counts.len()];
    for (call, verdict) in calls.into_iter().zip(verdicts(&compared)) {
        all[call] = match verdict {
            Verdict::More => 1,
            Verdict::Less => -1,
            Verdict::Uncertain | Verdict::NoDifference => 0,
        };
    }
    all
}

fn functions(table: &Table, names: &ShortNames) -> Section {
    let columns = [
        ("function", false),
        ("module", false),
        ("A", true),
        ("A %", true),
        ("B", true),
        ("B %", true),
        ("B − A", true),
        ("verdict", false),
    ];
    let hundredths =
        |value: f64| Cell { text: format!("{value:.2}"), value: Some(value), ..Cell::default() };
    let rows = table.rows.iter().take(ROWS).map(|row| {
        let short = names.short(&row.function);
        let title = (short != row.function).then(|| row.function.clone());
        let module = row.module.as_deref().unwrap_or("");
        let mut cells = vec![Cell { title, ..Cell::text(short) }, Cell::text(module)];
        for side in [0, 1] {
            let count = row.counts[side].unwrap_or(0);
            let share = row.share(side, table.samples).map_or(0.0, |(percent, _)| percent);
            cells.extend([Cell::number(count as f64), hundredths(share)]);
        }
        cells.push(hundredths(100.0 * row.comparison.difference.estimate));
        cells.push(Cell::text(super::text::verdict(row.verdict)));
        cells
    });
    let count = table.rows.len();
    let title = if count > ROWS {
        format!("Functions: the first {} of {}", grouped(ROWS as i128), grouped(count as i128))
    } else {
        "Functions".to_string()
    };
    let columns = columns.map(|(name, number)| Column { name, number }).to_vec();
    Section::Table(crate::page::Table { title, columns, rows: rows.collect(), folded: false })
}
