//! One line of a report, on its way to rows.

use super::{Cell, Column, Row, json};
use std::borrow::Cow;

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Value,
    Run,
    Merged,
    Member,
    Profile,
    Function,
    Line,
    Thread,
    Timeline,
    Summary,
}

impl Kind {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Value => "value",
            Kind::Run => "run",
            Kind::Merged => "merged",
            Kind::Member => "member",
            Kind::Profile => "profile",
            Kind::Function => "function",
            Kind::Line => "line",
            Kind::Thread => "thread",
            Kind::Timeline => "timeline",
            Kind::Summary => "summary",
        }
    }

    /// Returns true if a row of this name says again what is within another one.
    pub(crate) fn is_within(name: &str) -> bool {
        let within = [Kind::Run, Kind::Member, Kind::Function, Kind::Line, Kind::Thread];
        within.iter().any(|kind| kind.name() == name)
    }

    /// Returns true if a line of this kind has `value`, `status` and `unit`.
    pub(crate) fn has_value(self) -> bool {
        matches!(self, Kind::Value | Kind::Merged)
    }
}

/// A list within a line whose elements are rows too.
#[derive(Clone, Copy)]
pub(crate) enum List {
    Runs,
    Members,
    Functions,
    Lines,
    Threads,
}

/// A line while its keys are read.
#[derive(Default)]
pub(crate) struct Line<'a> {
    pub(crate) row: Row<'a>,
    pub(crate) kind: Option<Kind>,
    /// The keys that are not columns, with their values, as they are written between the braces of an object.
    pub(crate) rest: String,
    pub(crate) nested: Vec<(List, &'a str)>,
}

impl<'a> Line<'a> {
    /// Takes a key, which is the name of `column` if it is one.
    pub(crate) fn key(
        &mut self,
        column: Option<Column>,
        key: &str,
        raw: &'a str,
    ) -> Result<(), String> {
        let Some(column) = column else { return self.other(key, raw) };
        if column == Column::Event {
            self.is_at_least(Kind::Value);
        }
        // These two are in every line that has a value, and null is what is left out.
        if raw == "null" && matches!(column, Column::Value | Column::Unit) {
            return Ok(());
        }
        if !self.row[column].is_null() {
            return Err(format!("`{key}` is there twice"));
        }
        match json::cell(column, raw)? {
            Some(cell) => self.row[column] = cell,
            None => self.keep(key, raw),
        }
        if column == Column::Value {
            self.whole(key, raw);
        } else if self.row[column].real().is_some() && is_integer(raw) {
            // `5` and `5.0` are different texts of one double.
            self.keep(key, raw);
        }
        Ok(())
    }

    /// A value that is a whole number; one of more than 64 bits, and a mean such as `3.0`, are kept as they are written.
    fn whole(&mut self, key: &str, raw: &str) {
        match raw.parse() {
            Ok(whole) if raw != "-0" => self.row[Column::Whole] = Cell::Integer(whole),
            _ if is_integer(raw) => self.keep(key, raw),
            _ => {
                if let Some(whole) = self.row[Column::Value].real().and_then(whole) {
                    self.row[Column::Whole] = Cell::Integer(whole);
                    self.keep(key, raw);
                }
            }
        }
    }

    fn other(&mut self, key: &str, raw: &'a str) -> Result<(), String> {
        match key {
            "summary" => {
                self.kind = Some(Kind::Summary);
                self.summary(raw)?;
            }
            "timeline" => self.is_at_least(Kind::Timeline),
            "processes" => self.is_at_least(Kind::Merged),
            "regions" => self.is_at_least(Kind::Profile),
            "values" => self.nested.push((List::Runs, raw)),
            "per_rank" | "per_node" | "per_socket" | "per_thread" => {
                self.nested.push((List::Members, raw));
            }
            "functions" => self.nested.push((List::Functions, raw)),
            "lines" => self.nested.push((List::Lines, raw)),
            "threads" => self.nested.push((List::Threads, raw)),
            "metric" => self.metric(raw)?,
            "began_s" => {
                self.row[Column::Began] = json::cell(Column::Began, raw)?.unwrap_or_default();
            }
            _ => {}
        }
        self.keep(key, raw);
        Ok(())
    }

    /// A value is what a line has that nothing else is known of.
    fn is_at_least(&mut self, kind: Kind) {
        if kind != Kind::Value || self.kind.is_none() {
            self.kind = Some(kind);
        }
    }

    fn keep(&mut self, key: &str, raw: &str) {
        if !self.rest.is_empty() {
            self.rest.push(',');
        }
        json::push_text(&mut self.rest, key);
        self.rest.push(':');
        self.rest.push_str(raw);
    }

    /// The process of a summary, and the run, are in columns too.
    fn summary(&mut self, raw: &'a str) -> Result<(), String> {
        let columns = [
            Column::Began,
            Column::Elapsed,
            Column::User,
            Column::System,
            Column::ExitStatus,
            Column::Job,
            Column::Rank,
            Column::Ranks,
            Column::LocalRank,
            Column::Host,
            Column::Pid,
        ];
        json::object(raw, |key, raw| {
            if key == "command" {
                self.command(raw)?;
            } else if let Some(column) = columns.into_iter().find(|column| column.name() == key)
                && let Some(cell) = json::cell(column, raw)?
            {
                self.row[column] = cell;
            }
            Ok(())
        })
    }

