//! The folder of what was downloaded.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of the cache, filled once; an interrupted download leaves no folder.
pub(super) fn fetched(
    cache: &Path,
    name: &str,
    fetch: impl FnOnce(&Path, &Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let folder = cache.join(name);
    if !folder.exists() {
        let (apt, new) = (cache.join("apt"), cache.join(format!("{name}.new")));
        let _ = fs::remove_dir_all(&new);
        fetch(&apt, &new)?;
        let _ = fs::remove_dir_all(&apt);
        fs::rename(&new, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(folder)
}
