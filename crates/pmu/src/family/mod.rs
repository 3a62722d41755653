//! How the events of related PMUs are listed and encoded: one module per family.
//!
//! What they share: [`groups`] are unit masks that exclude or complete each other, [`field`] are the
//! parts of registers.

mod amd;
mod arm;
pub(crate) mod field;
mod groups;
mod intel_core;
mod intel_server_uncore;
mod mips;
mod nehalem_uncore;
mod netburst;
mod perf;
mod perf_raw;
mod sparc;

use crate::attribute::Attribute;
use crate::detect::{CpuId, among};
use crate::encode::{Codes, EncodeError, EncodeErrorKind, Request, Spelling, Words};
use crate::machine::{Context, Layer, Machine, Privilege};
use crate::modifier::{Modifier, PerfAttribute, of_set, set};
use crate::pmu::{Event, Flags, Pmu};
use crate::tables::{Marks, Mask, Row};

/// PMUs that are encoded by the same rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    IntelCore,
    IntelClientUncore,
    IntelServerUncore,
    NehalemUncore,
    Rapl,
    Amd,
    AmdRapl,
    Netburst,
    Arm,
    ArmUncore,
    Power,
    PowerNest,
    Torrent,
    S390x,
    Sparc,
    Mips,
    Perf,
    PerfRaw,
}

use Family::*;

/// `perf_event_attr.type` of what the processor's own PMU counts.
const RAW: u32 = 4;

/// An event as its PMU programs it.
pub(crate) struct Programmed {
    /// The register images.
    pub(crate) codes: Codes,
    /// The values of the modifiers, by their numbers, as they are printed.
    pub(crate) values: [u64; 24],
}

impl Programmed {
    /// One code, and no modifiers.
    fn code(code: u64) -> Programmed {
        Programmed { codes: code.into(), values: [0; 24] }
    }
}

impl Family {
    /// The events of a PMU, those that only some machines have too.
    pub(crate) fn events(self, pmu: &'static Pmu) -> Box<dyn Iterator<Item = Event>> {
        match self {
            Perf => Box::new(perf::events(pmu)),
            PerfRaw => Box::new(perf_raw::events(pmu)),
            _ => Box::new(pmu.table.events(pmu).map(move |found| Event::of_table(pmu, found))),
        }
    }

    /// The event of this name that the machine has; without a machine the first one.
    pub(crate) fn event(
        self,
        pmu: &'static Pmu,
        name: &str,
        machine: Option<&Machine>,
    ) -> Option<Event> {
        let has = |row: &Row| machine.is_none_or(|machine| self.has_row(row, machine));
        match self {
            Perf => perf::event(pmu, name)
                .filter(|event| machine.is_none_or(|machine| perf::has(event, machine))),
            PerfRaw => perf_raw::event(pmu, name),
            _ => pmu.table.find(pmu, name, has).map(|found| Event::of_table(pmu, found)),
        }
    }

    /// The machine has this event.
    pub(crate) fn has(self, event: &Event, machine: &Machine) -> bool {
        if self == Perf { perf::has(event, machine) } else { self.has_row(&event.row, machine) }
    }

    /// The machine has what stands in this row. A processor of another vendor says nothing about it.
    fn has_row(self, row: &Row, machine: &Machine) -> bool {
        match (self, &machine.cpu) {
            _ if row.models.is_empty() => true,
            (Rapl, Some(CpuId::X86 { vendor, model, .. })) if vendor == "GenuineIntel" => {
                among(row.models, *model)
            }
            (S390x, Some(CpuId::S390x { machine: Some(number) })) => among(row.models, *number),
            _ => !row.marks.has(Marks::OPTIONAL),
        }
    }

    /// The unit mask of this name.
    pub(crate) fn mask(self, event: &Event, name: &str) -> Option<Mask> {
        match self {
            Perf => perf::masks(event).find(|mask| mask.row.name.eq_ignore_ascii_case(name)),
            _ => event.place.mask(event.pmu, name),
        }
    }

    pub(crate) fn umasks(self, event: &Event) -> Vec<Attribute> {
        match self {
            Perf => perf::masks(event).map(perf::attribute).collect(),
            _ => event.place.masks(event.pmu).map(|mask| self.umask(event, mask)).collect(),
        }
    }

