//! The times of the commands that this process started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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

/// The last texts of files of commands, such as `/proc/PID/io`, which are gone when a command was waited for; empty until it has ended.
static LAST_TEXTS: Mutex<BTreeMap<u32, BTreeMap<PathBuf, Vec<u8>>>> = Mutex::new(BTreeMap::new());

/// Keeps the text that a file of a command has when the command has ended, for [`last_text`].
///
/// It is read before the command is waited for, and kept until another command has the same id.
pub fn keep_last_text(pid: u32, path: &Path) {
    let mut texts = LAST_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry(pid).or_default().entry(path.to_path_buf()).or_default();
}

/// The text that a file of a command had when the command had ended; `None` before, and if it was not to be kept or could not be read.
pub fn last_text(pid: u32, path: &Path) -> Option<Vec<u8>> {
    let texts = LAST_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.get(&pid)?.get(path).filter(|text| !text.is_empty()).cloned()
}

/// Returns true if a file of the command is to be read at its end.
pub(crate) fn keeps_texts(pid: u32) -> bool {
    LAST_TEXTS.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&pid)
}

/// Reads the files of a command that has ended, before it is waited for.
pub(crate) fn read_last_texts(pid: u32, read: impl Fn(&Path) -> Option<Vec<u8>>) {
    let mut texts = LAST_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    for (path, text) in texts.get_mut(&pid).into_iter().flatten() {
        *text = read(path).unwrap_or_default();
    }
}

/// Adds a command that is held; an earlier one with the same id has ended.
pub(crate) fn hold(pid: u32) {
    let mut texts = LAST_TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.remove(&pid);
    if texts.len() >= KEPT {
        texts.pop_first();
    }
    drop(texts);
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
