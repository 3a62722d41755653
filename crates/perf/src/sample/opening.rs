//! The events of a sampler, and the rings for their samples: opening, with what older kernels do not support left out.

use super::Sampling;
use super::ring::Ring;
use super::sampler::{Event, Opened, RingKey, Sampler};
use crate::diagnose::diagnose;
use crate::group::uninterrupted;
use crate::sys::recorded_attr;
use crate::{
    Attr, Cause, Errno, Every, OpenError, OpenFailure, OpenRequest, Placement, RingMemory, Setup,
};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

/// What an event is in its group.
#[derive(Clone, Copy)]
struct Role {
    /// The index of its leader, if it does not lead itself.
    leader: Option<usize>,
    samples: bool,
}

/// The page size of most machines.
const SMALLEST_RING: usize = 4096;

impl Sampler {
    /// Opens an event to be sampled, and others to be counted with it, whose values are included in its samples ([`Fields::READ`](super::Fields::READ)).
    ///
    /// An inherited event is opened on every CPU, because the kernel writes the records of a ring for one CPU or one thread, and does not support a ring for children.
    /// Returns the index of this call, counted from 0, which [`Sampler::event_ids`] returns for a sample.
    /// After an error, no event of this call stays open.
    pub fn add(&mut self, events: &[Attr], placement: &Placement) -> Result<usize, OpenError> {
        self.add_group(events, 0, placement)
    }

    /// Opens an event to be sampled in the group of another one, without which the processor does not sample it.
    ///
    /// Returns the index of this call, as [`Sampler::add`].
    #[doc(alias = "mem-loads-aux")]
    pub fn add_behind(
        &mut self,
        leader: &Attr,
        event: &Attr,
        placement: &Placement,
    ) -> Result<usize, OpenError> {
        self.add_group(&[leader.clone(), event.clone()], 1, placement)
    }

    /// Opens a group, of which the event at `sampled` takes the samples.
    fn add_group(
        &mut self,
        events: &[Attr],
        sampled: usize,
        placement: &Placement,
    ) -> Result<usize, OpenError> {
        if !self.host.is_running() {
            return Err(OpenError::recording());
        }
        let every = events.get(sampled).map(|event| event.every);
        if matches!(every, Some(Every::Period(0) | Every::Frequency(0))) {
            return Err(OpenError { errno: Errno::EINVAL, cause: Cause::NoRate });
        }
        let (opened, mapped) = (self.events.len(), self.rings.len());
        let placements = self.placements(placement)?;
        if let Err(error) =
            placements.iter().try_for_each(|one| self.open_group(events, sampled, one))
        {
            self.rings.truncate(mapped);
            self.events.truncate(opened);
            self.ring_owners.retain(|_, first| *first < opened);
            Arc::make_mut(&mut self.event_ids.0).retain(|_, (call, _)| *call != self.added);
            return Err(error);
        }
        self.added += 1;
        Ok(self.added - 1)
    }

    /// The placements at which an event requested for `placement` is opened.
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

    fn open_group(
        &mut self,
        events: &[Attr],
        sampled: usize,
        placement: &Placement,
    ) -> Result<(), OpenError> {
        let leader = self.events.len();
        for (index, attr) in events.iter().enumerate() {
            let role = Role { leader: (index > 0).then_some(leader), samples: index == sampled };
            let file = self.open(attr, placement, role)?;
            let id =
                self.host.events().and_then(|events| events.id(file.as_fd())).map_err(failed)?;
            Arc::make_mut(&mut self.event_ids.0).insert(id, (self.added, index));
            let bytes = self.request(attr, placement, role, |request| self.recorded(request));
            match self.opened.iter_mut().find(|opened| opened.attr == bytes) {
                Some(opened) => opened.ids.push(id),
                None => self.opened.push(Opened { attr: bytes, ids: vec![id] }),
            }
            let event = self.events.len();
            let (leads, samples) = (index == 0, role.samples);
            self.events.push(Event { file, leads, samples, ended: false });
            if samples {
                self.attach(event, placement)?;
            }
        }
        if !self.setup.disabled {
            let leader = self.events[leader].file.as_fd();
            self.host.events().and_then(|events| events.enable(leader)).map_err(failed)?;
        }
        Ok(())
    }

