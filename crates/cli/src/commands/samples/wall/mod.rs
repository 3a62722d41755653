//! Where wall time goes, of a recording: as a table, JSON, folded stacks, a flame graph or a page.

mod events;
pub mod json;
mod measured;
mod output;
mod page;
mod row;
mod text;
mod tree;

pub use events::{CONTEXT_SWITCHES, WAKING};
pub use output::WallOutput;
