//! The actions that are taken each time an event has occurred so often.

use counterpoint::perf::{Attr, Every, Fields, Placement, Sampler, Sampling, Setup, Wakeup};
use std::ffi::c_int;

use crate::codes::{EINVAL, ENOEVNT, ESYS, Failed};
use crate::handlers::{self, Action, Watch};
use crate::library::Library;
use crate::natives;
use crate::opened::{Options, placement};
use crate::threads;

/// An event of a set that overflows: an own event beside the one that is counted, so that counts stay exact.
#[derive(Debug)]
pub(crate) struct Overflow {
    pub(crate) code: c_int,
    native: c_int,
    threshold: u64,
    action: Action,
    /// The watch ends before the descriptor is closed, whose number may be used again.
    open: Option<(Watch, Sampler)>,
}

impl Overflow {
    /// For a native event, which counts for `code`.
    pub(crate) fn new(
        code: c_int,
        native: c_int,
        threshold: c_int,
        action: Action,
    ) -> Result<Overflow, Failed> {
        let threshold = u64::try_from(threshold).ok().filter(|threshold| *threshold > 0);
        Ok(Overflow { code, native, threshold: threshold.ok_or(EINVAL)?, action, open: None })
    }

    pub(crate) fn is_profile(&self) -> bool {
        matches!(self.action, Action::Profile(_))
    }

    /// Opens the event, which is the one at `position` of the set with this number. It counts what the set counts, whose events
    /// `opener` has opened.
    pub(crate) fn open(
        &mut self,
        library: &Library,
        set: c_int,
        position: usize,
        options: &Options,
        opener: u32,
    ) -> Result<(), Failed> {
        // The events that overflowed are the bits of a number.
        if position > 63 {
            return Err(EINVAL);
        }
        let native = natives::by_code(self.native).map_err(|_| ENOEVNT)?;
        let every = Every::Period(self.threshold);
        let attr = Attr { every, pinned: false, ..native.attr(options.domain)? };
        let sampling = Sampling { wakeup: Wakeup::Samples(1), ..Sampling::new(Fields::IP) };
        let setup = Setup { disabled: true, ..Setup::default() };
        // The signal says all that is needed: the ring may be full.
        let mut sampler = library.host.sampler(sampling, setup).ring_bytes(1);
        // A thread that is attached to, or runs on a counted CPU, may be another process's, which a signal would end.
        let (place, told) = match placement(options) {
            Placement::ThisThread => (Placement::Thread(opener), opener),
            place => (place, threads::kernel_id()),
        };
        sampler.add(&[attr], &place)?;
        let file = sampler.files().next().ok_or(ESYS)?;
        let watch = handlers::watch(file, set, 1 << position, self.action)?;
        sampler.signal(handlers::signal(), told)?;
        self.open = Some((watch, sampler));
        Ok(())
    }

    pub(crate) fn start(&mut self) -> Result<(), Failed> {
        let Some((_, sampler)) = &mut self.open else { return Ok(()) };
        Ok(sampler.enable()?)
    }

    /// Ends it until it is opened again.
    pub(crate) fn stop(&mut self) {
        if let Some((_, sampler)) = &mut self.open {
            // It is closed next.
            let _ = sampler.disable();
        }
        self.open = None;
    }
}
