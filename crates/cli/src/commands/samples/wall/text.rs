//! The table.

use super::events::WAKING;
use super::measured::Measured;
use super::row::{Doing, Times, function, sums};
use crate::commands::samples::About;
use crate::output::Sink;
use crate::show::{cut, grouped, hanging, printable};
use counterpoint::profil::write::Symbol;
use counterpoint::symbols::ShortNames;
use counterpoint::wall::{State, Wall, WallThread};
use std::collections::BTreeMap;
use std::io::{self, Write};

pub fn write(out: &mut Sink, about: &About<'_>, measured: &Measured) -> io::Result<()> {
    let wall = &measured.wall;
    let columns = Columns::new(wall);
    let title = printable(&about.title).into_owned();
    let length = wall.length() as f64;
    let width = out.columns().unwrap_or(usize::MAX);
    let heading = format!(
        " wall time of {title}: {} ms, {}, {}, {} of {}",
        columns.number(length),
        counted(wall.threads.len() as u64, "thread"),
        counted(wall.switches, "stop"),
        counted(wall.samples, "sample"),
        printable(&measured.clock),
    );
    writeln!(out, "\n{}", hanging(&heading, width, 2))?;
    let limit = about.table.size(out.columns());
    states(out, &columns, measured)?;
    if wall.threads.len() > 1 {
        threads(out, &columns, measured, limit.rows)?;
    }
    places(out, &columns, measured, about, (limit.rows, width))?;
    for note in notes(measured) {
        writeln!(out, "{}", hanging(&note, width, 2))?;
    }
    Ok(())
}

/// The form of times, in milliseconds, and whether there is a critical path.
struct Columns {
    decimals: usize,
    has_path: bool,
}

const WIDTH: usize = 11;

impl Columns {
    fn new(wall: &Wall) -> Columns {
        // Microseconds of a program that runs for a second, and not of one that runs for an hour.
        let decimals = if wall.length() < 10_000_000_000 { 3 } else { 1 };
        Columns { decimals, has_path: wall.has_wakes }
    }

    fn number(&self, nanoseconds: f64) -> String {
        format!("{:.1$}", nanoseconds / 1e6, self.decimals)
    }

    /// A time in its column; nothing where there is none.
    fn cell(&self, nanoseconds: f64) -> String {
        let text = if nanoseconds < 500.0 { String::new() } else { self.number(nanoseconds) };
        format!("{text:>WIDTH$}")
    }

    fn path(&self, times: &Times) -> String {
        if self.has_path { self.cell(times.path) } else { String::new() }
    }

    fn path_title(&self) -> String {
        if self.has_path { format!("{:>WIDTH$}", "path ms") } else { String::new() }
    }
}

fn states(out: &mut Sink, columns: &Columns, measured: &Measured) -> io::Result<()> {
    let length = measured.wall.length().max(1) as f64;
    let title = columns.path_title();
    writeln!(out, "\n{:>WIDTH$}        %{title}{:>WIDTH$}  state", "wall ms", "thread ms")?;
    let row = |out: &mut Sink, times: &Times, name: &str| {
        let (wall, path) = (columns.cell(times.wall), columns.path(times));
        let (percent, time) = (100.0 * times.wall / length, columns.cell(times.time));
        let percent = if percent < 0.005 { String::new() } else { format!("{percent:.2}") };
        writeln!(out, "{wall}  {percent:>7}{path}{time}  {name}")
    };
    let sums = sums(measured, |of| Doing::of(measured, of));
    let mut all = Times::default();
    for (doing, times) in &sums {
        row(out, times, &doing.name())?;
        all.wall += times.wall;
        all.path += times.path;
        all.time += times.time;
    }
    if measured.wall.outside >= length / 10_000.0 {
        row(
            out,
            &Times { wall: measured.wall.outside, ..Times::default() },
            "no thread was there",
        )?;
    }
    all.wall += measured.wall.outside;
    row(out, &all, "all")
}

fn threads(out: &mut Sink, columns: &Columns, measured: &Measured, rows: usize) -> io::Result<()> {
    let of_threads = sums(measured, |of| of.thread);
    let title = columns.path_title();
    writeln!(out, "\n{:>WIDTH$}{title}{:>WIDTH$}  thread", "wall ms", "thread ms")?;
    let row = |out: &mut Sink, times: &Times, name: &str| {
        let (wall, path) = (columns.cell(times.wall), columns.path(times));
        writeln!(out, "{wall}{path}{}  {name}", columns.cell(times.time))
    };
    for (thread, times) in of_threads.iter().take(rows) {
        row(out, times, &name(&measured.wall.threads[*thread]))?;
        let mut states: BTreeMap<Doing, Times> = BTreeMap::new();
        for amount in measured.wall.amounts.iter().filter(|of| of.thread == *thread) {
            states.entry(Doing::of(measured, amount)).or_default().add(amount);
        }
        let mut states: Vec<_> = states.into_iter().collect();
        states.sort_by(|(_, one), (_, other)| other.time.total_cmp(&one.time));
        for (doing, times) in states {
            row(out, &times, &format!("  {}", doing.name()))?;
        }
    }
    more(out, of_threads.len().saturating_sub(rows), "thread")
}

