//! Draws a screen of any size.

use super::super::stat::plot;
use super::columns::{Columns, cut, end_of, pad, wide};
use super::counted::Series;
use super::rows::Interval;
use super::state::{State, View};
use crate::show::grouped;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::{Color, Modifier, Style};

/// The state that is drawn.
pub struct Picture<'a> {
    /// The target that is sampled.
    pub target: &'a str,
    /// `None` before the first interval is over.
    pub interval: Option<&'a Interval>,
    pub events: usize,
    pub series: &'a [Series],
    /// Names are being looked up.
    pub is_reading: bool,
}

const PLAIN: Style = Style::new();
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
const BAR: Style = Style::new().add_modifier(Modifier::REVERSED);
/// Colours do not say anything that is not written.
const LINE: Style = Style::new().fg(Color::Cyan);
const ATTENTION: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const HOT: Style = Style::new().fg(Color::Red);
const WARM: Style = Style::new().fg(Color::Green);

/// The share in percent from which a row is hot, and warm.
const HOT_FROM: f64 = 5.0;
const WARM_FROM: f64 = 0.5;
/// The rows that the table has at least before there is room for counters.
const TABLE: u16 = 6;
/// The least width of a counter.
const COUNTER: u16 = 38;

const HELP: &[&str] = &[
    "Shares are those of the last interval; ± is their standard error.",
    "Samples may be shown a quarter of a second late.",
    "",
    "q Esc       quit",
    "p Space     pause, and continue",
    "1 2 3 4 Tab functions, threads, lines, processes",
    "s           sort by share, name or module",
    "/           filter by text; Enter keeps it, Esc takes it away",
    "↑ ↓ PgUp PgDn Home End   scroll",
    "← →         shift long names",
    "+ -         longer, shorter interval",
    "e           the next event of -e",
    "",
    "≈ marks an estimate of events that took turns.",
    "",
    "Any key closes this help.",
];

/// Draws the picture; the cursor is where text is typed.
pub fn draw(buffer: &mut Buffer, picture: &Picture<'_>, state: &mut State) -> Option<Position> {
    let mut area = buffer.area;
    if area.is_empty() {
        return None;
    }
    let top = cut_top(&mut area, 1);
    title(buffer, top, picture, state);
    // A small screen has only what is most important.
    let has_bottom = buffer.area.height >= 5;
    let bottom = if has_bottom { cut_bottom(&mut area, 1) } else { Rect::ZERO };
    if buffer.area.height >= 4 {
        let tabs = cut_top(&mut area, 1);
        self::tabs(buffer, tabs, picture, state);
    }
    let counters = Counters::new(picture.series, area.width);
    let height = counters.height().min(area.height.saturating_sub(TABLE));
    counters.draw(buffer, cut_top(&mut area, height));
    match (state.has_help, picture.interval) {
        (true, _) => lines(buffer, area, HELP),
        (false, Some(interval)) => table(buffer, area, interval, state),
        (false, None) => lines(buffer, area, &["waiting for the first interval …"]),
    }
    bottom_line(buffer, bottom, state)
}

fn cut_top(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    let top = Rect { height, ..*area };
    (area.y, area.height) = (area.y + height, area.height - height);
    top
}

fn cut_bottom(area: &mut Rect, height: u16) -> Rect {
    let height = height.min(area.height);
    area.height -= height;
    Rect { y: area.y + area.height, height, ..*area }
}

/// Writes text from a column on; returns the column after it.
fn put(buffer: &mut Buffer, area: Rect, x: u16, text: &str, style: Style) -> u16 {
    let width = area.right().saturating_sub(x);
    if width == 0 || area.height == 0 {
        return x;
    }
    buffer.set_stringn(x, area.y, text, width.into(), style).0
}

fn lines(buffer: &mut Buffer, area: Rect, lines: &[&str]) {
    for (line, y) in lines.iter().zip(area.y..area.bottom()) {
        put(buffer, Rect { y, height: 1, ..area }, area.x + 1, line, PLAIN);
    }
}

