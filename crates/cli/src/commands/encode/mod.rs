//! `counterpoint encode`: event strings to register codes and attributes of perf_event_open.

mod answer;
mod args;
pub mod json;
mod libpfm;
pub mod perf_syntax;
pub mod text;

pub use args::EncodeArgs;

use crate::batch::batch;
use crate::failure::Failure;
use crate::names;
use crate::show;
use answer::Answer;
use counterpoint::Machine;
use counterpoint::events::without_component;
use counterpoint::pmu::syntax::split_modifiers;
use counterpoint::pmu::{Context, Privilege, unit_named};
use std::borrow::Cow;
use std::io::Write;

/// Exit status 1 if a string was not encoded; always 0 with `--batch`.
pub fn run(args: &EncodeArgs) -> Result<u8, Failure> {
    let machine = Machine::new(args.machine.host()?);
    let context = context(args, &machine)?;
    let machine = match args.pmu.as_deref().map(names::pmu).transpose()? {
        Some(pmu) if !machine.tables().pmus.contains(&pmu) => Machine::of_pmu(pmu),
        _ => machine,
    };
    let machine = args.vendor.with(machine)?;
    let answer = |input: &str| answer(input, args, context.as_ref(), &machine);
    if args.batch {
        // A blank at the end is part of the string.
        return batch(|line| answer(&String::from_utf8_lossy(line)));
    }
    let mut out = show::stdout();
    let mut is_refused = false;
    for input in &args.events {
        let answer = answer(input);
        is_refused |= answer.is_refused();
        if args.json { show::json(&mut out, &answer)? } else { text::write(&mut out, &answer)? }
    }
    out.flush()?;
    Ok(u8::from(is_refused))
}

fn answer(input: &str, args: &EncodeArgs, context: Option<&Context>, machine: &Machine) -> Answer {
    // The events of units without tables are no strings of libpfm's.
    let unit = input.split_once("::").and_then(|(prefix, _)| unit_named(prefix));
    match (context, without_component(input)) {
        _ if let Some((core, _)) = unit => perf_syntax::answer(&Machine::of_pmu(core), input),
        // libpfm has no string for the energies of PAPI's rapl, nor for other components.
        (_, Ok(Cow::Owned(_)) | Err(_)) => perf_syntax::answer(machine, input),
        _ if args.perf_syntax => perf_syntax::answer(machine, input),
        (Some(context), Ok(Cow::Borrowed(plain))) => {
            match libpfm::answer(input, plain, context, machine) {
                // A vendor's event is no string of libpfm's.
                refused if refused.is_refused() && is_vendors(machine, plain) => {
                    perf_syntax::answer(machine, input)
                }
                answer => answer,
            }
        }
        (None, _) => libpfm::no_levels(input, args.plm),
    }
}

/// Returns true if a name is that of an event of the vendor's files, perhaps with perf's modifiers.
fn is_vendors(machine: &Machine, text: &str) -> bool {
    let names = [text, split_modifiers(text).0];
    names.into_iter().any(|name| machine.vendor().named(name).next().is_some())
}

/// `None` if the levels to count at are none that exist.
fn context(args: &EncodeArgs, machine: &Machine) -> Result<Option<Context>, Failure> {
    let Some(levels) = Privilege::from_bits(args.plm) else { return Ok(None) };
    let mut context = Context::new(args.layer.into());
    context.privilege = levels;
    context.machine = machine.tables().clone();
    if let Some(name) = &args.pmu {
        context.machine.pmus = vec![names::pmu(name)?];
    }
    Ok(Some(context))
}
