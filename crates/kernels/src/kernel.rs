//! A kernel, and what is expected of it.

use crate::Quantity;
use std::{fmt, io};

/// Code with known counts.
pub struct Kernel {
    name: &'static str,
    about: &'static str,
    expected: Vec<Expected>,
    turns: u64,
    run: Box<dyn FnMut(u64) -> io::Result<()>>,
}

/// How often a quantity occurs in a turn of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Expected {
    /// What is counted.
    pub quantity: Quantity,
    /// The number in one turn.
    pub each_turn: u32,
    /// By which share of the number a right count may differ; 0 if it is exact.
    pub tolerance: f64,
    /// Why it may differ; empty if it is exact.
    pub why: &'static str,
}

impl Kernel {
    pub(crate) fn new(
        name: &'static str,
        about: &'static str,
        turns: u64,
        run: impl FnMut(u64) -> io::Result<()> + 'static,
    ) -> Kernel {
        Kernel { name, about, expected: Vec::new(), turns, run: Box::new(run) }
    }

    pub(crate) fn expects(self, quantity: Quantity, each_turn: u32) -> Kernel {
        self.expects_about(quantity, each_turn, 0.0, "")
    }

    pub(crate) fn expects_about(
        mut self,
        quantity: Quantity,
        each_turn: u32,
        tolerance: f64,
        why: &'static str,
    ) -> Kernel {
        self.expected.push(Expected { quantity, each_turn, tolerance, why });
        self
    }

    /// Its name: a word.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it does, in a sentence.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// A number of turns that takes some milliseconds at most on a usual processor, and has enough of what is counted.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The quantities whose numbers are known.
    pub fn expectations(&self) -> &[Expected] {
        &self.expected
    }

    /// What is expected of one quantity; `None` if its number is not known.
    pub fn expected(&self, quantity: Quantity) -> Option<Expected> {
        self.expected.iter().find(|expected| expected.quantity == quantity).copied()
    }

    /// Runs it for a number of turns; the first call also takes memory and fills it.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory, or if a system call of the kernel fails.
    pub fn run(&mut self, turns: u64) -> io::Result<()> {
        // The loops end at the turn 0 and not before the first one.
        if turns == 0 { Ok(()) } else { (self.run)(turns) }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kernel = f.debug_struct("Kernel");
        kernel.field("name", &self.name).field("expected", &self.expected).finish_non_exhaustive()
    }
}

impl Expected {
    /// The number in so many turns.
    pub fn of(&self, turns: u64) -> u64 {
        turns.saturating_mul(u64::from(self.each_turn))
    }
}
