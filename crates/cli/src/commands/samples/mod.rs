//! Samples as the commands profile, report, top and annotate show them.

mod about;
pub mod annotate;
mod asked;
pub mod diff;
pub mod filter;
mod firefox;
mod format;
mod frames;
pub mod graph;
mod hertz;
mod html;
pub mod json;
mod keys;
pub mod memory;
pub mod metrics;
mod named;
mod notes;
mod only;
pub mod origin;
mod output;
pub mod ranks;
pub mod read;
mod seen;
mod shown;
pub mod sorted;
mod source;
mod stacks;
mod stacks_json;
mod threads;
mod views;
pub mod wall;

pub use about::About;
pub use format::Format;
pub use graph::{AskedGraph, asked_graph, call_graph, with_stacks};
pub use hertz::{Hertz, hertz};
pub use html::INTERVALS;
pub use output::{Counted, Output, binaries, counted};
pub use seen::Seen;
pub use shown::Shown;
#[cfg(feature = "top")]
pub use threads::share;
pub use views::{DebugArgs, StackViews, TableArgs};
