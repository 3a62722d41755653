//! What was expected of an event, what was measured, and the verdict that follows.

use counterpoint_kernels::{Expected, Kernel};
use counterpoint_perf::{Attr, Count, Errno, OpenError};
use std::time::Duration;

/// The trust report of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct TrustReport {
    /// Why no event of the processor was verified; `None` if they were.
    pub no_hardware: Option<String>,
    /// The verified events.
    pub rows: Vec<Trust>,
}

/// What was expected of an event, and what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Trust {
    /// The name of the event, preset or metric; of [`Way::Plan`] and of a group, the events.
    pub event: String,
    /// The way in which it was counted.
    pub way: Way,
    /// The code that was counted; empty if no kernel predicts the event, of times and of skids.
    pub kernel: String,
    /// The number that is expected of so many turns as were measured.
    pub expected: f64,
    /// By which share of the number a right count may differ.
    pub tolerance: f64,
    /// Why it may differ; empty if it may not.
    pub why: String,
    /// The numbers of the processor's errata about what is counted, by the vendor's list; empty if there are none.
    pub errata: String,
    /// The numbers, or the reason why there are none.
    pub measured: Result<Measured, Unmeasured>,
    /// What the kernel of the system was asked for.
    pub asked: Asked,
}

/// What the kernel of the system was asked for, what it answered, and for how long it counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The events; empty for a name that stands for none on this machine.
    pub attrs: Vec<Attr>,
    /// The error number, if it did not open one of them.
    pub errno: Option<Errno>,
    /// For how long the counters that were read were enabled, in all rounds together.
    pub enabled: Duration,
    /// For how long they counted.
    pub running: Duration,
}

/// The way in which an event was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// Alone, read with a system call.
    Count,
    /// Alone, read without a system call.
    UserRead,
    /// Beside so many others that they took turns; the numbers are estimates.
    Multiplexed,
    /// By samples: their number times the period.
    Overflow,
    /// By samples: how many instructions are from the one that caused a sample to the one that it names, 0 if it is that one.
    Skid,
    /// Events of one pass of a plan: how many of them the kernel counted at the same time. If more passes are planned, 0 are expected.
    Plan,
    /// The nanoseconds of a read with a system call, of one event or of a group.
    ReadTime,
    /// The nanoseconds of a read without a system call.
    UserReadTime,
}

/// The numbers of several rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The number in the middle.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// How many there are.
    pub rounds: usize,
}

/// The reason why there is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unmeasured {
    /// The machine, or this user on it, cannot count the event, for this reason.
    NotSupported(String),
    /// The event was opened and not counted, for this reason.
    NotCounted(String),
    /// No kernel knows the number beforehand.
    NoPrediction,
}

/// The answer to the question if an event counts rightly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every round had the expected number.
    Exact,
    /// The median is as near to the expected number as a right count is.
    Near,
    /// It counts something else, or not everything.
    Differs,
    /// There are numbers, and nothing is expected of them: [`Way::expects_nothing`].
    Measured,
    /// [`Unmeasured::NotSupported`]
    NotSupported,
    /// [`Unmeasured::NotCounted`]
    NotCounted,
    /// [`Unmeasured::NoPrediction`]
    NoPrediction,
}

impl Verdict {
    /// The verdict on measured numbers.
    ///
    /// ```
    /// use counterpoint::verify::{Measured, Verdict};
    /// let measured = Measured::of(&mut [1000.0, 1000.0, 1004.0]).unwrap();
    /// assert_eq!(Verdict::of(1000.0, 0.01, &measured), Verdict::Near);
    /// assert_eq!(Verdict::of(2000.0, 0.01, &measured), Verdict::Differs);
    /// ```
    pub fn of(expected: f64, tolerance: f64, measured: &Measured) -> Verdict {
        let is_expected = |value: f64| value == expected;
        if is_expected(measured.least) && is_expected(measured.greatest) {
            Verdict::Exact
        } else if (measured.median - expected).abs() <= tolerance * expected {
            Verdict::Near
        } else {
            Verdict::Differs
        }
    }

