//! Events, groups and formulas, and the domains in which events are counted.

use crate::text::Text;

/// The place where something is counted ("IMA Group Record Domain" of the document, and the virtual domains of the hypervisor call).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(pub u8);

impl Domain {
    /// A chip.
    #[doc(alias = "HV_PERF_DOMAIN_PHYS_CHIP")]
    pub const CHIP: Domain = Domain(1);
    /// A core.
    #[doc(alias = "HV_PERF_DOMAIN_PHYS_CORE")]
    pub const CORE: Domain = Domain(2);
    /// A thread, in catalogs.
    pub const THREAD: Domain = Domain(3);
    /// A virtual CPU on its home core, in requests.
    #[doc(alias = "HV_PERF_DOMAIN_VCPU_HOME_CORE")]
    pub const VCPU_HOME_CORE: Domain = Domain(3);
    /// A virtual CPU on its home chip.
    #[doc(alias = "HV_PERF_DOMAIN_VCPU_HOME_CHIP")]
    pub const VCPU_HOME_CHIP: Domain = Domain(4);
    /// A virtual CPU on its home node.
    #[doc(alias = "HV_PERF_DOMAIN_VCPU_HOME_NODE")]
    pub const VCPU_HOME_NODE: Domain = Domain(5);
    /// A virtual CPU on another node.
    #[doc(alias = "HV_PERF_DOMAIN_VCPU_REMOTE_NODE")]
    pub const VCPU_REMOTE_NODE: Domain = Domain(6);

    /// The name of the domain in catalogs: `chip`, `core` or `thread`.
    ///
    /// [`Unit::of`](crate::sysfs::Unit::of) returns the unit of its index.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Domain::CHIP => Some("chip"),
            Domain::CORE => Some("core"),
            Domain::THREAD => Some("thread"),
            _ => None,
        }
    }

    /// Returns true if the domain is one of virtual CPUs, which are counted by the counters of the cores they run on.
    pub fn is_virtual(self) -> bool {
        (3..=6).contains(&self.0)
    }
}

/// An event: a counter in a group record ("Event Data" of the document).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The length of the record in the catalog, in bytes; [`CatalogBuilder`](crate::CatalogBuilder) sets it.
    pub length: u16,
    /// The raw index of its formula; [`Links::formula`](crate::Links::formula) resolves it.
    pub formula_index: u16,
    /// The domain in which it is counted.
    pub domain: Domain,
    /// Byte 5.
    pub reserved: u8,
    /// The offset of its group record among those of the domain, in bytes.
    pub group_record_offset: u16,
    /// The length of its group record, in bytes; 0 if it cannot be read from a group record.
    pub group_record_length: u16,
    /// The offset of its counter in the group record, in bytes.
    pub counter_offset: u16,
    /// The state flags.
    pub flags: u32,
    /// The raw index of its best group; [`Links::primary_group`](crate::Links::primary_group) resolves it.
    pub primary_group_index: u16,
    /// The number of groups that list it; not maintained in real catalogs.
    pub group_count: u16,
    /// The name; absent if unreadable.
    pub name: Option<Text>,
    /// The description; empty if equal to the name, absent if unreadable.
    pub description: Option<Text>,
    /// The detailed description; empty if equal to the description, absent if unreadable.
    pub detailed_description: Option<Text>,
    /// The bytes of the record after the readable texts, up to the last byte that is not zero.
    pub rest: Box<[u8]>,
}

impl Event {
    /// The formula index of an event without a formula.
    pub const NO_FORMULA: u16 = 0xffff;

    /// An event with this name, without descriptions and without a formula; all other fields are 0.
    pub fn new(name: &str, domain: Domain) -> Event {
        Event {
            length: 0,
            formula_index: Event::NO_FORMULA,
            domain,
            reserved: 0,
            group_record_offset: 0,
            group_record_length: 0,
            counter_offset: 0,
            flags: 0,
            primary_group_index: 0,
            group_count: 0,
            name: Some(Text::new(name)),
            description: Some(Text::default()),
            detailed_description: Some(Text::default()),
            rest: Box::default(),
        }
    }

    /// The name, if it is readable and ASCII.
    pub fn name(&self) -> Option<&str> {
        self.name.as_ref()?.as_str()
    }

    /// The position of its counter among those of the domain, in bytes, which sysfs calls the offset.
    pub fn counter_address(&self) -> u32 {
        u32::from(self.group_record_offset) + u32::from(self.counter_offset)
    }

