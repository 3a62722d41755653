//! Counts performance events for monitoring: OpenMetrics over HTTP, and OTLP.
//!
//! ```no_run
//! use counterpoint::EventSet;
//! use counterpoint_exporter::{Config, ConfigError, Exporter, serve};
//! use std::net::TcpListener;
//! use std::os::{fd::AsFd, unix::net::UnixStream};
//!
//! let config = Config::read("[[count]]\ncpus = 'all'\nevents = ['page-faults']\n")?;
//! let mut exporter = Exporter::new(&config, |target| Ok::<_, ConfigError>(EventSet::new(target)))?;
//! let listener = TcpListener::bind(config.listen)?;
//! // A byte into `end` ends the loop.
//! let (stop, end) = UnixStream::pair()?;
//! serve(&mut exporter, listener, stop.as_fd(), &mut |news| eprintln!("{news}"))?;
//! # drop(end);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Config`]: the configuration file
//! - [`Exporter`]: the events, opened once, and their values as text ([`Format`])
//! - [`serve`]: requests, intervals and the end, in one loop

#![forbid(unsafe_code)]

mod config;
mod exporter;
mod families;
mod http;
mod names;
mod otlp;
mod page;
mod reasons;
mod series;
mod serve;
mod text;
mod watched;

pub use config::{Config, ConfigError, Counted, Named, Place, address};
pub use exporter::Exporter;
pub use serve::serve;
pub use text::Format;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
