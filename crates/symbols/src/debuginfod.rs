//! Debug files from the servers of `DEBUGINFOD_URLS`, by elfutils' program `debuginfod-find`, and those it has fetched.

use super::build_id::hex;
use super::notice::{Notice, Notify};
use std::cell::Cell;
use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The time that a server may take for a file, after which it is asked for no other.
const PATIENCE: Duration = Duration::from_secs(60);

/// The servers, and the files that were fetched from them.
#[derive(Clone, Debug)]
pub(crate) struct Debuginfod {
    /// The directory of fetched files.
    cache: Option<PathBuf>,
    /// They are named, and none has been too slow.
    asked: Cell<bool>,
}

/// The directory of fetched files, as `debuginfod_find_debuginfo(3)` reads the environment.
pub(crate) fn cache() -> Option<PathBuf> {
    let own = || set("DEBUGINFOD_CACHE_PATH").map(PathBuf::from);
    let xdg = || set("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(set("HOME")?).join(".cache"));
    let shared = || Some(xdg().or_else(home)?.join("debuginfod_client"));
    own().or_else(shared)
}

fn set(name: &str) -> Option<OsString> {
    var_os(name).filter(|value| !value.is_empty())
}

impl Debuginfod {
    /// Asks the servers that `DEBUGINFOD_URLS` names.
    pub(crate) fn from_env() -> Debuginfod {
        Debuginfod { cache: cache(), asked: Cell::new(set("DEBUGINFOD_URLS").is_some()) }
    }

    /// Asks no server; what was fetched before is found.
    pub(crate) fn silent() -> Debuginfod {
        Debuginfod { cache: cache(), asked: Cell::new(false) }
    }

    /// The place of the `debuginfo` or the `executable` with these digits of a build id, if it was fetched before.
    pub(crate) fn cached(&self, digits: &str, what: &str) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join(digits).join(what))
    }

    /// Fetches the debug file with this build id into the cache; `whose` is the program or library.
    pub(crate) fn fetch(&self, id: &[u8], whose: &Path, notify: Notify) -> Option<PathBuf> {
        if !self.asked.get() {
            return None;
        }
        let mut find = Command::new("debuginfod-find");
        find.arg("debuginfo").arg(hex(id)).stdin(Stdio::null()).stderr(Stdio::null());
        let path = match find.stdout(Stdio::piped()).spawn() {
            Ok(child) => {
                notify(&Notice::Asking(whose.to_path_buf()));
                self.answer(child, notify)?
            }
            Err(error) => {
                self.asked.set(false);
                let whose = whose.to_path_buf();
                notify(&match error.kind() {
                    ErrorKind::NotFound => Notice::NotInstalled(whose),
                    _ => Notice::CannotRun(whose),
                });
                return None;
            }
        };
        Some(PathBuf::from(OsStr::from_bytes(path.trim_ascii_end())))
    }

    /// The path that the program prints if it has found the file.
    fn answer(&self, mut child: Child, notify: Notify) -> Option<Vec<u8>> {
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
                    notify(&Notice::NoAnswer(PATIENCE));
                    return None;
                }
            }
        };
        let mut path = Vec::new();
        child.stdout.take()?.read_to_end(&mut path).ok()?;
        (status.success() && !path.is_empty()).then_some(path)
    }
}
