//! The values as a request of OTLP.

use super::messages::{
    Data, Gauge, InstrumentationScope, KeyValue, Metric, NumberDataPoint, Request, Resource,
    ResourceMetrics, ScopeMetrics, Sum, Value,
};
use crate::Exporter;
use crate::families::{COUNTED, COVERAGE, Family, LEFT_OUT, STATUS};
use crate::names::Unit;
use crate::reasons;
use crate::series::Series;
use counterpoint::formula::Number;
use prost::Message;
use std::time::{SystemTime, UNIX_EPOCH};

impl Exporter {
    /// The values of the last read, and what is not counted, as a request of OTLP.
    pub(crate) fn otlp(&self) -> Vec<u8> {
        let times = Times { start: nanoseconds(self.begun), now: nanoseconds(SystemTime::now()) };
        let mut metrics: Vec<Metric> = self
            .families
            .iter()
            .map(|(index, family)| {
                let all = self.shown().flat_map(|watched| &watched.series);
                let values = all.filter(|series| series.family == index);
                let point = |series: &Series| {
                    Some(times.point(series.value()?, &family.unit, &series.labels.pairs))
                };
                family_metric(family, values.filter_map(point).collect())
            })
            .collect();
        metrics.extend(self.about_as_otlp(&times));
        metrics.retain(|metric| !metric.points().is_empty());
        let mut attributes = vec![KeyValue::text("service.name", "counterpoint")];
        let host = self.events.first().map(|events| events.set.machine().host());
        let name = host.and_then(|host| host.text("/proc/sys/kernel/hostname").ok());
        attributes.extend(name.map(|name| KeyValue::text("host.name", &name)));
        let scope = InstrumentationScope {
            name: env!("CARGO_PKG_NAME").to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
        };
        let scope_metrics = vec![ScopeMetrics { scope: Some(scope), metrics }];
        let resource = Some(Resource { attributes });
        Request { resource_metrics: vec![ResourceMetrics { resource, scope_metrics }] }
            .encode_to_vec()
    }

    fn about_as_otlp(&self, times: &Times) -> [Metric; 4] {
        let plain = Unit::of(None);
        let of_all = || self.shown().flat_map(|watched| &watched.series);
        let about = |series: &Series| {
            let mut pairs = series.labels.pairs.clone();
            pairs.retain(|(name, _)| *name != "event");
            pairs.insert(0, ("event", series.event.clone()));
            pairs
        };
        let coverage = |series: &Series| {
            let share = Number::Real(series.coverage()?);
            Some(times.point(share, &plain, &about(series)))
        };
        let status = |series: &Series| {
            let (status, reason) = series.missing()?;
            let mut pairs = about(series);
            pairs.push(("status", status.to_string()));
            pairs.push(("reason", reasons::word(reason).to_string()));
            Some(times.point(Number::Int(1), &plain, &pairs))
        };
        let refused =
            self.refused_labels().map(|labels| times.point(Number::Int(1), &plain, &labels));
        let counted = self.targets().into_iter().map(|(labels, is_counted)| {
            times.point(Number::Int(is_counted.into()), &plain, &labels)
        });
        let left_out = times.point(Number::Int(self.room.left_out as i128), &plain, &[]);
        [
            gauge(COVERAGE, of_all().filter_map(coverage).collect()),
            gauge(STATUS, of_all().filter_map(status).chain(refused).collect()),
            gauge(COUNTED, counted.collect()),
            gauge(LEFT_OUT, vec![left_out]),
        ]
    }
}

fn family_metric(family: &Family, data_points: Vec<NumberDataPoint>) -> Metric {
    /// Values are sums since the start, so that one that is not received loses nothing.
    const CUMULATIVE: i32 = 2;
    let data = if family.is_counter {
        Data::Sum(Sum { data_points, aggregation_temporality: CUMULATIVE, is_monotonic: true })
    } else {
        Data::Gauge(Gauge { data_points })
    };
    Metric {
        name: family.name.clone(),
        description: family.help.clone(),
        unit: family.unit.ucum.to_string(),
        data: Some(data),
    }
}

fn gauge(name: &str, data_points: Vec<NumberDataPoint>) -> Metric {
    let data = Some(Data::Gauge(Gauge { data_points }));
    Metric { name: name.to_string(), description: String::new(), unit: "1".to_string(), data }
}

struct Times {
    start: u64,
    now: u64,
}

impl Times {
    fn point(&self, number: Number, unit: &Unit, pairs: &[(&str, String)]) -> NumberDataPoint {
        let value = match number {
            Number::Int(whole) if unit.is_same() => match i64::try_from(whole) {
                Ok(whole) => Value::Int(whole),
                Err(_) => Value::Double(whole as f64),
            },
            number => Value::Double(unit.convert(number.as_f64())),
        };
        NumberDataPoint {
            start_time_unix_nano: self.start,
            time_unix_nano: self.now,
            value: Some(value),
            attributes: pairs.iter().map(|(name, value)| KeyValue::text(name, value)).collect(),
        }
    }
}

fn nanoseconds(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
