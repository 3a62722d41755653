//! Writes the samples of profiles to a file while they are taken.

use super::build_ids;
use super::file::{Contents, Event, Facts, MemoryNode, Tracepoint, Tracing, Writer, comm, mmap};
use counterpoint::Reporter;
use counterpoint::perf::output::OutputFile;
use counterpoint::perf::records::{BuildId, FileId, Layout, Mmap, Record};
use counterpoint::perf::{Fields, Host, ReadFormat};
use counterpoint::profile::{KernelSymbols, RecordedEvent, Recorder};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Writes the samples of the profiles of a set to a file of `perf record` while they are taken ([`EventSet::record_profiles`](counterpoint::EventSet::record_profiles)).
///
/// The part that is written so far can be read at any time, also if this process is killed.
pub struct FileRecorder {
    /// The path that errors name.
    path: PathBuf,
    host: Host,
    /// The words of the command line, which the file keeps.
    command: Vec<String>,
    state: Mutex<State>,
}

/// The state of the file.
#[derive(Default)]
struct State {
    /// The file, until the first event is known.
    file: Option<OutputFile>,
    writer: Option<Writer<BufWriter<OutputFile>>>,
    layout: Option<Layout>,
    /// There is one event, after whose rings nothing older can come.
    is_alone: bool,
    times: Option<(u64, u64)>,
    /// The files that are mapped as code, with the build ids that the records say.
    mapped: BTreeMap<PathBuf, Vec<BuildId>>,
    tracing: Tracing,
    failed: Option<io::Error>,
}

/// The most files whose build ids are kept.
const MOST_FILES: usize = 1 << 14;
/// The sample is of the thread, the time, the CPU and the event.
const TRAILER: usize = 4 * 8;

impl FileRecorder {
    /// Writes to a file, which errors call `path`; `command` has the words of the command that records.
    pub fn new(file: OutputFile, path: PathBuf, host: Host, command: Vec<String>) -> FileRecorder {
        let state = State { file: Some(file), ..State::default() };
        FileRecorder { path, host, command, state: Mutex::new(state) }
    }

    /// Writes what is known only at the end.
    ///
    /// # Errors
    /// Returns an error if something could not be written.
    pub fn finish(&self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { writer, times, mapped, tracing, failed, .. } = std::mem::take(&mut *state);
        if let Some(error) = failed {
            return Err(self.named(&error));
        }
        let Some(writer) = writer else { return Ok(()) };
        let facts = facts(&self.host, self.command.clone(), times, &mapped);
        let facts = Facts { tracing, ..facts };
        let finish = || {
            let mut file = writer.finish(&facts)?;
            file.flush()?;
            file.get_mut().publish()
        };
        finish().map_err(|error| self.named(&error))
    }

    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

impl fmt::Debug for FileRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRecorder").field("command", &self.command).finish_non_exhaustive()
    }
}

impl Recorder for FileRecorder {
    fn begin(&self, events: &[RecordedEvent], attached: &[u32]) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = state.file.take() else { return Ok(()) };
        let event = |of: &RecordedEvent| {
            let RecordedEvent { name, attr, ids, .. } = of;
            Event { name: name.clone(), attr: attr.clone(), ids: ids.clone() }
        };
        let written: Vec<Event> = events.iter().map(event).collect();
        let fields = written.first().and_then(|event| Fields::from_bits(event.sample_type()));
        state.layout = fields.map(|fields| Layout::new(fields, ReadFormat::default()));
        state.is_alone = events.iter().all(|event| event.name == events[0].name);
        state.tracing = tracing(&self.host, &written);
        let has_data = written.iter().any(Event::has_data_maps);
        let before = before(&self.host, attached, has_data, &mut state.mapped);
        let begin = || {
            let mut writer = Writer::begin(BufWriter::with_capacity(1 << 18, file), &written)?;
            before.iter().try_for_each(|record| writer.records(record))?;
            writer.flush()?;
            Ok::<_, io::Error>(writer)
        };
        state.writer = Some(begin().map_err(|error| self.named(&error))?);
        Ok(())
    }

    fn records(&self, bytes: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.look(bytes);
        let State { writer: Some(writer), is_alone, .. } = &mut *state else { return };
        let written = match (bytes.is_empty(), is_alone) {
            (false, _) => writer.records(bytes),
            (true, true) => writer.round().and_then(|()| publish(writer)),
            (true, false) => publish(writer),
        };
        if let Err(error) = written {
            // The rest would not fit together with what is there.
            (state.writer, state.failed) = (None, Some(error));
        }
    }
}

/// The part that is written so far can be read, also if this process is killed.
fn publish(writer: &mut Writer<BufWriter<OutputFile>>) -> io::Result<()> {
    writer.flush()?;
    writer.get_mut().get_mut().publish()
}

impl State {
    /// Keeps the times of samples, and the files.
    fn look(&mut self, bytes: &[u8]) {
        let Some(layout) = self.layout else { return };
        for record in layout.records(bytes) {
            match record {
                Ok(Record::Sample(sample)) => {
                    let Some(time) = sample.time else { continue };
                    let (first, last) = self.times.unwrap_or((time, time));
                    self.times = Some((first.min(time), last.max(time)));
                }
                Ok(Record::Mmap(map)) if map.executable => self.mapped(&map),
                _ => {}
            }
        }
    }

    fn mapped(&mut self, map: &Mmap<'_>) {
        if !self.mapped.contains_key(map.path) {
            if self.mapped.len() == MOST_FILES {
                return;
            }
            self.mapped.insert(map.path.to_path_buf(), Vec::new());
        }
        if let (Some(FileId::BuildId(id)), Some(ids)) = (map.file, self.mapped.get_mut(map.path))
            && !ids.contains(&id)
        {
            ids.push(id);
        }
    }
}

