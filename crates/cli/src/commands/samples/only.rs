//! The part of a profile that is in one function, or in some files.

use counterpoint::profil::Stacks;
use counterpoint::profile::{Module, Profiled, Symbols};
use std::collections::{BTreeSet, HashMap};

/// The samples in these functions, also where they were inlined, with their stacks.
pub fn in_functions(
    profiled: &Profiled,
    symbols: &Symbols<'_>,
    wanted: &BTreeSet<&str>,
) -> Profiled {
    samples(profiled, &|address| {
        symbols.frames(address).iter().any(|of| wanted.contains(&*of.function))
    })
}

/// The samples in the files of these names, with their stacks; `None` if there are no names.
pub fn in_modules(profiled: &Profiled, names: &[String]) -> Option<Profiled> {
    let is_wanted = |module: &Module| {
        let is_named = |name: &String| {
            let file = module.path.file_name();
            module.path.as_os_str() == name.as_str()
                || file.is_some_and(|file| file == name.as_str())
        };
        names.iter().any(is_named)
    };
    let wanted: Vec<&Module> = profiled.modules.iter().filter(|of| is_wanted(of)).collect();
    let is_in = |address| wanted.iter().any(|module| module.range.contains(&address));
    (!names.is_empty()).then(|| samples(profiled, &is_in))
}

/// The samples at these addresses, with their stacks.
fn samples(profiled: &Profiled, is_in: &dyn Fn(u64) -> bool) -> Profiled {
    let mut only = profiled.clone();
    let parts = only.parts.iter_mut().map(|part| &mut part.snapshot);
    for snapshot in parts.chain([&mut only.snapshot]) {
        for region in &mut snapshot.regions {
            region.buckets.retain(|bucket| is_in(bucket.first));
        }
        (snapshot.outside, snapshot.outside_squares, snapshot.dropped) = (0, 0, 0);
    }
    // They are those of all functions.
    only.threads = None;
    if !only.by_events {
        only.samples = only.snapshot.total();
    }
    if let Some(stacks) = &mut only.stacks {
        let (kept, places) = innermost(&stacks.stacks, is_in);
        stacks.stacks = kept;
        if let Some(times) = &mut stacks.times {
            times.beyond = 0;
            times.counts.retain_mut(|of| match places.get(&of.frame) {
                Some(place) => {
                    of.frame = *place;
                    true
                }
                None => false,
            });
        }
    }
    only
}

/// The stacks whose innermost address is one of these, and the new places of their innermost frames.
fn innermost(stacks: &Stacks, is_in: &dyn Fn(u64) -> bool) -> (Stacks, HashMap<u32, u32>) {
    let frames = stacks.frames();
    let (mut kept, mut places) = (Stacks::with_limit(frames.len()), HashMap::new());
    for (index, frame) in frames.iter().enumerate() {
        if frame.count == 0 || !is_in(frame.address) {
            continue;
        }
        let callers = std::iter::successors(Some(frame), |of| Some(&frames[of.caller?]));
        let stack: Vec<u64> = callers.map(|of| of.address).collect();
        let place = kept.add(&stack, frame.count, frame.squares);
        places.extend(place.map(|place| (index as u32, place as u32)));
    }
    (kept, places)
}
