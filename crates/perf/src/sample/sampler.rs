use super::records::{Layout, Record, RecordError};
use super::ring::Ring;
use super::{Fields, Sampling};
use crate::error::diagnose;
use crate::group::uninterrupted;
use crate::{
    Attr, Cause, Errno, Host, Kernel, OpenError, OpenRequest, Placement, ReadFormat, Refusal,
    RingMemory, Setup,
};
use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

/// Takes samples: at which instruction, and in which state, a program was when events came.
///
/// The kernel writes them into rings of memory, one for each CPU or thread, which several events share; [`Sampler::drain`] reads them.
/// What finds no room is lost and counted; nothing waits.
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
    host: Host,
    sampling: Sampling,
    setup: Setup,
    format: ReadFormat,
    ring_bytes: usize,
    rings: Vec<Ring>,
    /// Where there are rings, and the events that they were made for.
    places: HashMap<Place, usize>,
    events: Vec<Event>,
    numbers: Numbers,
    added: usize,
    /// What the records in the rings said.
    reported_lost: u64,
}

#[derive(Debug)]
struct Event {
    file: OwnedFd,
    /// The first of a group, which is started and stopped and takes the samples.
    leads: bool,
    /// Its target has gone.
    ended: bool,
}

/// Events of one CPU can share a ring; without a CPU, those of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    ThisThread,
    Thread(u32),
    Cpu(u32),
}

/// Which event a number of the kernel stands for; cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct Numbers(Arc<HashMap<u64, (usize, usize)>>);

impl Numbers {
    /// The call of [`Sampler::add`] that opened the event with this number, and the event's place among its events.
    #[doc(alias = "PAPI_get_overflow_event_index")]
    pub fn event(&self, id: u64) -> Option<(usize, usize)> {
        self.0.get(&id).copied()
    }
}

/// What [`Sampler::drain`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drained {
    /// How many records.
    pub records: u64,
    /// How many records and samples the kernel reported as lost since the last time.
    pub lost: u64,
    /// The first record that could not be read; the others of its ring may be missing too.
    pub unreadable: Option<RecordError>,
    /// A ring was found in a state that cannot be: what it held is skipped, as always in a forked child.
    pub out_of_step: bool,
}

/// Why [`Sampler::wait`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// A ring has as many records as were waited for.
    Ready,
    /// All targets have ended; what is in the rings is the last.
    Ended,
    /// The time is over.
    TimeOut,
}

/// Room for a ring unless [`Sampler::ring_bytes`] says otherwise: as much as an unprivileged user may lock for one CPU.
const RING_BYTES: usize = 512 << 10;
/// A page of most machines.
const SMALLEST_RING: usize = 4096;

impl Sampler {
    pub(crate) fn new(host: Host, mut sampling: Sampling, setup: Setup) -> Sampler {
        if setup.inherit && sampling.fields.contains(Fields::READ) {
            // The values of a thread and of its children come mixed, and the kernel insists on telling them apart.
            sampling.fields = sampling.fields | Fields::TID;
        }
        Sampler {
            host,
            sampling,
            setup,
            format: ReadFormat { group: sampling.fields.contains(Fields::READ), lost: true },
            ring_bytes: RING_BYTES,
            rings: Vec::new(),
            places: HashMap::new(),
            events: Vec::new(),
            numbers: Numbers::default(),
            added: 0,
            reported_lost: 0,
        }
    }

    /// How many bytes the rings of events added from now on hold: rounded up to a power of two and a whole page.
    ///
    /// Where the user may not lock so much memory, a ring gets the half of it, or the half of that, down to a page.
    pub fn ring_bytes(mut self, bytes: usize) -> Sampler {
        self.ring_bytes = bytes.clamp(1, 1 << 40).next_power_of_two();
        self
    }

    /// Opens an event that is sampled, and more that are counted beside it, whose values come with its samples ([`Fields::READ`]).
    ///
    /// An event that is inherited is opened on every CPU, because the kernel gives a ring to one CPU or to one thread, and not to children.
    /// The result numbers the calls, from 0; [`Sampler::numbers`] gives it back for a sample.
    /// After an error nothing of this call is open.
    pub fn add(&mut self, events: &[Attr], placement: &Placement) -> Result<usize, OpenError> {
        if self.host.is_recording() {
            return Err(OpenError::recording());
        }
        let (opened, mapped) = (self.events.len(), self.rings.len());
        let placements = self.placements(placement)?;
        if let Err(error) = placements.iter().try_for_each(|one| self.open_group(events, one)) {
            self.rings.truncate(mapped);
            self.events.truncate(opened);
            self.places.retain(|_, first| *first < opened);
            Arc::make_mut(&mut self.numbers.0).retain(|_, (call, _)| *call != self.added);
            return Err(error);
        }
        self.added += 1;
        Ok(self.added - 1)
    }

