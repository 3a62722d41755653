//! One event of a vendor's file.

use super::unit;
use crate::pmu::{Pmu, PmuKind};
use crate::{syntax, sysfs};

/// An event as a vendor describes it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Event {
    /// The vendor's name, as in `INST_RETIRED.ANY_P`.
    pub name: String,
    /// A description in one line.
    pub brief: String,
    /// A longer description, if there is one.
    pub text: Option<String>,
    /// The vendor's name of the unit that counts it, such as `CHA`; `None` for a core.
    pub unit: Option<String>,
    /// The terms to write between the slashes of perf's `cpu/…/` to count it.
    pub terms: String,
    /// The counters that may count it, a bit for each, fixed ones from bit 32 on, if the file has them.
    pub counters: Option<u64>,
    /// It can be sampled without skid.
    pub is_precise: bool,
    /// The vendor has deprecated it.
    pub is_deprecated: bool,
    /// The event that has replaced it, if the vendor names one.
    pub successor: Option<String>,
    /// The numbers of the processor's errata about it, between commas, such as `HSD29, HSM30`: it may count wrongly.
    pub errata: Option<String>,
    /// The factor of a count, and the unit of the scaled count.
    pub scale: Option<(f64, String)>,
    /// The mean of its retire latency in cycles, which perf takes where it does not sample it.
    pub latency: Option<f64>,
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

impl Event {
    /// The names that its PMU may have in `/sys/bus/event_source/devices`, without the numbers of boxes; of several
    /// names, a machine has one. Empty for an event of any core.
    ///
    /// A name with a comma, such as `hisi_sccl,ddrc`, has the number of a cluster in the place of the comma.
    pub fn pmus(&self) -> Vec<String> {
        self.unit.as_deref().map(unit::pmus).unwrap_or_default()
    }

    /// Returns true if a core counts it.
    pub fn is_of_core(&self) -> bool {
        self.unit.as_deref().is_none_or(unit::is_core)
    }

    /// Returns true if the PMU with this name in `/sys/bus/event_source/devices` counts it, or is one of the boxes that do;
    /// `is_core` says that it is the PMU of a core.
    pub fn is_on(&self, device: &str, is_core: bool) -> bool {
        match &self.unit {
            None => is_core,
            // The performance cores of a hybrid processor whose other cores are off.
            Some(unit) if unit == "cpu_core" && device == "cpu" => true,
            Some(unit) => unit::pmus(unit).iter().any(|pmu| unit::is_box_of(device, pmu)),
        }
    }

    /// The PMU of the tables is of the kind that counts it.
    pub fn is_for(&self, pmu: &Pmu) -> bool {
        let is_core = pmu.kind == PmuKind::Core;
        match self.unit {
            None => is_core,
            Some(_) => pmu.devices().any(|device| self.is_on(device, is_core)),
        }
    }

    /// The event as one of a PMU of sysfs, whose fields decide how it is encoded.
    ///
    /// ```
    /// use counterpoint_pmu::{syntax, sysfs, vendor::Events};
    ///
    /// let mut events = Events::default();
    /// let file = r#"[{"EventName": "LOADS.SLOW", "EventCode": "0xcd", "UMask": "0x1", "MSRIndex": "0x3F6", "MSRValue": "0x80"}]"#;
    /// assert!(events.add(file, None).is_empty());
    /// let event = events.named("LOADS.SLOW").next().unwrap();
    ///
    /// let formats = [("event", "config:0-7"), ("umask", "config:8-15"), ("ldlat", "config1:0-15")];
    /// let mut cpu = sysfs::Pmu::from_files("cpu", 4, formats, []);
    /// cpu.events.push(event.for_pmu(&cpu));
    /// let groups = syntax::parse("cpu/LOADS.SLOW/").unwrap();
    /// let syntax::Source::Pmu { terms, .. } = &groups[0].events[0].source else { panic!() };
    /// let config = cpu.encode(terms).unwrap();
    /// assert_eq!((config.config, config.config1), (0x1cd, 0x80));
    /// ```
    pub fn for_pmu(&self, pmu: &sysfs::Pmu) -> sysfs::Event {
        let mut terms = syntax::terms(&self.terms).unwrap_or_default();
        // Power control units before Skylake select the state that is counted by a field of its own.
        if pmu.format("umask").is_none() && pmu.format("occ_sel").is_some() {
            for term in terms.iter_mut().filter(|term| term.name == "umask") {
                if let syntax::Value::Number(umask) = &mut term.value {
                    term.name = "occ_sel".to_owned();
                    *umask >>= 6;
                }
            }
        }
        let (scale, unit) = self.scale.clone().unzip();
        let unit = unit.filter(|unit| !unit.is_empty());
        sysfs::Event { name: self.name.clone(), terms, scale, unit, ..sysfs::Event::default() }
    }
}

/// `64Bytes`: a factor and a unit.
pub(super) fn scale(text: &str) -> Option<(f64, String)> {
    let is_number =
        |end: &usize| text.is_char_boundary(*end) && text[..*end].parse::<f64>().is_ok();
    let end = (1..=text.len()).rev().find(is_number)?;
    let factor: f64 = text[..end].parse().ok().filter(|factor: &f64| factor.is_finite())?;
    Some((factor, text[end..].to_owned()))
}
