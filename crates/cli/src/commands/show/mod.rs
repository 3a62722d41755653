//! `counterpoint show`: what a name stands for, what it hides, and its attributes.

mod args;
mod attributes;
mod json;
mod shown;
mod text;

pub use args::ShowArgs;

use crate::commands::encode::{self, perf_syntax};
use crate::descriptions::Words;
use crate::failure::Failure;
use crate::hints;
use crate::names;
use crate::show;
use counterpoint::events::without_component;
use counterpoint::pmu::find;
use counterpoint::{Error, EventSet, Target};
use shown::Shown;
use std::borrow::Cow;
use std::io::Write;

/// Exit status 1 if a name means nothing.
pub fn run(args: &ShowArgs) -> Result<u8, Failure> {
    let mut set = EventSet::on(args.machine.host()?, Target::ThisThread);
    for library in args.definitions.libraries()? {
        set = set.define(library);
    }
    let words = Words::of(args.descriptions.as_deref(), set.machine())?;
    let mut out = show::stdout();
    let mut is_unknown = false;
    for (place, name) in asked(args, &set)?.into_iter().enumerate() {
        if !args.json && place > 0 {
            writeln!(out)?;
        }
        let mut candidates = match set.candidates(&name) {
            Ok(candidates) => candidates.into_iter(),
            Err(error) => {
                out.flush()?;
                unknown(&name, &error).report();
                is_unknown = true;
                continue;
            }
        };
        let Some(first) = candidates.next() else { continue };
        let layers = args.layers.iter().map(|layer| (*layer).into()).collect();
        let hidden = candidates.collect();
        write(
            &Shown { set: &set, words: &words, layers, name, first, hidden },
            args.json,
            &mut out,
        )?;
    }
    out.flush()?;
    Ok(u8::from(is_unknown))
}

/// The failure of a name that stands for nothing.
fn unknown(name: &str, error: &Error) -> Failure {
    let text = error.to_string();
    let is_named = name.is_empty() || text.contains(&format!("`{name}`"));
    let text = if is_named { text } else { format!("{name}: {text}") };
    Failure { text, help: error.help().as_ref().map(hints::help), code: 1 }
}

fn write(shown: &Shown<'_>, is_json: bool, out: &mut impl Write) -> std::io::Result<()> {
    if shown.first.events.is_empty() {
        let answer = perf_syntax::answer(shown.set.machine(), &shown.name);
        return match is_json {
            true => show::json(out, &answer),
            false => encode::text::write(out, &answer),
        };
    }
    for (place, event) in shown.first.events.iter().enumerate() {
        match is_json {
            true => shown.write_json(out, event)?,
            // Boxes of one kind have the same events.
            false if place > 0 && shown.is_box_like_the_first(event) => {}
            false => shown.write_text(out, event, place)?,
        }
    }
    Ok(())
}

/// The names to show, each with its PMU if one is asked for.
fn asked(args: &ShowArgs, set: &EventSet) -> Result<Vec<String>, Failure> {
    // The name of one package's energy is more specific than that of the event.
    let plain = |event: &String| match without_component(event) {
        Ok(Cow::Borrowed(plain)) => plain.to_string(),
        _ => event.clone(),
    };
    let asked: Vec<String> = args.events.iter().map(plain).collect();
    let Some(pmu) = &args.pmu else { return Ok(asked) };
    let device = set.machine().devices().iter().find(|device| device.pmu.name == *pmu);
    if let (None, Some(device)) = (find(pmu), device) {
        let all = device.pmu.events.iter().map(|event| event.name.clone());
        let events = if asked.is_empty() { all.collect() } else { asked };
        let on_it = |event: String| match event.contains(":::") {
            true => event,
            false => format!("{pmu}/{event}/"),
        };
        return Ok(events.into_iter().map(on_it).collect());
    }
    let pmu = names::pmu(pmu)?;
    let all = pmu.events().map(|event| event.name.to_string());
    let events = if asked.is_empty() { all.collect() } else { asked };
    let prefixed = |event: String| match event.contains("::") {
        true => event,
        false => format!("{}::{event}", pmu.name),
    };
    Ok(events.into_iter().map(prefixed).collect())
}
