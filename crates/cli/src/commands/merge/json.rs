//! Merged reports as JSON lines.

use crate::records::Last;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::records::Status;
use counterpoint::records::{MemberValue, MergedRow, MergedSpread, MergedSummary};
use counterpoint_report::merge::By;
use counterpoint_report::merge::Member;
use counterpoint_report::merge::{Cell, EventCells, Extremes, Merged, Total};
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<MergedRow<'_>>, schema_of::<Last<MergedSummary<'_>>>];

pub fn write(out: &mut impl Write, merged: &Merged, by: By) -> io::Result<()> {
    for row in &merged.rows {
        let members = || row.cells.iter().map(|(at, cell)| value(&merged.members[*at], cell));
        let mut record = record(row, merged);
        match by {
            By::Rank => record.per_rank = members().collect(),
            By::Node => record.per_node = members().collect(),
            By::Socket => record.per_socket = members().collect(),
            // The row of all threads has them.
            By::Thread if row.is_of_thread_number() => {}
            By::Thread => record.per_thread = members().collect(),
        }
        show::json(out, &record)?;
    }
    show::json(
        out,
        &Last::new(MergedSummary {
            reports: merged.reports,
            processes: &merged.sources,
            repeated_ranks: merged.repeated_ranks.iter().copied().collect(),
            missing_ranks: &merged.missing,
            differences: &merged.differences,
        }),
    )
}

/// A row without the values of its members.
pub fn record<'m>(row: &'m EventCells, merged: &'m Merged) -> MergedRow<'m> {
    let (value, status, coverage, reason) = match row.total(merged) {
        Total::Sum { amount, status, coverage } => (Some(amount), status, coverage, None),
        Total::Missing { status, reason, .. } => (None, status, None, Some(reason)),
    };
    MergedRow {
        key: &row.key,
        calls: row.calls(),
        value,
        status,
        coverage,
        reason,
        processes: row.cells.iter().filter(|(_, cell)| !cell.is_absent).count(),
        spread: row.extremes().map(|extremes| spread(&extremes, &merged.members)),
        per_rank: Vec::new(),
        per_node: Vec::new(),
        per_socket: Vec::new(),
        per_thread: Vec::new(),
    }
}

/// The value of one member.
pub fn value<'m>(member: &'m Member, cell: &'m Cell) -> MemberValue<'m> {
    MemberValue {
        process: &member.process,
        socket: member.socket,
        thread: member.thread,
        file: member.file.as_deref(),
        value: cell.amount,
        status: cell.status,
        coverage: cell.coverage.filter(|_| cell.status == Status::Estimated),
        reason: cell.reason.as_deref(),
    }
}

fn spread<'m>(extremes: &Extremes, members: &'m [Member]) -> MergedSpread<'m> {
    let [min, max] = [&extremes.min, &extremes.max].map(|(member, _)| &members[*member]);
    MergedSpread {
        min: extremes.min.1,
        min_rank: min.process.rank,
        min_host: min.process.host.as_deref(),
        min_socket: min.socket,
        min_thread: min.thread,
        min_pid: min.process.pid,
        min_file: min.file.as_deref(),
        mean: extremes.mean,
        max: extremes.max.1,
        max_rank: max.process.rank,
        max_host: max.process.host.as_deref(),
        max_socket: max.socket,
        max_thread: max.thread,
        max_pid: max.process.pid,
        max_file: max.file.as_deref(),
        imbalance: extremes.imbalance(),
    }
}
