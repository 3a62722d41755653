//! Values as criterion prints them.

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// The unit of an event: time, or the event itself, by thousands.
#[derive(Debug)]
pub(crate) struct Unit {
    /// `None` for nanoseconds, which criterion prints itself.
    names: Option<Names>,
}

/// The names of a unit. Criterion takes texts that last, and a program has few events.
#[derive(Debug)]
struct Names {
    /// Of one, thousands, millions, thousand millions.
    scaled: [&'static str; 4],
    per_byte: &'static str,
    per_bit: &'static str,
    per_element: &'static str,
}

impl Unit {
    pub(crate) fn new(event: &str, unit: Option<&str>) -> Unit {
        let name = match unit {
            Some("ns") => return Unit { names: None },
            Some(unit) => format!("{unit} {event}"),
            None => event.to_owned(),
        };
        let lasting = |text: String| -> &'static str { text.leak() };
        let names = Names {
            scaled: ["", "K ", "M ", "G "].map(|prefix| lasting(format!("{prefix}{name}"))),
            per_byte: lasting(format!("{name}/B")),
            per_bit: lasting(format!("{name}/b")),
            per_element: lasting(format!("{name}/elem")),
        };
        Unit { names: Some(names) }
    }
}

impl ValueFormatter for Unit {
    fn format_value(&self, value: f64) -> String {
        let mut values = [value];
        let unit = self.scale_values(value, &mut values);
        format!("{} {unit}", short(values[0]))
    }

    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        let Some(names) = &self.names else {
            return WallTime.formatter().scale_values(typical, values);
        };
        // The power of a thousand, of which names know three.
        let power = [1e3, 1e6, 1e9].iter().filter(|least| typical.abs() >= **least).count();
        values.iter_mut().for_each(|value| *value /= 1000_f64.powi(power as i32));
        names.scaled[power]
    }

    /// The cost of a byte or an element, which is less where more is done for the same.
    fn scale_throughputs(
        &self,
        typical: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        let Some(names) = &self.names else {
            return WallTime.formatter().scale_throughputs(typical, throughput, values);
        };
        let (amount, unit) = match throughput {
            Throughput::Bytes(bytes) | Throughput::BytesDecimal(bytes) => (*bytes, names.per_byte),
            Throughput::Bits(bits) => (*bits, names.per_bit),
            Throughput::Elements(elements) | Throughput::ElementsAndBytes { elements, .. } => {
                (*elements, names.per_element)
            }
        };
        values.iter_mut().for_each(|value| *value /= amount.max(1) as f64);
        unit
    }

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        match &self.names {
            Some(names) => names.scaled[0],
            None => WallTime.formatter().scale_for_machines(values),
        }
    }
}

/// Five digits or so, as criterion writes times.
fn short(value: f64) -> String {
    match value.abs() {
        value if value < 10.0 => format!("{value:.4}"),
        value if value < 100.0 => format!("{value:.3}"),
        value if value < 1000.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_scaled_by_thousands_and_times_as_criterion_does() {
        let unit = Unit::new("instructions", None);
        assert_eq!(unit.format_value(1_234_567.0), "1.2346 M instructions");
        assert_eq!(unit.format_value(12.0), "12.000 instructions");
        assert_eq!(unit.format_value(0.5), "0.5000 instructions");
        assert_eq!(Unit::new("task-clock", Some("ns")).format_value(1500.0), "1.5000 µs");
        assert_eq!(Unit::new("energy", Some("Joules")).format_value(2.0), "2.0000 Joules energy");
    }

    #[test]
    fn throughputs_are_the_cost_of_a_part() {
        let unit = Unit::new("instructions", None);
        let of = |throughput| unit.format_throughput(&throughput, 400.0);
        assert!(of(Throughput::Bytes(100)).ends_with("4.0000 instructions/B"));
        assert!(of(Throughput::Elements(4)).ends_with("100.00 instructions/elem"));
        assert!(of(Throughput::Bits(0)).ends_with("400.00 instructions/b"));
    }
}
