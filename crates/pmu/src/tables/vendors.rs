//! The tables of the vendors whose features are on, as the build script makes them.

use super::pmus::Pmus;

include!(concat!(env!("OUT_DIR"), "/vendors.rs"));
