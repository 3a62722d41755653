//! `counterpoint show`: what a name means, what it hides, and everything that can be written after it.

mod attributes;
mod json;
pub mod text;

use super::encode::perf_syntax;
use super::words::Words;
use crate::args::ShowArgs;
use crate::stat::definitions;
use crate::{Failure, host::host};
use counterpoint::pmu::{Layer, find};
use counterpoint::{Error, EventSet, Meanings, Target};
use std::io::{BufWriter, Write, stdout};

/// What is shown of one name.
struct Shown<'a> {
    set: &'a EventSet,
    words: &'a Words,
    layers: Vec<Layer>,
    /// The name as it was asked for, with the PMU that `--pmu` names.
    name: String,
    meanings: Meanings,
}

/// Exit status 1 if a name means nothing.
pub fn run(args: &ShowArgs) -> Result<u8, Failure> {
    let mut set = EventSet::on(host(args.machine.as_deref())?, Target::ThisThread);
    for text in definitions(&args.definitions)? {
        set = set.define(text);
    }
    let words = Words::of(args.descriptions.as_deref(), set.machine())?;
    let mut out = BufWriter::new(stdout().lock());
    let mut unknown = None;
    for (place, name) in names(args, &set)?.into_iter().enumerate() {
        let meanings = set.meanings(&name);
        let layers = args.layers.iter().map(|layer| (*layer).into()).collect();
        let shown = Shown { set: &set, words: &words, layers, name, meanings };
        if !args.json && place > 0 {
            writeln!(out)?;
        }
        if let Err(error) = shown.write(args.json, &mut out)? {
            out.flush()?;
            let failure = failure(&shown.name, &error);
            failure.report();
            unknown = Some(failure);
        }
    }
    out.flush()?;
    Ok(u8::from(unknown.is_some()))
}

impl Shown<'_> {
    fn write(&self, json: bool, out: &mut impl Write) -> std::io::Result<Result<(), Error>> {
        if self.meanings.meant.is_empty() {
            // Codes, addresses and terms of a PMU have no name; anything else is wrong.
            if let Err(error) = self.set.machine().resolve(&self.name) {
                return Ok(Err(error));
            }
            let answer = perf_syntax::answer(self.set.machine(), &self.name);
            match json {
                true => writeln!(out, "{answer}")?,
                false => super::encode::text::write(out, &answer)?,
            }
            return Ok(Ok(()));
        }
        for (place, meaning) in self.meanings.meant.iter().enumerate() {
            match json {
                true => self.write_json(out, meaning)?,
                // Boxes of one kind have the same events.
                false if place > 0 && self.is_box_like_the_first(meaning) => {}
                false => self.write_text(out, meaning, place)?,
            }
        }
        Ok(Ok(()))
    }
}

/// The names to show, each with its PMU if one is asked for.
fn names(args: &ShowArgs, set: &EventSet) -> Result<Vec<String>, Failure> {
    let Some(pmu) = &args.pmu else { return Ok(args.events.clone()) };
    let device = set.machine().devices().iter().find(|device| device.pmu.name == *pmu);
    if let (None, Some(device)) = (find(pmu), device) {
        let all = device.pmu.events.iter().map(|event| event.name.clone());
        let events = if args.events.is_empty() { all.collect() } else { args.events.clone() };
        return Ok(events.into_iter().map(|event| format!("{pmu}/{event}/")).collect());
    }
    let pmu = super::pmu(pmu)?;
    let all = pmu.events().map(|event| event.name.to_string());
    let events = if args.events.is_empty() { all.collect() } else { args.events.clone() };
    let prefixed = |event: String| match event.contains("::") {
        true => event,
        false => format!("{}::{event}", pmu.name),
    };
    Ok(events.into_iter().map(prefixed).collect())
}

fn failure(name: &str, error: &Error) -> Failure {
    let failure = Failure::new(format!("{name}: {error}")).code(1);
    match error.help() {
        Some(help) => failure.help(help),
        None => failure,
    }
}
