//! One event of a file, from its members.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::error::{DescriptionError, DescriptionErrorKind};
use super::json::{Member, Reader};
use crate::pmu::{Pmu, PmuKind};

/// A vendor's description of an event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Description {
    /// The vendor's name, as in `INST_RETIRED.ANY_P`.
    pub name: String,
    /// A description in one line.
    pub brief: String,
    /// A longer description, if there is one.
    pub text: Option<String>,
    /// The vendor's name of the unit that counts it, such as `CHA`; `None` for a core.
    pub unit: Option<String>,
    /// The terms to write between the slashes of perf's `cpu/…/` to count it.
    pub term: String,
    /// The counters that may count it, a bit for each, fixed ones from bit 32 on, if the file has them.
    pub counters: Option<u64>,
    /// The vendor has deprecated it.
    pub is_deprecated: bool,
    pub(super) codes: Vec<Code>,
}

/// The codes that an event is programmed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Code {
    pub(super) event: u64,
    /// The unit mask, and the bits above it in Intel's event-select registers.
    pub(super) rest: u64,
    /// A second register, for off-core responses.
    pub(super) second: u64,
}

/// Members that perf's terms have by another name, in the order in which perf writes them.
const FIELDS: [(&str, &str); 12] = [
    ("AnyThread", "any"),
    ("PortMask", "ch_mask"),
    ("CounterMask", "cmask"),
    ("EdgeDetect", "edge"),
    ("FCMask", "fc_mask"),
    ("Invert", "inv"),
    ("NodeType", "type"),
    ("RdWrMask", "rdwrmask"),
    ("EnAllCores", "enallcores"),
    ("EnAllSlices", "enallslices"),
    ("SliceId", "sliceid"),
    ("ThreadMask", "threadmask"),
];

/// Registers that a core's event needs besides its own, and perf's term for the value of each.
const SECOND_REGISTERS: [(u64, &str); 4] =
    [(0x1a6, "offcore_rsp"), (0x1a7, "offcore_rsp"), (0x3f6, "ldlat"), (0x3f7, "frontend")];

/// The events of a file, as far as it could be read.
pub(super) fn read(
    file: &str,
    standard: &HashMap<String, Description>,
    errors: &mut Vec<DescriptionError>,
) -> Vec<Description> {
    let mut read = Vec::new();
    match Reader::events(file) {
        Err(error) => errors.push(error),
        Ok(objects) => {
            for object in objects {
                match object {
                    Err(error) => errors.push(error),
                    Ok(members) => {
                        read.extend(Row { members, errors: &mut *errors }.describe(standard));
                    }
                }
            }
        }
    }
    read
}

struct Row<'a, 'e> {
    members: Vec<Member<'a>>,
    errors: &'e mut Vec<DescriptionError>,
}

impl Row<'_, '_> {
    fn describe(mut self, standard: &HashMap<String, Description>) -> Option<Description> {
        let mut description = match self.text("ArchStdEvent") {
            Some(name) => match standard.get(&folded(&name)) {
                Some(known) => known.clone(),
                None => {
                    let span = self.member("ArchStdEvent")?.span.clone();
                    let kind = DescriptionErrorKind::NotStandard { name };
                    self.errors.push(DescriptionError { span, kind });
                    return None;
                }
            },
            // Metrics have no name of an event.
            None => Description { name: self.text("EventName")?, ..Description::default() },
        };
        if let Some(brief) = self.text("BriefDescription") {
            description.brief = brief.trim().to_owned();
        }
        if let Some(text) = self.text("PublicDescription") {
            description.text = Some(text.trim().to_owned());
        }
        if description.brief.is_empty() {
            description.brief = description.text.clone().unwrap_or_default();
        }
        description.text = description.text.filter(|text| *text != description.brief);
        description.unit = self.text("Unit").or(description.unit);
        description.is_deprecated = self.number("Deprecated") == 1
            || description.brief.starts_with("This event is deprecated");
        description.counters =
            self.text("Counter").and_then(|text| counters(&text)).or(description.counters);
        let has_code =
            ["EventCode", "ConfigCode", "EventidCode"].iter().any(|key| self.member(key).is_some());
        if has_code || description.term.is_empty() {
            self.program(&mut description);
        }
        Some(description)
    }