fn title(buffer: &mut Buffer, area: Rect, picture: &Picture<'_>, state: &State) {
    let mut parts: Vec<(String, Style)> = Vec::new();
    if let Some(interval) = picture.interval {
        let seconds = interval.length.as_secs_f64();
        let samples = grouped(interval.samples.into());
        parts.push((interval.event.clone(), BOLD));
        parts.push((format!("{samples} samples in {seconds:.2} s"), PLAIN));
        let (now, all) = (interval.lost, interval.lost + interval.lost_before);
        let [now, all] = [now, all].map(|lost| grouped(lost.into()));
        parts.push(match all.as_str() {
            "0" => ("0 lost".to_string(), PLAIN),
            all => (format!("{now} lost, {all} in all"), ATTENTION),
        });
        if picture.is_reading {
            parts.push(("reading symbols …".to_string(), PLAIN));
        }
        parts.extend(interval.notes.iter().map(|note| (note.clone(), ATTENTION)));
    }
    parts.push((picture.target.to_string(), BOLD));
    if state.is_paused {
        parts.insert(0, ("PAUSED".to_string(), ATTENTION));
    }
    let mut x = area.x + 1;
    for (index, (text, style)) in parts.iter().enumerate() {
        if index > 0 {
            x = put(buffer, area, x, "  ", PLAIN);
        }
        let room = usize::from(area.right().saturating_sub(x));
        x = put(buffer, area, x, &cut(text, room), *style);
    }
}

fn tabs(buffer: &mut Buffer, area: Rect, picture: &Picture<'_>, state: &State) {
    let mut x = area.x + 1;
    for (number, view) in (1..).zip(View::ALL) {
        let (text, style) = if view == state.view {
            (format!("[{number} {}]", view.name()), BOLD)
        } else {
            (format!(" {number} {} ", view.name()), PLAIN)
        };
        x = put(buffer, area, x, &text, style);
    }
    let mut about =
        format!("  by {}, every {} s", state.sort.name(state.view), state.interval.as_secs_f64());
    if picture.events > 1 {
        about.push_str(&format!(
            ", event {} of {}",
            state.event % picture.events + 1,
            picture.events
        ));
    }
    x = put(buffer, area, x, &about, PLAIN);
    if !state.filter.is_empty() && !state.is_typing {
        put(buffer, area, x, &format!("  filter: {}", state.filter), ATTENTION);
    }
}

/// The counters beside each other, and below them why others have no value.
struct Counters<'a> {
    counted: Vec<(&'a Series, &'a str)>,
    /// Each reason, with the events that it is about.
    missing: Vec<(&'a str, Vec<&'a str>)>,
    /// The number of counters beside each other.
    columns: u16,
}

