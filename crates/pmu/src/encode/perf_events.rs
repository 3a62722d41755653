//! The fields that the perf layers add to an event: the levels to count at, sampling, the CPU.

use super::error::{EncodeError, EncodeErrorKind};
use super::programmed::Words;
use super::request::Request;
use crate::machine::Context;
use crate::modifier::{PerfAttribute, set};
use crate::pmu::Event;
use crate::privilege::Privilege;
use crate::tables::row::Marks;
use PerfAttribute::*;

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
    /// The exactness of sampled addresses, 0 to 3.
    pub precise_ip: u8,
    /// No other group may use the PMU meanwhile.
    pub exclusive: bool,
    /// Stay on the PMU or stop counting.
    pub pinned: bool,
    /// The CPU to count on, if the string names one.
    pub cpu: Option<u32>,
}

/// The fields with the attributes of perf_events that were asked for.
#[inline(always)]
pub(super) fn apply(
    Words { kind, configs: [config, config1, config2] }: Words,
    event: &Event,
    request: &Request,
    context: &Context,
) -> Result<PerfEncoding, EncodeError> {
    let asked = Chosen::of(request)?;
    let supported = event.pmu.family.privilege(event, context.machine.privilege);
    let levels = asked.levels().unwrap_or(context.privilege) | !supported;
    // libpfm treats the host as the kernel's level and guests as the user's.
    let worlds = asked.worlds().unwrap_or(Privilege::KERNEL) | !supported;
    Ok(PerfEncoding {
        kind,
        config,
        config1,
        config2,
        exclude_user: !levels.contains(Privilege::USER),
        exclude_kernel: !levels.contains(Privilege::KERNEL),
        exclude_hv: !levels.contains(Privilege::HYPERVISOR),
        exclude_guest: !worlds.contains(Privilege::USER),
        exclude_host: !worlds.contains(Privilege::KERNEL),
        period: asked.value(Period) | asked.value(Frequency),
        freq: asked.value(Frequency) != 0,
        // The ranges hold these: 3 and 2^31 - 2 at most.
        precise_ip: asked.value(Precise) as u8,
        exclusive: asked.value(Exclusive) != 0,
        pinned: asked.value(Pinned) != 0,
        cpu: asked.any(&[Cpu]).then_some(asked.value(Cpu) as u32),
    })
}

/// The attributes that the string has, a bit for each, and their values.
struct Chosen {
    given: u32,
    values: [u64; 12],
}

impl Chosen {
    fn of(request: &Request) -> Result<Chosen, EncodeError> {
        let mut chosen = Chosen { given: 0, values: [0; 12] };
        let fixed = request.any_umask(Marks::NO_MODS);
        for (which, asked) in request.of_perf_events() {
            let modifier = which.modifier();
            let refused = |kind| Err(EncodeError { span: asked.span.clone(), kind });
            if fixed && asked.value != 0 && which != Pinned {
                return refused(EncodeErrorKind::FixedUmask { name: modifier.name });
            }
            let value = asked.in_range(modifier)?;
            match which {
                // A period may be repeated, because two of three equal ones stay; a frequency may not.
                Period if chosen.any(&[Frequency]) => {
                    return refused(EncodeErrorKind::PeriodAndFrequency);
                }
                Frequency if chosen.any(&[Period, Frequency]) => {
                    return refused(EncodeErrorKind::PeriodAndFrequency);
                }
                // It is the lowest precision, or none.
                HardwareSampling => chosen.values[Precise as usize] = u64::from(value != 0),
                _ if which.stays_on() => chosen.values[which as usize] |= value,
                _ => chosen.values[which as usize] = value,
            }
            chosen.given |= set(&[which]);
        }
        Ok(chosen)
    }

    fn value(&self, which: PerfAttribute) -> u64 {
        self.values[which as usize]
    }

    fn any(&self, attributes: &[PerfAttribute]) -> bool {
        self.given & set(attributes) != 0
    }

    /// Those that are named and on.
    fn levels(&self) -> Option<Privilege> {
        let level = |which, level| if self.value(which) != 0 { level } else { Privilege::NONE };
        self.any(&[User, Kernel, Hypervisor]).then(|| {
            level(User, Privilege::USER)
                | level(Kernel, Privilege::KERNEL)
                | level(Hypervisor, Privilege::HYPERVISOR)
        })
    }

    /// Those that are named, whatever their values, as in libpfm.
    fn worlds(&self) -> Option<Privilege> {
        let world = |which, level| if self.any(&[which]) { level } else { Privilege::NONE };
        self.any(&[Guest, Host])
            .then(|| world(Guest, Privilege::USER) | world(Host, Privilege::KERNEL))
    }
}

impl PerfEncoding {
    /// The value of an attribute.
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
