//! The buffers of the hypervisor call `H_GET_24X7_DATA`: requests out, counter values in.
//!
//! ```
//! use counterpoint_catalog24x7::data::{Counters, InterfaceVersion, Request, RequestBuffer, ResultBuffer};
//! use counterpoint_catalog24x7::{CatalogBuilder, Domain, Event};
//!
//! let event = Event { counter_offset: 24, group_record_length: 64, ..Event::new("PM_CYC", Domain::CORE) };
//! let catalog = CatalogBuilder::new(7).event(event).build()?;
//! let request = Request { first_index: 3, ..Request::of_event(&catalog.events[0]) };
//! let requests = RequestBuffer::new(InterfaceVersion::V1, vec![request]);
//! assert_eq!(requests.encode()?.len(), 32);
//!
//! // The hypervisor's answer: a header and one result with one element, 1000 cycles on core 3.
//! let mut answer = vec![0; 56];
//! (answer[0], answer[1], answer[23]) = (1, 1, 7);
//! answer[32..40].copy_from_slice(&[0, 1, 0, 1, 0, 8, 0, 0]);
//! answer[40..48].copy_from_slice(&[0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff]);
//! answer[48..56].copy_from_slice(&1000_u64.to_be_bytes());
//! let decoded = ResultBuffer::decode(&answer);
//! assert!(decoded.diagnostics.is_empty());
//! let counters = Counters::read(&decoded.buffer.unwrap(), &requests.requests, &catalog);
//! assert_eq!(counters.sum(&catalog.events[0]), Some(1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In reading order: a [`Request`] asks for a range of a domain's counters on some chips, cores or virtual CPUs, and a [`RequestBuffer`] holds several; a [`ResultBuffer`] is the answer, and [`Counters`] are the numbers in it, keyed by their position in the catalog.

mod buffer;
mod counters;
mod request;
mod result;

pub use buffer::{BUFFER, DecodedBuffer, InterfaceVersion};
pub use counters::{Counter, Counters, Elapsed};
pub use request::{Request, RequestBuffer};
pub use result::{Element, RequestResult, ResultBuffer};
