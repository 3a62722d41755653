use super::json::{ObjectLine, object};
use super::lines_text::{Part, notes, parts};
use super::measured::Measured;
use crate::commands::samples::About;
use crate::commands::samples::origin::Origin;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::memory::{Line as Shared, LineSums};
use counterpoint::records::Process;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// The lines of the cache that the threads of a recording share.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The file.
    title: &'a str,
    #[serde(flatten)]
    process: &'a Process,
    /// The events of the accesses.
    events: &'a [String],
    /// The number of accesses.
    samples: u64,
    /// The number of records that the kernel lost.
    lost: u64,
    /// The size of a line in bytes.
    line_bytes: u64,
    /// The lines: those with the most loads that found them changed in another cache first.
    lines: Vec<LineLine>,
    /// What is not known, in words.
    notes: Vec<String>,
}

/// A line.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct LineLine {
    /// Its first address, in this process.
    address: u64,
    /// The process of its first access; null of lines of the kernel.
    pid: Option<u32>,
    /// The object of its first part.
    object: ObjectLine,
    /// The place of that part in the object, in bytes.
    object_offset: u64,
    #[serde(flatten)]
    counts: Counts,
    /// The threads that change it.
    writers: Vec<u32>,
    /// The threads that read it.
    readers: Vec<u32>,
    /// True if each part is accessed by one thread only.
    false_sharing: bool,
    /// Its parts, by offset and function.
    parts: Vec<PartLine>,
}

/// The accesses of a function to a part of a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct PartLine {
    /// The offset in the line, in bytes.
    offset: u64,
    /// The function.
    function: String,
    /// The file that contains it; empty if it is not known.
    module: String,
    #[serde(flatten)]
    counts: Counts,
    /// The threads.
    threads: Vec<u32>,
}

/// The numbers of accesses.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Counts {
    /// All.
    accesses: u64,
    /// Loads.
    loads: u64,
    /// Stores, and accesses that may be.
    stores: u64,
    /// Loads that found the line changed in a cache of this node.
    local_hitm: u64,
    /// Loads that found it changed in a cache of another node.
    remote_hitm: u64,
    /// Loads that got it from a cache of the same level.
    peer: u64,
    /// The mean latency of loads; null if none was measured.
    latency: Option<f64>,
}

pub fn write(
    out: &mut dyn Write,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured,
) -> io::Result<()> {
    let lines = measured.lines.iter().zip(&measured.of_lines);
    let line = Line {
        schema: 1,
        title: &about.title,
        process: &origin.process,
        events: &measured.events,
        samples: measured.all.accesses,
        lost: measured.lost,
        line_bytes: measured.line_bytes,
        lines: lines.map(|(line, of)| shared(measured, line, *of)).collect(),
        notes: notes(measured),
    };
    show::json(out, &line)
}

fn shared(measured: &Measured, line: &Shared, (number, object_offset): (usize, u64)) -> LineLine {
    let part = |Part { offset, function, module, sums, threads }: Part| PartLine {
        offset,
        function,
        module,
        counts: counts(&sums),
        threads: threads.into_iter().collect(),
    };
    LineLine {
        address: line.address,
        pid: line.pid,
        object: object(&measured.objects[number]),
        object_offset,
        counts: counts(&line.sums),
        writers: line.writers().iter().copied().collect(),
        readers: line.readers().iter().copied().collect(),
        false_sharing: line.is_false_sharing(),
        parts: parts(measured, line).into_iter().map(part).collect(),
    }
}

fn counts(sums: &LineSums) -> Counts {
    Counts {
        accesses: sums.accesses,
        loads: sums.loads,
        stores: sums.stores,
        local_hitm: sums.local_hitm,
        remote_hitm: sums.remote_hitm,
        peer: sums.peer,
        latency: sums.mean_latency(),
    }
}
