//! Laws that hold of every model and every set of events.

use counterpoint_pmu::Privilege;
use counterpoint_pmu::libpfm3::{
    ErrorKind, EventRequest, Model, ModelInput, Pebs, Request, dispatch, explain,
};
use proptest::prelude::*;

use super::checker::FACTS;

/// Events of a model, a few of them likely to be the same, and PMCs that something else uses.
fn requests(events: std::ops::Range<usize>) -> impl Strategy<Value = (&'static Model, Request)> {
    let models: Vec<&'static Model> = Model::all().collect();
    let picks = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), events);
    let unavailable = prop::collection::vec(0u32..66, 0..3);
    (prop::sample::select(models), picks, unavailable, any::<bool>()).prop_map(
        |(model, picks, unavailable, few)| {
            let mut request = Request::new(Privilege::KERNEL | Privilege::USER);
            for (pick, mask) in picks {
                let events = if few { 12.min(model.event_count()) } else { model.event_count() };
                let number = pick.index(events);
                let masks = model.mask_names(number).count();
                let mut event = EventRequest::new(number);
                event.masks.extend((masks > 0).then(|| usize::from(mask) % masks.max(1)));
                request.events.push(event);
            }
            request.unavailable = unavailable.into_iter().collect();
            (model, request)
        },
    )
}

