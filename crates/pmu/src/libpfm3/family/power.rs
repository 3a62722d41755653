//! PowerPC 970 and POWER4 to POWER7: events are counted in groups, which program all counters at once.
//!
//! An event is known on each counter by another id. A group names an id for each counter, and the values of the
//! monitor mode control registers (MMCR) that select them.

use super::super::engine::{self, Counters};
use super::super::levels::same_levels;
use super::super::model::{Model, Rules};
use super::super::table::{Table, Words, number};
use super::super::{Assignment, DispatchError, ErrorKind, ModelInput, Request};
use crate::privilege::Privilege;

/// At most eight counters, of which two can be frozen together.
const MOST: usize = 8;
/// Counters run, overflow interrupts, and no level is frozen but those below.
const MMCR0_BASE: u64 = 0x0400_c000 | 0x6000_0001;
/// Bits of MMCR0 that freeze counters at each level.
const FREEZE: [(Privilege, u64); 3] =
    [(Privilege::USER, 0x2000_0000), (Privilege::KERNEL, 0x4000_0000), (Privilege::LEVEL1, 1)];

struct Power {
    groups: Vec<Group>,
    events: Vec<Event>,
    counters: [Counter; MOST],
    count: usize,
    /// The bit of MMCR0 that freezes the last two counters of POWER5.
    freeze_last: u64,
}

struct Group {
    ids: [i16; MOST],
    mmcr: [u64; 3],
}

struct Event {
    /// Its id on each counter; -1 where it cannot be counted.
    ids: [i16; MOST],
    /// The groups that count it, as bits.
    groups: [u64; 4],
}

/// The bits of MMCR0 and MMCR1 of one counter.
#[derive(Clone, Copy, Default)]
struct Counter {
    /// Which sums of levels it can count, as bits.
    levels: u64,
    selector: [u64; 2],
    /// The selector's value for no event.
    off: [u64; 2],
}

pub(crate) fn power(model: &Model, table: &Table) -> Box<dyn Rules> {
    let mut power = Power {
        groups: Vec::new(),
        events: table.events.iter().map(|event| Event::parse(event.words)).collect(),
        counters: [Counter::default(); MOST],
        count: model.counters().min(MOST),
        freeze_last: 0,
    };
    for line in &table.head {
        power.head(*line);
    }
    Box::new(power)
}

impl Event {
    fn parse(words: Words) -> Event {
        let mut groups = [0; 4];
        for (word, value) in groups.iter_mut().zip(numbers(words.get("groups").unwrap_or(""))) {
            *word = value;
        }
        Event { ids: ids(words.get("ids").unwrap_or("")), groups }
    }
}

fn numbers(list: &str) -> impl Iterator<Item = u64> {
    list.split(',').map(|word| number(word).unwrap_or(0))
}

fn ids(list: &str) -> [i16; MOST] {
    let mut ids = [-1; MOST];
    for (id, word) in ids.iter_mut().zip(list.split(',')) {
        *id = word.parse().unwrap_or(-1);
    }
    ids
}

impl Power {
    /// A line at the head of the table.
    fn head(&mut self, line: Words) {
        let mut words = line.all();
        let (key, first) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if key == "group" {
            let mut mmcr = [0; 3];
            mmcr.iter_mut().zip(words).for_each(|(value, word)| *value = number(word).unwrap_or(0));
            return self.groups.push(Group { ids: ids(first), mmcr });
        }
        if key == "freeze56" {
            self.freeze_last = number(first).unwrap_or(0);
        }
        for (counter, value) in self.counters.iter_mut().zip(numbers(first)) {
            match key {
                "levels" => counter.levels = value,
                "selectors0" => counter.selector[0] = value,
                "selectors1" => counter.selector[1] = value,
                "off0" => counter.off[0] = value,
                "off1" => counter.off[1] = value,
                _ => {}
            }
        }
    }

    /// The first group that counts every event, and where.
    fn place(&self, request: &Request, plm: Privilege) -> Option<(&Group, Counters)> {
        let mut common = [u64::MAX; 4];
        for event in &request.events {
            let groups = &self.events[event.event].groups;
            common.iter_mut().zip(groups).for_each(|(common, groups)| *common &= groups);
        }
        let counted = |index: &usize| common[index / 64] >> (index % 64) & 1 == 1;
        (0..self.groups.len()).filter(counted).find_map(|index| {
            let group = &self.groups[index];
            let mut allowed = [0; MOST];
            for (allowed, event) in allowed.iter_mut().zip(&request.events) {
                *allowed = self.on_counters(group, &self.events[event.event], plm);
            }
            Some((group, engine::assign(&allowed[..request.events.len()])?))
        })
    }

    /// The counters on which a group counts an event at these levels.
    fn on_counters(&self, group: &Group, event: &Event, plm: Privilege) -> u64 {
        let counts = |counter: &usize| {
            let levels = self.counters[*counter].levels;
            event.ids[*counter] >= 0
                && event.ids[*counter] == group.ids[*counter]
                && levels.checked_shr(plm.bits()).unwrap_or(0) & 1 == 1
        };
        (0..self.count).filter(counts).fold(0, |set, counter| set | 1 << counter)
    }

    /// The registers of a group with the counters that are not used switched off.
    fn mmcr(&self, group: &Group, used: &[u8], plm: Privilege) -> [u64; 3] {
        let mut mmcr = group.mmcr;
        let is_used = |counter: usize| used.iter().any(|used| usize::from(*used) == counter);
        for (index, counter) in self.counters[..self.count].iter().enumerate() {
            if !is_used(index) {
                mmcr[0] = mmcr[0] & !counter.selector[0] | counter.off[0];
                mmcr[1] = mmcr[1] & !counter.selector[1] | counter.off[1];
            }
        }
        if !is_used(4) && !is_used(5) {
            mmcr[0] |= self.freeze_last;
        }
        mmcr[0] |= MMCR0_BASE;
        for (level, freeze) in FREEZE {
            mmcr[0] &= if !plm.contains(level) { u64::MAX } else { !freeze };
        }
        mmcr
    }
}

impl Rules for Power {
    fn family(&self) -> &'static str {
        "power"
    }

    fn accepts(&self, _: &ModelInput) -> bool {
        false
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        let refusal = |reason| DispatchError::new(ErrorKind::NoAssign, reason);
        let plm = same_levels(request)?;
        if (0..3).any(|register| request.unavailable.contains(register)) {
            return Err(refusal("a control register is not available"));
        }
        let (group, counters) = self
            .place(request, plm)
            .ok_or_else(|| refusal("no group counts all of the events at these levels"))?;
        let mut assignment = Assignment::with_capacity(request.events.len());
        let values = self.mmcr(group, &counters, plm);
        assignment.pmcs =
            (0..).zip(values).map(|(number, value)| table.pmc(number, value)).collect();
        assignment.pmds =
            counters.iter().map(|&counter| table.pmd(u32::from(counter) + 1)).collect();
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        let ids = &self.events[request.events[event].event].ids;
        (0..self.count)
            .filter(|&counter| ids[counter] >= 0)
            .fold(0, |set, counter| set | 2 << counter)
    }
}
