//! Vendors' events, from the JSON files that they publish and that Linux keeps for perf.
//!
//! Two layouts are known: Intel's perfmon (`mapfile.csv` beside one directory for each processor) and the
//! kernel's `tools/perf/pmu-events/arch` (one directory for each architecture, [`folder`], with its own
//! `mapfile.csv`). A directory without a map is a list of events for the processor at hand.
//!
//! The events of every processor that Linux's maps know are built in, without descriptions: [`Events::built_in`].
//! Those of files, for which the feature `json` is needed, come before them. So are the metrics: [`Metric::built_in`].
//!
//! [`Events`] holds the events of a processor. Each has the terms by which perf programs it, which
//! [`sysfs::Pmu::encode`](crate::sysfs::Pmu::encode) turns into the kernel's words, and describes the event of the
//! tables that it is.
//!
//! ```
//! use counterpoint_pmu::find;
//! use counterpoint_pmu::vendor::Events;
//!
//! let file = r#"[{
//!     "EventName": "INST_RETIRED.ANY_P", "EventCode": "0xc0", "UMask": "0x00",
//!     "BriefDescription": "Instructions that retire", "Counter": "0,1,2,3"
//! }]"#;
//! let mut events = Events::default();
//! assert!(events.add(file, None).is_empty());
//!
//! let found = events.named("inst_retired:any_p").next().unwrap();
//! assert_eq!((found.terms.as_str(), found.counters), ("event=0xc0", Some(0xf)));
//! let event = find("spr").unwrap().event("INST_RETIRED").unwrap();
//! assert_eq!(events.of(&event, Some("ANY_P")), Some(&*found));
//! ```

#[cfg(feature = "json")]
mod error;
mod event;
mod events;
#[cfg(feature = "json")]
mod map;
mod metric;
pub(crate) mod names;
pub(crate) mod processor;
#[cfg(feature = "json")]
mod reader;
#[cfg(feature = "json")]
mod row;
mod unit;

#[cfg(feature = "json")]
pub use error::{Error, ErrorKind};
pub use event::Event;
pub use events::Events;
#[cfg(feature = "json")]
pub use map::{
    MapEntry, all_files, all_metric_files, cpu_names, example, files, folder, is_cpu, metric_files,
};
pub use metric::Metric;
pub use unit::is_box_of;
