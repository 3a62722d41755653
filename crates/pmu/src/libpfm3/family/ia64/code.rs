//! Code ranges of Itanium 2 and Montecito: which pairs of debug registers hold them, and in which mode.
//!
//! Instructions retired can be tagged by every pair; other events look at pair 0 alone, prefetches at pair 1.
//! In fine mode a range inside a page takes two pairs (Itanium 2 Reference Manual for Software Development and
//! Optimization).

use super::events::{Facts, Prefetch};
use super::input::{Range, RangeRegisters};
use super::ranges::{self, FineMode};
use super::session::Session;
use crate::libpfm3::{DispatchError, ErrorKind};
use crate::privilege::Privilege;

/// The pairs that the events of a request look at.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    pub base: usize,
    /// Events look at pair 0, and others at pair 1: both hold the range.
    pub both: bool,
}

/// The relation of a request's events to code ranges.
pub(super) struct Mix {
    /// Every event counts instructions retired.
    pub only_retired: bool,
    /// Some event counts prefetches.
    pub prefetches: bool,
    /// Every event counts instructions retired or prefetches.
    pub no_others: bool,
}

impl Mix {
    pub(super) fn of(session: &Session<'_>) -> Mix {
        let retired = |facts: &Facts| facts.retired.is_some();
        let prefetches = |facts: &Facts| facts.prefetch != Prefetch::No;
        let events = &session.facts;
        Mix {
            only_retired: events.iter().all(|facts| retired(facts)),
            prefetches: events.iter().any(|facts| prefetches(facts)),
            no_others: events.iter().all(|facts| retired(facts) || prefetches(facts)),
        }
    }
}

/// Ranges in debug registers, and how the processor reads these.
#[derive(Default)]
pub(super) struct Placed {
    pub registers: RangeRegisters,
    pub fine: bool,
    /// The error of libpfm-3 for these ranges: still the answer, if there is another error.
    pub refused: Option<DispatchError>,
    /// The error for these ranges if nothing else is in the way: they leave their page, which that library does
    /// not see, because it compares 32 bits.
    pub leaves_page: Option<DispatchError>,
}

impl Placed {
    /// The answer, after what comes after the ranges.
    pub(super) fn answer(&self, after: Result<(), DispatchError>) -> Result<(), DispatchError> {
        after.map_err(|refusal| self.refused.clone().unwrap_or(refusal))?;
        self.leaves_page.clone().map_or(Ok(()), Err)
    }

    /// PMC14 or PMC38: a zero in bits 1, 4, 7, 10 for each pair in use, bit 13 for fine mode.
    pub(super) fn configuration(&self) -> u64 {
        let unused = (0..4)
            .filter(|&pair| self.registers.uses(pair))
            .fold(0xdb6, |bits, pair| bits & !(2 << (3 * pair)));
        unused | u64::from(self.fine) << 13
    }
}

/// Places `limits`, in fine mode if there is one; `accept` has the last word on each way to do so.
///
/// A range of a whole page is tried in fine mode only after the other way.
pub(super) fn place(
    session: &Session<'_>,
    limits: &[Range],
    mode: Option<FineMode>,
    pairs: impl Fn() -> Result<Pairs, DispatchError>,
    accept: impl Fn(&Placed) -> Result<(), DispatchError>,
) -> Result<Placed, DispatchError> {
    let mix = Mix::of(session);
    let attempt = |fine: Option<FineMode>| {
        let most = if fine.is_some() {
            2
        } else if mix.only_retired {
            4
        } else {
            1
        };
        if limits.len() > most {
            let reason =
                "the code ranges do not fit into the debug registers that the events look at";
            return Err(DispatchError::new(ErrorKind::TooManyCodeRanges, reason));
        }
        let pairs = pairs()?;
        let registers = if let Some(mode) = fine {
            in_fine_mode(limits, mode, &mix, pairs, session.request.plm)?
        } else if mix.only_retired {
            ranges::exact(limits, session.request.plm).ok_or_else(ranges::too_many_code)?
        } else {
            coarse(&limits[0], &mix, pairs, session.request.plm)?
        };
        let placed = Placed { registers, fine: fine.is_some(), refused: None, leaves_page: None };
        accept(&placed).map(|()| placed)
    };
    if let Some(mode) = mode
        && limits.iter().all(|range| mode.holds_inside(range))
    {
        return attempt(Some(mode));
    }
    attempt(None).or_else(|refusal| match mode {
        Some(mode) if limits.iter().all(|range| mode.holds(range)) => {
            let Ok(placed) = attempt(Some(mode)) else { return Err(refusal) };
            Ok(Placed { refused: Some(refusal), ..placed })
        }
        Some(mode) if limits.iter().all(|range| mode.seems_inside(range)) => {
            let placed = attempt(Some(mode))?;
            Ok(Placed { leaves_page: Some(refusal), ..placed })
        }
        _ => Err(refusal),
    })
}

