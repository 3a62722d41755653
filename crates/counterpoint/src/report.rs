//! From counts to values: parts are added up, then scaled, then put into formulas.

use crate::opening::{Opened, Part};
use crate::resolved::{Input, Metric, Rule};
use crate::{Native, Note, Reason, Value};
use counterpoint_formula::{Formula, Number};
use counterpoint_perf::{Count, CpuSet, Host};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// A snapshot of all counters of a [`Counting`](crate::Counting), or the difference of two.
#[derive(Clone, Debug)]
pub struct Reading {
    pub(crate) counts: Vec<Count>,
    /// What each of the counts is of.
    pub(crate) parts: Arc<[Part]>,
    /// The parts whose pinned event has lost its counter, and its count with it.
    pub(crate) lost: Vec<usize>,
}

impl Reading {
    /// What was counted since `earlier`, a snapshot of the same counters; a state at the time of reading stays as it is.
    pub fn since(&self, earlier: &Reading) -> Reading {
        let mut reading = self.clone();
        reading.subtract(earlier);
        reading
    }

    /// Adds what another snapshot of the same counters holds, such as the difference of two; a state at the time of reading is replaced.
    pub fn add(&mut self, other: &Reading) {
        let pairs = self.counts.iter_mut().zip(&other.counts).zip(self.parts.iter());
        for ((sum, count), part) in pairs {
            let added = sum.plus(count);
            *sum = if part.snapshot { Count { raw: count.raw, ..added } } else { added };
        }
        self.lost.extend(&other.lost);
        self.lost.sort_unstable();
        self.lost.dedup();
    }

    /// Nothing was counted yet.
    pub(crate) fn zero(parts: Arc<[Part]>) -> Reading {
        Reading { counts: vec![Count::default(); parts.len()], parts, lost: Vec::new() }
    }

    /// [`Reading::since`] in place.
    pub(crate) fn subtract(&mut self, earlier: &Reading) {
        let pairs = self.counts.iter_mut().zip(&earlier.counts).zip(self.parts.iter());
        for ((now, then), part) in pairs {
            *now = since(now, then, part.snapshot);
        }
    }
}

fn since(now: &Count, then: &Count, snapshot: bool) -> Count {
    let since = now.since(then);
    if snapshot { Count { raw: now.raw, ..since } } else { since }
}

/// What the rows of a report are told apart by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// One row an event.
    #[default]
    Total,
    /// One for each CPU.
    Cpu,
    /// One for each core; one for each CPU where the machine does not tell cores.
    Core,
    /// One for each socket; one for each CPU where the machine does not tell sockets.
    Socket,
    /// One for each thread.
    Thread,
}

/// What the row of a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The whole target.
    All,
    /// A CPU.
    Cpu(u32),
    /// A core of a socket.
    Core {
        /// The socket.
        socket: u32,
        /// The core, numbered within the socket.
        core: u32,
    },
    /// A socket.
    Socket(u32),
    /// A thread.
    Thread(u32),
}

/// Values, in the order in which their events were named, place by place.
#[derive(Clone, Debug)]
pub struct Report {
    /// The values.
    pub rows: Vec<Row>,
}

/// The value of one event at one place.
#[derive(Clone, Debug)]
pub struct Row {
    /// The event as it was asked for.
    pub event: String,
    /// Its usual name, with PMU and modifiers.
    pub canonical: String,
    /// What the value is in: `ns`, what sysfs says; `None` for plain counts.
    pub unit: Option<String>,
    /// Where it was counted.
    pub place: Place,
    /// The value, or why there is none; the mean if there were several runs.
    pub value: Value,
    /// The counter's own number, the sum over all that were added up; `None` for a formula, and where nothing was counted.
    pub raw: Option<u64>,
    /// How long the event was enabled, the sum over all that were added up.
    pub enabled: Duration,
    /// How long it was on a counter, the sum likewise.
    pub running: Duration,
    /// How it is counted otherwise than asked for; of a formula, how any of its events is.
    pub notes: Vec<Note>,
    /// With several runs: how much they differ.
    pub spread: Option<Spread>,
}

