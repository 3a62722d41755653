//! Text and numbers for people.

use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IntoInnerError, Stderr, StdoutLock, Write};
use std::ops::Range;
use std::os::fd::AsFd;

pub use counterpoint::numbers::{decimal, grouped};
pub use counterpoint_report::words::{listed, printable};

/// Standard output for text and JSON: buffered, and without control characters, wherever its names come from.
pub fn stdout() -> Harmless<BufWriter<StdoutLock<'static>>> {
    Harmless(BufWriter::new(io::stdout().lock()))
}

/// Standard output for tables: on a terminal, what does not fit in a line stands below its last column. Lines of JSON stay whole.
pub fn tables(is_json: bool) -> Fitted<Harmless<BufWriter<StdoutLock<'static>>>> {
    let width = width_of(&io::stdout()).filter(|_| !is_json);
    Fitted { out: stdout(), width, line: Vec::new() }
}

/// Writes lines of which none is wider than `width`, except for longer words.
pub struct Fitted<W: Write> {
    out: W,
    width: Option<usize>,
    /// The line that has not ended.
    line: Vec<u8>,
}

impl<W: Write> Write for Fitted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(width) = self.width else { return self.out.write(bytes) };
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                let line = String::from_utf8_lossy(&line);
                let fitted = hanging(&line, width, last_column(&line, width / 2));
                self.out.write_all(fitted.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.line))?;
        self.out.flush()
    }
}

/// The letters before the last column of a line that begins within `most` letters: columns are two blanks apart. What follows a line without one is indented more than the next line.
fn last_column(line: &str, most: usize) -> usize {
    let begin: String = line.chars().take(most + 1).collect();
    let gap = begin.trim_end().rfind("  ").map_or(0, |gap| gap + 2);
    begin[..gap].chars().count().max(4)
}

/// One line, or several, on standard output.
pub fn print(text: impl Display) -> io::Result<()> {
    let mut out = stdout();
    writeln!(out, "{text}")?;
    out.flush()
}

/// A line of JSON.
pub fn json(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    // The pieces of a line are short.
    let mut line = BufWriter::new(out);
    serde_json::to_writer(&mut line, value)?;
    line.write_all(b"\n")?;
    // What is below has a buffer of its own, which is not written out for each line.
    line.into_inner().map(drop).map_err(IntoInnerError::into_error)
}

/// Standard error for what is said beside a result, likewise; not buffered. That nobody reads it is no error.
pub fn stderr() -> Harmless<Remarks> {
    Harmless(Remarks(io::stderr()))
}

/// Writes what it can.
pub struct Remarks(Stderr);

impl Write for Remarks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prints a sentence about how something is measured on standard error; it is never part of a format.
pub fn note(text: &str) {
    let text = format!("counterpoint: {}", printable_lines(text));
    let text = terminal_width().map_or(text.clone(), |width| fitted(&text, width));
    let _ = writeln!(stderr(), "{text}");
}

/// Standard output for binary data, or for text of the program itself.
pub fn bytes_out() -> io::Stdout {
    io::stdout()
}

/// Standard error for a line that is redrawn on a terminal.
pub fn terminal() -> Stderr {
    io::stderr()
}

/// Writes text with its control characters escaped as in JSON: those of ASCII but newline and tab, DEL, and U+0080 to U+009F.
pub struct Harmless<W>(pub W);

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let Some(place) = harm(rest) {
            let (plain, from) = rest.split_at(place);
            self.0.write_all(plain)?;
            rest = match from {
                [0xc2, last @ 0x80..=0x9f, after @ ..] => {
                    write!(self.0, "\\u00{last:02x}")?;
                    after
                }
                [0xc2, after @ ..] => {
                    self.0.write_all(&[0xc2])?;
                    after
                }
                [b'\r', after @ ..] => {
                    self.0.write_all(b"\\r")?;
                    after
                }
                [control, after @ ..] => {
                    write!(self.0, "\\u00{control:02x}")?;
                    after
                }
                [] => break,
            };
        }
        self.0.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The bytes that begin and end text that a terminal with colours shows in red; [`Paint`] puts the terminal's own codes for them.
