//! The names of a profile: in full for other programs, and short for people.

use super::stacks;
use counterpoint::profil::write::{self, CallTree, Profile, Symbol};
use counterpoint::profile::{Profiled, Symbols};
use counterpoint::symbols::ShortNames;
use std::cell::RefCell;
use std::collections::HashMap;

/// The names of the addresses of a profile, each of which is looked up once.
pub struct Named<'p> {
    symbols: &'p Symbols<'p>,
    known: RefCell<HashMap<u64, Option<Symbol>>>,
    /// The call stacks, if they were taken, by full names.
    pub tree: Option<CallTree>,
}

impl<'p> Named<'p> {
    pub fn new(profiled: &Profiled, symbols: &'p Symbols<'p>) -> Named<'p> {
        let tree = stacks::named(profiled, symbols);
        Named { symbols, known: RefCell::default(), tree }
    }

    /// The symbol at an address, by its full name.
    pub fn full(&self, address: u64) -> Option<Symbol> {
        let mut known = self.known.borrow_mut();
        known.entry(address).or_insert_with(|| self.symbols.symbol(address)).clone()
    }

    /// The functions of the profile, those with the most samples of their own first.
    pub fn functions(&self, profile: &Profile<'_>) -> Vec<String> {
        let sampled = write::functions(profile).into_iter().flat_map(|of| match of.shared {
            Some(place) => place.functions,
            None => vec![of.function],
        });
        let calls = self.tree.iter().flat_map(|tree| tree.calls());
        sampled.chain(calls.map(|call| call.function.clone())).collect()
    }

    /// The same with those that were inlined where there are samples.
    pub fn with_inlined(&self, profile: &Profile<'_>) -> Vec<String> {
        let frames = profile.placed().flat_map(|bucket| self.symbols.frames(bucket.first));
        let inlined = frames.map(|frame| frame.function);
        self.functions(profile).into_iter().chain(inlined).collect()
    }
}

/// An event as it is written.
pub struct Event<'e> {
    pub profiled: &'e Profiled,
    pub symbols: &'e Symbols<'e>,
    /// The call stacks, if they were taken, by full names.
    pub tree: Option<&'e CallTree>,
    /// The names that are shown: short ones, unless full ones are asked for.
    pub names: &'e ShortNames,
    /// The samples by full names, and by short ones.
    pub full: Profile<'e>,
    pub short: Profile<'e>,
}

impl Event<'_> {
    /// Call stacks by short names.
    pub fn shortened(&self, tree: &CallTree) -> CallTree {
        tree.clone().renamed(&|name| self.names.short(name).to_string())
    }
}