/// How far the values of several runs lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many runs gave a value.
    pub runs: usize,
    /// Standard deviation of the values (of the sample, with n−1); `None` with one run.
    pub stddev: Option<f64>,
}

impl Report {
    pub(crate) fn new(opened: &Opened, runs: &[&Reading], split: &Split) -> Report {
        let labels = Labels::new(*split, opened);
        let tables: Vec<Table> = runs.iter().map(|reading| Table::new(reading, &labels)).collect();
        let mean = Table::mean(&tables);
        let mut rows = Vec::new();
        for place in mean.places() {
            for metric in &opened.resolved.metrics {
                // What is counted nowhere has a row all the same, for the whole.
                let is_here = match place {
                    Place::All => metric.is_at(place, &mean) || !metric.is_anywhere(opened),
                    _ => metric.is_at(place, &mean),
                };
                if !is_here {
                    continue;
                }
                let value = metric.value(place, &mean, opened);
                let spread = (runs.len() > 1).then(|| spread(metric, place, &tables, opened));
                let total = metric.native().and_then(|native| mean.get(place, native));
                rows.push(Row {
                    event: metric.event.clone(),
                    canonical: metric.canonical.clone(),
                    unit: metric.unit.clone(),
                    place,
                    raw: total.filter(|_| value.as_f64().is_some()).map(|total| total.raw),
                    enabled: total.map_or(Duration::ZERO, |total| total.enabled),
                    running: total.map_or(Duration::ZERO, |total| total.running),
                    notes: metric.notes(opened),
                    value,
                    spread,
                });
            }
        }
        Report { rows }
    }

    /// The first row of the event with this usual name.
    pub fn row(&self, canonical: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.canonical == canonical)
    }
}

/// Finds the place of a part in a report.
struct Labels {
    split: Split,
    /// The core and the socket of each CPU, where rows are told apart by them.
    known: BTreeMap<u32, (u32, u32)>,
}

impl Labels {
    /// Where the machine does not tell the core and the socket of each CPU, no sum over them is one: rows are told apart by CPU.
    fn new(split: Split, opened: &Opened) -> Labels {
        if !matches!(split, Split::Core | Split::Socket) {
            return Labels { split, known: BTreeMap::new() };
        }
        let cpus: BTreeSet<u32> = opened.parts.iter().filter_map(|part| part.cpu).collect();
        let known = |cpu: u32| Some((cpu, opened.host.core_and_socket(cpu)?));
        match cpus.into_iter().map(known).collect() {
            Some(known) => Labels { split, known },
            None => Labels { split: Split::Cpu, known: BTreeMap::new() },
        }
    }

    fn place(&self, part: &Part) -> Place {
        let known = part.cpu.and_then(|cpu| self.known.get(&cpu));
        match (self.split, part.cpu, known) {
            (Split::Cpu, Some(cpu), _) => Place::Cpu(cpu),
            (Split::Core, _, Some((core, socket))) => Place::Core { socket: *socket, core: *core },
            (Split::Socket, _, Some((_, socket))) => Place::Socket(*socket),
            (Split::Thread, ..) => part.thread.map_or(Place::All, Place::Thread),
            _ => Place::All,
        }
    }
}

/// What one event counted at one place, over all parts.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    raw: u64,
    /// The sum of the parts, each scaled by itself.
    scaled: f64,
    enabled: Duration,
    running: Duration,
    /// The time enabled of those parts that were on a counter at all.
    measured: Duration,
    /// In how many runs it was enabled; values are divided by it.
    runs: u32,
    /// A part has lost its counter, so that the rest is no number for the whole.
    is_lost: bool,
}

