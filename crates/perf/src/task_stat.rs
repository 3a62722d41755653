//! The file `stat` of a process or thread.

use crate::Host;
use std::io;
use std::time::Duration;

/// The state, the page faults, the times and the start of a process or thread, as its file `stat` has them (`proc_pid_stat(5)`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskStat {
    /// The state, such as `R` for one that runs.
    pub state: char,
    /// The process that started it, or 0 if none did.
    pub parent: u32,
    /// The page faults, minor and major: without and with a read from a disk. Those of a process are of all its threads, also of those that have ended.
    pub faults: (u64, u64),
    /// The CPU time in user space and in the kernel, in steps of 10 ms.
    pub times: (Duration, Duration),
    /// The same of the children for which it waited.
    pub children_times: (Duration, Duration),
    /// When it began, in ticks since the machine did: no other one of this id has the same.
    pub started: u64,
}

impl Host {
    /// Reads the file `stat` of a process, or of a thread by the id of its first thread.
    ///
    /// # Errors
    /// Returns an error if there is no such process.
    pub fn task_stat(&self, pid: u32) -> io::Result<TaskStat> {
        self.stat_file(format!("/proc/{pid}/stat"))
    }

    /// The same of one thread of a process.
    ///
    /// # Errors
    /// Returns an error if there is no such thread.
    pub fn thread_stat(&self, pid: u32, tid: u32) -> io::Result<TaskStat> {
        self.stat_file(format!("/proc/{pid}/task/{tid}/stat"))
    }

    fn stat_file(&self, path: String) -> io::Result<TaskStat> {
        TaskStat::parse(&self.text(path)?).ok_or(io::ErrorKind::InvalidData.into())
    }
}

impl TaskStat {
    /// Reads the text of the file.
    pub fn parse(text: &str) -> Option<TaskStat> {
        /// The length of a clock tick in these files: USER_HZ is 100 on all processors that Linux runs on except Alpha.
        const TICK: Duration = Duration::from_millis(10);
        // The second field is a name, which may hold anything but ends with the last parenthesis; the first one here is the third.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3);
        let count = |number: usize| field(number)?.parse().ok();
        let time = |number: usize| Some(TICK * field(number)?.parse::<u32>().ok()?);
        Some(TaskStat {
            state: field(3)?.chars().next()?,
            parent: field(4)?.parse().ok()?,
            faults: (count(10)?, count(12)?),
            times: (time(14)?, time(15)?),
            children_times: (time(16)?, time(17)?),
            started: field(22)?.parse().ok()?,
        })
    }

    /// Returns true if it has ended and its parent did not notice yet.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_parentheses_and_spaces() {
        let text = "7 (a) b (c) Z 1 7 7 0 -1 4 9 0 0 0 12 3 4 5 20 0 1 0 4711 0 0";
        let stat = TaskStat::parse(text).unwrap();
        assert_eq!(stat.parent, 1);
        let tens = |tens: u64| Duration::from_millis(10 * tens);
        assert_eq!((stat.state, stat.started, stat.has_ended()), ('Z', 4711, true));
        assert_eq!((stat.faults, stat.times), ((9, 0), (tens(12), tens(3))));
        assert_eq!(stat.children_times, (tens(4), tens(5)));
        assert_eq!(TaskStat::parse("7 (a) S 1 7"), None);
        assert_eq!(TaskStat::parse(""), None);
    }

    #[test]
    fn this_process_runs() {
        let stat = Host::local().task_stat(std::process::id()).unwrap();
        assert!(!stat.has_ended() && stat.started > 0, "{stat:?}");
    }
}
