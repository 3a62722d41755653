#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod compressed;
mod event;
mod facts;
mod layout;
mod reader;
mod record;
mod stream;
mod writer;

pub use event::Event;
pub use facts::{BuildId, Facts};
pub use reader::{Problem, Reader};
pub use record::Raw;
pub use writer::{Writer, build_id_of_notes, comm, mmap};
