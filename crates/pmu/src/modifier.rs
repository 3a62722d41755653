//! Modifiers: attributes that are on or off, or a number; of a family of PMUs, or of perf_events.

use crate::machine::Layer;
use crate::short::key;

/// A modifier.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Modifier {
    /// Its number among those of its controller.
    pub(crate) index: u8,
    pub(crate) name: &'static str,
    /// The name as a number.
    pub(crate) key: u64,
    /// What a number may be; nothing when it is on or off.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) description: &'static str,
}

/// A modifier that is on or off.
pub(crate) const fn switch(index: u8, name: &'static str, description: &'static str) -> Modifier {
    Modifier { index, name, key: key(name), range: None, description }
}

/// A modifier that is a number.
pub(crate) const fn integer(
    index: u8,
    name: &'static str,
    range: (u64, u64),
    description: &'static str,
) -> Modifier {
    Modifier { index, name, key: key(name), range: Some(range), description }
}

/// Those of a set that has a bit for each.
pub(crate) fn of_set(
    modifiers: &'static [Modifier],
    set: u32,
) -> impl Iterator<Item = &'static Modifier> {
    modifiers.iter().filter(move |modifier| set >> modifier.index & 1 != 0)
}

/// The modifiers that can be written for an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// The family's.
    own: &'static [Modifier],
    /// A bit for each of them that the event takes, and above them for attributes of perf_events.
    set: u64,
}

/// Where perf_events' attributes begin in the set.
const PERF: u32 = 32;

/// Whose modifier it is.
pub(crate) enum Found {
    Own(&'static Modifier),
    Perf(PerfAttribute),
}

impl Allowed {
    pub(crate) fn new(own: &'static [Modifier], taken: u32, kept: u32) -> Allowed {
        Allowed { own, set: u64::from(taken) | u64::from(kept) << PERF }
    }

    /// The set of perf_events' attributes.
    pub(crate) fn of_perf_events(&self) -> u32 {
        (self.set >> PERF) as u32
    }

    /// The one with this key, looked for from a number on and then before it, which moves behind the one
    /// found: most strings have them in order.
    pub(crate) fn find(&self, key: u64, from: &mut u32) -> Option<Found> {
        let mut left = self.set.rotate_right(*from);
        while left != 0 {
            let number = (left.trailing_zeros() + *from) % u64::BITS;
            let found = match number.checked_sub(PERF) {
                None => Found::Own(self.own.get(number as usize)?),
                Some(number) => Found::Perf(*PERF_ATTRIBUTES.get(number as usize)?),
            };
            if found.modifier().key == key {
                *from = number + 1;
                return Some(found);
            }
            left &= left - 1;
        }
        None
    }
}

impl Found {
    pub(crate) fn modifier(&self) -> &'static Modifier {
        match self {
            Found::Own(modifier) => modifier,
            Found::Perf(which) => which.modifier(),
        }
    }
}

/// An attribute of perf_events; the number is its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PerfAttribute {
    User = 0,
    Kernel = 1,
    Hypervisor = 2,
    Period = 3,
    Frequency = 4,
    Precise = 5,
    Exclusive = 6,
    Guest = 7,
    Host = 8,
    Cpu = 9,
    Pinned = 10,
    HardwareSampling = 11,
}

use PerfAttribute::*;

/// In the order of their codes.
const PERF_ATTRIBUTES: [PerfAttribute; 12] = [
    User,
    Kernel,
    Hypervisor,
    Period,
    Frequency,
    Precise,
    Exclusive,
    Guest,
    Host,
    Cpu,
    Pinned,
    HardwareSampling,
];

static PERF_MODIFIERS: [Modifier; 12] = [
    switch(User as u8, "u", "Count in user space"),
    switch(Kernel as u8, "k", "Count in the kernel"),
    switch(Hypervisor as u8, "h", "Count in the hypervisor"),
    integer(Period as u8, "period", (1, u64::MAX), "Sample after this many counts, 1 or more"),
    integer(Frequency as u8, "freq", (1, u64::MAX), "Sample this often in a second, 1 or more"),
    integer(Precise as u8, "precise", (0, 3), "How exact sampled addresses must be, 0 to 3"),
    switch(Exclusive as u8, "excl", "Let no other group use the PMU meanwhile"),
    switch(Guest as u8, "mg", "Count in virtual machines"),
    switch(Host as u8, "mh", "Count outside virtual machines"),
    integer(Cpu as u8, "cpu", (0, 0x7fff_fffe), "The CPU to count on, 0 to 2147483646"),
    switch(Pinned as u8, "pinned", "Keep the event on the PMU, or stop counting it"),
    switch(HardwareSampling as u8, "hw_smpl", "Let the processor write the samples"),
];

impl PerfAttribute {
    /// Those of a set that has a bit for each, in their order.
    pub(crate) fn of_set(set: u32) -> impl Iterator<Item = PerfAttribute> {
        PERF_ATTRIBUTES.into_iter().filter(move |which| which.is_in(set))
    }

    /// The set of those that a layer adds.
    pub(crate) const fn of_layer(layer: Layer) -> u32 {
        match layer {
            Layer::Raw => 0,
            Layer::PerfEvent => set(&[User, Kernel, Hypervisor, Guest, Host]),
            Layer::PerfEventExt => set(&PERF_ATTRIBUTES),
        }
    }

    pub(crate) fn is_in(self, set: u32) -> bool {
        set >> self as u32 & 1 != 0
    }

    pub(crate) fn modifier(self) -> &'static Modifier {
        &PERF_MODIFIERS[self as usize]
    }
}

/// A bit for each of these.
pub(crate) const fn set(attributes: &[PerfAttribute]) -> u32 {
    let (mut set, mut number) = (0, 0);
    while number < attributes.len() {
        set |= 1 << attributes[number] as u32;
        number += 1;
    }
    set
}
