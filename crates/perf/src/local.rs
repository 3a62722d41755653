use crate::{Errno, Kernel, OpenRequest, Readiness, Refusal, RingMemory, sys};
use nix::fcntl::{OFlag, open};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::stat::Mode;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

/// The kernel that this process runs on.
pub(crate) struct LocalKernel;

impl Kernel for LocalKernel {
    fn open(&self, request: &OpenRequest<'_>) -> Result<OwnedFd, Refusal> {
        sys::open(request)
    }

    fn id(&self, event: BorrowedFd<'_>) -> Result<u64, Errno> {
        sys::id(event)
    }

    fn read(&self, event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno> {
        sys::read(event, words)
    }

    fn enable(&self, event: BorrowedFd<'_>) -> Result<(), Errno> {
        sys::enable(event)
    }

    fn disable(&self, event: BorrowedFd<'_>) -> Result<(), Errno> {
        sys::disable(event)
    }

    fn map(&self, event: BorrowedFd<'_>, bytes: usize) -> Result<Box<dyn RingMemory>, Errno> {
        Ok(Box::new(sys::Mapping::new(event, bytes)?))
    }

    fn redirect(&self, event: BorrowedFd<'_>, owner: BorrowedFd<'_>) -> Result<(), Errno> {
        sys::redirect(event, owner)
    }

    fn poll(
        &self,
        files: &[BorrowedFd<'_>],
        timeout: Option<Duration>,
    ) -> Result<Vec<Readiness>, Errno> {
        let mut asked: Vec<PollFd<'_>> =
            files.iter().map(|file| PollFd::new(*file, PollFlags::POLLIN)).collect();
        poll(&mut asked, timeout.map_or(PollTimeout::NONE, crate::process::poll_timeout))?;
        let readiness = |file: &PollFd<'_>| {
            let found = file.revents().unwrap_or(PollFlags::empty());
            Readiness {
                ready: found.contains(PollFlags::POLLIN),
                ended: found.intersects(PollFlags::POLLHUP | PollFlags::POLLERR),
            }
        };
        Ok(asked.iter().map(readiness).collect())
    }

    fn signal(&self, event: BorrowedFd<'_>, signal: i32, thread: u32) -> Result<(), Errno> {
        sys::signal(event, signal, thread)
    }

    fn file(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn directory(&self, path: &Path) -> io::Result<Vec<String>> {
        crate::record::names(path)
    }

    fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        Ok(open(path, OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC, Mode::empty())?)
    }

    fn raise_open_files(&self) -> Result<u64, Errno> {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
        setrlimit(Resource::RLIMIT_NOFILE, hard, hard)?;
        Ok(hard)
    }
}
