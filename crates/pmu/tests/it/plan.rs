//! Plans: against every possible plan for small lists, and by their own rules for long ones.

use counterpoint_pmu::plan::{Claim, Demand, Over, Plan, place, plan};
use proptest::prelude::*;

/// Checks everything that a plan promises, whatever its length.
fn check(events: &[Demand], together: &[Vec<usize>], plan: &Plan) {
    for pass in &plan.passes {
        let mut used = 0u64;
        for slot in pass {
            assert_ne!(events[slot.event].counters >> slot.counter & 1, 0, "can count it");
            assert_eq!(used >> slot.counter & 1, 0, "no counter twice");
            used |= 1 << slot.counter;
        }
        for slot in pass {
            for claim in &events[slot.event].claims {
                let mut values: Vec<u64> = pass
                    .iter()
                    .flat_map(|slot| &events[slot.event].claims)
                    .filter(|other| other.register == claim.register)
                    .map(|other| other.value)
                    .collect();
                values.sort_unstable();
                values.dedup();
                assert!(values.len() <= claim.copies as usize, "registers have room");
            }
        }
        assert!(!pass.is_empty());
    }
    let counted = |event: usize| plan.passes.iter().flatten().any(|slot| slot.event == event);
    for event in 0..events.len() {
        assert_ne!(counted(event), plan.impossible.contains(&event), "counted or said so");
    }
    for (index, unit) in together.iter().enumerate() {
        let possible: Vec<usize> =
            unit.iter().copied().filter(|event| !plan.impossible.contains(event)).collect();
        let whole = plan
            .passes
            .iter()
            .any(|pass| possible.iter().all(|event| pass.iter().any(|slot| slot.event == *event)));
        assert!(whole || possible.is_empty() || plan.separated.contains(&index), "kept together");
    }
    assert!(plan.at_least <= plan.passes.len());
}

/// The fewest passes of all ways to put the units into passes.
fn brute_force(events: &[Demand], units: &[Vec<usize>]) -> usize {
    fn go(events: &[Demand], units: &[Vec<usize>], passes: &[Vec<usize>]) -> usize {
        let Some((unit, rest)) = units.split_first() else { return passes.len() };
        let mut best = usize::MAX;
        for index in 0..=passes.len() {
            let mut changed = passes.to_vec();
            if index == passes.len() {
                changed.push(Vec::new());
            }
            for event in unit {
                if !changed[index].contains(event) {
                    changed[index].push(*event);
                }
            }
            if fits(events, &changed[index], 0) {
                best = best.min(go(events, rest, &changed));
            }
        }
        best
    }
    /// Tries every counter for each event in turn.
    fn fits(events: &[Demand], pass: &[usize], used: u64) -> bool {
        let Some((event, rest)) = pass.split_first() else { return true };
        let counters =
            (0..64).filter(|counter| events[*event].counters & !used & 1 << counter != 0);
        counters.into_iter().any(|counter| fits(events, rest, used | 1 << counter))
    }
    go(events, units, &[])
}

fn demand() -> impl Strategy<Value = Demand> {
    let counters = prop_oneof![Just(0b1111), Just(0b0011), Just(0b1000), 0..16u64];
    counters.prop_map(Demand::on)
}

fn claiming() -> impl Strategy<Value = Demand> {
    (demand(), prop::option::of((0..2u32, 0..4u64))).prop_map(|(demand, claim)| Demand {
        claims: claim
            .map(|(register, value)| Claim { register, copies: register + 1, value })
            .into_iter()
            .collect(),
        ..demand
    })
}

