//! The tree of calls of a profile, with its tables.

use super::functions::Sum;
use super::{Symbol, folded};
use crate::Stacks;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Call stacks by the names of their functions.
///
/// ```
/// use counterpoint_profil::Stacks;
/// use counterpoint_profil::write::{CallTree, Symbol};
///
/// let mut stacks = Stacks::with_limit(1000);
/// stacks.record(&[3, 2, 1], 5);
/// stacks.record(&[2, 1], 1);
/// let names = |address| vec![Symbol::new(["", "main", "solve", "step"][address as usize])];
/// let tree = CallTree::new(&stacks, &names);
/// assert_eq!(tree.folded(), "main;solve 1\nmain;solve;step 5\n");
/// assert_eq!(tree.callers(|function| function == "step").unwrap().folded(), "step;solve;main 5\n");
/// ```
#[derive(Clone, Debug)]
pub struct CallTree {
    calls: Vec<Call>,
    /// All samples.
    total: Sum,
}

/// A function in a tree of calls, as it was called by its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// The name of the function.
    pub function: String,
    /// The executable or shared object that contains it, if known.
    pub module: Option<String>,
    /// It was inlined into its caller.
    pub inlined: bool,
    /// The index of its caller, which is less than its own.
    pub caller: Option<usize>,
    /// The functions that it called, the one with the most samples first.
    pub callees: Vec<usize>,
    /// The samples of the function itself.
    own: Sum,
    /// The samples of the function and of those that it called.
    whole: Sum,
}

/// The samples of a function and of what it calls.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FunctionCalls {
    /// The name of the function.
    pub function: String,
    /// The executable or shared object that contains it, if known.
    pub module: Option<String>,
    /// Each of its calls was inlined.
    pub inlined: bool,
    /// It has no samples of its own, and one function that it calls has nearly all of the others, as with the functions that start a program.
    pub passes_on: bool,
    /// The samples of the function itself.
    pub own: u64,
    /// Their share of all samples, in percent, and its standard error.
    pub own_percent: (f64, f64),
    /// The samples of the function and of those that it called, each once, even if it called itself.
    pub whole: u64,
    /// Their share of all samples, in percent, and its standard error.
    pub whole_percent: (f64, f64),
}

/// A function, as frames have it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Name {
    function: String,
    module: Option<String>,
    inlined: bool,
}

impl From<Symbol> for Name {
    fn from(symbol: Symbol) -> Name {
        let Symbol { function, module, inlined, .. } = symbol;
        Name { function, module, inlined }
    }
}

/// The samples of all calls of a function.
#[derive(Default)]
struct Sums<'t> {
    own: Sum,
    whole: Sum,
    /// One of its calls was not inlined.
    is_called: bool,
    /// The samples of each function that it called.
    callees: HashMap<(&'t str, Option<&'t str>), u64>,
}

/// The part of the samples of a function that another one has to which it passes them on.
const NEARLY_ALL: f64 = 0.95;

/// The name of samples for whose stacks there was no room.
pub(super) const BEYOND: &str = "[stacks beyond the limit]";

impl Call {
    /// The samples of the function itself.
    pub fn own(&self) -> u64 {
        self.own.count
    }

    /// The samples of the function and of those that it called.
    pub fn whole(&self) -> u64 {
        self.whole.count
    }

    /// The share of all samples in percent, and its standard error.
    pub(super) fn part_of(&self, total: &Sum) -> (f64, f64) {
        self.whole.part_of(total)
    }

    fn name(&self) -> Name {
        let (function, module) = (self.function.clone(), self.module.clone());
        Name { function, module, inlined: self.inlined }
    }
}

impl CallTree {
    /// The stacks, with the functions that `names` returns for the address of a frame: functions that were inlined there, the innermost first, and at last the function that has the address.
    pub fn new(stacks: &Stacks, names: &dyn Fn(u64) -> Vec<Symbol>) -> CallTree {
        CallTree::with_frames(stacks, names).0
    }

    /// The same, with the call of each frame of the stacks: that of its innermost function, inlined ones included; `None` for a frame without names.
    pub fn with_frames(
        stacks: &Stacks,
        names: &dyn Fn(u64) -> Vec<Symbol>,
    ) -> (CallTree, Vec<Option<usize>>) {
        let mut builder = Builder::default();
        let mut named: HashMap<u64, Vec<Name>> = HashMap::new();
        // The call of each frame.
        let mut calls: Vec<Option<usize>> = Vec::new();
        for frame in stacks.frames() {
            let functions = named
                .entry(frame.address)
                .or_insert_with(|| names(frame.address).into_iter().map(Name::from).collect());
            let mut call = frame.caller.and_then(|caller| calls[caller]);
            for name in functions.iter().rev() {
                call = Some(builder.call(call, name));
            }
            builder.count(call, Sum { count: frame.count, squares: frame.squares });
            calls.push(call);
        }
        let (count, squares) = stacks.beyond();
        builder.count_beyond(count, squares);
        (builder.finish(None), calls)
    }

