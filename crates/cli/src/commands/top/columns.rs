//! The columns of a table: those that there is room for, and the text of each row.

use super::rows::{Interval, Row};
use super::state::{Sort, State, View};
use crate::show::grouped;
use ratatui_core::text::Span;

/// A column of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    /// The share of a function with what it called.
    Whole,
    WholeError,
    Own,
    OwnError,
    Samples,
    Process,
    Thread,
    Cpus,
    Faults,
    /// The metric of this number.
    Metric(usize),
}

/// The columns, and the widths of the names behind the numbers.
pub struct Columns {
    /// Each with its heading.
    numbers: Vec<(Number, String)>,
    name: usize,
    module: usize,
}

/// Fewer columns than this say little of a name.
const LEAST_NAME: usize = 16;
impl Number {
    fn width(self) -> usize {
        match self {
            Number::Whole => 10,
            Number::Own | Number::WholeError | Number::OwnError => 8,
            Number::Samples | Number::Process | Number::Thread => 9,
            Number::Cpus => 7,
            Number::Faults => 10,
            Number::Metric(_) => 13,
        }
    }

    /// The heading in a table of an interval; `has_calls` is true if it has call stacks.
    fn heading(self, interval: &Interval, has_calls: bool) -> &str {
        match self {
            Number::Whole => "children",
            Number::Own if has_calls => "self",
            Number::Own => "share",
            Number::WholeError | Number::OwnError => "error",
            Number::Samples => interval.unit,
            Number::Process => "pid",
            Number::Thread => "tid",
            Number::Cpus => "CPU",
            Number::Faults => "faults/s",
            Number::Metric(index) => &interval.metrics[index],
        }
    }

    /// A text at the right of the column.
    fn placed(self, text: &str) -> String {
        format!("{}{text}", " ".repeat(self.width().saturating_sub(wide(text))))
    }

    /// Empty where a row has none.
    fn text(self, row: &Row) -> String {
        let share = |of: Option<(f64, f64)>| of.map(|(share, _)| format!("{share:.2}%"));
        let error = |of: Option<(f64, f64)>| of.map(|(_, error)| format!("±{error:>4.1}%"));
        let text = match self {
            Number::Whole => share(row.whole),
            Number::WholeError => error(row.whole),
            Number::Own => share(Some(row.own)),
            Number::OwnError => error(Some(row.own)),
            Number::Samples => Some(grouped(row.samples.into())),
            Number::Process => row.ids.map(|(pid, _)| pid.to_string()),
            Number::Thread => row.ids.map(|(_, tid)| tid.to_string()),
            Number::Cpus => row.measured.cpus.map(|cpus| format!("{:.0}%", 100.0 * cpus)),
            Number::Faults => row.measured.faults.map(|rate| grouped(rate.round() as i128)),
            Number::Metric(index) => row.measured.metrics.get(index).cloned().flatten(),
        };
        text.unwrap_or_default()
    }
}

impl Columns {
    /// Those of a table of this width.
    pub fn new(width: usize, interval: &Interval, view: View) -> Columns {
        let rows = interval.rows(view);
        let has_calls = rows.first().is_some_and(|row| row.whole.is_some());
        let mut numbers = vec![Number::Own, Number::OwnError, Number::Samples];
        if has_calls {
            numbers.splice(0..0, [Number::Whole, Number::WholeError]);
        }
        let metrics = (0..interval.metrics.len()).map(Number::Metric);
        match view {
            View::Functions | View::Lines => {}
            View::Threads => numbers.extend([Number::Process, Number::Thread]),
            View::Processes => {
                numbers.extend([Number::Process, Number::Cpus, Number::Faults]);
                numbers.extend(metrics.clone());
            }
        }
        // The least important first.
        let of_view = match view {
            View::Processes => {
                let others = [Number::Faults, Number::Process, Number::Cpus];
                [Number::Samples, Number::OwnError]
                    .into_iter()
                    .chain(metrics.rev())
                    .chain(others)
                    .collect()
            }
            _ => vec![Number::Samples, Number::Process, Number::OwnError, Number::WholeError],
        };
        let left = |numbers: &[Number]| {
            let taken: usize = numbers.iter().map(|number| number.width()).sum();
            width.saturating_sub(taken + 2)
        };
        for less in of_view.into_iter().chain([Number::Own, Number::Thread]) {
            // The share by which rows are sorted stays.
            if left(&numbers) < LEAST_NAME && (less != Number::Own || has_calls) {
                numbers.retain(|number| *number != less);
            }
        }
        let left = left(&numbers);
        let heading = wide(Sort::Module.name(view));
        let widest = rows.iter().map(|row| wide(&row.module)).max().unwrap_or(0).max(heading);
        // Beside a name that is cut short, the module is no help.
        let has_module = left >= 2 * LEAST_NAME;
        // Names of threads and processes are short, and those of functions are long.
        let most = match view {
            View::Functions | View::Lines => left / 3,
            View::Threads => left / 2,
            View::Processes => left.saturating_sub(LEAST_NAME + 2),
        };
        let module = if has_module { widest.min(most).max(heading) } else { 0 };
        let name = left.saturating_sub(if module > 0 { module + 2 } else { 0 });
        let heading = |of: Number| cut(of.heading(interval, has_calls), of.width() - 1);
        let numbers = numbers.into_iter().map(|of| (of, heading(of))).collect();
        Columns { numbers, name, module }
    }

