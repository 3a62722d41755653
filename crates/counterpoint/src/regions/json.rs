//! The reports of regions as JSON, which an instrumented program writes without the help of the program `counterpoint`.

use super::report::{RegionCounts, RegionReport};
use super::timeline::{Timeline, Visit};
use counterpoint_report::{Process, Row, SCHEMA, TimelineLine};
use std::time::UNIX_EPOCH;

impl RegionReport {
    /// Returns JSON lines, one for each region, thread and event, with the keys of `counterpoint stat --json` and `region`, `calls`, and `thread`; lines without `thread` are totals.
    ///
    /// A line of a timeline has `thread` and `timeline`: an object with `began_s`, in seconds of the Unix epoch, the names of the `regions`, the `visits`, each a list of the index of its region, its start and its end in seconds since then, and the number of visits that were `left_out`.
    pub fn to_json(&self) -> String {
        let process = Process::from(&self.reporter);
        let rows = self.regions.iter().flat_map(|region| rows(region, &process));
        let rows = rows.map(|row| row.to_json() + "\n");
        let timelines = self.timelines.iter().map(|of| timeline(of, &process).to_json() + "\n");
        rows.chain(timelines).collect()
    }
}

fn rows<'r>(region: &'r RegionCounts, process: &'r Process) -> impl Iterator<Item = Row> + 'r {
    region.report.rows.iter().map(move |row| {
        let mut record = row.record(process);
        record.region = Some(region.name.clone());
        record.calls = Some(region.calls);
        record.location.thread = region.thread;
        record
    })
}

fn timeline(of: &Timeline, process: &Process) -> TimelineLine {
    let began = of.began.duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut regions: Vec<String> = Vec::new();
    let mut visits = Vec::new();
    for Visit { region, start, end } in &of.visits {
        let known = regions.iter().position(|name| *name == **region);
        let index = known.unwrap_or_else(|| {
            regions.push(region.to_string());
            regions.len() - 1
        });
        visits.push((index, start.as_secs_f64(), end.as_secs_f64()));
    }
    let timeline = counterpoint_report::Timeline {
        thread: of.thread.into(),
        began_s: began.as_secs_f64(),
        regions,
        visits,
        left_out: of.left_out,
    };
    let (process, thread) = (process.clone(), timeline.thread);
    TimelineLine { schema: SCHEMA, process, thread, timeline }
}
