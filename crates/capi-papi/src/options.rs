//! The defaults of new sets, and of what they are made of.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::codes::{EINVAL, EINVAL_DOM, ENOCMP, ENOSUPP, Failed};
use crate::components::{CPU, NAMES};
use crate::opened::Options;

/// The levels: user, kernel, other, supervisor.
pub(crate) const USER: c_int = 1;
pub(crate) const ALL_LEVELS: c_int = 15;
/// The levels that the kernel's events tell apart.
pub(crate) const KNOWN_LEVELS: c_int = 11;
/// The granularities: of a thread, and of a CPU.
pub(crate) const THREAD: c_int = 1;
pub(crate) const SYSTEM: c_int = 8;
const LAST_GRANULARITY: c_int = 16;

/// The most events of a set that take turns.
pub(crate) const MOST_MULTIPLEXED: c_int = 384;
/// The nanoseconds of a turn. It is the kernel that decides; PAPI's default is reported.
pub(crate) const TURN: c_int = 10_000_000;

static DOMAIN: AtomicI32 = AtomicI32::new(USER);
static GRANULARITY: AtomicI32 = AtomicI32::new(THREAD);
static TURN_LENGTH: AtomicI32 = AtomicI32::new(TURN);

/// The options of a new set.
pub(crate) fn of_new_set() -> Options {
    Options {
        domain: domain(),
        granularity: granularity(),
        inherit: false,
        thread: None,
        cpu: (granularity() == SYSTEM).then(crate::threads::cpu),
        multiplexed: None,
    }
}

pub(crate) fn domain() -> c_int {
    DOMAIN.load(Ordering::Relaxed)
}

pub(crate) fn granularity() -> c_int {
    GRANULARITY.load(Ordering::Relaxed)
}

pub(crate) fn turn() -> c_int {
    TURN_LENGTH.load(Ordering::Relaxed)
}

pub(crate) fn set_turn(nanoseconds: c_int) -> Result<(), Failed> {
    if nanoseconds <= 0 {
        return Err(EINVAL);
    }
    TURN_LENGTH.store(nanoseconds, Ordering::Relaxed);
    Ok(())
}

/// A component by its number.
pub(crate) fn component(number: c_int) -> Result<usize, Failed> {
    usize::try_from(number).ok().filter(|number| *number < NAMES.len()).ok_or(ENOCMP)
}

/// Checks that levels can be counted.
pub(crate) fn check_domain(domain: c_int) -> Result<(), Failed> {
    match domain {
        1..=ALL_LEVELS if domain & KNOWN_LEVELS != 0 => Ok(()),
        1..=ALL_LEVELS => Err(ENOSUPP),
        _ => Err(EINVAL),
    }
}

pub(crate) fn check_granularity(granularity: c_int) -> Result<(), Failed> {
    match granularity {
        THREAD | SYSTEM => Ok(()),
        _ => Err(EINVAL),
    }
}

/// Sets the levels that new sets count.
pub(crate) fn set_domain(domain: c_int, number: c_int) -> Result<(), Failed> {
    component(number)?;
    check_domain(domain)?;
    if number == CPU as c_int {
        DOMAIN.store(domain, Ordering::Relaxed);
    }
    Ok(())
}

/// Sets what new sets count: a thread, or a CPU.
pub(crate) fn set_granularity(granularity: c_int, number: c_int) -> Result<(), Failed> {
    component(number)?;
    if !(1..=LAST_GRANULARITY).contains(&granularity) {
        return Err(EINVAL);
    }
    check_granularity(granularity)?;
    if number == CPU as c_int {
        GRANULARITY.store(granularity, Ordering::Relaxed);
    }
    Ok(())
}

/// The defaults of PAPI again.
pub(crate) fn reset() {
    DOMAIN.store(USER, Ordering::Relaxed);
    GRANULARITY.store(THREAD, Ordering::Relaxed);
    TURN_LENGTH.store(TURN, Ordering::Relaxed);
}

/// The levels of an option for one set.
pub(crate) fn domain_of_set(domain: c_int) -> Result<c_int, Failed> {
    check_domain(domain).map_err(|_| EINVAL_DOM).map(|()| domain)
}
