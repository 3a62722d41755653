//! Events of a processor's own counters; without a PMU each test says that it was skipped.

use crate::support::{disabled, or_skip};
use counterpoint_perf::records::Record;
use counterpoint_perf::{
    Attr, Cause, Count, Every, Fields, Group, Host, Placement, Sampling, Setup, pmu_type,
};
use std::hint::black_box;

const CYCLES: u64 = 0;
const INSTRUCTIONS: u64 = 1;
/// A turn of the loop is some instructions, of which there are as many in each.
const TURNS: u64 = 2_000_000;

fn hardware(config: u64) -> Attr {
    Attr::new(pmu_type::HARDWARE, config).user_only()
}

fn group(what: &str, events: &[Attr]) -> Option<Group> {
    or_skip(what, Host::local().open(events, Placement::ThisThread, disabled()))
}

#[inline(never)]
fn work(turns: u64) -> u64 {
    let (mut n, mut value) = (0_u64, 1_u64);
    while n < turns {
        value = ((value << 7) ^ (value >> 3)) ^ n;
        n += 1;
    }
    black_box(value)
}

/// What the group counts of so many turns.
fn count(group: &mut Group, turns: u64) -> Vec<Count> {
    let before = group.read().unwrap();
    group.enable().unwrap();
    work(turns);
    group.disable().unwrap();
    let after = group.read().unwrap();
    after.iter().zip(&before).map(|(after, before)| after.since(before)).collect()
}

/// Whether a number is so near to another, in hundredths of it.
fn is_near(found: f64, expected: f64, percent: f64) -> bool {
    (found - expected).abs() <= expected * percent / 100.0
}

#[test]
fn a_loop_has_as_many_instructions_as_turns_times_its_length() {
    let Some(mut group) = group("instructions", &[hardware(INSTRUCTIONS)]) else { return };
    let once = count(&mut group, TURNS)[0].scaled().unwrap();
    let twice = count(&mut group, 2 * TURNS)[0].scaled().unwrap();
    let thrice = count(&mut group, 3 * TURNS)[0].scaled().unwrap();
    let turn = (twice - once) / TURNS as f64;
    assert!((2.0..100.0).contains(&turn), "{turn} instructions a turn");
    assert!(is_near(thrice - twice, twice - once, 1.0), "{once} {twice} {thrice}");
    assert!(is_near(once, turn * TURNS as f64, 1.0), "{once} for {turn} a turn");
}

#[test]
fn a_group_counts_its_events_over_the_same_time() {
    let events = [hardware(INSTRUCTIONS), hardware(CYCLES), hardware(INSTRUCTIONS)];
    let Some(mut group) = group("a group", &events) else { return };
    let counts = count(&mut group, TURNS);
    assert!(counts.iter().all(|count| count.raw > 0), "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0].enabled == pair[1].enabled), "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0].running == pair[1].running), "{counts:?}");
    assert_eq!(counts[0].raw, counts[2].raw, "the same event twice");
}

/// More groups than counters take turns, and the estimates are near what one alone counts.
#[test]
fn events_that_take_turns_are_estimated() {
    let event = [hardware(INSTRUCTIONS)];
    let Some(mut alone) = group("instructions", &event) else { return };
    // Long enough for every group to have had many turns: they change at each tick.
    let turns = 40 * TURNS;
    let truth = count(&mut alone, turns)[0].scaled().unwrap();
    drop(alone);

    let mut groups: Vec<Group> = (0..20).map_while(|_| group("a group", &event)).collect();
    groups.iter_mut().for_each(|group| group.enable().unwrap());
    work(turns);
    groups.iter_mut().for_each(|group| group.disable().unwrap());
    let counts: Vec<Count> = groups.iter_mut().map(|group| group.read().unwrap()[0]).collect();
    if counts.iter().all(|count| count.running == count.enabled) {
        return println!("skipped: this PMU has counters for 20 events at once");
    }
    for count in &counts {
        let coverage = count.coverage().unwrap();
        assert!(coverage > 0.05 && coverage <= 1.0, "{count:?}");
        assert!(is_near(count.scaled().unwrap(), truth, 5.0), "{count:?}, alone {truth}");
    }
}

/// A group of more events than there are counters is refused when it is opened, or never counts; it never gives a number.
#[test]
fn a_group_that_does_not_fit_gives_no_number() {
    if group("instructions", &[hardware(INSTRUCTIONS)]).is_none() {
        return;
    }
    let events = vec![hardware(INSTRUCTIONS); 40];
    match Host::local().open(&events, Placement::ThisThread, disabled()) {
        Err(error) => {
            assert_eq!(error.cause, Cause::GroupDoesNotFit, "{error:?}");
        }
        Ok(mut group) => {
            let counts = count(&mut group, TURNS);
            assert!(counts.iter().all(|count| count.scaled().is_none()), "{counts:?}");
        }
    }
}

/// Pinned events that find no counter are in error, and have no value.
#[test]
fn a_pinned_event_without_a_counter_gives_no_number() {
    let pinned = Attr { pinned: true, ..hardware(INSTRUCTIONS) };
    let Some(first) = group("a pinned event", std::slice::from_ref(&pinned)) else { return };
    let mut groups = vec![first];
    groups.extend((0..40).map_while(|_| group("a pinned event", std::slice::from_ref(&pinned))));
    groups.iter_mut().for_each(|group| group.enable().unwrap());
    work(TURNS);
    let counts: Vec<Count> = groups.iter_mut().map(|group| group.read().unwrap()[0]).collect();
    let (counted, lost): (Vec<&Count>, Vec<&Count>) =
        counts.iter().partition(|count| count.scaled().is_some());
    assert!(!counted.is_empty() && !lost.is_empty(), "{counts:?}");
    assert!(counted.iter().all(|count| count.running == count.enabled), "{counted:?}");
}

#[test]
fn an_overflow_gives_the_address_of_the_loop() {
    const PERIOD: u64 = 100_003;
    let event = Attr { every: Every::Period(PERIOD), ..hardware(CYCLES) };
    let Some(mut alone) = group("cycles", &[hardware(CYCLES)]) else { return };
    let cycles = count(&mut alone, 20 * TURNS)[0].scaled().unwrap();
    drop(alone);

    let mut sampler = Host::local().sampler(
        Sampling::new(Fields::IP | Fields::PERIOD),
        Setup { disabled: true, ..Setup::default() },
    );
    if or_skip("samples of cycles", sampler.add(&[event], &Placement::ThisThread)).is_none() {
        return;
    }
    sampler.enable().unwrap();
    work(20 * TURNS);
    sampler.disable().unwrap();
    let start = work as fn(u64) -> u64 as usize as u64;
    let (mut inside, mut all) = (0, 0);
    sampler
        .drain(|record| {
            if let Record::Sample(sample) = record {
                all += 1;
                assert_eq!(sample.period, Some(PERIOD));
                inside += u64::from((start..start + 600).contains(&sample.ip.unwrap()));
            }
        })
        .unwrap();
    let expected = cycles / PERIOD as f64;
    assert!(is_near(all as f64, expected, 5.0), "{all} samples of about {expected}");
    assert!(inside as f64 >= all as f64 * 0.95, "{inside} of {all} in the loop");
}