    /// The stacks of several groups, such as threads, the names of each group as the outermost frames of its stacks, the outermost first; `counts` has the group of each count, its innermost frame in `stacks`, and its samples, each of which weighs 1; `beyond` is the count of the samples of no stack.
    pub fn of_groups<'g>(
        stacks: &Stacks,
        counts: impl IntoIterator<Item = (&'g [String], usize, u64)>,
        beyond: u64,
        names: &dyn Fn(u64) -> Vec<Symbol>,
    ) -> CallTree {
        let mut builder = Builder::default();
        let mut named: HashMap<u64, Vec<Name>> = HashMap::new();
        for (group, frame, count) in counts {
            let mut call = None;
            for name in group {
                let name = Name { function: name.clone(), module: None, inlined: false };
                call = Some(builder.call(call, &name));
            }
            let mut stack: Vec<_> = stacks.stack(frame).collect();
            while let Some(frame) = stack.pop() {
                let functions = named
                    .entry(frame.address)
                    .or_insert_with(|| names(frame.address).into_iter().map(Name::from).collect());
                for name in functions.iter().rev() {
                    call = Some(builder.call(call, name));
                }
            }
            builder.count(call, Sum { count, squares: count });
        }
        builder.count_beyond(beyond, beyond);
        builder.finish(None)
    }

    /// The tree with other names for its functions.
    #[must_use]
    pub fn renamed(mut self, name: &dyn Fn(&str) -> String) -> CallTree {
        self.calls.iter_mut().for_each(|call| call.function = name(&call.function));
        self
    }

    /// All samples, with the sum of their squares.
    pub(super) fn sum(&self) -> &Sum {
        &self.total
    }

    /// All calls, each after its caller.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The number of samples, weighted if samples are.
    pub fn total(&self) -> u64 {
        self.total.count
    }

    /// The calls that have no caller, the one with the most samples first.
    pub fn roots(&self) -> Vec<usize> {
        let mut roots: Vec<usize> =
            (0..self.calls.len()).filter(|call| self.calls[*call].caller.is_none()).collect();
        sort(&mut roots, &self.calls);
        roots
    }

    /// Folded stacks, with a line `outermost;…;innermost count` each, for flame graph tools.
    pub fn folded(&self) -> String {
        let mut lines: BTreeMap<String, u64> = BTreeMap::new();
        for (index, call) in self.calls.iter().enumerate().filter(|(_, call)| call.own() > 0) {
            let names = self.stack(index).into_iter().rev();
            let names: Vec<String> =
                names.map(|at| folded::frame(&self.calls[at].function)).collect();
            *lines.entry(names.join(";")).or_default() += call.own();
        }
        lines.iter().fold(String::new(), |mut text, (stack, count)| {
            let _ = writeln!(text, "{stack} {count}");
            text
        })
    }

    /// A call and its callers, the innermost first.
    fn stack(&self, call: usize) -> Vec<usize> {
        std::iter::successors(Some(call), |call| self.calls[*call].caller).collect()
    }

    /// The functions, in descending order of the samples with those of the functions that they called.
    pub fn functions(&self) -> Vec<FunctionCalls> {
        let mut functions: Vec<FunctionCalls> =
            self.sums().into_iter().map(|(name, sums)| self.function(name, &sums)).collect();
        functions.sort_by(|a, b| {
            let names = || (&a.function, &a.module).cmp(&(&b.function, &b.module));
            b.whole.cmp(&a.whole).then(b.own.cmp(&a.own)).then_with(names)
        });
        functions
    }

