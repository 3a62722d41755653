//! Counts events on all CPUs, or for this process if that is not permitted, and prints OpenMetrics text for Prometheus.
//!
//! ```sh
//! cargo run -p counterpoint --example openmetrics -- context-switches,page-faults
//! ```
//!
//! A server would keep the set open and answer each request with `expose`.
//! Events that were not measured are left out, because a counter at 0 would be wrong.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::{Counters, Error, EventSet, RowPlacement, Split, Target};
use std::fmt::Write;
use std::time::Duration;

fn main() -> Result<(), Error> {
    let events = std::env::args().nth(1).unwrap_or_else(|| "task-clock,page-faults".to_string());
    let open = |target| EventSet::new(target).event(&events).open_all();
    let mut counters = match open(Target::AllCpus) {
        Err(error) if error.is_permission() => open(Target::ThisThread)?,
        result => result?,
    };
    std::thread::sleep(Duration::from_millis(100));
    print!("{}", expose(&mut counters)?);
    Ok(())
}

fn expose(counters: &mut Counters) -> Result<String, Error> {
    let snapshot = counters.snapshot()?;
    let report = counters.report(&snapshot, &Split::Cpu);
    let mut text = String::from(
        "# TYPE counterpoint_events counter\n# HELP counterpoint_events The count of the event.\n",
    );
    for row in &report.rows {
        let Some(value) = row.value.as_f64() else { continue };
        let event = row.id.to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let cpu = match row.placement {
            RowPlacement::Cpu(cpu) => format!(",cpu=\"{cpu}\""),
            _ => String::new(),
        };
        let unit = row.unit.as_deref().map(|unit| format!(",unit=\"{unit}\"")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "counterpoint_events_total{{event=\"{event}\"{cpu}{unit}}} {value}");
    }
    text.push_str("# EOF\n");
    Ok(text)
}
