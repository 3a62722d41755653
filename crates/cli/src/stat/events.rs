//! Which events are counted: those of `-e`, or a set that suits most questions.

use crate::Failure;
use crate::args::StatArgs;
use counterpoint::definitions::Severity;
use std::path::PathBuf;

/// What everybody asks first; where there is no hardware PMU the second half says so.
const DEFAULT: &str = "task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses";
const DETAILED: [&str; 3] = [
    "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
    "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,iTLB-load-misses",
    "L1-dcache-prefetches,L1-dcache-prefetch-misses",
];

/// The lists of events to count.
pub fn lists(args: &StatArgs) -> Vec<String> {
    let mut lists = args.events.clone();
    if lists.is_empty() {
        lists.push(DEFAULT.to_string());
    }
    lists.extend(DETAILED.iter().take(args.detailed.into()).map(|list| list.to_string()));
    lists
}

/// The contents of the definition files; what is wrong in them is said, and the rest is used.
pub fn definitions(files: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let mut texts = Vec::new();
    for file in files {
        let bytes =
            std::fs::read(file).map_err(|e| Failure::new(format!("{}: {e}", file.display())))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for diagnostic in counterpoint::definitions::parse(&text).diagnostics {
            if diagnostic.severity == Severity::Error {
                eprint!("{}", crate::commands::check::drawn(&diagnostic, &text, file));
            }
        }
        texts.push(text);
    }
    Ok(texts)
}
