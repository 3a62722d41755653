//! Samples of a program: draining and controlling the rings.

use super::records::{Layout, Record, RecordError};
use super::ring::Ring;
use super::{Fields, Sampling};
use crate::{Errno, Host, ReadFormat, Setup};
use std::collections::HashMap;
use std::fmt;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

impl Host {
    /// A sampler without events yet, whose samples have the contents given by `sampling`.
    pub fn sampler(&self, sampling: Sampling, setup: Setup) -> Sampler {
        Sampler::new(self.clone(), sampling, setup)
    }
}

/// Takes samples of a program: its instruction and state whenever an event occurs.
///
/// The kernel writes samples to rings in memory, one per CPU or thread, which several events share; [`Sampler::drain`] reads them.
/// Samples for which there is no space are lost and counted; nothing blocks.
///
/// ```
/// use counterpoint_perf::records::Record;
/// use counterpoint_perf::{Attr, Every, Fields, Host, Placement, Sampling, Setup, pmu_type};
///
/// let clock = Attr { every: Every::Period(100_000), ..Attr::new(pmu_type::SOFTWARE, 1) }; // 0.1 ms of task-clock
/// let mut sampler = Host::local().sampler(Sampling::new(Fields::IP), Setup::default());
/// sampler.add(&[clock.user_only()], &Placement::ThisThread)?;
/// let work: u64 = (0..3_000_000).fold(0, |sum, n| std::hint::black_box(sum ^ n));
/// let mut addresses = Vec::new();
/// sampler.drain(|record| {
///     if let Record::Sample(sample) = record {
///         addresses.extend(sample.ip);
///     }
/// })?;
/// println!("{work}: {} samples, {} lost", addresses.len(), sampler.lost()?);
/// # assert!(!addresses.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    pub(super) host: Host,
    pub(super) sampling: Sampling,
    pub(super) setup: Setup,
    pub(super) format: ReadFormat,
    pub(super) ring_bytes: usize,
    pub(super) rings: Vec<Ring>,
    /// The rings, each with the event for which it was created.
    pub(super) ring_owners: HashMap<RingKey, usize>,
    pub(super) events: Vec<Event>,
    pub(super) event_ids: EventIds,
    pub(super) added: usize,
    /// The losses reported by the records in the rings.
    reported_lost: u64,
    pub(super) opened: Vec<Opened>,
    copy: Option<RecordCopy>,
}

/// An event as the kernel got it, with the ids of all its copies on threads and CPUs; see [`Sampler::opened`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opened {
    /// The `perf_event_attr`, as far as all kernels and tools know it: its first 112 bytes.
    #[doc(alias = "perf_event_attr")]
    pub attr: Vec<u8>,
    /// The kernel's ids.
    pub ids: Vec<u64>,
}

/// The function that [`Sampler::copy_records`] calls.
struct RecordCopy(Box<CopyBytes>);

type CopyBytes = dyn FnMut(&[u8]) + Send;

impl fmt::Debug for RecordCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecordCopy")
    }
}

#[derive(Debug)]
pub(super) struct Event {
    pub(super) file: OwnedFd,
    /// The leader of a group, which is started and stopped.
    pub(super) leads: bool,
    /// The event of a group that takes the samples.
    pub(super) samples: bool,
    /// Its target has ended.
    pub(super) ended: bool,
}

/// Events of one CPU can share a ring; without a CPU, events of one thread can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum RingKey {
    ThisThread,
    Thread(u32),
    Cpu(u32),
}

/// Maps the kernel's ids to events; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct EventIds(pub(super) Arc<HashMap<u64, (usize, usize)>>);

impl EventIds {
    /// The call of [`Sampler::add`] that opened the event with this id, and the index of the event among those of the call.
    #[doc(alias = "PAPI_get_overflow_event_index")]
    pub fn event(&self, id: u64) -> Option<(usize, usize)> {
        self.0.get(&id).copied()
    }
}