/// The name of a thread, as perf writes it.
pub fn name(of: &WallThread) -> String {
    match &of.name {
        Some(name) => format!("{} {}/{}", printable(name), of.pid, of.tid),
        None => format!("{}/{}", of.pid, of.tid),
    }
}

fn places(
    out: &mut Sink,
    columns: &Columns,
    measured: &Measured,
    about: &About<'_>,
    (rows, width): (usize, usize),
) -> io::Result<()> {
    let key = |symbol: Symbol, caller| (symbol.function, symbol.module, caller);
    let places = sums(measured, |of| {
        let place = function(measured, of).map(|(symbol, caller)| key(symbol, caller));
        (Doing::of(measured, of), place)
    });
    let places: Vec<_> = places.into_iter().filter(|(_, of)| of.wall + of.path >= 500.0).collect();
    let named = places.iter().filter_map(|((_, place), _)| place.as_ref());
    let full = named.flat_map(|(name, _, caller)| [Some(name), caller.as_ref()]).flatten();
    let names: ShortNames = about.table.names(full.cloned());
    let title = columns.path_title();
    let states = places.iter().take(rows).map(|((doing, _), _)| doing.name().chars().count());
    let wide = states.max().unwrap_or(0).max("state".len());
    writeln!(
        out,
        "\n{:>WIDTH$}{:>WIDTH$}{title}  {:<wide$}  function",
        "wall ms", "± ms", "state"
    )?;
    for ((doing, place), times) in places.iter().take(rows) {
        // Of states, nothing but the place of running threads is sampled.
        let error = if doing.state == State::Running { times.squares.sqrt() } else { 0.0 };
        let (wall, error) = (columns.cell(times.wall), columns.cell(error));
        let row = format!("{wall}{error}{}  {:<wide$}  ", columns.path(times), doing.name());
        let place = match place {
            None => String::new(),
            Some((function, module, caller)) => {
                let caller = caller.as_deref();
                let caller =
                    caller.map_or(String::new(), |of| format!(" (in {})", names.short(of)));
                let module = module.as_deref().unwrap_or("");
                format!("{}{caller}  {module}", names.short(function))
            }
        };
        let room = width.saturating_sub(row.chars().count()).max(12);
        let place = printable(place.trim_end()).into_owned();
        let place = cut(&place, room);
        writeln!(out, "{}", format!("{row}{place}").trim_end())?;
    }
    more(out, places.len().saturating_sub(rows), "place")
}

/// A number with its word.
fn counted(number: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(number.into()), if number == 1 { "" } else { "s" })
}

fn more(out: &mut Sink, count: usize, what: &str) -> io::Result<()> {
    match count {
        0 => Ok(()),
        count => writeln!(out, "        … and {}", counted(count as u64, &format!("more {what}"))),
    }
}

/// Sentences about what is not known.
pub fn notes(measured: &Measured) -> Vec<String> {
    let wall = &measured.wall;
    let mut notes = Vec::new();
    if wall.threads.is_empty() {
        return vec![
            "no thread ran while it was recorded: one that waits all the time is not seen"
                .to_string(),
        ];
    }
    if !wall.has_wakes {
        notes.push(format!(
            "no wake-ups were recorded: the time in a run queue is part of the wait before it, and there is no critical path ({WAKING} needs root and tracefs)"
        ));
    }
    if wall.lost > 0 {
        notes.push(format!(
            "{} records were lost, because there was no room for them: what they would say is not known",
            grouped(wall.lost.into())
        ));
    }
    if wall.unfinished > 0 {
        let (threads, they) = match wall.unfinished {
            1 => ("1 thread".to_string(), "it"),
            several => (format!("{} threads", grouped(several as i128)), "they"),
        };
        notes.push(format!(
            "{threads} waited when the last record was made: how long {they} waited on is not known, and not in the wall time"
        ));
    }
    if wall.samples == 0 {
        notes.push(
            "there are no samples of running threads: where they ran is not known".to_string(),
        );
    }
    notes
}
