//! Draws a screen of any size.

use super::super::stat::plot;
use super::counted::Series;
use super::sampled::{Interval, Row};
use super::state::{Sort, State, View};
use crate::show::grouped;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::text::Span;

/// What is drawn.
pub struct Picture<'a> {
    /// What is sampled.
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
    "1 2 3 Tab   functions, threads, lines",
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
    let columns = (area.width / COUNTER).clamp(1, 3);
    let wanted = (picture.series.len() as u16).div_ceil(columns);
    let counters = wanted.min(area.height.saturating_sub(TABLE));
    let counters = cut_top(&mut area, counters);
    self::counters(buffer, counters, columns, picture.series);
    match (state.has_help, picture.interval) {
        (true, _) => lines(buffer, area, HELP),
        (false, Some(interval)) => table(buffer, area, interval, state),
        (false, None) if picture.is_reading => lines(buffer, area, &["reading symbols …"]),
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
    match picture.interval {
        Some(interval) => {
            let seconds = interval.length.as_secs_f64();
            let samples = grouped(interval.samples.into());
            parts.push((format!("{} of {}", interval.event, picture.target), BOLD));
            parts.push((format!("{samples} samples in {seconds:.2} s"), PLAIN));
            let all = interval.lost + interval.lost_before;
            let lost = match all {
                0 => "0 lost".to_string(),
                all => format!(
                    "{} lost, {} in all",
                    grouped(interval.lost.into()),
                    grouped(all.into())
                ),
            };
            parts.push((lost, if all > 0 { ATTENTION } else { PLAIN }));
            parts.extend(interval.notes.iter().map(|note| (note.clone(), ATTENTION)));
        }
        None => parts.push((picture.target.to_string(), BOLD)),
    }
    if state.is_paused {
        parts.insert(0, ("PAUSED".to_string(), ATTENTION));
    }
    let mut x = area.x + 1;
    for (index, (text, style)) in parts.iter().enumerate() {
        if index > 0 {
            x = put(buffer, area, x, "  ", PLAIN);
        }
        x = put(buffer, area, x, text, *style);
    }
}

