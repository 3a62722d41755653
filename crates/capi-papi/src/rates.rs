//! Rates: a set of events that a thread counts from one call to the next.

use std::cell::RefCell;
use std::ffi::c_int;

use crate::codes::{ENOEVNT, Failed};
use crate::event_codes::PRESET;
use crate::library::Library;
use crate::owned::Owned;
use crate::release::RELEASE;
use crate::{options, regions, set, timers};

/// The codes of the presets that rates are made of.
pub(crate) const INSTRUCTIONS: c_int = (PRESET | 0x32) as c_int;
pub(crate) const CYCLES: c_int = (PRESET | 0x3b) as c_int;
pub(crate) const REFERENCE_CYCLES: c_int = (PRESET | 0x6b) as c_int;

/// Which rate is counted: a call for another one begins anew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Rate {
    Instructions,
    Operations,
    PerCycle,
    EventsPerCycle,
}

/// The counts since the call before, and the times in seconds.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) real: f32,
    pub(crate) process: f32,
    pub(crate) values: Vec<i64>,
}

/// The counts of a thread.
struct Running {
    rate: Rate,
    events: Vec<c_int>,
    set: Owned,
    /// The times of the call before.
    real: i64,
    process: i64,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Starts counting at the first call for some events, and returns the counts since the call before at later ones.
pub(crate) fn count(rate: Rate, events: &[c_int]) -> Result<Counted, Failed> {
    started()?;
    // The sets of regions count the same thread; they go on when the next region is entered.
    let _ = regions::stop();
    RUNNING.with_borrow_mut(|running| {
        if let Some(own) = running.as_mut().filter(|own| own.is_for(rate, events)) {
            return own.take();
        }
        // That of another rate ends first: only one set of a component can count a thread.
        *running = None;
        *running = Some(Running::start(rate, events)?);
        Ok(Counted { values: vec![0; events.len()], ..Counted::default() })
    })
}

/// Returns true if this machine has an event.
pub(crate) fn is_known(event: c_int) -> Result<bool, Failed> {
    Ok(set::component(started()?, event).is_ok())
}

fn started() -> Result<&'static Library, Failed> {
    if Library::current().is_err() {
        Library::start(RELEASE as c_int)?;
    }
    Library::current()
}

/// Ends counting.
pub(crate) fn stop() -> Result<(), Failed> {
    let own = RUNNING.with_borrow_mut(Option::take);
    own.filter(|own| own.set.is_alive()).map(drop).ok_or(ENOEVNT)
}

impl Running {
    fn is_for(&self, rate: Rate, events: &[c_int]) -> bool {
        self.set.is_alive() && self.rate == rate && self.events == events
    }

    fn start(rate: Rate, events: &[c_int]) -> Result<Running, Failed> {
        let set = Owned::start(
            Library::current()?,
            options::of_new_set(),
            events.iter().copied().map(Ok),
        )?;
        let (real, process) = (timers::real(), timers::virt());
        Ok(Running { rate, events: events.to_vec(), set, real, process })
    }

    fn take(&mut self) -> Result<Counted, Failed> {
        let seconds = |from: i64, to: i64| (to - from) as f32 / 1e9;
        let mut values = Vec::with_capacity(self.events.len());
        self.set.take(|_, value| values.push(value))?;
        let (real, process) = (timers::real(), timers::virt());
        let counted = Counted {
            real: seconds(self.real, real),
            process: seconds(self.process, process),
            values,
        };
        (self.real, self.process) = (real, process);
        Ok(counted)
    }
}
