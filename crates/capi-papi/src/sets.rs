//! All event sets by their handles.

use counterpoint_capi::Current;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::claim::{Claim, Claimed};
use crate::codes::{EBUG, EINVAL, EISRUN, ENOEVST, ENOMEM, Failed};
use crate::library::Library;
use crate::opened::Options;
use crate::set::Set;

/// The most event sets of a process.
const MOST: usize = 4096;

/// A place for an event set, which is kept.
#[derive(Debug)]
struct Place {
    /// The process that has made it. One that was forked gets others, because a thread that it does not have may be using this one.
    process: u32,
    /// There is a set. Who looks for a free place leaves those with a set alone: a call with one of them would find it in use.
    has_set: AtomicBool,
    set: Claimed<Option<Set>>,
    /// The component and what it counts, while it is running; 0 otherwise.
    counts: AtomicU64,
}

static PLACES: [Current<Place>; MOST] = [const { Current::none() }; MOST];

/// The use of an event set by one call.
#[derive(Debug)]
pub(crate) struct Used {
    number: c_int,
    place: &'static Place,
    claim: Claim<'static, Option<Set>>,
}

fn place(handle: c_int) -> Result<&'static Place, Failed> {
    let place = usize::try_from(handle).ok().and_then(|number| PLACES.get(number));
    place.and_then(Current::get).ok_or(ENOEVST)
}

/// The event set of a handle.
#[inline(always)]
pub(crate) fn get(handle: c_int) -> Result<Used, Failed> {
    let place = place(handle)?;
    let claim = place.set.claim()?;
    if claim.is_none() { Err(ENOEVST) } else { Ok(Used { number: handle, place, claim }) }
}

impl Used {
    #[inline(always)]
    pub(crate) fn set(&mut self) -> Result<&mut Set, Failed> {
        self.claim.as_mut().ok_or(ENOEVST)
    }

    /// Starts counting, unless another set of the component counts the same thread or CPU.
    pub(crate) fn start(&mut self, library: &Library) -> Result<(), Failed> {
        let number = self.number;
        let set = self.set()?;
        let opener = set.open(library)?;
        let what = counted(set.assigned()?, &set.options, opener);
        let is_busy = PLACES
            .iter()
            .map_while(Current::get)
            .any(|other| other.counts.load(Ordering::Relaxed) == what);
        if is_busy {
            return Err(EISRUN);
        }
        set.start(library, number)?;
        self.place.counts.store(what, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn stop(&mut self) -> Result<(), Failed> {
        self.set()?.stop()?;
        self.place.counts.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Removes the set.
    pub(crate) fn destroy(mut self) -> Result<(), Failed> {
        let set = self.set()?.stopped()?;
        if set.codes().len() > 0 {
            return Err(EINVAL);
        }
        *self.claim = None;
        let Used { place, claim, .. } = self;
        drop(claim);
        place.has_set.store(false, Ordering::Release);
        Ok(())
    }
}

/// A number for a component and what a set counts: a CPU, another thread, or the one that has opened its events.
fn counted(component: usize, options: &Options, opener: u32) -> u64 {
    let target = match (options.cpu, options.thread) {
        (Some(cpu), _) => 1 << 62 | u64::from(cpu),
        (None, Some(thread)) => 1 << 61 | u64::from(thread),
        (None, None) => 1 << 61 | u64::from(opener),
    };
    target | (component as u64) << 40
}

/// Creates a set with the lowest free handle.
pub(crate) fn create(options: Options) -> Result<c_int, Failed> {
    for (number, place) in PLACES.iter().enumerate() {
        let place = place.get().unwrap_or_else(|| Place::put(place, None, std::process::id()));
        if place.has_set.swap(true, Ordering::Acquire) {
            continue;
        }
        if let Some(mut claim) = place.set.try_claim() {
            *claim = Some(Set::new(options));
            return c_int::try_from(number).map_err(|_| EBUG);
        }
        // A call with the handle of a set that was removed is about to find that out.
        place.has_set.store(false, Ordering::Release);
    }
    Err(ENOMEM)
}

/// Stops and removes a set.
pub(crate) fn remove(handle: c_int) -> Result<(), Failed> {
    let place = place(handle)?;
    let mut claim = place.set.claim()?;
    if let Some(set) = claim.as_mut().filter(|set| set.is_running()) {
        // A set that cannot be stopped is closed.
        let _ = set.stop();
    }
    *claim = None;
    place.counts.store(0, Ordering::Relaxed);
    drop(claim);
    place.has_set.store(false, Ordering::Release);
    Ok(())
}

/// Stops and removes all sets.
pub(crate) fn remove_all() {
    for (handle, _) in (0..).zip(PLACES.iter().map_while(Current::get)) {
        // One that a handler uses ends with the process.
        let _ = remove(handle);
    }
}

/// Removes the sets of the process from which this one was forked, which goes on counting.
pub(crate) fn forget_all(process: u32) {
    for place in &PLACES {
        let Some(old) = place.get() else { return };
        if old.process == process {
            continue;
        }
        Place::put(place, Some(old), process);
        // One that a thread of the parent was using stays as it is: it may be half changed.
        if let Some(mut claim) = old.set.try_claim() {
            *claim = None;
        }
    }
}

impl Place {
    /// Puts a new place where `old` is, unless another thread was quicker; what is there then.
    fn put(at: &Current<Place>, old: Option<&'static Place>, process: u32) -> &'static Place {
        let (has_set, counts) = (AtomicBool::new(false), AtomicU64::new(0));
        at.put(old, Box::new(Place { process, has_set, set: Claimed::new(None), counts }))
    }
}
