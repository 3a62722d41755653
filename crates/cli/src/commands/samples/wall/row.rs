//! What a thread does, in words, and the sums of the same.

use super::measured::Measured;
use counterpoint::profil::write::Symbol;
use counterpoint::wall::{Amount, State, Wait};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// What a thread does: a state, and what it waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Doing {
    pub state: State,
    pub wait: Option<Wait>,
}

/// Times in nanoseconds.
#[derive(Clone, Copy, Default)]
pub struct Times {
    pub time: f64,
    pub wall: f64,
    pub path: f64,
    pub count: u64,
    pub squares: f64,
}

impl Doing {
    pub fn of(measured: &Measured, amount: &Amount) -> Doing {
        Doing { state: amount.state, wait: measured.wait(amount) }
    }

    /// Its name in tables and as the outermost frame of stacks.
    pub fn name(self) -> String {
        match (self.state, self.wait) {
            (State::Running, _) => "running".to_string(),
            (State::Waiting, Some(wait)) => format!("waiting: {wait}"),
            (State::Waiting, None) => "waiting: not known".to_string(),
            (State::Queued, _) => "run queue".to_string(),
            (State::Preempted, _) => "preempted".to_string(),
            _ => "not known".to_string(),
        }
    }
}

impl Times {
    pub fn add(&mut self, of: &Amount) {
        self.time += of.time;
        self.wall += of.wall;
        self.path += of.path;
        self.count += of.count;
        self.squares += of.squares;
    }

    /// The order of tables: what has most of the wall time first.
    pub fn before(&self, other: &Times) -> Ordering {
        other.wall.total_cmp(&self.wall).then(other.time.total_cmp(&self.time))
    }
}

/// The sums by what `key` tells of an amount, what has most of the wall time first.
pub fn sums<K: Ord>(measured: &Measured, key: impl Fn(&Amount) -> K) -> Vec<(K, Times)> {
    let mut sums: BTreeMap<K, Times> = BTreeMap::new();
    for amount in &measured.wall.amounts {
        sums.entry(key(amount)).or_default().add(amount);
    }
    let mut sums: Vec<(K, Times)> = sums.into_iter().collect();
    sums.sort_by(|(_, one), (_, other)| one.before(other));
    sums
}

/// The function where a thread ran or stopped: of waits, that of the program, and the one that called it.
pub fn function(measured: &Measured, amount: &Amount) -> Option<(Symbol, Option<String>)> {
    let stack = amount.stack?;
    let mut frames = measured.frames(stack);
    if amount.state == State::Running {
        return frames.next().map(|(name, _)| (name.clone(), None));
    }
    let mut frames = measured.frames(stack).filter(|(_, is_kernel)| !is_kernel);
    let (name, _) = frames.next().or_else(|| measured.frames(stack).next())?;
    let caller = frames.find(|(caller, _)| caller.module != name.module);
    let caller = caller.map(|(caller, _)| caller.function.clone());
    Some((name.clone(), caller))
}
