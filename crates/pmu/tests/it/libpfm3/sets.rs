//! A dispatch does not depend on the order of events, and brute force finds no more.

use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::{ErrorKind, EventRequest, Model, Request, dispatch};
use proptest::prelude::*;
use proptest::sample::Index;

use super::checker::{FACTS, Facts};
use super::rules;

const MODELS: [&str; 9] = [
    "itanium",
    "itanium2",
    "montecito",
    "ppc970",
    "power5",
    "power7",
    "mips_sb1",
    "sparc_ultra3",
    "cell",
];

/// Some events of a model with unit masks where they need one; many are neighbours in the table.
fn request(model: &Model, near: Index, events: &[(Index, bool)], unavailable: u32) -> Request {
    let mut request = Request::new(Privilege::USER);
    let count = model.event_count();
    for (event, is_near) in events.iter().take(model.counters()) {
        let number =
            if *is_near { near.index(count) + event.index(24) } else { event.index(count) };
        let mut event = EventRequest::new(number % count);
        if model.mask_names(event.event).next().is_some() {
            event.masks.push(0);
        }
        request.events.push(event);
    }
    request.unavailable.insert(unavailable);
    request
}

fn some_events() -> impl Strategy<Value = Vec<(Index, bool)>> {
    prop::collection::vec((any::<Index>(), prop::bool::weighted(0.7)), 1..8)
}

proptest! {
    #[test]
    fn the_order_of_events_decides_nothing(
        model in prop::sample::select(&MODELS[..]),
        near: Index,
        events in some_events(),
        unavailable in 3u32..20,
        rotation: Index,
    ) {
        let model = Model::find(model).expect("a model");
        let request = request(model, near, &events, unavailable);
        let found = dispatch(model, &request);
        let mut turned = request.clone();
        let by = rotation.index(turned.events.len());
        turned.events.rotate_left(by);
        prop_assert_eq!(found.is_ok(), dispatch(model, &turned).is_ok());
        turned.events.reverse();
        prop_assert_eq!(found.is_ok(), dispatch(model, &turned).is_ok());
        if let Ok(assignment) = found {
            prop_assert_eq!(FACTS[model.name()].check(&request, &assignment), Ok(()));
        }
    }

    #[test]
    fn brute_force_finds_no_other_sets(
        itanium2: bool,
        near: Index,
        events in some_events(),
        unavailable in 3u32..10,
    ) {
        let facts = &FACTS[if itanium2 { "itanium2" } else { "montecito" }];
        let model = Model::find(facts.model).expect("a model");
        let mut request = request(model, near, &events, unavailable);
        request.events.truncate(4);
        (10..16).for_each(|pmc| request.unavailable.insert(pmc));
        let cancelled = |event: &&EventRequest| facts.words(event.event).any(|word| word == "cancel");
        let fits = request.events.iter().filter(cancelled).count() < 2
            && brute_force(facts, &request, &mut Vec::new());
        let found = dispatch(model, &request).map_err(|error| error.kind());
        // The registers of EARs and branch buffers may be among those that are not available.
        let feature = matches!(found, Err(ErrorKind::NoAssign | ErrorKind::Incompatible))
            && request.events.iter().any(|event| facts.words(event.event).any(
                |word| word.starts_with("iear") || word.starts_with("dear") || word == "btb"));
        prop_assert!(fits == found.is_ok() || feature, "{found:?}, but {fits}");
    }
}

/// Some counters make the set fit.
fn brute_force(facts: &Facts, request: &Request, counters: &mut Vec<u32>) -> bool {
    let Some(event) = request.events.get(counters.len()) else {
        return rules::sets(facts, request, counters).is_ok();
    };
    let allowed = facts.number(event.event, "counters").expect("counters");
    (4..16).any(|counter| {
        let free = allowed >> counter & 1 == 1
            && !request.unavailable.contains(counter)
            && !counters.contains(&counter);
        free && {
            counters.push(counter);
            let fits = brute_force(facts, request, counters);
            counters.pop();
            fits
        }
    })
}
