use counterpoint_perf::{Errno, Kernel, OpenRequest, Refusal};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

/// The kernel of a machine that is not there: it has no files, and opens nothing.
pub(crate) struct Absent;

impl Kernel for Absent {
    fn open(&self, _: &OpenRequest<'_>) -> Result<OwnedFd, Refusal> {
        Err(Errno::ENODEV.into())
    }

    fn id(&self, _: BorrowedFd<'_>) -> Result<u64, Errno> {
        Err(Errno::ENODEV)
    }

    fn read(&self, _: BorrowedFd<'_>, _: &mut [u64]) -> Result<usize, Errno> {
        Err(Errno::ENODEV)
    }

    fn enable(&self, _: BorrowedFd<'_>) -> Result<(), Errno> {
        Err(Errno::ENODEV)
    }

    fn disable(&self, _: BorrowedFd<'_>) -> Result<(), Errno> {
        Err(Errno::ENODEV)
    }

    fn file(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn directory(&self, _: &Path) -> io::Result<Vec<String>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn open_directory(&self, _: &Path) -> io::Result<OwnedFd> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn raise_open_files(&self) -> Result<u64, Errno> {
        Err(Errno::ENODEV)
    }

    fn is_recording(&self) -> bool {
        true
    }
}
