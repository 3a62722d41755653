//! `stat --mpi`: a report of each rank, with the events of a node in one of them.

use super::args::StatArgs;
use super::job::Job;
use crate::args::Attached;
use crate::failure::Failure;
use crate::rank_files;
use crate::show;
use counterpoint::events::Resolved;
use counterpoint::{NodeEvents, Reporter};

/// The ending of a report's name.
pub fn ending(args: &StatArgs) -> &'static str {
    match args.format() {
        "json" => "jsonl",
        "csv" => "csv",
        "perfetto" => "json",
        _ => "txt",
    }
}

/// The rank with the local rank 0 counts the events of its node.
pub fn node_events(process: &Reporter) -> NodeEvents {
    match process.local_rank {
        Some(0) => NodeEvents::Here,
        Some(_) => NodeEvents::Elsewhere,
        None => NodeEvents::Everywhere,
    }
}

/// Prints a sentence that is the same in every rank, of which rank 0 prints it.
pub fn note(args: &StatArgs, process: &Reporter, text: &str) {
    if !args.mpi || process.rank == Some(0) {
        show::note(text);
    }
}

/// The failure of the first rank of a node, which all its ranks have; the others end without a word.
pub fn once(args: &StatArgs, process: &Reporter, failure: Failure) -> Failure {
    match process.local_rank {
        Some(1..) if args.mpi => Failure::new("").code(failure.code),
        _ => failure,
    }
}

/// The notes for the user before the ranks run: the names of their reports, and the events that may be counted more than once.
pub fn advice(args: &StatArgs, job: &Job, resolved: &Resolved, process: &Reporter) -> Vec<String> {
    let mut advice = vec![rank_files::written("reports", &args.output, ending(args), process)];
    let is_cpu_wide = matches!(&job.target, Attached::To(target) if target.is_cpu_wide());
    let is_of_node = is_cpu_wide
        || resolved.natives().iter().any(|native| native.boxes.iter().all(|b| b.cpumask.is_some()));
    if process.local_rank.is_none() && is_of_node {
        let variables: Vec<&str> = Reporter::local_rank_variables().collect();
        advice.push(format!(
            "every rank counts the events of its whole node, so that their values do not add up: none of {} is set; use a launcher that sets one of them, or start one rank on each node",
            variables.join(", ")
        ));
    }
    advice
}
