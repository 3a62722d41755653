//! Pentium 4: an event is selected in one of its two ESCRs, and counted through a CCCR that this ESCR can reach,
//! each with a counter of its own.
//! Source: Intel SDM volume 3, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)".

use crate::dispatch::Assignment;
use crate::dispatch::error::{DispatchError, ErrorKind};
use crate::dispatch::grouped::{Groups, assign_grouped};
use crate::dispatch::model::{Model, Rules};
use crate::dispatch::perfevtsel::{check_default_plm, check_plm, no_assign};
use crate::dispatch::request::{EventRequest, ModelInput, PLM0, PLM3, PmcSet, Request};
use crate::dispatch::table::{Row, Table, Words, number};

pub(crate) fn rules(model: &Model, table: &Table) -> Box<dyn Rules> {
    Box::new(Pentium4::new(model, table))
}

const PEBS_MATRIX_VERT: u32 = 63;
const PEBS_ENABLE: u32 = 64;
/// The unit masks of replay events that stand for registers of sampling, not for bits of the event mask.
const REPLAYS: u64 = 0xffc;

/// `BPU_CCCR1`, and `BPU_CCCR2`, which libpfm-3's table gives the same register: the two are not used together.
const BPU_CCCR1: u32 = 24;
const BPU_CCCR2: u32 = 54;

/// There are as many counters.
const MOST_EVENTS: usize = 18;

/// Groups of ESCRs that reach the same CCCRs.
const GROUPS: usize = 8;

struct Pentium4 {
    /// The model has no event that counts completed instructions.
    no_completed: bool,
    /// The PMC of each ESCR.
    escrs: Vec<u32>,
    /// PMC and PMD of each CCCR.
    cccrs: Vec<(u32, u32)>,
    /// The ESCRs of each group, as bits, and the CCCRs that they reach, the preferred one first.
    members: Vec<u64>,
    reached: Vec<Vec<u8>>,
    /// What each replay unit mask adds to the registers of sampling.
    replays: Vec<(u64, u64)>,
    events: Vec<Event>,
}

/// The registers of an event; the better pair is less.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    escr: u8,
    /// How many CCCRs that the ESCR reaches are preferred.
    rank: u8,
    cccr: u8,
}

/// What the table says of an event.
struct Event {
    /// Its ESCRs, as bits.
    escrs: u64,
    event_select: u64,
    escr_select: u64,
    replay: bool,
    completed: bool,
}

impl Event {
    fn new(row: &Row) -> Event {
        let escrs = row.words.list("escrs");
        Event {
            escrs: escrs.fold(0, |all, escr| all | 1 << escr),
            event_select: row.code,
            escr_select: row.words.number("escr_select"),
            replay: row.name == "replay_event",
            completed: row.name == "instr_completed",
        }
    }
}

impl Pentium4 {
    fn new(model: &Model, table: &Table) -> Pentium4 {
        let mut rules = Pentium4 {
            no_completed: model.words().get("completed") != Some("yes"),
            escrs: Vec::new(),
            cccrs: Vec::new(),
            members: Vec::new(),
            reached: Vec::new(),
            replays: Vec::new(),
            events: table.events.iter().map(Event::new).collect(),
        };
        for line in &table.head {
            rules.head(*line);
        }
        rules
    }

    fn head(&mut self, line: Words) {
        let mut words = line.all();
        let kind = words.next();
        let mut next = || words.next().and_then(number).unwrap_or(0);
        match kind {
            Some("escr") => {
                let cccrs: Vec<u8> = line.list("cccrs").map(|cccr| cccr as u8).collect();
                let place = self.reached.iter().position(|reached| *reached == cccrs);
                let place = place.unwrap_or_else(|| {
                    self.reached.push(cccrs);
                    self.members.push(0);
                    self.members.len() - 1
                });
                self.members[place] |= 1 << self.escrs.len();
                self.escrs.push(next() as u32);
            }
            Some("cccr") => self.cccrs.push((next() as u32, next() as u32)),
            Some("replay") => {
                self.replays.push((line.number("enb"), line.number("mat_vert")));
            }
            _ => {}
        }
    }

    /// The ESCRs that an event may use.
    fn escrs(&self, request: &Request, event: &EventRequest) -> u64 {
        let known = self.events.get(event.event).map_or(0, |event| event.escrs);
        let unavailable = |(_, pmc): &(usize, &u32)| request.unavailable.contains(**pmc);
        let taken = self.escrs.iter().enumerate().filter(unavailable);
        taken.fold(known, |escrs, (escr, _)| escrs & !(1 << escr))
    }

    /// How many CCCRs each group of ESCRs reaches.
    fn capacity(&self, unavailable: &PmcSet) -> [u32; GROUPS] {
        let mut capacity = [0; GROUPS];
        for (capacity, reached) in capacity.iter_mut().zip(&self.reached) {
            let free = |cccr: &&u8| !unavailable.contains(self.cccrs[usize::from(**cccr)].0);
            *capacity = reached.iter().filter(free).count() as u32;
        }
        capacity
    }

    fn check(&self, event: &EventRequest, position: usize) -> Result<(), DispatchError> {
        check_plm(event, position)?;
        if self.no_completed && self.events[event.event].completed {
            let reason = "this model of the processor does not count completed instructions";
            return Err(DispatchError::new(ErrorKind::Incompatible, reason).at(position));
        }
        Ok(())
    }

