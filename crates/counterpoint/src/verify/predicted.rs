//! The events, presets and metrics whose numbers kernels know.

use super::measured::{Counter, named};
use super::trust::{Trust, Unmeasured};
use crate::event_set::EventSet;
use counterpoint_kernels::Quantity::{
    BranchMisses, Branches, CacheMisses, ConditionalBranches, ContextSwitches, CpuTime,
    DoubleOperations, FpOperations, Instructions, LastLevelMisses, Loads, Migrations, PageFaults,
    SingleOperations, Stores, SystemCalls, TakenBranches, TlbMisses, VectorDoubles,
};
use counterpoint_kernels::{Kernel, Quantity};

/// An event or a preset that counts a quantity.
pub(super) struct Event(&'static str, Quantity);

/// A metric that is a ratio of two quantities.
pub(super) struct Ratio {
    metric: &'static str,
    kernel: &'static str,
    of: Quantity,
    to: Quantity,
    factor: f64,
}

/// Events of the kernel for every processor, and presets.
pub(super) const HARDWARE: &[Event] = &[
    Event("instructions", Instructions),
    Event("branches", Branches),
    Event("branch-misses", BranchMisses),
    Event("L1-dcache-loads", Loads),
    Event("L1-dcache-load-misses", CacheMisses(1)),
    Event("L1-dcache-stores", Stores),
    Event("LLC-load-misses", LastLevelMisses),
    Event("cache-misses", LastLevelMisses),
    Event("dTLB-loads", Loads),
    Event("dTLB-load-misses", TlbMisses),
    Event("PAPI_TOT_INS", Instructions),
    Event("PAPI_BR_INS", Branches),
    Event("PAPI_BR_CN", ConditionalBranches),
    Event("PAPI_BR_TKN", TakenBranches),
    Event("PAPI_BR_MSP", BranchMisses),
    Event("PAPI_LD_INS", Loads),
    Event("PAPI_SR_INS", Stores),
    Event("PAPI_L1_DCM", CacheMisses(1)),
    Event("PAPI_L1_LDM", CacheMisses(1)),
    Event("PAPI_L2_DCM", CacheMisses(2)),
    Event("PAPI_L2_LDM", CacheMisses(2)),
    Event("PAPI_L2_TCM", CacheMisses(2)),
    Event("PAPI_L3_LDM", CacheMisses(3)),
    Event("PAPI_L3_TCM", CacheMisses(3)),
    Event("PAPI_TLB_DM", TlbMisses),
    Event("PAPI_FP_OPS", FpOperations),
    Event("PAPI_SP_OPS", SingleOperations),
    Event("PAPI_DP_OPS", DoubleOperations),
    Event("PAPI_VEC_DP", VectorDoubles),
];

/// What the kernel of the system counts.
pub(super) const SOFTWARE: &[Event] = &[
    Event("page-faults", PageFaults),
    Event("minor-faults", PageFaults),
    Event("context-switches", ContextSwitches),
    Event("cpu-migrations", Migrations),
    Event("task-clock", CpuTime),
    Event("cpu-clock", CpuTime),
    Event("raw_syscalls:sys_enter", SystemCalls),
];

pub(super) const METRICS: &[Ratio] = &[
    Ratio {
        metric: "branch_share",
        kernel: "branches",
        of: Branches,
        to: Instructions,
        factor: 100.0,
    },
    Ratio {
        metric: "branch_miss_ratio",
        kernel: "coin",
        of: BranchMisses,
        to: Branches,
        factor: 100.0,
    },
    Ratio {
        metric: "branch_mpki",
        kernel: "coin",
        of: BranchMisses,
        to: Instructions,
        factor: 1000.0,
    },
    Ratio { metric: "load_share", kernel: "loads", of: Loads, to: Instructions, factor: 100.0 },
    Ratio { metric: "store_share", kernel: "stores", of: Stores, to: Instructions, factor: 100.0 },
    Ratio {
        metric: "l1d_mpki",
        kernel: "beyond-l1",
        of: CacheMisses(1),
        to: Instructions,
        factor: 1000.0,
    },
    Ratio {
        metric: "l2_mpki",
        kernel: "beyond-l2",
        of: CacheMisses(2),
        to: Instructions,
        factor: 1000.0,
    },
    Ratio {
        metric: "l3_mpki",
        kernel: "beyond-l3",
        of: CacheMisses(3),
        to: Instructions,
        factor: 1000.0,
    },
    Ratio { metric: "dtlb_mpki", kernel: "pages", of: TlbMisses, to: Instructions, factor: 1000.0 },
];

/// What depends on the processor and its clock, so that no code knows it beforehand.
pub(super) const UNPREDICTED: &[&str] = &[
    "cycles",
    "ref-cycles",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "ipc",
    "cpi",
];

impl Event {
    /// Counts every kernel that knows the number, or says once why it cannot be counted.
    pub(super) fn verify(&self, set: &EventSet, kernels: &mut [Kernel]) -> Vec<Trust> {
        verify(set, self.0, self.1, kernels)
    }
}

fn verify(set: &EventSet, event: &str, quantity: Quantity, kernels: &mut [Kernel]) -> Vec<Trust> {
    let mut rows = Vec::new();
    let errata = set.errata(event).join(", ");
    let mut counter = Counter::open(set, set.resolve_list(event));
    for kernel in kernels {
        let Some(expected) = kernel.expected(quantity) else { continue };
        let measured = counter.measure(kernel);
        let is_over = matches!(measured, Err(Unmeasured::NotSupported(_)));
        let row = Trust::of(event, kernel, expected, measured, counter.asked());
        rows.push(Trust { errata: errata.clone(), ..row });
        if is_over {
            break;
        }
    }
    rows
}

/// The processor's own events that presets stand for, where a preset is one event.
pub(super) fn vendor(set: &EventSet, kernels: &mut [Kernel]) -> Vec<Trust> {
    let mut rows: Vec<Trust> = Vec::new();
    for Event(preset, quantity) in HARDWARE.iter().filter(|event| event.0.starts_with("PAPI_")) {
        let Ok(resolved) = set.resolve_list(preset) else { continue };
        let [native] = resolved.natives() else { continue };
        let name = native.id.to_string();
        let is_known = HARDWARE.iter().any(|event| name.split(':').next() == Some(event.0));
        if !is_known && rows.iter().all(|row| row.event != name) {
            rows.extend(verify(set, &name, *quantity, kernels));
        }
    }
    rows
}

impl Ratio {
    pub(super) fn verify(&self, set: &EventSet, kernels: &mut [Kernel]) -> Option<Trust> {
        let kernel = named(kernels, self.kernel)?;
        let (of, to) = (kernel.expected(self.of)?, kernel.expected(self.to)?);
        let metric = [self.metric.to_string()];
        let mut counter = Counter::open(set, set.resolve_both(&[], &metric));
        let measured = counter.value(kernel);
        /// Starting and stopping are instructions and branches too.
        const AROUND: f64 = 0.01;
        let tolerance = of.tolerance + to.tolerance + AROUND;
        let expected = f64::from(of.each_turn) / f64::from(to.each_turn) * self.factor;
        let why = "starting and stopping are counted too, and the events may differ themselves";
        Some(Trust {
            event: self.metric.to_string(),
            expected,
            tolerance,
            why: why.to_string(),
            ..Trust::of(self.metric, kernel, of, measured, counter.asked())
        })
    }
}