const RED: u8 = 0x0e;
const PLAIN: u8 = 0x0f;

/// A text that stands out where there are colours.
pub fn warning(text: &str) -> String {
    format!("{}{text}{}", char::from(RED), char::from(PLAIN))
}

/// Writes text like [`Harmless`], and the text of [`warning`] in red, or without a mark if there are no colours.
pub struct Paint<W> {
    pub out: W,
    pub has_colours: bool,
}

impl<W: Write> Write for Paint<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if harm(bytes).is_none() {
            self.out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        for part in bytes.split_inclusive(|byte| matches!(*byte, RED | PLAIN)) {
            let (text, code) = match part.split_last() {
                Some((&RED, text)) => (text, "\x1b[1;31m"),
                Some((&PLAIN, text)) => (text, "\x1b[0m"),
                _ => (part, ""),
            };
            Harmless(&mut self.out).write_all(text)?;
            if self.has_colours {
                self.out.write_all(code.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

/// Returns true if a stream is a terminal whose user has not refused colours.
pub fn has_colours(stream: &impl io::IsTerminal) -> bool {
    let refuses = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !refuses
}

/// The columns of standard error, if it is a terminal.
pub fn terminal_width() -> Option<usize> {
    width_of(&io::stderr())
}

/// The columns of a stream, if it is a terminal.
pub fn width_of(stream: &impl AsFd) -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(stream)?;
    Some(usize::from(width.0)).filter(|width| *width > 0)
}

/// A value with as many decimals as show two digits of its margin.
pub fn to_margin(value: f64, margin: f64) -> String {
    let magnitude = margin.abs().log10().floor();
    let decimals = if magnitude.is_finite() { (1.0 - magnitude).clamp(0.0, 9.0) } else { 0.0 };
    format!("{value:.0$}", decimals as usize)
}

/// A text of at most so many letters: the end of a longer one becomes `…`.
pub fn cut(text: &str, letters: usize) -> Cow<'_, str> {
    match text.char_indices().nth(letters) {
        None => Cow::Borrowed(text),
        Some(_) => text.chars().take(letters.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The text with its lines broken so that none is wider than `width`: before a comment or a remark, or else between words.
pub fn fitted(text: &str, width: usize) -> String {
    hanging(text, width, 4)
}

/// Like [`fitted`], with so many blanks before the rest of a line.
pub fn hanging(text: &str, width: usize, indent: usize) -> String {
    // A narrow terminal has no room for columns.
    let indent = if 2 * indent <= width { indent } else { 4 };
    let blanks = " ".repeat(indent);
    let mut fitted = String::new();
    for line in text.split_inclusive('\n') {
        let (mut rest, mut room) = (line, width.max(2 * indent));
        while let Some(end) = end_of_line(rest, room) {
            fitted.push_str(rest[..end].trim_end());
            fitted.push('\n');
            fitted.push_str(&blanks);
            rest = rest[end..].trim_start();
            room = width.max(2 * indent) - indent;
        }
        fitted.push_str(rest);
    }
    fitted
}

/// The position at which a line is broken that has more than `room` columns; `None` if it fits.
fn end_of_line(line: &str, room: usize) -> Option<usize> {
    let has_width = |c: &char| ![u32::from(RED), u32::from(PLAIN), 10].contains(&u32::from(*c));
    let mut columns = line.char_indices().filter(|(_, c)| has_width(c));
    let (end, _) = columns.nth(room)?;
    let begin = line.len() - line.trim_start().len();
    let is_inside = |at: &usize| *at > begin;
    let before = &line[..end];
    let remark = [" # ", "  ("].into_iter().filter_map(|mark| before.rfind(mark)).max();
    let space = || before.rfind(' ').map(|space| space + 1);
    Some(remark.filter(is_inside).or_else(|| space().filter(is_inside)).unwrap_or(end))
}

/// The place of the first byte that may harm. Most text has none, and is looked at eight bytes at a time.
fn harm(bytes: &[u8]) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    // The highest bit of a byte is set if one is below the blank, above the tilde, or not ASCII.
    let odd = |eight: u64| {
        (!(eight | HIGH).wrapping_sub(0x20 * EACH) | eight | eight.wrapping_add(EACH)) & HIGH
    };
    let (eights, rest) = bytes.as_chunks();
    let in_eights = eights.iter().enumerate().find_map(|(place, eight)| {
        if odd(u64::from_ne_bytes(*eight)) == 0 {
            return None;
        }
        eight.iter().position(|byte| may_harm(*byte)).map(|byte| 8 * place + byte)
    });
    let in_rest =
        || rest.iter().position(|byte| may_harm(*byte)).map(|byte| 8 * eights.len() + byte);
    in_eights.or_else(in_rest)
}

/// Returns true if a byte is a control character, or may begin one of two bytes.
fn may_harm(byte: u8) -> bool {
    matches!(byte, 0..=8 | 11..=31 | 0x7f | 0xc2)
}

/// Returns true if a terminal would obey something in the text, or if it would begin a line.
pub fn is_harmful(text: &str) -> bool {
    text.contains(char::is_control)
}

/// The same of a text that has several lines.
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// A word as a shell reads it: in quotes if it has characters that mean something to a shell.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_special = |c: char| " '\"$\\`*?&|;<>()[]{}#~!".contains(c);
    if word.is_empty() || word.contains(is_special) {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    } else {
        Cow::Borrowed(word)
    }
}

/// Writes a line with a label.
pub fn labelled(out: &mut impl Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {label:<11} {}", printable(text))
}

/// Marks a part of a line from below.
pub fn marks(line: &str, span: Range<usize>) -> String {
    let before = line.get(..span.start).unwrap_or_default().chars().count();
    let inside = line.get(span).unwrap_or_default().chars().count().max(1);
    format!("{}{}", " ".repeat(before), "^".repeat(inside))
}

/// An address or a code, as `0x1a`.
pub fn hex(number: u64) -> String {
    format!("{number:#x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn control_characters_are_spelled() {
        assert_eq!(printable("a\x1b[31mb"), "a\\u001b[31mb");
        assert_eq!(printable("two\nlines"), "two\\nlines");
        assert_eq!(printable_lines("two\nlines\t"), "two\nlines\\t");
        assert_eq!(
            printable("\u{7f}\u{80}\u{9b}\u{9f}\u{a0}é\r"),
            "\\u007f\\u0080\\u009b\\u009f\u{a0}é\\r"
        );
        let mut text = Harmless(Vec::new());
        write!(text, "a\tb\n\r\u{1b}\u{85}é").unwrap();
        assert_eq!(String::from_utf8(text.0).unwrap(), "a\tb\n\\r\\u001b\\u0085é");
        for text in ["\u{9b}31m", "\u{7f}", "\u{1b}"] {
            let mut json = Harmless(Vec::new());
            write!(json, "{}", serde_json::json!({ "name": text })).unwrap();
            let back: serde_json::Value = serde_json::from_slice(&json.0).unwrap();
            assert_eq!(back["name"], text, "JSON reads back");
            assert!(json.0.iter().all(|byte| byte.is_ascii_graphic()));
        }
    }

    #[test]
    fn harm_is_found_at_every_place() {
        for (byte, place) in (0..=u8::MAX).flat_map(|byte| (0..20).map(move |place| (byte, place)))
        {
            let mut text = *b"plain text\t, and more";
            text[place] = byte;
            let found = text.iter().position(|byte| may_harm(*byte));
            assert_eq!(harm(&text), found, "{byte} at {place}");
        }
    }

    /// Output that is written elsewhere bypasses [`Harmless`].
    #[test]
    fn nothing_is_printed_but_through_here() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("src/show.rs") {
                    seen += 1;
                    let text = std::fs::read_to_string(&path).unwrap();
                    let words = [
                        "println!",
                        "print!(",
                        "io::stdout",
                        "io::stderr",
                        "File::create",
                        "fs::write",
                    ];
                    let past = text.lines().find(|line| {
                        words.iter().any(|word| line.contains(word))
                            || line.starts_with("use std::io")
                                && (line.contains("stdout") || line.contains("stderr"))
                    });
                    assert_eq!(past, None, "{}", path.display());
                }
            }
        }
        assert!(seen > 20);
    }
}