/// The result of [`Sampler::drain`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drained {
    /// The number of records.
    pub records: u64,
    /// The number of records and samples that the kernel reported as lost since the last call.
    pub lost: u64,
    /// The first record that could not be decoded; other records of its ring may be missing too.
    pub unreadable: Option<RecordError>,
    /// True if a ring was in an invalid state, as it always is in a forked child; its contents are skipped.
    pub out_of_step: bool,
}

/// The reason why [`Sampler::wait`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitResult {
    /// A ring has enough records.
    Ready,
    /// All targets have ended; the rings contain the last records.
    Ended,
    /// The timeout has expired.
    TimedOut,
}

/// The default size of a ring (see [`Sampler::ring_bytes`]): the amount that an unprivileged user may lock for one CPU.
const RING_BYTES: usize = 512 << 10;
impl Sampler {
    pub(crate) fn new(host: Host, mut sampling: Sampling, setup: Setup) -> Sampler {
        if setup.inherit && sampling.fields.contains(Fields::READ) {
            // The values of a thread and of its children arrive interleaved, and the kernel requires the thread id to distinguish them.
            sampling.fields = sampling.fields | Fields::TID;
        }
        Sampler {
            host,
            sampling,
            setup,
            format: ReadFormat { group: sampling.fields.contains(Fields::READ), lost: true },
            ring_bytes: RING_BYTES,
            rings: Vec::new(),
            ring_owners: HashMap::new(),
            events: Vec::new(),
            event_ids: EventIds::default(),
            added: 0,
            reported_lost: 0,
            opened: Vec::new(),
            copy: None,
        }
    }

    /// Sets the size in bytes of the rings of events added from now on, rounded up to a power of two and a whole page.
    ///
    /// If the user may not lock that much memory, the size is halved until it fits, down to a page.
    pub fn ring_bytes(mut self, bytes: usize) -> Sampler {
        self.ring_bytes = bytes.clamp(1, 1 << 40).next_power_of_two();
        self
    }
}

