//! What is seen of the target beside its samples.

use counterpoint::perf::{Host, Maps};
use std::path::PathBuf;

/// What was seen of the target beside its samples.
#[derive(Default)]
pub struct Seen {
    /// The program's file.
    pub program: Option<PathBuf>,
    /// What the process had in its memory last.
    pub maps: Maps,
}

impl Seen {
    /// Looks at the process, whose memory is gone once it has ended.
    pub fn look(&mut self, host: &Host, pid: u32) {
        if let Ok(maps) = host.maps(Some(pid))
            && maps.iter().len() > 0
        {
            self.maps = maps;
        }
        self.program = std::fs::read_link(format!("/proc/{pid}/exe")).ok().or(self.program.take());
    }
}
