//! Rows as JSON, without serde: an instrumented program writes its report itself.

use crate::Amount;
use crate::field::{Field, ToField};
use crate::keys::Part;
use crate::row::Row;
use crate::timeline::{Timeline, TimelineLine};
use std::fmt::{self, Display, Write};

impl Row {
    /// The row as a line of JSON, without a newline.
    ///
    /// ```
    /// use counterpoint_report::{Amount, Row, Status};
    ///
    /// let (event, value, status) = ("faults".to_string(), Some(Amount::Whole(3)), Status::Counted);
    /// let row = Row { schema: 1, event, value, status, ..Row::default() };
    /// let line = r#"{"schema":1,"event":"faults","value":3,"status":"counted","unit":null}"#;
    /// assert_eq!(row.to_json(), line);
    /// ```
    pub fn to_json(&self) -> String {
        let mut line = String::new();
        let mut put = |key: &str, field: Field<'_>| {
            let begin = if line.is_empty() { '{' } else { ',' };
            // Writing to a string cannot fail.
            let _ = write!(line, "{begin}{}:{}", Text(key), Json(field));
        };
        let thread = self.location.thread.filter(|_| self.region.is_some());
        let number = self.location.thread_number.filter(|_| thread.is_some());
        self.each(&mut |key, field| match (key, field) {
            // The thread of a region stands before the event.
            ("event", event) => {
                thread.iter().for_each(|thread| put("thread", thread.field()));
                number.iter().for_each(|number| put("thread_number", number.field()));
                put(key, event);
            }
            ("thread" | "thread_number", _) if thread.is_some() => {}
            ("value" | "unit", field) => put(key, field),
            (_, Field::Absent) => {}
            (_, field) => put(key, field),
        });
        line.push('}');
        line
    }
}

impl TimelineLine {
    /// The line of JSON, without a newline.
    pub fn to_json(&self) -> String {
        let TimelineLine { schema, process, thread, thread_number, timeline } = self;
        let mut line = format!("{{\"schema\":{schema}");
        // Writing to a string cannot fail.
        process.each(&mut |key, field| {
            if field != Field::Absent {
                let _ = write!(line, ",{}:{}", Text(key), Json(field));
            }
        });
        let Timeline { began_s, regions, visits, left_out, .. } = timeline;
        let _ = write!(line, ",\"thread\":{thread}");
        if let Some(number) = thread_number {
            let _ = write!(line, ",\"thread_number\":{number}");
        }
        let _ = write!(line, ",\"timeline\":{{\"began_s\":{began_s:.6}");
        let names: Vec<String> = regions.iter().map(|name| Text(name).to_string()).collect();
        let visit =
            |(region, start, end): &(usize, f64, f64)| format!("[{region},{start:.9},{end:.9}]");
        let visits: Vec<String> = visits.iter().map(visit).collect();
        let (names, visits) = (names.join(","), visits.join(","));
        let _ = write!(
            line,
            ",\"regions\":[{names}],\"visits\":[{visits}],\"left_out\":{left_out}}}}}"
        );
        line
    }
}

/// A field as JSON.
struct Json<'r>(Field<'r>);

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Field::Absent => f.write_str("null"),
            Field::Text(text) => Text(text).fmt(f),
            Field::Boolean(answer) => answer.fmt(f),
            Field::Number(number) => Number(number).fmt(f),
            Field::Real(real) => Number(Amount::Real(real)).fmt(f),
            Field::Numbers(numbers) => {
                for (index, number) in numbers.iter().enumerate() {
                    f.write_str(if index == 0 { "[" } else { "," })?;
                    Json(number.field()).fmt(f)?;
                }
                f.write_str(if numbers.is_empty() { "[]" } else { "]" })
            }
            Field::Comment(comment) => {
                let value = Number(Amount::Real(comment.value));
                write!(f, "{{\"value\":{value},\"unit\":{}}}", Text(comment.unit))
            }
            Field::Metric(metric) => {
                write!(f, "{{\"formula\":{},\"groups\":[", Text(&metric.formula))?;
                for (index, group) in metric.groups.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { "," }, Text(group))?;
                }
                f.write_str("]")?;
                let texts = [("parent", &metric.parent), ("threshold", &metric.threshold)];
                for (key, text) in texts {
                    text.as_ref().map_or(Ok(()), |text| write!(f, ",\"{key}\":{}", Text(text)))?;
                }
                metric.crossed.map_or(Ok(()), |crossed| write!(f, ",\"crossed\":{crossed}"))?;
                f.write_str(if metric.uncertain { ",\"uncertain\":true}" } else { "}" })
            }
        }
    }
}

/// A number as JSON has it, which has none that is not finite.
pub(crate) struct Number(pub Amount);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Amount::Whole(whole) => whole.fmt(f),
            Amount::Real(real) if real.is_finite() => write!(f, "{real:?}"),
            Amount::Real(_) => f.write_str("null"),
        }
    }
}

/// Text as a quoted JSON string.
pub(crate) struct Text<'t>(pub &'t str);

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