impl Total {
    fn add(&mut self, count: &Count, snapshot: bool) {
        let scaled = count.scaled().unwrap_or(0.0);
        if snapshot {
            // A state, not an amount: the highest of the parts stands for all.
            self.raw = self.raw.max(count.raw);
            self.scaled = self.scaled.max(scaled);
        } else {
            self.raw = self.raw.saturating_add(count.raw);
            self.scaled += scaled;
        }
        self.enabled += count.enabled;
        self.running += count.running;
        if !count.running.is_zero() {
            self.measured += count.enabled;
        }
    }

    /// The value before the scale of sysfs; `None` if it was never on a counter.
    fn value(&self) -> Option<(Number, f64)> {
        if self.running.is_zero() || self.is_lost {
            None
        } else if self.running >= self.enabled {
            Some((Number::Int(self.raw.into()), 1.0))
        } else {
            // Parts that were never measured count like the others.
            let share =
                |part: Duration, whole: Duration| part.as_nanos() as f64 / whole.as_nanos() as f64;
            let whole = self.scaled * share(self.enabled, self.measured);
            Some((Number::Real(whole), share(self.running, self.enabled)))
        }
    }
}

/// The totals of one run, or of several together.
struct Table {
    totals: BTreeMap<(Place, usize), Total>,
}

impl Table {
    fn new(reading: &Reading, labels: &Labels) -> Table {
        let mut totals = BTreeMap::<_, Total>::new();
        for (part, count) in reading.parts.iter().zip(&reading.counts) {
            let total = totals.entry((labels.place(part), part.native)).or_default();
            total.add(count, part.snapshot);
        }
        for part in &reading.lost {
            let part = &reading.parts[*part];
            if let Some(total) = totals.get_mut(&(labels.place(part), part.native)) {
                total.is_lost = true;
            }
        }
        for total in totals.values_mut() {
            total.runs = u32::from(!total.enabled.is_zero());
        }
        Table { totals }
    }

    /// The whole, and what it is split into.
    fn places(&self) -> BTreeSet<Place> {
        self.totals.keys().map(|(place, _)| *place).chain([Place::All]).collect()
    }

    fn mean(tables: &[Table]) -> Table {
        let mut totals = BTreeMap::<_, Total>::new();
        for (key, total) in tables.iter().flat_map(|table| &table.totals) {
            let sum = totals.entry(*key).or_default();
            sum.raw = sum.raw.saturating_add(total.raw);
            sum.scaled += total.scaled;
            sum.enabled += total.enabled;
            sum.running += total.running;
            sum.measured += total.measured;
            sum.runs += total.runs;
            sum.is_lost |= total.is_lost;
        }
        Table { totals }
    }

    fn get(&self, place: Place, native: usize) -> Option<&Total> {
        self.totals.get(&(place, native))
    }
}

impl Metric {
    pub(crate) fn needs_clock_rate(&self) -> bool {
        matches!(&self.rule, Rule::Derived { inputs, .. } if inputs.iter().any(|i| matches!(i, Input::ClockRate)))
    }

    /// The event, if it is one and no formula.
    pub(crate) fn native(&self) -> Option<usize> {
        match self.rule {
            Rule::Native(native) => Some(native),
            _ => None,
        }
    }

    /// All events that the value depends on.
    pub(crate) fn natives(&self) -> impl Iterator<Item = usize> {
        let inputs: &[Input] = match &self.rule {
            Rule::Derived { inputs, .. } => inputs,
            _ => &[],
        };
        let of_formula = inputs.iter().filter_map(|input| match input {
            Input::Native(native) => Some(*native),
            Input::ClockRate => None,
        });
        self.native().into_iter().chain(of_formula)
    }

    fn notes(&self, opened: &Opened) -> Vec<Note> {
        let mut notes: Vec<Note> = self.note.into_iter().collect();
        let natives = self.natives();
        let of_natives = natives.flat_map(|native| &opened.outcomes[native].notes);
        of_natives.for_each(|note| note.join(&mut notes));
        notes
    }

    fn is_at(&self, place: Place, table: &Table) -> bool {
        self.natives().any(|native| table.get(place, native).is_some())
    }

    fn is_anywhere(&self, opened: &Opened) -> bool {
        self.natives().any(|native| opened.parts.iter().any(|part| part.native == native))
    }

