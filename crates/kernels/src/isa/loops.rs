//! The shape of a loop, and which loops an architecture has.

/// A line of a cache, which loops load and store.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Line(pub(crate) [u64; 8]);

/// A loop.
#[derive(Clone, Copy)]
pub(crate) struct Code {
    /// The instructions of a turn, with those that count the turns.
    pub(crate) instructions: u32,
    /// Runs at least one turn.
    pub(crate) run: fn(u64, &mut Line),
}

/// The loops of an architecture.
pub(crate) struct Loops {
    /// Eight additions and the branch of the loop.
    pub(crate) integers: Code,
    /// Four branches that are never taken and the branch of the loop.
    pub(crate) branches: Code,
    /// Two times a random number, a branch on its highest bit, and on each path the same instructions; and the branch of the loop.
    pub(crate) coin: Code,
    /// Eight loads.
    pub(crate) loads: Code,
    /// Eight stores.
    pub(crate) stores: Code,
    /// Eight additions of `f32`.
    pub(crate) singles: Code,
    /// Eight additions of `f64`.
    pub(crate) doubles: Code,
    /// Eight additions of vectors of `f64` with so many bits, as far as this processor has them.
    pub(crate) vectors: fn() -> Vec<(u32, Code)>,
    /// Four atomic additions, if this processor has an instruction for them or a loop that nothing disturbs.
    pub(crate) atomics: fn() -> Option<Code>,
}

/// The multiplier and the increment of the random numbers (Knuth's for 64 bits), whose highest bit has the longest period.
pub(crate) const RANDOM: (u64, u64) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);

/// The multiplications of a turn of the long loop, each of four bytes: more than are executed until a late interrupt.
pub(crate) const MULTIPLICATIONS: u64 = 960;

/// A line of assembly, eight times.
macro_rules! eight {
    ($line:literal) => {
        concat!(
            $line, "\n", $line, "\n", $line, "\n", $line, "\n", $line, "\n", $line, "\n", $line,
            "\n", $line
        )
    };
}

/// A line of assembly, four times.
macro_rules! four {
    ($line:literal) => {
        concat!($line, "\n", $line, "\n", $line, "\n", $line)
    };
}

pub(crate) use {eight, four};
