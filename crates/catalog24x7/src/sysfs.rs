//! Reproduces what the Linux driver `hv_24x7` shows for a catalog: the names and values under `/sys/bus/event_source/devices/hv_24x7/events`.
//!
//! ```
//! use counterpoint_catalog24x7::data::InterfaceVersion;
//! use counterpoint_catalog24x7::sysfs::{self, Kernel, Value};
//! use counterpoint_catalog24x7::{CatalogBuilder, Domain, Event};
//!
//! let event = Event { group_record_offset: 192, group_record_length: 64, counter_offset: 32, ..Event::new("PM_CYC", Domain::CORE) };
//! let catalog = CatalogBuilder::new(1).event(event).build()?;
//! let listing = sysfs::list(&catalog.encode()?, Kernel::Current, InterfaceVersion::V2);
//! assert_eq!(listing.entries[0].name, "PM_CYC");
//! assert_eq!(listing.entries[0].value.to_string(), "domain=?,offset=0xe0,core=?,lpar=0x0");
//!
//! let value: Value = "domain=2,offset=0xe0,core=1,lpar=0x0".parse()?;
//! assert_eq!(value.events(&catalog).collect::<Vec<_>>(), [0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod driver;
mod kernel;
mod value;

pub use driver::{Entry, Listing, Refusal, Stop, StopKind, list};
pub use kernel::Kernel;
pub use value::{Unit, Value, ValueError, ValueErrorKind};
