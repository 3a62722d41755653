//! The high-level interface: counts for parts of a program by name, and the report when the program ends.

mod counted;
mod events;
mod report;

use std::cell::RefCell;
use std::ffi::c_int;

use counterpoint::perf::process::Owner;

use self::counted::{REGIONS, Region, Regions};
use self::events::options_of;
use crate::claim::Claimed;
use crate::codes::{EINVAL, EMISC, ENOEVNT, Failed};
use crate::library::{self, HIGH_LEVEL, Library};
use crate::lookup::event_code;
use crate::owned::Owned;
use crate::release::RELEASE;
use crate::{threads, timers};

/// The values before those of the events: cycles and nanoseconds.
const CLOCKS: usize = 2;

/// The counts of a thread: its sets, the regions that it is in with their first values, and the number of the next.
#[derive(Debug, Default)]
struct Own {
    sets: Vec<Owned>,
    open: Vec<(Region, Vec<i64>)>,
    next: usize,
    has_begun: bool,
}

thread_local! {
    static OWN: RefCell<Own> = RefCell::new(Own::default());
}

/// Enters a region.
pub(crate) fn begin(name: &str) -> Result<(), Failed> {
    let regions = started()?;
    OWN.with_borrow_mut(|own| {
        own.start(regions)?;
        let parent = own.open.last().map_or(-1, |(region, _)| region.number as c_int);
        let number = own.next;
        let (name, reads, values) = (name.to_owned(), Vec::new(), Vec::new());
        let mut first = own.read()?;
        let counted = first.iter_mut().skip(CLOCKS);
        let instants = counted.zip(&regions.events).filter(|(_, event)| event.is_instant);
        instants.for_each(|(first, _)| *first = 0);
        own.has_begun = true;
        own.open.push((Region { number, parent, name, reads, values }, first));
        own.next += 1;
        Ok(())
    })
}

/// Notes the values of a region so far.
pub(crate) fn note(name: &str) -> Result<(), Failed> {
    OWN.with_borrow_mut(|own| {
        own.begun()?;
        let now = own.read()?;
        let mut open = own.open.iter_mut().rev();
        let (region, first) = open.find(|(region, _)| region.name == name).ok_or(EINVAL)?;
        region.reads.push(since(&now, first));
        Ok(())
    })
}

/// Leaves a region.
pub(crate) fn end(name: &str) -> Result<(), Failed> {
    let regions = Regions::get().ok_or(EMISC)?;
    OWN.with_borrow_mut(|own| {
        own.begun()?;
        let now = own.read()?;
        let place = own.open.iter().rposition(|(region, _)| region.name == name).ok_or(EINVAL)?;
        let (mut region, first) = own.open.remove(place);
        region.values = since(&now, &first);
        let mut threads = regions.threads.claim()?;
        let thread = threads::kernel_id();
        match threads.iter_mut().find(|(own, _)| *own == thread) {
            Some((_, ended)) => ended.push(region),
            None => threads.push((thread, vec![region])),
        }
        Ok(())
    })
}

/// Ends the counting of this thread.
pub(crate) fn stop() -> Result<(), Failed> {
    OWN.with_borrow_mut(|own| {
        own.open.clear();
        let was_alive = own.is_alive();
        own.sets.clear();
        if was_alive { Ok(()) } else { Err(ENOEVNT) }
    })
}

fn since(now: &[i64], first: &[i64]) -> Vec<i64> {
    now.iter().zip(first).map(|(now, first)| now.wrapping_sub(*first)).collect()
}

impl Own {
    /// Checks that this thread has entered a region.
    fn begun(&self) -> Result<(), Failed> {
        if self.has_begun { Ok(()) } else { Err(EMISC) }
    }

    /// Returns true if the sets of this thread count.
    fn is_alive(&self) -> bool {
        self.sets.first().is_some_and(Owned::is_alive)
    }

    /// Starts the sets of this thread, when it enters its first region.
    fn start(&mut self, regions: &Regions) -> Result<(), Failed> {
        if self.is_alive() {
            return Ok(());
        }
        let library = Library::current()?;
        // Regions that were open when the library was ended have no end.
        self.open.clear();
        let components = regions.events.chunk_by(|a, b| a.component == b.component);
        let started = components.map(|events| {
            let codes = events.iter().map(|event| event_code(library, &event.name));
            Owned::start(library, options_of(events[0].component), codes)
        });
        self.sets = started.collect::<Result<_, Failed>>()?;
        // The kernel gives the id of a thread that has ended to another one.
        let thread = threads::kernel_id();
        let ended = regions.threads.claim()?;
        let of_thread = ended.iter().filter(|(own, _)| *own == thread).flat_map(|(_, own)| own);
        let used = of_thread.map(|region| region.number + 1).max().unwrap_or(0);
        self.next = self.next.max(used);
        Ok(())
    }

    /// Cycles, nanoseconds and the counts of the events.
    fn read(&self) -> Result<Vec<i64>, Failed> {
        let mut values = vec![timers::real_cycles(), timers::real()];
        if self.sets.is_empty() {
            return Err(EINVAL);
        }
        self.sets.iter().try_for_each(|set| set.read(|_, value| values.push(value)))?;
        Ok(values)
    }
}

/// The events, which are looked up when the first region is entered.
fn started() -> Result<&'static Regions, Failed> {
    if let Some(regions) = Regions::get() {
        return Ok(regions);
    }
    let of_parent = REGIONS.get();
    if Library::current().is_err() {
        Library::start(RELEASE as c_int)?;
    }
    let library = Library::current()?;
    let events = events::wanted(library)?;
    library::raise_level(HIGH_LEVEL);
    report::report_at_exit();
    let directory = of_parent.map_or_else(report::directory, |regions| regions.directory.clone());
    let (owner, threads) = (Owner::here(), Claimed::new(Vec::new()));
    let made = Box::new(Regions { owner, directory, events, threads });
    // Another thread may have been quicker; what was made here has counted nothing.
    Ok(REGIONS.put(of_parent, made))
}
