//! Merged reports as CSV: a line for each row or, if members are requested, for each value of one.

use super::json;
use super::merged::Merged;
use crate::csv::{Plain, lines};
use crate::merged_records::{Key, MemberValue, MergedRow};
use crate::records::{Amount, Status};
use serde::Serialize;
use std::io::{self, Write};

/// `has_members` if there is a line for each rank, node or socket.
pub fn write(
    out: &mut impl Write,
    merged: &Merged,
    separator: u8,
    has_members: bool,
) -> io::Result<()> {
    for (index, row) in merged.rows.iter().enumerate() {
        let has_headers = index == 0;
        let values = row.cells.iter().map(|(at, cell)| json::value(&merged.members[*at], cell));
        let text = match has_members {
            true => lines(separator, has_headers, values.map(|value| Of::new(&row.key, &value)))?,
            false => lines(separator, has_headers, [Columns::new(&json::record(row, merged))])?,
        };
        // Written in one piece, so that the escaping of control characters does not see half of one.
        out.write_all(&text)?;
    }
    Ok(())
}

/// The columns of a row, in their order.
#[derive(Serialize)]
struct Columns<'a> {
    event: &'a str,
    canonical: Option<&'a str>,
    region: Option<&'a str>,
    calls: Option<u64>,
    value: Option<Amount>,
    status: Status,
    unit: Option<&'a str>,
    coverage: Option<Plain>,
    cpu: Option<u32>,
    thread: Option<u32>,
    comm: Option<&'a str>,
    core: Option<u32>,
    socket: Option<u32>,
    die: Option<u32>,
    node: Option<u32>,
    cache_level: Option<u8>,
    cache: Option<u32>,
    cgroup: Option<&'a str>,
    processes: usize,
    min: Option<Amount>,
    min_rank: Option<u64>,
    min_host: Option<&'a str>,
    min_socket: Option<u32>,
    min_file: Option<&'a str>,
    mean: Option<Plain>,
    max: Option<Amount>,
    max_rank: Option<u64>,
    max_host: Option<&'a str>,
    max_socket: Option<u32>,
    max_file: Option<&'a str>,
    imbalance: Option<Plain>,
    reason: Option<String>,
}

impl<'a> Columns<'a> {
    fn new(row: &MergedRow<'a>) -> Columns<'a> {
        let (key, spread) = (row.key, row.spread.as_ref());
        Columns {
            event: &key.event,
            canonical: key.canonical.as_deref(),
            region: key.region.as_deref(),
            calls: row.calls,
            value: row.value,
            status: row.status,
            unit: key.unit.as_deref(),
            coverage: row.coverage.map(Plain),
            cpu: key.location.cpu,
            thread: key.location.thread,
            comm: key.location.comm.as_deref(),
            core: key.location.core,
            socket: key.location.socket,
            die: key.location.die,
            node: key.location.node,
            cache_level: key.location.cache_level,
            cache: key.location.cache,
            cgroup: key.location.cgroup.as_deref(),
            processes: row.processes,
            min: spread.map(|spread| spread.min),
            min_rank: spread.and_then(|spread| spread.min_rank),
            min_host: spread.and_then(|spread| spread.min_host),
            min_socket: spread.and_then(|spread| spread.min_socket),
            min_file: spread.and_then(|spread| spread.min_file),
            mean: spread.map(|spread| Plain(spread.mean)),
            max: spread.map(|spread| spread.max),
            max_rank: spread.and_then(|spread| spread.max_rank),
            max_host: spread.and_then(|spread| spread.max_host),
            max_socket: spread.and_then(|spread| spread.max_socket),
            max_file: spread.and_then(|spread| spread.max_file),
            imbalance: spread.and_then(|spread| spread.imbalance).map(Plain),
            reason: row.reason.clone(),
        }
    }
}

/// The columns of the value of one rank, node or socket.
#[derive(Serialize)]
struct Of<'a> {
    event: &'a str,
    canonical: Option<&'a str>,
    region: Option<&'a str>,
    value: Option<Amount>,
    status: Status,
    unit: Option<&'a str>,
    coverage: Option<Plain>,
    job: Option<&'a str>,
    rank: Option<u64>,
    host: Option<&'a str>,
    pid: Option<u32>,
    file: Option<&'a str>,
    cpu: Option<u32>,
    thread: Option<u32>,
    comm: Option<&'a str>,
    core: Option<u32>,
    socket: Option<u32>,
    die: Option<u32>,
    node: Option<u32>,
    cache_level: Option<u8>,
    cache: Option<u32>,
    cgroup: Option<&'a str>,
    reason: Option<&'a str>,
}

impl<'a> Of<'a> {
    fn new(key: &'a Key, value: &MemberValue<'a>) -> Of<'a> {
        Of {
            event: &key.event,
            canonical: key.canonical.as_deref(),
            region: key.region.as_deref(),
            value: value.value,
            status: value.status,
            unit: key.unit.as_deref(),
            coverage: value.coverage.map(Plain),
            job: value.process.job.as_deref(),
            rank: value.process.rank,
            host: value.process.host.as_deref(),
            pid: value.process.pid,
            file: value.file,
            cpu: key.location.cpu,
            thread: key.location.thread,
            comm: key.location.comm.as_deref(),
            core: key.location.core,
            socket: key.location.socket.or(value.socket),
            die: key.location.die,
            node: key.location.node,
            cache_level: key.location.cache_level,
            cache: key.location.cache,
            cgroup: key.location.cgroup.as_deref(),
            reason: value.reason,
        }
    }
}
