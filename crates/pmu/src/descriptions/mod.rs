//! What vendors say of events, from the JSON files that they publish and that Linux keeps for perf.
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

mod json;
mod map;
mod row;

use std::collections::HashMap;
use std::ops::Range;

pub use map::{MapEntry, files, folder};
pub use row::Description;

use crate::family::Family;
use crate::pmu::{Event, Pmu};
use crate::tables::Marks;
use row::Code;

/// The events that files describe.
#[derive(Debug, Clone, Default)]
pub struct Descriptions {
    list: Vec<Description>,
    by_name: HashMap<String, Vec<usize>>,
    by_code: HashMap<Code, Vec<usize>>,
    standard: HashMap<String, Description>,
}

/// Where a file of descriptions is wrong, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct DescriptionError {
    /// The bytes of the file that are wrong.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub kind: DescriptionErrorKind,
}

/// What is wrong with a file of descriptions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionErrorKind {
    /// The text is no JSON; what stood before was read.
    #[error("expected {wanted}")]
    NotJson {
        /// What should stand there.
        wanted: &'static str,
    },
    /// JSON without a list of events.
    #[error("the file has no list of events")]
    NoEvents,
    /// A member that should be a number; the event was read without it.
    #[error("`{key}` takes a number")]
    NotANumber {
        /// The member.
        key: String,
    },
    /// An event that says to be one of its architecture's, which are not known.
    #[error("the architecture has no event `{name}`")]
    NotStandard {
        /// Its name.
        name: String,
    },
    /// A line of a map whose first column is no pattern.
    #[error("this is no pattern of processors")]
    NotAPattern,
}

impl Descriptions {
    /// Adds the events of a file (`*_core.json`, `cache.json` …) and says what could not be read of it.
    /// Events that name no unit belong to `unit`, or else to the processor's core; [`MapEntry::unit`] has it.
    /// Files without events, such as those of metrics, add nothing.
    pub fn add(&mut self, file: &str, unit: Option<&str>) -> Vec<DescriptionError> {
        let mut errors = Vec::new();
        for description in row::read(file, &self.standard, &mut errors) {
            let unit = description.unit.clone().or_else(|| unit.map(str::to_owned));
            self.push(Description { unit, ..description });
        }
        errors
    }

    /// Adds the events that an architecture has in common: the files beside the map of Linux's `arm64`.
    /// The events of its processors refer to them, so that they are added first.
    pub fn add_standard(&mut self, file: &str) -> Vec<DescriptionError> {
        let mut errors = Vec::new();
        for description in row::read(file, &HashMap::new(), &mut errors) {
            self.standard.insert(row::folded(&description.name), description);
        }
        errors
    }

    fn push(&mut self, description: Description) {
        let number = self.list.len();
        self.by_name.entry(row::folded(&description.name)).or_default().push(number);
        for code in &description.codes {
            self.by_code.entry(*code).or_default().push(number);
        }
        self.list.push(description);
    }

    /// Every event, in the order of the files.
    pub fn iter(&self) -> impl Iterator<Item = &Description> {
        self.list.iter()
    }

    /// The events that can be counted by a PMU, of the processor that the files are for.
    pub fn of_pmu(&self, pmu: &'static Pmu) -> impl Iterator<Item = &Description> {
        self.list.iter().filter(move |description| description.is_for(pmu))
    }

    /// What is said of an event, or of one of its unit masks: by name, or else by code. The PMU must be one
    /// of the processor that the files are for.
    pub fn of(&self, event: &Event, umask: Option<&str>) -> Option<&Description> {
        let name = match umask {
            Some(umask) => row::folded(&format!("{}.{umask}", event.name)),
            None => row::folded(event.name),
        };
        let fits = |number: &&usize| self.list[**number].is_for(event.pmu);
        let named = self.by_name.get(&name).into_iter().flatten().find(fits);
        let coded = || {
            let numbers = self.by_code.get(&code(event, umask)?)?;
            // Of several names for one code those count that have not been given up.
            let current = numbers.iter().filter(fits).find(|n| !self.list[**n].is_deprecated);
            current.or_else(|| numbers.iter().find(fits))
        };
        named.or_else(coded).map(|number| &self.list[*number])
    }
}

/// What the files would say that an event's code is; nothing where unit masks are missing.
fn code(event: &Event, umask: Option<&str>) -> Option<Code> {
    let family = event.pmu.family;
    let is_offcore = event.row.marks.has(Marks::OFFCORE);
    let mask = match umask {
        Some(umask) => Some(family.mask(event, umask)?),
        None if event.place.has_masks(event.pmu) => return None,
        None => None,
    };
    let umask = mask.map_or(0, |mask| mask.row.code);
    let (event, second) = (event.code, 0);
    Some(match family {
        _ if is_offcore => Code { event: event & 0xff, rest: event >> 8, second: umask >> 8 },
        Family::IntelCore
        | Family::IntelClientUncore
        | Family::IntelServerUncore
        | Family::NehalemUncore => {
            let overridden = mask.is_some_and(|mask| mask.has(Marks::CODE_OVERRIDE));
            let register = if overridden { event & !0xff | umask } else { event | umask };
            Code { event: register & 0xff, rest: register >> 8, second }
        }
        _ => Code { event, rest: umask, second },
    })
}
