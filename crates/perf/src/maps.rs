//! The memory mappings of a process.

use crate::Host;
use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The memory mappings of a process, from `/proc/PID/maps` (`proc_pid_maps(5)`).
///
/// ```
/// use counterpoint_perf::Host;
/// let maps = Host::local().maps(None)?;
/// let text: Vec<_> = maps.text().map(|map| (&map.range, &map.path)).collect();
/// println!("{text:x?}");
/// # assert!(text.len() > 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[doc(alias = "PAPI_get_executable_info")]
#[doc(alias = "PAPI_get_shared_lib_info")]
pub struct Maps {
    maps: Vec<Map>,
}

/// A memory mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The range of addresses.
    pub range: Range<u64>,
    /// True if it is readable.
    pub read: bool,
    /// True if it is writable.
    pub write: bool,
    /// True if it is executable.
    pub execute: bool,
    /// The offset in the file.
    pub offset: u64,
    /// The inode of the file; 0 if there is none.
    pub inode: u64,
    /// The file, or a name in brackets such as `[vdso]`; the name of a deleted file ends in ` (deleted)`.
    pub path: Option<PathBuf>,
}

impl Maps {
    /// Parses the text of a `maps` file; skips malformed lines.
    pub fn parse(text: &[u8]) -> Maps {
        Maps { maps: text.split(|byte| *byte == b'\n').filter_map(line).collect() }
    }

    /// All mappings, in the order of their addresses.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Map> {
        self.maps.iter()
    }

    /// The mappings that contain code: the text of the program and its libraries.
    #[doc(alias = "text_start")]
    pub fn text(&self) -> impl Iterator<Item = &Map> {
        self.maps.iter().filter(|map| map.execute)
    }

    /// The mapping that contains an address.
    pub fn at(&self, address: u64) -> Option<&Map> {
        self.maps.iter().find(|map| map.range.contains(&address))
    }
}

impl Map {
    /// The offset in the file of an address in this mapping.
    pub fn file_offset(&self, address: u64) -> Option<u64> {
        self.range
            .contains(&address)
            .then(|| (address - self.range.start).wrapping_add(self.offset))
    }
}

/// `START-END rwxp OFFSET DEVICE INODE   PATH`
fn line(line: &[u8]) -> Option<Map> {
    let mut rest = line;
    let mut field = || {
        let begin = rest.iter().position(|byte| *byte != b' ')?;
        rest = &rest[begin..];
        let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        rest = after;
        std::str::from_utf8(field).ok()
    };
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = field()?.split_once('-')?;
    let range = hex(start)?..hex(end)?;
    let permissions = field()?;
    let offset = hex(field()?)?;
    field()?;
    let inode = field()?.parse().ok()?;
    let path = rest.trim_ascii_start();
    let may = |place: usize, letter: u8| permissions.as_bytes().get(place) == Some(&letter);
    Some(Map {
        range,
        read: may(0, b'r'),
        write: may(1, b'w'),
        execute: may(2, b'x'),
        offset,
        inode,
        path: (!path.is_empty()).then(|| Path::new(OsStr::from_bytes(path)).to_path_buf()),
    })
}

impl Host {
    /// The memory mappings of a process; `None` stands for this process.
    ///
    /// Returns the error of reading `/proc/PID/maps`: `NotFound` for a process that has ended, `PermissionDenied` for another user's process.
    pub fn maps(&self, pid: Option<u32>) -> io::Result<Maps> {
        let pid = pid.map_or("self".to_string(), |pid| pid.to_string());
        let bytes = self.bytes(format!("/proc/{pid}/maps"))?;
        Ok(Maps::parse(&bytes))
    }
}
