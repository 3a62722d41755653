//! Groups of open events: opening, reading and controlling them.

use crate::diagnose::diagnose;
use crate::user_read::UserCounters;
use crate::{
    Attr, Cause, Count, Errno, Host, OpenError, OpenFailure, OpenRequest, Placement, ReadFormat,
    Setup, UserCounter,
};
use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

impl Host {
    /// Opens `events` as one group: all of them or none.
    ///
    /// Counting begins at once, unless `setup` has [`Setup::disabled`].
    pub fn open(
        &self,
        events: &[Attr],
        placement: Placement,
        setup: Setup,
    ) -> Result<Group, OpenError> {
        let mut group = self.group(placement, setup);
        for event in events {
            group.add(event)?;
        }
        Ok(group)
    }

    /// An empty group, for adding events one by one.
    pub fn group(&self, placement: Placement, setup: Setup) -> Group {
        Group::new(self.clone(), placement, setup)
    }
}

/// Events that are on the PMU together and are read in one call.
///
/// ```
/// use counterpoint_perf::{Attr, Host, Placement, Setup, pmu_type};
/// let host = Host::local();
/// let mut group = host.group(Placement::ThisThread, Setup::default());
/// group.add(&Attr::new(pmu_type::SOFTWARE, 1))?; // task-clock, in ns
/// group.add(&Attr::new(pmu_type::SOFTWARE, 2))?; // page faults
/// let counts = group.read()?;
/// assert!(counts[0].raw > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Group {
    host: Host,
    placement: Placement,
    setup: Setup,
    format: ReadFormat,
    members: Vec<Member>,
    /// True if counting is started.
    enabled: bool,
    words: Vec<u64>,
    /// The counters of all members; `None` if the thread that opened them cannot read each of them in user space.
    user: Option<UserCounters>,
}

#[derive(Debug)]
struct Member {
    event: OwnedFd,
    /// True if a read was at the end of the file: the event was pinned and has lost its counter.
    in_error: bool,
}

/// The usual maximum of members, for which opening a group allocates once.
const USUAL: usize = 8;

/// The number of words in a read of a group.
const fn words_of(members: usize) -> usize {
    3 + 3 * members
}

impl Group {
    pub(crate) fn new(host: Host, placement: Placement, setup: Setup) -> Group {
        let format = ReadFormat { group: true, lost: true };
        // Inherited events of children have pages of their own, which cannot be mapped.
        let is_own = matches!(placement, Placement::ThisThread) && !setup.inherit;
        Group {
            user: is_own.then(|| UserCounters::new(setup.user_reads)).flatten(),
            host,
            placement,
            setup,
            format,
            members: Vec::with_capacity(USUAL),
            enabled: !setup.disabled,
            words: Vec::with_capacity(words_of(USUAL)),
        }
    }

    /// Opens one more event; returns its index in the counts of a read.
    ///
    /// The first event is the leader: it is started and stopped, and the others follow it.
    /// After an error the group is unchanged, except that a running group may be stopped if it could not be started again.
    pub fn add(&mut self, attr: &Attr) -> Result<usize, OpenError> {
        if !self.host.is_running() {
            return Err(OpenError::recording());
        }
        if !self.enabled || !self.format.group || self.members.is_empty() {
            return self.join(attr);
        }
        // An event that joins a running group is not started until the thread is next scheduled, although its times include the interval (Linux 6.18).
        let failed = |errno| OpenError { errno, cause: Cause::Other };
        self.disable().map_err(failed)?;
        let joined = self.join(attr);
        if let Err(errno) = self.enable() {
            self.members.truncate(joined.unwrap_or(self.members.len()));
            // It may include the counter of the removed event.
            self.user = None;
            self.enabled = false;
            return Err(failed(errno));
        }
        joined
    }

    fn join(&mut self, attr: &Attr) -> Result<usize, OpenError> {
        let mut limit = None;
        let event = match self.open(attr) {
            Err(failure) if failure.errno == Errno::EMFILE => {
                limit = self.host.events().and_then(|events| events.raise_open_files()).ok();
                self.open(attr)
            }
            other => other,
        };
        let (event, counter) = event.map_err(|failure| {
            let mut error = diagnose(&self.host, &self.request(attr), failure);
            if let (Cause::TooManyOpenFiles { limit: known }, Some(limit)) =
                (&mut error.cause, limit)
            {
                // Without a free descriptor, the limit cannot be read from /proc.
                known.get_or_insert(limit);
            }
            error
        })?;
        self.filter(&event, attr)?;
        self.members.push(Member { event, in_error: false });
        // A read returns all members: if one needs a system call, the same call returns the others.
        self.user = self.user.take().zip(counter).and_then(|(user, counter)| user.with(counter));
        self.words.resize(words_of(self.members.len()), 0);
        Ok(self.members.len() - 1)
    }

