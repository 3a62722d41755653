//! The files of `perf record`: header, events, records as the kernel wrote them, and facts about the machine; written and read piece by piece.

mod compressed;
mod event;
mod facts;
mod fields;
mod layout;
mod node_memory;
mod problem;
mod reader;
mod record;
mod spe;
mod stream;
mod tracing;
mod writer;

pub use event::Event;
pub use facts::{BuildId, Facts, MemoryNode};
pub use problem::Problem;
pub use reader::Reader;
pub use record::Raw;
pub use tracing::{Tracepoint, Tracing};
pub use writer::{Contents, Writer, build_id_of_notes, comm, mmap};
