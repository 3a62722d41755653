//! Pentium 4: an event is selected in one of its two ESCRs, and counted through a CCCR that this ESCR can reach,
//! each with a counter of its own.
//! Source: Intel SDM volume 3, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)".

use crate::libpfm3::Assignment;
use crate::libpfm3::error::{DispatchError, ErrorKind};
use crate::libpfm3::grouped::{Groups, assign_grouped, bits};
use crate::libpfm3::model::{Model, Rules};
use crate::libpfm3::perfevtsel::{check_default_plm, check_plm, no_assign};
use crate::libpfm3::request::{EventRequest, ModelInput, PmcSet, Request};
use crate::libpfm3::table::{Row, Table, Words, number};
use crate::privilege::Privilege;

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
    /// The PMC of each ESCR, and the group that it belongs to.
    escrs: Vec<(u32, u8)>,
    /// PMC and PMD of each CCCR.
    cccrs: Vec<(u32, u32)>,
    /// The ESCRs of each group, and the CCCRs that they reach, as bits; a lower one is preferred.
    members: Vec<u64>,
    reached: Vec<u64>,
    /// The bits that each replay unit mask adds to the registers of sampling.
    replays: Vec<(u64, u64)>,
    events: Vec<Event>,
}

/// The registers of an event; the better pair is less.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    escr: u8,
    cccr: u8,
}

/// The registers of each event of a request.
type Pairs = [Pair; MOST_EVENTS];

/// The registers that may not be used, as bits.
#[derive(Clone, Copy)]
struct Taken {
    escrs: u64,
    cccrs: u64,
    /// The CCCRs of which at most one can be used.
    exclusive: u64,
    /// A register of the sampling that replay events ask for cannot be used.
    sampling: bool,
}

impl Taken {
    /// With one more CCCR in use.
    fn with(self, cccr: u8) -> Taken {
        let own = 1 << cccr;
        let others = if self.exclusive & own != 0 { self.exclusive } else { 0 };
        Taken { cccrs: self.cccrs | own | others, ..self }
    }
}

/// The facts of the table about an event.
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
                let cccrs = line.list("cccrs").fold(0, |all, cccr| all | 1 << cccr);
                let place = self.reached.iter().position(|reached| *reached == cccrs);
                let place = place.unwrap_or_else(|| {
                    self.reached.push(cccrs);
                    self.members.push(0);
                    self.members.len() - 1
                });
                self.members[place] |= 1 << self.escrs.len();
                self.escrs.push((next() as u32, place as u8));
            }
            Some("cccr") => self.cccrs.push((next() as u32, next() as u32)),
            Some("replay") => {
                self.replays.push((line.number("enb"), line.number("mat_vert")));
            }
            _ => {}
        }
    }

    /// The registers that a request may not use.
    fn taken(&self, unavailable: &PmcSet) -> Taken {
        let bits = |pmcs: &mut dyn Iterator<Item = u32>, wanted: &dyn Fn(u32) -> bool| {
            pmcs.enumerate().fold(0, |all, (place, pmc)| all | u64::from(wanted(pmc)) << place)
        };
        let exclusive = |pmc| matches!(pmc, BPU_CCCR1 | BPU_CCCR2);
        let mut cccrs = self.cccrs.iter().map(|(pmc, _)| *pmc);
        let exclusive = bits(&mut cccrs, &exclusive);
        let mut taken = Taken { escrs: 0, cccrs: 0, exclusive, sampling: false };
        if *unavailable != PmcSet::default() {
            let missing = |pmc| unavailable.contains(pmc);
            let with = |pmc| missing(pmc) || pmc == BPU_CCCR2 && missing(BPU_CCCR1);
            taken.escrs = bits(&mut self.escrs.iter().map(|(pmc, _)| *pmc), &missing);
            taken.sampling = missing(PEBS_ENABLE) || missing(PEBS_MATRIX_VERT);
            taken.cccrs = bits(&mut self.cccrs.iter().map(|(pmc, _)| *pmc), &with);
        }
        taken
    }

    /// The ESCRs that may select an event.
    fn escrs(&self, event: &EventRequest, taken: &Taken) -> u64 {
        let Some(facts) = self.events.get(event.event) else { return 0 };
        let is_sampled = facts.replay && event.masks.iter().any(|mask| is_replay(*mask));
        if is_sampled && taken.sampling { 0 } else { facts.escrs & !taken.escrs }
    }

    fn check(&self, event: &EventRequest, position: usize) -> Result<(), DispatchError> {
        check_plm(event, position)?;
        if self.no_completed && self.events[event.event].completed {
            let reason = "this model of the processor does not count completed instructions";
            return Err(DispatchError::new(ErrorKind::Incompatible, reason).at(position));
        }
        Ok(())
    }

    /// The registers of each event, from the ESCRs that may select it.
    fn pairs(&self, allowed: &[u64], taken: Taken) -> Option<Pairs> {
        self.first_fit(allowed, taken).or_else(|| {
            // One of the exclusive CCCRs is left out, whichever leaves the better pairs.
            let without = bits(taken.exclusive).map(|cccr| taken.cccrs | 1 << cccr);
            without.filter_map(|taken| self.exact(allowed, taken)).min()
        })
    }

    /// Each event takes its first free pair.
    fn first_fit(&self, allowed: &[u64], mut taken: Taken) -> Option<Pairs> {
        let mut pairs = Pairs::default();
        for (pair, allowed) in pairs.iter_mut().zip(allowed) {
            *pair = bits(*allowed & !taken.escrs).find_map(|escr| self.pair(escr, taken.cccrs))?;
            taken.escrs |= 1 << pair.escr;
            taken = taken.with(pair.cccr);
        }
        Some(pairs)
    }

    /// The best pairs that there are without these CCCRs.
    fn exact(&self, allowed: &[u64], mut taken: u64) -> Option<Pairs> {
        let mut capacity = [0; GROUPS];
        for (capacity, reached) in capacity.iter_mut().zip(&self.reached) {
            *capacity = (reached & !taken).count_ones();
        }
        let groups = Groups { members: &self.members, capacity: &capacity };
        let escrs = assign_grouped(allowed, groups)?;
        let mut pairs = Pairs::default();
        for (pair, escr) in pairs.iter_mut().zip(escrs.iter()) {
            *pair = self.pair(*escr, taken)?;
            taken |= 1 << pair.cccr;
        }
        Some(pairs)
    }

    /// An ESCR with the first free CCCR that it reaches.
    fn pair(&self, escr: u8, taken: u64) -> Option<Pair> {
        let (_, group) = self.escrs[usize::from(escr)];
        let free = self.reached[usize::from(group)] & !taken;
        (free != 0).then(|| Pair { escr, cccr: free.trailing_zeros() as u8 })
    }

    /// The values of the registers of sampling, for the unit masks of a replay event that ask for it.
    fn replay(&self, event: &EventRequest) -> Option<[u64; 2]> {
        if !self.events[event.event].replay {
            return None;
        }
        let asked = event.masks.iter().filter(|mask| is_replay(**mask));
        let rows = asked.filter_map(|mask| self.replays.get(*mask));
        let (enable, matrix) = rows.fold((0, 0), |all, row| (all.0 | row.0, all.1 | row.1));
        (enable != 0).then_some([enable, matrix])
    }

    /// All replay events share the registers of sampling.
    fn check_replays(&self, request: &Request) -> Result<(), DispatchError> {
        let mut values = request.events.iter().filter_map(|event| self.replay(event));
        let Some(first) = values.next() else { return Ok(()) };
        if values.any(|other| other != first) {
            let reason = "two replay events need other values in the registers of sampling";
            return Err(DispatchError::new(ErrorKind::NoAssign, reason));
        }
        Ok(())
    }

    /// The ESCR of an event: its unit masks are bits of the event mask, from 16 on tags.
    fn escr_value(&self, table: &Table, event: &EventRequest, plm: Privilege) -> u64 {
        let facts = &self.events[event.event];
        let masks = table.mask_codes(&table.events[event.event], &event.masks);
        let (mask, tag) = (masks & 0xffff, masks >> 16 & 0xf);
        let mask = if facts.replay { mask & !REPLAYS } else { mask };
        let user = u64::from(plm.contains(Privilege::USER)) << 2;
        let kernel = u64::from(plm.contains(Privilege::KERNEL)) << 3;
        let tag_enable = u64::from(tag != 0) << 4;
        facts.event_select << 25 | mask << 9 | tag << 5 | tag_enable | kernel | user
    }

    /// The CCCR of an event: enabled, for both threads, with an interrupt on overflow.
    fn cccr_value(&self, event: &EventRequest) -> u64 {
        1 << 26 | 3 << 16 | self.events[event.event].escr_select << 13 | 1 << 12
    }
}

