//! `--mpi`: a file of each rank of a parallel job.

use crate::failure::Failure;
use crate::file_name;
use crate::output::OutputArgs;
use counterpoint::Reporter;

/// Refuses what is not a rank, and a file that all ranks would write; `command` is that of an example.
pub fn check(
    command: &str,
    output: &OutputArgs,
    append: bool,
    process: &Reporter,
) -> Result<(), Failure> {
    if process.rank.is_none() {
        let variables = Reporter::RANK_VARIABLES.join(", ");
        let text = format!(
            "--mpi: this process is not a rank of a parallel job: none of {variables} is set"
        );
        return Err(Failure::new(text).help(format!(
            "start it with the launcher: mpirun -n 4 counterpoint {command} --mpi -- ./solve"
        )));
    }
    match output.name() {
        Some(name) if !file_name::is_of_rank(name) && !append => {
            Err(Failure::new(format!("-o {}: every rank would write this file", name.display()))
                .help("write {rank} into its name, such as -o 'report.{rank}.jsonl'"))
        }
        _ => Ok(()),
    }
}

/// The name of the file without `-o`, with placeholders.
pub fn file(ending: &str, process: &Reporter) -> String {
    let job = if process.job.is_some() { "{job}." } else { "" };
    format!("counterpoint.{job}{{rank}}.{ending}")
}

/// The sentence that rank 0 prints about the files, such as "the reports of 4 ranks are written to …".
pub fn written(what: &str, output: &OutputArgs, ending: &str, process: &Reporter) -> String {
    let name = output.name().map_or_else(
        || file(ending, process).replace("{job}", process.job.as_deref().unwrap_or_default()),
        |name| name.display().to_string(),
    );
    let ranks = process.ranks.map_or(String::new(), |ranks| format!(" of {ranks} ranks"));
    format!("the {what}{ranks} are written to {name}")
}