    fn umask(self, event: &Event, mask: Mask) -> Attribute {
        let pmu = event.pmu;
        let code = match self {
            IntelCore | IntelClientUncore | IntelServerUncore | NehalemUncore => {
                let code = mask.row.code;
                let code = if mask.has(Marks::CODE_OVERRIDE) { code } else { code >> 8 };
                let filtered = code == 0 && pmu.flags.has(Flags::FILTER_INFO);
                if filtered { mask.row.filters[0] } else { code }
            }
            _ => mask.row.code,
        };
        let no_modifiers = mask.has(Marks::NO_MODS);
        let is_precise = mask.has(Marks::PEBS) && !no_modifiers;
        let every = pmu.flags.has(Flags(Flags::EXTPEBS.0 | Flags::UNC_CBO.0));
        let filter_info = pmu.flags.has(Flags::FILTER_INFO);
        Attribute {
            equiv: event.place.mask_alias(&mask),
            group: Some(mask.row.group),
            is_alone: mask.has(Marks::NCOMBO),
            is_precise,
            speculative: event.speculative(),
            hardware_sampling: (is_precise || every) && !no_modifiers && !filter_info,
            no_modifiers,
            counters: (mask.row.counters != 0).then_some(mask.row.counters),
            ..Attribute::umask(mask.row.name, code, mask.has(Marks::DEFAULT))
        }
    }

    /// The modifiers of the family, in the order of their numbers.
    #[inline]
    pub(crate) fn modifiers(self) -> &'static [Modifier] {
        match self {
            IntelCore | IntelClientUncore => &intel_core::MODIFIERS,
            IntelServerUncore => &intel_server_uncore::MODIFIERS,
            NehalemUncore => &nehalem_uncore::MODIFIERS,
            Amd => &amd::MODIFIERS,
            Netburst => &netburst::MODIFIERS,
            Arm | ArmUncore => &arm::MODIFIERS,
            Sparc => &sparc::MODIFIERS,
            Mips => &mips::MODIFIERS,
            Rapl | AmdRapl | Power | PowerNest | Torrent | S390x | Perf | PerfRaw => &[],
        }
    }

    /// The modifiers that an event takes at a layer, in the order of their numbers.
    pub(crate) fn modifiers_of(
        self,
        event: &Event,
        layer: Layer,
    ) -> impl Iterator<Item = &'static Modifier> + use<> {
        of_set(self.modifiers(), self.taken(event, layer))
    }

    /// The modifiers that an event takes at a layer, a bit for each. In the perf layers the kernel sets
    /// privilege levels, so that what does so in registers is left out.
    #[inline]
    pub(crate) fn taken(self, event: &Event, layer: Layer) -> u32 {
        let left_out: u32 = match (self, layer) {
            // libpfm lists none.
            (Torrent, _) => u32::MAX,
            (_, Layer::Raw) => 0,
            // Of the Nehalem uncore that is edge and invert, by accident.
            (IntelCore | IntelClientUncore | NehalemUncore, _) => 0b11,
            // By accident too: the number of `nc` is that of perf_events' `hw_smpl`.
            (IntelServerUncore, _) => 1 << 11,
            (Amd, _) => 0b10_0011,
            (Arm | ArmUncore | Sparc, _) => 0b111,
            (Mips, _) => 0b1111,
            (Netburst, _) => 0b11,
            _ => 0,
        };
        event.row.modifiers & !left_out
    }

    /// The attributes of perf_events that an event can have at a layer, a bit for each.
    #[inline]
    pub(crate) fn kept(self, event: &Event, layer: Layer, machine: &Machine) -> u32 {
        let pmu = event.pmu;
        let of_layer = PerfAttribute::of_layer(layer);
        let left_out = match self {
            Perf => perf::left_out(event, machine),
            PerfRaw => 0,
            IntelCore | IntelClientUncore | NehalemUncore | Rapl => {
                let is_precise = of_layer & EXACT != 0 && event.is_precise();
                let exact = match is_precise {
                    true => set(&[PerfAttribute::HardwareSampling]),
                    false if pmu.flags.has(Flags::EXTPEBS) => set(&[PerfAttribute::Precise]),
                    false => EXACT,
                };
                left_out_of_intel(pmu) | exact
            }
            IntelServerUncore => left_out_of_intel(pmu) | EXACT,
            Amd if pmu.flags.has(Flags::NO_PERF) => of_layer,
            // Revisions before family 10h, and family 11h, do not know guests.
            Amd | AmdRapl if pmu.revision >= 8 && pmu.revision != 11 => EXACT,
            Amd | AmdRapl | Netburst => EXACT | set(&[PerfAttribute::Hypervisor]),
            _ => EXACT,
        };
        of_layer & !left_out
    }

    /// The levels that its PMUs tell apart.
    pub(crate) fn privilege(self, event: &Event, machine: &Machine) -> Privilege {
        match self {
            Perf => machine.privilege,
            _ => event.pmu.privilege(),
        }
    }

    /// The register images. Default unit masks are added to the request.
    pub(crate) fn program(
        self,
        request: &mut Request,
        context: &Context,
    ) -> Result<Programmed, EncodeError> {
        match self {
            IntelCore | IntelClientUncore => intel_core::program(request, context),
            IntelServerUncore => intel_server_uncore::program(request),
            NehalemUncore => nehalem_uncore::program(request),
            Amd => amd::program(request, context),
            Netburst => netburst::program(request, context),
            Arm => arm::program(request, context),
            Sparc => sparc::program(request),
            Mips => mips::program(request, context),
            Perf => perf::program(request),
            PerfRaw | Rapl | AmdRapl | ArmUncore | Power | PowerNest | Torrent | S390x => {
                Ok(Programmed::code(request.event.code))
            }
        }
    }

    /// What `perf_event_open` wants.
    pub(crate) fn perf(
        self,
        request: &Request,
        programmed: &Programmed,
        context: &Context,
    ) -> Result<Words, EncodeError> {
        let event = &request.event;
        let codes = &programmed.codes;
        let code = codes.first().copied().unwrap_or(0);
        let device = context.machine.device(event.pmu);
        match self {
            IntelCore => Ok(intel_core::perf(request, codes, device)),
            IntelClientUncore => {
                Ok((found(event, device, true)?, [code & !field::ENABLE, second(codes), 0]))
            }
            IntelServerUncore => {
                Ok((found(event, device, false)?, intel_server_uncore::perf(event, codes)))
            }
            NehalemUncore => Ok((found(event, device, true)?, [code & !field::ENABLE, 0, 0])),
            Amd => Ok((of_core_or_device(event, device)?, [amd::config(code), 0, 0])),
            Netburst => Ok((RAW, [netburst::config(event, codes), 0, 0])),
            Arm => Ok((of_core_or_device(event, device)?, [arm::config(event, code), 0, 0])),
            Rapl => Ok((device.unwrap_or(RAW), [code, 0, 0])),
            AmdRapl | ArmUncore | PowerNest => Ok((found(event, device, false)?, [code, 0, 0])),
            S390x => Ok((found(event, device, true)?, [code, 0, 0])),
            Power | Torrent => Ok((RAW, [code, 0, 0])),
            Sparc => Ok((RAW, [sparc::config(codes), 0, 0])),
            Mips => Ok((RAW, [mips::config(codes), 0, 0])),
            Perf => Ok((event.os.map_or(RAW, |os| os.perf_kind), [code, 0, 0])),
            PerfRaw => Ok((RAW, [code, 0, 0])),
        }
    }

    /// Writes the modifiers as libpfm prints them, after the unit masks.
    pub(crate) fn print(
        self,
        request: &Request,
        programmed: &Programmed,
        layer: Layer,
        string: &mut Spelling,
    ) {
        match self {
            IntelCore | IntelClientUncore if request.any_written(Marks::NO_MODS) => {}
            IntelServerUncore => {
                intel_server_uncore::print(request, programmed, layer, string);
            }
            // They have no effect, and are not printed.
            Sparc | ArmUncore => {}
            Netburst => netburst::print(programmed, string),
            _ => {
                for modifier in self.modifiers_of(&request.event, layer) {
                    let value = programmed.values[usize::from(modifier.index)];
                    string.push_value(modifier, value);
                }
            }
        }
    }
}