    /// The ESCR and CCCR of each event, without these PMCs.
    fn pairs(&self, allowed: &[u64], unavailable: &PmcSet) -> Option<[Pair; MOST_EVENTS]> {
        let capacity = self.capacity(unavailable);
        let groups = Groups { members: &self.members, capacity: &capacity };
        let escrs = assign_grouped(allowed, groups)?;
        let mut pairs = [Pair::default(); MOST_EVENTS];
        let mut used = 0;
        for (pair, escr) in pairs.iter_mut().zip(escrs.iter()) {
            *pair = self.pair(*escr, used, unavailable)?;
            used |= 1 << pair.cccr;
        }
        Some(pairs)
    }

    /// The first free CCCR that an ESCR reaches.
    fn pair(&self, escr: u8, used: u64, unavailable: &PmcSet) -> Option<Pair> {
        let group = self.members.iter().position(|members| members >> escr & 1 != 0)?;
        let mut reached = self.reached[group].iter().copied().zip(0..);
        let (cccr, rank) = reached.find(|(cccr, _)| {
            used >> cccr & 1 == 0 && !unavailable.contains(self.cccrs[usize::from(*cccr)].0)
        })?;
        Some(Pair { escr, rank, cccr })
    }

    /// The same, with one of `BPU_CCCR1` and `BPU_CCCR2` at most.
    fn exclusive_pairs(
        &self,
        allowed: &[u64],
        unavailable: &PmcSet,
    ) -> Option<[Pair; MOST_EVENTS]> {
        let mut unavailable = *unavailable;
        if unavailable.contains(BPU_CCCR1) {
            unavailable.insert(BPU_CCCR2);
        }
        let pairs = self.pairs(allowed, &unavailable)?;
        let uses = |pmc| {
            let mut pairs = pairs[..allowed.len()].iter();
            pairs.any(|pair| self.cccrs[usize::from(pair.cccr)].0 == pmc)
        };
        if !(uses(BPU_CCCR1) && uses(BPU_CCCR2)) {
            return Some(pairs);
        }
        let without = |pmc| {
            let mut unavailable = unavailable;
            unavailable.insert(pmc);
            self.pairs(allowed, &unavailable)
        };
        let found = [without(BPU_CCCR1), without(BPU_CCCR2)];
        found.into_iter().flatten().min()
    }

    /// The registers of sampling, for the unit masks of a replay event that ask for it.
    fn push_replay(&self, table: &Table, event: &EventRequest, assignment: &mut Assignment) {
        let asked = event.masks.iter().filter(|mask| REPLAYS >> **mask & 1 != 0);
        let rows = asked.filter_map(|mask| self.replays.get(*mask));
        let (enable, matrix) = rows.fold((0, 0), |all, row| (all.0 | row.0, all.1 | row.1));
        if enable != 0 {
            assignment.pmcs.push(table.pmc(PEBS_ENABLE, enable));
            assignment.pmcs.push(table.pmc(PEBS_MATRIX_VERT, matrix));
        }
    }

    /// The ESCR of an event: its unit masks are bits of the event mask, from 16 on tags.
    fn escr_value(&self, table: &Table, event: &EventRequest, plm: u32) -> u64 {
        let facts = &self.events[event.event];
        let masks = table.mask_codes(&table.events[event.event], &event.masks);
        let (mask, tag) = (masks & 0xffff, masks >> 16 & 0xf);
        let mask = if facts.replay { mask & !REPLAYS } else { mask };
        let user = u64::from(plm & PLM3 != 0) << 2;
        let kernel = u64::from(plm & PLM0 != 0) << 3;
        let tag_enable = u64::from(tag != 0) << 4;
        facts.event_select << 25 | mask << 9 | tag << 5 | tag_enable | kernel | user
    }

    /// The CCCR of an event: enabled, for both threads, with an interrupt on overflow.
    fn cccr_value(&self, event: &EventRequest) -> u64 {
        1 << 26 | 3 << 16 | self.events[event.event].escr_select << 13 | 1 << 12
    }
}

impl Rules for Pentium4 {
    fn family(&self) -> &'static str {
        "pentium4"
    }

    fn accepts(&self, _: &ModelInput) -> bool {
        false
    }

    fn dispatch(&self, table: &Table, request: &Request) -> Result<Assignment, DispatchError> {
        check_default_plm(request)?;
        let mut allowed = [0; MOST_EVENTS];
        for (position, event) in request.events.iter().enumerate() {
            // What is wrong with an event shows only if those before it fit.
            self.check(event, position).map_err(|error| {
                let before = self.exclusive_pairs(&allowed[..position], &request.unavailable);
                before.map_or_else(no_assign, |_| error)
            })?;
            allowed[position] = self.escrs(request, event);
        }
        let pairs = self
            .exclusive_pairs(&allowed[..request.events.len()], &request.unavailable)
            .ok_or_else(no_assign)?;
        let mut assignment = Assignment::with_capacity(2 * request.events.len());
        for (event, pair) in request.events.iter().zip(&pairs) {
            let (pmc, pmd) = self.cccrs[usize::from(pair.cccr)];
            if self.events[event.event].replay {
                self.push_replay(table, event, &mut assignment);
            }
            let value = self.escr_value(table, event, request.plm(event));
            assignment.pmcs.push(table.pmc(self.escrs[usize::from(pair.escr)], value));
            assignment.pmcs.push(table.pmc(pmc, self.cccr_value(event)));
            assignment.pmds.push(table.pmd(pmd));
        }
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        let Some(event) = request.events.get(event) else { return 0 };
        let escrs = self.escrs(request, event);
        let groups = self.members.iter().zip(&self.reached);
        let reached = groups.filter(|(members, _)| *members & escrs != 0).flat_map(|(_, r)| r);
        let cccrs = reached.map(|cccr| self.cccrs[usize::from(*cccr)]);
        let free = cccrs.filter(|(pmc, _)| !request.unavailable.contains(*pmc));
        free.fold(0, |counters, (_, pmd)| counters | 1 << pmd)
    }
}
