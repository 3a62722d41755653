//! The target that the arguments name.

use super::args::StatArgs;
use crate::args::Attached;
use crate::failure::Failure;
use counterpoint::Target;
use counterpoint::perf::Host;

/// Fails if the arguments name no target.
pub fn attached(args: &StatArgs, host: &Host) -> Result<Attached, Failure> {
    if let Some(user) = &args.uid {
        return Ok(Attached::To(Target::User(user_id(user, host)?)));
    }
    if !args.for_each_cgroup.is_empty() {
        return Ok(Attached::To(Target::Cgroups(args.for_each_cgroup.clone())));
    }
    let attached = args.attach.attached()?;
    let has_command = !args.command.is_empty() || !args.compare.compare.is_empty();
    if matches!(attached, Attached::Command) && !has_command {
        return Err(Failure::new(
            "nothing to count: no command, and none of -p, -t, -u, -a, -C, -G",
        )
        .help("counterpoint stat -- COMMAND, or counterpoint stat -a --timeout 1000"));
    }
    Ok(attached)
}

/// The id of a user, by number or by its name in `/etc/passwd`.
fn user_id(user: &str, host: &Host) -> Result<u32, Failure> {
    if let Ok(id) = user.parse() {
        return Ok(id);
    }
    let users = host.text("/etc/passwd").unwrap_or_default();
    let id = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(user)).then(|| fields.nth(1)?.parse().ok())?
    });
    id.ok_or_else(|| {
        Failure::new(format!("no user is called `{user}` in /etc/passwd"))
            .help("write the number that `id -u NAME` prints")
    })
}