    /// The name of the variant in machine formats, such as `exact` or `not-supported`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Exact => "exact",
            Verdict::Near => "near",
            Verdict::Differs => "differs",
            Verdict::Measured => "measured",
            Verdict::NotSupported => "not-supported",
            Verdict::NotCounted => "not-counted",
            Verdict::NoPrediction => "no-prediction",
        }
    }
}

impl Unmeasured {
    pub(super) fn no_user_reads() -> Unmeasured {
        let why = "the kernel does not let a thread read its counters itself";
        Unmeasured::NotSupported(why.to_string())
    }
}

impl Asked {
    pub(super) fn of(attrs: &[Attr]) -> Asked {
        Asked { attrs: attrs.to_vec(), ..Asked::default() }
    }

    /// Keeps the error number of an open error, whose text is the reason.
    pub(super) fn refused(&mut self, error: &OpenError) -> Unmeasured {
        self.errno = Some(error.errno);
        Unmeasured::NotSupported(error.to_string())
    }

    /// Adds the times of counts.
    pub(super) fn add(&mut self, counts: &[Count]) {
        self.enabled += counts.iter().map(|count| count.enabled).sum::<Duration>();
        self.running += counts.iter().map(|count| count.running).sum::<Duration>();
    }
}

impl Way {
    /// Every way.
    pub const ALL: [Way; 8] = [
        Way::Count,
        Way::UserRead,
        Way::Multiplexed,
        Way::Overflow,
        Way::Skid,
        Way::Plan,
        Way::ReadTime,
        Way::UserReadTime,
    ];

    /// Whether nothing is expected of its numbers: times and skids are what they are.
    pub fn expects_nothing(self) -> bool {
        matches!(self, Way::ReadTime | Way::UserReadTime | Way::Skid)
    }

    /// The name of the variant in machine formats, such as `count` or `user-read`.
    pub fn name(self) -> &'static str {
        match self {
            Way::Count => "count",
            Way::UserRead => "user-read",
            Way::Multiplexed => "multiplexed",
            Way::Overflow => "overflow",
            Way::Skid => "skid",
            Way::Plan => "plan",
            Way::ReadTime => "read-time",
            Way::UserReadTime => "user-read-time",
        }
    }
}

impl Measured {
    /// Sorts the numbers of the rounds; `None` if there are none.
    pub fn of(rounds: &mut [f64]) -> Option<Measured> {
        rounds.sort_by(f64::total_cmp);
        let (least, greatest) = (*rounds.first()?, *rounds.last()?);
        Some(Measured { median: rounds[rounds.len() / 2], least, greatest, rounds: rounds.len() })
    }
}

impl Trust {
    /// The verdict, which follows from the numbers.
    pub fn verdict(&self) -> Verdict {
        match &self.measured {
            Ok(_) if self.way.expects_nothing() => Verdict::Measured,
            Ok(measured) => Verdict::of(self.expected, self.tolerance, measured),
            Err(Unmeasured::NotSupported(_)) => Verdict::NotSupported,
            Err(Unmeasured::NotCounted(_)) => Verdict::NotCounted,
            Err(Unmeasured::NoPrediction) => Verdict::NoPrediction,
        }
    }

    /// An event whose count is expected of so many turns of a kernel.
    pub(super) fn of(
        event: &str,
        kernel: &Kernel,
        expected: Expected,
        measured: Result<Measured, Unmeasured>,
        asked: Asked,
    ) -> Trust {
        Trust {
            event: event.to_string(),
            way: Way::Count,
            kernel: kernel.name().to_string(),
            expected: expected.of(kernel.turns()) as f64,
            tolerance: expected.tolerance,
            why: expected.why.to_string(),
            errata: String::new(),
            measured,
            asked,
        }
    }

    /// An event whose number no kernel predicts.
    pub(super) fn unpredicted(event: &str) -> Trust {
        Trust {
            event: event.to_string(),
            way: Way::Count,
            kernel: String::new(),
            expected: 0.0,
            tolerance: 0.0,
            why: String::new(),
            errata: String::new(),
            measured: Err(Unmeasured::NoPrediction),
            asked: Asked::default(),
        }
    }
}
