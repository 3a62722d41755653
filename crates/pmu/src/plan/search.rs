//! The search for the fewest passes.

use super::bound::{Spread, by_claims};
use super::demand::Demand;
use super::pass::{Pass, Slot};

/// The passes that count every event, as few as were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// Each with the events that it counts; an event of several units may be in several passes.
    pub passes: Vec<Vec<Slot>>,
    /// No plan with fewer passes keeps the same units together.
    pub optimal: bool,
    /// No plan can have fewer passes than this.
    pub at_least: usize,
    /// The units that no pass can hold, by their index; their events were planned one by one.
    pub separated: Vec<usize>,
    /// The events that no counter can count.
    pub impossible: Vec<usize>,
}

/// The number of times the search may try to put a unit into a pass: some tens of milliseconds at most.
const TRIES: usize = 250_000;
/// Longer lists are not searched, but get the first fit.
const SEARCHED: usize = 64;

/// Fills in the passes of a plan, and whether it is optimal.
pub(super) fn fill(plan: &mut Plan, demands: &[Demand], units: &[Vec<usize>]) {
    let events = units.iter().flatten().copied().collect();
    let spread = Spread::new(demands, &events);
    plan.at_least = spread.passes.max(by_claims(demands, &events));
    let alone = units.iter().all(|unit| unit.len() == 1);
    let passes = if alone && demands.iter().all(|demand| demand.claims.is_empty()) {
        plan.optimal = true;
        columns(demands, &spread)
    } else {
        let first = first_fit(demands, units);
        let mut search = Search { demands, units, alike: alike(demands, units), tries: TRIES };
        let better = if units.len() > SEARCHED {
            plan.optimal = first.len() == plan.at_least;
            None
        } else {
            let (better, optimal) = search.fewer(plan.at_least, first.len());
            plan.optimal = optimal;
            better
        };
        better.unwrap_or(first)
    };
    plan.passes = passes.iter().map(Pass::slots).collect();
}

/// The n-th events of all counters make the n-th pass.
fn columns(demands: &[Demand], spread: &Spread) -> Vec<Pass> {
    let passes = (0..spread.passes).filter_map(|pass| {
        Pass::of(demands, spread.counters.iter().filter_map(|events| events.get(pass).copied()))
    });
    passes.collect()
}

/// Each unit, the hardest first, into the first pass that has room for it.
fn first_fit(demands: &[Demand], units: &[Vec<usize>]) -> Vec<Pass> {
    let mut passes: Vec<Pass> = Vec::new();
    for unit in units {
        let fitting = passes.iter_mut().find_map(|pass| {
            let with = pass.with(demands, unit)?;
            *pass = with;
            Some(())
        });
        if fitting.is_none() {
            passes.extend(Pass::empty().with(demands, unit));
        }
    }
    passes
}

struct Search<'a> {
    demands: &'a [Demand],
    units: &'a [Vec<usize>],
    /// For each unit, true if it and the one before it are interchangeable.
    alike: Vec<bool>,
    tries: usize,
}

impl Search<'_> {
    /// The fewest passes from `least` up to fewer than `most`, if there are such, and whether none fewer was left untried.
    fn fewer(&mut self, least: usize, most: usize) -> (Option<Vec<Pass>>, bool) {
        for passes in least..most {
            let mut pass = vec![Pass::empty(); passes];
            let found = self.place(0, &mut pass, 0);
            if found {
                return (Some(pass), true);
            }
            if self.tries == 0 {
                return (None, false);
            }
        }
        (None, true)
    }

    /// Puts the units from `next` on into the passes, trying every pass for each.
    ///
    /// Goes as deep as there are units, of which there are no more than `SEARCHED`.
    fn place(&mut self, next: usize, passes: &mut [Pass], after: usize) -> bool {
        let Some(unit) = self.units.get(next) else { return true };
        // Interchangeable units go to passes in their order.
        let first = if self.alike[next] { after } else { 0 };
        for index in first..passes.len() {
            if self.tries == 0 {
                return false;
            }
            self.tries -= 1;
            let was_empty = passes[index].is_empty();
            if let Some(with) = passes[index].with(self.demands, unit) {
                let before = std::mem::replace(&mut passes[index], with);
                if self.place(next + 1, passes, index) {
                    return true;
                }
                passes[index] = before;
            }
            // Empty passes are interchangeable.
            if was_empty {
                break;
            }
        }
        false
    }
}

/// For each unit, true if it asks for the same as the one before it, and neither shares an event with any other unit.
fn alike(demands: &[Demand], units: &[Vec<usize>]) -> Vec<bool> {
    let mut uses = vec![0; demands.len()];
    units.iter().flatten().for_each(|&event| uses[event] += 1);
    let own = |unit: &[usize]| unit.iter().all(|&event| uses[event] == 1);
    let same = |a: &[usize], b: &[usize]| {
        a.iter().map(|&event| &demands[event]).eq(b.iter().map(|&event| &demands[event]))
    };
    let pairs =
        units.windows(2).map(|pair| own(&pair[0]) && own(&pair[1]) && same(&pair[0], &pair[1]));
    std::iter::once(false).chain(pairs).collect()
}
