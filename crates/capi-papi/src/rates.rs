//! Rates: a set of events that a thread counts from one call to the next.

use std::cell::RefCell;
use std::ffi::c_int;

use crate::codes::{EINVAL, ENOEVNT, Failed};
use crate::library::{Library, RELEASE};
use crate::natives::PRESET;
use crate::owned::Owned;
use crate::timers;

/// The codes of the presets that rates are made of.
pub(crate) const INSTRUCTIONS: c_int = (PRESET | 0x32) as c_int;
pub(crate) const CYCLES: c_int = (PRESET | 0x3b) as c_int;
pub(crate) const REFERENCE_CYCLES: c_int = (PRESET | 0x6b) as c_int;

/// The counts since the first call, and the times in seconds.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    pub(crate) real: f32,
    pub(crate) process: f32,
    pub(crate) values: Vec<i64>,
}

/// What a thread counts.
struct Running {
    events: Vec<c_int>,
    set: Owned,
    real: i64,
    process: i64,
}

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// Starts counting at the first call, and reads the counts at later ones.
pub(crate) fn count(events: &[c_int]) -> Result<Counted, Failed> {
    if Library::current().is_err() {
        Library::start(RELEASE as c_int)?;
    }
    RUNNING.with_borrow_mut(|running| match running.as_ref().filter(|own| own.set.is_alive()) {
        Some(own) if own.events == events => own.read(),
        // Another rate is counted.
        Some(_) => Err(EINVAL),
        None => {
            *running = Some(Running::start(events)?);
            Ok(Counted { values: vec![0; events.len()], ..Counted::default() })
        }
    })
}

/// Ends counting.
pub(crate) fn stop() -> Result<(), Failed> {
    let own = RUNNING.with_borrow_mut(Option::take);
    own.filter(|own| own.set.is_alive()).map(drop).ok_or(ENOEVNT)
}

impl Running {
    fn start(events: &[c_int]) -> Result<Running, Failed> {
        let set = Owned::start(Library::current()?, events.iter().copied().map(Ok))?;
        let (real, process) = (timers::real(), timers::virt());
        Ok(Running { events: events.to_vec(), set, real, process })
    }

    fn read(&self) -> Result<Counted, Failed> {
        let seconds = |from: i64, to: i64| (to - from) as f32 / 1e9;
        let mut values = Vec::with_capacity(self.events.len());
        self.set.read(|_, value| values.push(value))?;
        Ok(Counted {
            real: seconds(self.real, timers::real()),
            process: seconds(self.process, timers::virt()),
            values,
        })
    }
}