fn part(request: &Request, events: impl IntoIterator<Item = usize>) -> Request {
    let events = events.into_iter().map(|event| request.events[event].clone()).collect();
    Request { events, ..request.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_order_of_events_decides_nothing((model, request) in requests(0..8), turn in 0usize..8) {
        let count = request.events.len();
        let turned = part(&request, (0..count).map(|event| (event + turn) % count));
        let reversed = part(&request, (0..count).rev());
        let found = dispatch(model, &request);
        for other in [turned, reversed] {
            let other = dispatch(model, &other);
            prop_assert_eq!(found.is_ok(), other.is_ok(), "{}: {:?} {:?}", model.name(), found, other);
        }
    }

    /// Whatever else is in the way, an event that no request can have is named, and the first of them.
    #[test]
    fn an_event_that_is_invalid_by_itself_is_named(
        (model, mut request) in requests(1..8),
        options in prop::collection::vec((0u32..300, 0u32..20, 0u32..16), 1..8),
    ) {
        request.input = match model.family() {
            "nehalem" => Some(ModelInput::Nehalem(Default::default())),
            "core" => Some(ModelInput::Core(Pebs::default())),
            "gen_ia32" => Some(ModelInput::GenIa32),
            _ => None,
        };
        for (event, (threshold, flags, plm)) in request.events.iter_mut().zip(options) {
            event.options.threshold = threshold;
            event.options.flags = flags & if plm > 8 { 3 } else { 31 };
            event.plm = Privilege::from_bits(if plm < 4 { plm } else { 0 }).expect("levels");
        }
        let of = |unavailable: &Request, event: usize| {
            let request = Request { unavailable: Default::default(), ..unavailable.clone() };
            dispatch(model, &part(&request, [event])).err().map(|error| error.kind())
        };
        let alone: Vec<_> = (0..request.events.len()).map(|event| of(&request, event)).collect();
        let invalid: Vec<_> = alone.iter().flatten().filter(|kind| **kind != ErrorKind::NoAssign).collect();
        let too_many = Some(ErrorKind::TooMany);
        let found = dispatch(model, &request).err().map(|error| error.kind());
        if !invalid.is_empty() && found != too_many {
            prop_assert!(
                found.is_some_and(|found| invalid.contains(&&found)),
                "{}: {:?} of {:?}", model.name(), found, alone
            );
        }
    }

    #[test]
    fn what_is_answered_is_valid((model, request) in requests(0..8)) {
        if let Ok(assignment) = dispatch(model, &request) {
            let checked = FACTS[model.name()].check(&request, &assignment);
            prop_assert_eq!(checked, Ok(()), "{}: {:?}", model.name(), assignment);
        }
    }

    #[test]
    fn none_can_be_left_out_of_a_conflict((model, request) in requests(0..8)) {
        let refusal = dispatch(model, &request).err();
        let conflict = explain(model, &request);
        prop_assert_eq!(refusal.is_some(), conflict.is_some());
        let (Some(refusal), Some(conflict)) = (refusal, conflict) else { return Ok(()) };
        let refused = |events: Vec<usize>| dispatch(model, &part(&request, events)).err();
        prop_assert!(refused(conflict.events.clone()).is_some(), "{conflict:?}");
        let fits = |kind| matches!(kind, ErrorKind::NoAssign | ErrorKind::TooMany);
        for left_out in &conflict.events {
            let rest = conflict.events.iter().copied().filter(|event| event != left_out).collect();
            let still = refused(rest).is_some_and(|error| {
                fits(error.kind()) && fits(refusal.kind())
                    || error.kind() == refusal.kind() && error.reason() == refusal.reason()
            });
            prop_assert!(!still, "{} without {left_out}: {conflict:?}", model.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn of_many_events_the_conflict_is_as_small_as_one_or_two(
        (model, mut request) in requests(10..30),
        combined in prop::collection::vec(any::<bool>(), 30),
    ) {
        // Several unit masks, which many events cannot combine.
        for (event, _) in request.events.iter_mut().zip(combined).filter(|(_, all)| *all) {
            let masks = model.mask_names(event.event).count();
            event.masks = (0..masks.min(3)).collect();
        }
        let Some(refusal) = dispatch(model, &request).err() else { return Ok(()) };
        let conflict = explain(model, &request).expect("a refusal");
        let fits = |kind| matches!(kind, ErrorKind::NoAssign | ErrorKind::TooMany);
        let refused = |events: &[usize]| {
            dispatch(model, &part(&request, events.iter().copied())).err().is_some_and(|error| {
                fits(refusal.kind()) && (fits(error.kind()) || error.event().is_some())
                    || error.kind() == refusal.kind() && error.reason() == refusal.reason()
            })
        };
        prop_assert!(refused(&conflict.events), "{}: {conflict:?}", model.name());
        for left_out in &conflict.events {
            let rest: Vec<usize> =
                conflict.events.iter().copied().filter(|event| event != left_out).collect();
            prop_assert!(!refused(&rest), "{} without {left_out}: {conflict:?}", model.name());
        }
        let all = 0..request.events.len();
        if refused(&[]) {
            prop_assert!(conflict.events.is_empty(), "{}: {conflict:?}", model.name());
        } else if let Some(alone) = all.clone().find(|event| refused(&[*event])) {
            prop_assert_eq!(&conflict.events, &vec![alone], "{}: {:?}", model.name(), conflict);
        } else if all.clone().any(|a| (0..a).any(|b| refused(&[b, a]))) {
            prop_assert_eq!(conflict.events.len(), 2, "{}: {:?}", model.name(), conflict);
        }
    }
}

/// libpfm-3 puts two of the events on counter 1, and says what is wrong with their registers.
#[test]
fn where_libpfm3_double_books_an_invalid_counter_mask_is_the_reason() {
    let refusal = |model: &str, events: [&str; 3], last_mask: u32, unavailable: Option<u32>| {
        let model = Model::find(model).expect("a model");
        let mut request = Request::new(Privilege::KERNEL | Privilege::USER);
        for name in events.into_iter().filter(|name| !name.is_empty()) {
            let (number, masks) = model.resolve(name).expect("an event");
            let mut event = EventRequest { masks, ..EventRequest::new(number) };
            event.options.threshold = 2;
            request.events.push(event);
        }
        request.events.last_mut().expect("events").options.threshold = last_mask;
        request.unavailable = unavailable.into_iter().collect();
        request.input = Some(match model.name() {
            "core" => ModelInput::Core(Pebs::default()),
            _ => ModelInput::CoreDuo,
        });
        dispatch(model, &request).expect_err("a refusal").as_libpfm3()
    };
    let core = ["BUS_LOCK_CLOCKS:ALL_AGENTS", "STORE_BLOCK:SNOOP", "FP_ASSIST"];
    assert_eq!(refusal("core", core, 256, None), ErrorKind::Invalid);
    assert_eq!(refusal("core", core, 255, None), ErrorKind::NoAssign);
    assert_eq!(refusal("core", core, 256, Some(1)), ErrorKind::NoAssign);
    let three = ["BUS_LOCK_CLOCKS:ALL_AGENTS", "STORE_BLOCK:SNOOP", "STORE_BLOCK:SNOOP"];
    assert_eq!(refusal("core", three, 256, None), ErrorKind::NoAssign);
    let duo = ["INSTRUCTIONS_RETIRED", "MUL", ""];
    assert_eq!(refusal("coreduo", duo, 256, Some(0)), ErrorKind::Invalid);
    assert_eq!(refusal("coreduo", duo, 255, Some(0)), ErrorKind::NoAssign);
    assert_eq!(refusal("coreduo", duo, 256, Some(1)), ErrorKind::NoAssign);
}

#[test]
fn the_sampling_of_a_replay_event_needs_its_registers() {
    let model = Model::find("pentium4").expect("a model");
    let mut request = Request::new(Privilege::USER);
    let (event, _) = model.resolve("replay_event:NBOGUS").expect("an event");
    request.events.push(EventRequest { masks: vec![2], ..EventRequest::new(event) });
    let pmcs = |request: &Request| -> Vec<u32> {
        let assignment = dispatch(model, request).expect("an assignment");
        assignment.pmcs.iter().map(|pmc| pmc.number).collect()
    };
    assert!(pmcs(&request).starts_with(&[64, 63]));
    for missing in [63, 64] {
        request.unavailable = [missing].into_iter().collect();
        assert_eq!(dispatch(model, &request).expect_err("no register").kind(), ErrorKind::NoAssign);
    }
    // A unit mask that asks for no sampling needs neither.
    request.events[0].masks = vec![0];
    assert_eq!(pmcs(&request).len(), 2);
}

/// libpfm-3 checks an event after it has given each one before it a counter, those of instruction-based sampling too.
#[test]
fn a_counter_that_is_missing_comes_before_a_later_events_fault() {
    let model = Model::find("amd64_fam10h_revb").unwrap();
    let event = |name: &str, masks: &[usize]| EventRequest {
        masks: masks.to_vec(),
        ..EventRequest::new(model.resolve(name).unwrap().0)
    };
    let mut request = Request::new(Privilege::USER);
    let [cycles, fetch] = [event("CPU_CLK_UNHALTED", &[]), event("IBSFETCH_EVENT:RANDOM", &[0])];
    let both = event("IBSOP_EVENT:CYCLES", &[0, 1]);
    request.events = vec![cycles, fetch, both];
    let refused = |request: &Request| {
        let error = dispatch(model, request).unwrap_err();
        (error.kind(), error.as_libpfm3())
    };
    assert_eq!(refused(&request), (ErrorKind::FeatureCombination, ErrorKind::FeatureCombination));
    for pmc in 1..4 {
        request.unavailable.insert(pmc);
    }
    assert_eq!(refused(&request), (ErrorKind::FeatureCombination, ErrorKind::NoAssign));
}

#[test]
fn replay_events_share_the_registers_of_sampling() {
    let model = Model::find("pentium4").expect("a model");
    let (event, _) = model.resolve("replay_event:NBOGUS").expect("an event");
    let of = |masks: [&[usize]; 2]| {
        let mut request = Request::new(Privilege::USER);
        let events =
            masks.map(|masks| EventRequest { masks: masks.to_vec(), ..EventRequest::new(event) });
        request.events.extend(events);
        dispatch(model, &request).map_err(|error| error.kind())
    };
    // 2 is L1_LD_MISS and 3 is L2_LD_MISS, 0 and 1 ask for no sampling.
    let same = of([&[0, 2], &[1, 2]]);
    let values = |pmc: u32| -> Vec<u64> {
        let same = same.as_ref().expect("an assignment");
        same.pmcs.iter().filter(|found| found.number == pmc).map(|found| found.value).collect()
    };
    for pmc in [63, 64] {
        assert!(matches!(values(pmc)[..], [a, b] if a == b), "PMC {pmc}");
    }
    assert_eq!(of([&[0, 2], &[0, 3]]), Err(ErrorKind::NoAssign));
    assert_eq!(of([&[0, 2], &[0, 2, 3]]), Err(ErrorKind::NoAssign));
    assert!(of([&[0, 2], &[1]]).is_ok());
}