fn in_fine_mode(
    limits: &[Range],
    mode: FineMode,
    mix: &Mix,
    pairs: Pairs,
    default_plm: Privilege,
) -> Result<RangeRegisters, DispatchError> {
    let mut registers = RangeRegisters::default();
    if mix.prefetches && limits.len() > 1 {
        let reason = "events that count prefetches take one range";
        return Err(DispatchError::new(ErrorKind::TooManyCodeRanges, reason));
    }
    for (index, range) in limits.iter().enumerate() {
        mode.push(&mut registers, index, range, pairs.base + index, default_plm);
    }
    if pairs.both {
        mode.push(&mut registers, 0, &limits[0], pairs.base + 1, default_plm);
    }
    Ok(registers)
}

fn coarse(
    range: &Range,
    mix: &Mix,
    pairs: Pairs,
    default_plm: Privilege,
) -> Result<RangeRegisters, DispatchError> {
    let mut registers = RangeRegisters::default();
    if mix.prefetches && !mix.no_others {
        let reason =
            "prefetches are counted beside other events, and the code range is not inside a page";
        return Err(DispatchError::new(ErrorKind::FeatureCombination, reason));
    }
    ranges::coarse(&mut registers, range, pairs.base, default_plm)?;
    if pairs.both {
        ranges::coarse(&mut registers, range, pairs.base + 1, default_plm)?;
    }
    Ok(registers)
}

/// Outside fine mode a pair tags instructions for its own event only, which must be there.
pub(super) fn check_tagged(session: &Session<'_>, placed: &Placed) -> Result<(), DispatchError> {
    let tagged = |pair| session.facts.iter().any(|facts| facts.retired == Some(pair));
    if (0..4).any(|pair| placed.registers.uses(usize::from(pair)) && !tagged(pair)) {
        let reason = "a pair of debug registers has no event of tagged instructions";
        return Err(DispatchError::new(ErrorKind::CodeRange, reason));
    }
    Ok(())
}

/// PMC13 or PMC41: for each pair its restriction, two bits at 3, 11, 19 and 27, and a bit from 45 on that enables it.
pub(super) fn data_configuration(session: &Session<'_>, fine: bool) -> u64 {
    let base = 0x2078_fefe_fefe & !(0xf << 45);
    (0..4).fold(base, |value, pair| {
        let data = session.output.data.uses(pair);
        let code = session.output.code.uses(pair) && !(fine && pair > 1);
        let opcode = (data || code) && session.input.opcodes[pair % 2].is_some();
        let what = usize::from(data) | usize::from(opcode) << 1 | usize::from(code) << 2;
        let configuration = [3u64, 2, 3, 0, 1, 0, 1, 0][what];
        let cleared = value & !(3 << (3 + 8 * pair));
        cleared | configuration << (3 + 8 * pair) | u64::from(what != 0) << (45 + pair)
    })
}
