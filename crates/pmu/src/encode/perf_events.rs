//! What the perf layers add to an event: whom to count, how to sample, where.

use super::{Attr, EncodeError, EncodeErrorKind, Request};
use crate::attribute::{Modifier, PerfAttribute, PerfRow};
use crate::machine::{Context, Privilege};
use crate::tables::Marks;

/// The fields of `perf_event_attr` that an event string decides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[doc(alias = "perf_event_attr")]
pub struct PerfEncoding {
    /// `type`
    #[doc(alias = "type")]
    pub kind: u32,
    /// `config`
    pub config: u64,
    /// `config1`
    pub config1: u64,
    /// `config2`
    pub config2: u64,
    /// Do not count in user space.
    pub exclude_user: bool,
    /// Do not count in the kernel.
    pub exclude_kernel: bool,
    /// Do not count in the hypervisor.
    pub exclude_hv: bool,
    /// Do not count outside virtual machines.
    pub exclude_host: bool,
    /// Do not count in virtual machines.
    pub exclude_guest: bool,
    /// The sampling period, or the frequency when `freq` is set; 0: no sampling.
    #[doc(alias = "sample_period")]
    #[doc(alias = "sample_freq")]
    pub period: u64,
    /// `period` is a frequency, in samples a second.
    pub freq: bool,
    /// How exact sampled addresses must be, 0 to 3.
    pub precise_ip: u8,
    /// No other group may use the PMU meanwhile.
    pub exclusive: bool,
    /// Stay on the PMU or stop counting.
    pub pinned: bool,
    /// The CPU to count on, if the string names one.
    pub cpu: Option<u32>,
}

/// `perf_event_attr`'s type, config, config1 and config2.
pub(crate) type Words = (u32, [u64; 3]);

/// What the attributes of perf_events that were asked for make of it.
pub(super) fn apply(
    (kind, [config, config1, config2]): Words,
    request: &Request,
    context: &Context,
) -> Result<PerfEncoding, EncodeError> {
    let perf = PerfEncoding { kind, config, config1, config2, ..PerfEncoding::default() };
    let mut chosen = Chosen { perf, levels: None, worlds: None };
    let fixed = request.any_umask(Marks::NO_MODS);
    for (which, asked) in request.of_perf_events() {
        let set = match (&asked.what, which) {
            (Attr::Perf(row), which)
                if fixed && asked.value != 0 && which != PerfAttribute::Pinned =>
            {
                Err(EncodeErrorKind::FixedUmask { name: row.modifier.name })
            }
            (Attr::Perf(row), _) => chosen.set(row, asked.value),
            _ => Ok(()),
        };
        set.map_err(|kind| EncodeError { span: asked.span.clone(), kind })?;
    }
    let supported = request.event.pmu.family.privilege(&request.event, &context.machine);
    let levels = chosen.levels.unwrap_or(context.privilege) | !supported;
    // In libpfm the host is what the kernel's level is, and guests what the user's is.
    let worlds = chosen.worlds.unwrap_or(Privilege::KERNEL) | !supported;
    let mut perf = chosen.perf;
    perf.exclude_user = !levels.contains(Privilege::USER);
    perf.exclude_kernel = !levels.contains(Privilege::KERNEL);
    perf.exclude_hv = !levels.contains(Privilege::HYPERVISOR);
    perf.exclude_guest = !worlds.contains(Privilege::USER);
    perf.exclude_host = !worlds.contains(Privilege::KERNEL);
    Ok(perf)
}

/// What the string's attributes have chosen so far.
struct Chosen {
    perf: PerfEncoding,
    levels: Option<Privilege>,
    worlds: Option<Privilege>,
}

impl Chosen {
    fn set(&mut self, row: &PerfRow, value: u64) -> Result<(), EncodeErrorKind> {
        let Modifier { name, range, .. } = row.modifier;
        if let Some((from, till)) = range.filter(|(from, till)| !(*from..=*till).contains(&value)) {
            let name = name.to_owned();
            return Err(EncodeErrorKind::OutOfRange { name, value, range: from..=till });
        }
        match row.which {
            PerfAttribute::User => self.level(Privilege::USER, value),
            PerfAttribute::Kernel => self.level(Privilege::KERNEL, value),
            PerfAttribute::Hypervisor => self.level(Privilege::HYPERVISOR, value),
            // A period may be said again, as what is left of three equal ones is; a frequency may not.
            PerfAttribute::Period if self.perf.freq => {
                return Err(EncodeErrorKind::PeriodAndFrequency);
            }
            PerfAttribute::Frequency if self.perf.period != 0 => {
                return Err(EncodeErrorKind::PeriodAndFrequency);
            }
            PerfAttribute::Period => self.perf.period = value,
            PerfAttribute::Frequency => (self.perf.period, self.perf.freq) = (value, true),
            // The ranges above hold these: 3 and 2^31 - 2 at most.
            PerfAttribute::Precise => self.perf.precise_ip = value as u8,
            PerfAttribute::Cpu => self.perf.cpu = Some(value as u32),
            PerfAttribute::Exclusive => self.perf.exclusive |= value != 0,
            // Also when the value is 0, as in libpfm.
            PerfAttribute::Guest => self.world(Privilege::USER),
            PerfAttribute::Host => self.world(Privilege::KERNEL),
            PerfAttribute::Pinned => self.perf.pinned = value != 0,
            PerfAttribute::HardwareSampling => self.perf.precise_ip = u8::from(value != 0),
        }
        Ok(())
    }

    fn level(&mut self, level: Privilege, value: u64) {
        let levels = self.levels.get_or_insert(Privilege::NONE);
        if value != 0 {
            *levels |= level;
        }
    }

    fn world(&mut self, world: Privilege) {
        *self.worlds.get_or_insert(Privilege::NONE) |= world;
    }
}

impl PerfEncoding {
    /// What an attribute is set to.
    pub(super) fn value_of(&self, which: PerfAttribute) -> u64 {
        match which {
            PerfAttribute::User => u64::from(!self.exclude_user),
            PerfAttribute::Kernel => u64::from(!self.exclude_kernel),
            PerfAttribute::Hypervisor => u64::from(!self.exclude_hv),
            PerfAttribute::Period if self.freq => 0,
            PerfAttribute::Frequency if !self.freq => 0,
            PerfAttribute::Period | PerfAttribute::Frequency => self.period,
            PerfAttribute::Precise => self.precise_ip.into(),
            PerfAttribute::Exclusive => self.exclusive.into(),
            PerfAttribute::Guest => u64::from(!self.exclude_guest),
            PerfAttribute::Host => u64::from(!self.exclude_host),
            PerfAttribute::Cpu => self.cpu.unwrap_or(0).into(),
            PerfAttribute::Pinned => self.pinned.into(),
            PerfAttribute::HardwareSampling => u64::from(self.precise_ip != 0),
        }
    }
}
