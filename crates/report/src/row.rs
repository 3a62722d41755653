//! The lines of a report: what `stat --json` and the regions of a program write.
//!
//! Each key is declared here and nowhere else. A key may be added; none changes its meaning.

use crate::field::{Field, ToField};
use crate::keys::{Key, Part, record};
use crate::value::{Comment, Metric};
use crate::{Amount, Status};

record! {
    /// The value of one event at one place.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Row {
        /// The version of the format: 1.
        always schema: u32,
        /// The name of the region.
        region: Option<String>,
        /// How often the region was entered.
        calls: Option<u64>,
        /// The process that writes the report.
        part process: Process,
        /// The event or metric, as it was written.
        always event: String,
        /// Its usual name, with its PMU and its modifiers.
        canonical: Option<String>,
        /// The value; null if nothing was measured.
        always value: Option<Amount>,
        /// Whether the event was counted: `estimated` if it was counted for part of the time and the value is scaled.
        always status: Status,
        /// The unit of the value, if it has one.
        always unit: Option<String>,
        /// Why there is no value.
        reason: Option<String>,
        /// Whether another process of the host counts it.
        counted_elsewhere: bool,
        /// The counter's own number; a formula has none.
        raw: Option<u64>,
        /// The least value of a level, such as a temperature, whose value is the mean over time.
        least: Option<f64>,
        /// The greatest value of a level.
        greatest: Option<f64>,
        /// For how long the event was enabled, in nanoseconds.
        enabled_ns: Option<u64>,
        /// For how long the event was on a counter, in nanoseconds.
        running_ns: Option<u64>,
        /// The share of the enabled time in which the event was on a counter.
        coverage: Option<f64>,
        /// The standard error of an estimate: the true value is within twice the error in 95 of 100 cases.
        estimate_error: Option<f64>,
        /// How the event was counted, if not as requested.
        note: Option<String>,
        /// The value relative to others.
        written comment: Option<Comment>,
        /// The end of the interval, in seconds since counting began.
        interval_s: Option<f64>,
        /// The place of the value.
        part location: Location,
        /// What the value is a metric of.
        written metric: Option<Metric>,
        /// The values of several runs.
        part runs: Option<Runs>,
    }
}

record! {
    /// The process that wrote a line; a line of an older version does not name it.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize))]
    pub struct Process {
        /// The id of the job in the batch system.
        job: Option<String>,
        /// The number of the process in its parallel job.
        rank: Option<u64>,
        /// The number of ranks.
        ranks: Option<u64>,
        /// The number of the rank among those on its host.
        local_rank: Option<u64>,
        /// The name of the host.
        host: Option<String>,
        /// The id of the process.
        pid: Option<u32>,
    }
}

record! {
    /// The CPU, the thread, the cgroup or the part of the machine of a value; all `None` for the value of a whole target.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize))]
    pub struct Location {
        /// The CPU.
        cpu: Option<u32>,
        /// The id of the thread.
        thread: Option<u32>,
        /// The number of the thread among those of its process that share work, from 0: in programs with OpenMP, that of the outermost team.
        thread_number: Option<u32>,
        /// The name of the thread when counting began.
        comm: Option<String>,
        /// The socket.
        socket: Option<u32>,
        /// The die, within its socket.
        die: Option<u32>,
        /// The core, within its socket.
        core: Option<u32>,
        /// The NUMA node.
        node: Option<u32>,
        /// The level of the cache that is shared.
        cache_level: Option<u8>,
        /// The first of the CPUs that share the cache.
        cache: Option<u32>,
        /// The cgroup, by its path.
        cgroup: Option<String>,
    }
}

record! {
    /// The values of several runs, and how they vary.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize))]
    pub struct Runs {
        /// The runs that have a value.
        always runs: usize,
        /// The mean of the runs.
        always mean: Option<Amount>,
        /// The standard deviation of the runs.
        always stddev: Option<f64>,
        /// The standard error of the mean.
        always standard_error: Option<f64>,
        /// The least value.
        always min: Option<Amount>,
        /// The median.
        always median: Option<Amount>,
        /// The greatest value.
        always max: Option<Amount>,
        /// The value of each run, in the order of the runs.
        always values: Vec<Option<Amount>>,
    }
}

impl Row {
    /// The number of nanoseconds, of a count that is a time in another unit.
    pub fn in_ns(&self, amount: Amount) -> Option<f64> {
        let factor = match self.unit.as_deref().filter(|_| self.raw.is_some())? {
            "us" | "µs" | "usec" => 1e3,
            "ms" | "msec" => 1e6,
            "s" | "sec" => 1e9,
            _ => return None,
        };
        Some(amount.real() * factor)
    }
}

