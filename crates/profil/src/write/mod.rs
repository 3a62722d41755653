//! Writers for profiles: `gmon.out` for gprof, folded stacks for flame graphs, pprof, an SVG picture, and a table.
//!
//! Every writer takes a [`Profile`] and returns the whole file; names for addresses come from the profile's `symbols`.
//!
//! ```
//! use counterpoint_profil::write::{self, Profile, Symbol};
//! use counterpoint_profil::{BucketWidth, Histogram, Region, Scale};
//!
//! let mut histogram =
//!     Histogram::new(vec![Region::new(0x1000..0x2000, Scale::ONE_ADDRESS)?], BucketWidth::Bits32)?;
//! histogram.record_batch(&[0x1004, 0x1004, 0x1804]);
//! let snapshot = histogram.snapshot();
//! let symbols = |pc: u64| Some(Symbol::new(if pc < 0x1800 { "setup" } else { "solve" }));
//! let profile = Profile { symbols: &symbols, ..Profile::new("task-clock", &snapshot) };
//! assert_eq!(write::folded(&profile), "setup 2\nsolve 1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod call_tables;
mod calls;
mod flame;
mod folded;
mod functions;
mod gmon;
mod place;
mod pprof;
mod profile;
mod svg;
mod table;

pub use calls::{Call, CallTree, FunctionCalls};
pub use folded::folded;
pub use functions::{FunctionCount, LineCount, Share, functions, lines, share_error};
pub use gmon::gmon;
pub use place::{Place, SourceLines};
pub use pprof::{PprofContext, PprofMapping, pprof, pprof_of_stacks};
pub use profile::{Profile, Symbol};
pub use svg::svg;
pub use table::{TableSize, table};