impl<'a> Counters<'a> {
    fn new(series: &'a [Series], width: u16) -> Counters<'a> {
        let mut missing: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut counted = Vec::new();
        for of in series {
            match &of.now {
                Ok(value) => counted.push((of, value.as_str())),
                Err(reason) => match missing.iter_mut().find(|(known, _)| known == reason) {
                    Some((_, names)) => names.push(&of.name),
                    None => missing.push((reason, vec![&of.name])),
                },
            }
        }
        Counters { counted, missing, columns: (width / COUNTER).clamp(1, 3) }
    }

    fn height(&self) -> u16 {
        (self.counted.len().div_ceil(self.columns.into()) + self.missing.len()) as u16
    }

    fn draw(&self, buffer: &mut Buffer, mut area: Rect) {
        let reasons = cut_bottom(&mut area, self.missing.len() as u16);
        for ((reason, names), y) in self.missing.iter().zip(reasons.y..reasons.bottom()) {
            let line = Rect { y, height: 1, ..reasons };
            let text = format!("{}: {reason}", names.join(", "));
            put(
                buffer,
                line,
                line.x + 1,
                &cut(&text, usize::from(line.width).saturating_sub(1)),
                FAINT,
            );
        }
        if area.is_empty() {
            return;
        }
        let width = area.width / self.columns;
        let names = self.counted.iter().map(|(of, _)| wide(&of.name)).max().unwrap_or(0).min(20);
        for (index, (of, value)) in (0..).zip(&self.counted) {
            let (column, row) = (index / area.height, index % area.height);
            if column < self.columns {
                let (x, y) = (area.x + column * width, area.y + row);
                counter(buffer, Rect { x, y, width, height: 1 }, names, of, value);
            }
        }
    }
}

fn counter(buffer: &mut Buffer, area: Rect, names: usize, series: &Series, value: &str) {
    const VALUE: usize = 13;
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let x = put(buffer, area, area.x, &pad(&cut(&series.name, names), names), PLAIN) + 1;
    let space = " ".repeat(VALUE.saturating_sub(wide(value)));
    let x = put(buffer, area, x, &format!("{space}{value} "), BOLD);
    let room = usize::from(area.right().saturating_sub(x));
    let last = &series.values[series.values.len().saturating_sub(room)..];
    let most = last.iter().flatten().fold(0.0, |most: f64, value| most.max(*value));
    put(buffer, area, x, &plot::line(last, most, room), LINE);
}

fn table(buffer: &mut Buffer, area: Rect, interval: &Interval, state: &mut State) {
    let rows = interval.chosen(state.view, state.sort, &state.filter);
    state.page = usize::from(area.height.saturating_sub(1));
    state.rows = rows.len();
    state.first = state.first.min(rows.len().saturating_sub(state.page));
    let columns = Columns::new(area.width.into(), interval, state.view);
    let mut area = area;
    let heading = cut_top(&mut area, 1);
    buffer.set_style(heading, BAR);
    put(buffer, heading, heading.x, &columns.heading(state.view), BAR);
    if rows.is_empty() {
        let why = match (interval.samples, state.view) {
            (0, _) => "no samples: the target did not run in this interval",
            (_, View::Lines) if interval.lines.is_empty() => {
                "no source lines: the programs have no debug information"
            }
            _ => "no row contains the text of the filter",
        };
        lines(buffer, area, &[why]);
    }
    for (row, y) in rows.iter().skip(state.first).zip(area.y..area.bottom()) {
        let style = match row.whole.unwrap_or(row.own).0 {
            HOT_FROM.. => HOT,
            WARM_FROM.. => WARM,
            _ => PLAIN,
        };
        let line = Rect { y, height: 1, ..area };
        let numbers = columns.numbers(row);
        let x = put(buffer, line, line.x, &numbers, style);
        put(buffer, line, x, &columns.names(row, state), PLAIN);
    }
}

fn bottom_line(buffer: &mut Buffer, area: Rect, state: &State) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    if state.is_typing {
        let x = put(buffer, area, area.x, " filter: ", BOLD);
        let room = usize::from(area.right().saturating_sub(x + 1));
        let x = put(buffer, area, x, &end_of(&state.filter, room), PLAIN);
        return Some(Position { x: x.min(area.right() - 1), y: area.y });
    }
    let pause = if state.is_paused { "p continue" } else { "p pause" };
    let keys = format!(" q quit  {pause}  s sort  / filter  Tab view  +/- interval  ? help");
    put(buffer, area, area.x, &keys, FAINT);
    if state.rows > state.page && state.page > 0 {
        let last = (state.first + state.page).min(state.rows);
        let place = format!("{}-{last} of {} ", state.first + 1, state.rows);
        let x = area.right().saturating_sub(wide(&place) as u16);
        if usize::from(x) > wide(&keys) + 1 {
            put(buffer, area, x, &place, FAINT);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::rows::Row;
    use super::*;
    use std::time::Duration;

    fn row(percent: f64, name: &str, module: &str) -> Row {
        Row {
            own: (percent, 1.5),
            samples: 12345,
            name: name.to_string(),
            module: module.to_string(),
            full: None,
            ids: Some((1, 2)),
            ..Row::default()
        }
    }

    fn interval() -> Interval {
        let long = "name::of<a, function>".repeat(30);
        let rows = vec![
            row(60.0, "solve", "solver"),
            row(30.0, &"関数".repeat(40), "библиотека.so.6"),
            row(9.0, &long, "m"),
            row(0.1, "", ""),
        ];
        Interval {
            event: "task-clock".to_string(),
            samples: 1000,
            unit: "samples",
            lost: 1,
            lost_before: 2,
            length: Duration::from_secs(1),
            notes: vec!["a note".to_string()],
            functions: rows.clone(),
            threads: rows.clone(),
            processes: rows,
            metrics: vec!["ipc".to_string(), "メトリック".repeat(5)],
            lines: vec![row(50.0, "/a/long/path/to/solve.c:12", "solve")],
        }
    }

    fn series() -> Vec<Series> {
        let of = |name: &str, now, values: &[Option<f64>]| Series {
            name: name.to_string(),
            now,
            values: values.to_vec(),
        };
        let values: Vec<Option<f64>> = (0..500).map(|n| Some(f64::from(n))).collect();
        vec![
            of("task-clock", Ok("1.00 CPUs".to_string()), &values),
            of("cycles", Err("this machine has no hardware PMU".to_string()), &[None, None]),
            of("instructions", Err("this machine has no hardware PMU".to_string()), &[None]),
            of("a-name-that-is-longer-than-its-column", Ok("1/s".to_string()), &[Some(0.0)]),
        ]
    }

    fn drawn(width: u16, height: u16, state: &mut State) -> Vec<String> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        let (interval, series) = (interval(), series());
        let target = "process 4711";
        let (interval, series) = (Some(&interval), &series[..]);
        let picture = Picture { target, interval, events: 2, series, is_reading: false };
        draw(&mut buffer, &picture, state);
        // The cell behind a wide character is skipped by terminals.
        let line = |y| {
            let mut skipped = 0;
            let cell = |x| {
                let symbol = buffer[(x, y)].symbol();
                let is_behind = std::mem::take(&mut skipped) > 0;
                skipped = wide(symbol).saturating_sub(1);
                if is_behind { "" } else { symbol }
            };
            (0..width).map(cell).collect::<String>()
        };
        (0..height).map(line).collect()
    }

    #[test]
    fn every_size_is_drawn_in_every_view() {
        for (width, height) in (0..100).flat_map(|width| (0..30).map(move |height| (width, height)))
        {
            for view in View::ALL {
                let mut state = State::new(Duration::from_secs(1));
                (state.view, state.first, state.shift) = (view, 2, usize::from(width) / 3);
                state.is_typing = width % 2 == 0;
                state.has_help = width % 5 == 0;
                state.filter = "e".repeat(usize::from(height));
                let lines = drawn(width, height, &mut state);
                assert!(lines.iter().all(|line| wide(line) <= width.into()), "{lines:?}");
            }
        }
    }

    #[test]
    fn the_whole_screen_has_numbers_names_and_keys() {
        let mut state = State::new(Duration::from_secs(1));
        let lines = drawn(80, 24, &mut state);
        assert!(lines[0].contains("task-clock  1,000 samples in 1.00 s  1 lost, 3 in all"));
        assert!(lines[0].contains("a note  process 4711"), "{}", lines[0]);
        assert!(lines[1].contains("[1 functions] 2 threads"), "{}", lines[1]);
        assert!(lines[2].contains("1.00 CPUs") && lines[2].contains('█'), "{}", lines[2]);
        assert!(lines[3].contains("cycles, instructions: this machine has no hardware PMU"));
        let solve = lines.iter().find(|line| line.contains(" solve ")).unwrap();
        assert!(solve.contains("60.00%  ± 1.5%   12,345  solve"), "{solve}");
        assert!(solve.trim_end().ends_with("solver"), "{solve}");
        let wide_name = lines.iter().find(|line| line.contains("関数")).unwrap();
        assert!(wide_name.contains('…') && wide(wide_name) == 80, "{wide_name}");
        assert!(lines[23].contains("q quit"), "{}", lines[23]);
    }
}
