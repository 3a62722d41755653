//! The meaning of a count relative to others: a rate, a ratio or a share.

use counterpoint::events::EventId;
use counterpoint::records::Comment;
use counterpoint::{Report, Row, RowPlacement};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

/// The rows of a report by their placement, of which there may be thousands, and by their events, which may be as many.
pub struct Placed<'r> {
    places: BTreeMap<RowPlacement, Place<'r>>,
}

/// The rows of one placement.
#[derive(Default)]
struct Place<'r> {
    rows: HashMap<&'r EventId, &'r Row>,
    /// The event for which each text stands first, and those texts that stand for another one, too.
    events: HashMap<&'r str, &'r EventId>,
    several: HashSet<&'r str>,
    clock: Option<&'r Row>,
}

impl<'r> Placed<'r> {
    pub fn new(report: &'r Report) -> Placed<'r> {
        let mut places: BTreeMap<RowPlacement, Place<'_>> = BTreeMap::new();
        report.rows.iter().for_each(|row| places.entry(row.placement).or_default().add(row));
        Placed { places }
    }

    /// Returns true if the text of a row stands for other events where the row is, such as the same event on another kind of core.
    pub fn has_several(&self, row: &Row) -> bool {
        let place = self.places.get(&row.placement);
        place.is_some_and(|place| place.several.contains(&*row.event))
    }

    /// The value of another event where a row is.
    fn value(&self, row: &Row, id: &EventId) -> Option<f64> {
        let other = self.places.get(&row.placement)?.rows.get(id)?;
        other.value.as_f64().filter(|value| *value > 0.0)
    }

    /// The nanoseconds of a clock where a row is.
    fn clock(&self, row: &Row) -> Option<f64> {
        let clock = self.places.get(&row.placement)?.clock?;
        clock.value.as_f64().filter(|ns| *ns > 0.0)
    }
}

impl<'r> Place<'r> {
    fn add(&mut self, row: &'r Row) {
        self.rows.entry(&row.id).or_insert(row);
        if *self.events.entry(&row.event).or_insert(&row.id) != &row.id {
            self.several.insert(&row.event);
        }
        if self.clock.is_none() && matches!(row.id.name.as_str(), "task-clock" | "cpu-clock") {
            self.clock = Some(row);
        }
    }
}

/// Returns the comment on `row`, as `perf stat` prints it, or `None` if there is none.
pub fn comment(row: &Row, placed: &Placed<'_>, elapsed: Duration) -> Option<Comment> {
    let value = row.value.as_f64().filter(|_| row.metric.is_none())?;
    let name = row.id.name.as_str();
    // The same event's neighbour: at the same placement, on the same PMU, with the same modifiers.
    let other = |wanted: &str| placed.value(row, &row.id.beside(wanted));
    let clock = || placed.clock(row);
    let share = |whole: &str, unit| Some(Comment { value: 100.0 * value / other(whole)?, unit });
    match name {
        "task-clock" | "cpu-clock" if elapsed.is_zero() => None,
        "task-clock" | "cpu-clock" => {
            Some(Comment { value: value / elapsed.as_nanos() as f64, unit: "CPUs utilized" })
        }
        "cycles" => Some(Comment { value: value / clock()?, unit: "GHz" }),
        "instructions" => match other("cycles") {
            Some(cycles) => Some(Comment { value: value / cycles, unit: "insn per cycle" }),
            None => rate(value, clock()?),
        },
        "branch-misses" => share("branches", "% of all branches"),
        "cache-misses" => share("cache-references", "% of all cache references"),
        "stalled-cycles-frontend" => share("cycles", "% frontend cycles idle"),
        "stalled-cycles-backend" => share("cycles", "% backend cycles idle"),
        _ => match name.strip_suffix("-load-misses") {
            Some(cache) => {
                share(&format!("{cache}-loads"), "% of all loads").or_else(|| rate(value, clock()?))
            }
            // A formula has its own meaning, and so has an event whose unit is in sysfs, and a number of a file.
            None if row.raw.is_none() || row.unit.is_some() || row.enabled.is_zero() => None,
            None => rate(value, clock()?),
        },
    }
}

fn rate(value: f64, clock_ns: f64) -> Option<Comment> {
    let per_second = value / (clock_ns / 1e9);
    Some(match per_second {
        1e9.. => Comment { value: per_second / 1e9, unit: "G/sec" },
        1e6.. => Comment { value: per_second / 1e6, unit: "M/sec" },
        1e3.. => Comment { value: per_second / 1e3, unit: "K/sec" },
        _ => Comment { value: per_second, unit: "/sec" },
    })
}

/// The words for a value that is worth a look, or may be within its error.
pub fn look(row: &Row) -> Option<&'static str> {
    match row.crossed {
        Some(_) if row.is_uncertain => Some("may be worth a look"),
        Some(true) => Some("worth a look"),
        _ => None,
    }
}
