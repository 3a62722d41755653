//! Reports of PAPI's high-level API (`papi_hl_output/rank_N.json`), as rows of regions.

use super::entry::{Entry as Line, KeyedCell};
use super::merged::{Cell, Kind};
use crate::MergedKey;
use crate::{Amount, Location, Process, SCHEMA, Status};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

/// Returns true if a text looks like a report of PAPI: one object with threads, and not the lines of others.
pub(super) fn is_report(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with('{') && !first.contains("\"schema\"") && text.contains("\"threads\"")
}

/// The rows of each region, in all threads together.
///
/// The rank is in the name of the file.
pub(super) fn read(file: &str, text: &str) -> Result<Vec<Line>, String> {
    let report: Report = serde_json::from_str(text).map_err(|error| {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or_default();
        format!("line {}: not a report of PAPI: {what}", error.line())
    })?;
    let process = Process { rank: rank(file), ..Process::default() };
    let mut sums = Sums { definitions: report.event_definitions, ..Sums::default() };
    for (thread, Thread { regions }) in report.threads.0.into_iter().enumerate() {
        regions.0.into_iter().try_for_each(|region| sums.add(thread, region))?;
    }
    Ok(sums.entries(process))
}

/// `rank_000003.json` is of rank 3, and `rank_000003-4711.json` of another process of the same rank.
fn rank(file: &str) -> Option<u64> {
    let name = Path::new(file).file_stem()?.to_str()?.strip_prefix("rank_")?;
    name.split('-').next()?.parse().ok()
}

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    event_definitions: HashMap<String, Definition>,
    threads: List<Thread>,
}

#[derive(Deserialize)]
struct Definition {
    /// The kind of the value: a difference (`delta`), or a state or an average, which does not add up.
    r#type: Option<String>,
}

#[derive(Deserialize)]
struct Thread {
    regions: List<Region>,
}

/// An array, as PAPI 6 writes it, or an object whose keys are numbers, as PAPI 7 does.
struct List<T>(Vec<T>);

/// A part of a program: one time that it ran or, in PAPI 6, all times.
struct Region {
    name: String,
    /// Its events, and other facts.
    values: Vec<(String, Field)>,
}

/// A member of a region.
enum Field {
    Text(String),
    Number(Amount),
    /// The value and those of reads in between, or in an early PAPI 7 least, mean and greatest; or all of a region.
    Object(Vec<(String, Field)>),
}

/// The sums of a region's events.
#[derive(Default)]
struct Sums {
    definitions: HashMap<String, Definition>,
    /// In the order in which they were met.
    regions: Vec<(String, u64, Vec<Sum>)>,
    places: HashMap<String, usize>,
    /// The place in a region of the sum of an event.
    events: HashMap<(usize, String), usize>,
}

struct Sum {
    event: String,
    amount: Amount,
    /// The number of values that were added.
    values: u64,
    /// The thread of the last value.
    thread: usize,
    /// Of wall times, the longest sum of the threads before this one.
    longest: Option<Amount>,
}

/// Returns true for the nanoseconds and the ticks of the clock, which pass in all threads at the same time.
fn is_wall_time(event: &str) -> bool {
    matches!(event, "real_time_nsec" | "cycles")
}

impl Sum {
    fn add(&mut self, thread: usize, amount: Amount) {
        self.values += 1;
        if thread != self.thread && is_wall_time(&self.event) {
            self.longest = Some(self.total());
            self.amount = amount;
        } else {
            self.amount = self.amount.plus(amount);
        }
        self.thread = thread;
    }

    /// The sum of all values; of wall times, that of the thread in which it is the longest.
    fn total(&self) -> Amount {
        self.longest.filter(|longest| longest.real() > self.amount.real()).unwrap_or(self.amount)
    }
}

impl Sums {
    fn add(&mut self, thread: usize, region: Region) -> Result<(), String> {
        let Region { name, values } = region;
        let place = *self.places.entry(name.clone()).or_insert_with(|| {
            self.regions.push((name.clone(), 0, Vec::new()));
            self.regions.len() - 1
        });
        let (_, calls, sums) = &mut self.regions[place];
        let mut ran = 1;
        for (event, field) in values {
            if event == "parent_region_id" {
                continue;
            }
            let amount = field.amount().ok_or_else(|| {
                format!("not a report of PAPI: in region `{name}`, `{event}` is not a number")
            })?;
            if event == "region_count" {
                ran = amount.real() as u64;
                continue;
            }
            match self.events.entry((place, event)) {
                Entry::Occupied(known) => sums[*known.get()].add(thread, amount),
                Entry::Vacant(free) => {
                    let event = free.key().1.clone();
                    sums.push(Sum { event, amount, values: 1, thread, longest: None });
                    free.insert(sums.len() - 1);
                }
            }
        }
        *calls = calls.saturating_add(ran);
        Ok(())
    }