    fn open(
        &mut self,
        attr: &Attr,
        placement: &Placement,
        role: Role,
    ) -> Result<OwnedFd, OpenError> {
        let opened = match self.try_open(attr, placement, role) {
            Err(OpenFailure { errno: Errno::EMFILE, .. }) => {
                let _ = self.host.events().and_then(|events| events.raise_open_files());
                self.try_open(attr, placement, role)
            }
            Err(first @ OpenFailure { errno: Errno::EINVAL, .. }) if self.events.is_empty() => {
                let asked = (self.format.lost, self.sampling.build_ids);
                // Linux before 6.0 does not support LOST.
                self.format.lost = false;
                let mut again = self.try_open(attr, placement, role);
                if again.is_err() && self.sampling.build_ids {
                    // Linux before 5.12 does not support build ids.
                    self.sampling.build_ids = false;
                    again = self.try_open(attr, placement, role);
                }
                if again.is_err() {
                    (self.format.lost, self.sampling.build_ids) = asked;
                }
                again.map_err(|_| first)
            }
            other => other,
        };
        opened.map_err(|failure| {
            self.request(attr, placement, role, |request| diagnose(&self.host, request, failure))
        })
    }

    fn try_open(
        &self,
        attr: &Attr,
        placement: &Placement,
        role: Role,
    ) -> Result<OwnedFd, OpenFailure> {
        let events = self.host.events()?;
        self.request(attr, placement, role, |request| uninterrupted(|| events.open(request)))
    }

    fn request<T>(
        &self,
        attr: &Attr,
        placement: &Placement,
        role: Role,
        with: impl FnOnce(&OpenRequest<'_>) -> T,
    ) -> T {
        let setup = match role.leader {
            // Only the leader is started; the events with it follow.
            Some(_) => Setup { inherit: self.setup.inherit, ..Setup::default() },
            // It starts once there is a ring: earlier samples would be neither kept nor counted as lost.
            None => Setup { disabled: true, ..self.setup },
        };
        let sampling = role.samples.then_some(self.sampling);
        let leader = role.leader.map(|leader| self.events[leader].file.as_fd());
        let format = self.format;
        let request = OpenRequest { attr, setup, format, placement, leader, sampling };
        with(&request)
    }

    /// The attribute as a recording has it: with the contents of samples also for an event that takes none, because all events of a file have the same.
    fn recorded(&self, request: &OpenRequest<'_>) -> Vec<u8> {
        if request.sampling.is_some() {
            return recorded_attr(request);
        }
        let sampling = Sampling { tasks: false, switches: false, ..self.sampling };
        let attr = Attr { every: Every::Period(0), ..request.attr.clone() };
        recorded_attr(&OpenRequest { attr: &attr, sampling: Some(sampling), ..*request })
    }

    /// Attaches an event to a new ring, or to the existing ring of its placement.
    fn attach(&mut self, event: usize, placement: &Placement) -> Result<(), OpenError> {
        let key = match placement {
            Placement::ThisThread => RingKey::ThisThread,
            Placement::Thread(thread) => RingKey::Thread(*thread),
            Placement::ThreadOnCpu { cpu, .. } | Placement::Cpu(cpu) => RingKey::Cpu(*cpu),
            Placement::Cgroup { cpu, .. } => RingKey::Cpu(*cpu),
        };
        let file = self.events[event].file.as_fd();
        if let Some(first) = self.ring_owners.get(&key) {
            let owner = self.events[*first].file.as_fd();
            return self
                .host
                .events()
                .and_then(|events| events.redirect(file, owner))
                .map_err(failed);
        }
        let memory = self.map(file)?;
        self.ring_owners.insert(key, event);
        self.rings.push(Ring::new(memory));
        Ok(())
    }

    fn map(&self, event: BorrowedFd<'_>) -> Result<Box<dyn RingMemory>, OpenError> {
        let mut bytes = self.ring_bytes;
        let events = self.host.events().map_err(failed)?;
        loop {
            match events.map(event, bytes) {
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