    fn value(&self, place: Place, table: &Table, opened: &Opened) -> Value {
        match &self.rule {
            Rule::Native(native) => native_value(*native, place, table, opened),
            Rule::Unavailable(reason) => Value::NotSupported(reason.clone()),
            Rule::Derived { formula, inputs } => {
                derived_value(formula, inputs, place, table, opened)
            }
        }
    }
}

fn native_value(native: usize, place: Place, table: &Table, opened: &Opened) -> Value {
    if let Some(reason) = &opened.outcomes[native].refused {
        return Value::NotSupported(reason.clone());
    }
    let total = table.get(place, native);
    let Some((number, coverage)) = total.and_then(Total::value) else {
        return Value::NotCounted(why_not_counted(
            total,
            &opened.resolved.natives[native],
            &opened.host,
        ));
    };
    let runs = total.map_or(1, |total| total.runs.max(1));
    let factor = opened.resolved.natives[native].scale.unwrap_or(1.0) / f64::from(runs);
    let number = if factor == 1.0 { number } else { Number::Real(number.as_f64() * factor) };
    if coverage < 1.0 {
        Value::Estimated { value: number.as_f64(), coverage }
    } else {
        Value::Counted(number)
    }
}

/// Why an event that is open has no number.
fn why_not_counted(total: Option<&Total>, native: &Native, host: &Host) -> Reason {
    let cpus: Option<Vec<_>> = native.boxes.iter().map(|b| b.cpus.as_ref()).collect();
    let cpus: Option<CpuSet> = cpus.map(|sets| sets.into_iter().flat_map(CpuSet::iter).collect());
    let is_some = |cpus: &CpuSet| host.online_cpus().iter().any(|cpu| !cpus.contains(cpu));
    match (total, cpus.filter(is_some)) {
        (Some(total), _) if total.is_lost => Reason::LostCounter,
        (Some(total), _) if total.enabled.is_zero() => Reason::NeverRan,
        (_, Some(cpus)) => Reason::OtherCores { cpus },
        (Some(_), None) => Reason::NoCounter,
        (None, None) => Reason::NeverRan,
    }
}

fn derived_value(
    formula: &Formula,
    inputs: &[Input],
    place: Place,
    table: &Table,
    opened: &Opened,
) -> Value {
    let mut numbers = Vec::with_capacity(inputs.len());
    let mut lowest = 1.0_f64;
    for input in inputs {
        let native = match input {
            Input::Native(native) => *native,
            Input::ClockRate => match opened.clock_rate {
                Some(rate) => {
                    numbers.push(Number::Real(rate));
                    continue;
                }
                None => return Value::NotCounted(Reason::UnknownClockRate),
            },
        };
        let name = || opened.resolved.natives[native].canonical.clone();
        match native_value(native, place, table, opened) {
            Value::Counted(number) => numbers.push(number),
            Value::Estimated { value, coverage } => {
                lowest = lowest.min(coverage);
                numbers.push(Number::Real(value));
            }
            Value::NotCounted(reason) => {
                return Value::NotCounted(Reason::Term { name: name(), reason: Box::new(reason) });
            }
            Value::NotSupported(reason) => {
                return Value::NotSupported(Reason::Term {
                    name: name(),
                    reason: Box::new(reason),
                });
            }
        }
    }
    match formula.eval_numbers(&numbers) {
        Err(error) => Value::NotCounted(Reason::Formula(error.kind)),
        Ok(number) if lowest < 1.0 => Value::Estimated { value: number.as_f64(), coverage: lowest },
        Ok(number) => Value::Counted(number),
    }
}

fn spread(metric: &Metric, place: Place, tables: &[Table], opened: &Opened) -> Spread {
    let values: Vec<f64> =
        tables.iter().filter_map(|table| metric.value(place, table, opened).as_f64()).collect();
    let runs = values.len();
    let mean = values.iter().sum::<f64>() / runs as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Spread { runs, stddev: (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt()) }
}