impl Location {
    /// The place for people, such as `socket 0 core 1`; empty for the whole target.
    pub fn words(&self) -> String {
        let Location { cpu, thread, comm, socket, die, core, node, .. } = self;
        let Location { cache_level, cache, cgroup, .. } = self;
        let cache =
            cache_level.zip(*cache).map(|(level, cpu)| format!("L{level} cache of CPU {cpu}"));
        let numbers = [
            ("CPU", cpu),
            ("thread", thread),
            ("socket", socket),
            ("die", die),
            ("core", core),
            ("node", node),
        ];
        let numbered =
            |(word, number): (&str, &Option<u32>)| Some(format!("{word} {}", (*number)?));
        let places = numbers.into_iter().filter_map(numbered).chain(cache).chain(cgroup.clone());
        let places = places.chain(comm.as_ref().map(|name| format!("({name})")));
        places.collect::<Vec<_>>().join(" ")
    }
}

/// Reads the keys of a row and of its parts side by side: what serde flattens is read several times more slowly.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Row {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
        deserializer.deserialize_map(reading::Lines)
    }
}

/// Reads rows as [`serde::Deserialize`] does, faster where a line is like the one before.
#[cfg(feature = "merge")]
#[derive(Default)]
pub(crate) struct RowReader {
    alike: crate::alike::Alike<()>,
}

#[cfg(feature = "merge")]
impl RowReader {
    /// Reads a line.
    pub(crate) fn read(&mut self, line: &str) -> serde_json::Result<Row> {
        let mut keys = reading::Keys::default();
        let each = |(): &(), key: &str, raw| keys.take(key, &mut reading::Raw(raw)).ok();
        if self.alike.read(line, each).is_some() {
            return keys.finish();
        }
        self.alike.learn(line, |_| ());
        serde_json::from_str(line)
    }
}

#[cfg(feature = "serde")]
mod reading {
    use super::{Location, Process, Row, Runs};
    use crate::keys::place;
    use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
    use std::borrow::Cow;
    use std::fmt;

    /// A key, borrowed where it has no escapes.
    #[derive(serde::Deserialize)]
    struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

    /// The bits of the keys of each part.
    const LOCATION: usize = Row::KEYS.len();
    const PROCESS: usize = LOCATION + Location::KEYS.len();
    const RUNS: usize = PROCESS + Process::KEYS.len();
    const _: () = assert!(RUNS + Runs::KEYS.len() <= 64, "a key has no bit");

    pub(super) struct Lines;

    impl<'de> Visitor<'de> for Lines {
        type Value = Row;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a row of a report")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
            let mut keys = Keys::default();
            while let Some(Name(key)) = map.next_key::<Name<'de>>()? {
                keys.take(&key, &mut map)?;
            }
            keys.finish()
        }
    }

    /// A row whose keys are read.
    #[derive(Default)]
    pub(super) struct Keys {
        row: Row,
        runs: Runs,
        /// A bit for each key, those of a part behind those of the record before.
        seen: u64,
    }

    impl Keys {
        /// Reads the value of a key.
        pub(super) fn take<'de, A: MapAccess<'de>>(
            &mut self,
            key: &str,
            map: &mut A,
        ) -> Result<(), A::Error> {
            let Keys { row, runs, seen } = self;
            let place = if let Some(place) = row.take(key, map)? {
                place
            } else if let Some(place) = row.location.take(key, map)? {
                LOCATION + place
            } else if let Some(place) = row.process.take(key, map)? {
                PROCESS + place
            } else if let Some(place) = runs.take(key, map)? {
                RUNS + place
            } else {
                map.next_value::<IgnoredAny>()?;
                return Ok(());
            };
            if *seen & 1 << place != 0 {
                return Err(A::Error::custom(format!("duplicate field `{key}`")));
            }
            *seen |= 1 << place;
            Ok(())
        }

        /// The row, if it has what each has.
        pub(super) fn finish<E: Error>(self) -> Result<Row, E> {
            let Keys { mut row, runs, seen } = self;
            let has = |place: usize| seen & 1 << place != 0;
            let mut needed = ["schema", "event", "status"].into_iter();
            if let Some(key) = needed.find(|key| !has(place(Row::KEYS, key))) {
                return Err(E::missing_field(key));
            }
            if row.value.is_some() && !row.status.has_value() {
                let words = row.status.words();
                return Err(E::custom(format!("it has a value and is {words}")));
            }
            let has_runs =
                ["runs", "values"].into_iter().all(|key| has(RUNS + place(Runs::KEYS, key)));
            row.runs = has_runs.then_some(runs);
            Ok(row)
        }
    }

    /// The text of one value of JSON.
    #[cfg(feature = "merge")]
    pub(super) struct Raw<'a>(pub(super) &'a str);

    #[cfg(feature = "merge")]
    impl<'a> MapAccess<'a> for Raw<'a> {
        type Error = serde_json::Error;

        fn next_key_seed<K: serde::de::DeserializeSeed<'a>>(
            &mut self,
            _: K,
        ) -> Result<Option<K::Value>, Self::Error> {
            Ok(None)
        }

        fn next_value_seed<V: serde::de::DeserializeSeed<'a>>(
            &mut self,
            seed: V,
        ) -> Result<V::Value, Self::Error> {
            seed.deserialize(&mut serde_json::Deserializer::from_str(self.0))
        }
    }
}
