//! A finder for each kind of name.

pub(super) mod code;
pub(super) mod either;
pub(super) mod inner;
pub(super) mod kernel;
pub(crate) mod likwid;
pub(super) mod likwid_boxes;
pub(super) mod named;
#[cfg(feature = "symbols")]
pub(super) mod probe;
pub(super) mod sources;
pub(super) mod sysfs;
pub(crate) mod table;
pub(crate) mod tracepoint;
pub(crate) mod vendor;
