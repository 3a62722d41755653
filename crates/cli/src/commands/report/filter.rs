//! Which samples are shown.

use counterpoint::perf::CpuSet;
use counterpoint::perf::records::Sample;
use counterpoint::profile::ThreadNames;
use std::ops::Range;

// Which samples of a file are shown.
#[derive(clap::Args)]
pub struct Filters {
    /// Show only samples of these events, by their names in the file, with or without what is after the colon
    #[arg(short, long, value_name = "EVENT,…", value_delimiter = ',')]
    event: Vec<String>,
    /// Show only samples of these processes
    #[arg(short, long, value_name = "PID,…", value_delimiter = ',')]
    pid: Vec<u32>,
    /// Show only samples of these threads
    #[arg(short, long, value_name = "TID,…", value_delimiter = ',')]
    tid: Vec<u32>,
    /// Show only samples of threads with these names
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    comm: Vec<String>,
    /// Show only samples on these CPUs, such as 0-3,8
    #[arg(short = 'C', long, value_name = "LIST", value_parser = cpus)]
    cpu: Option<CpuSet>,
    /// Show only samples from START to END, in seconds as `perf script` prints them; either may be left out
    #[arg(long, value_name = "START,END", value_parser = time)]
    time: Option<Range<u64>>,
}

impl Filters {
    pub fn is_any(&self) -> bool {
        let Filters { event, pid, tid, comm, cpu, time } = self;
        !event.is_empty()
            || !pid.is_empty()
            || !tid.is_empty()
            || !comm.is_empty()
            || cpu.is_some()
            || time.is_some()
    }

    /// Refuses names that no event has.
    pub fn check(&self, names: &[String]) -> Result<(), String> {
        let is_known = |asked: &&String| names.iter().any(|name| is_asked(name, asked));
        match self.event.iter().find(|asked| !is_known(asked)) {
            Some(asked) => Err(format!("it has no event `{asked}`, but `{}`", names.join("`, `"))),
            None => Ok(()),
        }
    }

    /// Whether an event is one of those asked for.
    pub fn is_event(&self, name: &str) -> bool {
        self.event.is_empty() || self.event.iter().any(|asked| is_asked(name, asked))
    }

    /// Whether a sample is one of those asked for; what it does not say is not what was asked for.
    pub fn is_wanted(&self, sample: &Sample<'_>, names: &ThreadNames) -> bool {
        let among = |wanted: &[u32], number: Option<u32>| {
            wanted.is_empty() || number.is_some_and(|number| wanted.contains(&number))
        };
        let is_named = || {
            let name = names.of(sample);
            self.comm.is_empty()
                || name.is_some_and(|name| self.comm.iter().any(|comm| comm == name))
        };
        let on_cpu = |cpus: &CpuSet| sample.cpu.is_some_and(|cpu| cpus.contains(cpu));
        let in_time = |range: &Range<u64>| sample.time.is_some_and(|time| range.contains(&time));
        among(&self.pid, sample.pid)
            && among(&self.tid, sample.tid)
            && self.cpu.as_ref().is_none_or(on_cpu)
            && self.time.as_ref().is_none_or(in_time)
            && is_named()
    }
}

/// Whether this is the name of an event, with or without its modifiers.
fn is_asked(name: &str, asked: &str) -> bool {
    name.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
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