proptest! {
    #[test]
    fn no_plan_has_fewer_passes(
        events in prop::collection::vec(demand(), 0..7),
        units in prop::collection::vec(prop::collection::vec(0..7usize, 1..4), 0..3),
    ) {
        let together: Vec<Vec<usize>> = units
            .into_iter()
            .map(|unit| unit.into_iter().filter(|&event| event < events.len()).collect())
            .collect();
        let plan = plan(&events, &together);
        check(&events, &together, &plan);
        let kept = together.iter().enumerate().filter(|(index, _)| !plan.separated.contains(index));
        let mut units: Vec<Vec<usize>> = kept
            .map(|(_, unit)| {
                unit.iter().copied().filter(|event| !plan.impossible.contains(event)).collect()
            })
            .collect();
        let single = (0..events.len()).filter(|event| !plan.impossible.contains(event));
        units.retain(|unit| !unit.is_empty());
        units.extend(single.filter(|event| !units.iter().any(|unit| unit.contains(event)))
            .map(|event| vec![event]).collect::<Vec<_>>());
        prop_assert!(plan.optimal);
        prop_assert_eq!(plan.passes.len(), brute_force(&events, &units));
    }

    #[test]
    fn a_plan_keeps_its_rules(
        events in prop::collection::vec(claiming(), 0..40),
        together in prop::collection::vec(prop::collection::vec(0..40usize, 1..6), 0..12),
    ) {
        let plan = plan(&events, &together);
        check(&events, &together.iter().map(|unit| {
            unit.iter().copied().filter(|&event| event < events.len()).collect()
        }).collect::<Vec<_>>(), &plan);
    }

    #[test]
    fn the_order_of_events_does_not_matter(
        events in prop::collection::vec(claiming(), 0..20),
        by in 0..20usize,
    ) {
        let mut turned = events.clone();
        turned.rotate_left(by % events.len().max(1));
        prop_assert_eq!(place(&events).is_ok(), place(&turned).is_ok());
        let (a, b) = (plan(&events, &[]), plan(&turned, &[]));
        if a.optimal && b.optimal {
            prop_assert_eq!(a.passes.len(), b.passes.len());
        }
    }

    #[test]
    fn a_conflict_has_no_event_too_many(events in prop::collection::vec(claiming(), 1..12)) {
        if let Err(conflict) = place(&events) {
            let set: Vec<Demand> =
                conflict.events.iter().map(|&event| events[event].clone()).collect();
            prop_assert!(place(&set).is_err());
            for leave in 0..set.len() {
                let mut rest = set.clone();
                rest.remove(leave);
                prop_assert!(place(&rest).is_ok());
            }
            if let Over::Counters(counters) = conflict.over {
                prop_assert!((counters.count_ones() as usize) < set.len());
            }
        }
    }
}

#[test]
fn a_refusal_says_what_there_is_too_little_of() {
    let same = vec![Demand::on(0b11); 3];
    let conflict = place(&same).unwrap_err();
    assert_eq!(conflict.over, Over::Counters(0b11));
    assert_eq!(conflict.to_string(), "3 events can only be counted by the same 2 counters");

    let offcore =
        |value| Demand { counters: 0xf, claims: vec![Claim { register: 0x1a6, copies: 2, value }] };
    assert!(place(&[offcore(1), offcore(2), offcore(1)]).is_ok());
    let conflict = place(&[offcore(1), offcore(2), Demand::on(0xf), offcore(3)]).unwrap_err();
    assert_eq!(conflict.events, [0, 1, 3]);
    assert_eq!(conflict.to_string(), "3 events need different values in 2 shared registers");

    let conflict = place(&[Demand::on(1), Demand::on(0)]).unwrap_err();
    assert_eq!((conflict.events.as_slice(), conflict.over), (&[1][..], Over::Counters(0)));
}

/// Fixed counters lie above the general ones, and leave those to others.
#[test]
fn events_take_the_counters_of_fixed_purpose_first() {
    const GENERAL: u64 = 0xff;
    let instructions = Demand::on(1 << 32 | GENERAL);
    let cycles = Demand::on(1 << 33 | GENERAL);
    let mut events = vec![instructions, cycles];
    events.extend(vec![Demand::on(GENERAL); 8]);
    let plan = plan(&events, &[]);
    assert_eq!(plan.passes.len(), 1);
    let counters: Vec<u32> = plan.passes[0].iter().map(|slot| slot.counter).collect();
    assert_eq!(counters[..2], [32, 33]);
}

#[test]
fn long_lists_of_single_events_are_planned_exactly() {
    let mut events = vec![Demand::on(0b1111); 150];
    events.extend(vec![Demand::on(0b0001); 51]);
    let plan = plan(&events, &[]);
    check(&events, &[], &plan);
    assert_eq!((plan.passes.len(), plan.at_least, plan.optimal), (51, 51, true));
}

#[test]
fn a_unit_that_no_pass_can_hold_is_taken_apart() {
    let events = vec![Demand::on(0b11); 4];
    let together = [vec![0, 1, 2], vec![2, 3]];
    let plan = plan(&events, &together);
    check(&events, &together, &plan);
    assert_eq!((plan.separated.as_slice(), plan.passes.len()), (&[0][..], 2));
}
