//! The event to count.

use std::ffi::CString;

/// The event to count: the part of `perf_event_attr` that identifies it.
///
/// [`Setup`] determines how it is counted (inherited, started by exec), and [`Placement`](crate::Placement) where.
///
/// ```
/// use counterpoint_perf::{Attr, pmu_type};
/// let page_faults = Attr::new(pmu_type::SOFTWARE, 2);
/// assert!(page_faults.exclude.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "perf_event_attr")]
pub struct Attr {
    /// The PMU's type: one of [`pmu_type`], or the contents of `/sys/bus/event_source/devices/PMU/type`.
    #[doc(alias = "type")]
    pub kind: u32,
    /// The event's code.
    pub config: u64,
    /// The second word of the code; the address of a breakpoint.
    #[doc(alias = "bp_addr")]
    pub config1: u64,
    /// The third word of the code; the length of a breakpoint in bytes.
    #[doc(alias = "bp_len")]
    pub config2: u64,
    /// The fourth word of the code (Linux 6.3).
    pub config3: u64,
    /// The fifth word of the code, on the newest kernels.
    pub config4: u64,
    /// The accesses that trigger a breakpoint: 1 read, 2 write, 4 execute; 0 for every other event.
    #[doc(alias = "bp_type")]
    pub breakpoint: u32,
    /// The levels at which the event is not counted.
    pub exclude: Exclude,
    /// The requested precision, 0 to 3 (`:p`, `:pp`, `:ppp`).
    #[doc(alias = "precise_ip")]
    pub precise: u8,
    /// Always on the PMU, or in the error state (`:D`).
    pub pinned: bool,
    /// Alone on the PMU (`:e`).
    pub exclusive: bool,
    /// The file in which a probe of a function is, at the offset `config2`: the event is that of the PMU `uprobe`, and is opened as a tracepoint, which is defined in tracefs for as long as the [`Host`](crate::Host) lives.
    #[doc(alias = "uprobe_path")]
    pub file: Option<CString>,
    /// The condition over the fields of a tracepoint under which it is counted, in the kernel's language; ignored by a [`Sampler`](crate::Sampler).
    #[doc(alias = "PERF_EVENT_IOC_SET_FILTER")]
    pub filter: Option<String>,
    /// The period or the frequency at which a [`Sampler`](crate::Sampler) samples it; ignored by a [`Group`](crate::Group).
    pub every: Every,
}

impl Attr {
    /// The event with code `config` of the PMU with type `kind`, counted at every level.
    pub fn new(kind: u32, config: u64) -> Attr {
        Attr { kind, config, ..Attr::default() }
    }

    /// The same event, counted in user space only.
    pub fn user_only(&self) -> Attr {
        Attr { exclude: Exclude { kernel: true, hv: true, ..self.exclude }, ..self.clone() }
    }
}

/// The period or the frequency at which an event is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Every {
    /// One sample each time this many events have been counted; nanoseconds for clocks.
    #[doc(alias = "sample_period")]
    Period(u64),
    /// About this many samples per second of the target's time: the kernel adapts the period, which samples can include.
    #[doc(alias = "sample_freq")]
    Frequency(u64),
}

/// A thousand samples per second.
impl Default for Every {
    fn default() -> Every {
        Every::Frequency(1000)
    }
}

/// Privilege levels at which an event is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Exclude {
    /// User space.
    #[doc(alias = "exclude_user")]
    pub user: bool,
    /// The kernel.
    #[doc(alias = "exclude_kernel")]
    pub kernel: bool,
    /// The hypervisor.
    #[doc(alias = "exclude_hv")]
    pub hv: bool,
    /// The idle task.
    #[doc(alias = "exclude_idle")]
    pub idle: bool,
    /// The host, on a machine that runs guests.
    #[doc(alias = "exclude_host")]
    pub host: bool,
    /// Guests.
    #[doc(alias = "exclude_guest")]
    pub guest: bool,
}

impl Exclude {
    /// Returns true if every level is counted.
    pub fn is_none(&self) -> bool {
        *self == Exclude::default()
    }

