//! The reports of regions as JSON and as traces, which an instrumented program writes without the help of the program `counterpoint`.

use super::report::{RegionCounts, RegionReport};
use super::timeline::{Timeline, Visit};
use counterpoint_report::trace::{self, TraceEvent};
use counterpoint_report::{Process, Row, SCHEMA, TimelineLine};
use std::convert::Infallible;
use std::time::UNIX_EPOCH;

impl RegionReport {
    /// Returns JSON lines, one for each region, thread and event, with the keys of `counterpoint stat --json` and `region`, `calls`, `thread` and, where it is known, `thread_number`; lines without `thread` are totals.
    ///
    /// A line of a timeline has `thread`, `thread_number` and `timeline`: an object with `began_s`, in seconds of the Unix epoch, the names of the `regions`, the `visits`, each a list of the index of its region, its start and its end in seconds since then, and the number of visits that were `left_out`.
    pub fn to_json(&self) -> String {
        let process = Process::from(&self.reporter);
        let rows = self.regions.iter().flat_map(|region| rows(region, &process));
        let rows = rows.map(|row| row.to_json() + "\n");
        let line = |of| {
            let (process, timeline) = (process.clone(), timeline(of));
            let (thread, thread_number) = (timeline.thread, timeline.thread_number);
            let line = TimelineLine { schema: SCHEMA, process, thread, thread_number, timeline };
            line.to_json() + "\n"
        };
        rows.chain(self.timelines.iter().map(line)).collect()
    }

    /// Returns the timelines as a trace in JSON, which ui.perfetto.dev and chrome://tracing show: a track for each thread, with a bar for each visit.
    ///
    /// The file has its times in microseconds since [`Timeline::began`], which is `began_s` in `otherData`, in seconds of the Unix epoch.
    /// `counterpoint merge --perfetto` makes one trace of the JSON lines of many processes.
    pub fn to_trace(&self) -> String {
        let pid = self.reporter.pid.into();
        let name = match self.reporter.rank {
            Some(rank) => format!("rank {rank}"),
            None => format!("process {pid}"),
        };
        let timelines: Vec<_> = self.timelines.iter().map(timeline).collect();
        let began = timelines.iter().map(|of| of.began_s).reduce(f64::min).unwrap_or_default();
        let mut text = trace::begin(began, pid, &name);
        let mut put = |event: TraceEvent<'_>| -> Result<(), Infallible> {
            text += &event.to_string();
            Ok(())
        };
        for of in timelines {
            let Ok(()) = of.trace(pid, began, &mut put);
        }
        text + trace::END
    }
}

fn rows<'r>(region: &'r RegionCounts, process: &'r Process) -> impl Iterator<Item = Row> + 'r {
    region.report.rows.iter().map(move |row| {
        let mut record = row.record(process);
        record.region = Some(region.name.clone());
        record.calls = Some(region.calls);
        record.location.thread = region.thread;
        record.location.thread_number = region.thread_number;
        record
    })
}

fn timeline(of: &Timeline) -> counterpoint_report::Timeline {
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
    counterpoint_report::Timeline {
        thread: of.thread.into(),
        thread_number: of.thread_number,
        began_s: began.as_secs_f64(),
        regions,
        visits,
        left_out: of.left_out,
    }
}
