//! Sources: what is counted without an event of the kernel, such as times.
//!
//! A kind of sources is a file of this folder that implements [`Kind`](source::Kind), and a line of `KINDS`. The events of
//! the kernel are no kind of sources: they are opened in groups, and read without a call through a table.

pub(crate) mod clock;
#[cfg(feature = "files")]
mod files;
pub(crate) mod kinds;
pub(crate) mod level;
pub(crate) mod marks;
pub(crate) mod source;
mod usage;
