//! The calls about events that a machine answers.

use crate::{Attr, Errno, ReadFormat, Sampling, Setup};
use std::ffi::CStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// The events of a running machine: opening, counting and sampling them.
///
/// [`Host`](crate::Host) makes every call about events through it, so that a test's script can stand in for the kernel.
/// [`Host::local`](crate::Host::local) uses the running kernel.
pub trait Events: Send + Sync {
    /// Opens an event (`perf_event_open(2)`).
    fn open(&self, request: &OpenRequest<'_>) -> Result<OwnedFd, OpenFailure>;
    /// Returns the id of an event in the read of a group (`PERF_EVENT_IOC_ID`).
    fn id(&self, event: BorrowedFd<'_>) -> Result<u64, Errno>;
    /// Reads 64-bit words (`read(2)`) and returns their number, 0 at end of file.
    fn read(&self, event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno>;
    /// Starts an event and the group that it leads.
    fn enable(&self, event: BorrowedFd<'_>) -> Result<(), Errno>;
    /// Stops an event and the group that it leads.
    fn disable(&self, event: BorrowedFd<'_>) -> Result<(), Errno>;
    /// Restricts a tracepoint to a condition over its fields (`PERF_EVENT_IOC_SET_FILTER`).
    fn filter(&self, event: BorrowedFd<'_>, condition: &CStr) -> Result<(), Errno>;
    /// Maps a ring for the samples of `event` (`mmap(2)`): `bytes` large, a power of two, and at least a page.
    fn map(&self, event: BorrowedFd<'_>, bytes: usize) -> Result<Box<dyn RingMemory>, Errno>;
    /// Redirects the samples of `event` to the ring of `owner` (`PERF_EVENT_IOC_SET_OUTPUT`).
    fn redirect(&self, event: BorrowedFd<'_>, owner: BorrowedFd<'_>) -> Result<(), Errno>;
    /// Waits until one of `files` is readable or has ended (`poll(2)`), and returns the state of each.
    fn poll(
        &self,
        files: &[BorrowedFd<'_>],
        timeout: Option<Duration>,
    ) -> Result<Vec<Readiness>, Errno>;
    /// Sends `signal` to `thread` whenever `event` wakes its reader (`F_SETSIG`, `F_SETOWN_EX`, `O_ASYNC`).
    fn signal(&self, event: BorrowedFd<'_>, signal: i32, thread: u32) -> Result<(), Errno>;
    /// Raises the soft limit of open files to the hard limit and returns it.
    fn raise_open_files(&self) -> Result<u64, Errno>;

    /// Returns `attr` with what must be set for the counted thread to read the counter itself; `None` if it cannot, as on most processors.
    fn user_readable(&self, _attr: &Attr) -> Option<Attr> {
        None
    }
    /// Returns access to the counter of `event`, which the calling thread opened for itself.
    fn user_counter(&self, _event: BorrowedFd<'_>) -> Result<Box<dyn UserCounter>, Errno> {
        Err(Errno::ENOSYS)
    }
}

/// One call of `perf_event_open(2)`.
#[derive(Clone, Copy, Debug)]
pub struct OpenRequest<'a> {
    /// The event.
    pub attr: &'a Attr,
    /// The way in which it is counted.
    pub setup: Setup,
    /// The format of its reads.
    pub format: ReadFormat,
    /// The place where it is counted.
    pub placement: &'a Placement,
    /// The leader of the group that the event joins.
    pub leader: Option<BorrowedFd<'a>>,
    /// The contents of its samples; `None` if it is only counted.
    pub sampling: Option<Sampling>,
}

/// The memory of a ring: the kernel writes records at its head, and this process reads them at its tail.
///
/// Both are numbers of bytes since the ring was created; the offset in the ring is the number modulo the size.
pub trait RingMemory: Send {
    /// The size in bytes, a power of two.
    fn size(&self) -> usize;
    /// The position up to which the kernel has written.
    #[doc(alias = "data_head")]
    fn head(&self) -> u64;
    /// The position up to which this process has read.
    fn tail(&self) -> u64;
    /// Releases the space before `tail` to the kernel.
    #[doc(alias = "data_tail")]
    fn set_tail(&mut self, tail: u64);
    /// Copies bytes from an offset; panics if they are not all inside the ring.
    fn copy(&self, offset: usize, out: &mut [u8]);
}

/// The first words of a `perf_event_mmap_page`, in the byte order of x86-64 and arm64.
pub(crate) type Page = [AtomicU64; 12];

/// A counter that a thread reads for itself, without a system call.
///
/// [`Group`](crate::Group) follows the kernel's protocol, and only in the thread that opened the event.
pub trait UserCounter: Send + Sync {
    /// The first 12 words of the page that the kernel keeps for the event, in the byte order of x86-64 and arm64.
    #[doc(alias = "perf_event_mmap_page")]
    fn page(&self) -> &[AtomicU64; 12];
    /// The value of the counter register with this number, which is one less than the page's index; `None` if there is no such register.
    #[doc(alias = "rdpmc")]
    fn register(&self, index: u32) -> Option<u64>;
    /// The value of the clock that the times in the page refer to.
    #[doc(alias = "rdtsc")]
    #[doc(alias = "CNTVCT_EL0")]
    fn ticks(&self) -> u64;
}

/// The state of a file, as found by [`Events::poll`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readiness {
    /// There is something to read.
    pub ready: bool,
    /// Nothing more will come, because the other end is closed or the target of the event has ended.
    pub ended: bool,
}

/// The place where an event is counted: the `pid` and `cpu` of `perf_event_open(2)`.
#[derive(Clone, Debug)]
pub enum Placement {
    /// The calling thread, on every CPU.
    ThisThread,
    /// The thread with this id, on every CPU.
    Thread(u32),
    /// The thread with this id, while it runs on one CPU.
    ThreadOnCpu {
        /// The id of the thread.
        thread: u32,
        /// The CPU.
        cpu: u32,
    },
    /// All threads, on one CPU.
    Cpu(u32),
    /// The processes of a cgroup, on one CPU.
    Cgroup {
        /// The open directory of the cgroup.
        directory: Arc<OwnedFd>,
        /// The CPU.
        cpu: u32,
    },
}

/// A failed `perf_event_open(2)`, as the kernel reports it; [`OpenError`](crate::OpenError) also has the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFailure {
    /// The error number.
    pub errno: Errno,
    /// With `E2BIG`: the size in bytes of the `perf_event_attr` that the kernel knows.
    pub known_attr_size: Option<u32>,
}

impl From<Errno> for OpenFailure {
    fn from(errno: Errno) -> OpenFailure {
        OpenFailure { errno, known_attr_size: None }
    }
}
