//! `counterpoint show`: what a name means, what it hides, and everything that can be written after it.

mod args;
mod attributes;
mod json;
pub mod text;

pub use args::ShowArgs;

use super::encode::perf_syntax;
use crate::descriptions::Words;
use crate::failure::Failure;
use crate::names as named;
use crate::show;
use counterpoint::pmu::syntax::split_modifiers;
use counterpoint::pmu::{Context, EncodeError, Event, Layer, encode, find};
use counterpoint::{EventSet, Meaning, Meanings, Target, without_component};
use std::borrow::Cow;
use std::io::Write;

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
    let mut set = EventSet::on(args.machine.host()?, Target::ThisThread);
    for text in args.definitions.texts()? {
        set = set.define(text);
    }
    let words = Words::of(args.descriptions.as_deref(), set.machine())?;
    let mut out = show::stdout();
    let mut is_unknown = false;
    for (place, name) in names(args, &set)?.into_iter().enumerate() {
        let meanings = set.meanings(&name);
        let layers = args.layers.iter().map(|layer| (*layer).into()).collect();
        let shown = Shown { set: &set, words: &words, layers, name, meanings };
        if !args.json && place > 0 {
            writeln!(out)?;
        }
        if let Some(failure) = shown.unknown() {
            out.flush()?;
            failure.report();
            is_unknown = true;
        } else {
            shown.write(args.json, &mut out)?;
        }
    }
    out.flush()?;
    Ok(u8::from(is_unknown))
}

impl Shown<'_> {
    /// Why the name means nothing, or what follows it; codes, addresses and terms of a PMU have no name and mean
    /// something all the same.
    fn unknown(&self) -> Option<Failure> {
        if !self.is_of_component() && !self.meanings.meant.is_empty() {
            let wrong = |meaning: &Meaning| match meaning {
                Meaning::Table(event) => self.wrong_attribute(event),
                _ => None,
            };
            // One kind of core may have a unit mask that another lacks.
            let errors: Option<Vec<EncodeError>> = self.meanings.meant.iter().map(wrong).collect();
            let error = errors?.swap_remove(0);
            let text = format!("{}: {error}", self.name);
            return Some(Failure { text, help: Some(error.help()), code: 1 });
        }
        let (text, help) = if !self.is_of_component() && self.name.contains("::") {
            // A prefix reaches the PMUs of other machines too.
            let mut context = Context::new(Layer::Raw);
            context.machine = self.set.machine().tables().clone();
            let error = encode(&self.name, &context).err()?;
            (error.to_string(), Some(error.help()))
        } else {
            let error = self.set.machine().resolve(&self.name).err()?;
            (error.to_string(), error.help())
        };
        let is_named = self.name.is_empty() || text.contains(&format!("`{}`", self.name));
        let text = if is_named { text } else { format!("{}: {text}", self.name) };
        Some(Failure { text, help, code: 1 })
    }

    /// Whether PAPI's component stands before the name, as before that of an energy.
    fn is_of_component(&self) -> bool {
        self.name.contains(":::")
    }

    /// The CPUs where the event is counted, if not on any.
    fn cpus(&self) -> Option<String> {
        let resolved = self.set.machine().resolve(&self.name).ok()?;
        let cpus = resolved.natives().iter().flat_map(|native| &native.boxes);
        cpus.filter_map(|of_box| of_box.cpumask.as_ref()).next().map(ToString::to_string)
    }

    /// What is wrong with the attributes that follow the name of a table's event: an event that still needs a unit
    /// mask is shown, and letters after the last colon may be perf's.
    fn wrong_attribute(&self, event: &Event) -> Option<EncodeError> {
        let mut context = Context::new(Layer::PerfEventExt);
        context.machine = self.set.machine().tables().clone();
        context.machine.perf_events = true;
        let rest = self.name.split_once("::").map_or(self.name.as_str(), |(_, rest)| rest);
        let text = format!("{}::{rest}", event.pmu.name);
        let attributes = text.len() - rest.trim_start_matches(|c| !matches!(c, ':' | '.')).len();
        let wrong =
            |text: &str| encode(text, &context).err().filter(|error| error.span.start > attributes);
        let error = wrong(&text)?;
        match split_modifiers(&text) {
            (bare, Some(_)) if wrong(bare).is_none() => None,
            _ => Some(error),
        }
    }

    fn write(&self, json: bool, out: &mut impl Write) -> std::io::Result<()> {
        if self.meanings.meant.is_empty() {
            let answer = perf_syntax::answer(self.set.machine(), &self.name);
            return match json {
                true => show::json(out, &answer),
                false => super::encode::text::write(out, &answer),
            };
        }
        for (place, meaning) in self.meanings.meant.iter().enumerate() {
            match json {
                true => self.write_json(out, meaning)?,
                // Boxes of one kind have the same events.
                false if place > 0 && self.is_box_like_the_first(meaning) => {}
                false => self.write_text(out, meaning, place)?,
            }
        }
        Ok(())
    }
}

/// The names to show, each with its PMU if one is asked for.
fn names(args: &ShowArgs, set: &EventSet) -> Result<Vec<String>, Failure> {
    // The name of one package's energy says more than that of the event.
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
    let pmu = named::pmu(pmu)?;
    let all = pmu.events().map(|event| event.name.to_string());
    let events = if asked.is_empty() { all.collect() } else { asked };
    let prefixed = |event: String| match event.contains("::") {
        true => event,
        false => format!("{}::{event}", pmu.name),
    };
    Ok(events.into_iter().map(prefixed).collect())
}
