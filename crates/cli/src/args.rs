//! Arguments that several commands share.

use crate::failure::Failure;
use clap::ValueEnum;
use counterpoint::Target;
use counterpoint::perf::{CpuSet, Host};
use counterpoint::pmu::Privilege;
use std::path::{Path, PathBuf};

// Which machine is looked at.
#[derive(clap::Args)]
pub struct MachineArgs {
    /// Use a recorded machine, which can be examined but cannot count (see doctor --record)
    #[arg(long, value_name = "DIR")]
    machine: Option<PathBuf>,
}

impl MachineArgs {
    /// The running machine, or the recorded one.
    pub fn host(&self) -> Result<Host, Failure> {
        host(self.recorded())
    }

    /// The directory of the recorded one.
    pub fn recorded(&self) -> Option<&Path> {
        self.machine.as_deref()
    }
}

/// The running machine, or the one recorded in this directory.
pub fn host(recorded: Option<&Path>) -> Result<Host, Failure> {
    match recorded {
        None => Ok(Host::local()),
        Some(directory) => Host::recorded(directory).map_err(|error| {
            let failure = Failure::new(error.to_string());
            if directory.is_dir() {
                failure
            } else {
                failure.help("record a machine with: counterpoint doctor --record DIR")
            }
        }),
    }
}

// A target that exists already, instead of a command.
#[derive(clap::Args)]
pub struct AttachArgs {
    /// Measure these processes, with all their threads
    #[arg(short, long, value_name = "PID,…", value_delimiter = ',', conflicts_with_all = ["tid", "all_cpus", "cpus", "cgroup"], value_parser = clap::value_parser!(u32).range(1..))]
    pub pid: Vec<u32>,
    /// Measure these threads
    #[arg(short, long, value_name = "TID,…", value_delimiter = ',', conflicts_with_all = ["all_cpus", "cpus", "cgroup"], value_parser = clap::value_parser!(u32).range(1..))]
    pub tid: Vec<u32>,
    /// Measure all processes on all CPUs
    #[arg(short, long)]
    pub all_cpus: bool,
    /// Measure all processes on these CPUs, such as 0-3,8
    #[arg(short = 'C', long = "cpu", value_name = "CPUS")]
    pub cpus: Option<String>,
    /// Measure the processes of this cgroup
    #[arg(short = 'G', long, value_name = "CGROUP", conflicts_with_all = ["all_cpus", "cpus"])]
    pub cgroup: Option<PathBuf>,
    /// Measure the processes that this user has now, and those that they start; others that the user starts later are not seen
    #[arg(short, long, value_name = "UID|NAME", conflicts_with_all = ["pid", "tid", "all_cpus", "cpus", "cgroup"])]
    pub uid: Option<String>,
}

impl AttachArgs {
    /// The target; `host` knows the users.
    pub fn attached(&self, host: &Host) -> Result<Attached, Failure> {
        Ok(if let Some(user) = &self.uid {
            Attached::To(Target::User(user_id(user, host)?))
        } else if !self.pid.is_empty() {
            Attached::To(Target::Processes(self.pid.clone()))
        } else if !self.tid.is_empty() {
            Attached::To(Target::Threads(self.tid.clone()))
        } else if let Some(list) = &self.cpus {
            let cpus: CpuSet = list.parse().map_err(|e| Failure::new(format!("-C {list}: {e}")))?;
            Attached::To(if cpus.is_empty() { Target::AllCpus } else { Target::Cpus(cpus) })
        } else if let Some(cgroup) = &self.cgroup {
            Attached::To(Target::Cgroup(cgroup.clone()))
        } else if self.all_cpus {
            Attached::To(Target::AllCpus)
        } else {
            Attached::Command
        })
    }
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

// The levels of events that name none.
#[derive(clap::Args)]
pub struct LevelArgs {
    /// Measure in user space only, unless an event names other levels
    #[arg(long, conflicts_with = "all_kernel")]
    all_user: bool,
    /// Measure in the kernel only, unless an event names other levels
    #[arg(long)]
    all_kernel: bool,
}

impl LevelArgs {
    pub fn levels(&self) -> Privilege {
        match self {
            LevelArgs { all_user: true, .. } => Privilege::USER,
            LevelArgs { all_kernel: true, .. } => Privilege::KERNEL,
            _ => Privilege::ALL,
        }
    }
}

/// Whose events are counted: those of the command, or of a target that exists already.
pub enum Attached {
    Command,
    To(Target),
}

/// The name of a target, for people.
pub fn target_title(target: &Target) -> String {
    let list = |ids: &[u32]| ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    match target {
        Target::Processes(pids) => format!("process {}", list(pids)),
        Target::Threads(tids) => format!("thread {}", list(tids)),
        Target::AllCpus => "all CPUs".to_string(),
        Target::Cpus(cpus) => format!("CPUs {cpus}"),
        Target::Cgroup(path) => format!("cgroup {}", path.display()),
        Target::Cgroups(paths) => {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            format!("cgroups {}", names.join(", "))
        }
        Target::User(user) => format!("the processes of user {user}"),
        Target::Command(pid) => format!("process {pid}"),
        // The program has no other targets.
        _ => "this thread".to_string(),
    }
}

#[derive(Clone, Copy, Debug, ValueEnum, PartialEq)]
pub enum Layer {
    /// The registers of the PMU
    Raw,
    /// The attributes of perf_event_open
    Perf,
    /// The attributes of perf_event_open, with period, frequency, precision, …
    PerfExt,
}

impl From<Layer> for counterpoint::pmu::Layer {
    fn from(layer: Layer) -> counterpoint::pmu::Layer {
        match layer {
            Layer::Raw => counterpoint::pmu::Layer::Raw,
            Layer::Perf => counterpoint::pmu::Layer::PerfEvent,
            Layer::PerfExt => counterpoint::pmu::Layer::PerfEventExt,
        }
    }
}

/// libpfm's mask of privilege levels, from their letters or as it is.
pub fn privilege(text: &str) -> Result<u32, String> {
    if text == "none" {
        return Ok(0);
    }
    if text.is_empty() {
        return Err("write `none` for no level".to_string());
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16)
            .map_err(|_| format!("`{text}` is not a mask, such as 0x9"));
    }
    let mut levels = Privilege::NONE;
    for letter in text.chars() {
        levels |= match letter {
            'k' => Privilege::KERNEL,
            '1' => Privilege::LEVEL1,
            '2' => Privilege::LEVEL2,
            'u' => Privilege::USER,
            'h' => Privilege::HYPERVISOR,
            _ => {
                return Err(format!(
                    "`{letter}` is not a privilege level; write letters of k 1 2 u h, or none"
                ));
            }
        };
    }
    Ok(levels.bits())
}
