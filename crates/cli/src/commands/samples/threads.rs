//! The threads of a profile, with their names.

use super::ranks::Ranks;
use super::shown::Shown;
use crate::show::printable;
use counterpoint::profil::write::{TableSize, share_error};
use counterpoint::profile::{Profiled, ThreadSamples};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The samples of a thread.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Thread {
    /// The process.
    pid: u32,
    /// The thread.
    tid: u32,
    /// The name of the thread, or else that of its process.
    comm: Option<String>,
    /// The rank, of several recordings.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    /// The node, of several recordings.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// Its samples, or what else counts are (`unit`).
    samples: u64,
}

/// Writes the threads with the most samples, if there are several.
pub fn write(
    out: &mut dyn Write,
    args: &Shown<'_>,
    profiled: &Profiled,
    size: &TableSize,
) -> io::Result<()> {
    let threads = profiled.threads.as_ref().map_or(&[][..], |of| &of.threads);
    if threads.len() < 2 {
        return Ok(());
    }
    let total = profiled.snapshot.total().saturating_add(profiled.snapshot.outside);
    let unit = if profiled.by_events { "events" } else { "samples" };
    let width = total.to_string().len().max(unit.len());
    writeln!(out, "\n   part   error  {unit:>width$}  thread")?;
    let percent = |of: &ThreadSamples| share(profiled, of.samples()).0;
    let shown = threads.iter().take(size.rows).take_while(|of| percent(of) >= size.percent).count();
    for of in &threads[..shown] {
        let count = of.samples();
        let (percent, error) = share(profiled, count);
        let name = name(of, args.ranks);
        let name = printable(&name);
        writeln!(out, "{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}  {name}")?;
    }
    match threads.len() - shown {
        0 => Ok(()),
        1 => writeln!(out, "        … and 1 more thread"),
        more => writeln!(out, "        … and {more} more threads"),
    }
}

/// The share in percent of the samples of a thread, and its standard error.
pub fn share(profiled: &Profiled, count: u64) -> (f64, f64) {
    let snapshot = &profiled.snapshot;
    let total = snapshot.total().saturating_add(snapshot.outside);
    let part = if total == 0 { 0.0 } else { count.min(total) as f64 / total as f64 };
    let error = share_error(part, snapshot.effective_samples());
    (100.0 * part, 100.0 * error)
}

/// For JSON.
pub fn json(args: &Shown<'_>, profiled: &Profiled) -> Vec<Thread> {
    let rank = |of: &ThreadSamples| args.ranks.and_then(|ranks| ranks.of(of.pid));
    let thread = |of: &ThreadSamples| Thread {
        pid: args.own_id(of.pid),
        tid: args.own_id(of.tid),
        comm: of.name.clone(),
        rank: rank(of).and_then(|rank| rank.number),
        node: rank(of).and_then(|rank| rank.node.clone()),
        samples: of.samples(),
    };
    profiled.threads.iter().flat_map(|of| &of.threads).map(thread).collect()
}

/// As perf writes it: the name, the process and the thread; of several recordings after the rank.
pub fn name(of: &ThreadSamples, ranks: Option<&Ranks<'_>>) -> String {
    let id = |id| ranks.map_or(id, |ranks| ranks.own_id(id));
    let ids = format!("{}/{}", id(of.pid), id(of.tid));
    let name = match &of.name {
        // The kernel's idle thread of a CPU.
        Some(name) if of.tid == 0 => name.clone(),
        Some(name) => format!("{name} {ids}"),
        None => ids,
    };
    match ranks.and_then(|ranks| ranks.recording(of.pid).map(|recording| ranks.name(recording))) {
        Some(rank) => format!("{rank}: {name}"),
        None => name,
    }
}
