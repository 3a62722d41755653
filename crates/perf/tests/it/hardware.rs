//! Events of a processor's own counters; without a PMU each test says that it was skipped.

use crate::support::{disabled, or_skip};
use counterpoint_fixtures::{is_qemu_riscv64, work};
use counterpoint_perf::records::Record;
use counterpoint_perf::{
    Attr, Cause, Count, Every, Fields, Group, Host, Placement, Sampling, Setup, UserReads, pmu_type,
};
use std::time::Duration;

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

/// The counts of the group for so many turns.
fn count(group: &mut Group, turns: u64) -> Vec<Count> {
    let before = group.read().unwrap();
    group.enable().unwrap();
    work(turns);
    group.disable().unwrap();
    let after = group.read().unwrap();
    after.iter().zip(&before).map(|(after, before)| after.since(before)).collect()
}

/// Returns true if a number is so near to another, in hundredths of it.
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
    assert!(counts[..2].iter().all(|count| count.raw > 0), "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0].enabled == pair[1].enabled), "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0].running == pair[1].running), "{counts:?}");
    if is_qemu_riscv64() {
        return println!("skipped: QEMU counts an event on one counter at a time");
    }
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
    }
    if is_qemu_riscv64() {
        return println!("skipped: QEMU counts an event on one counter at a time");
    }
    for count in &counts {
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

/// An exclusive event has the PMU to itself: another has a counter when it has not.
#[test]
fn an_exclusive_event_takes_turns_with_all_others() {
    let exclusive = Attr { exclusive: true, ..hardware(INSTRUCTIONS) };
    let Some(exclusive) = group("an exclusive event", &[exclusive]) else { return };
    let Some(other) = group("cycles", &[hardware(CYCLES)]) else { return };
    let mut groups = [exclusive, other];
    groups.iter_mut().for_each(|group| group.enable().unwrap());
    work(10 * TURNS);
    groups.iter_mut().for_each(|group| group.disable().unwrap());
    let counts = groups.map(|mut group| group.read().unwrap()[0]);
    assert!(counts.iter().all(|count| count.scaled().is_some()), "{counts:?}");
    let running = (counts[0].running + counts[1].running).as_secs_f64();
    let enabled = counts[0].enabled.max(counts[1].enabled).as_secs_f64();
    // They are switched one after the other, so that a little of the time is both's.
    assert!(running <= enabled * 1.02, "{counts:?}");
}

/// Exclusive and pinned beside another that is pinned: it cannot have the PMU to itself, and may not wait.
#[test]
fn an_exclusive_event_that_may_not_wait_is_in_error() {
    let pinned = Attr { pinned: true, ..hardware(INSTRUCTIONS) };
    let exclusive = Attr { exclusive: true, ..pinned.clone() };
    let Some(mut first) = group("a pinned event", &[pinned]) else { return };
    let Some(mut second) = group("an exclusive event", &[exclusive]) else { return };
    first.enable().unwrap();
    second.enable().unwrap();
    work(TURNS);
    let counts = [first.read().unwrap()[0], second.read().unwrap()[0]];
    assert!(!first.has_lost_counter(0) && counts[0].running == counts[0].enabled, "{counts:?}");
    assert!(second.has_lost_counter(0) && counts[1].scaled().is_none(), "{counts:?}");
}

/// A group that its thread reads by itself; what the kernel would say is read when it is stopped, or in another thread.
fn own(events: &[Attr]) -> Option<Group> {
    let group = group("hardware events", events)?;
    if !group.is_read_in_user_space() {
        println!("skipped: this kernel does not let a thread read its own counters");
        return None;
    }
    Some(group)
}

/// Most that is counted between a read and the next one, or the stop.
const BETWEEN: u64 = 20_000;

/// Asserts that `later` was read soon after `earlier`.
fn assert_soon_after(later: &[Count], earlier: &[Count]) {
    for (later, earlier) in later.iter().zip(earlier) {
        let found = (earlier.raw..earlier.raw + BETWEEN).contains(&later.raw);
        assert!(found, "{later:?} after {earlier:?}");
        let times = [(later.enabled, earlier.enabled), (later.running, earlier.running)];
        for (later, earlier) in times {
            assert!(later >= earlier && later - earlier < Duration::from_millis(5), "{later:?}");
        }
    }
}

#[test]
fn reads_without_a_system_call_give_what_the_kernel_gives() {
    let events = [hardware(INSTRUCTIONS), hardware(CYCLES), hardware(INSTRUCTIONS)];
    let Some(mut group) = own(&events) else { return };
    let mut last = vec![Count::default(); events.len()];
    for turns in [0, 1, 1000, TURNS, 7] {
        group.enable().unwrap();
        let started = group.read().unwrap();
        assert_soon_after(&started, &last);
        work(turns);
        let user = group.read().unwrap();
        group.disable().unwrap();
        let kernel = group.read().unwrap();
        assert_soon_after(&kernel, &user);
        assert!(user[0].raw - started[0].raw >= 2 * turns, "{user:?} {started:?}");
        assert!(user[0].raw.abs_diff(user[2].raw) < BETWEEN, "{user:?}");
        assert!(kernel.iter().all(|count| count.running == count.enabled), "{kernel:?}");
        last = kernel;
    }
}

/// Counted at every level, a read by the kernel counts itself.
#[test]
fn reads_without_a_system_call_do_less() {
    let everywhere = Attr::new(pmu_type::HARDWARE, INSTRUCTIONS);
    let Some(_) = own(&[hardware(INSTRUCTIONS)]) else { return };
    let cost = |user_reads| {
        let setup = Setup { user_reads, ..Setup::default() };
        let opened = Host::local().open(&vec![everywhere.clone(); 4], Placement::ThisThread, setup);
        let mut group = or_skip("the kernel", opened)?;
        let mut counts = [Count::default(); 4];
        let mut read = || {
            group.read_into(&mut counts).unwrap();
            counts[0].raw
        };
        let cost = (0..100).map(|_| read().abs_diff(read())).min()?;
        Some(cost)
    };
    let Some(user) = cost(UserReads::WhereProven) else { return };
    let Some(kernel) = cost(UserReads::Never) else { return };
    println!("a read of 4 events: {user} instructions, by the kernel {kernel}");
    assert!(user * 2 < kernel, "{user} instructions, by the kernel {kernel}");
}

#[test]
fn reads_without_a_system_call_follow_events_that_take_turns() {
    let Some(_) = own(&[hardware(INSTRUCTIONS)]) else { return };
    let mut groups: Vec<Group> = (0..20).map_while(|_| own(&[hardware(INSTRUCTIONS)])).collect();
    groups.iter_mut().for_each(|group| group.enable().unwrap());
    let mut last = vec![Count::default(); groups.len()];
    for _ in 0..40 {
        work(TURNS / 4);
        for (group, last) in groups.iter_mut().zip(&mut last) {
            let now = group.read().unwrap()[0];
            let is_later = now.raw >= last.raw
                && now.running >= last.running
                && now.enabled > last.enabled
                && now.running <= now.enabled;
            assert!(is_later, "{now:?} after {last:?}");
            *last = now;
        }
    }
    for (group, last) in groups.iter_mut().zip(&last) {
        group.disable().unwrap();
        let kernel = group.read().unwrap();
        // One that was switched on meanwhile has counted until its stop.
        assert!(kernel[0].raw - last.raw < TURNS, "{kernel:?} after {last:?}");
    }
    let estimates: Vec<f64> = last.iter().filter_map(Count::scaled).collect();
    assert_eq!(estimates.len(), groups.len());
    if last.iter().all(|count| count.running == count.enabled) {
        return println!("skipped: this PMU has counters for 20 events at once");
    }
    let mean = estimates.iter().sum::<f64>() / estimates.len() as f64;
    assert!(estimates.iter().all(|estimate| is_near(*estimate, mean, 5.0)), "{estimates:?}");
}

#[test]
fn another_thread_is_told_by_the_kernel() {
    let Some(mut group) = own(&[hardware(INSTRUCTIONS)]) else { return };
    group.enable().unwrap();
    work(TURNS);
    let before = group.read().unwrap();
    let (there, mut group) = std::thread::spawn(move || {
        // Its own counters run on, on the same processor.
        work(TURNS);
        (group.read().unwrap(), group)
    })
    .join()
    .unwrap();
    let after = group.read().unwrap();
    assert!((before[0].raw..=after[0].raw).contains(&there[0].raw), "{before:?} {there:?}");
    assert!(after[0].raw - before[0].raw < TURNS, "{before:?} {after:?}");
}

/// The child has neither the page nor the counter.
#[test]
#[allow(unsafe_code, reason = "a fork is what is tested")]
fn a_forked_child_is_told_by_the_kernel() {
    let Some(mut group) = own(&[hardware(INSTRUCTIONS)]) else { return };
    group.enable().unwrap();
    work(TURNS);
    let mut counts = [group.read().unwrap()[0]];
    let before = counts[0];
    // SAFETY: the child reads its own memory, allocates nothing, and ends without unwinding.
    match unsafe { nix::unistd::fork() }.unwrap() {
        nix::unistd::ForkResult::Child => {
            work(TURNS);
            let read = group.read_into(&mut counts).is_ok();
            let is_parents = (before.raw..before.raw + TURNS).contains(&counts[0].raw);
            // SAFETY: ends the process at once.
            unsafe { nix::libc::_exit(if read && is_parents { 0 } else { 1 }) }
        }
        nix::unistd::ForkResult::Parent { child } => {
            let ended = nix::sys::wait::waitpid(child, None).unwrap();
            assert_eq!(ended, nix::sys::wait::WaitStatus::Exited(child, 0));
        }
    }
    assert!(group.read().unwrap()[0].raw >= before.raw);
}

/// Only in the emulated machine, whose settings nobody else lives with.
#[test]
fn what_the_administrator_forbids_is_read_by_the_kernel() {
    const SETTING: &str = "/proc/sys/kernel/perf_user_access";
    if std::env::var_os("COUNTERPOINT_HARDWARE").is_none() {
        return println!("skipped: this machine's settings are not the test's to change");
    }
    if std::fs::write(SETTING, "0").is_err() {
        return println!("skipped: this kernel never lets a thread read its own counters");
    }
    let opened = group("instructions", &[hardware(INSTRUCTIONS)]);
    std::fs::write(SETTING, "1").unwrap();
    let mut group = opened.unwrap();
    assert!(!group.is_read_in_user_space());
    let counts = count(&mut group, TURNS);
    assert!(counts[0].raw >= 2 * TURNS, "{counts:?}");
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