/// Starting, stopping and reading.
impl Sampler {
    /// Starts sampling.
    #[doc(alias = "PERF_EVENT_IOC_ENABLE")]
    pub fn enable(&mut self) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.events()?.enable(event))
    }

    /// Stops sampling; the rings keep their contents.
    #[doc(alias = "PERF_EVENT_IOC_DISABLE")]
    pub fn disable(&mut self) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.events()?.disable(event))
    }

    fn leaders(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.events.iter().filter(|event| event.leads).map(|event| event.file.as_fd())
    }

    /// Waits until a ring has as many records as [`Sampling::wakeup`] requires, or all targets have ended.
    ///
    /// A handled signal ends the wait as if the timeout had expired.
    pub fn wait(&mut self, timeout: Option<Duration>) -> Result<WaitResult, Errno> {
        Ok(self.wait_beside(None, timeout)?.0)
    }

    /// The same, and also returns whether `other` is readable or closed.
    pub(super) fn wait_beside(
        &mut self,
        other: Option<BorrowedFd<'_>>,
        timeout: Option<Duration>,
    ) -> Result<(WaitResult, bool), Errno> {
        // An event that has ended is always ready, to report this.
        let live = |event: &&mut Event| event.samples && !event.ended;
        let mut events: Vec<&mut Event> = self.events.iter_mut().filter(live).collect();
        if events.is_empty() && other.is_none() {
            return Ok((WaitResult::Ended, false));
        }
        let files: Vec<BorrowedFd<'_>> =
            events.iter().map(|event| event.file.as_fd()).chain(other).collect();
        let found = match self.host.events()?.poll(&files, timeout) {
            Err(Errno::EINTR) => return Ok((WaitResult::TimedOut, false)),
            found => found?,
        };
        let mut ready = false;
        for (event, found) in events.iter_mut().zip(&found) {
            ready |= found.ready;
            event.ended = found.ended;
        }
        let other = found.get(events.len()).is_some_and(|found| found.ready || found.ended);
        let woken = if events.iter().all(|event| event.ended) {
            WaitResult::Ended
        } else if ready {
            WaitResult::Ready
        } else {
            WaitResult::TimedOut
        };
        Ok((woken, other))
    }

    /// The events opened so far; an event that failed to open everywhere may be among them.
    pub fn opened(&self) -> &[Opened] {
        &self.opened
    }

    /// Passes the bytes of the records to `copy` whenever they are read from a ring, before they are decoded, and no bytes after all rings have been read.
    pub fn copy_records(&mut self, copy: impl FnMut(&[u8]) + Send + 'static) {
        self.copy = Some(RecordCopy(Box::new(copy)));
    }

    /// Calls `each` for every record in the rings, and releases the space.
    ///
    /// The records of one ring are in chronological order; those of several rings can be ordered only by [`Fields::TIME`].
    /// A forked child cannot read anything, as the memory belongs to the parent.
    pub fn drain(&mut self, mut each: impl FnMut(&Record<'_>)) -> Result<Drained, Errno> {
        let layout = self.layout();
        let mut drained = Drained::default();
        for ring in &mut self.rings {
            let Ok(bytes) = ring.take() else {
                drained.out_of_step = true;
                continue;
            };
            if let Some(RecordCopy(copy)) = self.copy.as_mut().filter(|_| !bytes.is_empty()) {
                copy(bytes);
            }
            layout.records(bytes).for_each(|record| match &record {
                Ok(record) => {
                    drained.records += 1;
                    if let Record::Lost { lost, .. } | Record::LostSamples { lost } = record {
                        drained.lost = drained.lost.saturating_add(*lost);
                    }
                    each(record);
                }
                Err(error) => drained.unreadable = drained.unreadable.or(Some(*error)),
            });
        }
        if let Some(RecordCopy(copy)) = &mut self.copy {
            copy(&[]);
        }
        self.reported_lost = self.reported_lost.saturating_add(drained.lost);
        Ok(drained)
    }

    /// The layout of the records, for callers that decode them themselves.
    pub fn layout(&self) -> Layout {
        Layout::new(self.sampling.fields, self.format)
    }

    /// The events added so far, by the ids in samples.
    pub fn event_ids(&self) -> EventIds {
        self.event_ids.clone()
    }

    /// The number of records lost because the rings were full.
    ///
    /// The records that report losses are only written once there is space again, so the kernel's own count is used if available (Linux 6.0).
    pub fn lost(&self) -> Result<u64, Errno> {
        if !self.format.lost {
            return Ok(self.reported_lost);
        }
        let mut words = vec![0; 8 + 3 * self.events.len()];
        let mut counted = 0_u64;
        for leader in self.leaders() {
            let got = self.host.read(leader, &mut words)?;
            let place = if self.format.group { 5 } else { 4 };
            // An event in the error state reads as end of file, and its losses are unknown.
            counted = counted.saturating_add(*words[..got].get(place).ok_or(Errno::EIO)?);
        }
        Ok(counted.max(self.reported_lost))
    }

    /// The total size of all rings in bytes.
    pub fn room(&self) -> usize {
        self.rings.iter().map(Ring::size).sum()
    }

    /// The descriptors of the sampled events, one of which the information with a signal names ([`Sampler::signal`]).
    #[doc(alias = "si_fd")]
    pub fn files(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.events.iter().filter(|event| event.samples).map(|event| event.file.as_fd())
    }

    /// Makes the kernel send `signal` to `thread` whenever the events wake their reader, which with [`Wakeup::Samples(1)`](super::Wakeup::Samples) is once per sample.
    ///
    /// This is for programs that must act in the sampled thread itself; it costs about 20 times as much as reading rings.
    /// `signal` is a number such as that of `SIGRTMIN`; its handler is up to the caller, and must not call `PERF_EVENT_IOC_REFRESH`, on which Linux 6.16 and 6.17 hang.
    #[doc(alias = "F_SETOWN_EX")]
    pub fn signal(&mut self, signal: i32, thread: u32) -> Result<(), Errno> {
        self.files().try_for_each(|event| self.host.events()?.signal(event, signal, thread))
    }
}
