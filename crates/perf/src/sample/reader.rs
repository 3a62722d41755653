//! A thread that reads rings.

use super::records::Record;
use super::{Sampler, WaitResult};
use crate::Errno;
use std::io::{PipeWriter, pipe};
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// A thread that reads a sampler's rings as they fill, and calls a function for each record.
///
/// The thread also ends when this is dropped without [`Reader::stop`].
///
/// ```
/// use counterpoint_perf::records::Record;
/// use counterpoint_perf::{Attr, Every, Fields, Host, Placement, Reader, Sampling, Setup, pmu_type};
///
/// let clock = Attr { every: Every::Period(100_000), ..Attr::new(pmu_type::SOFTWARE, 1) };
/// let mut sampler = Host::local().sampler(Sampling::new(Fields::IP), Setup::default());
/// sampler.add(&[clock.user_only()], &Placement::ThisThread)?;
/// let reader = Reader::start(sampler, 0, |samples, record| {
///     *samples += matches!(record, Record::Sample(_)) as u64;
/// })?;
/// let work: u64 = (0..3_000_000).fold(0, |sum, n| std::hint::black_box(sum ^ n));
/// let (_sampler, samples) = reader.stop()?;
/// println!("{work}: {samples} samples");
/// # assert!(samples > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[doc(alias = "PAPI_overflow_handler_t")]
pub struct Reader<S> {
    thread: JoinHandle<Result<Sampler, Errno>>,
    state: Arc<Mutex<S>>,
    /// Closing it ends the thread.
    stop: PipeWriter,
}

/// The interval at which rings are read that do not fill, so that [`Reader::state`] stays current.
const LOOK: Duration = Duration::from_millis(250);

impl<S: Send + 'static> Reader<S> {
    /// Starts the thread, which calls `each` with `state` and a record.
    pub fn start(
        mut sampler: Sampler,
        state: S,
        mut each: impl FnMut(&mut S, &Record<'_>) + Send + 'static,
    ) -> std::io::Result<Reader<S>> {
        let (stopped, stop) = pipe()?;
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        let run = move || {
            loop {
                let (woken, stopped_now) =
                    sampler.wait_beside(Some(stopped.as_fd()), Some(LOOK))?;
                if stopped_now {
                    sampler.disable()?;
                }
                let mut state = shared.lock().unwrap_or_else(PoisonError::into_inner);
                sampler.drain(|record| each(&mut state, record))?;
                drop(state);
                if stopped_now || woken == WaitResult::Ended {
                    return Ok(sampler);
                }
            }
        };
        let thread = std::thread::Builder::new().name("samples".into()).spawn(run)?;
        Ok(Reader { thread, state, stop })
    }

    /// The state that `each` has produced so far; the thread waits while the guard is held.
    pub fn state(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if all targets have ended.
    pub fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Stops sampling and ends the thread after a last read of the rings.
    ///
    /// Panics if `each` panicked.
    pub fn stop(self) -> Result<(Sampler, S), Errno> {
        drop(self.stop);
        let sampler = match self.thread.join() {
            Ok(sampler) => sampler?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        // The thread has ended, and with it the only other owner.
        let state = Arc::into_inner(self.state).ok_or(Errno::EBUSY)?;
        Ok((sampler, state.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }
}
