use crate::Host;
use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What a process has in its memory, from `/proc/PID/maps` (`proc_pid_maps(5)`).
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

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// Its addresses.
    pub range: Range<u64>,
    /// Whether it can be read.
    pub read: bool,
    /// Whether it can be written.
    pub write: bool,
    /// Whether code can run there.
    pub execute: bool,
    /// Where in the file it begins.
    pub offset: u64,
    /// The number of the file; 0 if there is none.
    pub inode: u64,
    /// The file, or a name in brackets such as `[vdso]`; a file that was removed ends in ` (deleted)`.
    pub path: Option<PathBuf>,
}

impl Maps {
    /// Reads the text of a `maps` file; a line of another form is left out.
    pub fn parse(text: &[u8]) -> Maps {
        Maps { maps: text.split(|byte| *byte == b'\n').filter_map(line).collect() }
    }

    /// All pieces, in the order of their addresses.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Map> {
        self.maps.iter()
    }

    /// The pieces that hold code: the program's and its libraries' text.
    #[doc(alias = "text_start")]
    pub fn text(&self) -> impl Iterator<Item = &Map> {
        self.maps.iter().filter(|map| map.execute)
    }

    /// The piece that holds an address.
    pub fn at(&self, address: u64) -> Option<&Map> {
        self.maps.iter().find(|map| map.range.contains(&address))
    }
}

impl Map {
    /// Where in the file an address of this piece stands.
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
    /// What a process has in its memory; `None` is this one.
    ///
    /// The error is that of reading `/proc/PID/maps`: `NotFound` for a process that has gone, `PermissionDenied` for another user's.
    pub fn maps(&self, pid: Option<u32>) -> io::Result<Maps> {
        let pid = pid.map_or("self".to_string(), |pid| pid.to_string());
        let bytes = self.kernel().file(Path::new(&format!("/proc/{pid}/maps")))?;
        Ok(Maps::parse(&bytes))
    }
}
