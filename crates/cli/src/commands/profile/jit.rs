//! The functions that a run-time compiler made, from the file in which it tells their names to profilers, `/tmp/perf-PID.map`.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// The functions of a process, by address.
pub struct Jit {
    functions: Vec<(Range<u64>, String)>,
}

impl Jit {
    /// Those of a process; `None` if it has no such file. One in a container has its own `/tmp`, and its own number there.
    pub fn of(pid: u32) -> Option<Jit> {
        let own = Path::new("/proc").join(pid.to_string());
        let status = std::fs::read_to_string(own.join("status")).unwrap_or_default();
        let inner =
            status.lines().find_map(|line| line.strip_prefix("NSpid:")?.split('\t').next_back());
        let in_container = inner.map(|inner| own.join("root/tmp").join(name(inner)));
        let outside = PathBuf::from("/tmp").join(name(&pid.to_string()));
        let files = in_container.into_iter().chain([outside]);
        let bytes =
            files.filter(|path| path.is_file()).find_map(|path| std::fs::read(path).ok())?;
        Some(Jit::parse(&String::from_utf8_lossy(&bytes)))
    }

    /// Reads lines of `START SIZE NAME`, with numbers in hexadecimal; others are left out.
    fn parse(text: &str) -> Jit {
        let function = |line: &str| {
            let (start, rest) = line.split_once(' ')?;
            let (size, name) = rest.split_once(' ')?;
            let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
            let start = hex(start)?;
            Some((start..start.checked_add(hex(size)?)?, name.trim().to_string()))
        };
        let mut functions: Vec<_> = text.lines().filter_map(function).collect();
        // Of several at one address, the last one was written when the code was replaced.
        functions.sort_by_key(|(addresses, _)| addresses.start);
        Jit { functions }
    }

    /// The name of the function at an address, and its addresses.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let after = self.functions.partition_point(|(addresses, _)| addresses.start <= address);
        let (addresses, name) = self.functions[..after].last()?;
        addresses.contains(&address).then(|| (name.as_str(), addresses.clone()))
    }
}

fn name(pid: &str) -> String {
    format!("perf-{pid}.map")
}
