//! The state of the view, which keys change.

use super::args::SHORTEST;
use super::keys::Key;
use std::time::Duration;

/// The objects that the rows stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Functions,
    Threads,
    Lines,
    Processes,
}

/// The value by which the rows are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Share,
    Name,
    Module,
}

impl View {
    pub const ALL: [View; 4] = [View::Functions, View::Threads, View::Lines, View::Processes];

    pub fn name(self) -> &'static str {
        match self {
            View::Functions => "functions",
            View::Threads => "threads",
            View::Lines => "lines",
            View::Processes => "processes",
        }
    }
}

impl Sort {
    /// The heading of the column, which is another one in each view.
    pub fn name(self, view: View) -> &'static str {
        match (self, view) {
            (Sort::Share, _) => "share",
            (Sort::Name, View::Functions) => "function",
            (Sort::Module, View::Functions) => "module",
            (Sort::Name, View::Threads) => "name",
            (Sort::Module, View::Threads) => "process",
            (Sort::Name, View::Lines) => "line",
            (Sort::Module, View::Lines) => "function",
            (Sort::Name, View::Processes) => "process",
            (Sort::Module, View::Processes) => "command",
        }
    }
}

pub struct State {
    pub view: View,
    pub sort: Sort,
    /// Only rows that contain this text are shown.
    pub filter: String,
    /// Keys are characters of the filter.
    pub is_typing: bool,
    /// The number of rows above the first that is shown.
    pub first: usize,
    /// The number of columns of names that are left of the screen.
    pub shift: usize,
    pub is_paused: bool,
    pub has_help: bool,
    /// Which of the events is shown.
    pub event: usize,
    pub interval: Duration,
    /// The user wants to leave.
    pub is_over: bool,
    /// The user wants the terminal for something else.
    pub suspends: bool,
    /// The rows that the screen has room for, and all that there are, when they were last drawn.
    pub page: usize,
    pub rows: usize,
}

/// The intervals that `+` and `-` choose from, in seconds.
const INTERVALS: [f64; 8] = [SHORTEST, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];
/// The columns by which names are shifted at once.
const STEP: usize = 8;
/// The longest text that is filtered by.
const LONGEST: usize = 256;

impl State {
    pub fn new(interval: Duration) -> State {
        State {
            view: View::Functions,
            sort: Sort::Share,
            filter: String::new(),
            is_typing: false,
            first: 0,
            shift: 0,
            is_paused: false,
            has_help: false,
            event: 0,
            interval,
            is_over: false,
            suspends: false,
            page: 0,
            rows: 0,
        }
    }

    pub fn press(&mut self, key: Key) {
        match key {
            Key::Interrupt => self.is_over = true,
            Key::Suspend => self.suspends = true,
            _ if self.is_typing => self.edit(key),
            // Any key closes the help.
            _ if self.has_help => self.has_help = false,
            Key::Escape | Key::Char('q' | 'Q') => self.is_over = true,
            Key::Char('p' | ' ') => self.is_paused = !self.is_paused,
            Key::Char('?' | 'h') => self.has_help = true,
            Key::Char('/') => self.is_typing = true,
            Key::Char('s') => {
                self.sort = match self.sort {
                    Sort::Share => Sort::Name,
                    Sort::Name => Sort::Module,
                    Sort::Module => Sort::Share,
                };
                self.first = 0;
            }
            Key::Char('e') => {
                self.event += 1;
                self.first = 0;
            }
            Key::Char('+' | '=') => self.lengthen(),
            Key::Char('-') => self.shorten(),
            Key::Char(digit @ '1'..='4') => self.show(View::ALL[digit as usize - '1' as usize]),
            Key::Tab => self.show(self.view_at(1)),
            Key::BackTab => self.show(self.view_at(View::ALL.len() - 1)),
            Key::Left => self.shift = self.shift.saturating_sub(STEP),
            Key::Right => self.shift = (self.shift + STEP).min(LONGEST),
            _ => self.scroll(key),
        }
    }

    /// The view so many places on, around the end.
    fn view_at(&self, places: usize) -> View {
        View::ALL[(self.view as usize + places) % View::ALL.len()]
    }

