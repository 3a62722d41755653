//! The text formats of monitoring: OpenMetrics, and that of Prometheus before it.

use crate::families::{COUNTED, COVERAGE, Family, LEFT_OUT, STATUS};
use crate::names::Unit;
use crate::series::{Series, written};
use crate::watched::Watched;
use crate::{Exporter, reasons};
use counterpoint::formula::Number;
use std::fmt::Write;

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The text format 0.0.4 of Prometheus.
    Prometheus,
}

impl Format {
    /// The format that a client prefers, by the header `Accept` of its request.
    pub fn preferred(accept: &str) -> Format {
        let quality = |kind: &str| {
            let mut best = 0.0_f64;
            for range in accept.split(',') {
                let mut parts = range.split(';').map(str::trim);
                if parts.next().is_some_and(|found| found.eq_ignore_ascii_case(kind)) {
                    let q = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
                    best = best.max(q.unwrap_or(1.0));
                }
            }
            best
        };
        let open = quality("application/openmetrics-text");
        if open > 0.0 && open >= quality("text/plain") {
            Format::OpenMetrics
        } else {
            Format::Prometheus
        }
    }

    /// The type of the text, for the header `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Format::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Format::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

impl Exporter {
    /// The values of the last read, and what is not counted, as text.
    pub fn text(&self, format: Format) -> String {
        // All samples of a family stand together, in the order of the targets.
        let mut of_families: Vec<&Series> =
            self.shown().flat_map(|watched| &watched.series).collect();
        of_families.sort_by_key(|series| series.family);
        let bytes = |series: &&Series| {
            self.families.get(series.family).name.len() + series.labels.text.len() + VALUE
        };
        let bytes = of_families.iter().map(bytes).sum();
        let mut text = Text { out: String::with_capacity(bytes), format };
        let mut rest = of_families.as_slice();
        for (index, family) in self.families.iter() {
            text.family(family);
            let end = if family.is_counter { "_total" } else { "" };
            let (own, others) = rest.split_at(rest.partition_point(|of| of.family <= index));
            rest = others;
            for series in own {
                if let Some(value) = series.value() {
                    text.sample(&family.name, end, &series.labels.text, value, &family.unit);
                }
            }
        }
        self.about(&mut text);
        if format == Format::OpenMetrics {
            text.out.push_str("# EOF\n");
        }
        text.out
    }

    /// The statements about the values.
    fn about(&self, text: &mut Text) {
        let plain = Unit::of(None);
        let of_all = || self.shown().flat_map(|watched| &watched.series);
        text.gauge(
            COVERAGE,
            "The share of the time for which an estimated value was measured.",
            "ratio",
        );
        for (series, coverage) in of_all().filter_map(|series| Some((series, series.coverage()?))) {
            text.sample(COVERAGE, "", &series.labels.about, Number::Real(coverage), &plain);
        }
        text.gauge(STATUS, "The reason why an event or metric has no value.", "");
        for (series, status) in of_all().filter_map(|series| Some((series, status(series)?))) {
            let labels = format!("{},{status}", series.labels.about);
            text.sample(STATUS, "", &labels, Number::Int(1), &plain);
        }
        for labels in self.refused_labels() {
            text.sample(STATUS, "", &written(&labels), Number::Int(1), &plain);
        }
        text.gauge(COUNTED, "Whether something is counted for a target.", "");
        for (labels, is_counted) in self.targets() {
            text.sample(COUNTED, "", &written(&labels), Number::Int(is_counted.into()), &plain);
        }
        text.gauge(LEFT_OUT, "The number of series beyond the limit of the configuration.", "");
        let left_out = Number::Int(self.room.left_out as i128);
        text.sample(LEFT_OUT, "", "", left_out, &plain);
    }

    pub(crate) fn shown(&self) -> impl Iterator<Item = &Watched> {
        self.watched.iter().filter(|watched| watched.is_shown(self.interval))
    }
}

/// More bytes than most values take, with what is around them.
const VALUE: usize = 40;

fn status(series: &Series) -> Option<String> {
    let (status, reason) = series.missing()?;
    Some(format!("status=\"{status}\",reason=\"{}\"", reasons::word(reason)))
}

struct Text {
    out: String,
    format: Format,
}

impl Text {
    fn family(&mut self, family: &Family) {
        let Family { name, is_counter, unit, help } = family;
        let kind = if *is_counter { "counter" } else { "gauge" };
        self.head(name, kind, help, &unit.suffix);
    }

    fn gauge(&mut self, name: &str, help: &str, unit: &str) {
        self.head(name, "gauge", help, unit);
    }

    fn head(&mut self, name: &str, kind: &str, help: &str, unit: &str) {
        // The older format describes samples, and has no units.
        let end = match (self.format, kind) {
            (Format::Prometheus, "counter") => "_total",
            _ => "",
        };
        let _ = writeln!(self.out, "# TYPE {name}{end} {kind}");
        if self.format == Format::OpenMetrics && !unit.is_empty() {
            let _ = writeln!(self.out, "# UNIT {name} {unit}");
        }
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        let help = match self.format {
            Format::OpenMetrics => help.replace('"', "\\\""),
            Format::Prometheus => help,
        };
        let _ = writeln!(self.out, "# HELP {name}{end} {help}");
    }

    fn sample(&mut self, name: &str, end: &str, labels: &str, value: Number, unit: &Unit) {
        self.out.push_str(name);
        self.out.push_str(end);
        if !labels.is_empty() {
            self.out.push('{');
            self.out.push_str(labels);
            self.out.push('}');
        }
        let _ = match value {
            Number::Int(whole) if unit.is_same() => writeln!(self.out, " {whole}"),
            number => writeln!(self.out, " {:?}", unit.convert(number.as_f64())),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_that_is_preferred_is_chosen() {
        let prometheus = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
        assert_eq!(Format::preferred(prometheus), Format::OpenMetrics);
        for accept in ["", "*/*", "text/html, */*;q=0.8", "application/openmetrics-text;q=0"] {
            assert_eq!(Format::preferred(accept), Format::Prometheus, "{accept}");
        }
        let less = "application/openmetrics-text; q=0.1, text/plain; q=0.9";
        assert_eq!(Format::preferred(less), Format::Prometheus);
    }
}
