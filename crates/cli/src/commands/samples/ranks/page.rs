//! The ranks on a page: tables of their samples, of what is below calls of MPI, and of their differences.

use super::Ranks;
use super::differences::{Difference, differences, totals};
use super::mpi::Mpi;
use super::text::{sentences, share};
use crate::commands::samples::html::cells::{columns, function, hundredths};
use crate::commands::samples::named::Event;
use crate::page::{Cell, Section, Table};

/// The sections, whose titles `title` makes, and sentences for the head of the page.
pub fn sections(
    event: &Event<'_>,
    ranks: Option<&Ranks<'_>>,
    title: &dyn Fn(&str) -> String,
) -> (Vec<Section>, Vec<String>) {
    let (mut sections, mut notes) = (Vec::new(), Vec::new());
    let stacks = event.profiled.stacks.as_ref();
    let mpi = stacks.and_then(|stacks| Mpi::of(stacks, event.symbols));
    if let Some(ranks) = ranks {
        let below = mpi.as_ref().zip(stacks).and_then(|(mpi, of)| mpi.by_recording(of, ranks));
        sections.push(of_ranks(title("Ranks"), event, ranks, below.as_deref()));
        let differences = differences(&event.full, event.profiled, ranks);
        notes.extend(sentences(&differences, ranks, event.names));
        if !differences.is_empty() {
            sections.push(of_differences(
                title("Differences between ranks"),
                &differences,
                event,
                ranks,
            ));
        }
    }
    sections.extend(mpi.map(|mpi| of_mpi(title("Calls of MPI"), &mpi, event)));
    (sections, notes)
}

fn of_ranks(title: String, event: &Event<'_>, ranks: &Ranks<'_>, below: Option<&[u64]>) -> Section {
    let totals = totals(event.profiled, ranks);
    let row = |(recording, _): (usize, _)| {
        let count = totals[recording];
        let (percent, error) = share(event, count);
        let below = below.filter(|_| count > 0).map(|of| of[recording] as f64 / count as f64);
        let below = below.map_or(Cell::text("-"), |part| hundredths(100.0 * part));
        let name = Cell::text(ranks.name(recording));
        vec![name, Cell::number(count as f64), hundredths(percent), hundredths(error), below]
    };
    Section::Table(Table {
        title,
        columns: columns([
            ("rank", false),
            ("samples", true),
            ("%", true),
            ("± %", true),
            ("% of it below MPI", true),
        ]),
        rows: ranks.all().into_iter().map(row).collect(),
        folded: false,
    })
}

fn of_differences(
    title: String,
    differences: &[Difference],
    event: &Event<'_>,
    ranks: &Ranks<'_>,
) -> Section {
    let row = |of: &Difference| {
        let change = of.comparison.difference;
        vec![
            Cell::text(ranks.name(of.recording)),
            function(event.names, &of.function),
            Cell::text(of.module.as_deref().unwrap_or("")),
            hundredths(100.0 * of.share),
            hundredths(100.0 * of.others),
            hundredths(100.0 * change.estimate),
            hundredths(100.0 * change.margin()),
        ]
    };
    Section::Table(Table {
        title,
        columns: columns([
            ("rank", false),
            ("function", false),
            ("module", false),
            ("%", true),
            ("% in the others", true),
            ("points", true),
            ("± points", true),
        ]),
        rows: differences.iter().take(ROWS).map(row).collect(),
        folded: false,
    })
}

/// The differences that are in the table.
const ROWS: usize = 1000;

fn of_mpi(title: String, mpi: &Mpi, event: &Event<'_>) -> Section {
    let row = |call: &str, caller: Option<&str>, count: u64| {
        let (percent, error) = share(event, count);
        let caller = caller.map_or(Cell::text("[unknown]"), |of| function(event.names, of));
        let count = Cell::number(count as f64);
        vec![function(event.names, call), caller, count, hundredths(percent), hundredths(error)]
    };
    let rows = mpi.calls.iter().flat_map(|call| {
        call.callers.iter().map(|(caller, count)| row(&call.function, caller.as_deref(), *count))
    });
    Section::Table(Table {
        title,
        columns: columns([
            ("call", false),
            ("called by", false),
            ("samples", true),
            ("%", true),
            ("± %", true),
        ]),
        rows: rows.collect(),
        folded: false,
    })
}
