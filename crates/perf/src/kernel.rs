use crate::{Attr, Errno, ReadFormat, Sampling, Setup};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// The seam between this crate and an operating system.
///
/// [`Host`](crate::Host) makes every kernel call and every read of `/sys` and `/proc` through it, so that a recorded machine or a script can stand in for the kernel.
/// The running kernel is what [`Host::local`](crate::Host::local) uses.
pub trait Kernel: Send + Sync {
    /// `perf_event_open(2)`: opens `attr` at `placement`, in the group of `leader` if there is one.
    fn open(&self, request: &OpenRequest<'_>) -> Result<OwnedFd, Refusal>;
    /// The number by which a group read names this event (`PERF_EVENT_IOC_ID`).
    fn id(&self, event: BorrowedFd<'_>) -> Result<u64, Errno>;
    /// `read(2)` into 64-bit words; returns how many words were filled, 0 at end of file.
    fn read(&self, event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno>;
    /// Starts an event, and with it the group that it leads.
    fn enable(&self, event: BorrowedFd<'_>) -> Result<(), Errno>;
    /// Stops an event, and with it the group that it leads.
    fn disable(&self, event: BorrowedFd<'_>) -> Result<(), Errno>;
    /// The content of a file below `/`.
    fn file(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The names in a directory below `/`, in no order.
    fn directory(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Opens a directory, such as a cgroup's.
    fn open_directory(&self, path: &Path) -> io::Result<OwnedFd>;
    /// Raises the soft limit of open files to the hard one and returns it.
    fn raise_open_files(&self) -> Result<u64, Errno>;

    /// `attr` as it is to be opened so that the thread that it counts can read the counter by itself; `None` where it cannot.
    fn user_readable(&self, _attr: &Attr) -> Option<Attr> {
        None
    }
    /// What the calling thread reads the counter of `event` by, an event of its own.
    fn user_counter(&self, _event: BorrowedFd<'_>) -> Result<Box<dyn UserCounter>, Errno> {
        Err(Errno::ENOSYS)
    }
    /// `mmap(2)`: the ring that the samples of `event` go to, with room for `bytes`, a power of two, or a page if that is more.
    fn map(&self, _event: BorrowedFd<'_>, _bytes: usize) -> Result<Box<dyn RingMemory>, Errno> {
        Err(Errno::ENOSYS)
    }
    /// Lets the samples of `event` go to the ring of `owner` (`PERF_EVENT_IOC_SET_OUTPUT`).
    fn redirect(&self, _event: BorrowedFd<'_>, _owner: BorrowedFd<'_>) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }
    /// `poll(2)` for reading: waits until one of `files` has something or has ended, and says of each which.
    fn poll(
        &self,
        _files: &[BorrowedFd<'_>],
        _timeout: Option<Duration>,
    ) -> Result<Vec<Readiness>, Errno> {
        Err(Errno::ENOSYS)
    }
    /// Sends `signal` to `thread` whenever `event` wakes its reader (`F_SETSIG`, `F_SETOWN_EX`, `O_ASYNC`).
    fn signal(&self, _event: BorrowedFd<'_>, _signal: i32, _thread: u32) -> Result<(), Errno> {
        Err(Errno::ENOSYS)
    }

    /// Whether an event would open; the event is closed again.
    fn probe(&self, request: &OpenRequest<'_>) -> Result<(), Refusal> {
        self.open(request).map(drop)
    }
    /// Whether this is a recording, which can answer but not count.
    fn is_recording(&self) -> bool {
        false
    }
}

/// One call of `perf_event_open(2)`.
#[derive(Clone, Copy, Debug)]
pub struct OpenRequest<'a> {
    /// What to count.
    pub attr: &'a Attr,
    /// How.
    pub setup: Setup,
    /// What a read shall return.
    pub format: ReadFormat,
    /// Where.
    pub placement: &'a Placement,
    /// The first event of the group to join.
    pub leader: Option<BorrowedFd<'a>>,
    /// What a sample holds, if the event is sampled and not only counted.
    pub sampling: Option<Sampling>,
}

/// The memory of a ring: the kernel writes records at its head, this process reads them at its tail.
///
/// Both are counts of bytes since the ring was made, not places in it: the place is the count modulo the size.
pub trait RingMemory: Send {
    /// How many bytes it holds, a power of two.
    fn size(&self) -> usize;
    /// Up to where the kernel has written.
    #[doc(alias = "data_head")]
    fn head(&self) -> u64;
    /// Up to where this process has read.
    fn tail(&self) -> u64;
    /// Gives the kernel back what lies before `tail`.
    #[doc(alias = "data_tail")]
    fn set_tail(&mut self, tail: u64);
    /// Copies what stands at a place, from 0; panics where that is not all inside.
    fn copy(&self, place: usize, into: &mut [u8]);
}

/// What a thread reads a counter of its own by, without a system call.
///
/// [`Group`](crate::Group) follows the kernel's protocol over it, and only in the thread that opened the event.
pub trait UserCounter: Send + Sync {
    /// The first 12 words of the page that the kernel keeps for the event, in the byte order of x86-64 and arm64.
    #[doc(alias = "perf_event_mmap_page")]
    fn page(&self) -> &[AtomicU64; 12];
    /// The counting register with this number, which is one less than the page's index; `None` if there is none that counts.
    #[doc(alias = "rdpmc")]
    fn register(&self, index: u32) -> Option<u64>;
    /// The clock that the page's times go by.
    #[doc(alias = "rdtsc")]
    #[doc(alias = "CNTVCT_EL0")]
    fn ticks(&self) -> u64;
}

/// What [`Kernel::poll`] found of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Readiness {
    /// There is something to read.
    pub ready: bool,
    /// Nothing more will come: the other side, or the event's target, has gone.
    pub ended: bool,
}

/// Where an event counts: the `pid` and `cpu` of `perf_event_open(2)`.
#[derive(Clone, Debug)]
pub enum Placement {
    /// The calling thread, on every CPU.
    ThisThread,
    /// The thread with this number, on every CPU.
    Thread(u32),
    /// The thread with this number, while it runs on one CPU.
    ThreadOnCpu {
        /// The thread.
        thread: u32,
        /// The CPU.
        cpu: u32,
    },
    /// Everything that runs on one CPU.
    Cpu(u32),
    /// What the processes of a cgroup do on one CPU; the directory is the cgroup's.
    Cgroup {
        /// The open directory of the cgroup.
        directory: Arc<OwnedFd>,
        /// The CPU.
        cpu: u32,
    },
}

/// The kernel said no to `perf_event_open(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why, in the kernel's terms.
    pub errno: Errno,
    /// With `E2BIG`: the size in bytes of the `perf_event_attr` that the kernel knows.
    pub known_attr_size: Option<u32>,
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Refusal {
        Refusal { errno, known_attr_size: None }
    }
}
