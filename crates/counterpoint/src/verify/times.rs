//! The time of a read: with a system call, of a group, and without a system call.

use super::measured::{attr, not_counted, of};
use super::trust::{Asked, Measured, Trust, Unmeasured, Way};
use crate::event_set::EventSet;
use counterpoint_perf::{Attr, Count, Host, Placement, Setup, UserReads};
use std::time::Instant;

/// So many reads are timed together, because the clock itself takes as long as some of them.
const READS: u32 = 1000;
const ROUNDS: usize = 7;

/// `instructions`, and the largest group that the kernel was seen to count together.
pub(super) fn hardware(set: &EventSet, verified: &[Trust]) -> Vec<Trust> {
    const EVENT: &str = "instructions";
    let host = set.machine().host();
    let is_group = |row: &&Trust| {
        row.way == Way::Plan && row.measured.as_ref().is_ok_and(|together| together.median > 0.0)
    };
    let group = verified.iter().filter(is_group).max_by_key(|row| row.asked.attrs.len());
    let mut rows = Vec::new();
    if let Some(attr) = attr(set, EVENT) {
        rows.push(row(host, EVENT, std::slice::from_ref(&attr), Way::ReadTime));
        rows.push(row(host, EVENT, &[attr], Way::UserReadTime));
    }
    rows.extend(group.map(|group| row(host, &group.event, &group.asked.attrs, Way::ReadTime)));
    rows
}

/// One event that the kernel of the system counts, and a group of three.
pub(super) fn software(set: &EventSet) -> Vec<Trust> {
    const EVENTS: [&str; 3] = ["page-faults", "context-switches", "cpu-migrations"];
    let attrs: Vec<Attr> = EVENTS.iter().filter_map(|event| attr(set, event)).collect();
    if attrs.len() < EVENTS.len() {
        return Vec::new();
    }
    let host = set.machine().host();
    vec![
        row(host, EVENTS[0], &attrs[..1], Way::ReadTime),
        row(host, &EVENTS.join(","), &attrs, Way::ReadTime),
    ]
}

fn row(host: &Host, event: &str, attrs: &[Attr], way: Way) -> Trust {
    let mut asked = Asked::of(attrs);
    let measured = reads(host, way, &mut asked);
    Trust { way, measured, asked, ..Trust::unpredicted(event) }
}

/// The nanoseconds of a read.
fn reads(host: &Host, way: Way, asked: &mut Asked) -> Result<Measured, Unmeasured> {
    let user_reads =
        if way == Way::UserReadTime { UserReads::WhereOffered } else { UserReads::Never };
    let setup = Setup { user_reads, ..Setup::default() };
    let group = host.open(&asked.attrs, Placement::ThisThread, setup);
    let mut group = group.map_err(|error| asked.refused(&error))?;
    if way == Way::UserReadTime && !group.is_read_in_user_space() {
        return Err(Unmeasured::no_user_reads());
    }
    let mut counts = vec![Count::default(); asked.attrs.len()];
    let mut rounds = Vec::with_capacity(ROUNDS);
    // The first round is not kept: it fills caches.
    for _ in 0..=ROUNDS {
        let begun = Instant::now();
        for _ in 0..READS {
            group.read_into(&mut counts).map_err(not_counted)?;
        }
        rounds.push(begun.elapsed().as_nanos() as f64 / f64::from(READS));
    }
    asked.add(&counts);
    of(rounds.split_off(1))
}
