//! What happened to a number while it was counted: it wrapped around, was reset, came or went.

use crate::report::values::Reason;

/// How often something happened to a number while it was counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Marks {
    /// It was measured: a counter by two readings, a level by one.
    pub measured: u32,
    /// It was not there at a reading, or a counter had just appeared.
    pub missed: u32,
    /// It wrapped around, and is counted on.
    pub wraps: u32,
    /// It was less than before without a wrap.
    pub resets: u32,
    /// It was not there, and appeared.
    pub came: u32,
    /// It was there, and vanished.
    pub went: u32,
    /// The reason why it was missed last.
    pub why: Option<Reason>,
}

impl Marks {
    /// Joins the marks of two times; the reason is that of this one, or else of the other.
    pub(crate) fn with(self, other: &Marks, both: impl Fn(u32, u32) -> u32) -> Marks {
        Marks {
            measured: both(self.measured, other.measured),
            missed: both(self.missed, other.missed),
            wraps: both(self.wraps, other.wraps),
            resets: both(self.resets, other.resets),
            came: both(self.came, other.came),
            went: both(self.went, other.went),
            why: self.why.or_else(|| other.why.clone()),
        }
    }

    /// Adds a reading at which nothing was measured.
    pub(crate) fn miss(&mut self, why: Reason) {
        self.missed = self.missed.saturating_add(1);
        self.why = Some(why);
    }

    /// The reason why there is no number, if it was missed at every reading.
    pub(crate) fn absent(&self) -> Option<&Reason> {
        self.why.as_ref().filter(|_| self.measured == 0 && self.missed > 0)
    }
}
