//! `counterpoint show`: what a name stands for, what it hides, and its attributes.

mod args;
mod attributes;
pub mod json;
pub mod metric;
mod metric_json;
mod sets;
mod shown;
mod text;

pub use args::ShowArgs;

use crate::commands::encode::{self, perf_syntax};
use crate::descriptions::Words;
use crate::failure::Failure;
use crate::hints;
use crate::show;
use counterpoint::metrics::NamedMetric;
use counterpoint::{Error, EventSet};
use sets::Sets;
use shown::Shown;
use std::io::Write;

/// Exit status 1 if a name means nothing.
pub fn run(args: &ShowArgs) -> Result<u8, Failure> {
    let sets = Sets::new(args)?;
    let words = Words::of(sets.of_pmu().machine(), &args.vendor);
    let mut out = show::tables(args.json);
    let mut is_unknown = false;
    for (place, asked) in sets.asked()?.into_iter().enumerate() {
        if !args.json && place > 0 {
            writeln!(out)?;
        }
        let (set, name) = sets.meant(&asked)?;
        let found = set.candidates(&name);
        let metrics = metric::requested(set, &name, &found);
        let is_metric = |of: &NamedMetric| of.definition.name().eq_ignore_ascii_case(&name);
        if !metrics.is_empty() && !args.json && !metrics.iter().any(is_metric) {
            metric::write_group(&mut out, &name, &metrics)?;
            continue;
        }
        if !metrics.is_empty() {
            write_metrics(&mut out, set, &metrics, args.json)?;
            continue;
        }
        let mut candidates = match found {
            Ok(candidates) => candidates.into_iter(),
            Err(error) => {
                out.flush()?;
                // The definition that cannot be read is what was meant, on whatever PMU.
                let unreadable =
                    set.candidates(&asked).err().filter(|_| sets.is_unreadable(&asked));
                let mut failure = match &unreadable {
                    Some(error) => unknown(&asked, error),
                    None => unknown(&name, &error),
                };
                if unreadable.is_none() && error.is_unknown_event() {
                    let near = metric::near(sets.of_pmu(), &asked);
                    failure.help = near.as_ref().map(hints::help).or(failure.help);
                }
                failure.report();
                is_unknown = true;
                continue;
            }
        };
        let Some(first) = candidates.next() else { continue };
        let shown = Shown {
            set,
            words: &words,
            files: &args.definitions.files,
            absent: sets.absent(set),
            layers: args.layers.iter().map(|layer| (*layer).into()).collect(),
            name,
            first,
            hidden: candidates.collect(),
        };
        is_unknown |= !write(&shown, args.json, &mut out)?;
    }
    out.flush()?;
    Ok(u8::from(is_unknown))
}

fn write_metrics(
    out: &mut impl Write,
    set: &EventSet,
    metrics: &[NamedMetric],
    is_json: bool,
) -> std::io::Result<()> {
    for (place, named) in metrics.iter().enumerate() {
        if is_json {
            show::json(out, &metric_json::json(set, named))?
        } else {
            if place > 0 {
                writeln!(out)?;
            }
            metric::write_text(out, set, named)?;
        }
    }
    Ok(())
}

/// The failure of a name that stands for nothing.
fn unknown(name: &str, error: &Error) -> Failure {
    let text = error.to_string();
    let is_named = name.is_empty() || text.contains(&format!("`{name}`"));
    let text = if is_named { text } else { format!("{name}: {text}") };
    Failure { text, help: error.help().as_ref().map(hints::help), code: 1 }
}

/// Returns false if it says that the name stands for nothing.
fn write(shown: &Shown<'_>, is_json: bool, out: &mut impl Write) -> std::io::Result<bool> {
    if shown.first.events.is_empty() {
        let answer = perf_syntax::answer(shown.set.machine(), &shown.name);
        let written =
            if is_json { show::json(out, &answer) } else { encode::text::write(out, &answer) };
        return written.map(|()| !answer.is_unknown());
    }
    for (place, event) in shown.first.events.iter().enumerate() {
        match is_json {
            true => shown.write_json(out, event)?,
            // Boxes of one kind have the same events.
            false if place > 0 && shown.is_box_like_the_first(event) => {}
            false => shown.write_text(out, event, place)?,
        }
    }
    Ok(true)
}
