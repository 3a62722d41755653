use super::measured::Measured;
use super::text::notes;
use crate::commands::samples::About;
use crate::commands::samples::origin::Origin;
#[cfg(test)]
use crate::schema::{Lines, schema_of};
use crate::show;
use counterpoint::memory::{Key, Object, Page, Sums};
use counterpoint::records::Process;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

#[cfg(test)]
pub const LINES: Lines = &[schema_of::<Line<'_>>];

/// The data that a recording accesses.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Line<'a> {
    /// The version of the format: 1.
    schema: u32,
    /// The recorded command, or the file.
    title: &'a str,
    #[serde(flatten)]
    process: &'a Process,
    /// The events of the accesses.
    events: &'a [String],
    #[serde(flatten)]
    all: Counts,
    /// The number of records that the kernel lost.
    lost: u64,
    /// The objects that are accessed.
    objects: Vec<ObjectLine>,
    /// The accesses by event, thread, object, stack, and where the data was found.
    accesses: Vec<AccessLine<'a>>,
    /// The pages with accesses, those with the greatest cost first.
    pages: Vec<PageLine>,
    /// What is not known, in words.
    notes: Vec<String>,
}

/// The sums of some accesses.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Counts {
    /// The number of accesses that were sampled.
    samples: u64,
    /// The number of accesses for which they stand.
    periods: u64,
    /// The sum of the latencies, of which one that was not measured is 1, or of the periods where latencies are not sampled: the order of tables.
    cost: u64,
    /// The mean latency in the unit of the processor, usually cycles; null if none was measured.
    latency: Option<f64>,
    /// The longest latency; null if none was measured.
    longest: Option<u64>,
}

/// An object.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ObjectLine {
    /// `variable`, `data` (of a program or library, without a name), `file`, `heap`, `allocated`, `stack`, `anonymous`, `kernel` or `unknown`.
    kind: &'static str,
    /// Its name.
    name: String,
    /// The program, library or file.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    /// The number of bytes of a variable or of anonymous memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The process of anonymous memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
}

/// Accesses that have all but their addresses in common.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct AccessLine<'a> {
    /// The event.
    event: &'a str,
    /// The process.
    pid: u32,
    /// The thread.
    tid: u32,
    /// The last name of the thread.
    comm: Option<&'a str>,
    /// The index of the object.
    object: usize,
    /// `load`, `store`, `load or store`, `prefetch` or `execute`; null if it is not known, as of page faults.
    operation: Option<&'static str>,
    /// Where the data was found, in the words of perf, such as `L1 hit` and `Local RAM hit`; null if it is not known.
    level: Option<String>,
    /// What other caches said: `None`, `Miss`, `Hit`, `HitM`, `Fwd` or `Peer`; null if it is not known.
    snoop: Option<&'static str>,
    /// Where the translation of the address was found, such as `L1 or L2 hit`; null if it is not known.
    tlb: Option<String>,
    /// True if the line was locked; null if it is not known.
    locked: Option<bool>,
    /// The node of the CPU; null if it is not known.
    cpu_node: Option<u32>,
    /// The node of the data, by its physical address; null if it is not known.
    data_node: Option<u32>,
    #[serde(flatten)]
    counts: Counts,
    /// The functions, the innermost first.
    frames: Vec<Frame<'a>>,
}

/// A function.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Frame<'a> {
    /// Its name.
    function: &'a str,
    /// The file that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<&'a str>,
    /// True if it was inlined into the next one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inlined: bool,
}

/// A page.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct PageLine {
    /// The process; null of pages of the kernel.
    pid: Option<u32>,
    /// Its first address.
    address: u64,
    /// Its size: that which samples say, or 4096.
    bytes: u64,
    /// The index of the object of its first access.
    object: usize,
    #[serde(flatten)]
    counts: Counts,
}

pub fn write(
    out: &mut dyn Write,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured,
) -> io::Result<()> {
    let line = Line {
        schema: 1,
        title: &about.title,
        process: &origin.process,
        events: &measured.events,
        all: counts(&measured.all),
        lost: measured.lost,
        objects: measured.objects.iter().map(object).collect(),
        accesses: measured.sums.iter().map(|of| access(measured, of)).collect(),
        pages: measured.pages.iter().map(page).collect(),
        notes: notes(measured),
    };
    show::json(out, &line)
}

fn counts(sums: &Sums) -> Counts {
    Counts {
        samples: sums.accesses,
        periods: sums.events,
        cost: sums.cost,
        latency: sums.mean_latency(),
        longest: (sums.measured > 0).then_some(sums.longest),
    }
}

pub fn object(of: &Object) -> ObjectLine {
    ObjectLine {
        kind: of.kind(),
        name: of.to_string(),
        module: of.module().map(|path| path.to_string_lossy().into_owned()),
        bytes: match of {
            Object::Variable { addresses, .. } | Object::Anonymous { addresses, .. } => {
                Some(addresses.end.saturating_sub(addresses.start))
            }
            _ => None,
        },
        pid: match of {
            Object::Anonymous { pid, .. } => Some(*pid),
            _ => None,
        },
    }
}

fn access<'m>(measured: &'m Measured, (key, sums): &(Key, Sums)) -> AccessLine<'m> {
    let source = key.source;
    let frames = measured.frames(key.stack).map(|symbol| Frame {
        function: &symbol.function,
        module: symbol.module.as_deref(),
        inlined: symbol.inlined,
    });
    AccessLine {
        event: &measured.all_events[key.event],
        pid: key.pid,
        tid: key.tid,
        comm: measured.threads.get(&key.tid).map(String::as_str),
        object: key.object,
        operation: source.operation().map(|operation| operation.name()),
        level: source.level().map(|level| level.to_string()),
        snoop: source.snoop().map(|snoop| snoop.name()),
        tlb: source.tlb(),
        locked: source.is_locked(),
        cpu_node: key.nodes.0,
        data_node: key.nodes.1,
        counts: counts(sums),
        frames: frames.collect(),
    }
}

fn page(of: &Page) -> PageLine {
    PageLine {
        pid: of.pid,
        address: of.address,
        bytes: of.bytes,
        object: of.object,
        counts: counts(&of.sums),
    }
}
