//! Events of the tables, PMU by PMU.

use super::{Wanted, here};
use crate::commands::show::text::about;
use crate::descriptions::Words;
use crate::show::{hex, printable};
use counterpoint::pmu::{Attribute, AttributeKind, Event, Layer, Pmu};
use counterpoint::{Availability, Machine, try_events};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Longer names have their descriptions out of line.
const WIDEST: usize = 44;

/// What is listed of which PMUs.
pub struct Tables<'a> {
    pub machine: &'a Machine,
    pub words: &'a Words,
    pub wanted: &'a Wanted,
    pub pmus: &'a [&'static Pmu],
}

/// How much was listed.
#[derive(Default)]
pub struct Found {
    pub events: usize,
    pub masks: usize,
}

/// An event that is wanted, with those of its unit masks that are.
struct Row {
    event: Event,
    description: String,
    masks: Vec<(Attribute, String)>,
}

impl Tables<'_> {
    /// Boxes with the same events are one group.
    pub fn write(&self, out: &mut impl Write, mut follows: bool) -> io::Result<Found> {
        let mut found = Found::default();
        for boxes in self.pmus.chunk_by(|a, b| are_boxes(a, b)) {
            let pmu = boxes[0];
            let rows = self.rows(pmu);
            if rows.is_empty() {
                continue;
            }
            if follows {
                writeln!(out)?;
            }
            follows = true;
            let last = match boxes {
                [_, .., last] => format!(" to {}", last.name),
                _ => String::new(),
            };
            let number = match (self.wanted.is_all(), pmu.events().count()) {
                (true, 1) => "1 event".to_string(),
                (true, all) => format!("{all} events"),
                (false, all) => format!("{} of {all} events", rows.len()),
            };
            writeln!(out, "{}{last}, {} ({number})", pmu.name, about(pmu))?;
            self.write_rows(out, &rows)?;
            found.events += rows.len();
            found.masks += rows.iter().map(|row| row.masks.len()).sum::<usize>();
        }
        Ok(found)
    }

    fn write_rows(&self, out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
        let states: Option<Vec<_>> = rows.iter().map(|row| self.availability(&row.event)).collect();
        // Of other machines there is nothing to tell, and of most events a recording says nothing.
        let states = states.filter(|all| all.iter().any(|s| *s != Availability::NotRecorded));
        let told = states.is_some();
        let states = match &states {
            Some(states) => here::write_reasons(out, states.iter())?,
            None => vec![String::new(); rows.len()],
        };
        let state_width = states.iter().map(|state| state.chars().count()).max().unwrap_or(0);
        let names = rows.iter().map(|row| row.event.name.len());
        let masks = rows.iter().flat_map(|row| &row.masks).map(|(mask, _)| mask.name.len() + 5);
        let width = names.chain(masks).max().unwrap_or(0).min(WIDEST);
        for (row, state) in rows.iter().zip(&states) {
            let state = if told { format!("  {state:<state_width$}") } else { String::new() };
            let equiv = row.event.equiv.map(|e| format!(" (stands for {e})")).unwrap_or_default();
            let (name, description) = (row.event.name, &row.description);
            let line = format!("  {name:<width$}{state}  {description}{equiv}");
            writeln!(out, "{}", printable(line.trim_end()))?;
            let blank = if told { state_width + 2 } else { 0 };
            for (mask, description) in &row.masks {
                let name = format!(":{}{}", mask.name, if mask.is_default { " *" } else { "" });
                let line = format!("    {name:<0$}{1:blank$}  {description}", width - 2, "");
                writeln!(out, "{}", printable(line.trim_end()))?;
            }
        }
        Ok(())
    }

    /// The words must be found in an event, or in an event with one of its unit masks.
    fn rows(&self, pmu: &'static Pmu) -> Vec<Row> {
        let row = |event: Event| {
            let description = self.words.event(&event);
            let text = |mask: &str| format!("{}::{}{mask} {description}", pmu.name, event.name);
            let whole = self.wanted.matches(&text(""));
            let masks = event.attributes(Layer::Raw, self.machine.tables()).into_iter();
            let masks = masks.filter(|attribute| attribute.kind == AttributeKind::Umask);
            let described = masks.map(|mask| {
                let words = self.words.attribute(&event, &mask);
                (mask, words)
            });
            let is_wanted = |(mask, words): &(Attribute, String)| {
                whole || self.wanted.matches(&text(&format!(":{} {words}", mask.name)))
            };
            let masks: Vec<_> = described.filter(is_wanted).collect();
            (whole || !masks.is_empty()).then_some(Row { event, description, masks })
        };
        pmu.events().filter_map(row).collect()
    }

    /// What came of opening the event here; nothing for PMUs of other machines.
    fn availability(&self, event: &Event) -> Option<Availability> {
        if !self.machine.tables().pmus.contains(&event.pmu) {
            return None;
        }
        let states = try_events(self.machine, &format!("{}::{}", event.pmu.name, event.name));
        Some(match states {
            Ok(states) => states.into_iter().next().unwrap_or(Availability::NotRecorded),
            Err(_) => Availability::Needs(vec!["a unit mask".to_string()]),
        })
    }

    pub fn write_json(&self, out: &mut impl Write) -> io::Result<usize> {
        let mut count = 0;
        for pmu in self.pmus {
            for row in self.rows(pmu) {
                writeln!(out, "{}", self.as_json(&row))?;
                count += 1;
            }
        }
        Ok(count)
    }

    fn as_json(&self, row: &Row) -> Value {
        let Row { event, description, masks } = row;
        let (status, reason) = match self.availability(event) {
            Some(state) => here::status(&state),
            None => ("elsewhere", None),
        };
        let masks = masks.iter().map(|(mask, words)| {
            json!({
                "name": mask.name,
                "description": words,
                "code": hex(mask.code),
                "default": mask.is_default,
                "group": mask.group,
            })
        });
        json!({
            "schema": 1,
            "name": format!("{}::{}", event.pmu.name, event.name),
            "aliases": [],
            "group": event.pmu.name,
            "description": description,
            "unit": null,
            "status": status,
            "reason": reason,
            "equiv": event.equiv,
            "code": hex(event.code),
            "masks": masks.collect::<Vec<_>>(),
        })
    }
}

/// Boxes of one kind, such as the memory controllers, have the same events.
pub fn are_boxes(a: &'static Pmu, b: &'static Pmu) -> bool {
    let stem = |pmu: &Pmu| pmu.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let names = |pmu: &'static Pmu| pmu.events().map(|event| event.name);
    stem(a) == stem(b) && names(a).eq(names(b))
}
