//! The values of events: `domain=0x2,offset=0xe0,core=?,lpar=0x0`.

use super::kernel::Kernel;
use crate::catalog::Catalog;
use crate::records::{Domain, Event};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The value of an event in sysfs; numbers may replace the parts that it leaves open.
///
/// `to_string()` writes it as its kernel does, and reproduces a parsed text that the kernel could have written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The generation of the driver whose spelling it uses.
    pub kernel: Kernel,
    /// The domain in which it is counted; `None` if the user chooses it (`?`).
    pub domain: Option<Domain>,
    /// The position of the counter among those of the domain, in bytes.
    pub offset: u32,
    /// The unit of the index.
    pub unit: Unit,
    /// The index of the chip, core or virtual CPU; `None` if the user chooses it.
    #[doc(alias = "starting_index")]
    pub index: Option<u16>,
    /// The index of the logical partition; `None` if the user chooses it.
    pub lpar: Option<u16>,
}

/// The unit of a 24x7 index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Chips.
    Chip,
    /// Cores.
    Core,
    /// Virtual CPUs.
    Vcpu,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Unit; 3] = [Unit::Chip, Unit::Core, Unit::Vcpu];

    /// `chip`, `core` or `vcpu`, as sysfs calls the field.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Chip => "chip",
            Unit::Core => "core",
            Unit::Vcpu => "vcpu",
        }
    }

    /// The unit of a domain's index.
    pub fn of(domain: Domain) -> Unit {
        match domain {
            Domain::CHIP => Unit::Chip,
            Domain::CORE => Unit::Core,
            _ => Unit::Vcpu,
        }
    }
}

impl Value {
    /// The value that `kernel` writes for an event counted in `domain`, which for the older drivers may differ from the event's own domain.
    pub fn new(kernel: Kernel, event: &Event, domain: Domain) -> Value {
        let physical = matches!(domain, Domain::CHIP | Domain::CORE);
        let own = |lpar: bool| lpar.then_some(0);
        let (unit, lpar) = match kernel {
            Kernel::Y2014 => (Unit::of(domain), None),
            // This driver uses a core field for chips.
            Kernel::V4_1 if physical => (Unit::Core, own(true)),
            Kernel::V4_1 | Kernel::Current => (Unit::of(domain), own(physical)),
        };
        let left_open = kernel == Kernel::Current && domain != Domain::CHIP;
        Value {
            kernel,
            domain: (!left_open).then_some(domain),
            offset: event.counter_address(),
            unit,
            index: None,
            lpar,
        }
    }

    /// The positions of the events in the catalog whose counter this value selects.
    ///
    /// Virtual CPUs use the counters of core events.
    pub fn events(self, catalog: &Catalog) -> impl Iterator<Item = usize> + '_ {
        let is_there = move |event: &Event| {
            event.counter_address() == self.offset
                && match (self.domain, self.unit) {
                    (Some(Domain::CHIP), _) | (None, Unit::Chip) => event.domain == Domain::CHIP,
                    (Some(Domain::CORE), _) | (None, Unit::Core) => event.domain == Domain::CORE,
                    (Some(domain), _) if domain.is_virtual() => {
                        event.domain == domain || event.domain == Domain::CORE
                    }
                    (Some(domain), _) => event.domain == domain,
                    (None, Unit::Vcpu) => event.domain != Domain::CHIP,
                }
        };
        let events = catalog.events.iter().enumerate();
        events.filter(move |(_, event)| is_there(event)).map(|(index, _)| index)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.domain, self.kernel) {
            (None, _) => f.write_str("domain=?")?,
            (Some(domain), Kernel::Current) => write!(f, "domain={}", domain.0)?,
            (Some(domain), _) => write!(f, "domain={:#x}", domain.0)?,
        }
        write!(f, ",offset={:#x},", self.offset)?;
        let unit = self.unit.name();
        match (self.index, self.kernel) {
            (None, Kernel::Y2014) => write!(f, "starting_index={unit}")?,
            (Some(index), Kernel::Y2014) => write!(f, "starting_index={index}")?,
            (None, _) => write!(f, "{unit}=?")?,
            (Some(index), _) => write!(f, "{unit}={index}")?,
        }
        match (self.lpar, self.kernel) {
            (Some(lpar), _) => write!(f, ",lpar={lpar:#x}"),
            (None, Kernel::Y2014) => f.write_str(",lpar=sibling_guest_id"),
            (None, _) => f.write_str(",lpar=?"),
        }
    }
}

/// An error in the text of a 24x7 value, and where it is.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ValueError {
    /// The range of bytes that is wrong.
    pub span: Range<usize>,
    /// The kind of error.
    pub kind: ValueErrorKind,
}

