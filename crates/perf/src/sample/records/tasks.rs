//! Records about processes and threads: their starts and ends, names and mappings.

use super::Layout;
use super::words::Words;
use crate::sample::Fields;
use std::ffi::OsStr;
use std::fmt;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A file, or other named memory, that was mapped into a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mmap<'a> {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The address of the mapping.
    pub start: u64,
    /// Its length in bytes.
    pub length: u64,
    /// The offset in the file.
    pub offset: u64,
    /// True if it is executable.
    pub executable: bool,
    /// True if what is written there is seen by all that map it; false also if the record does not say so.
    #[doc(alias = "MAP_SHARED")]
    pub shared: bool,
    /// The file, or a name such as `[vdso]` or `//anon`.
    pub path: &'a Path,
    /// Which of the files that had this path it is, if the record says so.
    pub file: Option<FileId>,
    /// The time, if samples have times.
    pub time: Option<u64>,
}

impl Mmap<'_> {
    /// The range of addresses.
    pub fn range(&self) -> Range<u64> {
        self.start..self.start.saturating_add(self.length)
    }
}

/// Which file was mapped: several may have had one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileId {
    /// Its inode.
    Inode {
        /// The major and minor number of its device.
        device: (u32, u32),
        /// The number of the inode.
        inode: u64,
        /// The number of times the number has been given to another file; 0 if that is not known, as in records that perf makes from `/proc/PID/maps`.
        generation: u64,
    },
    /// Its build id.
    BuildId(BuildId),
}

/// The number that a linker gives to what it has linked (`.note.gnu.build-id`).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BuildId {
    bytes: [u8; BuildId::LONGEST],
    length: u8,
}

impl BuildId {
    /// The most bytes of a build id.
    pub const LONGEST: usize = 20;

    /// The build id of these bytes, of which the first 20 count; `None` if there are none.
    pub fn new(bytes: &[u8]) -> Option<BuildId> {
        let bytes = &bytes[..bytes.len().min(BuildId::LONGEST)];
        let mut id = BuildId { bytes: [0; BuildId::LONGEST], length: bytes.len() as u8 };
        id.bytes[..bytes.len()].copy_from_slice(bytes);
        (!bytes.is_empty()).then_some(id)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Debug for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BuildId(")?;
        self.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// The name of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comm<'a> {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The name, at most 15 bytes.
    pub name: &'a OsStr,
    /// True if the process has called exec, which removes all earlier mappings.
    #[doc(alias = "PERF_RECORD_MISC_COMM_EXEC")]
    pub exec: bool,
    /// The time, if samples have times.
    pub time: Option<u64>,
}

/// The start or the end of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// The process that created it.
    pub parent_pid: u32,
    /// The thread that created it.
    pub parent_tid: u32,
    /// The time.
    pub time: u64,
}

/// A thread that stopped or began to run on a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The process.
    pub pid: u32,
    /// The thread; 0 stands for an idle CPU.
    pub tid: u32,
    /// The time.
    pub time: u64,
    /// True if it stopped; otherwise it began to run.
    #[doc(alias = "PERF_RECORD_MISC_SWITCH_OUT")]
    pub is_out: bool,
    /// True if it stopped although it could have run on, because another thread got the CPU; known since Linux 4.17.
    #[doc(alias = "PERF_RECORD_MISC_SWITCH_OUT_PREEMPT")]
    pub is_preempted: bool,
}

/// The meaning of bit 13 of a header's flags depends on the type of the record.
const MISC_13: u16 = 1 << 13;
const SWITCH_OUT_PREEMPT: u16 = 1 << 14;
/// A flag of a mapping (`mmap(2)`).
const MAP_SHARED: u32 = 1;
/// A build id is in the place of the inode.
const MMAP_BUILD_ID: u16 = 1 << 14;

/// More than this is no protection, but the beginning of a path: Linux 3.12 to 3.15, and 3.10 of RHEL 7, have none before it.
const HIGHEST_PROTECTION: u32 = 0xff;

