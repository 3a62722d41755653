//! The options that choose the samples of a recording.

use crate::event_list::EventList;
use counterpoint::perf::CpuSet;
use counterpoint_recording::Filters;
use std::ops::Range;

// Which samples of a file are shown.
#[derive(Clone, Default, clap::Args)]
pub struct FilterArgs {
    /// Show only samples of these events, by their names in the file, with or without what is after the colon
    #[arg(short, long, value_name = "EVENT,…")]
    event: Vec<EventList>,
    /// Show only samples of these processes
    #[arg(short, long, value_name = "PID,…", value_delimiter = ',')]
    pid: Vec<u32>,
    /// Show only samples of these threads
    #[arg(short, long, value_name = "TID,…", value_delimiter = ',')]
    tid: Vec<u32>,
    /// Show only samples of threads with these names
    #[arg(long, alias = "comms", value_name = "NAME,…", value_delimiter = ',')]
    comm: Vec<String>,
    /// Show only samples on these CPUs, such as 0-3,8
    #[arg(short = 'C', long, value_name = "LIST", value_parser = cpus)]
    cpu: Option<CpuSet>,
    /// Show only samples from START to END, in seconds as `perf script` prints them; either may be left out
    #[arg(long, value_name = "START,END", value_parser = time)]
    time: Option<Range<u64>>,
}

impl FilterArgs {
    /// Returns true if some samples are not wanted.
    pub fn is_any(&self) -> bool {
        let FilterArgs { event, pid, tid, comm, cpu, time } = self;
        !event.is_empty()
            || !pid.is_empty()
            || !tid.is_empty()
            || !comm.is_empty()
            || cpu.is_some()
            || time.is_some()
    }

    /// Returns true if a thread is one of those asked for.
    pub fn has_thread(&self, pid: u32, tid: u32) -> bool {
        let among = |wanted: &[u32], id| wanted.is_empty() || wanted.contains(&id);
        among(&self.pid, pid) && among(&self.tid, tid)
    }

    /// The first option that chooses samples by something else than their thread.
    pub fn other_than_threads(&self) -> Option<&'static str> {
        let FilterArgs { event, comm, cpu, time, .. } = self;
        let options = [
            (!event.is_empty(), "--event"),
            (!comm.is_empty(), "--comm"),
            (cpu.is_some(), "--cpu"),
            (time.is_some(), "--time"),
        ];
        options.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    pub fn filters(&self) -> Filters {
        let FilterArgs { event, pid, tid, comm, cpu, time } = self.clone();
        let events = event.into_iter().flat_map(|EventList(events)| events).collect();
        Filters { events, pids: pid, tids: tid, comms: comm, cpus: cpu, time }
    }
}

fn cpus(text: &str) -> Result<CpuSet, String> {
    text.parse().map_err(|error: counterpoint::perf::CpuListError| error.to_string())
}

fn time(text: &str) -> Result<Range<u64>, String> {
    let (start, end) = text.split_once(',').ok_or("write START,END, such as 120.5,121")?;
    let of = |text: &str, otherwise: u64| match text {
        "" => Ok(otherwise),
        _ => nanoseconds(text).ok_or_else(|| format!("`{text}` is not a time, such as 120.5")),
    };
    let times = of(start, 0)?..of(end, u64::MAX)?;
    if times.is_empty() {
        return Err(format!("{start} is not before {end}"));
    }
    Ok(times)
}

/// Seconds with up to nine decimals, exactly.
fn nanoseconds(text: &str) -> Option<u64> {
    let (seconds, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.len() > 9 || !are_digits(decimals) || !are_digits(seconds) {
        return None;
    }
    let seconds: u64 = seconds.parse().ok()?;
    let decimals: u64 = format!("{decimals:0<9}").parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(decimals)
}
