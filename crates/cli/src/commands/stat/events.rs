//! Which events are counted: those of `-e`, or a set that suits most questions.

use super::args::StatArgs;

/// The events that are counted by default; without a hardware PMU the second half is unsupported.
const DEFAULT: &str = "task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses";
/// The times of a command, which the text of its counts has in any case.
const TIMES: &str = "user_time,system_time";
const DETAILED: [&str; 3] = [
    "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
    "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
    "L1-dcache-prefetches,L1-dcache-prefetch-misses",
];

/// The lists of events to count.
pub fn lists(args: &StatArgs) -> Vec<String> {
    let mut lists = args.events.lists.clone();
    if lists.is_empty() && !args.has_metrics() && !args.null {
        lists.push(DEFAULT.to_string());
        lists.extend(args.is_comparison().then(|| TIMES.to_string()));
    }
    lists.extend(DETAILED.iter().take(args.detailed.into()).map(|list| list.to_string()));
    lists
}
