//! The tables: functions, lines and stacks, each with its samples and the values of the metrics.

use super::measured::{Group, Measured};
use super::row::{cell, notes, percent, rates, rows, whole};
use super::tally::{Rate, Tally};
use crate::commands::samples::About;
use crate::output::Sink;
use crate::show::{cut, grouped, hanging, printable};
use counterpoint::profil::write::TableSize;
use counterpoint::symbols::ShortNames;
use std::io::{self, Write};
use std::path::Path;

/// The letters that a name has at least.
const NAME: usize = 24;

pub fn write(out: &mut Sink, about: &About<'_>, measured: &Measured<'_>) -> io::Result<()> {
    let size = about.table.size(out.columns());
    let names = about.table.names(measured.functions.iter().map(|(name, _)| name.clone()));
    let title = printable(&about.title).into_owned();
    for group in &measured.groups {
        let (samples, event) = (grouped(group.all.samples.into()), printable(&group.sampled));
        let heading = format!(" metrics of {title}: {samples} samples of {event}");
        writeln!(out, "\n{}", hanging(&heading, size.columns, 2))?;
        for metric in &group.metrics {
            let of = &measured.metrics[metric.metric];
            let unit = of.unit.as_deref().unwrap_or("a number");
            let text = printable(&format!(" {} is in {unit}", of.name)).into_owned();
            writeln!(out, "{}", hanging(&text, size.columns, 2))?;
        }
        let tables = Tables { measured, group, size, names: &names };
        let name = |number: usize| tables.function(number as u32);
        tables.write(out, "function", &group.by_function, &name)?;
        if measured.has_stacks {
            tables.write(out, "function with what it called", &group.with_called, &name)?;
        }
        tables.write(out, "line", &group.by_line, &|number| tables.line(number))?;
        if measured.has_stacks {
            tables.write(out, "stack", &group.by_stack, &|number| tables.stack(number))?;
        }
        writeln!(out)?;
        for note in notes(group, measured.lost) {
            writeln!(out, "{}", hanging(&note, size.columns, 2))?;
        }
    }
    if measured.groups.is_empty() {
        writeln!(out, "there are no samples")?;
    }
    Ok(())
}

/// A row of a table.
struct Row<'m> {
    of: &'m Tally,
    rates: Vec<Option<Rate>>,
    name: String,
}

struct Tables<'m> {
    measured: &'m Measured<'m>,
    group: &'m Group<'m>,
    size: TableSize,
    names: &'m ShortNames,
}

impl<'m> Tables<'m> {
    fn function(&self, number: u32) -> String {
        let (name, module) = &self.measured.functions[number as usize];
        let module = module.as_deref().map_or(String::new(), |module| format!("  {module}"));
        format!("{}{module}", self.names.short(name))
    }

    fn line(&self, number: usize) -> String {
        let (function, file, line) = &self.measured.lines[number];
        let file = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
        let (function, _) = &self.measured.functions[*function as usize];
        format!("{file}:{line}  {}", self.names.short(function))
    }

    fn stack(&self, number: usize) -> String {
        let stack = &self.measured.stacks[number];
        let name = |number: &u32| self.names.short(&self.measured.functions[*number as usize].0);
        if stack.is_empty() {
            return "[stacks beyond the limit]".to_string();
        }
        stack.iter().map(name).collect::<Vec<_>>().join(" < ")
    }

    /// A table of places, with as many metrics side by side as there is room for.
    fn write(
        &self,
        out: &mut Sink,
        what: &str,
        tallies: &'m [Tally],
        name: &dyn Fn(usize) -> String,
    ) -> io::Result<()> {
        let all = rows(tallies);
        let is_shown = |(_, of): &&(usize, &Tally)| percent(of, self.group) >= self.size.percent;
        let shown: Vec<_> = all.iter().filter(is_shown).take(self.size.rows).collect();
        if all.is_empty() {
            return Ok(());
        }
        let all_rows =
            Row { of: &self.group.all, rates: whole(self.group), name: "[all]".to_string() };
        let row = |(number, of): &&(usize, &'m Tally)| Row {
            of,
            rates: rates(of, self.group),
            name: name(*number),
        };
        let rows: Vec<Row<'_>> = std::iter::once(all_rows).chain(shown.iter().map(row)).collect();
        let mut columns = self.columns(&rows);
        while !columns.is_empty() {
            let mut room = self.size.columns.saturating_sub(22 + NAME);
            let fits = |column: &&Vec<String>| {
                let width = column[0].chars().count() + 2;
                let is_room = width <= room;
                room = room.saturating_sub(width);
                is_room
            };
            let count = columns.iter().take_while(fits).count();
            let rest = columns.split_off(count.max(1));
            self.block(out, what, &rows, &columns)?;
            columns = rest;
        }
        let word = what.split(' ').next().unwrap_or_default();
        match all.len() - shown.len() {
            0 => Ok(()),
            1 => writeln!(out, "        … and 1 more {word}"),
            more => writeln!(out, "        … and {} more {word}s", grouped(more as i128)),
        }
    }

    /// The cells of each metric below its name, all of one width.
    fn columns(&self, rows: &[Row<'_>]) -> Vec<Vec<String>> {
        let column = |(index, of): (usize, &super::bound::Bound<'_>)| {
            let name = printable(&self.measured.metrics[of.metric].name).into_owned();
            let cells = rows.iter().map(|row| cell(row.rates[index]));
            let cells: Vec<String> = std::iter::once(name).chain(cells).collect();
            let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
            cells.into_iter().map(|cell| format!("{cell:>width$}")).collect()
        };
        self.group.metrics.iter().enumerate().map(column).collect()
    }

    fn block(
        &self,
        out: &mut Sink,
        what: &str,
        rows: &[Row<'_>],
        columns: &[Vec<String>],
    ) -> io::Result<()> {
        let cells = |row: usize| -> String {
            columns.iter().map(|column| format!("  {}", column[row])).collect()
        };
        let heading = format!("{:>11}  {:>7}{}  ", "samples", "%", cells(0));
        let room = self.size.columns.saturating_sub(heading.chars().count()).max(12);
        writeln!(out, "\n{heading}{}", cut(what, room))?;
        for (index, Row { of, name, .. }) in rows.iter().enumerate() {
            let (samples, percent) = (grouped(of.samples.into()), percent(of, self.group));
            let row = format!("{samples:>11}  {percent:>7.2}{}  ", cells(index + 1));
            let room = self.size.columns.saturating_sub(row.chars().count()).max(12);
            writeln!(out, "{row}{}", cut(&printable(name), room))?;
        }
        Ok(())
    }
}
