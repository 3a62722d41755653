//! Facts about the machine and the recording: the sections of features.

use super::event::Event;
use super::fields::Fields;
use super::layout::feature;
use super::node_memory;
use super::tracing::{Tracepoint, Tracing};
use std::ops::Range;

/// The statements of a file about the machine and the recording; empty where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The name of the machine.
    pub hostname: String,
    /// The release of its kernel.
    pub os_release: String,
    /// The version of the program that recorded.
    pub version: String,
    /// The architecture, as `uname -m` has it.
    pub arch: String,
    /// The kind of its processor in the words of perf: on Arm, the number of the register `MIDR_EL1`.
    pub cpuid: String,
    /// The CPUs that are available and that are online.
    pub cpus: Option<(u32, u32)>,
    /// The command with its arguments.
    pub command_line: Vec<String>,
    /// The times of the first and of the last sample.
    pub sample_time: Option<(u64, u64)>,
    /// The rank of the process that recorded in its parallel job, and the number of ranks, 0 if that is not known; perf has no such fact, and leaves it out.
    pub rank: Option<(u32, u32)>,
    /// The nodes of the machine's memory; without them, `perf c2c report` shows nothing.
    pub nodes: Vec<MemoryNode>,
    /// The physical addresses of the memory of nodes, each with the number of its node.
    pub node_memory: Vec<(u32, Range<u64>)>,
    /// The descriptions of the tracepoints that were recorded.
    pub tracing: Tracing,
    /// The build ids of the files in which there are samples.
    pub build_ids: Vec<BuildId>,
}

/// A node of a machine's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryNode {
    /// Its number.
    pub number: u32,
    /// Its memory, and how much of it was free, in KiB.
    pub kib: (u64, u64),
    /// Its CPUs, such as `0-3,8`.
    pub cpus: String,
}

/// The build id of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildId {
    /// The path; `[kernel.kallsyms]` for the kernel.
    pub path: Vec<u8>,
    /// The build id, of at most 20 bytes.
    pub id: Vec<u8>,
    /// True if it is the kernel or a module of it.
    pub is_kernel: bool,
}

/// The most nodes that Linux knows.
const MOST_NODES: usize = 1024;
/// The process of the kernel's entries.
const KERNEL: i32 = -1;
/// The header of an entry, the process, the id and what is reserved.
const BUILD_ID: usize = 36;
const LONGEST_ID: usize = 20;
const MISC_KERNEL: u16 = 1;
const MISC_USER: u16 = 2;
/// The size of the id is given behind it.
const MISC_SIZE: u16 = 1 << 15;

impl Facts {
    /// The sections, by ascending bit.
    pub(crate) fn sections(&self, events: &[Event]) -> Vec<(u32, Vec<u8>)> {
        let mut sections = Vec::new();
        let mut section = |bit, bytes: Vec<u8>| {
            if !bytes.is_empty() {
                sections.push((bit, bytes));
            }
        };
        section(feature::TRACING_DATA, self.tracing.section());
        section(feature::BUILD_ID, self.build_ids.iter().flat_map(BuildId::bytes).collect());
        section(feature::HOSTNAME, some(&self.hostname));
        section(feature::OS_RELEASE, some(&self.os_release));
        section(feature::VERSION, some(&self.version));
        section(feature::ARCH, some(&self.arch));
        let cpus = self.cpus.map(|(available, online)| [available, online]);
        let cpus = cpus.into_iter().flatten().flat_map(u32::to_ne_bytes);
        section(feature::CPUS, cpus.collect());
        section(feature::CPUID, some(&self.cpuid));
        if !self.command_line.is_empty() {
            let mut bytes = (self.command_line.len() as u32).to_ne_bytes().to_vec();
            bytes.extend(self.command_line.iter().flat_map(|word| text(word)));
            section(feature::COMMAND_LINE, bytes);
        }
        section(feature::EVENTS, descriptions(events));
        section(feature::NUMA_TOPOLOGY, nodes(&self.nodes));
        let of_nodes = node_memory::section(&self.node_memory);
        let times = self.sample_time.map(|(first, last)| [first, last]);
        let times = times.into_iter().flatten().flat_map(u64::to_ne_bytes);
        section(feature::SAMPLE_TIME, times.collect());
        section(feature::MEM_TOPOLOGY, of_nodes);
        let rank = self.rank.map(|(rank, ranks)| [rank, ranks]);
        section(feature::RANK, rank.into_iter().flatten().flat_map(u32::to_ne_bytes).collect());
        sections
    }

    /// Takes what a section says; returns `None` if it is cut off.
    pub(crate) fn take(&mut self, bit: u32, bytes: &[u8], events: &mut [Event]) -> Option<()> {
        let mut fields = Fields(bytes);
        match bit {
            feature::TRACING_DATA => self.tracing = Tracing::read(bytes)?,
            feature::BUILD_ID => self.add_build_ids(bytes)?,
            feature::HOSTNAME => self.hostname = fields.text()?,
            feature::OS_RELEASE => self.os_release = fields.text()?,
            feature::VERSION => self.version = fields.text()?,
            feature::ARCH => self.arch = fields.text()?,
            feature::CPUS => self.cpus = Some((fields.half()?, fields.half()?)),
            feature::CPUID => self.cpuid = fields.text()?,
            feature::COMMAND_LINE => {
                let words = fields.half()?;
                for _ in 0..words {
                    self.command_line.push(fields.text()?);
                }
            }
            feature::EVENTS => names(fields, events)?,
            feature::NUMA_TOPOLOGY => {
                for _ in 0..fields.half()? {
                    if self.nodes.len() == MOST_NODES {
                        return None;
                    }
                    let (number, kib) = (fields.half()?, (fields.word()?, fields.word()?));
                    self.nodes.push(MemoryNode { number, kib, cpus: fields.text()? });
                }
            }
            feature::MEM_TOPOLOGY => node_memory::read(fields, &mut self.node_memory)?,
            feature::SAMPLE_TIME => self.sample_time = Some((fields.word()?, fields.word()?)),
            feature::RANK => self.rank = Some((fields.half()?, fields.half()?)),
            _ => {}
        }
        Some(())
    }

