//! The tree of calls of a profile, with its tables.

use super::functions::Sum;
use super::table::{more, plain};
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
    /// The samples of the function itself.
    pub own: u64,
    /// Their share of all samples, in percent, and its standard error.
    pub own_percent: (f64, f64),
    /// The samples of the function and of those that it called, each once, even if it called itself.
    pub whole: u64,
    /// Their share of all samples, in percent, and its standard error.
    pub whole_percent: (f64, f64),
}

/// A function and its module.
type Name = (String, Option<String>);

/// The share in percent below which [`CallTree::table`] leaves out a call.
const LEAST: f64 = 0.5;

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
}

impl CallTree {
    /// The stacks, with the functions that `names` returns for the address of a frame: functions that were inlined there, the innermost first, and at last the function that has the address.
    pub fn new(stacks: &Stacks, names: &dyn Fn(u64) -> Vec<Symbol>) -> CallTree {
        let mut builder = Builder::default();
        let mut named: HashMap<u64, Vec<Name>> = HashMap::new();
        // The call of each frame.
        let mut calls: Vec<Option<usize>> = Vec::new();
        for frame in stacks.frames() {
            let functions = named.entry(frame.address).or_insert_with(|| {
                let name = |symbol: Symbol| (symbol.function, symbol.module);
                names(frame.address).into_iter().map(name).collect()
            });
            let mut call = frame.caller.and_then(|caller| calls[caller]);
            for name in functions.iter().rev() {
                call = Some(builder.call(call, name));
            }
            builder.count(call, Sum { count: frame.count, squares: frame.squares });
            calls.push(call);
        }
        let (count, squares) = stacks.beyond();
        if count > 0 {
            let call = builder.call(None, &(BEYOND.to_string(), None));
            builder.count(Some(call), Sum { count, squares });
        }
        builder.finish(None)
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
        let mut sums: HashMap<(&str, Option<&str>), [Sum; 2]> = HashMap::new();
        for (index, call) in self.calls.iter().enumerate() {
            let name = (call.function.as_str(), call.module.as_deref());
            let [own, whole] = sums.entry(name).or_default();
            own.add(call.own.count, call.own.squares);
            let is_same = |at: &usize| {
                (self.calls[*at].function.as_str(), self.calls[*at].module.as_deref()) == name
            };
            // A function that called itself has its samples already.
            if !self.stack(index).iter().skip(1).any(is_same) {
                whole.add(call.whole.count, call.whole.squares);
            }
        }
        let function =
            |((function, module), [own, whole]): ((&str, Option<&str>), [Sum; 2])| FunctionCalls {
                function: function.to_string(),
                module: module.map(str::to_string),
                own: own.count,
                own_percent: own.part_of(&self.total),
                whole: whole.count,
                whole_percent: whole.part_of(&self.total),
            };
        let mut functions: Vec<FunctionCalls> = sums.into_iter().map(function).collect();
        functions.sort_by(|a, b| {
            let names = || (&a.function, &a.module).cmp(&(&b.function, &b.module));
            b.whole.cmp(&a.whole).then(b.own.cmp(&a.own)).then_with(names)
        });
        functions
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
                let name = (self.calls[at].function.clone(), self.calls[at].module.clone());
                to = Some(builder.call(to, &name));
            }
            builder.count(to, call.own);
        }
        (!builder.calls.is_empty()).then(|| builder.finish(Some(self.total)))
    }

    /// A text table of the functions: shares of the function itself, and with the functions that it called, with their standard errors; `unit` is what the counts are, such as `samples`.
    pub fn table_of_functions(&self, rows: usize, unit: &str) -> String {
        let functions = self.functions();
        let width = self.total.count.to_string().len().max(unit.len());
        let mut text = format!("\n   self   error  children   error  {unit:>width$}  function\n");
        for of in functions.iter().take(rows) {
            let ((own, own_error), (whole, error)) = (of.own_percent, of.whole_percent);
            let name = plain(&of.function);
            let module = of.module.as_deref().map(|module| format!("  {}", plain(module)));
            let module = module.unwrap_or_default();
            let count = of.whole;
            let _ = writeln!(
                text,
                "{own:>6.2}%  ±{own_error:>4.2}%   {whole:>6.2}%  ±{error:>4.2}%  {count:>width$}  {name}{module}"
            );
        }
        more(&mut text, functions.len(), rows, "function");
        text
    }

    /// A text table of the tree, of which each call is indented below the one above it; calls with less than 0.5 % of the total are left out; `unit` is what the counts are, such as `samples`.
    pub fn table(&self, unit: &str) -> String {
        let width = self.total.count.to_string().len().max(unit.len());
        let mut text = format!("   part   error  {unit:>width$}  function\n");
        let mut left: Vec<(usize, usize)> =
            self.roots().into_iter().rev().map(|root| (root, 0)).collect();
        let mut hidden = 0;
        while let Some((index, depth)) = left.pop() {
            let call = &self.calls[index];
            let (percent, error) = call.whole.part_of(&self.total);
            if percent < LEAST {
                hidden += 1;
                continue;
            }
            let name = plain(&call.function);
            let module = call.module.as_deref().map(|module| format!("  {}", plain(module)));
            let (module, count) = (module.unwrap_or_default(), call.whole.count);
            let _ = writeln!(
                text,
                "{percent:>6.2}%  ±{error:>4.2}%  {count:>width$}  {:indent$}{name}{module}",
                "",
                indent = 2 * depth
            );
            left.extend(call.callees.iter().rev().map(|callee| (*callee, depth + 1)));
        }
        if hidden > 0 {
            let _ = writeln!(text, "        … and {hidden} with less than {LEAST} %");
        }
        text
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
        let (function, module) = name.clone();
        let (callees, own, whole) = (Vec::new(), Sum::default(), Sum::default());
        self.calls.push(Call { function, module, caller, callees, own, whole });
        self.known.insert((caller, name.clone()), self.calls.len() - 1);
        self.calls.len() - 1
    }

    fn count(&mut self, call: Option<usize>, sum: Sum) {
        if let Some(call) = call {
            self.calls[call].own.add(sum.count, sum.squares);
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