    pub fn heading(&self, view: View) -> String {
        let numbers: String = self.numbers.iter().map(|(of, text)| of.placed(text)).collect();
        format!("{numbers}  {}", self.pair(Sort::Name.name(view), Sort::Module.name(view)))
    }

    /// The columns before the name.
    pub fn numbers(&self, row: &Row) -> String {
        let numbers = self.numbers.iter().map(|(of, _)| of.placed(&of.text(row)));
        numbers.chain(["  ".to_string()]).collect()
    }

    /// The name and the module.
    pub fn names(&self, row: &Row, state: &State) -> String {
        let name = shifted(&row.name, state.shift);
        // Of a path, the end says more than the beginning.
        match state.view {
            View::Lines if state.shift == 0 => self.pair(&end_of(name, self.name), &row.module),
            _ => self.pair(name, &row.module),
        }
    }

    fn pair(&self, name: &str, module: &str) -> String {
        let name = cut(name, self.name);
        match self.module {
            0 => name,
            width => format!("{}  {}", pad(&name, self.name), cut(module, width)),
        }
    }
}

/// The columns that a text takes.
pub fn wide(text: &str) -> usize {
    Span::raw(text).width()
}

fn wide_char(c: char) -> usize {
    wide(c.encode_utf8(&mut [0; 4]))
}

/// The text in at most so many columns, with `…` in the place of what is cut off.
pub fn cut(text: &str, room: usize) -> String {
    if wide(text) <= room {
        return text.to_string();
    }
    let mut left = room.saturating_sub(1);
    let fits = |c: &char| {
        let width = wide_char(*c);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    let kept: String = text.chars().take_while(fits).collect();
    if room == 0 { kept } else { kept + "…" }
}

/// The same, with the end of the text.
pub fn end_of(text: &str, room: usize) -> String {
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

pub fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(wide(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_to_their_columns() {
        assert_eq!([cut("solve", 5), cut("solve", 4), cut("solve", 1)], ["solve", "sol…", "…"]);
        assert_eq!([cut("関数名", 5), cut("関数名", 4), cut("関", 0)], ["関数…", "関…", ""]);
        assert_eq!(end_of("/a/solve.c", 8), "…solve.c");
        assert_eq!([shifted("solve", 2), shifted("関数", 1), shifted("a", 9)], ["lve", "数", ""]);
    }

    #[test]
    fn a_narrow_table_has_the_share_and_the_name() {
        let row = Row {
            whole: Some((90.0, 1.0)),
            own: (60.0, 1.5),
            samples: 1234,
            name: "solve".to_string(),
            module: "a.out".to_string(),
            full: None,
            ids: Some((1, 2)),
            ..Row::default()
        };
        let state = State::new(std::time::Duration::from_secs(1));
        let text = |width, row: &Row| {
            let interval = Interval { functions: vec![row.clone()], ..Interval::default() };
            let columns = Columns::new(width, &interval, View::Functions);
            columns.numbers(row) + columns.names(row, &state).trim_end()
        };
        assert_eq!(
            text(80, &row),
            "    90.00%  ± 1.0%  60.00%  ± 1.5%    1,234  solve                        a.out"
        );
        assert_eq!(text(36, &row), "    90.00%  60.00%  solve");
        assert_eq!(text(20, &row), "    90.00%  solve");
        let own = Row { whole: None, ..row };
        assert_eq!(text(44, &own), "  60.00%  ± 1.5%    1,234  solve");
        assert_eq!(text(20, &own), "  60.00%  solve");
        assert_eq!(text(0, &own).trim(), "60.00%");
    }
}
