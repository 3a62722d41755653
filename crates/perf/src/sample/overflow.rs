//! Overflows of events that the hardware cannot sample.

use super::records::Sample;
use std::collections::HashMap;

/// Overflow emulated in software: detects the samples of a clock at which a count has passed a threshold.
///
/// Use it for events that cannot be sampled, and for values computed from several events: sample a clock often, count the events with it ([`Sampler::add`](super::Sampler::add) with several events), and the first sample at which the value has grown by the threshold since the last overflow is the next overflow.
/// The threads of the target are distinguished if samples contain [`Fields::TID`](super::Fields::TID).
#[derive(Clone, Debug)]
#[doc(alias = "PAPI_OVERFLOW_FORCE_SW")]
pub struct Overflow {
    threshold: i128,
    threads: HashMap<u32, Thread>,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// The last count of each event, by id; an event has one id per CPU.
    counts: HashMap<u64, u64>,
    deadline: i128,
}

impl Overflow {
    /// Overflows whenever the value has grown by `threshold`; 0 is treated as 1.
    pub fn every(threshold: u64) -> Overflow {
        Overflow { threshold: threshold.max(1).into(), threads: HashMap::new() }
    }

    /// Processes a sample; if the value has passed the threshold, returns by how much.
    ///
    /// `value` computes the value from the thread's counts, given as pairs of event id and count.
    #[doc(alias = "PAPI_overflow")]
    pub fn passes(
        &mut self,
        sample: &Sample<'_>,
        value: impl FnOnce(&mut dyn Iterator<Item = (u64, u64)>) -> i128,
    ) -> Option<u64> {
        let thread = self
            .threads
            .entry(sample.tid.unwrap_or(0))
            .or_insert_with(|| Thread { deadline: self.threshold, ..Thread::default() });
        thread.counts.extend(sample.values.iter().flat_map(|values| values.iter()));
        let value = value(&mut thread.counts.iter().map(|(id, count)| (*id, *count)));
        let excess = value.checked_sub(thread.deadline).filter(|excess| *excess >= 0)?;
        thread.deadline = value.saturating_add(self.threshold);
        Some(excess.try_into().unwrap_or(u64::MAX))
    }

    /// Forgets a thread that has ended, because its id may be reused.
    pub fn forget(&mut self, tid: u32) {
        self.threads.remove(&tid);
    }
}
