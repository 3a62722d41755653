//! What the perf layers add to an event: whom to count, how to sample, where.

use super::{EncodeError, EncodeErrorKind, Request};
use crate::attribute::{Attribute, Controller, PerfAttribute};
use crate::machine::{Context, Privilege};
use crate::pmu::Event;

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

/// The perf layers' part of an encoding.
pub(super) struct Applied {
    pub(super) perf: PerfEncoding,
    pub(super) fully_qualified: String,
    pub(super) canonical: String,
}

pub(super) fn apply(
    (kind, [config, config1, config2]): (u32, [u64; 3]),
    event: &Event,
    request: &Request,
    context: &Context,
) -> Result<Applied, EncodeError> {
    let perf = PerfEncoding { kind, config, config1, config2, ..PerfEncoding::default() };
    let mut chosen = Chosen { perf, levels: None, worlds: None };
    for (attribute, requested) in request.of_perf_events() {
        let set = chosen.set(attribute, requested.value);
        set.map_err(|kind| EncodeError { span: requested.span.clone(), kind })?;
    }
    let supported = event.pmu.family.privilege(&context.machine);
    let levels = chosen.levels.unwrap_or(context.privilege) | !supported;
    // In libpfm the host is what the kernel's level is, and guests what the user's is.
    let worlds = chosen.worlds.unwrap_or(Privilege::KERNEL) | !supported;
    let mut perf = chosen.perf;
    perf.exclude_user = !levels.contains(Privilege::USER);
    perf.exclude_kernel = !levels.contains(Privilege::KERNEL);
    perf.exclude_hv = !levels.contains(Privilege::HYPERVISOR);
    perf.exclude_guest = !worlds.contains(Privilege::USER);
    perf.exclude_host = !worlds.contains(Privilege::KERNEL);
    let listed = || request.attributes.iter().filter(|a| a.controller == Controller::PerfEvent);
    let fully_qualified = printed(&perf, listed());
    let canonical = canonical(&perf, listed(), supported);
    Ok(Applied { perf, fully_qualified, canonical })
}

/// What the string's attributes have chosen so far.
struct Chosen {
    perf: PerfEncoding,
    levels: Option<Privilege>,
    worlds: Option<Privilege>,
}

impl Chosen {
    fn set(&mut self, attribute: &Attribute, value: u64) -> Result<(), EncodeErrorKind> {
        let Some(which) = PerfAttribute::of(attribute) else { return Ok(()) };
        if let Some(range) = attribute.range.as_ref().filter(|range| !range.contains(&value)) {
            let (name, range) = (attribute.name.to_owned(), range.clone());
            return Err(EncodeErrorKind::OutOfRange { name, value, range });
        }
        let sampled = self.perf.period != 0;
        match which {
            PerfAttribute::User => self.level(Privilege::USER, value),
            PerfAttribute::Kernel => self.level(Privilege::KERNEL, value),
            PerfAttribute::Hypervisor => self.level(Privilege::HYPERVISOR, value),
            PerfAttribute::Period | PerfAttribute::Frequency if sampled => {
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

/// libpfm's string: every attribute that the event has, but numbers only when they are not 0, period and
/// frequency as the same number, and neither CPU nor pinning.
fn printed<'a>(perf: &PerfEncoding, listed: impl Iterator<Item = &'a Attribute>) -> String {
    let mut string = String::new();
    for attribute in listed {
        let value = match PerfAttribute::of(attribute) {
            Some(PerfAttribute::Period | PerfAttribute::Frequency) if perf.period == 0 => continue,
            Some(PerfAttribute::Cpu | PerfAttribute::Pinned) | None => continue,
            Some(PerfAttribute::Period | PerfAttribute::Frequency) => perf.period,
            Some(PerfAttribute::HardwareSampling) => perf.precise_ip.into(),
            Some(which) => value_of(perf, which),
        };
        add(&mut string, attribute.name, value);
    }
    string
}

/// A string that gives the same: levels by their values, the rest only where it differs from the default.
fn canonical<'a>(
    perf: &PerfEncoding,
    listed: impl Iterator<Item = &'a Attribute> + Clone,
    supported: Privilege,
) -> String {
    let has = |which| listed.clone().any(|attribute| PerfAttribute::of(attribute) == Some(which));
    // Naming one level leaves out the others, so the hypervisor cannot be kept where it has no name;
    // it is then the context's default, which stays so when nothing is named.
    let unnamed = !perf.exclude_hv
        && supported.contains(Privilege::HYPERVISOR)
        && !has(PerfAttribute::Hypervisor);
    let mut string = String::new();
    for attribute in listed.clone() {
        let Some(which) = PerfAttribute::of(attribute) else { continue };
        let value = value_of(perf, which);
        let is_level = matches!(
            which,
            PerfAttribute::User | PerfAttribute::Kernel | PerfAttribute::Hypervisor
        );
        let named = match which {
            _ if is_level => !unnamed,
            PerfAttribute::Cpu => perf.cpu.is_some(),
            PerfAttribute::HardwareSampling => value != 0 && !has(PerfAttribute::Precise),
            _ => value != 0,
        };
        if named {
            add(&mut string, attribute.name, value);
        }
    }
    string
}

fn value_of(perf: &PerfEncoding, which: PerfAttribute) -> u64 {
    match which {
        PerfAttribute::User => u64::from(!perf.exclude_user),
        PerfAttribute::Kernel => u64::from(!perf.exclude_kernel),
        PerfAttribute::Hypervisor => u64::from(!perf.exclude_hv),
        PerfAttribute::Period if perf.freq => 0,
        PerfAttribute::Frequency if !perf.freq => 0,
        PerfAttribute::Period | PerfAttribute::Frequency => perf.period,
        PerfAttribute::Precise => perf.precise_ip.into(),
        PerfAttribute::Exclusive => perf.exclusive.into(),
        PerfAttribute::Guest => u64::from(!perf.exclude_guest),
        PerfAttribute::Host => u64::from(!perf.exclude_host),
        PerfAttribute::Cpu => perf.cpu.unwrap_or(0).into(),
        PerfAttribute::Pinned => perf.pinned.into(),
        PerfAttribute::HardwareSampling => u64::from(perf.precise_ip != 0),
    }
}

fn add(string: &mut String, name: &str, value: u64) {
    string.push_str(&format!(":{name}={value}"));
}
