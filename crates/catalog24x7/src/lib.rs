//! 24x7 catalogs of POWER firmware: decodes bytes to records and back, and result buffers to counter values.
//!
//! ```
//! use counterpoint_catalog24x7::{Catalog, CatalogBuilder, Domain, Event, View};
//!
//! let event = Event { counter_offset: 24, group_record_length: 64, ..Event::new("PM_CYC", Domain::CORE) };
//! let bytes = CatalogBuilder::new(1).event(event).build()?.encode()?;
//!
//! // Read only: borrowed records, no allocation.
//! let view = View::new(&bytes)?;
//! for event in view.events() {
//!     let event = event?;
//!     assert_eq!((event.name().as_bytes(), event.domain()), (&b"PM_CYC"[..], Domain::CORE));
//! }
//!
//! // To keep, change and write: the whole contents, even of a damaged file, and the errors found.
//! let decoded = Catalog::decode(&bytes);
//! assert!(decoded.diagnostics.is_empty());
//! assert_eq!(decoded.catalog.unwrap().encode()?, bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The format is that of the "24x7 Event and Group Catalog Formats Proposal", version 0.17.
//! In reading order: [`View`] iterates over bytes, [`Catalog`] owns the records ([`Page0`], [`Schema`], [`Event`], [`Group`], [`Formula`]), [`check`](check()) reports oddities ([`Diagnostic`]), [`Links`] resolves indexes and names, and [`CatalogBuilder`] builds catalogs; [`data`] decodes counter values, and [`sysfs`] reproduces what Linux shows.
//!
//! # How a catalog is read
//!
//! 1. `catalog24x7::View` walks the bytes; `Catalog` owns the records; `check` and the decoder share one kind of `Diagnostic`. Indexes are kept as in the file, and `Links` resolves them.
//! 2. `data::ResultBuffer` holds the counts of the hypervisor, `data::Counters` the numbers by domain and address. The address (group record and offset within it) joins events, fields of schemas and sysfs.
//! 3. `counterpoint::catalog::Metrics` resolves the names of formulas over events, other formulas and the user's symbols, orders them by the graph of definitions, and computes each once over sums.
//! 4. `Machine::catalog` reads the catalog of a POWER machine; its events are counted through sysfs like those of any PMU.

#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod view;

mod catalog;
mod decode;
mod encode;

mod page0;
mod records;
mod schema;
mod text;

mod check;
mod links;

mod builder;

pub mod data;
pub mod sysfs;

mod diagnostic;
mod error;

mod frame;
mod raw;

pub use builder::CatalogBuilder;
pub use catalog::{Catalog, Decoded, FormatVersion, Reading};
pub use check::check;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use error::{DecodeError, DecodeErrorKind, EncodeError, EncodeErrorKind};
pub use links::{Links, Slot, Variant};
pub use page0::{Extent, Page0, Section};
pub use records::{Domain, Event, Formula, Group};
pub use schema::{Field, FieldKind, Schema};
pub use text::{Text, TextRef};
pub use view::{EventView, FormulaView, GroupView, SchemaView, View};

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
