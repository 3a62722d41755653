//! The events that are counted, and the regions that have ended.

use std::ffi::c_int;
use std::path::PathBuf;

use counterpoint::perf::process::Owner;
use counterpoint_capi::Current;

use crate::claim::Claimed;

/// The events that are counted, and the regions of all threads.
#[derive(Debug)]
pub(super) struct Regions {
    /// The process that counts: one that was forked has regions of its own, if it enters any.
    pub(super) owner: Owner,
    /// The directory of the report: a program may change its working directory.
    pub(super) directory: PathBuf,
    /// The events, those of a component together: a set has one component.
    pub(super) events: Vec<Event>,
    pub(super) threads: Claimed<Vec<(u32, Vec<Region>)>>,
}

impl Regions {
    /// Those of this process, if it has entered a region.
    pub(super) fn get() -> Option<&'static Regions> {
        REGIONS.get().filter(|regions| regions.owner.is_here())
    }
}

/// A region that has ended.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) number: usize,
    pub(super) parent: c_int,
    pub(super) name: String,
    /// Cycles, nanoseconds, and the events: at each read and at the end.
    pub(super) reads: Vec<Vec<i64>>,
    pub(super) values: Vec<i64>,
}

pub(super) static REGIONS: Current<Regions> = Current::none();

/// An event that regions count.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) component: usize,
    pub(super) name: String,
    /// Its value is the count itself, and not the difference since the region began.
    pub(super) is_instant: bool,
}
