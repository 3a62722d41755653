//! Tool events: times that are measured beside the counters, and need none.

use std::fmt;

/// A time that can be named like an event, as perf's PMU `tool` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolEvent {
    /// `duration_time`: the elapsed time for which events were counted, in ns.
    Elapsed,
    /// `user_time`: the CPU time of the target in user space meanwhile, in ns.
    UserTime,
    /// `system_time`: its CPU time in the kernel, in ns.
    SystemTime,
}

impl ToolEvent {
    /// All of them.
    pub const ALL: [ToolEvent; 3] =
        [ToolEvent::Elapsed, ToolEvent::UserTime, ToolEvent::SystemTime];
    /// The unit of their values.
    pub const UNIT: &'static str = "ns";

    /// The event with a name; case is ignored.
    ///
    /// ```
    /// use counterpoint::events::ToolEvent;
    /// assert_eq!(ToolEvent::find("duration_time"), Some(ToolEvent::Elapsed));
    /// ```
    pub fn find(name: &str) -> Option<ToolEvent> {
        ToolEvent::ALL.into_iter().find(|tool| tool.name().eq_ignore_ascii_case(name))
    }

    /// The name that perf has for it.
    pub fn name(self) -> &'static str {
        match self {
            ToolEvent::Elapsed => "duration_time",
            ToolEvent::UserTime => "user_time",
            ToolEvent::SystemTime => "system_time",
        }
    }

    /// What it is, in words.
    pub fn description(self) -> &'static str {
        match self {
            ToolEvent::Elapsed => "Elapsed time while events are counted",
            ToolEvent::UserTime => "CPU time of the target in user space",
            ToolEvent::SystemTime => "CPU time of the target in the kernel",
        }
    }
}

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
