//! The functions that a run-time compiler made, from the files in which it tells their names to profilers: `/tmp/perf-PID.map` and jitdump.

use super::code_files::CodeFiles;
use super::jitdump;
use super::notice::{Notice, Notify};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// The functions of a process, by address; of several at one address, the one that was made last is the last.
#[derive(Debug)]
pub struct Jit {
    functions: Vec<(Range<u64>, String)>,
}

/// The most bytes of a map that are read; those of large programs have some 10 MB.
const MOST: u64 = 64 << 20;
/// The most functions of a map.
const MOST_FUNCTIONS: usize = 1 << 20;
/// The most bytes of a name.
const LONGEST: usize = 4096;
/// The functions before an address among which one that reaches to it is looked for.
const MOST_AROUND: usize = 64;

impl Jit {
    /// Those of a process, by its map and by the jitdump that it has mapped; `None` if it names none. One in a container has its own `/tmp`, and its own number there.
    ///
    /// At most 64 MiB of a map are read, of which `notify` is told, and 1048576 functions of each file.
    pub fn read(pid: u32, dump: Option<&Path>, files: &CodeFiles, notify: Notify) -> Option<Jit> {
        let mut functions = map(pid, files, notify).unwrap_or_default();
        if let Some(dump) = dump {
            let reachable = files.in_process(pid, dump).unwrap_or_else(|| dump.to_path_buf());
            functions.extend(jitdump::functions(&reachable).unwrap_or_default());
        }
        functions.sort_by_key(|(addresses, _)| addresses.start);
        (!functions.is_empty()).then_some(Jit { functions })
    }

    /// The name of the function at an address, and its addresses.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let after = self.functions.partition_point(|(addresses, _)| addresses.start <= address);
        // Memory is used again, so that a function may be within what is left of another.
        let mut before = self.functions[..after].iter().rev().take(MOST_AROUND);
        let (addresses, name) = before.find(|(addresses, _)| addresses.contains(&address))?;
        let next = self.functions.get(after).map_or(u64::MAX, |(next, _)| next.start);
        Some((name.as_str(), addresses.start..addresses.end.min(next)))
    }
}

/// The functions of the map of a process, in the order of its lines.
fn map(pid: u32, files: &CodeFiles, notify: Notify) -> Option<Vec<(Range<u64>, String)>> {
    let path = files.jit_map(pid)?;
    let file = File::open(&path).ok()?;
    if file.metadata().is_ok_and(|about| about.len() > MOST) {
        notify(&Notice::LongMap(path, MOST));
    }
    let mut lines = BufReader::new(file.take(MOST));
    let (mut functions, mut line) = (Vec::new(), Vec::new());
    while functions.len() < MOST_FUNCTIONS {
        line.clear();
        if (&mut lines).take(LONGEST as u64).read_until(b'\n', &mut line).ok()? == 0 {
            break;
        }
        functions.extend(function(&String::from_utf8_lossy(&line)));
        // The rest of a longer line.
        if line.last() != Some(&b'\n') && lines.skip_until(b'\n').ok()? == 0 {
            break;
        }
    }
    Some(functions)
}

/// Reads a line of `START SIZE NAME`, with numbers in hexadecimal; `None` for others.
fn function(line: &str) -> Option<(Range<u64>, String)> {
    let (start, rest) = line.split_once(' ')?;
    let (size, name) = rest.split_once(' ')?;
    let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let start = hex(start)?;
    Some((start..start.checked_add(hex(size)?)?, name.trim().to_string()))
}

#[cfg(test)]
mod tests {
    use super::{Jit, function};

    /// As a code cache leaves them that uses its memory again.
    #[test]
    fn an_address_is_of_the_function_that_reaches_to_it() {
        let lines = ["1000 1000 outer", "1200 10 inner", "1000 20 newer", "no line", "1 x"];
        let mut functions: Vec<_> = lines.iter().filter_map(|line| function(line)).collect();
        functions.sort_by_key(|(addresses, _)| addresses.start);
        let jit = Jit { functions };
        let at = |address| jit.function(address);
        assert_eq!(at(0x1010), Some(("newer", 0x1000..0x1020)));
        assert_eq!(at(0x1100), Some(("outer", 0x1000..0x1200)));
        assert_eq!(at(0x1205), Some(("inner", 0x1200..0x1210)));
        assert_eq!(at(0x1900), Some(("outer", 0x1000..0x2000)));
        assert_eq!((at(0xfff), at(0x2000)), (None, None));
    }
}
