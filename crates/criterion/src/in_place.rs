//! This crate in the place of criterion, for benchmarks that were written for it.

use crate::events::Events;
use counterpoint::Error;
use criterion::BenchmarkFilter;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::time::Duration;

/// The environment variable with the events of [`Criterion`], between blanks: the first is measured, the others stand
/// beside it. Without it, the instructions or the CPU time are measured, and page faults stand beside them.
pub const EVENTS_VARIABLE: &str = "COUNTERPOINT_BENCH";

/// Criterion, with the events of [`EVENTS_VARIABLE`] as its measurement, for benchmarks that name no measurement.
///
/// In the manifest, `criterion = { package = "counterpoint-criterion", version = "0.1" }` is all that a benchmark needs.
/// It has the methods of [`criterion::Criterion`], and those that configure it.
pub struct Criterion(criterion::Criterion<Events>);

impl Default for Criterion {
    /// # Panics
    /// Panics with the reasons if the events cannot be counted: a benchmark has no one to give an error to.
    fn default() -> Criterion {
        const USUAL: &str = "instructions|task-clock page-faults";
        let events = std::env::var(EVENTS_VARIABLE).unwrap_or_default();
        let events = if events.trim().is_empty() { USUAL } else { &events };
        match of_list(events) {
            Ok(events) => Criterion(criterion::Criterion::default().with_measurement(events)),
            Err(error) => panic!("{EVENTS_VARIABLE}=\"{events}\": {error}"),
        }
    }
}

fn of_list(events: &str) -> Result<Events, Error> {
    let mut words = events.split_whitespace();
    let first = Events::new(words.next().unwrap_or_default())?;
    words.try_fold(first, |events, word| events.beside(word))
}

impl fmt::Debug for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Criterion").finish_non_exhaustive()
    }
}

impl Deref for Criterion {
    type Target = criterion::Criterion<Events>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Criterion {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The methods of criterion that take it and give it back.
macro_rules! configured {
    ($($name:ident($($value:ident: $type:ty),*);)*) => {
        impl Criterion {
            $(
                #[doc = concat!("As [`criterion::Criterion::", stringify!($name), "`].")]
                #[must_use]
                pub fn $name(self $(, $value: $type)*) -> Criterion {
                    Criterion(self.0.$name($($value),*))
                }
            )*
        }
    };
}

configured! {
    sample_size(samples: usize);
    warm_up_time(time: Duration);
    measurement_time(time: Duration);
    nresamples(resamples: usize);
    noise_threshold(threshold: f64);
    confidence_level(level: f64);
    significance_level(level: f64);
    with_plots();
    without_plots();
    plotting_backend(backend: criterion::PlottingBackend);
    save_baseline(baseline: String);
    retain_baseline(baseline: String, strict: bool);
    with_benchmark_filter(filter: BenchmarkFilter);
    with_output_color(is_coloured: bool);
    output_directory(path: &Path);
    profile_time(time: Option<Duration>);
    configure_from_args();
}

/// As criterion's macro of this name, for functions that take this crate's [`Criterion`].
#[macro_export]
macro_rules! criterion_group {
    (name = $name:ident; config = $config:expr; targets = $($target:path),+ $(,)*) => {
        /// Runs the benchmarks.
        pub fn $name() {
            let mut criterion: $crate::Criterion = $config.configure_from_args();
            $($target(&mut criterion);)+
        }
    };
    ($name:ident, $($target:path),+ $(,)*) => {
        $crate::criterion_group! {
            name = $name;
            config = $crate::Criterion::default();
            targets = $($target),+
        }
    };
}
