//! Names and units of OpenMetrics.

use counterpoint::events::EventId;

/// The unit of a family: what names end with, what OTLP calls it, and the factor from the unit of a report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Empty for plain numbers.
    pub suffix: String,
    /// As the Unified Code for Units of Measure writes it, where OpenTelemetry does.
    pub ucum: &'static str,
    multiplier: f64,
    divisor: f64,
}

/// The units that have base units of OpenMetrics: name, suffix, UCUM, multiplier, divisor.
const BASE: &[(&str, &str, &str, f64, f64)] = &[
    ("ns", "seconds", "s", 1.0, 1e9),
    ("us", "seconds", "s", 1.0, 1e6),
    ("ms", "seconds", "s", 1.0, 1e3),
    ("s", "seconds", "s", 1.0, 1.0),
    ("J", "joules", "J", 1.0, 1.0),
    ("Joules", "joules", "J", 1.0, 1.0),
    ("W", "watts", "W", 1.0, 1.0),
    ("%", "ratio", "1", 1.0, 100.0),
    ("°C", "celsius", "Cel", 1.0, 1.0),
    ("V", "volts", "V", 1.0, 1.0),
    ("A", "amperes", "A", 1.0, 1.0),
    ("B", "bytes", "By", 1.0, 1.0),
    ("bytes", "bytes", "By", 1.0, 1.0),
    ("Bytes", "bytes", "By", 1.0, 1.0),
    ("KB", "bytes", "By", 1e3, 1.0),
    ("MB", "bytes", "By", 1e6, 1.0),
    ("GB", "bytes", "By", 1e9, 1.0),
    ("KiB", "bytes", "By", 1024.0, 1.0),
    ("MiB", "bytes", "By", 1_048_576.0, 1.0),
    ("GiB", "bytes", "By", 1_073_741_824.0, 1.0),
    ("MB/s", "bytes_per_second", "By/s", 1e6, 1.0),
    ("GB/s", "bytes_per_second", "By/s", 1e9, 1.0),
    ("Hz", "hertz", "Hz", 1.0, 1.0),
    ("MHz", "hertz", "Hz", 1e6, 1.0),
    ("GHz", "hertz", "Hz", 1e9, 1.0),
    ("/s", "per_second", "1/s", 1.0, 1.0),
];

impl Unit {
    /// The base unit of a unit in a report; units that have none keep their words.
    pub(crate) fn of(unit: Option<&str>) -> Unit {
        let unit = unit.unwrap_or_default();
        if let Some((_, suffix, ucum, multiplier, divisor)) =
            BASE.iter().find(|(name, ..)| *name == unit)
        {
            let (multiplier, divisor) = (*multiplier, *divisor);
            return Unit { suffix: (*suffix).to_string(), ucum, multiplier, divisor };
        }
        let suffix = sanitized(&unit.replace("/s", "/second").replace('/', " per "));
        Unit { suffix, ucum: "1", multiplier: 1.0, divisor: 1.0 }
    }

    /// Returns true if numbers are as in the report.
    pub(crate) fn is_same(&self) -> bool {
        self.multiplier == 1.0 && self.divisor == 1.0
    }

    /// A number of the report in this unit; divided where the factor is no binary number, so that it is rounded once.
    pub(crate) fn convert(&self, number: f64) -> f64 {
        number * self.multiplier / self.divisor
    }
}

/// The name of the family for an event or metric, without the ending of its type.
///
/// `of` is the word for its kind of target.
pub(crate) fn family(id: &EventId, of: &str, unit: &Unit) -> String {
    let name = sanitized(&text(id));
    let mut family = format!("counterpoint_{of}{}", name.trim_end_matches("_total"));
    if !unit.suffix.is_empty() && !family.ends_with(&format!("_{}", unit.suffix)) {
        family.push('_');
        family.push_str(&unit.suffix);
    }
    family
}

/// Returns true if the name of the family loses something of the event's, so that two events could have one name.
///
/// The names of events have hyphens between words, and those of metrics have underscores.
pub(crate) fn loses(id: &EventId, between: char) -> bool {
    let is_kept = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == between;
    !text(id).chars().all(is_kept)
}

/// The event without its PMU, which is a label.
fn text(id: &EventId) -> String {
    let whole = id.to_string();
    match &id.pmu {
        Some(pmu) => {
            let rest = whole.strip_prefix(pmu.as_str()).unwrap_or(&whole);
            rest.trim_start_matches([':', '/']).trim_end_matches('/').to_string()
        }
        None => whole,
    }
}

/// The letters and digits, in lower case, with one underscore for what is between them.
fn sanitized(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::{EventSet, Target};

    fn id(event: &str) -> EventId {
        let resolved = EventSet::new(Target::ThisThread).event(event).resolve().unwrap();
        resolved.natives()[0].id.clone()
    }

    #[test]
    fn names_have_their_units_once() {
        let plain = Unit::of(None);
        assert_eq!(family(&id("page-faults"), "", &plain), "counterpoint_page_faults");
        assert_eq!(
            family(&id("page-faults:u"), "process_", &plain),
            "counterpoint_process_page_faults_u"
        );
        assert_eq!(
            family(&id("task-clock"), "", &Unit::of(Some("ns"))),
            "counterpoint_task_clock_seconds"
        );
        let named = id("page-faults").beside("energy-joules_total");
        assert_eq!(family(&named, "", &Unit::of(Some("Joules"))), "counterpoint_energy_joules");
    }

    #[test]
    fn a_name_that_loses_something_is_known() {
        let faults = id("page-faults");
        assert!(!loses(&faults, '-') && loses(&faults, '_') && loses(&id("page-faults:u"), '-'));
        assert!(loses(&faults.beside("L1D:REPLACEMENT"), '-'));
        assert!(!loses(&faults.beside("page_fault_rate"), '_'));
    }

    #[test]
    fn units_are_base_units() {
        for (unit, suffix, one) in [
            ("ns", "seconds", 1e-9),
            ("%", "ratio", 0.01),
            ("MiB", "bytes", 1_048_576.0),
            ("°C", "celsius", 1.0),
            ("RPM", "rpm", 1.0),
            ("GHz", "hertz", 1e9),
            ("cycles/instruction", "cycles_per_instruction", 1.0),
            ("misses/1000 instructions", "misses_per_1000_instructions", 1.0),
            ("/s", "per_second", 1.0),
            ("GFLOP/s", "gflop_per_second", 1.0),
        ] {
            let found = Unit::of(Some(unit));
            assert_eq!((found.suffix.as_str(), found.convert(1.0)), (suffix, one), "{unit}");
        }
    }
}
