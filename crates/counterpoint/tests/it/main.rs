//! Everything that the facade promises, one module per subject.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it should do")]

mod any_machine;
#[cfg(feature = "catalog")]
mod any_metrics;
#[cfg(feature = "bench")]
mod bench;
#[cfg(feature = "catalog")]
mod catalog;
mod check;
mod components;
mod derived;
mod doctor;
mod errnos;
mod errors;
mod examples;
mod faults;
mod groups;
mod hardware;
mod hardware_counters;
#[cfg(feature = "unwind")]
mod hardware_stacks;
mod hybrid;
mod life;
mod likwid;
mod listing;
mod live;
mod machine_values;
mod memory;
mod metric_tables;
#[cfg(feature = "catalog")]
mod metrics;
mod named_metrics;
mod names;
mod node_events;
mod off_cpu;
mod offline;
mod open_errors;
mod parts;
mod planning;
mod presets;
mod profile;
mod profile_threads;
mod properties;
mod recorded_profiles;
mod regions;
mod regions_cost;
mod running_profiles;
mod runs;
mod send;
mod slices;
mod source_changes;
mod source_names;
mod sources;
mod tables;
mod targets;
mod tool_events;
mod values;
#[cfg(feature = "json")]
mod vendor;
mod vendor_metrics;
mod verify;
mod verify_records;
mod wall;
mod world;

#[path = "../../../../fixtures/seeds.rs"]
mod seeds;
