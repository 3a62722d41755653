//! `counterpoint plan`: which events can be counted together.

mod args;
mod beside;
pub mod json;
mod text;

pub use args::PlanArgs;

use crate::failure::Failure;
use crate::names::{self, name_failure};
use crate::show;
use crate::topdown::groups;
use beside::beside;
use counterpoint::{EventSet, Machine, Target};
use std::io::Write;

/// Exit status 1 if an event cannot be counted at all.
pub fn run(args: &PlanArgs) -> Result<u8, Failure> {
    let machine = match &args.pmu {
        Some(name) => Machine::of_pmu(names::pmu(name)?),
        None => Machine::new(args.machine.host()?),
    };
    let files = args.metrics.files.after(&args.definitions.files);
    let machine = args.vendor.with_beside(machine, &files)?;
    let set = args.definitions.define(EventSet::with_machine(machine, Target::ThisThread))?;
    let mut set = args.metrics.files.define(set)?;
    let with = match args.with.as_slice() {
        [] => None,
        with => Some(set.plan_of(with).map_err(|error| name_failure(error, with))?),
    };
    for list in &args.events {
        set = set.event(list);
    }
    for name in args.metrics.names(&set)?.into_iter().chain(groups(args.topdown, &set)) {
        set = set.metric(name);
    }
    let planning = set.plan().map_err(|error| name_failure(error, &args.events))?;
    let mut out = show::tables(args.json);
    if args.json {
        json::write(&mut out, &planning)?
    } else {
        text::write(&mut out, &planning)?
    }
    if args.beside || !args.with.is_empty() {
        for beside in beside(&planning, with.as_ref()) {
            if args.json {
                json::write_beside(&mut out, &beside)?
            } else {
                text::write_beside(&mut out, &beside)?
            }
        }
    }
    out.flush()?;
    Ok(u8::from(!planning.is_complete()))
}
