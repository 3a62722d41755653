//! Counts kernels by one event.

use super::trust::{Asked, Measured, Unmeasured};
use crate::counting::counters::Counters;
use crate::counting::resolved::Resolved;
use crate::error::Error;
use crate::event_set::EventSet;
use crate::report::values::{Reason, Value};
use counterpoint_kernels::Kernel;
use counterpoint_perf::{Attr, Errno, Group, Setup, UserReads};
use std::time::Duration;

/// The number of rounds: one that an interrupt disturbs does not change the median.
const ROUNDS: usize = 7;

/// What is opened for a measurement counts from when it is enabled, in this thread only.
pub(super) const DISABLED: Setup =
    Setup { disabled: true, inherit: false, enable_on_exec: false, user_reads: UserReads::Never };

/// Why an event cannot be counted here.
pub(super) fn can_count(set: &EventSet, event: &str) -> Result<(), String> {
    let mut counter = Counter::open(set, set.resolve_list(event));
    match counter.count(&mut || Ok(())) {
        Ok(_) => Ok(()),
        // It is there, and the reason is another.
        Err(Unmeasured::NotCounted(_) | Unmeasured::NoPrediction) => Ok(()),
        Err(why @ Unmeasured::NotSupported(_)) => Err(text(why)),
    }
}

fn text(why: Unmeasured) -> String {
    match why {
        Unmeasured::NotSupported(text) | Unmeasured::NotCounted(text) => text,
        Unmeasured::NoPrediction => String::new(),
    }
}

/// One event or metric, counted in this thread.
pub(super) struct Counter {
    counters: Result<Counters, Unmeasured>,
    asked: Asked,
}

impl Counter {
    pub(super) fn open(set: &EventSet, resolved: Result<Resolved, Error>) -> Counter {
        let mut asked = Asked::default();
        let opened = resolved.and_then(|resolved| {
            let boxes = resolved.natives().iter().flat_map(|native| &native.boxes);
            asked.attrs = boxes.map(|part| part.attr.clone()).collect();
            set.open_resolved(resolved, set.target())
        });
        let counters = opened.map_err(|error| {
            asked.errno = error.open_error().map(|error| error.errno);
            Unmeasured::NotSupported(error.to_string())
        });
        Counter { counters, asked }
    }

    /// What the kernel was asked for so far, and for how long it counted since this was called last.
    pub(super) fn asked(&mut self) -> Asked {
        let rest = Asked { enabled: Duration::ZERO, running: Duration::ZERO, ..self.asked.clone() };
        std::mem::replace(&mut self.asked, rest)
    }

    /// What it counts in so many turns as the kernel suggests.
    pub(super) fn measure(&mut self, kernel: &mut Kernel) -> Result<Measured, Unmeasured> {
        rounds(kernel, |kernel, turns| self.count(&mut || kernel.run(turns)))
    }

    /// The value of a metric over the kernel.
    pub(super) fn value(&mut self, kernel: &mut Kernel) -> Result<Measured, Unmeasured> {
        let turns = kernel.turns();
        let mut rounds = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            rounds.push(self.count(&mut || kernel.run(turns))?);
        }
        of(rounds)
    }

    fn count(&mut self, work: &mut dyn FnMut() -> std::io::Result<()>) -> Result<f64, Unmeasured> {
        let failed = |error: Error| Unmeasured::NotCounted(error.to_string());
        let counters = self.counters.as_mut().map_err(|why| why.clone())?;
        counters.reset().map_err(failed)?;
        counters.start().map_err(failed)?;
        let worked = work();
        counters.stop().map_err(failed)?;
        worked.map_err(|error| Unmeasured::NotCounted(error.to_string()))?;
        let report = counters.read().map_err(failed)?;
        let row = report.rows.first().ok_or(Unmeasured::NoPrediction)?;
        self.asked.enabled += row.enabled;
        self.asked.running += row.running;
        if let Some(Reason::NotOpened(error)) = row.value.reason().map(Reason::root) {
            self.asked.errno = Some(error.errno);
        }
        match &row.value {
            Value::Counted(number) => Ok(number.as_f64()),
            Value::Estimated { coverage, .. } => Err(Unmeasured::NotCounted(format!(
                "it was on a counter for {:.0} % of the time only",
                coverage * 100.0
            ))),
            Value::NotCounted(reason) => Err(Unmeasured::NotCounted(reason.to_string())),
            Value::NotSupported(reason) => Err(Unmeasured::NotSupported(reason.to_string())),
        }
    }
}

/// The rounds of a kernel: each is the count of twice the turns minus that of the turns.
pub(super) fn rounds(
    kernel: &mut Kernel,
    mut count: impl FnMut(&mut Kernel, u64) -> Result<f64, Unmeasured>,
) -> Result<Measured, Unmeasured> {
    let turns = kernel.turns();
    // Takes memory, and fills caches and TLBs with the code.
    count(kernel, turns)?;
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let once = count(kernel, turns)?;
        rounds.push(count(kernel, 2 * turns)? - once);
    }
    of(rounds)
}

pub(super) fn of(mut rounds: Vec<f64>) -> Result<Measured, Unmeasured> {
    Measured::of(&mut rounds).ok_or(Unmeasured::NoPrediction)
}

/// The count of the first event of a group that was always on a counter.
pub(super) fn read(group: &mut Group) -> Result<f64, Unmeasured> {
    let counts = group.read().map_err(not_counted)?;
    match counts.first() {
        Some(count) if count.running == count.enabled => Ok(count.raw as f64),
        _ => Err(Unmeasured::NotCounted("no counter was free for it all the time".to_string())),
    }
}

pub(super) fn run(kernel: &mut Kernel, turns: u64) -> Result<(), Unmeasured> {
    kernel.run(turns).map_err(|error| Unmeasured::NotCounted(error.to_string()))
}

pub(super) fn not_counted(errno: Errno) -> Unmeasured {
    Unmeasured::NotCounted(errno.to_string())
}

/// What the kernel is asked for, if it is one event of one PMU.
pub(super) fn attr(set: &EventSet, event: &str) -> Option<Attr> {
    let resolved = set.resolve_list(event).ok()?;
    match resolved.natives() {
        [native] if native.boxes.len() == 1 => Some(native.boxes[0].attr.clone()),
        _ => None,
    }
}

/// The event at each level of precision: `EVENT`, `EVENT:p` to `EVENT:ppp`.
pub(super) fn precisions(event: &str, attr: &Attr) -> impl Iterator<Item = (String, Attr)> {
    const MOST_PRECISE: u8 = 3;
    (0..=MOST_PRECISE).map(move |precise| {
        let name = match precise {
            0 => event.to_string(),
            _ => format!("{event}:{}", "p".repeat(precise.into())),
        };
        (name, Attr { precise, ..attr.clone() })
    })
}

/// The kernel with this name.
pub(super) fn named<'k>(kernels: &'k mut [Kernel], name: &str) -> Option<&'k mut Kernel> {
    kernels.iter_mut().find(|kernel| kernel.name() == name)
}
