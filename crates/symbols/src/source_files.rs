//! The source files that may be shown: debug information names any file, and a profiler may run as root.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The source files that were named by the debug information of other users, or by that of a program which another user ran, each with one of them.
#[derive(Debug, Default)]
pub struct SourceFiles {
    named_by: RefCell<HashMap<String, u32>>,
}

const ROOT: u32 = 0;
/// A user with no rights but those of everybody.
const NOBODY: u32 = u32::MAX - 1;

impl SourceFiles {
    /// Takes a file that the debug information of a program or library names, which this user wrote, or ran.
    pub fn named(&self, file: &str, user: u32) {
        let is_trusted = user == ROOT || user == own_user();
        if !is_trusted && !self.named_by.borrow().contains_key(file) {
            self.named_by.borrow_mut().insert(file.to_string(), user);
        }
    }

    /// Returns true if the lines of a file may be shown: whoever names it must be able to read it.
    pub fn may_show(&self, file: &str) -> bool {
        let named_by = self.named_by.borrow();
        let Some(author) = named_by.get(file) else { return true };
        // Of a file that cannot be reached there is nothing to show.
        Path::new(file).canonicalize().is_ok_and(|path| is_readable(&path, *author))
    }
}

/// The user whose rights this program has.
fn own_user() -> u32 {
    Path::new("/proc/self").metadata().map_or(NOBODY, |about| about.uid())
}

/// The user who wrote a file; nobody if everybody may have.
pub(crate) fn author(about: &Metadata) -> u32 {
    const WRITABLE: u32 = 0o002;
    if about.mode() & WRITABLE != 0 { NOBODY } else { about.uid() }
}

/// Returns true if a user may read a file, as owner or as anybody: the rights of groups are not looked at.
fn is_readable(path: &Path, user: u32) -> bool {
    let has = |path: &Path, of_owner: u32, of_others: u32| {
        path.metadata().is_ok_and(|about| {
            let bit = if about.uid() == user { of_owner } else { of_others };
            about.mode() & bit != 0
        })
    };
    let mut folders = path.ancestors().skip(1);
    has(path, 0o400, 0o004) && folders.all(|folder| has(folder, 0o100, 0o001))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_shown_if_whoever_names_it_may_read_it() {
        let own = own_user();
        let path = std::env::temp_dir().join(format!("counterpoint-source-{}", std::process::id()));
        std::fs::copy("/proc/self/cmdline", &path).unwrap();
        let name = path.to_str().unwrap();
        let stranger = if own == 4242 { 4243 } else { 4242 };
        for (mode, author, is_shown) in [
            (0o600, own, true),
            (0o600, ROOT, true),
            (0o600, stranger, false),
            (0o600, NOBODY, false),
            (0o640, stranger, false),
            (0o644, stranger, true),
        ] {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            let files = SourceFiles::default();
            files.named(name, author);
            assert_eq!(files.may_show(name), is_shown, "{mode:o} {author}");
        }
        let files = SourceFiles::default();
        files.named("/nowhere/source.c", stranger);
        assert!(!files.may_show("/nowhere/source.c") && files.may_show("/nowhere/other.c"));
        std::fs::remove_file(path).unwrap();
    }
}
