//! Which data is accessed, of a recording: as tables, JSON, folded stacks, a flame graph or a page; and the lines of the cache that threads share.

mod allocations;
pub mod json;
mod lines_json;
mod lines_text;
mod measured;
mod output;
mod page;
mod row;
mod text;
mod tree;

#[cfg(test)]
pub use lines_json::LINES as SHARED_LINES;
pub use output::{MemoryOutput, View};
