//! Counts the samples of one event in buckets.

use super::counted::Counted;
use super::kernel::Kernel;
use super::module::ANONYMOUS;
use super::modules::Modules;
use super::processes::When;
use super::request::{Buckets, Profile};
use super::threads::{ThreadTimes, Threads};
use crate::counting::requested::Input;
use counterpoint_formula::Formula;
use counterpoint_perf::records::{Record, Sample};
use counterpoint_perf::{EventIds, Every, Host, Overflow};
use counterpoint_profil::{Histogram, SharedBuckets};
use std::collections::BTreeMap;
use std::path::Path;

/// The state of the profile of one event.
pub(crate) struct State {
    pub(crate) samples: u64,
    pub(crate) throttled: u64,
    /// The samples that the kernel has reported as lost.
    pub(crate) lost: u64,
    overflow: Option<(Overflow, Value)>,
    pub(crate) sink: Sink,
    pub(crate) threads: Option<Threads>,
    /// Each sample counts as its period.
    pub(crate) by_events: bool,
}

#[derive(Clone)]
pub(crate) enum Sink {
    Histogram(Box<Histogram>),
    Shared(Box<Histogram<SharedBuckets>>),
    Text(Box<Modules>),
}

/// The value whose growth is checked to find overflows by software.
pub(crate) struct Value {
    pub(crate) numbers: EventIds,
    pub(crate) formula: Option<(Formula, Vec<Input>)>,
    /// The number of each event that is counted with the clock, and the factor of its count.
    pub(crate) natives: Vec<(usize, f64)>,
    /// The machine values that the formula needs, as far as they are known.
    pub(crate) values: BTreeMap<&'static str, f64>,
}

impl Value {
    /// The value computed from the counts of one thread, by event number.
    fn of(&self, counts: &mut dyn Iterator<Item = (u64, u64)>) -> i128 {
        let mut totals = vec![0_i128; self.natives.len()];
        for (id, count) in counts {
            // The first count is that of the clock.
            let place = self.numbers.event(id).and_then(|(_, place)| place.checked_sub(1));
            if let Some(total) = place.and_then(|place| totals.get_mut(place)) {
                *total += i128::from(count);
            }
        }
        let Some((formula, inputs)) = &self.formula else { return totals.iter().sum() };
        let input = |input: &Input| match input {
            Input::Machine(name) => self.values.get(name).copied().unwrap_or(f64::NAN),
            // A value with a time is not profiled.
            Input::Source(_) => f64::NAN,
            Input::Native(native) => {
                let place = self.natives.iter().position(|(index, _)| index == native);
                place.map_or(0.0, |place| totals[place] as f64 * self.natives[place].1)
            }
        };
        let inputs: Vec<f64> = inputs.iter().map(input).collect();
        // A value that is not a number passes no threshold.
        let value = formula.eval(&inputs);
        if value.is_finite() { value as i128 } else { i128::MIN }
    }
}

impl State {
    /// `names` is where the names of threads are looked up for which there is no record.
    pub(crate) fn new(
        profile: &Profile,
        host: &Host,
        kernel: Kernel,
        value: Option<Value>,
        names: Option<&Host>,
    ) -> State {
        let threshold = match profile.every {
            Every::Period(period) => period,
            _ => 0,
        };
        let sink = match &profile.buckets {
            Buckets::Histogram(histogram) => {
                Sink::Histogram(Box::new(profile.applied_to(histogram, threshold)))
            }
            // A clone has the buckets of the caller.
            Buckets::Shared(histogram) => {
                Sink::Shared(Box::new(profile.applied_to(histogram, threshold)))
            }
            Buckets::Text(scale, width) => {
                let mut modules = Modules::new(host, *scale, *width, profile, threshold, kernel);
                modules.keep_apart(&profile.keys, names);
                modules.is_live = names.is_some();
                Sink::Text(Box::new(modules))
            }
        };
        let overflow = value.map(|value| (Overflow::every(threshold), value));
        let threads = profile.intervals.map(|intervals| Threads::new(names, intervals));
        let by_events = profile.by_events;
        State { samples: 0, throttled: 0, lost: 0, overflow, sink, threads, by_events }
    }

