//! Debug files from the servers of `DEBUGINFOD_URLS`, by elfutils' program `debuginfod-find`, and those it has fetched.

use super::debug_files::hex;
use crate::show;
use std::cell::Cell;
use std::env::var_os;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take for a file, after which it is asked for no other.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Debuginfod {
    /// The directory of fetched files.
    cache: Option<PathBuf>,
    /// Whether servers are asked: they are named, and none has been too slow.
    asked: Cell<bool>,
}

impl Debuginfod {
    /// As `debuginfod_find_debuginfo(3)` reads the environment.
    pub fn from_env() -> Debuginfod {
        let set = |name: &str| var_os(name).filter(|value| !value.is_empty());
        let own = || set("DEBUGINFOD_CACHE_PATH").map(PathBuf::from);
        let xdg = || set("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || Some(PathBuf::from(set("HOME")?).join(".cache"));
        let shared = || Some(xdg().or_else(home)?.join("debuginfod_client"));
        let cache = own().or_else(shared);
        Debuginfod { cache, asked: Cell::new(set("DEBUGINFOD_URLS").is_some()) }
    }

    /// Asks no server.
    pub fn silent() -> Debuginfod {
        Debuginfod { asked: Cell::new(false), ..Debuginfod::from_env() }
    }

    /// Where the `debuginfo` or the `executable` with these digits of a build id is, if it was fetched before.
    pub fn cached(&self, digits: &str, what: &str) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join(digits).join(what))
    }

    /// Fetches the debug file with this build id into the cache; `whose` is the program or library.
    pub fn fetch(&self, id: &[u8], whose: &Path) -> Option<PathBuf> {
        if !self.asked.get() {
            return None;
        }
        let whose = whose.to_string_lossy();
        let mut find = Command::new("debuginfod-find");
        find.arg("debuginfo").arg(hex(id)).stdin(Stdio::null()).stderr(Stdio::null());
        let path = match find.stdout(Stdio::piped()).spawn() {
            Ok(child) => {
                self.say(&format!("asking DEBUGINFOD_URLS for the symbols of {whose}"));
                self.answer(child)?
            }
            Err(e) => {
                self.asked.set(false);
                let help = match e.kind() {
                    ErrorKind::NotFound => {
                        "is not installed (packages call it debuginfod or elfutils)"
                    }
                    _ => "cannot be run",
                };
                self.say(&format!(
                    "DEBUGINFOD_URLS is set, but debuginfod-find {help}: {whose} stays without symbols"
                ));
                return None;
            }
        };
        Some(PathBuf::from(OsStr::from_bytes(path.trim_ascii_end())))
    }

    /// The path that the program prints if it has found the file.
    fn answer(&self, mut child: Child) -> Option<Vec<u8>> {
        let end = Instant::now() + PATIENCE;
        // A path is short, so that the pipe holds it until the program has ended.
        let status = loop {
            match child.try_wait().ok()? {
                Some(status) => break status,
                None if Instant::now() < end => std::thread::sleep(Duration::from_millis(10)),
                None => {
                    self.asked.set(false);
                    let _ = child.kill();
                    let _ = child.wait();
                    let limit = PATIENCE.as_secs();
                    self.say(&format!(
                        "no answer within {limit} s: DEBUGINFOD_URLS is not asked again"
                    ));
                    return None;
                }
            }
        };
        let mut path = Vec::new();
        child.stdout.take()?.read_to_end(&mut path).ok()?;
        (status.success() && !path.is_empty()).then_some(path)
    }

    fn say(&self, what: &str) {
        let _ = writeln!(show::stderr(), "counterpoint: {what}");
    }
}
