//! The states of each thread, one after the other.

use std::collections::{HashMap, HashSet};

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum State {
    /// It is on a CPU.
    Running,
    /// It waits for something else than a CPU; where wake-ups are not known, up to when it runs again.
    Waiting,
    /// It was woken, or is new, and no CPU runs it yet; not known without wake-ups, but of new threads.
    Queued,
    /// It could run, and another thread got its CPU.
    Preempted,
    /// A record is missing that would say what it does.
    Unknown,
}

/// A change of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// It was sampled while it ran.
    Seen,
    /// It was created by another thread.
    Begins {
        parent: u32,
    },
    /// It is about to stop, with this stack.
    Leaves {
        stack: u32,
    },
    Stops {
        is_preempted: bool,
    },
    Runs,
    Ends,
}

/// A thread was woken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wake {
    pub time: u64,
    pub tid: u32,
    /// The thread that woke it; `None` for an interrupt.
    pub waker: Option<u32>,
}

/// A part of the time of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub start: u64,
    pub end: u64,
    pub state: State,
    /// Where the thread stopped.
    pub stack: Option<u32>,
    /// The thread that ended the wait.
    pub waker: Option<u32>,
}

impl Segment {
    pub(super) fn running(start: u64, end: u64) -> Segment {
        Segment { start, end, state: State::Running, stack: None, waker: None }
    }
}

/// The time of a thread, from its begin to its end without a gap.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub pid: u32,
    pub tid: u32,
    /// The thread that created it, if that was seen.
    pub parent: Option<u32>,
    pub start: u64,
    pub end: u64,
    pub has_ended: bool,
    /// It was not running at the end, and had not ended.
    pub is_stopped: bool,
    pub segments: Vec<Segment>,
}

impl Track {
    /// The segment in which the thread was just before a time.
    pub(super) fn before(&self, time: u64) -> Option<&Segment> {
        let after = self.segments.partition_point(|of| of.start < time);
        self.segments[..after].last().filter(|of| of.end >= time)
    }
}

/// A thread while its changes are read.
struct Live {
    track: Track,
    state: State,
    since: u64,
    stack: Option<u32>,
}

/// The tracks of these changes, which are in the order of time, from the first record to the last.
pub(super) fn tracks(
    changes: &[(u64, u32, u32, Change)],
    wakes: &[Wake],
    (start, end): (u64, u64),
) -> Vec<Track> {
    let mut live: HashMap<u32, Live> = HashMap::new();
    let (mut done, mut gone): (Vec<Track>, HashSet<u32>) = Default::default();
    for (time, pid, tid, change) in changes {
        if let Change::Begins { parent } = change {
            // Each event of a recording may say so.
            let is_same = |of: &Live| of.track.parent == Some(*parent);
            if live.get(tid).is_some_and(is_same) {
                continue;
            }
            gone.remove(tid);
            done.extend(live.remove(tid).map(|before| before.close(*time, false)));
            let began = Live::new(*pid, *tid, *time, State::Queued);
            let track = Track { parent: Some(*parent), ..began.track };
            live.insert(*tid, Live { track, ..began });
            continue;
        }
        // One that has ended stops some more times, which is no waiting.
        if gone.contains(tid) {
            continue;
        }
        // One of which nothing was seen was on its CPU all the time if it stops now.
        let first = if matches!(change, Change::Runs) { State::Unknown } else { State::Running };
        let of = live.entry(*tid).or_insert_with(|| Live::new(*pid, *tid, start, first));
        of.change(*time, *change);
        if matches!(change, Change::Ends) {
            done.extend(live.remove(tid).map(|ended| ended.close(*time, true)));
            gone.insert(*tid);
        }
    }
    done.extend(live.into_values().map(|of| of.close(end, false)));
    done.sort_by_key(|track| (track.start, track.tid));
    let mut of_thread: HashMap<u32, Vec<Wake>> = HashMap::new();
    wakes.iter().for_each(|wake| of_thread.entry(wake.tid).or_default().push(*wake));
    for track in &mut done {
        if let Some(wakes) = of_thread.get_mut(&track.tid) {
            wakes.sort_by_key(|wake| wake.time);
            woken(track, wakes);
        }
    }
    done
}

/// Divides each wait where the thread was woken.
fn woken(track: &mut Track, wakes: &[Wake]) {
    let mut segments = Vec::with_capacity(track.segments.len());
    let mut ran = track.start;
    for of in std::mem::take(&mut track.segments) {
        if of.state != State::Waiting {
            if of.state == State::Running {
                ran = of.start;
            }
            segments.push(of);
            continue;
        }
        let next = wakes.partition_point(|wake| wake.time < of.start);
        let during = wakes.get(next).filter(|wake| wake.time < of.end);
        // The kernel may say that a thread is woken while it still stops.
        let before = wakes[..next].last().filter(|wake| wake.time >= ran);
        let Some(wake) = during.or(before) else {
            segments.push(of);
            continue;
        };
        let at = wake.time.max(of.start);
        segments.push(Segment { end: at, waker: wake.waker, ..of });
        segments.push(Segment { start: at, state: State::Queued, ..of });
    }
    segments.retain(|of| of.start < of.end);
    track.segments = segments;
}

impl Live {
    fn new(pid: u32, tid: u32, since: u64, state: State) -> Live {
        let (start, end, segments) = (since, since, Vec::new());
        let (parent, has_ended, is_stopped) = (None, false, false);
        let track = Track { pid, tid, parent, start, end, has_ended, is_stopped, segments };
        Live { track, state, since, stack: None }
    }

    fn change(&mut self, time: u64, change: Change) {
        match change {
            Change::Leaves { stack } => self.stack = Some(stack),
            Change::Stops { is_preempted } => {
                let is_whole = self.state == State::Running;
                let stack = self.stack.take().filter(|_| is_whole);
                self.end(time, if is_whole { State::Running } else { State::Unknown });
                self.state = if is_preempted { State::Preempted } else { State::Waiting };
                self.stack = stack;
            }
            Change::Runs => {
                let is_whole = self.state != State::Running;
                self.end(time, if is_whole { self.state } else { State::Unknown });
                (self.state, self.stack) = (State::Running, None);
            }
            Change::Seen | Change::Begins { .. } | Change::Ends => {}
        }
    }

    /// Ends the state that the thread had since the last change.
    fn end(&mut self, time: u64, state: State) {
        let stack = self.stack.filter(|_| state != State::Running && state != State::Unknown);
        let time = time.max(self.since);
        if time > self.since {
            let (start, end) = (self.since, time);
            self.track.segments.push(Segment { start, end, state, stack, waker: None });
        }
        self.since = time;
    }

    fn close(mut self, time: u64, has_ended: bool) -> Track {
        // A thread ends while it runs.
        let is_lost = has_ended && self.state != State::Running;
        self.end(time, if is_lost { State::Unknown } else { self.state });
        let is_stopped =
            !has_ended && matches!(self.state, State::Waiting | State::Queued | State::Preempted);
        Track { end: self.since, has_ended, is_stopped, ..self.track }
    }
}
