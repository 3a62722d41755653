//! The functions that a run-time compiler made, from the files in which it tells their names to profilers: `/tmp/perf-PID.map` and jitdump.

use super::code_files::in_process;
use super::jitdump;
use crate::show;
use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The functions of a process, by address; of several at one address, the one that was made last is the last.
pub struct Jit {
    functions: Vec<(Range<u64>, String)>,
}

/// The most bytes of a map that are read; those of large programs have some 10 MB.
const MOST: u64 = 64 << 20;

impl Jit {
    /// Those of a process; `None` if it names none. One in a container has its own `/tmp`, and its own number there.
    pub fn of(pid: u32, dump: Option<&Path>) -> Option<Jit> {
        let mut functions = map(pid).map_or(Vec::new(), |text| parse(&text));
        if let Some(dump) = dump {
            let reachable = in_process(pid, dump).unwrap_or_else(|| dump.to_path_buf());
            functions.extend(jitdump::functions(&reachable).unwrap_or_default());
        }
        functions.sort_by_key(|(addresses, _)| addresses.start);
        (!functions.is_empty()).then_some(Jit { functions })
    }

    /// The name of the function at an address, and its addresses.
    pub fn function(&self, address: u64) -> Option<(&str, Range<u64>)> {
        let after = self.functions.partition_point(|(addresses, _)| addresses.start <= address);
        let (addresses, name) = self.functions[..after].last()?;
        addresses.contains(&address).then(|| (name.as_str(), addresses.clone()))
    }
}

/// The text of a map of a process.
fn map(pid: u32) -> Option<String> {
    let own = Path::new("/proc").join(pid.to_string());
    let status = std::fs::read_to_string(own.join("status")).unwrap_or_default();
    let inner =
        status.lines().find_map(|line| line.strip_prefix("NSpid:")?.split('\t').next_back());
    let in_container = inner.map(|inner| own.join("root/tmp").join(name(inner)));
    let outside = PathBuf::from("/tmp").join(name(&pid.to_string()));
    let mut files = in_container.into_iter().chain([outside]);
    let path = files.find(|path| path.is_file())?;
    let mut bytes = Vec::new();
    File::open(&path).ok()?.take(MOST + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MOST {
        bytes.truncate(MOST as usize);
        let path = path.to_string_lossy();
        let (path, most) = (show::printable(&path), MOST >> 20);
        let said = format!("{path} is longer than {most} MiB: the rest of its names is not read");
        let _ = writeln!(show::stderr(), "counterpoint: {said}");
    }
    Some(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(other) => String::from_utf8_lossy(other.as_bytes()).into_owned(),
    })
}

/// Reads lines of `START SIZE NAME`, with numbers in hexadecimal; others are left out.
fn parse(text: &str) -> Vec<(Range<u64>, String)> {
    let function = |line: &str| {
        let (start, rest) = line.split_once(' ')?;
        let (size, name) = rest.split_once(' ')?;
        let hex = |text: &str| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
        let start = hex(start)?;
        Some((start..start.checked_add(hex(size)?)?, name.trim().to_string()))
    };
    text.lines().filter_map(function).collect()
}

fn name(pid: &str) -> String {
    format!("perf-{pid}.map")
}
