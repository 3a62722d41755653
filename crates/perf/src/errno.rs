//! Error numbers of the kernel.

use std::fmt;
use std::str::FromStr;

/// An error number of the kernel, such as `ENOENT`.
///
/// A newtype and not an enum, because the kernel may return numbers that this crate does not know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "errno")]
pub struct Errno(pub i32);

macro_rules! constants {
    ($($name:ident)*) => {
        impl Errno { $(#[allow(missing_docs, reason = "the names are the kernel's")] pub const $name: Errno = Errno(nix::errno::Errno::$name as i32);)* }
    };
}

constants! { EPERM ENOENT ESRCH EINTR EIO ENXIO ENODATA E2BIG EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT EBUSY EEXIST ENODEV EINVAL ENFILE EMFILE ENOSPC ENOSYS EOVERFLOW EOPNOTSUPP }

impl Errno {
    /// That of a call; no `From`, because nobody else is to see the crate that makes the call.
    pub(crate) fn of(error: nix::errno::Errno) -> Errno {
        Errno(error as i32)
    }

    /// The kernel's name for the number, such as `ENOENT`; `None` for a number without one.
    pub fn name(self) -> Option<String> {
        match nix::errno::Errno::from_raw(self.0) {
            nix::errno::Errno::UnknownErrno => None,
            known => Some(format!("{known:?}")),
        }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(&name),
            None => write!(f, "errno {}", self.0),
        }
    }
}

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Errno {}

/// Parses the names that [`Errno::name`] returns.
impl FromStr for Errno {
    type Err = UnknownErrno;

    fn from_str(name: &str) -> Result<Errno, UnknownErrno> {
        (1..=200).map(Errno).find(|e| e.name().as_deref() == Some(name)).ok_or(UnknownErrno)
    }
}

/// The error for a text that is not the name of an error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no error number has this name")]
pub struct UnknownErrno;

impl From<Errno> for std::io::Error {
    fn from(e: Errno) -> std::io::Error {
        std::io::Error::from_raw_os_error(e.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for number in 1..200 {
            if let Some(name) = Errno(number).name() {
                let back: Errno = name.parse().unwrap();
                assert_eq!(back.name(), Some(name));
            }
        }
        assert!("ENOSUCHTHING".parse::<Errno>().is_err());
    }
}
