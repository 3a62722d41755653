//! The samples of each thread over time.

use crate::commands::samples::shown::Shown;
use crate::commands::samples::threads::name;
use crate::page::{Activity, ActivityLane, Section};
use counterpoint::profile::{ThreadSamples, ThreadTimes};

/// The threads that have a lane of their own.
const LANES: usize = 48;

pub fn section(title: String, args: &Shown<'_>, times: &ThreadTimes) -> Section {
    let (shown, rest) = times.threads.split_at(times.threads.len().min(LANES));
    let lane =
        |of: &ThreadSamples| ActivityLane { name: name(of, args.ranks), counts: of.counts.clone() };
    let mut lanes: Vec<ActivityLane> = shown.iter().map(lane).collect();
    let is_more = !times.others.is_empty();
    if !rest.is_empty() || is_more {
        let all = rest.iter().map(|of| &of.counts).chain(is_more.then_some(&times.others));
        let mut counts = vec![0; times.intervals];
        for (sum, count) in all.flat_map(|counts| counts.iter().enumerate()) {
            counts[sum] += count;
        }
        let more = if is_more { "or more " } else { "" };
        lanes.push(ActivityLane { name: format!("{} {more}other threads", rest.len()), counts });
    }
    let interval = times.interval.as_secs_f64();
    let end = times.intervals as f64 * interval;
    Section::Activity(Activity { title, start: 0.0, end, interval, lanes })
}