fn tabs(buffer: &mut Buffer, area: Rect, picture: &Picture<'_>, state: &State) {
    let mut x = area.x + 1;
    for (number, view) in (1..).zip(View::ALL) {
        let (text, style) = match view == state.view {
            true => (format!("[{number} {}]", view.name()), BOLD),
            false => (format!(" {number} {} ", view.name()), PLAIN),
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

fn counters(buffer: &mut Buffer, area: Rect, columns: u16, series: &[Series]) {
    if area.height == 0 {
        return;
    }
    let width = area.width / columns;
    let names = series.iter().map(|of| wide(&of.name)).max().unwrap_or(0).min(20);
    for (index, of) in (0..).zip(series) {
        let (column, row) = (index / area.height, index % area.height);
        if column >= columns {
            break;
        }
        let of_column = Rect { x: area.x + column * width, y: area.y + row, width, height: 1 };
        counter(buffer, of_column, names, of);
    }
}

fn counter(buffer: &mut Buffer, area: Rect, names: usize, series: &Series) {
    const VALUE: usize = 13;
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let x = put(buffer, area, area.x, &pad(&cut(&series.name, names), names), PLAIN) + 1;
    match &series.now {
        Ok(value) => {
            let space = " ".repeat(VALUE.saturating_sub(wide(value)));
            let x = put(buffer, area, x, &format!("{space}{value} "), BOLD);
            let room = usize::from(area.right().saturating_sub(x));
            let last = &series.values[series.values.len().saturating_sub(room)..];
            let most = last.iter().flatten().fold(0.0, |most: f64, value| most.max(*value));
            put(buffer, area, x, &plot::line(last, most, room), LINE);
        }
        Err(reason) => {
            let room = usize::from(area.right().saturating_sub(x));
            put(buffer, area, x, &cut(reason, room), FAINT);
        }
    }
}

fn table(buffer: &mut Buffer, area: Rect, interval: &Interval, state: &mut State) {
    let rows = interval.chosen(state.view, state.sort, &state.filter);
    state.page = usize::from(area.height.saturating_sub(1));
    state.rows = rows.len();
    state.first = state.first.min(rows.len().saturating_sub(state.page));
    let columns = Columns::new(area.width, interval, state);
    let mut area = area;
    let heading = cut_top(&mut area, 1);
    buffer.set_style(heading, BAR);
    put(buffer, heading, heading.x, &columns.heading(state), BAR);
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

/// The widths of the columns of a view.
struct Columns {
    has_calls: bool,
    has_ids: bool,
    name: usize,
    module: usize,
}

impl Columns {
    fn new(width: u16, interval: &Interval, state: &State) -> Columns {
        let rows = interval.rows(state.view);
        let has_calls = rows.first().is_some_and(|row| row.whole.is_some());
        let has_ids = state.view == View::Threads;
        let widest = rows.iter().map(|row| wide(&row.module)).max().unwrap_or(0);
        let heading = if has_ids { 0 } else { state_module(state).len() };
        let mut columns = Columns { has_calls, has_ids, name: 0, module: 0 };
        let left = usize::from(width).saturating_sub(wide(&columns.numbers(&Row::default())));
        columns.module = widest.max(heading).min(left / 3);
        columns.name = left.saturating_sub(columns.module + 2);
        columns
    }

    fn heading(&self, state: &State) -> String {
        let mut text = match self.has_calls {
            true => " children   error    self    error  samples  ".to_string(),
            false => "   share   error  samples  ".to_string(),
        };
        if self.has_ids {
            text.push_str("process   thread  ");
        }
        let name = pad(&cut(Sort::Name.name(state.view), self.name), self.name);
        text.push_str(&name);
        if !self.has_ids {
            text.push_str(&format!("  {}", cut(state_module(state), self.module)));
        }
        text
    }

    /// The columns before the name.
    fn numbers(&self, row: &Row) -> String {
        let (own, error) = row.own;
        let own = format!("{own:>7.2}%  ±{error:>4.1}%");
        let samples = grouped(row.samples.into());
        let mut text = match row.whole.or(self.has_calls.then_some((0.0, 0.0))) {
            Some((whole, error)) => format!("{whole:>8.2}%  ±{error:>4.1}% {own} {samples:>8}  "),
            None => format!("{own} {samples:>8}  "),
        };
        if self.has_ids {
            let ids = row.ids.map(|(pid, tid)| format!("{pid:>7}  {tid:>7}  "));
            text.push_str(&ids.unwrap_or(" ".repeat(18)));
        }
        text
    }

    fn names(&self, row: &Row, state: &State) -> String {
        let name = shifted(&row.name, state.shift);
        // Of a path, the end says more than the beginning.
        let name = match state.view {
            View::Lines if state.shift == 0 => end_of(name, self.name),
            _ => cut(name, self.name),
        };
        format!("{}  {}", pad(&name, self.name), cut(&row.module, self.module))
    }
}

fn state_module(state: &State) -> &'static str {
    Sort::Module.name(state.view)
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

/// The columns that a text takes.
fn wide(text: &str) -> usize {
    Span::raw(text).width()
}

fn wide_char(c: char) -> usize {
    wide(c.encode_utf8(&mut [0; 4]))
}

/// The text in at most so many columns, with `…` in the place of what is cut off.
fn cut(text: &str, room: usize) -> String {
    if wide(text) <= room {
        return text.to_string();
    }
    let mut left = room.saturating_sub(1);
    let fits = |c: &char| {
        let fits = wide_char(*c) <= left;
        left = left.saturating_sub(wide_char(*c));
        fits
    };
    let kept: String = text.chars().take_while(fits).collect();
    if room == 0 { kept } else { kept + "…" }
}

/// The same, with the end of the text.
fn end_of(text: &str, room: usize) -> String {
    let reversed: String = text.chars().rev().collect();
    if wide(text) <= room { text.to_string() } else { cut(&reversed, room).chars().rev().collect() }
}

/// The text without its first columns.
fn shifted(text: &str, columns: usize) -> &str {
    let mut gone = 0;
    let start = text.char_indices().find(|(_, c)| {
        let is_here = gone >= columns;
        gone += wide_char(*c);
        is_here
    });
    start.map_or("", |(at, _)| &text[at..])
}

fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(wide(text))))
}
