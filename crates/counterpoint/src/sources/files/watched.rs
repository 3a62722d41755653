//! A file that is read again and again, and the numbers that are wanted of it.

use super::form::{Place, number, rows};
use super::table::Form;
use crate::report::values::Reason;
use counterpoint_perf::process::last_text;
use counterpoint_perf::{Host, OpenFile};
use counterpoint_pmu::similar;
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// A file and the numbers that are wanted of it, each with its last reading.
#[derive(Debug)]
pub(super) struct Watched {
    pub path: PathBuf,
    pub command: Option<u32>,
    form: Form,
    needs_root: bool,
    file: Option<OpenFile>,
    text: Vec<u8>,
    wanted: Vec<Wanted>,
    /// The numbers in the order of their rows, as they were found last.
    order: Vec<usize>,
    /// The error of the last reading.
    error: Option<Reason>,
}

#[derive(Debug)]
struct Wanted {
    place: Place,
    reading: Option<i128>,
    /// The row in which it was found last.
    row: usize,
}

impl Watched {
    pub(super) fn new(
        path: PathBuf,
        command: Option<u32>,
        form: Form,
        needs_root: bool,
    ) -> Watched {
        Watched {
            path,
            command,
            form,
            needs_root,
            file: None,
            text: Vec::new(),
            wanted: Vec::new(),
            order: Vec::new(),
            error: None,
        }
    }

    /// Adds a number and returns its index.
    pub(super) fn want(&mut self, place: &Place) -> usize {
        if let Some(known) = self.wanted.iter().position(|wanted| wanted.place == *place) {
            return known;
        }
        self.wanted.push(Wanted { place: place.clone(), reading: None, row: usize::MAX });
        self.order.push(self.wanted.len() - 1);
        self.wanted.len() - 1
    }

    /// The number that was read last, or the reason why there is none.
    pub(super) fn reading(&self, number: usize) -> Result<i128, Reason> {
        let Wanted { place, reading, .. } = &self.wanted[number];
        reading.ok_or_else(|| {
            self.error.clone().unwrap_or_else(|| {
                let path = self.path.display();
                Reason::NotShown(match &place.key {
                    Some(key) => format!("{path} has no number `{key}`{}", self.but(key)),
                    None => format!("{path} has no number"),
                })
            })
        })
    }

    /// The keys that are near one that is not there, as the end of a sentence.
    fn but(&self, key: &str) -> String {
        let text = String::from_utf8_lossy(&self.text);
        let near = similar(key, rows(&text, self.form).map(|(key, _)| key));
        match near.as_slice() {
            [] => String::new(),
            near if near.contains(&key) => String::new(),
            near => format!(", but `{}`", near.join("`, `")),
        }
    }

    /// Reads every number again.
    pub(super) fn read(&mut self, host: &Host) {
        let mut text = std::mem::take(&mut self.text);
        let result = self.read_text(host, &mut text);
        self.text = text;
        self.error = result.err().map(|error| self.explained(&error));
        if self.error.is_some() {
            self.file = None;
            self.wanted.iter_mut().for_each(|wanted| wanted.reading = None);
        } else {
            self.find_all();
        }
    }

    fn read_text(&mut self, host: &Host, text: &mut Vec<u8>) -> io::Result<()> {
        if let Some(last) = self.command.and_then(|pid| last_text(pid, &self.path)) {
            *text = last;
            return Ok(());
        }
        let is_number = self.form == Form::Number;
        if let Some(file) = &self.file
            && file.read(host, is_number, text).is_ok()
        {
            return Ok(());
        }
        // A device that was removed may be there again.
        let file = self.file.insert(host.open_file(&self.path)?);
        file.read(host, is_number, text)
    }

    fn explained(&self, error: &io::Error) -> Reason {
        let path = self.path.display();
        Reason::NotShown(match error.kind() {
            io::ErrorKind::PermissionDenied if self.needs_root => {
                format!("{path} is for root only")
            }
            io::ErrorKind::NotFound => format!("{path} does not exist"),
            _ => format!("{path} cannot be read: {}", described(error)),
        })
    }

    /// Finds all numbers in one pass, as long as the rows are in the order in which they were found last.
    fn find_all(&mut self) {
        let text: Cow<'_, str> = String::from_utf8_lossy(&self.text);
        let heading = text.lines().next().unwrap_or_default();
        let mut next = 0;
        for (key, row) in rows(&text, self.form) {
            while let Some(wanted) = self.order.get(next).map(|place| &mut self.wanted[*place])
                && wanted.place.key.as_deref().unwrap_or_default() == key
            {
                wanted.reading = number(row, self.form, &wanted.place.column, heading);
                next += 1;
            }
            if next == self.order.len() {
                return;
            }
        }
        for place in &self.order[next..] {
            let wanted = &mut self.wanted[*place];
            let wanted_key = wanted.place.key.as_deref().unwrap_or_default();
            let is_own = |(_, (key, _)): &(usize, (&str, &str))| *key == wanted_key;
            let found = rows(&text, self.form).enumerate().find(is_own);
            wanted.row = found.map_or(usize::MAX, |(row, _)| row);
            wanted.reading = found
                .and_then(|(_, (_, row))| number(row, self.form, &wanted.place.column, heading));
        }
        // The rows of the others are those before.
        let is_complete = |wanted: &Wanted| wanted.row != usize::MAX;
        if next > 0 || !self.wanted.iter().all(is_complete) {
            for (row, (key, _)) in rows(&text, self.form).enumerate() {
                let own =
                    |wanted: &&mut Wanted| wanted.place.key.as_deref().unwrap_or_default() == key;
                self.wanted.iter_mut().filter(own).for_each(|wanted| wanted.row = row);
            }
        }
        self.order.sort_by_key(|place| self.wanted[*place].row);
    }
}

/// The error without its number.
fn described(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}
