//! A flame graph whose outermost frames are no functions: the states of threads, or the data that is accessed.

use crate::commands::samples::TableArgs;
use crate::page::{PageFunction, Profile};
use counterpoint::profil::write::{Call, CallTree, Symbol};
use std::collections::{BTreeMap, HashMap};

/// The flame graph of a tree of calls, to which the counts of threads are added.
pub struct GroupGraph<'t> {
    profile: Profile,
    calls: HashMap<Key<'t>, usize>,
    /// The number of the place of each call with counts.
    places: BTreeMap<usize, u64>,
}

/// The caller, the function, its module, and whether it was inlined.
type Key<'t> = (Option<usize>, &'t str, Option<&'t str>, bool);

impl<'t> GroupGraph<'t> {
    /// The graph of a tree, without counts; `profile` has what is known beside the calls.
    pub fn new(table: TableArgs, tree: &'t CallTree, profile: Profile) -> GroupGraph<'t> {
        let call = |(index, of): (usize, &'t Call)| {
            ((of.caller, of.function.as_str(), of.module.as_deref(), of.inlined), index)
        };
        let calls = tree.calls().iter().enumerate().map(call).collect();
        let mut graph = GroupGraph { profile, calls, places: BTreeMap::new() };
        graph.functions(table, tree);
        graph
    }

    /// Counts what a thread has below these outermost frames, in a stack whose innermost function is the first.
    pub fn add<'s>(
        &mut self,
        (root, stack): (&[String], impl Iterator<Item = &'s Symbol>),
        thread: usize,
        count: u64,
    ) {
        let frames: Vec<&Symbol> = stack.collect();
        let groups = root.iter().map(|name| (name.as_str(), None, false));
        let of_function =
            |of: &&'s Symbol| (of.function.as_str(), of.module.as_deref(), of.inlined);
        let mut call = None;
        for (name, module, inlined) in groups.chain(frames.iter().rev().map(of_function)) {
            let Some(index) = self.calls.get(&(call, name, module, inlined)) else { return };
            call = Some(*index);
        }
        let Some(call) = call.filter(|_| count > 0) else { return };
        let profile = &mut self.profile;
        let place = *self.places.entry(call).or_insert_with(|| {
            profile.place_calls.push(call);
            profile.place_lines.push(-1);
            profile.place_calls.len() as u64 - 1
        });
        profile.counts.extend([0, thread as u64, place, count]);
    }

    pub fn finish(self) -> Profile {
        self.profile
    }

    /// Adds the calls with their functions and modules.
    fn functions(&mut self, table: TableArgs, tree: &CallTree) {
        let names = table.names(tree.calls().iter().map(|call| call.function.clone()));
        let (mut modules, mut known) = (HashMap::new(), HashMap::new());
        let profile = &mut self.profile;
        for call in tree.calls() {
            // The outermost frames have colours of their own.
            let module = match call.caller {
                None => call.function.clone(),
                Some(_) => call.module.clone().unwrap_or_default(),
            };
            let module = *modules.entry(module).or_insert_with_key(|module| {
                profile.modules.push(module.clone());
                profile.modules.len() - 1
            });
            let key = (call.function.clone(), module, call.inlined);
            let function = *known.entry(key).or_insert_with(|| {
                let function = PageFunction::new(&names, &call.function, module, call.inlined);
                profile.functions.push(function);
                profile.functions.len() - 1
            });
            profile.calls.push(function);
            profile.callers.push(call.caller.map_or(-1, |caller| caller as i64));
        }
    }
}
