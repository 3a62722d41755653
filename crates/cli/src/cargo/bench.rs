//! `cargo counterpoint bench`: the benchmarks of two revisions.

use super::args::BenchArgs;
use super::build::{Build, Built};
use super::checkout::Checkout;
use super::rounds::{Pair, Rounds};
use crate::commands::stat::compare;
use crate::event_list::EventList;
use crate::failure::Failure;
use crate::show;
use counterpoint::{Choice, EventSet, Target};
use std::path::Path;

/// What is counted if nothing else is asked for.
const USUAL: [&str; 2] = ["instructions|task-clock", "page-faults"];

pub fn run(args: &BenchArgs) -> Result<u8, Failure> {
    let events = events(&args.events)?;
    let checkout = Checkout::here()?;
    let base = checkout.base(&args.against)?;
    // In a directory of its own: cargo takes two checkouts of a package for one, and what was built later for fresh.
    let target = checkout.target.join("built");
    let before = build(args, &base.folder()?, Some(&target))?;
    let now = build(args, &checkout.folder, None)?;
    let pairs = pairs(before, now, &args.against)?;
    let titles = [format!("{} ({})", args.against, base.commit), "the working tree".to_string()];
    let rounds = Rounds {
        events: &events,
        number: args.rounds,
        arguments: &args.arguments,
        scratch: &checkout.target,
    };
    let sides = rounds.run(&pairs, titles)?;
    compare::in_turn(&sides, &args.format, &args.output, &args.gate)
}

/// The events that this machine can count.
fn events(asked: &[EventList]) -> Result<Vec<Choice>, Failure> {
    let usual = [EventList(USUAL.map(String::from).to_vec())];
    let asked = if asked.is_empty() { &usual[..] } else { asked };
    let set = EventSet::new(Target::ThisThread);
    let mut events = Vec::new();
    for event in asked.iter().flat_map(|EventList(events)| events) {
        let choice = set.choose(event)?;
        if !choice.passed_over.is_empty() {
            show::note(&format!("counted: {choice}"));
        }
        events.push(choice);
    }
    Ok(events)
}

fn build(args: &BenchArgs, folder: &Path, target: Option<&Path>) -> Result<Vec<Built>, Failure> {
    let mut arguments: Vec<String> = ["bench", "--no-run"].map(String::from).to_vec();
    match args.bench.as_slice() {
        [] => arguments.push("--benches".to_string()),
        named => {
            arguments.extend(named.iter().flat_map(|name| ["--bench".to_string(), name.clone()]))
        }
    }
    arguments.extend(args.selected.arguments());
    Build { folder, target, arguments: &arguments, variables: &[], kind: "bench" }.run()
}

/// The benchmarks that both sides have; says which only one has.
fn pairs(before: Vec<Built>, now: Vec<Built>, revision: &str) -> Result<Vec<Pair>, Failure> {
    let mut pairs = Vec::new();
    for built in &now {
        match before.iter().find(|other| other.name == built.name) {
            Some(base) => pairs.push([base.clone(), built.clone()]),
            None => show::note(&format!("{revision} has no benchmark {}", built.name)),
        }
    }
    for base in before.iter().filter(|base| now.iter().all(|built| built.name != base.name)) {
        show::note(&format!("only {revision} has the benchmark {}", base.name));
    }
    if pairs.is_empty() {
        return Err(Failure::new("there is no benchmark that both revisions have")
            .help("add one to the manifest: [[bench]] name = \"sums\" harness = false"));
    }
    Ok(pairs)
}
