use super::report::{RegionCounts, RegionReport};
use crate::{Note, Reporter, Row, Value};
use counterpoint_formula::Number;
use std::fmt::{self, Display, Write};

// This is written here because an instrumented program writes its report without the help of the program `counterpoint`.
impl RegionReport {
    /// Returns JSON lines, one for each region, thread and event, with the keys of `counterpoint stat --json` and `region`, `calls`, and `thread`; lines without `thread` are totals.
    pub fn to_json(&self) -> String {
        lines(self)
    }
}

fn lines(report: &RegionReport) -> String {
    let mut text = String::new();
    for region in &report.regions {
        for row in &region.report.rows {
            let mut object = Object(&mut text);
            // Writing to a string cannot fail.
            let _ = object.row(&report.reporter, region, row);
            text.push_str("}\n");
        }
    }
    text
}

struct Object<'s>(&'s mut String);

impl Object<'_> {
    fn row(&mut self, reporter: &Reporter, region: &RegionCounts, row: &Row) -> fmt::Result {
        self.0.push_str("{\"schema\":1");
        self.put("region", Text(&region.name))?;
        self.put("calls", region.calls)?;
        if let Some(job) = &reporter.job {
            self.put("job", Text(job))?;
        }
        for (key, number) in [
            ("rank", reporter.rank),
            ("ranks", reporter.ranks),
            ("local_rank", reporter.local_rank),
        ] {
            if let Some(number) = number {
                self.put(key, number)?;
            }
        }
        self.put("host", Text(&reporter.host))?;
        self.put("pid", reporter.pid)?;
        if let Some(thread) = region.thread {
            self.put("thread", thread)?;
        }
        self.put("event", Text(&row.event))?;
        self.put("canonical", Text(&row.id.to_string()))?;
        self.value(&row.value)?;
        match &row.unit {
            Some(unit) => self.put("unit", Text(unit))?,
            None => self.put("unit", "null")?,
        }
        if let Some(raw) = row.raw {
            self.put("raw", raw)?;
            self.put("enabled_ns", row.enabled.as_nanos())?;
            self.put("running_ns", row.running.as_nanos())?;
        }
        if let Some(note) = Note::sentence(&row.notes) {
            self.put("note", Text(&note))?;
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> fmt::Result {
        match (value, value.as_f64()) {
            (Value::Counted(Number::Int(whole)), _) => self.put("value", whole)?,
            (_, Some(number)) if number.is_finite() => self.put("value", format!("{number:?}"))?,
            _ => self.put("value", "null")?,
        }
        self.put("status", Text(value.status()))?;
        if let Some(reason) = value.reason() {
            self.put("reason", Text(&reason.to_string()))?;
        }
        match value {
            Value::Counted(_) => self.put("coverage", "1.0"),
            Value::Estimated { coverage, .. } => self.put("coverage", format!("{coverage:?}")),
            _ => Ok(()),
        }
    }

    fn put(&mut self, key: &str, value: impl Display) -> fmt::Result {
        write!(self.0, ",\"{key}\":{value}")
    }
}

/// Text as a quoted JSON string.
struct Text<'t>(&'t str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
