//! `profile --own-cost`: what sampling adds to the command.

use super::args::ProfileArgs;
use super::run::from_exec;
use super::sampled::Make;
use crate::failure::Failure;
use crate::own_cost::{OwnCost, ROUNDS};
use crate::progress::Progress;
use crate::show;
use crate::supervisor::{Outcome, Supervisor};
use counterpoint::perf::process::Streams;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

/// What makes sampling cost less.
const CHEAPER: &str =
    "fewer samples a second (-F) make it less, and so does --call-graph fp in place of dwarf";

/// Runs the command in further rounds, profiled and alone, and says what the profile added.
pub fn say(args: &ProfileArgs, make: Make<'_>, supervisor: &Supervisor) -> Result<(), Failure> {
    let null = File::options().write(true).open("/dev/null")?;
    let mut own_cost = OwnCost::default();
    let mut progress = Progress::new(true);
    for number in 1..=ROUNDS {
        progress.show(&format!("round {number} of {ROUNDS}"));
        let profiled = || from_exec(args, make, supervisor, &args.command, Some(null.as_fd()));
        let alone = || alone(args, supervisor, null.as_fd());
        // Which of the two runs of a round is first is random.
        let (without, (with, _)) = if fastrand::bool() {
            let with = profiled()?;
            (alone()?, with)
        } else {
            (alone()?, profiled()?)
        };
        if without.is_interrupted || with.is_interrupted {
            return Err(Failure::new("interrupted").code(without.exit_code().max(with.exit_code())));
        }
        own_cost.add(&without, &with);
    }
    drop(progress);
    show::note(&own_cost.sentence("sampling", CHEAPER));
    Ok(())
}

/// Runs the command without sampling.
fn alone(
    args: &ProfileArgs,
    supervisor: &Supervisor,
    output: BorrowedFd<'_>,
) -> Result<Outcome, Failure> {
    let streams = Streams { output: Some(output), ..Streams::default() };
    let held = supervisor.hold(&args.command, streams)?;
    let timeout = args.timeout.map(Duration::from_millis);
    let mut run = supervisor.start(held, &args.command, timeout)?;
    while !run.is_over()? {
        run.wait(None, None)?;
    }
    Ok(run.end()?)
}
