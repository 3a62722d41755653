//! `counterpoint report`: the samples of a file, shown as `profile` shows those that it takes.

mod args;
pub mod diff;
pub mod foreign;
pub mod help;

pub use args::ReportArgs;
use diff::ReportAction;

use crate::commands::samples::memory::{MemoryOutput, View};
use crate::commands::samples::metrics::{self, MetricsOutput};
use crate::commands::samples::ranks::Ranks;
use crate::commands::samples::wall::WallOutput;
use crate::commands::samples::{About, INTERVALS, Output, Seen, read, sorted, with_stacks};
use crate::failure::Failure;
use crate::show;
use counterpoint::profile::SampleKey;
use std::fs::File;

/// The exit status is 0, and 2 if nothing could be read.
pub fn run(args: &ReportArgs) -> Result<u8, Failure> {
    if let Some(ReportAction::Diff(args)) = &args.action {
        return diff::run(args);
    }
    args.check()?;
    if args.wall {
        return wall(args);
    }
    if args.memory || args.shared_lines {
        return memory(args);
    }
    if !args.metric.is_empty() {
        return of_metrics(args);
    }
    let keys = args.keys();
    let intervals = if args.html.is_some() { INTERVALS } else { 1 };
    let files = args.files();
    let mut apart = sorted::apart(&keys);
    // The ranks are known by their processes.
    if files.len() > 1 && !apart.contains(&SampleKey::Pid) {
        apart.push(SampleKey::Pid);
    }
    let read = read::joined(&files, &args.filters, &|profile, graph| {
        let profile = profile.threads_over_time(intervals).keys(&apart);
        let is_page = args.html.is_some();
        let graph = graph.filter(|_| args.wants_stacks() && (keys.is_empty() || is_page));
        let by_rank = graph.is_some() && files.len() > 1;
        let profile = if by_rank { profile.stacks_over_time(1) } else { profile };
        with_stacks(profile, graph, args.format, is_page)
    })?;
    if let Some(view) = args.views.asked().filter(|_| !read.has_stacks()) {
        let path = args.title();
        return Err(Failure::new(format!("{}: it has no call stacks", show::printable(&path)))
            .help(format!("record with --call-graph, or leave out {view}")));
    }
    if read.profiles.len() > 1 && !args.format.holds_several() {
        let path = args.title();
        return Err(Failure::new(format!(
            "{}: this format holds only one event, and the file has several",
            show::printable(&path)
        ))
        .help("use --format table or --format json"));
    }
    let output = Output::of_file(args.format, &args.output, args.html.as_deref())?;
    let ranks = Ranks::new(&read, &files);
    let shown = args.shown(&read, ranks.as_ref(), &keys);
    output.write(&shown, &read.profiles, &Seen::default())?;
    Ok(0)
}

/// Where wall time goes.
fn wall(args: &ReportArgs) -> Result<u8, Failure> {
    if let Some(option) = args.filters.other_than_threads() {
        return Err(Failure::new(format!(
            "{option} is not for --wall: the time of a thread has no gaps"
        ))
        .help("choose threads with --pid and --tid"));
    }
    let output = WallOutput::new(args.format, &args.output, args.html.as_deref(), false)?;
    of_one(args, "--wall", |file, about| output.write(file, about))
}

/// Which data is accessed, or which lines are shared.
fn memory(args: &ReportArgs) -> Result<u8, Failure> {
    let (view, option) = if args.memory {
        (View::Memory, "--memory")
    } else {
        (View::SharedLines, "--shared-lines")
    };
    let page = args.html.as_deref();
    let output = MemoryOutput::new(view, args.format, &args.output, page, false)?;
    of_one(args, option, |file, about| output.write(file, about))
}

/// The metrics of functions, lines and stacks.
fn of_metrics(args: &ReportArgs) -> Result<u8, Failure> {
    // perf has styles of instructions as -M.
    if let ["intel" | "att"] = args.metric.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        let text = "-M takes a metric, and not a style of instructions";
        return Err(
            Failure::new(text).help("use counterpoint annotate SYMBOL FILE for instructions")
        );
    }
    let asked = metrics::asked_of_file(&args.metric, &args.metric_files)?;
    let output = MetricsOutput::new(args.format, &args.output, args.html.as_deref(), false)?;
    of_one(args, "--metric", |file, about| output.write(file, about, &asked))
}

/// Calls `write` with the recording, of which there is one.
fn of_one(
    args: &ReportArgs,
    option: &str,
    write: impl FnOnce(File, &About<'_>) -> Result<(), Failure>,
) -> Result<u8, Failure> {
    let [path] = args.files()[..] else {
        return Err(
            Failure::new(format!("{option} shows one recording")).help("report each by itself")
        );
    };
    let (filters, debug) = (&args.filters, args.debug.directory());
    let (file, about) = About::of_file(path, args.title(), filters, args.table, debug)?;
    write(file, &about)?;
    Ok(0)
}