/// Returns true if a unit mask of a replay event asks for sampling.
fn is_replay(mask: usize) -> bool {
    mask < 64 && REPLAYS >> mask & 1 != 0
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
        let taken = self.taken(&request.unavailable);
        let mut allowed = [0; MOST_EVENTS];
        for (allowed, event) in allowed.iter_mut().zip(&request.events) {
            *allowed = self.escrs(event, &taken);
        }
        let allowed = &allowed[..request.events.len()];
        for (position, event) in request.events.iter().enumerate() {
            self.check(event, position).map_err(|error| {
                // libpfm-3 looks at an event when those before it have their registers.
                match self.first_fit(&allowed[..position], taken) {
                    Some(_) => error,
                    None => error.libpfm3(ErrorKind::NoAssign),
                }
            })?;
        }
        self.check_replays(request)?;
        let pairs = self.pairs(allowed, taken).ok_or_else(no_assign)?;
        let mut assignment = Assignment::with_capacity(2 * request.events.len());
        for (event, pair) in request.events.iter().zip(&pairs) {
            let (pmc, pmd) = self.cccrs[usize::from(pair.cccr)];
            if let Some([enable, matrix]) = self.replay(event) {
                assignment.pmcs.push(table.pmc(PEBS_ENABLE, enable));
                assignment.pmcs.push(table.pmc(PEBS_MATRIX_VERT, matrix));
            }
            let value = self.escr_value(table, event, request.plm(event));
            assignment.pmcs.push(table.pmc(self.escrs[usize::from(pair.escr)].0, value));
            assignment.pmcs.push(table.pmc(pmc, self.cccr_value(event)));
            assignment.pmds.push(table.pmd(pmd));
        }
        Ok(assignment)
    }

    fn counters(&self, _: &Table, request: &Request, event: usize) -> u64 {
        let Some(event) = request.events.get(event) else { return 0 };
        let taken = self.taken(&request.unavailable);
        let reached = bits(self.escrs(event, &taken))
            .map(|escr| self.reached[usize::from(self.escrs[usize::from(escr)].1)])
            .fold(0, |all, reached| all | reached & !taken.cccrs);
        bits(reached).fold(0, |all, cccr| all | 1 << self.cccrs[usize::from(cccr)].1)
    }
}