/// The descriptions of those events that are tracepoints, as far as this user may read them.
fn tracing(host: &Host, events: &[Event]) -> Tracing {
    let text = |path: &str| {
        let roots = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
        roots.into_iter().find_map(|root| host.text(format!("{root}/events/{path}")).ok())
    };
    let mut tracepoints: Vec<Tracepoint> = Vec::new();
    for event in events.iter().filter(|event| event.is_tracepoint()) {
        // Modifiers may follow.
        let mut words = event.name.split(':');
        let (Some(system), Some(name)) = (words.next(), words.next()) else { continue };
        let Some(format) = text(&format!("{system}/{name}/format")) else { continue };
        let tracepoint = Tracepoint { system: system.to_string(), format };
        if !tracepoints.contains(&tracepoint) {
            tracepoints.push(tracepoint);
        }
    }
    let head = |name: &str| text(name).filter(|_| !tracepoints.is_empty()).unwrap_or_default();
    Tracing { page: head("header_page"), event: head("header_event"), tracepoints }
}

/// The records of what was there before: the kernel, and the names and files of processes.
fn before(
    host: &Host,
    attached: &[u32],
    has_data: bool,
    mapped: &mut BTreeMap<PathBuf, Vec<BuildId>>,
) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    for (name, range) in KernelSymbols::read(host).texts() {
        let (name, offset) = match name.as_str() {
            "[kernel]" => ("[kernel.kallsyms]_stext", range.start),
            module => (module, 0),
        };
        records.push(mmap(Contents::Kernel, range.clone(), offset, name.as_bytes(), TRAILER));
    }
    for pid in attached {
        for tid in host.names(format!("/proc/{pid}/task")) {
            let name = host.text(format!("/proc/{pid}/task/{tid}/comm"));
            if let (Ok(name), Ok(tid)) = (name, tid.parse()) {
                records.push(comm(*pid, tid, name.trim_end().as_bytes(), TRAILER));
            }
        }
        let Ok(maps) = host.maps(Some(*pid)) else { continue };
        for map in maps.iter().filter(|map| map.execute || has_data) {
            let anonymous = (has_data && !map.execute).then_some(Path::new("//anon"));
            let Some(path) = map.path.as_deref().or(anonymous) else { continue };
            let name = path.as_os_str().as_bytes();
            let kind = if map.execute { Contents::Code(*pid) } else { Contents::Data(*pid) };
            records.push(mmap(kind, map.range.clone(), map.offset, name, TRAILER));
            if map.execute {
                mapped.entry(path.to_path_buf()).or_default();
            }
        }
    }
    records
}

fn facts(
    host: &Host,
    command_line: Vec<String>,
    sample_time: Option<(u64, u64)>,
    mapped: &BTreeMap<PathBuf, Vec<BuildId>>,
) -> Facts {
    let text = |path: &str| host.text(path).unwrap_or_default().trim_end().to_string();
    let process = Reporter::this_process();
    let online = host.every_online_cpu().map_or(0, |cpus| cpus.iter().count() as u32);
    Facts {
        hostname: text("/proc/sys/kernel/hostname"),
        os_release: text("/proc/sys/kernel/osrelease"),
        version: concat!("counterpoint ", env!("CARGO_PKG_VERSION")).to_string(),
        arch: std::env::consts::ARCH.to_string(),
        cpuid: text("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"),
        cpus: Some((online, online)),
        command_line,
        sample_time,
        rank: process.rank.map(|rank| (rank, process.ranks.unwrap_or(0))),
        nodes: nodes(host),
        node_memory: node_memory(host),
        build_ids: build_ids::recorded(host, mapped),
        tracing: Tracing::default(),
    }
}

const NODES: &str = "/sys/devices/system/node";

/// The physical addresses of the memory of nodes, which are links to blocks.
fn node_memory(host: &Host) -> Vec<(u32, Range<u64>)> {
    let block = host.text("/sys/devices/system/memory/block_size_bytes").ok();
    let block = block.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    let mut ranges = Vec::new();
    for (name, block) in host.names(NODES).into_iter().zip(block.into_iter().cycle()) {
        let Some(node) = name.strip_prefix("node").and_then(|node| node.parse().ok()) else {
            continue;
        };
        let blocks = host.names(format!("{NODES}/{name}"));
        let blocks = blocks.iter().filter_map(|name| name.strip_prefix("memory")?.parse().ok());
        let start = |at: u64| block.checked_mul(at);
        ranges.extend(blocks.filter_map(|at: u64| Some((node, start(at)?..start(at + 1)?))));
    }
    ranges.sort_by_key(|(node, range)| (*node, range.start));
    ranges
}

/// The nodes of memory.
fn nodes(host: &Host) -> Vec<MemoryNode> {
    let node = |name: String| {
        let text = |file: &str| host.text(format!("{NODES}/{name}/{file}")).ok();
        let memory = text("meminfo")?;
        let kib = |key: &str| {
            let line = memory.lines().find(|line| line.contains(key))?;
            line.split_whitespace().rev().nth(1)?.parse().ok()
        };
        Some(MemoryNode {
            number: name.strip_prefix("node")?.parse().ok()?,
            kib: (kib("MemTotal:")?, kib("MemFree:")?),
            cpus: text("cpulist")?.trim().to_string(),
        })
    };
    let mut nodes: Vec<MemoryNode> = host.names(NODES).into_iter().filter_map(node).collect();
    nodes.sort_by_key(|node| node.number);
    nodes
}