    /// Where an event is opened that is wanted at `placement`.
    fn placements(&self, placement: &Placement) -> Result<Vec<Placement>, OpenError> {
        let thread = match placement {
            Placement::Thread(thread) => *thread,
            Placement::ThisThread => nix::unistd::gettid().as_raw().unsigned_abs(),
            _ => return Ok(vec![placement.clone()]),
        };
        if !self.setup.inherit {
            return Ok(vec![placement.clone()]);
        }
        let cpus = self.host.every_online_cpu()?;
        Ok(cpus.iter().map(|cpu| Placement::ThreadOnCpu { thread, cpu }).collect())
    }

    fn open_group(&mut self, events: &[Attr], placement: &Placement) -> Result<(), OpenError> {
        let leader = self.events.len();
        for (place, attr) in events.iter().enumerate() {
            let file = self.open(attr, placement, (place > 0).then_some(leader))?;
            let id = self.host.kernel().id(file.as_fd()).map_err(failed)?;
            Arc::make_mut(&mut self.numbers.0).insert(id, (self.added, place));
            self.events.push(Event { file, leads: place == 0, ended: false });
            if place == 0 {
                self.attach(leader, placement)?;
            }
        }
        if !self.setup.disabled {
            let leader = self.events[leader].file.as_fd();
            self.host.kernel().enable(leader).map_err(failed)?;
        }
        Ok(())
    }

    fn open(
        &mut self,
        attr: &Attr,
        placement: &Placement,
        leader: Option<usize>,
    ) -> Result<OwnedFd, OpenError> {
        let opened = match self.try_open(attr, placement, leader) {
            Err(Refusal { errno: Errno::EMFILE, .. }) => {
                let _ = self.host.kernel().raise_open_files();
                self.try_open(attr, placement, leader)
            }
            Err(first @ Refusal { errno: Errno::EINVAL, .. }) if self.events.is_empty() => {
                // Linux before 6.0 does not know LOST.
                self.format.lost = false;
                let again = self.try_open(attr, placement, leader);
                self.format.lost = again.is_err();
                again.map_err(|_| first)
            }
            other => other,
        };
        opened.map_err(|refusal| {
            self.request(attr, placement, leader, |_, request| {
                diagnose(&self.host, request, refusal)
            })
        })
    }

    fn try_open(
        &self,
        attr: &Attr,
        placement: &Placement,
        leader: Option<usize>,
    ) -> Result<OwnedFd, Refusal> {
        self.request(attr, placement, leader, |kernel, request| {
            uninterrupted(|| kernel.open(request))
        })
    }