    pub(crate) fn texts(&self) -> [(&'static str, Option<&Text>); 3] {
        [
            ("name", self.name.as_ref()),
            ("description", self.description.as_ref()),
            ("detailed_description", self.detailed_description.as_ref()),
        ]
    }
}

/// A group: counters that are read together ("Group Data" of the document).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The length of the record in the catalog, in bytes; [`CatalogBuilder`](crate::CatalogBuilder) sets it.
    pub length: u16,
    /// Bytes 2 and 3.
    pub reserved: u16,
    /// The state flags: those of its event with the worst state.
    pub flags: u32,
    /// The domain in which it is counted.
    pub domain: Domain,
    /// Byte 9.
    pub reserved_end: u8,
    /// The offset of its group record among those of the domain, in bytes.
    pub group_record_offset: u16,
    /// The length of its group record, in bytes.
    pub group_record_length: u16,
    /// The index of the schema that describes the group record.
    pub schema_index: u8,
    /// The number of slots in use.
    pub event_count: u8,
    /// The slots with raw indexes; [`Links::slots`](crate::Links::slots) resolves them.
    pub event_indexes: [u16; 16],
    /// The name; absent if unreadable.
    pub name: Option<Text>,
    /// The description; empty if equal to the name, absent if unreadable.
    pub description: Option<Text>,
    /// The bytes of the record after the readable texts, up to the last byte that is not zero.
    pub rest: Box<[u8]>,
}

impl Group {
    /// The event index of a free slot.
    pub const FREE: u16 = 0xffff;

    /// A group of these events, given by their indexes in the domain, of which those after the 16th are left out; all other fields are 0.
    pub fn new(name: &str, domain: Domain, events: &[u16]) -> Group {
        let mut event_indexes = [0; 16];
        for (slot, event) in event_indexes.iter_mut().zip(events) {
            *slot = *event;
        }
        Group {
            length: 0,
            reserved: 0,
            flags: 0,
            domain,
            reserved_end: 0,
            group_record_offset: 0,
            group_record_length: 0,
            schema_index: 0,
            event_count: events.len().min(16) as u8,
            event_indexes,
            name: Some(Text::new(name)),
            description: Some(Text::default()),
            rest: Box::default(),
        }
    }

    /// The name, if it is readable and ASCII.
    pub fn name(&self) -> Option<&str> {
        self.name.as_ref()?.as_str()
    }

    pub(crate) fn texts(&self) -> [(&'static str, Option<&Text>); 2] {
        [("name", self.name.as_ref()), ("description", self.description.as_ref())]
    }
}

/// A formula over events and formulas ("Formula Data" of the document).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// The length of the record in the catalog, in bytes; [`CatalogBuilder`](crate::CatalogBuilder) sets it.
    pub length: u32,
    /// Bytes 2 and 3, which belong to the length if it has 32 bits.
    pub reserved: u16,
    /// The flags.
    pub flags: u32,
    /// The index of the group that contains all its events, if the flags include [`Formula::GROUPED`].
    pub group: u16,
    /// Bytes 10 to 15.
    pub reserved_end: [u8; 6],
    /// The name; absent if unreadable.
    pub name: Option<Text>,
    /// The description; absent if unreadable.
    pub description: Option<Text>,
    /// The text of the formula; absent if unreadable.
    pub formula: Option<Text>,
    /// The unit of its value; absent if unreadable, and in older formats.
    pub unit: Option<Text>,
    /// The bytes of the record after the readable texts, up to the last byte that is not zero.
    pub rest: Box<[u8]>,
}

impl Formula {
    /// The flag for a formula whose events are all in `group`.
    pub const GROUPED: u32 = 4;

    /// A formula with this name and text, without a description, a unit and a group.
    pub fn new(name: &str, formula: &str) -> Formula {
        Formula {
            length: 0,
            reserved: 0,
            flags: 0,
            group: 0,
            reserved_end: [0; 6],
            name: Some(Text::new(name)),
            description: Some(Text::default()),
            formula: Some(Text::new(formula)),
            unit: Some(Text::default()),
            rest: Box::default(),
        }
    }

    /// The name, if it is readable and ASCII.
    pub fn name(&self) -> Option<&str> {
        self.name.as_ref()?.as_str()
    }

    pub(crate) fn texts(&self) -> [(&'static str, Option<&Text>); 4] {
        [
            ("name", self.name.as_ref()),
            ("description", self.description.as_ref()),
            ("formula", self.formula.as_ref()),
            ("unit", self.unit.as_ref()),
        ]
    }
}