    /// Sets the filter of an event, if it has one.
    fn filter(&self, event: &OwnedFd, attr: &Attr) -> Result<(), OpenError> {
        let Some(filter) = &attr.filter else { return Ok(()) };
        let filter = CString::new(filter.as_str()).map_err(|_| Errno::EINVAL);
        let set = |filter: CString| self.host.events()?.filter(event.as_fd(), &filter);
        filter.and_then(set).map_err(|errno| {
            let is_refused = errno == Errno::EINVAL;
            let cause = if is_refused { Cause::InvalidFilter } else { Cause::Other };
            OpenError { errno, cause }
        })
    }

    /// Opens an event, readable in user space if the kernel supports it for this event and all members so far.
    fn open(
        &mut self,
        attr: &Attr,
    ) -> Result<(OwnedFd, Option<Box<dyn UserCounter>>), OpenFailure> {
        if self.user.is_some()
            && let Ok(events) = self.host.events()
            && let Some(readable) = events.user_readable(attr)
            && let Ok(event) = self.open_with_fallbacks(&readable)
        {
            let counter = self.host.events()?.user_counter(event.as_fd());
            return Ok((event, counter.ok()));
        }
        Ok((self.open_with_fallbacks(attr)?, None))
    }

    /// Opens an event with the richest read format that this kernel supports; the first event determines it for the group.
    fn open_with_fallbacks(&mut self, attr: &Attr) -> Result<OwnedFd, OpenFailure> {
        let events = self.host.events()?;
        let first = match uninterrupted(|| events.open(&self.request(attr))) {
            Err(failure) if failure.errno == Errno::EINVAL && self.members.is_empty() => failure,
            other => return other,
        };
        // Linux before 6.0 does not support LOST, and before about 6.13 it does not support reads of inherited groups.
        let full = self.format;
        let poorer = [ReadFormat { lost: false, ..full }, ReadFormat { lost: false, group: false }];
        let tries = if self.setup.inherit { &poorer[..] } else { &poorer[..1] };
        for format in tries {
            self.format = *format;
            if let Ok(event) = self.host.events()?.open(&self.request(attr)) {
                return Ok(event);
            }
        }
        self.format = full;
        Err(first)
    }

    fn request<'r>(&'r self, attr: &'r Attr) -> OpenRequest<'r> {
        let leader = self.members.first().filter(|_| self.format.group).map(|m| m.event.as_fd());
        let setup = match leader {
            Some(_) => Setup { inherit: self.setup.inherit, ..Setup::default() },
            None => self.setup,
        };
        OpenRequest {
            attr,
            setup,
            format: self.format,
            placement: &self.placement,
            leader,
            sampling: None,
        }
    }

    /// The events that are started and stopped individually: the leader, or all if the kernel does not support a group.
    fn leaders(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let count = if self.format.group { 1 } else { self.members.len() };
        self.members.iter().take(count).map(|m| m.event.as_fd())
    }

    /// The number of open events.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns true if no event is open.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns true if one read returns all counts; if the kernel does not support reads of inherited groups, each event is read separately.
    pub fn is_read_together(&self) -> bool {
        self.format.group
    }

    /// Returns true if the thread that opened the group reads it without a system call while it is on the counters ([`Setup::user_reads`](crate::Setup)).
    pub fn is_read_in_user_space(&self) -> bool {
        self.user.is_some() && !self.is_empty()
    }

