//! The critical path: what the end of the first thread waited for.

use super::tracks::{Segment, State, Track};
use std::collections::HashMap;

/// The parts of the time of the first thread, each with the thread that had it, in no order.
#[derive(Default)]
pub(super) struct Path {
    /// The thread at whose end it ends.
    pub thread: Option<usize>,
    pub start: u64,
    pub end: u64,
    pub parts: Vec<(usize, Segment)>,
}

/// The path that ends with the first thread.
pub(super) fn path(tracks: &[Track]) -> Path {
    let Some(main) = tracks.first() else { return Path::default() };
    let mut of_thread: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, track) in tracks.iter().enumerate() {
        of_thread.entry(track.tid).or_default().push(index);
    }
    // A number may be that of another thread later.
    let at = |tid: u32, time: u64| {
        let threads = of_thread.get(&tid)?;
        threads.iter().copied().rfind(|of| tracks[*of].start < time)
    };
    // A thread that has ended by its record still runs for a moment, in which it wakes those that wait for its end.
    let runs = |thread: usize, time: u64| match tracks[thread].before(time) {
        Some(of) => of.state == State::Running,
        None => tracks[thread].has_ended,
    };
    let (mut thread, mut time, mut parts) = (0, main.end, Vec::new());
    loop {
        if time > tracks[thread].end {
            let end = tracks[thread].end;
            parts.push((thread, Segment::running(end, time)));
            time = end;
        }
        let Some(of) = tracks[thread].before(time) else {
            let creator = tracks[thread].parent.and_then(|parent| at(parent, time));
            match creator {
                Some(creator) if creator != thread => thread = creator,
                _ => break,
            }
            continue;
        };
        // A thread that wakes another one runs.
        let waker = of.waker.filter(|_| of.state == State::Waiting && of.end == time);
        let waker = waker.and_then(|waker| at(waker, time));
        let waker = waker.filter(|waker| *waker != thread && runs(*waker, time));
        match waker {
            Some(waker) => thread = waker,
            None => {
                parts.push((thread, Segment { end: time, ..*of }));
                time = of.start;
            }
        }
    }
    Path { thread: Some(0), start: time, end: main.end, parts }
}
