//! The terminal: taken over at the start, and given back on every way out.

use crate::failure::Failure;
use crate::show;
use crossterm::style::{Attribute, Color as Colour, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    Clear, ClearType as Clears, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::{Position, Rect, Size};
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::{Frame, Terminal};
use ratatui_core::text::Line;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Screen {
    terminal: Terminal<Output>,
    has_keyboard: bool,
}

/// True if the terminal is to be given back.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Returns an error if there is no terminal to draw on.
pub fn check() -> Result<(), Failure> {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let problem = match show::bytes_out().is_terminal() {
        false => "standard output is not a terminal",
        true if is_dumb => "this terminal has no cursor that can be moved (TERM)",
        true => return Ok(()),
    };
    Err(Failure::new(format!("{problem}, and top draws a screen"))
        .help("counterpoint profile prints tables, with --timeout MS after some time"))
}

/// The source of keys: standard input, or the terminal of the process if that is something else.
pub fn keyboard() -> Option<File> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        stdin.as_fd().try_clone_to_owned().ok().map(File::from)
    } else {
        File::open("/dev/tty").ok()
    }
}

impl Screen {
    /// Takes the terminal over; a panic gives it back before its message is printed.
    pub fn open(has_keyboard: bool, has_colours: bool) -> io::Result<Screen> {
        crossterm::style::force_color_output(has_colours);
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        IS_TAKEN.store(true, Ordering::SeqCst);
        let opened = Screen::take_over(has_keyboard, has_colours);
        opened.inspect_err(|_| restore())
    }

    fn take_over(has_keyboard: bool, has_colours: bool) -> io::Result<Screen> {
        if has_keyboard {
            enable_raw_mode()?;
        }
        execute!(show::bytes_out(), EnterAlternateScreen, cursor::Hide)?;
        let out = BufWriter::with_capacity(1 << 14, show::bytes_out());
        let output = Output { out, has_colours, is_ascii: is_ascii() };
        Ok(Screen { terminal: Terminal::new(output)?, has_keyboard })
    }

    /// Gives the terminal back, suspends the program until it is continued, and takes the terminal over again.
    pub fn suspend(&mut self) -> io::Result<()> {
        restore();
        counterpoint::perf::process::suspend()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        if self.has_keyboard {
            enable_raw_mode()?;
        }
        execute!(show::bytes_out(), EnterAlternateScreen, cursor::Hide)?;
        self.terminal.clear()
    }

    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw).map(drop)
    }

    /// The columns and rows of the terminal.
    pub fn size(&self) -> Size {
        size()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, once. A terminal that is gone cannot be told anything.
fn restore() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let reset = SetAttribute(Attribute::Reset);
        let _ = execute!(show::bytes_out(), reset, cursor::Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// A picture as lines of text, as large as the terminal.
pub fn lines(draw: impl FnOnce(&mut Buffer)) -> Vec<String> {
    let area = Rect::from((Position::ORIGIN, size()));
    let (mut buffer, is_ascii) = (Buffer::empty(area), is_ascii());
    draw(&mut buffer);
    let line = |y: u16| {
        let mut line = String::new();
        let mut x = 0;
        while let Some(cell) = buffer.cell((x, y)) {
            // The cell behind a wide character is not shown.
            let width = Line::from(cell.symbol()).width().max(1) as u16;
            line += if is_ascii { plain(cell.symbol()) } else { cell.symbol() };
            x += width;
        }
        line.trim_end().to_string()
    };
    let mut lines: Vec<String> = (0..area.height).map(line).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns true if the locale says that the terminal shows ASCII only. One that says nothing, as in many containers, is one of today.
fn is_ascii() -> bool {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set);
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

/// The letter of ASCII that stands for a symbol.
fn plain(symbol: &str) -> &str {
    match symbol {
        _ if symbol.is_ascii() => symbol,
        "±" | "≈" => "~",
        "µ" => "u",
        "…" | "▁" | "▂" => ".",
        "▃" | "▄" => ":",
        "▅" | "▆" => "+",
        "▇" | "█" => "#",
        "─" => "-",
        "│" => "|",
        "↑" => "^",
        "↓" => "v",
        "←" => "<",
        "→" => ">",
        _ => "?",
    }
}

/// A terminal that does not know its size has that of the first ones.
fn size() -> Size {
    let size = terminal_size::terminal_size_of(show::bytes_out());
    size.map_or(Size::new(80, 24), |(width, height)| Size::new(width.0, height.0))
}

/// Writes cells as a terminal reads them.
struct Output {
    out: BufWriter<Stdout>,
    has_colours: bool,
    is_ascii: bool,
}

const ATTRIBUTES: [(Modifier, Attribute); 4] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::REVERSED, Attribute::Reverse),
];

impl Output {
    fn style(&mut self, colour: Color, modifier: Modifier) -> io::Result<()> {
        queue!(self.out, SetAttribute(Attribute::Reset))?;
        for (_, attribute) in ATTRIBUTES.into_iter().filter(|(of, _)| modifier.contains(*of)) {
            queue!(self.out, SetAttribute(attribute))?;
        }
        let colour = match colour {
            Color::Red => Colour::DarkRed,
            Color::Green => Colour::DarkGreen,
            Color::Yellow => Colour::DarkYellow,
            Color::Cyan => Colour::DarkCyan,
            _ => return Ok(()),
        };
        if self.has_colours { queue!(self.out, SetForegroundColor(colour)) } else { Ok(()) }
    }
}

impl Backend for Output {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, cells: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let (mut next, mut style) = (None, None);
        for (x, y, cell) in cells {
            if next != Some((x, y)) {
                queue!(self.out, cursor::MoveTo(x, y))?;
            }
            // After a wide character, the cursor is elsewhere.
            next = x.checked_add(1).map(|x| (x, y)).filter(|_| cell.symbol().len() == 1);
            if style != Some((cell.fg, cell.modifier)) {
                style = Some((cell.fg, cell.modifier));
                self.style(cell.fg, cell.modifier)?;
            }
            let symbol = if self.is_ascii { plain(cell.symbol()) } else { cell.symbol() };
            self.out.write_all(symbol.as_bytes())?;
        }
        queue!(self.out, SetAttribute(Attribute::Reset))
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        execute!(self.out, cursor::Hide)
    }

    /// An error, of a terminal that is gone, would be printed on it at the end, which panics.
    fn show_cursor(&mut self) -> io::Result<()> {
        let _ = execute!(self.out, cursor::Show);
        Ok(())
    }

    /// Only an inline view, which this is not, begins where the cursor is.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let Position { x, y } = position.into();
        execute!(self.out, cursor::MoveTo(x, y))
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        let clears = match region {
            ClearType::All => Clears::All,
            ClearType::AfterCursor => Clears::FromCursorDown,
            ClearType::BeforeCursor => Clears::FromCursorUp,
            ClearType::CurrentLine => Clears::CurrentLine,
            ClearType::UntilNewLine => Clears::UntilNewLine,
        };
        execute!(self.out, Clear(clears))
    }

    fn size(&self) -> io::Result<Size> {
        Ok(size())
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: size(), pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
