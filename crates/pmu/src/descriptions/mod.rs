//! Vendors' descriptions of events, from the JSON files that they publish and that Linux keeps for perf.
//!
//! Two layouts are known: Intel's perfmon (`mapfile.csv` beside one directory for each processor) and the
//! kernel's `tools/perf/pmu-events/arch` (one directory for each architecture, [`folder`], with its own
//! `mapfile.csv`). A directory without a map is a list of events for the processor at hand.
//!
//! ```
//! use counterpoint_pmu::descriptions::Descriptions;
//! use counterpoint_pmu::find;
//!
//! let file = r#"[{
//!     "EventName": "INST_RETIRED.ANY_P", "EventCode": "0xc0", "UMask": "0x00",
//!     "BriefDescription": "Instructions that retire", "Counter": "0,1,2,3"
//! }]"#;
//! let mut descriptions = Descriptions::default();
//! assert!(descriptions.add(file, None).is_empty());
//!
//! let event = find("spr").unwrap().event("INST_RETIRED").unwrap();
//! let found = descriptions.of(&event, Some("ANY_P")).unwrap();
//! assert_eq!(found.brief, "Instructions that retire");
//! assert_eq!((found.term.as_str(), found.counters), ("event=0xc0", Some(0xf)));
//! ```

mod error;
mod events;
mod json;
mod map;
mod row;

pub use error::{DescriptionError, DescriptionErrorKind};
pub use events::Descriptions;
pub use map::{MapEntry, cpu_names, files, folder, is_cpu};
pub use row::Description;
