//! The tests of the crate, one module for each feature.

mod any_metrics;
mod codes;
mod data;
mod grammar;
mod laws;
mod link;
mod malformed;
mod metrics;
mod papi_events;
mod size;
mod whole;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