/// The sentence, as a `main` that returns the error prints it; `{:#?}` has the fields.
impl fmt::Debug for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f
                .debug_struct("ValueError")
                .field("span", &self.span)
                .field("kind", &self.kind)
                .finish();
        }
        fmt::Display::fmt(self, f)
    }
}

/// The kind of error in the text of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueErrorKind {
    /// An item between commas without `=`.
    #[error("expected name=value")]
    NoValue,
    /// An unknown field name.
    #[error(
        "unknown field; the fields are domain, offset, chip, core, vcpu or starting_index, and lpar"
    )]
    UnknownField,
    /// A repeated field.
    #[error("the field is repeated")]
    Twice,
    /// A value that is neither a number nor, where that is allowed, `?`.
    #[error("expected a number such as 10 or 0xa")]
    NoNumber,
    /// A number that does not fit.
    #[error("the largest value is {0:#x}")]
    TooBig(u32),
    /// An unknown domain.
    #[error("the domains are 1 (chip), 2 (core) and 3 to 6 (virtual CPUs)")]
    UnknownDomain,
    /// A missing field.
    #[error("the field `{0}` is missing")]
    Missing(&'static str),
}

impl FromStr for Value {
    type Err = ValueError;

    /// Parses a value of any of the drivers; the fields may be in any order.
    fn from_str(text: &str) -> Result<Value, ValueError> {
        let mut fields = Fields::default();
        let mut at = 0;
        for part in text.split(',') {
            let kind = |kind| ValueError { span: at..at + part.len(), kind };
            let (name, value) = part.split_once('=').ok_or(kind(ValueErrorKind::NoValue))?;
            fields.set(name, value).map_err(kind)?;
            at += part.len() + 1;
        }
        let missing =
            |name| ValueError { span: text.len()..text.len(), kind: ValueErrorKind::Missing(name) };
        let (domain, hexadecimal) = fields.domain.ok_or(missing("domain"))?;
        let (unit, index, is_starting) = fields.index.ok_or(missing("core"))?;
        let kernel = match (is_starting, hexadecimal) {
            (true, _) => Kernel::Y2014,
            (false, true) => Kernel::V4_1,
            (false, false) => Kernel::Current,
        };
        let unit = unit.unwrap_or(domain.map_or(Unit::Core, Unit::of));
        let offset = fields.offset.ok_or(missing("offset"))?;
        let lpar = fields.lpar.ok_or(missing("lpar"))?;
        Ok(Value { kernel, domain, offset, unit, index, lpar })
    }
}

#[derive(Default)]
struct Fields {
    /// The domain, and whether it is written as a hexadecimal number.
    domain: Option<(Option<Domain>, bool)>,
    offset: Option<u32>,
    /// The unit of the index, if given, the index, and whether the field is `starting_index`.
    index: Option<(Option<Unit>, Option<u16>, bool)>,
    lpar: Option<Option<u16>>,
}

impl Fields {
    fn set(&mut self, name: &str, value: &str) -> Result<(), ValueErrorKind> {
        let named = |name: &str| Unit::ALL.into_iter().find(|unit| unit.name() == name);
        let word = |largest: u16| match value {
            "?" => Ok(None),
            _ => number(value, largest.into()).map(|number| Some(number as u16)),
        };
        match name {
            "domain" => {
                let domain = word(255)?.map(|number| Domain(number as u8));
                if domain.is_some_and(|domain| !(1..=6).contains(&domain.0)) {
                    return Err(ValueErrorKind::UnknownDomain);
                }
                once(&mut self.domain, (domain, value.starts_with("0x")))
            }
            "offset" => once(&mut self.offset, number(value, u32::MAX)?),
            "lpar" if value == "sibling_guest_id" => once(&mut self.lpar, None),
            "lpar" => once(&mut self.lpar, word(u16::MAX)?),
            "starting_index" => match named(value) {
                Some(unit) => once(&mut self.index, (Some(unit), None, true)),
                None => once(&mut self.index, (None, word(u16::MAX)?, true)),
            },
            _ => {
                let unit = named(name).ok_or(ValueErrorKind::UnknownField)?;
                once(&mut self.index, (Some(unit), word(u16::MAX)?, false))
            }
        }
    }
}

fn once<T>(field: &mut Option<T>, value: T) -> Result<(), ValueErrorKind> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(ValueErrorKind::Twice),
    }
}

fn number(text: &str, largest: u32) -> Result<u32, ValueErrorKind> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Err(ValueErrorKind::NoNumber);
    }
    let number = u32::from_str_radix(digits, radix).ok().filter(|number| *number <= largest);
    number.ok_or(ValueErrorKind::TooBig(largest))
}
