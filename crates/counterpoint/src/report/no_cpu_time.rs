//! The reasons why the CPU time of a target is not known.

use std::fmt;

/// The reason why the CPU time of a target is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoCpuTime {
    /// The target is CPUs, a cgroup or a user, and not processes.
    NotAProcess,
    /// The target is a thread with the children and threads that it starts, whose time the kernel does not add to it.
    Children,
    /// The target is a thread that only that thread itself can ask for its time.
    OtherThread,
    /// This process or thread had ended, and its times were gone, before they were read.
    Ended(u32),
}

impl fmt::Display for NoCpuTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCpuTime::NotAProcess => f.write_str(
                "user and system time are those of a command or of processes, and the target is another",
            ),
            NoCpuTime::Children => f.write_str(
                "the CPU time of children and threads that a thread starts is not known: count it without them",
            ),
            NoCpuTime::OtherThread => {
                f.write_str("only the thread that opened the counters can read its own CPU time")
            }
            NoCpuTime::Ended(id) => {
                write!(f, "process {id} had ended, and its CPU time was gone, before it was read")
            }
        }
    }
}
