//! Names near words that nothing has.

use super::args::ListArgs;
use super::boxes::{are_boxes, named, own};
use counterpoint::EventSet;
use counterpoint::listing::list;
use counterpoint::pmu::{Layer, all, similar};
use counterpoint::presets::Preset;

/// The searched names that are near the words.
pub fn near(args: &ListArgs, set: &EventSet) -> Vec<String> {
    let machine = set.machine();
    if args.presets {
        let names = || Preset::all().iter().map(|preset| preset.name);
        let near = args.words().iter().flat_map(|word| similar(word, names()));
        return near.take(3).map(str::to_string).collect();
    }
    if args.metrics {
        let mut names: Vec<String> = set.metrics().groups().into_keys().collect();
        names.extend(set.metrics().iter().map(|metric| metric.definition.name().to_string()));
        let near =
            args.words().iter().flat_map(|word| similar(word, names.iter().map(String::as_str)));
        return near.take(3).map(str::to_string).collect();
    }
    let mut names: Vec<String> =
        set.definitions().map(|definition| definition.name().to_string()).collect();
    let pmus = match &args.pmu {
        Some(name) => named(name),
        None if args.user => Vec::new(),
        None if args.all || args.pmus => all().collect(),
        None => own(machine),
    };
    for pmu in pmus.chunk_by(|a, b| are_boxes(a, b)).map(|boxes| boxes[0]) {
        if args.pmus {
            names.push(pmu.name.to_string());
            continue;
        }
        for event in pmu.events() {
            let attributes = event.attributes(Layer::Raw, machine.tables()).into_iter();
            names.extend(attributes.map(|attribute| attribute.name.to_string()));
            names.push(event.name.to_string());
        }
    }
    if args.pmu.is_none() && !args.pmus && !args.user {
        names.extend(list(machine).into_iter().map(|event| event.name));
        names.extend(machine.vendor().names().map(str::to_string));
    }
    let is_there = |word: &&String| {
        let word = word.to_lowercase();
        names.iter().any(|name| name.to_lowercase().contains(&word))
    };
    let missing = args.words().iter().filter(|word| !is_there(word));
    let near = missing.flat_map(|word| similar(word, names.iter().map(String::as_str)));
    near.take(3).map(str::to_string).collect()
}
