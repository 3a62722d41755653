//! The contents of the samples of a profile, and the memory for them.

use super::parts::SampleKey;
use super::request::{CallGraph, Profile};
use counterpoint_perf::{Every, Fields, Sampling, StackParts};

/// The sizes of all rings together, and of each at least and at most: a reader that does not get a CPU for 200 ms loses no sample at 10 kHz.
const RINGS_OF_CHAINS: Rings = Rings { all: 32 << 20, least: 512 << 10, most: 2 << 20 };
/// A program that touches its memory for the first time makes hundreds of thousands of page faults a second.
const RINGS_OF_ACCESSES: Rings = Rings { all: 64 << 20, least: 512 << 10, most: 8 << 20 };
#[cfg(feature = "unwind")]
const RINGS_OF_COPIES: Rings = Rings { all: 128 << 20, least: 4 << 20, most: 16 << 20 };

/// The memory for the records that wait to be read.
pub(super) struct Rings {
    pub(super) all: usize,
    pub(super) least: usize,
    pub(super) most: usize,
}

/// The contents of samples, and the sizes of the rings if they are not the usual ones.
pub(super) fn sampling(
    profile: &Profile,
    more: Fields,
    is_recorded: bool,
) -> (Sampling, Option<Rings>) {
    let (stack_fields, stack, rings) = of_stacks(profile);
    let mut fields = Fields::IP | Fields::TID | Fields::TIME | more | stack_fields;
    if is_recorded {
        fields = fields | Fields::IDENTIFIER | Fields::CPU;
    }
    // With its period in samples, the kernel samples every occurrence of a software event, whatever the period is.
    let is_every = matches!(profile.every, Every::Frequency(_) | Every::Period(1));
    if is_recorded && is_every {
        fields = fields | Fields::PERIOD;
    }
    if profile.keys.contains(&SampleKey::Cpu) {
        fields = fields | Fields::CPU;
    }
    if profile.by_events {
        fields = fields | Fields::PERIOD;
    }
    if profile.wake_ups {
        fields = fields | Fields::RAW;
    }
    if profile.accesses {
        let of_data = Fields::ADDR | Fields::DATA_SRC | Fields::WEIGHT;
        fields = fields | of_data | Fields::REGS_USER;
    }
    if !profile.counted.is_empty() {
        fields = fields | Fields::READ;
    }
    let has_copies = profile.call_graph.and_then(CallGraph::copied_bytes).is_some();
    let sampling = Sampling {
        // Of all CPUs, they would be those of all programs.
        tasks: !profile.wake_ups,
        build_ids: true,
        data_files: is_recorded && (has_copies || profile.accesses),
        switches: profile.off_cpu,
        stack,
        ..Sampling::new(fields)
    };
    (sampling, rings.or(profile.accesses.then_some(RINGS_OF_ACCESSES)))
}

/// The contents of samples for a call graph, and the sizes of the rings if they are not the usual ones.
fn of_stacks(profile: &Profile) -> (Fields, StackParts, Option<Rings>) {
    let kernel_only = StackParts { exclude_user: true, ..StackParts::default() };
    match profile.call_graph {
        // The sample itself is in the kernel's scheduler.
        None | Some(CallGraph::Innermost) if profile.off_cpu => {
            let one = StackParts { exclude_kernel: true, max_frames: 1, ..StackParts::default() };
            (Fields::CALLCHAIN, one, None)
        }
        None | Some(CallGraph::Innermost) => Default::default(),
        Some(CallGraph::FramePointers) => {
            (Fields::CALLCHAIN, StackParts::default(), Some(RINGS_OF_CHAINS))
        }
        #[cfg(feature = "unwind")]
        Some(CallGraph::Copies { bytes }) => {
            let fields = Fields::CALLCHAIN | Fields::REGS_USER | Fields::STACK_USER;
            (fields, StackParts { copied_bytes: bytes, ..kernel_only }, Some(RINGS_OF_COPIES))
        }
        Some(CallGraph::CallRecords) => {
            (Fields::CALLCHAIN | Fields::BRANCH_STACK, kernel_only, Some(RINGS_OF_CHAINS))
        }
    }
}
