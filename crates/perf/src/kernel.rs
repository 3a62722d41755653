use crate::{Attr, Errno, ReadFormat, Setup};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

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
}

/// Where an event counts: the `pid` and `cpu` of `perf_event_open(2)`.
#[derive(Clone, Debug)]
pub enum Placement {
    /// The calling thread, on every CPU.
    ThisThread,
    /// The thread with this number, on every CPU.
    Thread(u32),
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
