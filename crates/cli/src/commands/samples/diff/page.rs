//! The comparison as a page: the calls of both sides in one flame graph, in which only a difference that is more than noise has a colour.

use super::judge::Counts;
use super::run::Event;
use super::sentences::verdict_sentences;
use super::side::{Design, Side};
use super::table::{self, Table};
use crate::output::Sink;
use crate::page::{Cell, Column, Difference, Fact, Page, PageFunction, Section};
use crate::show::{grouped, printable};
use counterpoint::symbols::ShortNames;
use counterpoint_compare::Verdict;
use std::collections::HashMap;
use std::io;

/// The functions of a table.
const ROWS: usize = 1000;

pub fn write(mut sink: Sink, tables: &[Table], sides: &[Side; 2]) -> io::Result<()> {
    let side = |name, of: &Side| Fact::text(name, printable(&of.title));
    let mut facts = vec![side("A", &sides[0]), side("B", &sides[1])];
    if sides.iter().any(|side| side.runs.len() > 1) {
        let [base, other] = sides.each_ref().map(|side| side.runs.len());
        facts.push(Fact::text("runs", format!("{base} of A and {other} of B")));
    }
    let notes = tables.iter().flat_map(|table| {
        let names = ShortNames::new(table.functions());
        verdict_sentences(table, &names)
    });
    let (notes, sections) = (notes.collect(), sections(tables, sides));
    Page { title: "Difference of two profiles".to_string(), facts, notes, sections }
        .write(&mut sink)?;
    sink.publish()
}

/// The calls of each event, if they were counted, and its functions.
pub fn sections(tables: &[Table], sides: &[Side; 2]) -> Vec<Section> {
    let of_event = |table: &Table| {
        let of = |side: usize| table::of(&sides[side], &table.event);
        let runs = of(0).zip(of(1));
        let calls = runs.and_then(|(base, other)| difference(table, [base, other]));
        let names = ShortNames::new(table.functions());
        calls.into_iter().chain([functions(table, &names)])
    };
    tables.iter().flat_map(of_event).collect()
}

/// `None` if a run has no stacks.
fn difference(table: &Table, sides: [Vec<&Event>; 2]) -> Option<Section> {
    let trees = || sides.iter().flatten().map(|event| event.tree.as_ref());
    let trees: Vec<_> = trees().collect::<Option<_>>()?;
    let all = trees.iter().flat_map(|tree| tree.calls()).map(|call| call.function.as_str());
    let names = ShortNames::new(all);
    let runs = table.totals.each_ref().map(Vec::len);
    let mut page = Difference {
        title: format!("Calls of {}", printable(&table.event)),
        totals: [table.count(0), table.count(1)],
        each: table.each.unwrap_or_default(),
        runs: (table.design != Design::Shares).then_some(runs),
        ..Difference::default()
    };
    let mut counts: Vec<Counts> = Vec::new();
    let (mut modules, mut functions, mut known) = (HashMap::new(), HashMap::new(), HashMap::new());
    for (nth, tree) in trees.into_iter().enumerate() {
        let (side, run) = if nth < runs[0] { (0, nth) } else { (1, nth - runs[0]) };
        let mut of: Vec<usize> = Vec::new();
        for call in tree.calls() {
            let module = call.module.as_deref().unwrap_or("");
            let module = *modules.entry(module).or_insert_with(|| {
                page.modules.push(module.to_string());
                page.modules.len() - 1
            });
            // Two versions of a program may be in files of different names.
            let function = *functions.entry(call.function.as_str()).or_insert_with(|| {
                let function = PageFunction::new(&names, &call.function, module, call.inlined);
                page.functions.push(function);
                page.functions.len() - 1
            });
            let caller = call.caller.map(|caller| of[caller]);
            let index = *known.entry((caller, function)).or_insert_with(|| {
                page.calls.push(function);
                page.callers.push(caller.map_or(-1, |caller| caller as i64));
                counts.push(runs.map(|runs| vec![0; runs]));
                page.calls.len() - 1
            });
            counts[index][side][run] += call.whole();
            of.push(index);
        }
    }
    page.verdicts = table.judge().verdicts(counts.iter()).into_iter().map(sign).collect();
    page.counts = counts.iter().map(|of| of.each_ref().map(|runs| runs.iter().sum())).collect();
    Some(Section::Difference(Box::new(page)))
}

/// 1 for more in B, -1 for less, 0 for no difference that is more than noise.
fn sign(verdict: Option<Verdict>) -> i8 {
    match verdict {
        Some(Verdict::More) => 1,
        Some(Verdict::Less) => -1,
        Some(Verdict::Uncertain | Verdict::NoDifference) | None => 0,
    }
}

fn functions(table: &Table, names: &ShortNames) -> Section {
    let is_shares = table.design == Design::Shares;
    let amount = match (is_shares, table.each) {
        (true, _) => ["A", "B"],
        (_, Some(_)) => ["A ms", "B ms"],
        (_, None) => ["A a run", "B a run"],
    };
    let columns = [
        ("function", false),
        ("module", false),
        (amount[0], true),
        ("A %", true),
        (amount[1], true),
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
            let count = row.count(side).unwrap_or(0);
            let share = row.share(side, table).map_or(0.0, |(percent, _)| percent);
            let amount = if is_shares {
                Cell::number(count as f64)
            } else {
                hundredths(table.amount(side, count))
            };
            cells.extend([amount, hundredths(share)]);
        }
        cells.push(hundredths(table.change(row.comparison.difference.estimate)));
        cells.push(Cell::text(super::text::verdict(row.verdict)));
        cells
    });
    let count = table.rows.len();
    let title = if count > ROWS {
        format!("Functions: the first {} of {}", grouped(ROWS as i128), grouped(count as i128))
    } else {
        "Functions".to_string()
    };
    let columns = columns.map(|(name, number)| Column { name: name.into(), number }).to_vec();
    Section::Table(crate::page::Table { title, columns, rows: rows.collect(), folded: false })
}
