use super::kernel::{Kernel, KernelSymbols};
use super::module::Module;
use super::places::Located;
use super::request::Profile;
use super::running::{About, Profiled};
use super::state::State;
#[cfg(feature = "symbols")]
use super::symbols::Symbols;
use counterpoint_perf::Host;
use counterpoint_perf::records::{Record, Sample};
#[cfg(feature = "symbols")]
use counterpoint_symbols::Binaries;
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
                counted: Vec::new(),
                is_everywhere: false,
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

    /// Counts a sample, once the records of all processes have been taken.
    ///
    /// A sample that is [taken](Replay::take) waits for a while for records that were made before it; with [`Profile::off_cpu`], every sample does.
    pub fn sample(&mut self, sample: &Sample<'_>) {
        self.state.sample(sample, true);
    }

    /// The place of a sample and of its callers, once the records of all processes have been taken; it is not counted.
    pub fn locate(&mut self, sample: &Sample<'_>) -> Located {
        self.state.modules().map(|modules| modules.locate(sample)).unwrap_or_default()
    }

    /// The modules of all processes so far, and those of the kernel; none with a histogram of the caller.
    pub fn modules(&mut self) -> Vec<Module> {
        self.state.modules().map(|modules| modules.all().to_vec()).unwrap_or_default()
    }

    /// The names of the code of modules, which are those of [`Replay::modules`], with what the caller knows of their files.
    #[cfg(feature = "symbols")]
    pub fn symbols<'b>(&mut self, binaries: &'b Binaries, modules: Vec<Module>) -> Symbols<'b> {
        let dumps = self.state.modules().map(|modules| modules.jit_dumps().clone());
        Symbols::of_modules(binaries, self.kernel.known(), dumps.unwrap_or_default(), modules)
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
