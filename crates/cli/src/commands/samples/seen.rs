//! The program and the mappings of the target.

use counterpoint::perf::{Host, Maps};
use counterpoint::profile::{Module, Profiled, Symbols};
use counterpoint::symbols::Binaries;
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

    /// The names of a profile; a profile without modules has the mappings of the process that was seen.
    pub fn symbols<'b>(&self, binaries: &'b Binaries, profiled: &Profiled) -> Symbols<'b> {
        let mapped = self.maps.text().filter_map(|map| {
            let path = map.path.clone()?;
            let range = map.range.clone();
            let (offset, pid) = (map.offset, Some(0));
            Some(Module { path, range, offset, pid, file: None, user: None })
        });
        let has_modules = !profiled.modules.is_empty();
        let modules = if has_modules { profiled.modules.clone() } else { mapped.collect() };
        // A process may have ended before it was looked at.
        let known = |module: Module| Module { user: module.user.or(self.user), ..module };
        let modules = modules.into_iter().map(known).collect();
        Symbols::new(binaries, profiled).with_modules(modules)
    }
}
