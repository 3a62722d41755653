//! The exporter over real sockets, with the events of this machine and with scripted ones.

#![allow(unsafe_code, reason = "the allocator of a test counts")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panic, and says what it skips"
)]

mod any_config;
mod configurations;
mod faults;
mod live;
mod monitoring_files;
mod open_metrics;
mod otlp;
mod profiles;
mod server;
mod tls;
mod values;

#[path = "../../../../fixtures/allocations.rs"]
mod allocations;
#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