    /// Adds the name and the existing mappings of a process.
    pub(crate) fn attach(&mut self, pid: u32, maps: &counterpoint_perf::Maps) {
        if let Some(threads) = &mut self.threads {
            threads.look_up(pid);
        }
        if let Sink::Text(modules) = &mut self.sink {
            for map in maps.text() {
                let path = map.path.as_deref().unwrap_or(Path::new(ANONYMOUS));
                modules.map(pid, When::Always, map.range.clone(), map.offset, path, None);
            }
        }
    }

    /// The modules, if samples are counted by them.
    pub(crate) fn modules(&mut self) -> Option<&mut Modules> {
        match &mut self.sink {
            Sink::Text(modules) => Some(modules),
            Sink::Histogram(_) | Sink::Shared(_) => None,
        }
    }

    /// The numbers of samples, of pauses and of lost samples, and what was counted, since the last call.
    pub(crate) fn take_counted(&mut self) -> ([u64; 3], Counted, Option<ThreadTimes>) {
        let State { samples, throttled, lost, sink, threads, .. } = self;
        let numbers = [samples, throttled, lost].map(std::mem::take);
        (numbers, sink.take_counted(), threads.as_mut().map(Threads::take_counted))
    }

    /// Everything that was counted.
    pub(crate) fn finish(self) -> ([u64; 3], Counted, Option<ThreadTimes>) {
        let State { samples, throttled, lost, sink, threads, .. } = self;
        let threads = threads.map(|mut threads| threads.take_counted());
        ([samples, throttled, lost], sink.finish(), threads)
    }

    pub(crate) fn take(&mut self, record: &Record<'_>) {
        if let Record::Sample(sample) = record {
            return self.sample(sample, false);
        }
        if let Some(threads) = &mut self.threads {
            threads.take(record);
        }
        match record {
            Record::Throttle { .. } => self.throttled += 1,
            Record::Lost { lost, .. } | Record::LostSamples { lost } => {
                self.lost = self.lost.saturating_add(*lost);
            }
            other => {
                if let (Record::Exit(task), Some((overflow, _))) = (other, &mut self.overflow) {
                    overflow.forget(task.tid);
                }
                if let Sink::Text(modules) = &mut self.sink {
                    modules.take(other);
                }
            }
        }
    }

    /// Counts a sample, `at_once` if what was mapped before it is known.
    pub(crate) fn sample(&mut self, sample: &Sample<'_>, at_once: bool) {
        let excess = match &mut self.overflow {
            None => 0,
            Some((overflow, value)) => match overflow.passes(sample, |counts| value.of(counts)) {
                None => return,
                Some(excess) => i64::try_from(excess).unwrap_or(i64::MAX),
            },
        };
        self.samples += 1;
        if let Some(threads) = &mut self.threads {
            threads.sample(sample, sample.period.filter(|_| self.by_events).unwrap_or(1));
        }
        match &mut self.sink {
            Sink::Histogram(histogram) => {
                if let Some(ip) = sample.ip {
                    histogram.record_excess(ip, excess);
                }
            }
            Sink::Shared(histogram) => {
                if let Some(ip) = sample.ip {
                    histogram.record_excess(ip, excess);
                }
            }
            Sink::Text(modules) => modules.sample(sample, excess, at_once),
        }
    }
}

impl Sink {
    pub(crate) fn finish(self) -> Counted {
        match self {
            Sink::Histogram(histogram) => Counted {
                snapshot: histogram.snapshot(),
                histogram: Some(*histogram),
                ..Counted::default()
            },
            Sink::Text(mut modules) => {
                modules.end_waits();
                modules.take_counted()
            }
            mut shared @ Sink::Shared(_) => shared.take_counted(),
        }
    }

    /// The counts since the last call; a histogram of the caller keeps its counts.
    pub(crate) fn take_counted(&mut self) -> Counted {
        match self {
            Sink::Histogram(histogram) => {
                Counted { snapshot: histogram.snapshot(), ..Counted::default() }
            }
            Sink::Shared(histogram) => {
                Counted { snapshot: histogram.snapshot(), ..Counted::default() }
            }
            Sink::Text(modules) => modules.take_counted(),
        }
    }
}
