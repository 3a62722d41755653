use super::kernel::{Kernel, KernelSymbols};
use super::request::Profile;
use super::running::{About, Profiled};
use super::state::State;
use counterpoint_perf::Host;
use counterpoint_perf::records::Record;
use std::fmt;

/// Counts recorded samples of one event as a running profile does.
///
/// ```
/// use counterpoint::perf::records::{Record, Sample};
/// use counterpoint::perf::{Every, Host};
/// use counterpoint::profile::{Profile, Replay};
///
/// let profile = Profile::every(Every::Period(1));
/// let mut replay = Replay::new(&Host::local(), "page-faults", &profile);
/// replay.take(&Record::Sample(Sample { ip: Some(0x1000), pid: Some(1), ..Sample::default() }));
/// let profiled = replay.finish();
/// assert_eq!((profiled.samples, profiled.snapshot.outside), (1, 1));
/// ```
pub struct Replay {
    about: About,
    state: State,
    kernel: Kernel,
}

impl Replay {
    /// No samples yet.
    pub fn new(host: &Host, event: &str, profile: &Profile) -> Replay {
        let kernel = Kernel::default();
        Replay {
            about: About {
                event: event.to_string(),
                every: profile.every,
                software: false,
                notes: Vec::new(),
                terms: Vec::new(),
            },
            state: State::new(profile, host, kernel.clone(), None, None),
            kernel,
        }
    }

    /// Sets the symbols of the kernel that was recorded; without, they are those of the host.
    pub fn kernel(&mut self, symbols: KernelSymbols) {
        self.kernel.set(symbols);
    }

    /// Takes a record. Those of processes and their memory are taken before the samples if they are not in order.
    pub fn take(&mut self, record: &Record<'_>) {
        self.state.take(record);
    }

    /// The profile.
    pub fn finish(self) -> Profiled {
        self.about.profiled(self.state.finish())
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay").field("event", &self.about.event).finish_non_exhaustive()
    }
}
