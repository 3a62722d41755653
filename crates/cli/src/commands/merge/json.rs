//! Merged reports as JSON lines.

use super::merged::{Cell, Merged, Row, Total};
use crate::records::{Last, MergedRow, MergedSummary, RankValue, Source, Status};
use crate::show;
use std::io::{self, Write};

pub fn write(out: &mut impl Write, merged: &Merged) -> io::Result<()> {
    for row in &merged.rows {
        show::json(out, &record(row, merged))?;
    }
    show::json(
        out,
        &Last::new(MergedSummary {
            reports: merged.reports,
            processes: &merged.sources,
            repeated_ranks: merged.repeated_ranks.iter().copied().collect(),
        }),
    )
}

fn record<'m>(row: &'m Row, merged: &'m Merged) -> MergedRow<'m> {
    let (value, status, coverage, reason) = match row.total(merged) {
        Total::Sum { amount, coverage } => {
            let status = if coverage < 1.0 { Status::Estimated } else { Status::Counted };
            (Some(amount), status, Some(coverage), None)
        }
        Total::Missing { status, reason, .. } => (None, status, None, Some(reason)),
    };
    let sources = &merged.sources;
    MergedRow {
        key: &row.key,
        calls: row.calls(),
        value,
        status,
        coverage,
        reason,
        processes: row.cells.len(),
        spread: row.extremes().map(|extremes| extremes.record(sources)),
        per_rank: row
            .cells
            .iter()
            .map(|(source, cell)| rank_value(&sources[*source], cell))
            .collect(),
    }
}

fn rank_value<'m>(source: &'m Source, cell: &'m Cell) -> RankValue<'m> {
    let (value, status, reason) = (cell.amount, cell.status, cell.reason.as_deref());
    RankValue { process: &source.process, file: source.file_if_unranked(), value, status, reason }
}
