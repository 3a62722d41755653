//! Follows the target: takes intervals, obeys keys, and draws.

use super::args::TopArgs;
use super::counted::Counted;
use super::draw::{Picture, draw};
use super::keys::Keys;
use super::rows::Interval;
use super::sampled::Sampled;
use super::screen::{self, Screen, keyboard};
use super::state::{State, View};
use crate::failure::Failure;
use crate::show::{self, Colour};
use crate::supervisor::{Run, Supervisor};
use counterpoint::perf::Readiness;
use counterpoint::perf::process::Held;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::Duration;

/// The view, and what it is of.
pub struct Live<'a> {
    args: &'a TopArgs,
    /// The target that is sampled.
    title: String,
    sampled: Sampled,
    counted: Counted,
    state: State,
    keys: Keys,
    /// When a key was last pressed.
    typed: Duration,
    /// The last interval of each event, and how many there have been.
    shown: Vec<Interval>,
    count: u64,
    /// True after the first interval.
    has_taken: bool,
    /// When the interval that was taken is shown, even if names are missing; `None` if it is shown.
    due: Option<Duration>,
}

/// The reason why the view ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// A key, or `--iterations`.
    Asked,
    /// A signal, or the terminal is gone.
    Stopped,
    /// The command, or what was attached to.
    Target,
}

/// The time between two looks at the size of the terminal and the end of the target.
const LOOK: Duration = Duration::from_millis(200);
/// The same while names are found, which are then shown.
const SOON: Duration = Duration::from_millis(20);
/// The longest first interval: there is something to see at once.
const FIRST: Duration = Duration::from_millis(300);
/// The time for which an interval waits for names; most are found at once if their files have been read before.
const PATIENCE: Duration = Duration::from_millis(200);
/// The time for which an escape waits for the sequence that it may begin.
const SEQUENCE: Duration = Duration::from_millis(50);

