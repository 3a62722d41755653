use super::report::{RegionCounts, RegionReport};
use super::timeline::{Timeline, Visit};
use crate::report::note::Note;
use crate::report::reporter::Reporter;
use crate::report::rows::Row;
use crate::report::values::Value;
use counterpoint_formula::Number;
use std::fmt::{self, Display, Write};
use std::time::UNIX_EPOCH;

// This is written here because an instrumented program writes its report without the help of the program `counterpoint`.
impl RegionReport {
    /// Returns JSON lines, one for each region, thread and event, with the keys of `counterpoint stat --json` and `region`, `calls`, and `thread`; lines without `thread` are totals.
    ///
    /// A line of a timeline has `thread` and `timeline`: an object with `began_s`, in seconds of the Unix epoch, the names of the `regions`, the `visits`, each a list of the index of its region, its start and its end in seconds since then, and the number of visits that were `left_out`.
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
    for timeline in &report.timelines {
        let mut object = Object(&mut text);
        // Writing to a string cannot fail.
        let _ = object.timeline(&report.reporter, timeline);
        text.push_str("}\n");
    }
    text
}

struct Object<'s>(&'s mut String);

impl Object<'_> {
    fn row(&mut self, reporter: &Reporter, region: &RegionCounts, row: &Row) -> fmt::Result {
        self.0.push_str("{\"schema\":1");
        self.put("region", Text(&region.name))?;
        self.put("calls", region.calls)?;
        self.process(reporter)?;
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

    fn process(&mut self, reporter: &Reporter) -> fmt::Result {
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
        self.put("pid", reporter.pid)
    }

    fn timeline(&mut self, reporter: &Reporter, timeline: &Timeline) -> fmt::Result {
        self.0.push_str("{\"schema\":1");
        self.process(reporter)?;
        self.put("thread", timeline.thread)?;
        let began = timeline.began.duration_since(UNIX_EPOCH).unwrap_or_default();
        write!(self.0, ",\"timeline\":{{\"began_s\":{:.6}", began.as_secs_f64())?;
        let mut names: Vec<&str> = Vec::new();
        let mut visits = String::new();
        for Visit { region, start, end } in &timeline.visits {
            let known = names.iter().position(|name| name == region);
            let index = known.unwrap_or_else(|| {
                names.push(region);
                names.len() - 1
            });
            let comma = if visits.is_empty() { "" } else { "," };
            let (start, end) = (start.as_secs_f64(), end.as_secs_f64());
            write!(visits, "{comma}[{index},{start:.9},{end:.9}]")?;
        }
        let names: Vec<String> = names.iter().map(|name| Text(name).to_string()).collect();
        self.put("regions", format!("[{}]", names.join(",")))?;
        self.put("visits", format!("[{visits}]"))?;
        self.put("left_out", timeline.left_out)?;
        self.0.push('}');
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