    fn request<T>(
        &self,
        attr: &Attr,
        placement: &Placement,
        leader: Option<usize>,
        with: impl FnOnce(&dyn Kernel, &OpenRequest<'_>) -> T,
    ) -> T {
        let (setup, sampling) = match leader {
            // The leader alone is started and sampled; what counts beside it follows.
            Some(_) => (Setup { inherit: self.setup.inherit, ..Setup::default() }, None),
            // It starts when it has its ring: what came before would be neither kept nor counted as lost.
            None => (Setup { disabled: true, ..self.setup }, Some(self.sampling)),
        };
        let leader = leader.map(|leader| self.events[leader].file.as_fd());
        let format = self.format;
        let request = OpenRequest { attr, setup, format, placement, leader, sampling };
        with(self.host.kernel(), &request)
    }

    /// Gives an event a ring, or the ring of its place.
    fn attach(&mut self, event: usize, placement: &Placement) -> Result<(), OpenError> {
        let place = match placement {
            Placement::ThisThread => Place::ThisThread,
            Placement::Thread(thread) => Place::Thread(*thread),
            Placement::ThreadOnCpu { cpu, .. } | Placement::Cpu(cpu) => Place::Cpu(*cpu),
            Placement::Cgroup { cpu, .. } => Place::Cpu(*cpu),
        };
        let file = self.events[event].file.as_fd();
        if let Some(first) = self.places.get(&place) {
            let owner = self.events[*first].file.as_fd();
            return self.host.kernel().redirect(file, owner).map_err(failed);
        }
        let memory = self.map(file)?;
        self.places.insert(place, event);
        self.rings.push(Ring::new(memory));
        Ok(())
    }

    fn map(&self, event: BorrowedFd<'_>) -> Result<Box<dyn RingMemory>, OpenError> {
        let mut bytes = self.ring_bytes;
        loop {
            match self.host.kernel().map(event, bytes) {
                Err(Errno::EPERM | Errno::ENOMEM) if bytes > SMALLEST_RING => bytes /= 2,
                Err(errno @ (Errno::EPERM | Errno::ENOMEM)) => {
                    return Err(OpenError { errno, cause: Cause::NoRingMemory });
                }
                other => return other.map_err(failed),
            }
        }
    }
}

fn failed(errno: Errno) -> OpenError {
    OpenError { errno, cause: Cause::Other }
}

/// Running.
impl Sampler {
    /// Starts sampling.
    #[doc(alias = "PERF_EVENT_IOC_ENABLE")]
    pub fn enable(&mut self) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.kernel().enable(event))
    }

    /// Stops sampling; what is in the rings stays there.
    #[doc(alias = "PERF_EVENT_IOC_DISABLE")]
    pub fn disable(&mut self) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.kernel().disable(event))
    }

    fn leaders(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.events.iter().filter(|event| event.leads).map(|event| event.file.as_fd())
    }

    /// Waits until a ring has as many records as [`Sampling::wake`] says, or all targets have ended.
    ///
    /// A signal that is handled ends the wait as if the time were over.
    pub fn wait(&mut self, timeout: Option<Duration>) -> Result<Woken, Errno> {
        Ok(self.wait_beside(None, timeout)?.0)
    }

    /// The same, and whether `other` has something to read or has ended.
    pub(super) fn wait_beside(
        &mut self,
        other: Option<BorrowedFd<'_>>,
        timeout: Option<Duration>,
    ) -> Result<(Woken, bool), Errno> {
        // An event that has ended is always ready to say so.
        let live = |event: &&mut Event| event.leads && !event.ended;
        let mut events: Vec<&mut Event> = self.events.iter_mut().filter(live).collect();
        if events.is_empty() && other.is_none() {
            return Ok((Woken::Ended, false));
        }
        let files: Vec<BorrowedFd<'_>> =
            events.iter().map(|event| event.file.as_fd()).chain(other).collect();
        let found = match self.host.kernel().poll(&files, timeout) {
            Err(Errno::EINTR) => return Ok((Woken::TimeOut, false)),
            found => found?,
        };
        let mut ready = false;
        for (event, found) in events.iter_mut().zip(&found) {
            ready |= found.ready;
            event.ended = found.ended;
        }
        let other = found.get(events.len()).is_some_and(|found| found.ready || found.ended);
        let woken = if events.iter().all(|event| event.ended) {
            Woken::Ended
        } else if ready {
            Woken::Ready
        } else {
            Woken::TimeOut
        };
        Ok((woken, other))
    }

    /// Gives every record in the rings to `each`, and gives the kernel the room back.
    ///
    /// The records of one ring come in the order in which they happened; those of several rings are told apart by [`Fields::TIME`] only.
    /// In a forked child there is nothing to read: the memory is the parent's.
    pub fn drain(&mut self, mut each: impl FnMut(&Record<'_>)) -> Result<Drained, Errno> {
        let layout = self.layout();
        let mut drained = Drained::default();
        for ring in &mut self.rings {
            let Ok(bytes) = ring.take() else {
                drained.out_of_step = true;
                continue;
            };
            for record in layout.records(bytes) {
                match &record {
                    Ok(record) => {
                        drained.records += 1;
                        if let Record::Lost { lost, .. } | Record::LostSamples { lost } = record {
                            drained.lost = drained.lost.saturating_add(*lost);
                        }
                        each(record);
                    }
                    Err(error) => drained.unreadable = drained.unreadable.or(Some(*error)),
                }
            }
        }
        self.reported_lost = self.reported_lost.saturating_add(drained.lost);
        Ok(drained)
    }

    /// How the records are laid out, for who reads them himself.
    pub fn layout(&self) -> Layout {
        Layout { fields: self.sampling.fields, read: self.format }
    }

    /// Which event a sample's number stands for, of those added so far.
    pub fn numbers(&self) -> Numbers {
        self.numbers.clone()
    }

    /// How many records were lost because the rings were full.
    ///
    /// The records that tell are themselves written only when there is room again, so the kernel's own count is taken where it has one (Linux 6.0).
    pub fn lost(&self) -> Result<u64, Errno> {
        if !self.format.lost {
            return Ok(self.reported_lost);
        }
        let mut words = vec![0; 8 + 3 * self.events.len()];
        let mut counted = 0_u64;
        for leader in self.leaders() {
            let got = self.host.read(leader, &mut words)?;
            let place = if self.format.group { 5 } else { 4 };
            // An event in error is at the end of its file: nothing can be said of it.
            counted = counted.saturating_add(*words[..got].get(place).ok_or(Errno::EIO)?);
        }
        Ok(counted.max(self.reported_lost))
    }

    /// How many bytes all rings hold together.
    pub fn room(&self) -> usize {
        self.rings.iter().map(Ring::size).sum()
    }

    /// Has the kernel send `signal` to `thread` whenever the events wake their reader, once a sample with [`Wake::Samples(1)`](super::Wake::Samples).
    ///
    /// This is for programs that must act in the sampled thread itself; it costs some 20 times more than reading rings.
    /// `signal` is a number such as that of `SIGRTMIN`; its handler is the caller's, and must not call `PERF_EVENT_IOC_REFRESH`, on which Linux 6.16 and 6.17 hang.
    #[doc(alias = "F_SETOWN_EX")]
    pub fn signal(&mut self, signal: i32, thread: u32) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.kernel().signal(event, signal, thread))
    }
}
