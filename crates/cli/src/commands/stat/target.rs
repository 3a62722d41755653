//! The target that the arguments name.

use super::args::StatArgs;
use crate::args::Attached;
use crate::failure::Failure;
use counterpoint::Target;
use counterpoint::perf::Host;

/// Fails if the arguments name no target.
pub fn attached(args: &StatArgs, host: &Host) -> Result<Attached, Failure> {
    if !args.for_each_cgroup.is_empty() {
        return Ok(Attached::To(Target::Cgroups(args.for_each_cgroup.clone())));
    }
    let attached = args.attach.attached(host)?;
    let has_command = !args.command.is_empty() || !args.compare.compare.is_empty();
    if matches!(attached, Attached::Command) && !has_command {
        return Err(Failure::new(
            "nothing to count: no command, and none of -p, -t, -u, -a, -C, -G",
        )
        .help("counterpoint stat -- COMMAND, or counterpoint stat -a --timeout 1000"));
    }
    Ok(attached)
}
