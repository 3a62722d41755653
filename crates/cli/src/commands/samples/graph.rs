//! The call graph that `--call-graph` asks for.

use super::firefox;
use super::format::Format;
use super::html::INTERVALS;
use crate::failure::Failure;
use counterpoint::profile::{CAN_UNWIND, CallGraph, Profile};

/// The value of `--call-graph`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AskedGraph {
    FramePointers,
    /// Copies of the stack of this many bytes.
    Dwarf(u16),
    Lbr,
}

/// The size of copies of the stack, as perf has it.
const COPIED: u16 = 8192;
/// The greatest size that the kernel accepts.
const MOST_COPIED: u64 = 65528;

pub fn asked_graph(text: &str) -> Result<AskedGraph, String> {
    let (kind, size) = match text.split_once(',') {
        Some((kind, size)) => (kind, Some(size)),
        None => (text, None),
    };
    match (kind, size) {
        ("fp", None) => Ok(AskedGraph::FramePointers),
        ("lbr", None) => Ok(AskedGraph::Lbr),
        ("dwarf", None) => Ok(AskedGraph::Dwarf(COPIED)),
        ("dwarf", Some(size)) => number(size)
            .map(|size| size.saturating_add(7) & !7)
            .filter(|size| (8..=MOST_COPIED).contains(size))
            .and_then(|size| u16::try_from(size).ok())
            .map(AskedGraph::Dwarf)
            .ok_or_else(|| format!("`{size}` is not a size of 8 to {MOST_COPIED} bytes")),
        _ => Err("write fp, dwarf, dwarf,SIZE or lbr".to_string()),
    }
}

/// The call graph for what `--call-graph` asks for.
pub fn call_graph(asked: AskedGraph) -> Result<CallGraph, Failure> {
    Ok(match asked {
        AskedGraph::FramePointers => CallGraph::FramePointers,
        AskedGraph::Dwarf(_) if !CAN_UNWIND => {
            return Err(Failure::new("--call-graph dwarf is for x86-64 and arm64")
                .help("use --call-graph fp"));
        }
        AskedGraph::Dwarf(bytes) => CallGraph::Copies { bytes },
        AskedGraph::Lbr => CallGraph::CallRecords,
    })
}

/// The profile with the stacks that its result shows: with those of each thread over time for a page and for the Firefox Profiler, which have the functions that were inlined also without a call graph, and with those of each thread where its name may be the outermost frame.
pub fn with_stacks(
    profile: Profile,
    graph: Option<CallGraph>,
    format: Format,
    is_page: bool,
) -> Profile {
    let needs_stacks = is_page || format == Format::Firefox;
    let profile = match (graph, needs_stacks) {
        (None, false) => return profile,
        (graph, _) => profile.call_graph(graph.unwrap_or(CallGraph::Innermost)),
    };
    match format {
        _ if is_page => profile.stacks_over_time(INTERVALS),
        Format::Firefox => profile.stacks_over_time(firefox::INTERVALS),
        Format::Folded | Format::Svg => profile.stacks_over_time(1),
        _ => profile,
    }
}

/// A number in decimal, or after `0x` in hexadecimal.
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
