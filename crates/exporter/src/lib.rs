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
//!
//! # How values are exported
//!
//! 1. `exporter::Config` reads the file; each name in it keeps its place. `Exporter::new` looks the names up in sets that the program makes, because definitions and vendors' files are read by the program.
//! 2. A `Watched` is one target. It opens its events while the target is there, and knows by the inode of a cgroup or the start of a process that another one is in its place. Its `Series` outlive the events, so that counters go on when a cgroup comes back.
//! 3. A read reports what was counted since the read before, and `Series::add` adds it up. An estimate over the whole time could shrink from one read to the next; a sum of estimates cannot. Computed values are those of the last interval: the exporter ends intervals itself, so that they do not depend on who scrapes.
//! 4. `text` and `otlp` walk the same families. The text is written here and not by `prometheus-client`, which has OpenMetrics only, no values that are absent without being removed, and labels that are formatted at each scrape; here they are formatted when a series is made.
//! 5. One thread does everything in one loop (`serve`): requests that have come together share a read. The server is written here, over `poll` and `httparse`, because a small server with a thread for each client (`tiny_http`) has no limit on how long a client may hang, nor on how many there are.
//! 6. A thread of its own sends by OTLP; one request waits for it at most, and a newer one takes its place, because counters are sums. The messages are written here for `prost`, because `opentelemetry-proto` needs an SDK; a test receives with its types.

#![forbid(unsafe_code)]

mod channel;
mod config;
mod events;
mod exporter;
mod families;
mod http;
mod mistake;
mod names;
mod news;
mod otlp;
mod page;
mod profiles;
mod reasons;
mod series;
mod serve;
mod taking;
mod target;
mod text;
mod tls;
mod users;
mod watched;

pub use config::{Config, Counted, Named, Profiles, TlsFiles, User, address};
pub use exporter::Exporter;
pub use mistake::{ConfigError, Place};
pub use serve::serve;
pub use text::Format;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
