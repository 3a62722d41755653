//! Finds the cause of an event that cannot be opened.
//!
//! # Open errors
//!
//! The kernel refuses with a number, and the number means different things on different machines.
//! `perf::diagnose` finds the cause by looking at the machine (paranoid level, capabilities, seccomp, PMUs in sysfs) and by trying smaller requests (without excluded levels, alone instead of in the group).
//! If not even the user-space clock of the calling thread can be opened, which the kernel permits to every user, the cause is a filter or a security module, and not the paranoid level.
//! The facade then tries a request that is still meaningful, and reports that in a `Note`: user space only where the kernel may not be counted (but never for events that only the kernel sees, whose count would be a false 0), every level if a PMU does not distinguish levels.

use crate::{
    Access, Attr, Cause, Errno, Every, Exclude, Fields, Host, OpenError, OpenFailure, OpenRequest,
    Placement, ReadFormat, Sampling, Setup, pmu_type,
};

impl Host {
    /// Checks that `attr` can be opened at `placement`; nothing stays open.
    pub fn probe(&self, attr: &Attr, placement: &Placement) -> Result<(), OpenError> {
        let request = OpenRequest {
            attr,
            setup: Setup { disabled: true, ..Setup::default() },
            format: ReadFormat::default(),
            placement,
            leader: None,
            sampling: None,
        };
        self.try_open(&request).map_err(|failure| diagnose(self, &request, failure))
    }
}

/// Finds the cause of a failure from the state of the machine and by trying smaller requests.
pub(crate) fn diagnose(host: &Host, request: &OpenRequest<'_>, failure: OpenFailure) -> OpenError {
    let hardware =
        matches!(request.attr.kind, pmu_type::HARDWARE | pmu_type::HW_CACHE | pmu_type::RAW);
    let cause = match failure.errno {
        Errno::ENOENT | Errno::ENODEV if hardware && host.core_pmus().is_empty() => {
            Cause::NoHardwarePmu
        }
        Errno::ENOENT | Errno::EACCES | Errno::EPERM if request.attr.file.is_some() => {
            Cause::NoProbes
        }
        Errno::ENODEV
            if matches!(request.placement, Placement::Cpu(_) | Placement::Cgroup { .. }) =>
        {
            Cause::NoSuchCpu
        }
        Errno::ENOENT | Errno::ENODEV | Errno::ENXIO => Cause::NoSuchEvent,
        Errno::EACCES | Errno::EPERM => return permission(host, request, failure.errno),
        Errno::ENOSYS => hidden(&host.access()),
        Errno::EMFILE => {
            Cause::TooManyOpenFiles { limit: host.access().open_files.map(|(soft, _)| soft) }
        }
        Errno::ENFILE => Cause::TooManyOpenFilesInSystem,
        Errno::E2BIG => too_new(request.attr, failure.known_attr_size),
        Errno::EINVAL => invalid(host, request),
        Errno::EOPNOTSUPP => match request.sampling {
            Some(sampling) if opens(host, request, request.attr) => {
                unsampled(host, request, sampling)
            }
            _ if request.attr.precise > 0 => Cause::PreciseUnsupported,
            _ => Cause::Unsupported,
        },
        Errno::EBADF if matches!(request.placement, Placement::Cgroup { .. }) => Cause::NotACgroup,
        Errno::EBUSY => Cause::Busy,
        Errno::ENOSPC => Cause::NoFreeBreakpoint,
        Errno::ESRCH => Cause::NoSuchProcess,
        Errno::ENODATA if !host.is_running() => Cause::NotRecorded,
        _ => Cause::Other,
    };
    OpenError { errno: failure.errno, cause }
}

/// The cause of `ENOSYS`: a kernel with performance events has `perf_event_paranoid` (`perf_event_open(2)`, section "NOTES") and never returns it.
fn hidden(access: &Access) -> Cause {
    match access.paranoid {
        Some(_) => Cause::Blocked { seccomp: access.is_filtered() },
        None => Cause::NoPerfEvents,
    }
}

/// The cause of `EACCES` and `EPERM`.
fn permission(host: &Host, request: &OpenRequest<'_>, errno: Errno) -> OpenError {
    let access = host.access();
    let basic = open_basic(host);
    let blocked = Cause::Blocked { seccomp: access.is_filtered() };
    if basic.is_err_and(|failure| !may_be_level(&access, failure.errno)) {
        return OpenError { errno, cause: blocked };
    }
    if !request.attr.exclude.kernel {
        // For an unprivileged user, EACCES precedes all other errors: try again without the kernel.
        let attr = request.attr.user_only();
        let request = OpenRequest { attr: &attr, ..*request };
        if let Err(failure) = host.try_open(&request) {
            match failure.errno {
                Errno::ENOENT | Errno::ENODEV | Errno::EOPNOTSUPP => {
                    return diagnose(host, &request, failure);
                }
                Errno::EACCES | Errno::EPERM
                    if matches!(request.placement, Placement::Thread(_)) =>
                {
                    return permission(host, &request, failure.errno);
                }
                _ => {}
            }
        }
    }
    let needed = match request.placement {
        Placement::Cpu(_) | Placement::Cgroup { .. } => 0,
        _ if request.attr.exclude.kernel => 2,
        _ => 1,
    };
    let allowed = access.is_privileged() || access.paranoid.is_some_and(|level| level <= needed);
    let cause = if !allowed {
        Cause::Permission { paranoid: access.paranoid, needed: Some(needed) }
    } else if matches!(request.placement, Placement::Thread(_)) && !access.is_privileged() {
        Cause::ForeignProcess
    } else if access.is_privileged() || access.is_filtered() && basic.is_err() {
        blocked
    } else {
        Cause::Permission { paranoid: access.paranoid, needed: None }
    };
    OpenError { errno, cause }
}

