//! The same counts in other ways: without system calls, taking turns, and by samples.

use super::measured::{DISABLED, attr, named, not_counted, of, precisions, read, rounds, run};
use super::trust::{Asked, Measured, Trust, Unmeasured, Way};
use crate::event_set::EventSet;
use counterpoint_kernels::{Kernel, Quantity};
use counterpoint_perf::records::Record;
use counterpoint_perf::{
    Attr, Every, Fields, Group, Host, OpenError, Placement, Sampling, Setup, UserReads,
};

/// `instructions` in every way.
pub(super) fn hardware(set: &EventSet, kernels: &mut [Kernel]) -> Vec<Trust> {
    const EVENT: &str = "instructions";
    /// No divisor of the instructions of a turn.
    const PERIOD: u64 = 10_007;
    let (Some(attr), Some(kernel)) = (attr(set, EVENT), named(kernels, "integers")) else {
        return Vec::new();
    };
    let host = set.machine().host();
    let quantity = Quantity::Instructions;
    let user_read =
        row(EVENT, Way::UserRead, quantity, &attr, kernel, |k, asked| user_read(host, k, asked));
    let multiplexed = multiplexed(host, EVENT, quantity, &attr, kernel);
    // `instructions:p` asks for an address nearer to the instruction; the samples are as many.
    let overflows = precisions(EVENT, &attr).filter_map(|(event, attr)| {
        let attr = Attr { every: Every::Period(PERIOD), ..attr };
        overflow(host, &event, quantity, attr, kernel)
    });
    [user_read, multiplexed].into_iter().flatten().chain(overflows).collect()
}

/// `page-faults` by samples.
pub(super) fn software(set: &EventSet, kernels: &mut [Kernel]) -> Option<Trust> {
    const EVENT: &str = "page-faults";
    const PERIOD: u64 = 10;
    let (attr, kernel) = (attr(set, EVENT)?, named(kernels, "faults")?);
    let attr = Attr { every: Every::Period(PERIOD), ..attr };
    overflow(set.machine().host(), EVENT, Quantity::PageFaults, attr, kernel)
}

fn row(
    event: &str,
    way: Way,
    quantity: Quantity,
    attr: &Attr,
    kernel: &mut Kernel,
    measure: impl FnOnce(&mut Kernel, &mut Asked) -> Result<Measured, Unmeasured>,
) -> Option<Trust> {
    let expected = kernel.expected(quantity)?;
    let mut asked = Asked::of(std::slice::from_ref(attr));
    let measured = measure(kernel, &mut asked);
    Some(Trust { way, ..Trust::of(event, kernel, expected, measured, asked) })
}

fn user_read(host: &Host, kernel: &mut Kernel, asked: &mut Asked) -> Result<Measured, Unmeasured> {
    let setup = Setup { user_reads: UserReads::WhereOffered, ..Setup::default() };
    let group = host.open(&asked.attrs, Placement::ThisThread, setup);
    let mut group = group.map_err(|error| asked.refused(&error))?;
    if !group.is_read_in_user_space() {
        return Err(Unmeasured::no_user_reads());
    }
    let measured = rounds(kernel, |kernel, turns| {
        let before = read(&mut group)?;
        run(kernel, turns)?;
        Ok(read(&mut group)? - before)
    })?;
    asked.add(&group.read().map_err(not_counted)?);
    Ok(measured)
}

/// Estimates of events that take turns, beside the known number.
fn multiplexed(
    host: &Host,
    event: &str,
    quantity: Quantity,
    attr: &Attr,
    kernel: &mut Kernel,
) -> Option<Trust> {
    /// More than any processor has counters.
    const GROUPS: usize = 24;
    /// Long enough for each to have had many turns, which change with the kernel's ticks.
    const TIMES: u64 = 200;
    let turns = kernel.turns() * TIMES;
    let expected = kernel.expected(quantity)?.of(turns) as f64;
    let measure = |kernel: &mut Kernel, asked: &mut Asked| {
        let open = || host.open(&asked.attrs, Placement::ThisThread, DISABLED);
        let groups: Result<Vec<Group>, OpenError> = (0..GROUPS).map(|_| open()).collect();
        let mut groups = groups.map_err(|error| asked.refused(&error))?;
        groups.iter_mut().try_for_each(Group::enable).map_err(not_counted)?;
        run(kernel, turns)?;
        groups.iter_mut().try_for_each(Group::disable).map_err(not_counted)?;
        let mut estimates = Vec::new();
        for group in &mut groups {
            let count = group.read().map_err(not_counted)?;
            asked.add(&count);
            let shared = count.first().filter(|count| count.running < count.enabled);
            estimates.extend(shared.and_then(counterpoint_perf::Count::scaled));
        }
        if estimates.is_empty() {
            let why = format!("this PMU has counters for {GROUPS} events at once");
            return Err(Unmeasured::NotCounted(why));
        }
        of(estimates)
    };
    let why = "an estimate supposes that the program did the same all the time";
    let trust = row(event, Way::Multiplexed, quantity, attr, kernel, measure)?;
    Some(Trust { expected, tolerance: 0.05, why: why.to_string(), ..trust })
}

/// The samples at a period, times the period.
fn overflow(
    host: &Host,
    event: &str,
    quantity: Quantity,
    attr: Attr,
    kernel: &mut Kernel,
) -> Option<Trust> {
    let Every::Period(period) = attr.every else { return None };
    let measure = |kernel: &mut Kernel, asked: &mut Asked| {
        let mut sampler = host.sampler(Sampling::new(Fields::IP), DISABLED).ring_bytes(1 << 20);
        let added = sampler.add(std::slice::from_ref(&attr), &Placement::ThisThread);
        added.map_err(|error| asked.refused(&error))?;
        rounds(kernel, |kernel, turns| {
            sampler.enable().map_err(not_counted)?;
            run(kernel, turns)?;
            sampler.disable().map_err(not_counted)?;
            let mut samples = 0_u64;
            let drained =
                sampler.drain(|record| samples += u64::from(matches!(record, Record::Sample(_))));
            drained.map_err(not_counted)?;
            match sampler.lost().map_err(not_counted)? {
                0 => Ok((samples * period) as f64),
                lost => Err(Unmeasured::NotCounted(format!("{lost} samples were lost"))),
            }
        })
    };
    let trust = row(event, Way::Overflow, quantity, &attr, kernel, measure)?;
    // One sample more or less at each end.
    let tolerance = trust.tolerance + 2.0 * period as f64 / trust.expected;
    let why = "a period that has begun has no sample yet";
    Some(Trust { tolerance, why: why.to_string(), ..trust })
}