    /// Starts counting.
    #[doc(alias = "PERF_EVENT_IOC_ENABLE")]
    pub fn enable(&mut self) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.events()?.enable(event))?;
        self.enabled = true;
        Ok(())
    }

    /// Stops counting; the counts are kept.
    #[doc(alias = "PERF_EVENT_IOC_DISABLE")]
    pub fn disable(&mut self) -> Result<(), Errno> {
        self.leaders().try_for_each(|event| self.host.events()?.disable(event))?;
        self.enabled = false;
        Ok(())
    }

    /// Returns true if a read has shown that the member with this index was pinned and has lost its counter: its count is lost, and so are sums that include it.
    pub fn has_lost_counter(&self, member: usize) -> bool {
        self.members.get(member).is_some_and(|member| member.in_error)
    }

    /// The counts, in the order of the calls of [`Group::add`].
    pub fn read(&mut self) -> Result<Vec<Count>, Errno> {
        let mut counts = vec![Count::default(); self.members.len()];
        self.read_into(&mut counts)?;
        Ok(counts)
    }

    /// Writes the counts into `out`, one per member in the order of [`Group::add`]; does not allocate.
    ///
    /// A pinned event that lost its counter, or an event that no longer exists, has a `running` time of zero: it is not counted.
    /// An incomplete read is the error `EIO`.
    /// If `out` is shorter than the group, it receives the first counts.
    // Inlined into the caller, as `Host::read` is.
    #[inline(always)]
    pub fn read_into(&mut self, out: &mut [Count]) -> Result<(), Errno> {
        if self.format.group { self.read_together(out) } else { self.read_singly(out) }
    }

    /// Reads the counts, and calls `each` with every member's index and count if all members were counted whenever they were enabled.
    ///
    /// Otherwise it calls nothing and returns `false`, as for groups that are not read by one system call; [`Group::read_into`] has the times then.
    /// This is for callers that must be quick.
    // Inlined into the caller, as `Host::read` is.
    #[inline(always)]
    pub fn read_if_whole(&mut self, mut each: impl FnMut(usize, u64)) -> Result<bool, Errno> {
        if self.members.is_empty() || self.user.is_some() || !self.format.group {
            return Ok(false);
        }
        let got = self.read_words()?;
        let width = if self.format.lost { 3 } else { 2 };
        let members = self.members.len();
        let [entries, enabled, running, values @ ..] = self.words.as_slice() else {
            return Ok(false);
        };
        let is_whole = *entries == members as u64 && enabled == running;
        if got != 3 + width * members || !is_whole {
            return Ok(false);
        }
        // A loop, because iterators are called: the return from one would not be predicted either.
        for member in 0..members {
            each(member, values[member * width]);
        }
        Ok(true)
    }

    /// Reads the words of all members, and returns their number.
    #[inline(always)]
    fn read_words(&mut self) -> Result<usize, Errno> {
        match self.host.read(self.members[0].event.as_fd(), &mut self.words) {
            Err(Errno::ECHILD) => self.read_words_again(),
            got => got,
        }
    }

    /// The kernel refuses to read a group while a thread that inherited it ends and has left a part of it: for microseconds.
    #[cold]
    fn read_words_again(&mut self) -> Result<usize, Errno> {
        const TRIES: u32 = 1000;
        for _ in 0..TRIES {
            std::thread::sleep(Duration::from_micros(10));
            match self.host.read(self.members[0].event.as_fd(), &mut self.words) {
                Err(Errno::ECHILD) => {}
                got => return got,
            }
        }
        Err(Errno::ECHILD)
    }

    #[inline(always)]
    fn read_together(&mut self, out: &mut [Count]) -> Result<(), Errno> {
        if self.members.is_empty() {
            return Ok(());
        }
        // Events that are not sampled do not lose samples.
        let lost = self.format.lost.then_some(0);
        if self.user.as_ref().is_some_and(|user| user.read(out, lost)) {
            return Ok(());
        }
        let got = self.read_words()?;
        if got == 0 {
            out.fill(Count::default());
            self.members.iter_mut().for_each(|member| member.in_error = true);
            return Ok(());
        }
        let [entries, enabled, running, values @ ..] = &self.words[..got.min(self.words.len())]
        else {
            return Err(Errno::EIO);
        };
        let width = if self.format.lost { 3 } else { 2 };
        if entries.checked_mul(width) != Some(values.len() as u64) {
            return Err(Errno::EIO);
        }
        let times = (Duration::from_nanos(*enabled), Duration::from_nanos(*running));
        if self.format.lost {
            self.assign::<3>(values, times, out)
        } else {
            self.assign::<2>(values, times, out)
        }
    }

    /// Writes the values of a read into `out`; a value has `WIDTH` words, the second of which is the id of the member.
    #[inline(always)]
    fn assign<const WIDTH: usize>(
        &self,
        values: &[u64],
        (enabled, running): (Duration, Duration),
        out: &mut [Count],
    ) -> Result<(), Errno> {
        let (entries, _) = values.as_chunks::<WIDTH>();
        let count = |entry: &[u64; WIDTH]| Count {
            raw: entry[0],
            enabled,
            running,
            lost: entry.get(2).copied(),
        };
        // The kernel keeps the order, so ids are needed only if a member no longer exists.
        if entries.len() == self.members.len() {
            entries.iter().zip(out).for_each(|(entry, place)| *place = count(entry));
            return Ok(());
        }
        for (member, place) in self.members.iter().zip(out) {
            let id = self.host.events()?.id(member.event.as_fd())?;
            let entry = entries.iter().find(|entry| entry[1] == id);
            *place = entry.map_or(Count { enabled, ..Count::default() }, count);
        }
        Ok(())
    }

    fn read_singly(&mut self, out: &mut [Count]) -> Result<(), Errno> {
        for (member, count) in self.members.iter_mut().zip(out) {
            let mut words = [0; 4];
            let got = self.host.read(member.event.as_fd(), &mut words)?;
            let [raw, enabled, running, _id] = words;
            let (enabled, running) = (Duration::from_nanos(enabled), Duration::from_nanos(running));
            *count = match got {
                0 => Count::default(),
                4 => Count { raw, enabled, running, lost: None },
                _ => return Err(Errno::EIO),
            };
            member.in_error |= got == 0;
        }
        Ok(())
    }
}

/// Retries after `EINTR`: opening an event of another thread waits for its `exec`, and a signal interrupts the wait.
pub(crate) fn uninterrupted<T>(
    open: impl Fn() -> Result<T, OpenFailure>,
) -> Result<T, OpenFailure> {
    /// A limit for signals that keep coming.
    const TRIES: usize = 10;
    let mut result = open();
    for _ in 1..TRIES {
        match result {
            Err(OpenFailure { errno: Errno::EINTR, .. }) => result = open(),
            other => return other,
        }
    }
    result
}
