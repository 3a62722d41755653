//! `stat --mpi`: a report of each rank, with the events of a node in one of them.

use super::args::StatArgs;
use super::job::Job;
use crate::args::Attached;
use crate::failure::Failure;
use crate::file_name;
use crate::show;
use counterpoint::events::Resolved;
use counterpoint::{NodeEvents, Reporter};

/// Refuses what is not a rank, and a file that all ranks would write.
pub fn check(args: &StatArgs, process: &Reporter) -> Result<(), Failure> {
    if process.rank.is_none() {
        let variables = Reporter::RANK_VARIABLES.join(", ");
        let text = format!(
            "--mpi: this process is not a rank of a parallel job: none of {variables} is set"
        );
        return Err(Failure::new(text)
            .help("start it with the launcher: mpirun -n 4 counterpoint stat --mpi -- ./solve"));
    }
    match args.output.name() {
        Some(name) if !file_name::is_of_rank(name) && !args.append => {
            Err(Failure::new(format!("-o {}: every rank would write this file", name.display()))
                .help("write {rank} into its name, such as -o 'report.{rank}.jsonl'"))
        }
        _ => Ok(()),
    }
}

/// The name of the file without `-o`, with placeholders.
pub fn file_name(args: &StatArgs) -> String {
    let process = Reporter::this_process();
    let ending = match args.format() {
        "json" => "jsonl",
        "csv" => "csv",
        "perfetto" => "json",
        _ => "txt",
    };
    let job = if process.job.is_some() { "{job}." } else { "" };
    format!("counterpoint.{job}{{rank}}.{ending}")
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
    let name = args.output.name().map_or_else(
        || file_name(args).replace("{job}", process.job.as_deref().unwrap_or_default()),
        |name| name.display().to_string(),
    );
    let ranks = process.ranks.map_or(String::new(), |ranks| format!(" of {ranks} ranks"));
    let mut advice = vec![format!("the reports{ranks} are written to {name}")];
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
