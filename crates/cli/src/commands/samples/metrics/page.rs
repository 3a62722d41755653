//! The page: the flame graph, whose functions may be coloured by a metric, and the tables.

use super::measured::{Group, Measured};
use super::row::{cell, notes, percent, rates, rows};
use super::tally::{Rate, Tally};
use crate::commands::samples::About;
use crate::commands::samples::html::cells::{ROWS, function, hundredths, of_at_most};
use crate::commands::samples::origin::Origin;
use crate::output::Sink;
use crate::page::{
    Cell, Column, Page, PageFunction, PageThread, Profile, Section, Table, sentence,
};
use counterpoint::symbols::ShortNames;
use std::collections::HashMap;
use std::io;

pub fn write(
    mut out: Sink,
    about: &About<'_>,
    origin: &Origin,
    measured: &Measured<'_>,
) -> io::Result<()> {
    let names = about.table.names(measured.functions.iter().map(|(name, _)| name.clone()));
    let drawn = |group| Drawn { measured, group, names: &names };
    let groups = measured.groups.iter();
    let page = Page {
        title: format!("Metrics of {}", about.title),
        facts: origin.facts(),
        notes: groups
            .clone()
            .flat_map(|of| notes(of, measured.lost))
            .map(|note| sentence(&note))
            .collect(),
        sections: groups.flat_map(|group| drawn(group).sections()).collect(),
    };
    page.write(&mut out)?;
    out.publish()
}

struct Drawn<'m> {
    measured: &'m Measured<'m>,
    group: &'m Group<'m>,
    names: &'m ShortNames,
}

impl Drawn<'_> {
    fn sections(&self) -> Vec<Section> {
        let Group { by_function, with_called, by_line, sampled, .. } = self.group;
        let name = |number: usize| {
            let (name, module) = &self.measured.functions[number];
            vec![function(self.names, name), Cell::text(module.as_deref().unwrap_or(""))]
        };
        let line = |number: usize| {
            let (of, file, line) = &self.measured.lines[number];
            let (name, _) = &self.measured.functions[*of as usize];
            vec![Cell::text(format!("{file}:{line}")), function(self.names, name)]
        };
        vec![
            Section::Profile(Box::new(self.graph())),
            self.table(
                &format!("Functions by samples of {sampled}"),
                ["function", "module"],
                by_function,
                &name,
            ),
            self.table(
                "Functions with what they called",
                ["function", "module"],
                with_called,
                &name,
            ),
            self.table("Lines", ["line", "function"], by_line, &line),
        ]
    }

    /// A table of places.
    fn table(
        &self,
        title: &str,
        first: [&'static str; 2],
        tallies: &[Tally],
        name: &dyn Fn(usize) -> Vec<Cell>,
    ) -> Section {
        let column = |name: String, number| Column { name: name.into(), number };
        let texts = first.map(|name| column(name.to_string(), false));
        let numbers = ["samples", "%"].map(|name| column(name.to_string(), true));
        let metrics = self.metrics().into_iter().map(|name| column(name, true));
        let row = |(number, of): &(usize, &Tally)| {
            let counts = [Cell::number(of.samples as f64), hundredths(percent(of, self.group))];
            let values = rates(of, self.group).into_iter().map(|rate| Cell {
                text: cell(rate),
                value: rate.map(|rate| rate.value),
                ..Cell::default()
            });
            name(*number).into_iter().chain(counts).chain(values).collect()
        };
        Section::Table(Table {
            title: of_at_most(title.to_string(), tallies.len()),
            columns: texts.into_iter().chain(numbers).chain(metrics).collect(),
            rows: rows(tallies).iter().take(ROWS).map(row).collect(),
            folded: false,
        })
    }

    /// The names of the metrics with their units.
    fn metrics(&self) -> Vec<String> {
        let metrics = self.group.metrics.iter().map(|of| &self.measured.metrics[of.metric]);
        let unit = |unit: &str| format!(" ({unit})");
        metrics
            .map(|of| of.name.clone() + &of.unit.as_deref().map(unit).unwrap_or_default())
            .collect()
    }

    /// The flame graph, whose calls are the functions of the stacks from the outside.
    fn graph(&self) -> Profile {
        let mut profile = Profile {
            title: format!("Flame graph of the samples of {}", self.group.sampled),
            unit: "samples",
            total: self.group.all.samples,
            independent: Some(1.0),
            threads: vec![PageThread {
                name: "all threads".to_string(),
                pid: 0,
                tid: 0,
                roots: Vec::new(),
            }],
            metrics: self.metrics(),
            ..Profile::default()
        };
        self.functions(&mut profile);
        let mut calls: HashMap<(Option<usize>, u32), usize> = HashMap::new();
        for (number, of) in rows(&self.group.by_stack) {
            let mut caller = None;
            for of in self.measured.stacks[number].iter().rev() {
                let call = *calls.entry((caller, *of)).or_insert_with(|| {
                    profile.calls.push(*of as usize);
                    profile.callers.push(caller.map_or(-1, |caller| caller as i64));
                    profile.calls.len() - 1
                });
                caller = Some(call);
            }
            if let Some(call) = caller {
                profile.counts.extend([0, 0, profile.place_calls.len() as u64, of.samples]);
                profile.place_calls.push(call);
                profile.place_lines.push(-1);
            }
        }
        profile
    }

    /// The functions, each with its values together with what it called.
    fn functions(&self, profile: &mut Profile) {
        let of = |number: usize| {
            let tally = self.group.with_called.get(number).filter(|of| of.samples > 0);
            tally.map_or(Vec::new(), |tally| rates(tally, self.group))
        };
        let all: Vec<Vec<Option<Rate>>> = (0..self.measured.functions.len()).map(of).collect();
        // What may be that of others has no place among the values.
        let value = |rate: &Option<Rate>| rate.filter(|rate| !rate.is_mixed).map(|rate| rate.value);
        let limits = |metric: usize| {
            let values = all.iter().filter_map(|rates| rates.get(metric).and_then(&value));
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let limits: Vec<_> = (0..self.group.metrics.len()).map(limits).collect();
        let mut modules = HashMap::new();
        for ((full, module), rates) in self.measured.functions.iter().zip(&all) {
            let module = module.clone().unwrap_or_default();
            let module = *modules.entry(module).or_insert_with_key(|module| {
                profile.modules.push(module.clone());
                profile.modules.len() - 1
            });
            let place = |(rate, (low, high)): (&Option<Rate>, &(f64, f64))| {
                let span = high - low;
                let level =
                    value(rate).map(|value| if span > 0.0 { (value - low) / span } else { 0.5 });
                (cell(*rate), level)
            };
            let values = rates.iter().zip(&limits).map(place).collect();
            let function = PageFunction::new(self.names, full, module, false);
            profile.functions.push(PageFunction { values, ..function });
        }
    }
}