    /// The levels as letters: u user, k kernel, h hypervisor, i idle, H host, G guest; `-` for none.
    pub fn letters(&self) -> String {
        let all = [
            (self.user, 'u'),
            (self.kernel, 'k'),
            (self.hv, 'h'),
            (self.idle, 'i'),
            (self.host, 'H'),
            (self.guest, 'G'),
        ];
        let letters: String = all.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect();
        if letters.is_empty() { "-".into() } else { letters }
    }

    /// Parses the format of [`Exclude::letters`]; returns `None` if there is any other letter.
    pub fn from_letters(letters: &str) -> Option<Exclude> {
        let mut exclude = Exclude::default();
        for letter in letters.chars().filter(|c| *c != '-') {
            match letter {
                'u' => exclude.user = true,
                'k' => exclude.kernel = true,
                'h' => exclude.hv = true,
                'i' => exclude.idle = true,
                'H' => exclude.host = true,
                'G' => exclude.guest = true,
                _ => return None,
            }
        }
        Some(exclude)
    }
}

/// The PMU types that are constant (`enum perf_type_id`); others are in sysfs.
pub mod pmu_type {
    /// Generic hardware events.
    #[doc(alias = "PERF_TYPE_HARDWARE")]
    pub const HARDWARE: u32 = 0;
    /// Events of the kernel itself.
    #[doc(alias = "PERF_TYPE_SOFTWARE")]
    pub const SOFTWARE: u32 = 1;
    /// Tracepoints; `config` is the number in `events/SUBSYSTEM/NAME/id` of tracefs.
    #[doc(alias = "PERF_TYPE_TRACEPOINT")]
    pub const TRACEPOINT: u32 = 2;
    /// Generic cache events.
    #[doc(alias = "PERF_TYPE_HW_CACHE")]
    pub const HW_CACHE: u32 = 3;
    /// Codes of the processor's own PMU.
    #[doc(alias = "PERF_TYPE_RAW")]
    pub const RAW: u32 = 4;
    /// Breakpoints on addresses.
    #[doc(alias = "PERF_TYPE_BREAKPOINT")]
    pub const BREAKPOINT: u32 = 5;
}

/// The way in which an event is counted: the part of `perf_event_attr` that is the same for all events of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Count children and threads that the target starts from now on.
    pub inherit: bool,
    /// Start when the target calls `exec`, if it is also `disabled`; otherwise it has started before.
    pub enable_on_exec: bool,
    /// Start only when [`Group::enable`](crate::Group::enable) is called (or at exec).
    pub disabled: bool,
    /// The reads of counters without a system call.
    pub user_reads: UserReads,
}

/// The reads of a [`Group`](crate::Group) without a system call, if the kernel supports them.
///
/// This applies only in the thread that opened the group for itself, without its children ([`Setup::inherit`](crate::Setup)), while all events of the group are on counters; any other read uses `read(2)`, with the same results.
///
/// On arm64 the kernel supports it if `/proc/sys/kernel/perf_user_access` is 1; do not set it to 0 while a program counts, or the processor will trap on the instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "rdpmc")]
pub enum UserReads {
    /// On processors where this crate's tests have run it: arm64.
    #[default]
    WhereProven,
    /// Wherever the kernel supports it; this includes x86-64, where the code follows the kernel's protocol but has not been run.
    WhereOffered,
    /// Never: every read is a system call.
    Never,
}

impl UserReads {
    pub(crate) fn are_wanted(self) -> bool {
        match self {
            UserReads::WhereProven => cfg!(target_arch = "aarch64"),
            UserReads::WhereOffered => true,
            UserReads::Never => false,
        }
    }
}

/// The format of a read, chosen by [`Group`](crate::Group) and used by [`Events`](crate::Events).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReadFormat {
    /// One read returns all members (`PERF_FORMAT_GROUP`).
    pub group: bool,
    /// Include the number of lost samples (`PERF_FORMAT_LOST`, Linux 6.0).
    pub lost: bool,
}
