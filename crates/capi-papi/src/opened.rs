//! The open events of a set, and their values.

use counterpoint::perf::process::Owner;
use counterpoint::perf::{Attr, Count, CpuSet, Group, Host, Placement, Setup};
use std::ffi::c_int;

use crate::codes::{ECNFLCT, ESYS, Failed};
use crate::components::UNCORE;
use crate::library::Library;
use crate::natives::Native;
use crate::numbers::OpenNumbers;
use crate::threads;

/// The way in which the events of a set are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    pub(crate) domain: c_int,
    pub(crate) granularity: c_int,
    pub(crate) inherit: bool,
    /// The thread that is counted in the place of the caller's.
    pub(crate) thread: Option<u32>,
    /// The CPU that is counted.
    pub(crate) cpu: Option<u32>,
    /// The events take turns; the flags of the request.
    pub(crate) multiplexed: Option<c_int>,
}

/// Open events: in one group, unless they take turns or count at several places.
#[derive(Debug)]
pub(crate) struct Opened {
    groups: Vec<Group>,
    /// The native event of each count: those of the first group, of the second, and so on.
    parts: Vec<usize>,
    /// The native events whose values are energies, with the nanojoules of one count.
    energies: Vec<(usize, f64)>,
    /// The native events that are numbers in files.
    numbers: Option<OpenNumbers>,
    counts: Vec<Count>,
    /// The counts at the last start or reset.
    base: Vec<Count>,
    is_multiplexed: bool,
    /// Each native event has one part, in their order, and is not scaled.
    is_direct: bool,
    owner: Owner,
    /// The thread that has opened the events, which they count if the options name none.
    thread: u32,
}

