//! By how much the counts in samples have grown since the sample before.

use std::collections::HashMap;

/// By how much the counts of a group have grown since the last sample that had them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Growth {
    /// The number of the stream: the same for samples whose counts go on from each other, those of one group on one thread or CPU.
    pub stream: usize,
    /// Nothing is known of what came before: it is the first sample of its stream, and the counts are those since the events were enabled.
    pub is_first: bool,
    /// The index of each event, and by how much its count has grown.
    pub counts: Vec<(usize, u64)>,
}

/// The last counts of each stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    numbers: HashMap<(u64, Option<u32>), usize>,
    last: Vec<Vec<u64>>,
}

impl Streams {
    /// Takes the counts of a sample, each with its event and its id; `thread` if each thread has counts of its own.
    ///
    /// A count that is lower than before is that of a new stream, such as of a thread that has the id of one that ended.
    pub(crate) fn grown(
        &mut self,
        thread: Option<u32>,
        members: impl IntoIterator<Item = (usize, u64, u64)>,
    ) -> Growth {
        let (mut counts, mut now, mut first) = (Vec::new(), Vec::new(), 0);
        for (event, id, count) in members {
            if counts.is_empty() {
                first = id;
            }
            counts.push((event, count));
            now.push(count);
        }
        let next = self.last.len();
        let stream = *self.numbers.entry((first, thread)).or_insert(next);
        if stream == next {
            self.last.push(Vec::new());
        }
        let before = std::mem::replace(&mut self.last[stream], now);
        let goes_on = before.len() == counts.len()
            && counts.iter().zip(&before).all(|((_, count), before)| count >= before);
        if goes_on {
            counts.iter_mut().zip(before).for_each(|((_, count), before)| *count -= before);
        }
        Growth { stream, is_first: !goes_on, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// A stream, by how much its counts grow, and what happens to the sample.
    type Step = (usize, u64, u64, Event);

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Event {
        Taken,
        Lost,
        /// Another thread has the id from now on, and its first count is 0.
        New,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let event =
            prop_oneof![6 => Just(Event::Taken), 2 => Just(Event::Lost), 1 => Just(Event::New)];
        proptest::collection::vec((0..4_usize, 0..1000_u64, 0..1000_u64, event), 0..200)
    }

    proptest! {
        #[test]
        fn what_has_grown_adds_up_to_the_counts_of_all_threads(steps in steps()) {
            let mut streams = Streams::default();
            // Of each stream: the counts now and in its last sample, those of threads that ended, and the sums of what has grown.
            let (mut counts, mut sampled, mut ended, mut sums) = ([[0; 2]; 4], [[0; 2]; 4], [[0; 2]; 4], [[0; 2]; 4]);
            let mut seen = HashSet::new();
            for (of, a, b, event) in steps {
                // Only a count that is lower tells.
                let is_new = event == Event::New && sampled[of][0] > 0;
                if is_new {
                    ended[of] = [0, 1].map(|at| ended[of][at] + sampled[of][at]);
                    counts[of] = [0, b];
                } else {
                    counts[of] = [counts[of][0] + a, counts[of][1] + b];
                }
                if event == Event::Lost {
                    continue;
                }
                let members = [(0, 7, counts[of][0]), (1, 8, counts[of][1])];
                let growth = streams.grown(Some(of as u32), members);
                prop_assert_eq!(growth.is_first, seen.insert(of) || is_new);
                sums[of] = [0, 1].map(|at| sums[of][at] + growth.counts[at].1);
                sampled[of] = counts[of];
                prop_assert_eq!(sums[of], [0, 1].map(|at| ended[of][at] + sampled[of][at]));
            }
        }
    }

    #[test]
    fn a_count_that_wraps_or_begins_again_is_that_of_a_new_stream() {
        let mut streams = Streams::default();
        let mut take = |a, b| streams.grown(None, [(0, 1, a), (1, 2, b)]);
        assert!(take(u64::MAX - 5, 10).is_first);
        let growth = take(u64::MAX, 30);
        assert_eq!((growth.is_first, growth.counts), (false, vec![(0, 5), (1, 20)]));
        let growth = take(3, 31);
        assert_eq!((growth.is_first, growth.counts), (true, vec![(0, 3), (1, 31)]));
    }
}
