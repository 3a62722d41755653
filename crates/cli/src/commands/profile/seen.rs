//! The program and the mappings of the target.

use counterpoint::perf::{Host, Maps};
use std::path::PathBuf;

/// The program and the mappings of the target, as last seen.
#[derive(Default)]
pub struct Seen {
    /// The program's file.
    pub program: Option<PathBuf>,
    /// The last mappings of the process.
    pub maps: Maps,
    /// The user with whose rights it ran last.
    pub user: Option<u32>,
}

impl Seen {
    /// Looks at the process, whose memory is gone once it has ended.
    pub fn look(&mut self, host: &Host, pid: u32) {
        if let Ok(maps) = host.maps(Some(pid))
            && maps.iter().len() > 0
        {
            self.maps = maps;
        }
        // Of a process that has ended, this is known until its end is waited for.
        self.user = host.user_of(pid).or(self.user);
        self.program = std::fs::read_link(format!("/proc/{pid}/exe")).ok().or(self.program.take());
    }
}