    fn entries(self, process: Process) -> Vec<Line> {
        let Sums { definitions, regions, .. } = self;
        let adds_up = |event: &str| {
            let kind = definitions.get(event).and_then(|definition| definition.r#type.as_deref());
            kind.is_none_or(|kind| kind == "delta")
        };
        let mut entries = Vec::new();
        for (region, calls, sums) in regions {
            for sum in sums {
                let amount = sum.total();
                let Sum { event, values, .. } = sum;
                let adds_up = adds_up(&event);
                let kind = match adds_up {
                    _ if is_wall_time(&event) => Kind::WallTime,
                    true => Kind::Count,
                    false => Kind::Formula,
                };
                // Ticks of the clock, from `PAPI_get_real_cyc`, and no cycles of the processor.
                let event = if event == "cycles" { "real_cyc".to_string() } else { event };
                // Of a state, the mean over the calls.
                let mean = || Amount::Real(amount.real() / values as f64);
                let cell = Cell {
                    amount: Some(if adds_up || values == 1 { amount } else { mean() }),
                    coverage: Some(1.0),
                    calls: Some(calls),
                    reason: None,
                    status: Status::Counted,
                    kind,
                    is_elsewhere: false,
                    is_absent: false,
                };
                let key = MergedKey {
                    schema: SCHEMA,
                    region: Some(region.clone()),
                    unit: (event == "real_time_nsec").then(|| "ns".to_string()),
                    event,
                    canonical: None,
                    location: Location::default(),
                };
                let value = Some(KeyedCell { key, cell, interval: None });
                entries.push(Line { value, ..Line::new(process.clone()) });
            }
        }
        entries
    }
}

impl Field {
    /// The number, which PAPI writes as text, or the one of an object that is of the whole region.
    fn amount(&self) -> Option<Amount> {
        match self {
            Field::Number(amount) => Some(*amount),
            Field::Text(text) => match text.parse::<i64>() {
                Ok(whole) => Some(Amount::Whole(whole.into())),
                Err(_) => text.parse().ok().filter(|real: &f64| real.is_finite()).map(Amount::Real),
            },
            Field::Object(fields) => ["region_value", "total", "avg"].into_iter().find_map(|key| {
                let field = fields.iter().find(|(known, _)| known == key)?;
                match &field.1 {
                    Field::Object(_) => None,
                    field => field.amount(),
                }
            }),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T>, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<List<T>, A::Error> {
                let mut items = Vec::new();
                while let Some((IgnoredAny, item)) = map.next_entry()? {
                    items.push(item);
                }
                Ok(List(items))
            }
        }
        deserializer.deserialize_any(Items(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Region {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Region, D::Error> {
        let Field::Object(mut fields) = Field::deserialize(deserializer)? else {
            return Err(D::Error::custom("a region is not an object"));
        };
        let name =
            fields.iter().position(|(key, field)| key == "name" && matches!(field, Field::Text(_)));
        if let Some(name) = name
            && let (_, Field::Text(name)) = fields.remove(name)
        {
            return Ok(Region { name, values: fields });
        }
        match (fields.pop(), fields.is_empty()) {
            (Some((name, Field::Object(values))), true) => Ok(Region { name, values }),
            _ => Err(D::Error::custom("a region has no name")),
        }
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Field, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number or an object")
            }

            fn visit_str<E>(self, text: &str) -> Result<Field, E> {
                Ok(Field::Text(text.to_string()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Field, E> {
                Ok(Field::Number(Amount::Whole(number.into())))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Field, E> {
                Ok(Field::Number(Amount::Whole(number.into())))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Field, E> {
                Ok(Field::Number(Amount::Real(number)))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Field, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Field::Object(fields))
            }
        }
        deserializer.deserialize_any(Any)
    }
}
