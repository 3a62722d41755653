//! The times of the commands that this process started.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// CPU time, in user space and in the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTimes {
    /// The time in user space.
    pub user: Duration,
    /// The time in the kernel.
    pub system: Duration,
}

/// What a command used, with the children for which it waited (`getrusage(2)`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The CPU time.
    pub times: CpuTimes,
    /// The greatest resident memory of one of the processes, in bytes.
    pub max_rss: u64,
    /// Page faults without input or output.
    pub minor_faults: u64,
    /// Page faults for which a file was read.
    pub major_faults: u64,
    /// Blocks of 512 bytes that were read from devices.
    pub blocks_read: u64,
    /// Blocks of 512 bytes that are to be written to devices.
    pub blocks_written: u64,
    /// Context switches because of a wait.
    pub voluntary_switches: u64,
    /// Context switches because another thread got the CPU.
    pub involuntary_switches: u64,
}

/// The times of a command that was started with [`Held`](crate::process::Held).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandTimes {
    /// When it began; `None` while it is held.
    pub began: Option<Instant>,
    /// When its end was noticed by [`Running`](crate::process::Running), and what it used; `None` before.
    pub ended: Option<(Instant, Usage)>,
}

/// The commands by process id, so that what counts a command knows its times even after it was waited for.
static COMMANDS: Mutex<BTreeMap<u32, CommandTimes>> = Mutex::new(BTreeMap::new());

/// The maximum number of commands whose times are kept; far more than run at once.
const KEPT: usize = 4096;

/// The times of the command with this process id; `None` if this process did not start it, or started thousands of others later.
///
/// ```
/// use counterpoint_perf::process::{Held, command_times};
/// let held = Held::fork(&["true"], None)?;
/// let pid = held.pid();
/// assert!(command_times(pid).is_some_and(|times| times.began.is_none()));
/// held.exec()?.wait()?;
/// let times = command_times(pid).unwrap();
/// assert!(times.ended.is_some_and(|(end, _)| Some(end) >= times.began));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn command_times(pid: u32) -> Option<CommandTimes> {
    COMMANDS.lock().unwrap_or_else(PoisonError::into_inner).get(&pid).copied()
}

/// Adds a command that is held; an earlier one with the same id has ended.
pub(crate) fn hold(pid: u32) {
    let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    if commands.len() >= KEPT {
        let end = |times: &CommandTimes| times.ended.map(|(end, _)| end);
        let oldest = commands.iter().filter_map(|(pid, times)| Some((end(times)?, *pid))).min();
        oldest.map(|(_, pid)| commands.remove(&pid));
    }
    commands.insert(pid, CommandTimes::default());
}

/// Notes that a command begins.
pub(crate) fn begin(pid: u32) {
    let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    commands.entry(pid).or_default().began = Some(Instant::now());
}

/// Notes that a command has ended.
pub(crate) fn end(pid: u32, usage: Usage) {
    let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    commands.entry(pid).or_default().ended = Some((Instant::now(), usage));
}