/// Tries to open what every user may count up to level 2: the clock of the calling thread, in user space.
fn open_basic(host: &Host) -> Result<(), OpenFailure> {
    let request = OpenRequest {
        attr: &Attr::new(pmu_type::SOFTWARE, 1).user_only(),
        setup: Setup { disabled: true, ..Setup::default() },
        format: ReadFormat::default(),
        placement: &Placement::ThisThread,
        leader: None,
        sampling: None,
    };
    host.try_open(&request)
}

/// Returns true if `perf_event_paranoid` alone can make [`open_basic`] fail with this error: from level 3 on, with `EACCES`.
fn may_be_level(access: &Access, errno: Errno) -> bool {
    let is_restricted = !access.is_privileged() && access.paranoid.is_none_or(|level| level > 2);
    match errno {
        Errno::EACCES => is_restricted,
        Errno::EPERM | Errno::ENOSYS => is_restricted && !access.is_filtered(),
        _ => true,
    }
}

/// The cause of `E2BIG`: the newest field in use, which a kernel with attributes of `size` bytes does not know (`PERF_ATTR_SIZE_VER…` of the kernel's header).
fn too_new(attr: &Attr, size: Option<u32>) -> Cause {
    let field = match attr {
        Attr { config4: 1.., .. } => "config4",
        Attr { config3: 1.., .. } => "config3 (Linux 6.3)",
        Attr { config2: 1.., .. } => "config2 (Linux 3.3)",
        _ => "an attribute of this event",
    };
    Cause::AttributeTooNew { field, known_size: size }
}

/// The cause of `EINVAL`: tries again without each part of the request that may be invalid.
fn invalid(host: &Host, request: &OpenRequest<'_>) -> Cause {
    let attr = request.attr;
    let opens = |attr: &Attr| opens(host, request, attr);
    if let Placement::Cpu(cpu) | Placement::Cgroup { cpu, .. } = request.placement
        && let online = host.online_cpus()
        && !online.is_empty()
        && !online.contains(*cpu)
    {
        Cause::NoSuchCpu
    } else if request.leader.is_some() && opens(attr) {
        Cause::GroupDoesNotFit
    } else if let Some(sampling) = request.sampling
        && opens(attr)
    {
        unsampled(host, request, sampling)
    } else if !attr.exclude.is_none()
        && opens(&Attr { exclude: Exclude::default(), ..attr.clone() })
    {
        Cause::ExcludeUnsupported
    } else if attr.precise > 0 && opens(&Attr { precise: 0, ..attr.clone() }) {
        Cause::PreciseUnsupported
    } else {
        Cause::InvalidEvent
    }
}

/// Returns true if the event can be opened alone, for counting only.
fn opens(host: &Host, request: &OpenRequest<'_>, attr: &Attr) -> bool {
    let setup = Setup { disabled: true, ..Setup::default() };
    let format = ReadFormat::default();
    let alone = OpenRequest { attr, setup, format, leader: None, sampling: None, ..*request };
    host.try_open(&alone).is_ok()
}

/// The cause of `EINVAL` and `EOPNOTSUPP` for an event that can be counted, but not sampled.
fn unsampled(host: &Host, request: &OpenRequest<'_>, sampling: Sampling) -> Cause {
    let probe = |request: &OpenRequest<'_>| host.try_open(request).is_ok();
    let request = &OpenRequest { leader: None, ..*request };
    if let Every::Frequency(2..) = request.attr.every {
        let slow = Attr { every: Every::Frequency(1), ..request.attr.clone() };
        if probe(&OpenRequest { attr: &slow, ..*request }) {
            let limit = host.text("/proc/sys/kernel/perf_event_max_sample_rate").ok();
            return Cause::RateTooHigh { limit: limit.and_then(|text| text.parse().ok()) };
        }
    }
    let single = OpenRequest { setup: Setup { inherit: false, ..request.setup }, ..*request };
    if request.setup.inherit && sampling.fields.contains(Fields::READ) && probe(&single) {
        return Cause::NoInheritedValues;
    }
    let plain = Sampling { fields: sampling.fields.without(Fields::BRANCH_STACK), ..sampling };
    if plain != sampling && probe(&OpenRequest { sampling: Some(plain), ..*request }) {
        return Cause::NoCallRecords;
    }
    Cause::CannotSample
}
