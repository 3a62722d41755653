//! Reports of several runs or ranks as one.
//!
//! [`read`] makes lines of the text of a report, [`Merging`] adds them up, and [`Merged`] has the rows of all reports with the
//! value of each process, and which ranks are missing.
//!
//! ```
//! use counterpoint_report::merge::{Merging, Total, read, remarks};
//! use counterpoint_report::{Amount, Process, Row, SCHEMA, Status};
//!
//! let report = |rank, count: u32| {
//!     let row = Row {
//!         schema: SCHEMA,
//!         process: Process { rank: Some(rank), ranks: Some(2), ..Process::default() },
//!         event: "cycles".into(),
//!         value: Some(Amount::Whole(count.into())),
//!         status: Status::Counted,
//!         // A value without it is that of a formula, which has no total.
//!         raw: Some(count.into()),
//!         ..Row::default()
//!     };
//!     // A report without its last line is not whole, and costs the total.
//!     let end = format!(r#"{{"schema":1,"summary":{{"rank":{rank},"ranks":2}}}}"#);
//!     format!("{}\n{end}\n", row.to_json())
//! };
//! let mut merging = Merging::default();
//! for (file, text) in [("rank.0.json", report(0, 40)), ("rank.1.json", report(1, 60))] {
//!     merging.add(file, read(file, &text)?.entries);
//! }
//! let merged = merging.finish();
//! let cycles = &merged.rows[0];
//! assert!(matches!(cycles.total(&merged), Total::Sum { amount: Amount::Whole(100), .. }));
//! let (at, most) = cycles.extremes().unwrap().max;
//! assert_eq!((merged.members[at].process.rank, most), (Some(1), Amount::Whole(60)));
//! assert!(remarks(&merged).is_empty(), "no rank is missing");
//! # Ok::<(), String>(())
//! ```

mod by;
mod differences;
mod entry;
mod member;
mod merged;
mod merging;
mod missing;
mod papi;
mod reading;
mod remarks;
mod slow;

pub use by::{By, NoneOfThese, regroup};
pub use entry::{End, Entry, KeyedCell};
pub use member::Member;
pub use merged::{Cell, EventCells, Extremes, Kind, Merged, Total};
pub use merging::{Again, Merging};
pub use missing::disagreements;
pub use reading::{Lines, read};
pub use remarks::remarks;
pub use slow::sentences as slow;
