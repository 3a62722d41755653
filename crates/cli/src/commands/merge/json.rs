//! Merged reports as JSON lines.

use super::merged::{Cell, Merged, Row, Total};
use crate::records::{Last, MergedRow, MergedSummary, RankValue, Status};
use crate::show;
use std::io::{self, Write};

pub fn write(out: &mut impl Write, merged: &Merged) -> io::Result<()> {
    for row in merged.rows() {
        show::json(out, &record(row))?;
    }
    show::json(out, &Last::new(MergedSummary { reports: merged.reports() }))
}

fn record(row: &Row) -> MergedRow<'_> {
    let (value, status, coverage, reason) = match row.total() {
        Total::Sum { amount, coverage } => {
            let status = if coverage < 1.0 { Status::Estimated } else { Status::Counted };
            (Some(amount), status, Some(coverage), None)
        }
        Total::Missing { status, reason, .. } => (None, status, None, Some(reason)),
    };
    MergedRow {
        key: &row.key,
        calls: row.calls(),
        value,
        status,
        coverage,
        reason,
        ranks: row.cells.len(),
        spread: row.spread(),
        per_rank: row.cells.iter().map(rank_value).collect(),
    }
}

fn rank_value((rank, cell): &(u64, Cell)) -> RankValue<'_> {
    let (value, status, reason) = (cell.amount, cell.status, cell.reason.as_deref());
    RankValue { rank: *rank, value, status, reason }
}