    fn member(&self, key: &str) -> Option<&Member<'_>> {
        self.members.iter().find(|member| member.key == key)
    }

    /// A text that is not empty.
    fn text(&self, key: &str) -> Option<String> {
        let text = &self.member(key)?.text;
        (!matches!(text.trim(), "" | "na" | "null")).then(|| text.clone().into_owned())
    }

    /// A number, 0 when it is not there; of several the first.
    fn number(&mut self, key: &str) -> u64 {
        self.numbers(key).first().copied().unwrap_or(0)
    }

    /// The numbers between commas.
    fn numbers(&mut self, key: &str) -> Vec<u64> {
        let Some(text) = self.text(key) else { return Vec::new() };
        let numbers: Option<Vec<u64>> = text.split(',').map(|text| number(text.trim())).collect();
        numbers.unwrap_or_else(|| {
            let span = self.member(key).map_or(0..0, |member| member.span.clone());
            let kind = DescriptionErrorKind::NotANumber { key: key.to_owned() };
            self.errors.push(DescriptionError { span, kind });
            Vec::new()
        })
    }

    /// The term and the codes.
    fn program(&mut self, description: &mut Description) {
        let extended = self.number("ExtSel");
        let events = self.numbers("EventCode");
        let event = events.first().copied().unwrap_or(0) | extended << 8;
        let umask = self.number("UMask") | self.number("UMaskExt") << 8;
        let mut term = match ["ConfigCode", "EventidCode"].map(|key| self.number(key)) {
            [0, 0] => format!("event={event:#x}"),
            [0, id] => format!("eventid={id:#x}"),
            [config, _] => format!("config={config:#x}"),
        };
        if umask != 0 {
            let _ = write!(term, ",umask={umask:#x}");
        }
        let fields = FIELDS.map(|(key, name)| (name, self.number(key)));
        for (name, value) in fields.iter().filter(|(_, value)| *value != 0) {
            let _ = write!(term, ",{name}={value:#x}");
        }
        let (register, value) = (self.number("MSRIndex"), self.number("MSRValue"));
        let second = SECOND_REGISTERS.iter().find(|(known, _)| *known == register);
        if let Some((_, name)) = second {
            let _ = write!(term, ",{name}={value:#x}");
        }
        description.term = term;
        let field =
            |wanted| fields.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, value)| *value);
        // Channels have other bits in each processor: such events are found by name.
        if field("ch_mask") != 0 || field("fc_mask") != 0 {
            return;
        }
        let rest = umask & 0xff
            | umask >> 8 << 24
            | (field("edge") & 1) << 10
            | (extended & 1) << 13
            | (field("any") & 1) << 13
            | (field("inv") & 1) << 15
            | (field("cmask") & 0xff) << 16;
        let second = second.filter(|(_, name)| *name == "offcore_rsp").map_or(0, |_| value);
        description.codes = events.into_iter().map(|event| Code { event, rest, second }).collect();
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `0,1,2,3`, or `Fixed counter 1`.
fn counters(text: &str) -> Option<u64> {
    let (text, shift) = match text.to_ascii_lowercase().strip_prefix("fixed counter ") {
        Some(number) => (number.to_owned(), 32),
        None => (text.to_owned(), 0),
    };
    let mut counters = 0u64;
    for number in text.split(',') {
        let number = number.trim().parse::<u32>().ok().filter(|number| number + shift < 64)?;
        counters |= 1 << (number + shift);
    }
    (counters != 0).then_some(counters)
}

/// A name in one case and without separators.
pub(super) fn folded(name: &str) -> String {
    name.replace(['.', '-', ':'], "_").to_ascii_uppercase()
}

impl Description {
    /// The PMU is of the kind that counts it.
    pub fn is_for(&self, pmu: &Pmu) -> bool {
        let Some(unit) = &self.unit else { return pmu.kind == PmuKind::Core };
        let device = device(unit);
        pmu.devices().any(|known| {
            let number = known.strip_prefix(device.as_str());
            number.is_some_and(|n| n.trim_start_matches('_').bytes().all(|b| b.is_ascii_digit()))
        })
    }
}

/// The kernel's name of the devices of a unit, without their numbers.
fn device(unit: &str) -> String {
    let known = match unit {
        "CBO" => "uncore_cbox",
        "SBO" => "uncore_sbox",
        "QPI LL" => "uncore_qpi",
        "UPI LL" => "uncore_upi",
        "iMPH-U" => "uncore_arb",
        "CPU-M-CF" => "cpum_cf",
        "CPU-M-SF" => "cpum_sf",
        "L3PMC" => "amd_l3",
        "DFPMC" => "amd_df",
        "UMCPMC" => "amd_umc",
        "cpu_core" | "cpu_atom" => unit,
        _ if unit.contains(',') => return unit.replace(',', "_"),
        _ => return format!("uncore_{}", unit.to_ascii_lowercase()),
    };
    known.to_owned()
}
