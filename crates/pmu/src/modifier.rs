//! Modifiers: attributes that are on or off, or a number; of a family of PMUs, or of perf_events.

use crate::field::Field;
use crate::layer::Layer;
use crate::privilege::Privilege;
use crate::short::key;

/// A modifier with all of its properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Modifier {
    /// Its number among those of its controller: its position in their list.
    pub(crate) index: u8,
    pub(crate) name: &'static str,
    /// The name as a number.
    pub(crate) key: u64,
    /// The numbers that it takes; `None` if it is on or off.
    pub(crate) range: Option<(u64, u64)>,
    pub(crate) description: &'static str,
    /// The bits that take its value.
    pub(crate) field: Field,
    /// The bits that its printed value is read from.
    pub(crate) printed: Field,
    /// The bit that is set wherever it is written, whatever its value.
    pub(crate) enable: Field,
    /// The privilege level that it chooses, if any.
    pub(crate) level: Privilege,
    /// It cannot be written in the perf layers.
    raw_only: bool,
}

/// A modifier that is on or off.
pub(crate) const fn switch(
    name: &'static str,
    field: Field,
    description: &'static str,
) -> Modifier {
    Modifier {
        index: 0,
        name,
        key: key(name),
        range: None,
        description,
        field,
        printed: field,
        enable: Field::NONE,
        level: Privilege::NONE,
        raw_only: false,
    }
}

/// A modifier that is a number.
pub(crate) const fn integer(
    name: &'static str,
    field: Field,
    range: (u64, u64),
    description: &'static str,
) -> Modifier {
    Modifier { range: Some(range), ..switch(name, field, description) }
}

impl Modifier {
    /// It chooses a level, which the kernel does in the perf layers.
    pub(crate) const fn level(self, level: Privilege) -> Modifier {
        Modifier { level, ..self }.raw_only()
    }

    pub(crate) const fn raw_only(self) -> Modifier {
        Modifier { raw_only: true, ..self }
    }

    pub(crate) const fn printed(self, printed: Field) -> Modifier {
        Modifier { printed, ..self }
    }

    pub(crate) const fn enabled_by(self, enable: Field) -> Modifier {
        Modifier { enable, ..self }
    }
}

/// The modifiers of a list, each with its number.
pub(crate) const fn numbered<const N: usize>(mut list: [Modifier; N]) -> [Modifier; N] {
    let mut number = 0;
    while number < N {
        list[number].index = number as u8;
        number += 1;
    }
    list
}

/// The modifiers of a family.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modifiers {
    pub(crate) list: &'static [Modifier],
    /// Those that choose a level, a bit for each.
    pub(crate) levels: u32,
    /// Those that can be written in the perf layers, a bit for each.
    in_perf: u32,
}

impl Modifiers {
    pub(crate) const NONE: Modifiers = Modifiers::of(&[]);

    /// Those of a list that is [`numbered`].
    pub(crate) const fn of(list: &'static [Modifier]) -> Modifiers {
        let (mut levels, mut in_perf, mut number) = (0, 0, 0);
        while number < list.len() {
            levels |= (!list[number].level.is_empty() as u32) << number;
            in_perf |= (!list[number].raw_only as u32) << number;
            number += 1;
        }
        Modifiers { list, levels, in_perf }
    }

    /// Those that an event can have at a layer, a bit for each.
    #[inline]
    pub(crate) const fn at(&self, layer: Layer) -> u32 {
        match layer {
            Layer::Raw => (1 << self.list.len()) - 1,
            _ => self.in_perf,
        }
    }

    /// Those whose value goes into this field, a bit for each.
    pub(crate) const fn with(&self, field: Field) -> u32 {
        let (mut found, mut number) = (0, 0);
        while number < self.list.len() {
            found |= (self.list[number].field.is(field) as u32) << number;
            number += 1;
        }
        found
    }

    /// Those of a set that has a bit for each.
    #[inline]
    pub(crate) fn of_set(&self, mut set: u32) -> impl Iterator<Item = &'static Modifier> + use<> {
        let list = self.list;
        std::iter::from_fn(move || {
            let modifier = list.get(set.trailing_zeros() as usize)?;
            set &= set - 1;
            Some(modifier)
        })
    }
}

/// The modifiers that can be written for an event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    /// The family's.
    own: &'static [Modifier],
    /// A bit for each of them that the event takes, and above them for attributes of perf_events.
    set: u64,
}

/// The place where perf_events' attributes begin in the set.
const PERF: u32 = 32;

/// A modifier, and the controller that it belongs to.
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

impl PerfAttribute {
    /// Returns true if an attribute that is on stays on: after two equal values a third one may differ, as in libpfm.
    pub(crate) fn stays_on(self) -> bool {
        matches!(self, User | Kernel | Hypervisor | Exclusive)
    }
}

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

static PERF_MODIFIERS: [Modifier; 12] = numbered([
    switch("u", Field::NONE, "Count in user space"),
    switch("k", Field::NONE, "Count in the kernel"),
    switch("h", Field::NONE, "Count in the hypervisor"),
    integer("period", Field::NONE, (1, u64::MAX), "Sample after this many counts, 1 or more"),
    integer("freq", Field::NONE, (1, u64::MAX), "Sample this often in a second, 1 or more"),
    integer("precise", Field::NONE, (0, 3), "How exact sampled addresses must be, 0 to 3"),
    switch("excl", Field::NONE, "Let no other group use the PMU meanwhile"),
    switch("mg", Field::NONE, "Count in virtual machines"),
    switch("mh", Field::NONE, "Count outside virtual machines"),
    integer("cpu", Field::NONE, (0, 0x7fff_fffe), "The CPU to count on, 0 to 2147483646"),
    switch("pinned", Field::NONE, "Keep the event on the PMU, or stop counting it"),
    switch("hw_smpl", Field::NONE, "Let the processor write the samples"),
]);

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