    fn show(&mut self, view: View) {
        self.view = view;
        (self.first, self.shift) = (0, 0);
    }

    fn edit(&mut self, key: Key) {
        self.first = 0;
        match key {
            Key::Enter => self.is_typing = false,
            Key::Escape => {
                self.filter.clear();
                self.is_typing = false;
            }
            Key::Backspace => drop(self.filter.pop()),
            Key::Char(c) if self.filter.len() < LONGEST => self.filter.push(c),
            _ => {}
        }
    }

    fn scroll(&mut self, key: Key) {
        let last = self.rows.saturating_sub(self.page);
        let to = match key {
            Key::Up => self.first.saturating_sub(1),
            Key::Down => self.first + 1,
            Key::PageUp => self.first.saturating_sub(self.page.max(1)),
            Key::PageDown => self.first + self.page.max(1),
            Key::Home => 0,
            Key::End => last,
            _ => return,
        };
        self.first = to.min(last);
    }

    fn lengthen(&mut self) {
        let now = self.interval.as_secs_f64();
        let next = INTERVALS.into_iter().find(|seconds| *seconds > now);
        self.interval = next.map_or(self.interval, Duration::from_secs_f64);
    }

    fn shorten(&mut self) {
        let now = self.interval.as_secs_f64();
        let next = INTERVALS.into_iter().rev().find(|seconds| *seconds < now);
        self.interval = next.map_or(self.interval, Duration::from_secs_f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(keys: &[Key]) -> State {
        let mut state = State::new(Duration::from_secs(1));
        (state.page, state.rows) = (10, 25);
        keys.iter().for_each(|key| state.press(*key));
        state
    }

    #[test]
    fn letters_of_a_filter_are_not_commands() {
        let typed = [Key::Char('/'), Key::Char('q'), Key::Char('p'), Key::Char('x')];
        let mut state = pressed(&[&typed[..], &[Key::Backspace, Key::Enter]].concat());
        assert_eq!((state.filter.as_str(), state.is_typing), ("qp", false));
        assert!(!state.is_over && !state.is_paused);
        state.press(Key::Char('/'));
        state.press(Key::Escape);
        assert!(state.filter.is_empty() && !state.is_over, "Esc takes the filter away");
        state.press(Key::Escape);
        assert!(state.is_over);
        assert!(pressed(&[Key::Char('/'), Key::Interrupt]).is_over);
    }

    #[test]
    fn scrolling_ends_at_the_last_row() {
        assert_eq!(pressed(&[Key::PageDown, Key::Down, Key::Up]).first, 10);
        assert_eq!(pressed(&[Key::PageDown; 9]).first, 15);
        assert_eq!(pressed(&[Key::End, Key::Down]).first, 15);
        assert_eq!(pressed(&[Key::End, Key::Home]).first, 0);
        assert_eq!(pressed(&[Key::Up]).first, 0);
        assert_eq!(pressed(&[Key::End, Key::Tab]).first, 0, "another view begins at its top");
    }

    #[test]
    fn views_follow_each_other_around() {
        assert_eq!(pressed(&[Key::Tab]).view, View::Threads);
        assert_eq!(pressed(&[Key::Tab; 4]).view, View::Functions);
        assert_eq!(pressed(&[Key::BackTab]).view, View::Processes);
        assert_eq!(pressed(&[Key::BackTab; 2]).view, View::Lines);
        assert_eq!(pressed(&[Key::Char('2')]).view, View::Threads);
        assert_eq!(pressed(&[Key::Char('4')]).view, View::Processes);
    }

    #[test]
    fn the_interval_stays_within_its_limits() {
        let longer = pressed(&[Key::Char('+'); 20]).interval;
        let shorter = pressed(&[Key::Char('-'); 20]).interval;
        assert_eq!((longer.as_secs_f64(), shorter.as_secs_f64()), (60.0, SHORTEST));
        assert_eq!(pressed(&[Key::Char('+'), Key::Char('-')]).interval, Duration::from_secs(1));
    }
}