impl<'a> Live<'a> {
    pub fn new(args: &'a TopArgs, title: String, sampled: Sampled, counted: Counted) -> Live<'a> {
        let (state, keys) = (State::new(args.delay), Keys::default());
        Live {
            args,
            title,
            sampled,
            counted,
            state,
            keys,
            typed: Duration::ZERO,
            shown: Vec::new(),
            count: 0,
            has_taken: false,
            due: None,
        }
    }

    /// Shows the target until it or the user has enough; returns the exit status.
    pub fn run(mut self, supervisor: &Supervisor, held: Option<Held>) -> Result<u8, Failure> {
        self.sampled.profiling.start()?;
        self.counted.start()?;
        let mut run = supervisor.start(held, &self.args.command, None)?;
        let followed = self.follow(&mut run);
        // The last picture, which goes with the screen.
        let last = match followed {
            Ok(End::Target) => screen::lines(|buffer| {
                self.draw_on(buffer);
            }),
            _ => Vec::new(),
        };
        let (mut out, seconds) = (show::stderr(), run.elapsed().as_secs_f64());
        let profiled = self.sampled.profiling.stop();
        // Whatever has failed, the command does not go on.
        let outcome = run.end()?;
        let end = followed?;
        if end == End::Target {
            let mut shown = show::stdout();
            last.iter().try_for_each(|line| writeln!(shown, "{line}"))?;
            shown.flush()?;
            let lost: u64 = profiled?.iter().map(|of| of.lost).sum();
            let title = &self.title;
            writeln!(
                out,
                "counterpoint: {title}: ended after {seconds:.1} s; {lost} samples lost"
            )?;
        }
        if let Some(pid) = outcome.left {
            let text = format!("the command did not terminate and still runs as process {pid}");
            writeln!(out, "counterpoint: {text}")?;
        }
        Ok(match (end, outcome.interrupt) {
            (End::Asked, _) => 0,
            // Without a command whose end it was.
            (End::Stopped, Some(number)) if outcome.ended.is_none() => 128 + number as u8,
            _ => outcome.exit_code(),
        })
    }

    /// Draws until the view ends; the terminal is given back then.
    fn follow(&mut self, run: &mut Run<'_>) -> Result<End, Failure> {
        let mut keyboard = keyboard();
        let mut screen = Screen::open(keyboard.is_some(), self.has_colours())?;
        let (mut begun, mut size, mut is_new) = (run.elapsed(), screen.size(), true);
        loop {
            if let Some(end) = self.end(run)? {
                return Ok(end);
            }
            if std::mem::take(&mut self.state.suspends) | run.takes_suspend() {
                screen.suspend()?;
                is_new = true;
            }
            let now = run.elapsed();
            is_new |= self.receive(now)?;
            if now >= begun + self.interval() {
                self.take(now, now - begun)?;
                begun = now;
            }
            if std::mem::take(&mut is_new) || size != screen.size() {
                size = screen.size();
                // It cannot be written to because nobody has its other end.
                if self.draw(&mut screen).is_err() {
                    return Ok(End::Stopped);
                }
            }
            let next = (begun + self.interval()).saturating_sub(now);
            let is_soon = self.due.is_some() || self.sampled.is_reading();
            let patience = match (is_soon, self.keys.is_waiting()) {
                (true, _) => SOON,
                (_, true) => SEQUENCE,
                _ => LOOK,
            };
            let patience = patience.min(next);
            let file = keyboard.as_ref().map(File::as_fd);
            let Readiness { ready, ended, .. } = run.wait(Some(now + patience), file)?;
            match &mut keyboard {
                Some(file) if ready || ended => {
                    let Some(bytes) = read(file)? else { return Ok(End::Stopped) };
                    self.typed = run.elapsed();
                    self.keys.decode(&bytes).into_iter().for_each(|key| self.state.press(key));
                    is_new = true;
                }
                _ if run.elapsed() >= self.typed + SEQUENCE => {
                    let key = self.keys.end();
                    is_new |= key.is_some();
                    key.into_iter().for_each(|key| self.state.press(key));
                }
                _ => {}
            }
        }
    }

    fn end(&self, run: &mut Run<'_>) -> io::Result<Option<End>> {
        let is_last = self.args.iterations.is_some_and(|most| self.count >= most);
        Ok(if self.state.is_over || is_last {
            Some(End::Asked)
        } else if run.is_interrupted() {
            Some(End::Stopped)
        } else if run.is_over()? || (!run.has_command() && self.sampled.profiling.is_finished()) {
            Some(End::Target)
        } else {
            None
        })
    }

    /// The length of the interval that is not over yet.
    fn interval(&self) -> Duration {
        let most = if self.has_taken { Duration::MAX } else { FIRST };
        self.state.interval.min(most)
    }

    /// Takes the interval that is over, which is not shown during a pause.
    fn take(&mut self, now: Duration, length: Duration) -> Result<(), Failure> {
        self.has_taken = true;
        if self.state.is_paused {
            self.due = None;
            self.sampled.skip();
            return self.counted.skip();
        }
        self.sampled.take(length, self.state.view == View::Processes);
        self.due = Some(now + PATIENCE);
        self.counted.take()
    }

    /// Receives names, and the interval that was taken; returns true if there is something new to show.
    fn receive(&mut self, now: Duration) -> Result<bool, Failure> {
        let has_new = self.sampled.receive_names()?;
        let is_shown = match self.due {
            Some(due) => now >= due || !self.sampled.is_reading(),
            None => has_new,
        };
        if self.state.is_paused || !is_shown {
            return Ok(false);
        }
        self.shown = self.sampled.intervals();
        self.count += u64::from(self.due.take().is_some());
        Ok(true)
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        screen.draw(|frame| {
            if let Some(cursor) = self.draw_on(frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })
    }

    /// Draws the picture; returns where the cursor is, if it is shown.
    fn draw_on(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let events = self.shown.len();
        let picture = Picture {
            target: &self.title,
            interval: self.shown.get(self.state.event % events.max(1)),
            events,
            series: &self.counted.series,
            is_reading: self.sampled.is_reading(),
        };
        draw(buffer, &picture, &mut self.state)
    }

    fn has_colours(&self) -> bool {
        match self.args.color {
            Colour::Auto => show::has_colours(&show::bytes_out()),
            Colour::Always => true,
            Colour::Never => false,
        }
    }
}

/// The bytes that were typed; `None` if the terminal is gone.
fn read(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = [0; 1024];
    match file.read(&mut bytes) {
        Ok(0) => Ok(None),
        Ok(count) => Ok(Some(bytes[..count].to_vec())),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Some(Vec::new())),
        // The kernel returns an error for a terminal that was hung up.
        Err(_) => Ok(None),
    }
}