    fn command(&mut self, raw: &'a str) -> Result<(), String> {
        let mut words = Vec::new();
        json::array(raw, |word| {
            words.extend(json::text(word));
            Ok(())
        })?;
        let command = shell_words::join(words);
        if !command.is_empty() {
            self.row[Column::Command] = Cell::Text(Cow::Owned(command));
        }
        Ok(())
    }

    fn metric(&mut self, raw: &'a str) -> Result<(), String> {
        json::object(raw, |key, raw| {
            if key == "formula"
                && let Some(cell) = json::cell(Column::Definition, raw)?
            {
                self.row[Column::Definition] = cell;
            }
            Ok(())
        })
    }

    /// Returns an error if the value and the status contradict each other.
    pub(crate) fn check(&self) -> Result<(), String> {
        let has_value = !self.row[Column::Value].is_null();
        match self.row[Column::Status].text() {
            None => Err("it has no `status`".to_string()),
            Some("counted" | "estimated") if !has_value => {
                Err("the event was counted, but it has no `value`".to_string())
            }
            Some("not-counted" | "not-supported") if has_value => {
                Err("the event was not counted, but it has a `value`".to_string())
            }
            Some("counted" | "estimated" | "not-counted" | "not-supported") => Ok(()),
            Some(other) => Err(format!("`status` is {other:?}, which is not known")),
        }
    }
}

fn is_integer(raw: &str) -> bool {
    raw.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// The whole number that a double is, if it has no other neighbour.
fn whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() < EXACT && (number != 0.0 || number.is_sign_positive()))
        .then_some(number as i64)
}

impl List {
    /// Calls `each` with a row for each element; `line` is the row of the line that it is within.
    pub(crate) fn rows<'a>(
        self,
        line: &Row<'a>,
        raw: &'a str,
        each: &mut impl FnMut(&Row<'_>),
    ) -> Result<(), String> {
        let mut number = 0;
        json::array(raw, |element| {
            number += 1;
            let mut row = line.clone();
            row[Column::Kind] = Cell::Text(Cow::Borrowed(self.kind().name()));
            match self {
                List::Runs => run(&mut row, number, element)?,
                _ => self.element(&mut row, element)?,
            }
            each(&row);
            Ok(())
        })
    }

    fn kind(self) -> Kind {
        match self {
            List::Runs => Kind::Run,
            List::Members => Kind::Member,
            List::Functions => Kind::Function,
            List::Lines => Kind::Line,
            List::Threads => Kind::Thread,
        }
    }

    fn element<'a>(self, row: &mut Row<'a>, element: &'a str) -> Result<(), String> {
        if let List::Members = self {
            let whose =
                [Column::Value, Column::Whole, Column::Status, Column::Reason, Column::Coverage];
            let sums = [Column::Calls, Column::Scale];
            whose.into_iter().chain(sums).for_each(|column| row[column] = Cell::Null);
        } else {
            row[Column::Status] = Cell::Text(Cow::Borrowed("counted"));
        }
        let mut line = Line { row: std::mem::take(row), ..Line::default() };
        json::object(element, |key, raw| {
            let Some(column) = self.column(&key) else { return Ok(()) };
            line.row[column] = Cell::Null;
            line.key(Some(column), &key, raw)
        })?;
        *row = line.row;
        Ok(())
    }

    /// The column of a key of an element.
    fn column(self, key: &str) -> Option<Column> {
        Some(match (self, key) {
            (List::Runs, _) => return None,
            (List::Members, "file") => Column::Report,
            (_, "job") => Column::Job,
            (_, "rank") => Column::Rank,
            (_, "ranks") => Column::Ranks,
            (_, "local_rank") => Column::LocalRank,
            (_, "host") => Column::Host,
            (_, "pid") => Column::Pid,
            (_, "socket") => Column::Socket,
            (_, "value" | "count" | "samples") => Column::Value,
            (_, "status") => Column::Status,
            (_, "reason") => Column::Reason,
            (_, "function") => Column::Function,
            (_, "module") => Column::Module,
            (_, "file") => Column::File,
            (_, "line") => Column::Line,
            (_, "thread" | "tid") => Column::Thread,
            (_, "comm") => Column::Comm,
            (_, "percent") => Column::Percent,
            (_, "error") => Column::PercentError,
            _ => return None,
        })
    }
}

/// The value of one run; the status of one without a value is not known, but that it was not counted.
fn run<'a>(row: &mut Row<'a>, number: i64, raw: &'a str) -> Result<(), String> {
    let of_all = [
        Column::Value,
        Column::Whole,
        Column::Raw,
        Column::EnabledNs,
        Column::RunningNs,
        Column::Coverage,
        Column::Scale,
    ];
    of_all.into_iter().for_each(|column| row[column] = Cell::Null);
    row[Column::Run] = Cell::Integer(number);
    let mut line = Line { row: std::mem::take(row), ..Line::default() };
    line.key(Some(Column::Value), "value", raw)?;
    *row = line.row;
    let has_value = !row[Column::Value].is_null();
    let status = match row[Column::Status].text() {
        Some("counted" | "estimated") if !has_value => Some("not-counted"),
        Some("not-counted" | "not-supported") if has_value => Some("counted"),
        _ => None,
    };
    if let Some(status) = status {
        row[Column::Status] = Cell::Text(Cow::Borrowed(status));
    }
    Ok(())
}
