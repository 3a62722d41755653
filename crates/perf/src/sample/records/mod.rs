//! Decodes the records of a ring from bytes: needs no kernel, and is safe for arbitrary bytes.
//!
//! The formats are those of `perf_event_open(2)`, section "MMAP layout", and of the kernel's `perf_event.h`.
//!
//! ```
//! use counterpoint_perf::records::{Layout, Record};
//! use counterpoint_perf::{Fields, ReadFormat};
//!
//! let layout = Layout::new(Fields::IP, ReadFormat::default());
//! // A header of type 9 (sample), mode 2 (user), 16 bytes long; then the address.
//! let mut bytes = Vec::new();
//! bytes.extend(9_u32.to_ne_bytes());
//! bytes.extend(2_u16.to_ne_bytes());
//! bytes.extend(16_u16.to_ne_bytes());
//! bytes.extend(0x401000_u64.to_ne_bytes());
//! let Some(Ok(Record::Sample(sample))) = layout.records(&bytes).next() else { panic!() };
//! assert_eq!(sample.ip, Some(0x401000));
//! ```

mod data_source;
mod layout;
mod level;
mod read;
mod record;
mod registers;
mod sample;
mod stack;
mod tasks;
mod words;

pub use data_source::DataSource;
pub use layout::Layout;
pub use level::Level;
pub use read::Values;
pub use record::{Record, RecordError, RecordErrorKind, Records};
pub(crate) use registers::MASK;
pub use registers::Registers;
pub use sample::Sample;
pub use stack::{Branches, Callchain};
pub use tasks::{BuildId, Comm, FileId, Mmap, Switch, Task};