    /// The description of the tracepoint that an event is.
    pub fn tracepoint(&self, event: &Event) -> Option<&Tracepoint> {
        let is_it = |of: &&Tracepoint| of.id() == Some(event.config());
        self.tracing.tracepoints.iter().find(is_it).filter(|_| event.is_tracepoint())
    }

    /// Returns true if the processor is of the kind of this one, as far as the file tells it.
    #[cfg(feature = "profile")]
    pub fn is_native(&self) -> bool {
        self.arch.is_empty() || self.arch == std::env::consts::ARCH
    }

    /// Adds build ids, each an entry with a header; returns `None` if one is cut off.
    pub(crate) fn add_build_ids(&mut self, bytes: &[u8]) -> Option<()> {
        self.build_ids.extend(build_ids(Fields(bytes))?);
        Some(())
    }
}

impl BuildId {
    fn bytes(&self) -> Vec<u8> {
        let id = self.id.get(..LONGEST_ID).unwrap_or(&self.id);
        let name = padded(&self.path);
        let (kind, pid) = if self.is_kernel { (MISC_KERNEL, KERNEL) } else { (MISC_USER, KERNEL) };
        let mut bytes = vec![0; BUILD_ID];
        bytes[4..6].copy_from_slice(&(kind | MISC_SIZE).to_ne_bytes());
        bytes[6..8].copy_from_slice(&((BUILD_ID + name.len()) as u16).to_ne_bytes());
        bytes[8..12].copy_from_slice(&pid.to_ne_bytes());
        bytes[12..12 + id.len()].copy_from_slice(id);
        bytes[12 + LONGEST_ID] = id.len() as u8;
        bytes.extend(name);
        bytes
    }
}

fn build_ids(mut fields: Fields<'_>) -> Option<Vec<BuildId>> {
    let mut ids = Vec::new();
    while !fields.0.is_empty() {
        fields.half()?;
        let [kind, size] = fields.quarters()?;
        let rest = fields.take(usize::from(size).checked_sub(8)?)?;
        let (id, path) = rest.get(4..)?.split_at_checked(BUILD_ID - 12)?;
        let length = if kind & MISC_SIZE != 0 { usize::from(id[LONGEST_ID]) } else { LONGEST_ID };
        let end = path.iter().position(|byte| *byte == 0).unwrap_or(path.len());
        ids.push(BuildId {
            path: path[..end].to_vec(),
            id: id[..length.min(LONGEST_ID)].to_vec(),
            is_kernel: kind & 7 == MISC_KERNEL,
        });
    }
    Some(ids)
}

fn nodes(nodes: &[MemoryNode]) -> Vec<u8> {
    if nodes.is_empty() {
        return Vec::new();
    }
    let mut bytes = (nodes.len() as u32).to_ne_bytes().to_vec();
    for MemoryNode { number, kib: (all, free), cpus } in nodes {
        bytes.extend(number.to_ne_bytes());
        bytes.extend([*all, *free].into_iter().flat_map(u64::to_ne_bytes));
        bytes.extend(text(cpus));
    }
    bytes
}

/// The attributes, names and ids of all events.
fn descriptions(events: &[Event]) -> Vec<u8> {
    let Some(first) = events.first() else { return Vec::new() };
    let mut bytes = Vec::new();
    bytes.extend((events.len() as u32).to_ne_bytes());
    bytes.extend((first.attr.len() as u32).to_ne_bytes());
    for event in events {
        bytes.extend(&event.attr);
        bytes.extend((event.ids.len() as u32).to_ne_bytes());
        bytes.extend(text(&event.name));
        bytes.extend(event.ids.iter().flat_map(|id| id.to_ne_bytes()));
    }
    bytes
}

fn names(mut fields: Fields<'_>, events: &mut [Event]) -> Option<()> {
    let count = fields.half()? as usize;
    let attr = fields.half()? as usize;
    for event in events.iter_mut().take(count) {
        fields.take(attr)?;
        let ids = fields.half()? as usize;
        event.name = fields.text()?;
        fields.take(ids.checked_mul(8)?)?;
    }
    Some(())
}

/// A text with its length, or nothing.
fn some(of: &str) -> Vec<u8> {
    if of.is_empty() { Vec::new() } else { text(of) }
}

fn text(of: &str) -> Vec<u8> {
    let padded = padded(of.as_bytes());
    let mut bytes = (padded.len() as u32).to_ne_bytes().to_vec();
    bytes.extend(padded);
    bytes
}

/// Ended by a zero, and as long as perf aligns names.
fn padded(of: &[u8]) -> Vec<u8> {
    let mut bytes = of.to_vec();
    bytes.resize((of.len() + 1).next_multiple_of(64), 0);
    bytes
}
