//! Which samples are shown.

use super::args::ReportArgs;
use super::names::Names;
use counterpoint::perf::records::Sample;

/// Whether a sample is one of those asked for; what it does not say is not what was asked for.
pub fn is_wanted(args: &ReportArgs, sample: &Sample<'_>, names: &Names) -> bool {
    let among = |wanted: &[u32], number: Option<u32>| {
        wanted.is_empty() || number.is_some_and(|number| wanted.contains(&number))
    };
    let is_named = || {
        let name = names.of(sample);
        args.comm.is_empty() || name.is_some_and(|name| args.comm.iter().any(|comm| comm == name))
    };
    let on_cpu =
        |cpus: &counterpoint::perf::CpuSet| sample.cpu.is_some_and(|cpu| cpus.contains(cpu));
    let in_time =
        |range: &std::ops::Range<u64>| sample.time.is_some_and(|time| range.contains(&time));
    among(&args.pid, sample.pid)
        && among(&args.tid, sample.tid)
        && args.cpu.as_ref().is_none_or(on_cpu)
        && args.time.as_ref().is_none_or(in_time)
        && is_named()
}
