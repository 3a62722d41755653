//! The result: how much time each thread has in each state, and where.

use super::path::Path;
use super::shares::Shares;
use super::tracks::{Segment, State, Track};
use crate::profile::ThreadNames;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where wall time goes. All times are in nanoseconds.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Wall {
    /// The time of the first record.
    pub start: u64,
    /// The time of the last one.
    pub end: u64,
    /// The threads, in the order in which they began.
    pub threads: Vec<WallThread>,
    /// What each of them did; all parts of the wall time, with `outside`, add up to it.
    pub amounts: Vec<Amount>,
    /// The part of the wall time in which no thread was there.
    pub outside: f64,
    /// Wake-ups are known, so that time in a run queue is not part of a wait.
    pub has_wakes: bool,
    /// The thread with which the critical path ends, and the times of its begin and its end.
    pub path: Option<(usize, u64, u64)>,
    /// The number of times that a thread stopped.
    pub switches: u64,
    /// The number of samples while a thread ran.
    pub samples: u64,
    /// The number of records that the kernel lost.
    pub lost: u64,
    /// The threads that were not running when the last record was made, and had not ended: how long they waited on is not known.
    pub unfinished: usize,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WallThread {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// Its last name.
    #[doc(alias = "comm")]
    pub name: Option<String>,
    /// When it began, or the recording did.
    pub start: u64,
    /// When it ended, or the recording did.
    pub end: u64,
}

/// The time of a thread in a state, at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Amount {
    /// The index of the thread.
    pub thread: usize,
    /// What it did.
    pub state: State,
    /// The number of the stack where it ran, or stopped; `None` if no sample says so.
    pub stack: Option<u32>,
    /// The time of the thread.
    pub time: f64,
    /// The part of the wall time.
    pub wall: f64,
    /// The part of the critical path.
    pub path: f64,
    /// The number of samples while it ran, or of times that it was in the state.
    pub count: u64,
    /// The sum of the squared parts of the wall time of the samples, whose root is the standard error of `wall`; 0 for other states, which are measured and not sampled.
    pub squares: f64,
}

/// A sample of a running thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sampled {
    pub tid: u32,
    pub time: u64,
    pub stack: u32,
}

impl Wall {
    /// The time from the first record to the last.
    pub fn length(&self) -> u64 {
        self.end - self.start
    }
}

pub(super) fn threads(tracks: &[Track], names: &ThreadNames) -> Vec<WallThread> {
    let thread = |of: &Track| WallThread {
        pid: of.pid,
        tid: of.tid,
        name: names.at(of.tid, of.end).map(str::to_string),
        start: of.start,
        end: of.end,
    };
    tracks.iter().map(thread).collect()
}

/// The time by thread, state and stack, and the number of samples.
#[derive(Default)]
struct Amounts(BTreeMap<(usize, State, Option<u32>), Amount>);

impl Amounts {
    fn at(&mut self, thread: usize, state: State, stack: Option<u32>) -> &mut Amount {
        let (time, wall, path, count, squares) = (0.0, 0.0, 0.0, 0, 0.0);
        let new = Amount { thread, state, stack, time, wall, path, count, squares };
        self.0.entry((thread, state, stack)).or_insert(new)
    }
}

/// The amounts, and the number of samples that are in them; the samples are in the order of threads and times.
pub(super) fn amounts(
    tracks: &[Track],
    shares: &Shares,
    path: &Path,
    samples: &[Sampled],
) -> (Vec<Amount>, u64) {
    let (mut amounts, mut used) = (Amounts::default(), 0);
    let mut of_path: Vec<Vec<Segment>> = vec![Vec::new(); tracks.len()];
    path.parts.iter().for_each(|(thread, of)| of_path[*thread].push(*of));
    for (thread, track) in tracks.iter().enumerate() {
        let mut ran = Ran::default();
        for of in &track.segments {
            let wall = shares.of(thread, of);
            if of.state == State::Running {
                ran.time += (of.end - of.start) as f64;
                ran.wall += wall;
                ran.times.push(of.start..of.end);
                continue;
            }
            let amount = amounts.at(thread, of.state, of.stack);
            amount.time += (of.end - of.start) as f64;
            amount.wall += wall;
            // A wait that was divided is one wait.
            amount.count += 1;
        }
        for of in &of_path[thread] {
            if of.state == State::Running {
                ran.path += (of.end - of.start) as f64;
                ran.path_times.push(of.start..of.end);
            } else {
                amounts.at(thread, of.state, of.stack).path += (of.end - of.start) as f64;
            }
        }
        ran.path_times.sort_unstable_by_key(|of| of.start);
        used += ran.divide(thread, of_thread(track, samples), shares, &mut amounts);
    }
    (amounts.0.into_values().collect(), used)
}

/// The samples of a thread, of which another one may have had the number.
fn of_thread<'s>(track: &Track, samples: &'s [Sampled]) -> &'s [Sampled] {
    let at = |time| samples.partition_point(|of| (of.tid, of.time) < (track.tid, time));
    &samples[at(track.start)..at(track.end.saturating_add(u64::from(!track.has_ended)))]
}

/// The time that a thread ran.
#[derive(Default)]
struct Ran {
    time: f64,
    wall: f64,
    path: f64,
    times: Vec<Range<u64>>,
    path_times: Vec<Range<u64>>,
}

impl Ran {
    /// Divides it among the samples, and returns their number; without samples, it is at no place.
    fn divide(
        &self,
        thread: usize,
        samples: &[Sampled],
        shares: &Shares,
        amounts: &mut Amounts,
    ) -> u64 {
        let is_in = |times: &[Range<u64>], time: u64| {
            let after = times.partition_point(|of| of.start <= time);
            // The timer of a clock may be late by a moment.
            times[..after].last().is_some_and(|of| time <= of.end)
        };
        let ran: Vec<&Sampled> = samples.iter().filter(|of| is_in(&self.times, of.time)).collect();
        let weight = |of: &Sampled| 1.0 / f64::from(shares.running(of.time).max(1));
        let weights: f64 = ran.iter().map(|of| weight(of)).sum();
        let on_path = |of: &&&Sampled| is_in(&self.path_times, of.time);
        let of_path = ran.iter().filter(on_path).count();
        for of in &ran {
            let amount = amounts.at(thread, State::Running, Some(of.stack));
            let wall = self.wall * weight(of) / weights;
            amount.time += self.time / ran.len() as f64;
            amount.wall += wall;
            amount.squares += wall * wall;
            amount.count += 1;
            if on_path(&of) {
                amount.path += self.path / of_path as f64;
            }
        }
        if ran.is_empty() && self.time > 0.0 {
            let amount = amounts.at(thread, State::Running, None);
            (amount.time, amount.wall) = (self.time, self.wall);
        }
        if of_path == 0 && self.path > 0.0 {
            amounts.at(thread, State::Running, None).path = self.path;
        }
        ran.len() as u64
    }
}
