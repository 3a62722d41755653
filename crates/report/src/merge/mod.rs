//! Reports of several runs or ranks as one.

mod by;
mod entry;
mod member;
mod merged;
mod merging;
mod missing;
mod papi;
mod reading;
mod remarks;
mod slow;

pub use by::{By, NoSockets, regroup};
pub use entry::{End, Entry, KeyedCell};
pub use member::Member;
pub use merged::{Cell, EventCells, Extremes, Merged, Total};
pub use merging::{Again, Merging};
pub use missing::disagreements;
pub use reading::{Lines, read};
pub use remarks::remarks;
pub use slow::sentences as slow;
