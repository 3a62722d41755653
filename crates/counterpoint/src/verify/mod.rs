//! Compares what events count with what code is known to count: the trust report.
//!
//! # How an event is verified
//!
//! [`kernels`](crate::kernels) has code that says beforehand what it counts.
//! `predicted` lists the events, presets and metrics that stand for one of these quantities; where a preset is one event of the processor, this event is verified too.
//! `measured` counts each alone, in user space, around a number of turns and around twice as many: the difference has nothing of what is around the loop.
//! Of several such rounds, [`Measured`] has the median and the extremes, and [`Verdict`] follows from these numbers and from nothing else.
//! `ways` repeats it with reads without a system call, with events that take turns and with samples, and `scheduled` lets the kernel run what was planned for one pass.
//! `skid` has the number of instructions from the one that caused a sample to the one that it names, and `times` the nanoseconds of a read, of which nothing is expected.

mod measured;
mod predicted;
mod scheduled;
mod skid;
mod times;
mod trust;
mod ways;

pub use trust::{Asked, Measured, Trust, TrustReport, Unmeasured, Verdict, Way};

use crate::event_set::{EventSet, Multiplexing};
use crate::{Machine, Target};
use counterpoint_kernels::{Cache, kernels};
use counterpoint_perf::Host;
use counterpoint_pmu::Privilege;

/// Counts every event whose number is known beforehand, in the calling thread.
///
/// It takes some seconds, and moves the thread between CPUs.
///
/// ```
/// use counterpoint::{perf::Host, verify::{Verdict, verify}};
/// let report = verify(&Host::local());
/// for trust in &report.rows {
///     println!("{}: {:?}", trust.event, trust.verdict());
/// }
/// # let faults = report.rows.iter().find(|row| row.event == "page-faults").unwrap();
/// # assert!(matches!(faults.verdict(), Verdict::Exact | Verdict::Near), "{faults:?}");
/// ```
pub fn verify(host: &Host) -> TrustReport {
    let set = || EventSet::on(host.clone(), Target::ThisThread).inherit(false).delayed(true);
    let set = |levels| set().multiplexing(Multiplexing::Refuse).domain(levels);
    let mut kernels = kernels(&caches(&Machine::new(host.clone())));
    let user = set(Privilege::USER);
    let mut rows = Vec::new();
    let hardware = measured::can_count(&user, "instructions");
    if hardware.is_ok() {
        rows.extend(predicted::HARDWARE.iter().flat_map(|p| p.verify(&user, &mut kernels)));
        rows.extend(predicted::vendor(&user, &mut kernels));
        rows.extend(predicted::METRICS.iter().flat_map(|p| p.verify(&user, &mut kernels)));
        rows.extend(ways::hardware(&user, &mut kernels));
        rows.extend(skid::hardware(&user));
        rows.extend(scheduled::verify(&user, &rows, &mut kernels));
        rows.extend(times::hardware(&user, &rows));
        rows.extend(predicted::UNPREDICTED.iter().map(|event| Trust::unpredicted(event)));
    }
    let software = set(Privilege::ALL);
    rows.extend(predicted::SOFTWARE.iter().flat_map(|p| p.verify(&software, &mut kernels)));
    rows.extend(ways::software(&software, &mut kernels));
    rows.extend(times::software(&software));
    TrustReport { no_hardware: hardware.err(), rows }
}

/// The data and unified caches of the first CPU.
fn caches(machine: &Machine) -> Vec<Cache> {
    let all = machine.hardware().caches.into_iter().filter(|cache| cache.kind != "Instruction");
    let known = all.filter_map(|cache| {
        Some(Cache { level: u8::try_from(cache.level).ok()?, bytes: cache.size, line: cache.line? })
    });
    known.collect()
}