pub(super) fn mmap<'a>(
    second: bool,
    misc: u16,
    body: &'a [u8],
    layout: &Layout,
) -> Option<Mmap<'a>> {
    let mut words = Words(body);
    let [pid, tid] = words.next_pair()?;
    let (start, length, offset) = (words.next()?, words.next()?, words.next()?);
    let (mut file, mut executable, mut shared) = (None, misc & MISC_13 == 0, false);
    if second {
        file = file_id(words.take(3)?, misc & MMAP_BUILD_ID != 0);
        let path = words;
        let [protection, flags] = words.next_pair()?;
        if protection > HIGHEST_PROTECTION {
            words = path;
        } else {
            (executable, shared) = (protection & 4 != 0, flags & MAP_SHARED != 0);
        }
    }
    let (path, trailer) = name(words.0, layout)?;
    let time = time(trailer, layout);
    let path = Path::new(OsStr::from_bytes(path));
    Some(Mmap { pid, tid, start, length, offset, executable, shared, path, file, time })
}

/// The fields between the addresses of a mapping and its protection.
fn file_id(bytes: &[u8], is_build_id: bool) -> Option<FileId> {
    if is_build_id {
        // The length is in the first of four bytes before it.
        let (length, id) = bytes.split_at_checked(4)?;
        return BuildId::new(id.get(..usize::from(length[0]))?).map(FileId::BuildId);
    }
    let mut words = Words(bytes);
    let [major, minor] = words.next_pair()?;
    let (inode, generation) = (words.next()?, words.next()?);
    let device = (major, minor);
    (inode != 0).then_some(FileId::Inode { device, inode, generation })
}

pub(super) fn comm<'a>(misc: u16, body: &'a [u8], layout: &Layout) -> Option<Comm<'a>> {
    let mut words = Words(body);
    let [pid, tid] = words.next_pair()?;
    let (name, trailer) = name(words.0, layout)?;
    let (name, exec) = (OsStr::from_bytes(name), misc & MISC_13 != 0);
    Some(Comm { pid, tid, name, exec, time: time(trailer, layout) })
}

pub(super) fn task(body: &[u8]) -> Option<Task> {
    let mut words = Words(body);
    let [pid, parent_pid] = words.next_pair()?;
    let [tid, parent_tid] = words.next_pair()?;
    Some(Task { pid, tid, parent_pid, parent_tid, time: words.next()? })
}

/// Returns true if the trailer of a switch says which thread it was, and when.
pub(super) fn has_switches(layout: &Layout) -> bool {
    layout.fields.contains(Fields::TID | Fields::TIME)
}

/// `wide` is that of a CPU, which also has the other thread.
pub(super) fn switch(wide: bool, misc: u16, body: &[u8]) -> Option<Switch> {
    let mut words = Words(body);
    if wide {
        words.next()?;
    }
    let [pid, tid] = words.next_pair()?;
    let time = words.next()?;
    let is_out = misc & MISC_13 != 0;
    Some(Switch { pid, tid, time, is_out, is_preempted: is_out && misc & SWITCH_OUT_PREEMPT != 0 })
}

/// Splits a zero-terminated name from the trailer that the kernel writes after every record other than samples.
fn name<'a>(bytes: &'a [u8], layout: &Layout) -> Option<(&'a [u8], Words<'a>)> {
    let fields =
        [Fields::TID, Fields::TIME, Fields::ID, Fields::STREAM_ID, Fields::CPU, Fields::IDENTIFIER];
    let after = fields.iter().filter(|field| layout.fields.contains(**field)).count();
    let (name, trailer) = bytes.split_at_checked(bytes.len().checked_sub(after * 8)?)?;
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    Some((&name[..end], Words(trailer)))
}

fn time(mut trailer: Words<'_>, layout: &Layout) -> Option<u64> {
    if !layout.fields.contains(Fields::TIME) {
        return None;
    }
    if layout.fields.contains(Fields::TID) {
        trailer.next()?;
    }
    trailer.next()
}