/// How exact samples are.
const EXACT: u32 = set(&[PerfAttribute::Precise, PerfAttribute::HardwareSampling]);

/// The attributes of perf_events that a PMU of Intel's has for no event, a bit for each.
fn left_out_of_intel(pmu: &Pmu) -> u32 {
    use PerfAttribute::{Frequency, Guest, Host, Hypervisor, Kernel, Period, Precise, User};
    let mut left_out = set(&[Hypervisor]);
    if pmu.flags.has(Flags::NO_SMPL) {
        left_out |= set(&[Period, Frequency, Precise]);
    }
    if pmu.levels == 0 {
        left_out |= set(&[User, Kernel, Guest, Host]);
    }
    left_out
}

/// The type of the PMU's device.
fn found(event: &Event, device: Option<u32>, not_found: bool) -> Result<u32, EncodeError> {
    let devices = || event.pmu.devices().collect();
    device.ok_or_else(|| error(EncodeErrorKind::NoDevice { devices: devices(), not_found }))
}

/// The type of the PMU's device, or the processor's if it has none.
fn of_core_or_device(event: &Event, device: Option<u32>) -> Result<u32, EncodeError> {
    if event.pmu.devices.is_empty() { Ok(RAW) } else { found(event, device, false) }
}

fn second(codes: &Codes) -> u64 {
    codes.get(1).copied().unwrap_or(0)
}

/// What no attribute has caused; whoever passes it on says where the event stands.
fn error(kind: EncodeErrorKind) -> EncodeError {
    EncodeError { span: 0..0, kind }
}