    fn sums(&self) -> HashMap<(&str, Option<&str>), Sums<'_>> {
        let name = |at: usize| {
            let Call { function, module, .. } = &self.calls[at];
            (function.as_str(), module.as_deref())
        };
        let mut all: HashMap<(&str, Option<&str>), Sums<'_>> = HashMap::new();
        for (index, call) in self.calls.iter().enumerate() {
            let sums = all.entry(name(index)).or_default();
            sums.own.add(call.own.count, call.own.squares);
            sums.is_called |= !call.inlined;
            for callee in &call.callees {
                *sums.callees.entry(name(*callee)).or_default() += self.calls[*callee].whole.count;
            }
            // A function that called itself has its samples already.
            let is_same = |at: &usize| name(*at) == name(index);
            if !self.stack(index).iter().skip(1).any(is_same) {
                sums.whole.add(call.whole.count, call.whole.squares);
            }
        }
        all
    }

    fn function(&self, (function, module): (&str, Option<&str>), sums: &Sums<'_>) -> FunctionCalls {
        let most = sums.callees.values().max().copied().unwrap_or(0);
        FunctionCalls {
            function: function.to_string(),
            module: module.map(str::to_string),
            inlined: !sums.is_called,
            passes_on: sums.own.count == 0 && most as f64 >= NEARLY_ALL * sums.whole.count as f64,
            own: sums.own.count,
            own_percent: sums.own.part_of(&self.total),
            whole: sums.whole.count,
            whole_percent: sums.whole.part_of(&self.total),
        }
    }

    /// The tree of the callers of the functions whose names are wanted, turned around: a function is the outermost frame, and its callers are below it.
    ///
    /// Each sample is counted once, for the outermost call of such a function. `None` if none is in a stack.
    pub fn callers(&self, is_wanted: impl Fn(&str) -> bool) -> Option<CallTree> {
        self.around(is_wanted, |stack, at| stack[at..].to_vec())
    }

    /// The tree of what the functions call whose names are wanted, each sample once.
    pub fn callees(&self, is_wanted: impl Fn(&str) -> bool) -> Option<CallTree> {
        self.around(is_wanted, |stack, at| stack[..=at].iter().rev().copied().collect())
    }

    /// The tree of the parts of those stacks that contain a wanted function, which `part` returns for a stack and the place of the outermost call in it.
    fn around(
        &self,
        is_wanted: impl Fn(&str) -> bool,
        part: impl Fn(&[usize], usize) -> Vec<usize>,
    ) -> Option<CallTree> {
        let mut builder = Builder::default();
        for (index, call) in self.calls.iter().enumerate().filter(|(_, call)| call.own() > 0) {
            let stack = self.stack(index);
            let at = stack.iter().rposition(|at| is_wanted(&self.calls[*at].function));
            let Some(at) = at else { continue };
            let mut to = None;
            for at in part(&stack, at) {
                to = Some(builder.call(to, &self.calls[at].name()));
            }
            builder.count(to, call.own);
        }
        (!builder.calls.is_empty()).then(|| builder.finish(Some(self.total)))
    }
}

#[derive(Default)]
struct Builder {
    calls: Vec<Call>,
    known: HashMap<(Option<usize>, Name), usize>,
}

impl Builder {
    fn call(&mut self, caller: Option<usize>, name: &Name) -> usize {
        if let Some(call) = self.known.get(&(caller, name.clone())) {
            return *call;
        }
        let Name { function, module, inlined } = name.clone();
        let (callees, own, whole) = (Vec::new(), Sum::default(), Sum::default());
        self.calls.push(Call { function, module, inlined, caller, callees, own, whole });
        self.known.insert((caller, name.clone()), self.calls.len() - 1);
        self.calls.len() - 1
    }

    fn count(&mut self, call: Option<usize>, sum: Sum) {
        if let Some(call) = call {
            self.calls[call].own.add(sum.count, sum.squares);
        }
    }

    /// Adds samples for whose stacks there was no room.
    fn count_beyond(&mut self, count: u64, squares: u64) {
        if count > 0 {
            let name = Name { function: BEYOND.to_string(), module: None, inlined: false };
            let call = self.call(None, &name);
            self.count(Some(call), Sum { count, squares });
        }
    }

    /// Adds up what each call has with those below it; the total is that of this tree, or that of the tree of which it is a part.
    fn finish(mut self, total: Option<Sum>) -> CallTree {
        let mut all = Sum::default();
        for index in (0..self.calls.len()).rev() {
            let Call { own, mut whole, caller, .. } = self.calls[index];
            whole.add(own.count, own.squares);
            self.calls[index].whole = whole;
            match caller {
                Some(caller) => {
                    self.calls[caller].whole.add(whole.count, whole.squares);
                    self.calls[caller].callees.push(index);
                }
                None => all.add(whole.count, whole.squares),
            }
        }
        for index in 0..self.calls.len() {
            let mut callees = std::mem::take(&mut self.calls[index].callees);
            sort(&mut callees, &self.calls);
            self.calls[index].callees = callees;
        }
        CallTree { calls: self.calls, total: total.unwrap_or(all) }
    }
}

/// The call with the most samples first.
fn sort(indexes: &mut [usize], calls: &[Call]) {
    indexes.sort_by(|a, b| {
        let (a, b) = (&calls[*a], &calls[*b]);
        b.whole.count.cmp(&a.whole.count).then_with(|| a.function.cmp(&b.function))
    });
}
