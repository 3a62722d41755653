//! The file system of cgroups whose events the kernel counts.

use crate::counting::error::{CountError, Unmounted};
use crate::error::Error;
use counterpoint_perf::Host;
use std::path::{Path, PathBuf};

/// The directory of a cgroup, as [`Target::Cgroup`](crate::Target::Cgroup) names it: below the mount of the `perf_event` controller (version 1), else of version 2.
///
/// # Errors
/// Returns an error if no file system of cgroups is mounted that has the controller `perf_event`; whether the directory exists is not tested.
pub fn cgroup_directory(host: &Host, path: &Path) -> Result<PathBuf, Error> {
    match cgroup_root(host) {
        Err(Unmounted::Cgroups) if path.starts_with("/sys") => Ok(path.to_path_buf()),
        Err(unmounted) => Err(CountError::NoCgroups { path: path.to_path_buf(), unmounted }.into()),
        Ok(_) if path.starts_with("/sys") => Ok(path.to_path_buf()),
        Ok(root) => Ok(root.join(path.strip_prefix("/").unwrap_or(path))),
    }
}

/// The mount of the controller `perf_event` (version 1), else of version 2, of which it is always a part.
pub(crate) fn cgroup_root(host: &Host) -> Result<PathBuf, Unmounted> {
    let mounts = host.text("/proc/self/mounts").unwrap_or_default();
    let mount = |kind: &str, option: &str| -> Option<PathBuf> {
        mounts.lines().find_map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            let &[_, directory, found, options, ..] = fields.as_slice() else { return None };
            let has = option.is_empty() || options.split(',').any(|o| o == option);
            (found == kind && has).then(|| PathBuf::from(directory))
        })
    };
    if let Some(root) = mount("cgroup", "perf_event") {
        return Ok(root);
    }
    // A controller that is a hierarchy of version 1 is not part of version 2, even where nothing shows it.
    if hierarchy(host).is_some_and(|number| number != 0) {
        return Err(Unmounted::PerfEvent);
    }
    mount("cgroup2", "").ok_or(Unmounted::Cgroups)
}

/// The number of the controller's hierarchy of version 1; 0 stands for version 2, and `None` for a kernel that does not say.
fn hierarchy(host: &Host) -> Option<u32> {
    let controllers = host.text("/proc/cgroups").ok()?;
    controllers.lines().find_map(|line| {
        let mut fields = line.split_whitespace();
        (fields.next() == Some("perf_event")).then(|| fields.next()?.parse().ok())?
    })
}
