//! How far a sample is from the instruction that caused it.

use super::measured::{DISABLED, attr, not_counted, of, precisions};
use super::trust::{Asked, Measured, Trust, Unmeasured, Way};
use crate::event_set::EventSet;
use counterpoint_kernels::BranchLoop;
use counterpoint_perf::records::{Record, Sample};
use counterpoint_perf::{Attr, Every, Fields, Host, Placement, Sampling};

const SAMPLES: u64 = 200;
/// A prime number, so that samples are of many turns.
const PERIOD: u64 = 53;

/// Branches, of which a loop has one in a thousand instructions, at each level of precision.
pub(super) fn hardware(set: &EventSet) -> Vec<Trust> {
    const EVENT: &str = "branches";
    let (Some(attr), Some(code)) = (attr(set, EVENT), BranchLoop::new()) else {
        return Vec::new();
    };
    let host = set.machine().host();
    precisions(EVENT, &attr).map(|(event, attr)| row(host, &event, attr, &code)).collect()
}

fn row(host: &Host, event: &str, attr: Attr, code: &BranchLoop) -> Trust {
    let attr = Attr { every: Every::Period(PERIOD), ..attr };
    let mut asked = Asked::of(&[attr]);
    let measured = skids(host, &mut asked, code);
    Trust { way: Way::Skid, measured, asked, ..Trust::unpredicted(event) }
}

/// The instructions between the branch and the address of each sample.
fn skids(host: &Host, asked: &mut Asked, code: &BranchLoop) -> Result<Measured, Unmeasured> {
    let mut sampler = host.sampler(Sampling::new(Fields::IP), DISABLED).ring_bytes(1 << 20);
    let added = sampler.add(&asked.attrs, &Placement::ThisThread);
    added.map_err(|error| asked.refused(&error))?;
    sampler.enable().map_err(not_counted)?;
    code.run(SAMPLES * PERIOD);
    sampler.disable().map_err(not_counted)?;
    let mut skids = Vec::new();
    let drained = sampler.drain(|record| {
        if let Record::Sample(Sample { ip: Some(ip), .. }) = record {
            skids.extend(code.skid(*ip).map(|skid| skid as f64));
        }
    });
    drained.map_err(not_counted)?;
    // Some are of what is around the loop; if most are, nothing is known.
    if (skids.len() as u64) < SAMPLES / 2 {
        let why = format!("{} of {SAMPLES} samples are in the loop", skids.len());
        return Err(Unmeasured::NotCounted(why));
    }
    of(skids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint_fixtures::{is_alone, run_with_breakpoint, skipped};
    use counterpoint_perf::pmu_type;

    /// A breakpoint stops before its instruction, so that samples of it have no skid.
    #[test]
    fn samples_of_a_breakpoint_are_at_the_branch() {
        let test = "verify::skid::tests::samples_of_a_breakpoint_are_at_the_branch";
        if !is_alone(test) {
            return run_with_breakpoint(test);
        }
        let Some(code) = BranchLoop::new() else {
            return skipped("this architecture has no loops in assembly");
        };
        let breakpoint = |address: u64| Attr {
            config1: address,
            config2: if cfg!(target_arch = "x86_64") { 8 } else { 4 },
            breakpoint: 4,
            ..Attr::new(pmu_type::BREAKPOINT, 0).user_only()
        };
        for skid in [0, 1, 700] {
            let is_it = |address: &u64| code.skid(*address) == Some(skid);
            let address = (code.branch() - 4 * code.instructions()..).find(is_it).unwrap();
            let row = row(&Host::local(), "a breakpoint", breakpoint(address), &code);
            match row.measured {
                Ok(measured) => assert_eq!(measured.median, skid as f64, "{measured:?}"),
                Err(why) => skipped(&format!("a breakpoint: {why:?}")),
            }
        }
    }
}