impl Opened {
    pub(crate) fn open(
        library: &Library,
        natives: &[&'static Native],
        options: &Options,
    ) -> Result<Opened, Failed> {
        let setup = Setup { inherit: options.inherit, disabled: true, ..Setup::default() };
        let mut opened = Opened {
            groups: Vec::new(),
            parts: Vec::new(),
            energies: Vec::new(),
            numbers: None,
            counts: Vec::new(),
            base: Vec::new(),
            is_multiplexed: options.multiplexed.is_some(),
            is_direct: false,
            owner: Owner::here(),
            thread: threads::kernel_id(),
        };
        let mut shared: Option<(Group, Vec<usize>)> = None;
        let numbers = natives.iter().enumerate().filter(|(_, native)| native.is_number());
        let numbers: Vec<_> = numbers.map(|(at, native)| (at, native.name.as_str())).collect();
        if !numbers.is_empty() {
            opened.numbers = Some(OpenNumbers::open(&library.host, &numbers)?);
        }
        let events = natives.iter().enumerate().filter(|(_, native)| !native.is_number());
        for (number, native) in events {
            let mut attr = native.attr(options.domain)?;
            let programmed = native.programmed.as_ref().ok();
            let own_cpus = programmed.map_or(&[][..], |programmed| &programmed.cpus);
            let nanojoules = programmed.and_then(|programmed| programmed.nanojoules);
            opened.energies.extend(nanojoules.map(|nanojoules| (number, nanojoules)));
            let is_alone =
                opened.is_multiplexed || !own_cpus.is_empty() || native.component == UNCORE;
            if !is_alone {
                let (group, members) = shared
                    .get_or_insert_with(|| (library.host.group(placement(options), setup), vec![]));
                // The leader is pinned: the group is counted all the time, or is known to be not.
                attr.pinned |= group.is_empty();
                group.add(&attr)?;
                members.push(number);
                continue;
            }
            for place in places(&library.host, &attr, own_cpus, options)? {
                let mut group = library.host.group(place, setup);
                group.add(&attr)?;
                opened.groups.push(group);
                opened.parts.push(number);
            }
        }
        if let Some((group, members)) = shared {
            opened.is_direct = opened.groups.is_empty();
            opened.groups.insert(0, group);
            opened.parts.splice(0..0, members);
        }
        opened.counts = vec![Count::default(); opened.parts.len()];
        opened.base = opened.counts.clone();
        Ok(opened)
    }

    /// Starts from zero. The process that was forked from the one that opened the events shares them, and may only read.
    pub(crate) fn start(&mut self) -> Result<(), Failed> {
        self.check_process()?;
        if let Some(numbers) = &mut self.numbers {
            numbers.start()?;
        }
        self.reset()?;
        for number in 0..self.groups.len() {
            if let Err(errno) = self.groups[number].enable() {
                for group in &mut self.groups[..number] {
                    // An error while undoing adds nothing to the first one.
                    let _ = group.disable();
                }
                return Err(errno.into());
            }
        }
        Ok(())
    }

    pub(crate) fn stop(&mut self) -> Result<(), Failed> {
        self.check_process()?;
        if let Some(numbers) = &mut self.numbers {
            numbers.stop()?;
        }
        self.groups.iter_mut().try_for_each(|group| Ok(group.disable()?))
    }

    /// Makes the present counts the zero of later ones.
    pub(crate) fn reset(&mut self) -> Result<(), Failed> {
        self.read_counts()?;
        self.base.copy_from_slice(&self.counts);
        self.numbers.as_mut().map_or(Ok(()), OpenNumbers::reset)
    }

    /// Makes the counts that were read last the zero of later ones.
    ///
    /// Those of numbers in files are read again.
    pub(crate) fn reset_to_last(&mut self) {
        self.base.copy_from_slice(&self.counts);
        // What was read a moment ago can be read again, or is missing in the next values.
        let _ = self.numbers.as_mut().map_or(Ok(()), OpenNumbers::reset);
    }

    /// The thread that has opened the events.
    pub(crate) fn thread(&self) -> u32 {
        self.thread
    }

    /// A process that was forked shares the events of its parent, which it must not stop.
    pub(crate) fn check_process(&self) -> Result<(), Failed> {
        if self.owner.is_here() { Ok(()) } else { Err(ESYS) }
    }

    #[inline]
    fn read_counts(&mut self) -> Result<(), Failed> {
        let mut rest = &mut self.counts[..];
        for group in &mut self.groups {
            let (own, others) = rest.split_at_mut(group.len());
            group.read_into(own)?;
            rest = others;
        }
        Ok(())
    }

    /// Returns true if a group was pinned and has lost its counters: all its members are lost then.
    #[inline]
    pub(crate) fn has_lost_counter(&self) -> bool {
        self.groups.iter().any(|group| group.has_lost_counter(0))
    }

    /// Returns true if the values are the counts, without sums and scaling.
    #[inline]
    pub(crate) fn is_direct(&self) -> bool {
        self.is_direct
    }

    /// Reads the counts and calls `each` with them, in the order of the native events. All were counted, or it is an error.
    // Inlined into the caller, as `Host::read` is: a return after a system call is not predicted.
    #[inline(always)]
    pub(crate) fn read_direct(&mut self, mut each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        let [group] = &mut self.groups[..] else { return self.read_slowly(each) };
        let base = &self.base;
        let is_whole = group.read_if_whole(|number, raw| {
            let zero = base.get(number).map_or(0, |base| base.raw);
            each(number, raw.wrapping_sub(zero) as i64);
        });
        match is_whole {
            Ok(true) => Ok(()),
            Ok(false) => self.read_slowly(each),
            Err(errno) => Err(errno.into()),
        }
    }

    #[cold]
    fn read_slowly(&mut self, mut each: impl FnMut(usize, i64)) -> Result<(), Failed> {
        self.read_counts()?;
        // An event that has lost its counter has no running time. All are in one group.
        let was_counted = |(count, base): (&Count, &Count)| {
            count.running.saturating_sub(base.running) == count.enabled.saturating_sub(base.enabled)
        };
        let mut counts = self.counts.iter().zip(&self.base);
        if !counts.all(was_counted) || self.has_lost_counter() {
            return Err(ECNFLCT);
        }
        for (number, (count, base)) in self.counts.iter().zip(&self.base).enumerate() {
            each(number, count.raw.wrapping_sub(base.raw) as i64);
        }
        Ok(())
    }

    /// Writes the value of each native event: sums over its parts, scaled if the events take turns.
    pub(crate) fn values(&mut self, values: &mut [i128]) -> Result<(), Failed> {
        self.read_counts()?;
        if self.has_lost_counter() {
            return Err(ECNFLCT);
        }
        values.fill(0);
        for ((count, base), native) in self.counts.iter().zip(&self.base).zip(&self.parts) {
            let value = i128::from(count.raw.wrapping_sub(base.raw));
            let enabled = count.enabled.saturating_sub(base.enabled).as_nanos() as i128;
            let running = count.running.saturating_sub(base.running).as_nanos() as i128;
            values[*native] += if running >= enabled {
                value
            } else if self.is_multiplexed && running > 0 {
                value * enabled / running
            } else {
                // An event that was not counted is not 0.
                return Err(ECNFLCT);
            };
        }
        if let Some(numbers) = &mut self.numbers {
            numbers.values(values)?;
        }
        for (native, nanojoules) in &self.energies {
            values[*native] = (values[*native] as f64 * nanojoules) as i128;
        }
        Ok(())
    }
}

/// The placement of the events of a set that name no CPU.
pub(crate) fn placement(options: &Options) -> Placement {
    match (options.thread, options.cpu) {
        (None, Some(cpu)) => Placement::Cpu(cpu),
        (Some(thread), Some(cpu)) => Placement::ThreadOnCpu { thread, cpu },
        (Some(thread), None) => Placement::Thread(thread),
        (None, None) => Placement::ThisThread,
    }
}

/// The placement of an event that is not in the group: on the CPUs of its name, of the set, or on those of its PMU.
fn places(
    host: &Host,
    attr: &Attr,
    own: &[u32],
    options: &Options,
) -> Result<Vec<Placement>, Failed> {
    if !own.is_empty() {
        return Ok(own.iter().copied().map(Placement::Cpu).collect());
    }
    let mask = (options.cpu.is_none()).then(|| cpumask(host, attr.kind)).flatten();
    Ok(match mask {
        Some(mask) => mask.iter().map(Placement::Cpu).collect(),
        None => vec![placement(options)],
    })
}

/// The CPUs on which a PMU counts that counts for whole packages.
fn cpumask(host: &Host, kind: u32) -> Option<CpuSet> {
    const DEVICES: &str = "/sys/bus/event_source/devices";
    let is_it = |name: &String| {
        host.text(format!("{DEVICES}/{name}/type")).is_ok_and(|text| text == kind.to_string())
    };
    let name = host.names(DEVICES).into_iter().find(is_it)?;
    host.text(format!("{DEVICES}/{name}/cpumask")).ok()?.parse().ok()
}
