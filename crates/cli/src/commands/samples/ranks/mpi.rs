//! The samples below calls of MPI.

use super::Ranks;
use counterpoint::profil::write::Symbol;
use counterpoint::profile::{CallStacks, Symbols};
use std::collections::{BTreeMap, HashMap};

/// The samples below calls of MPI, each in the outermost one of its stack.
pub struct Mpi {
    /// The one with the most samples first.
    pub calls: Vec<Call>,
    pub count: u64,
    /// Of each frame of the stacks, whether it is one of them or below one.
    are_below: Vec<bool>,
}

/// The samples below a function of MPI.
pub struct Call {
    pub function: String,
    pub count: u64,
    /// Those of each function that called it, the one with the most samples first; `None` where the stack ends.
    pub callers: Vec<(Option<String>, u64)>,
}

impl Mpi {
    /// `None` if no stack has such a call.
    pub fn of(stacks: &CallStacks, symbols: &Symbols<'_>) -> Option<Mpi> {
        let frames = stacks.stacks.frames();
        let mut names: HashMap<u64, Vec<Symbol>> = HashMap::new();
        let mut calls: Vec<Option<(String, Option<String>)>> = Vec::with_capacity(frames.len());
        let mut counts: BTreeMap<(String, Option<String>), u64> = BTreeMap::new();
        for frame in frames {
            // A frame is after its caller.
            let outer = frame.caller.and_then(|caller| calls[caller].clone());
            let call = outer.or_else(|| {
                let (function, caller) = call_of(named(&mut names, symbols, frame.address))?;
                let mut callers = std::iter::successors(frame.caller, |at| frames[*at].caller);
                // Functions for Fortran are in a library of their own, and call those for C.
                let caller = caller.or_else(|| {
                    callers.find_map(|at| {
                        let functions = named(&mut names, symbols, frames[at].address);
                        functions.iter().find(|of| !is_of_library(of)).map(|of| of.function.clone())
                    })
                });
                Some((function, caller))
            });
            if let Some(call) = call.as_ref().filter(|_| frame.count > 0) {
                *counts.entry(call.clone()).or_default() += frame.count;
            }
            calls.push(call);
        }
        let are_below = calls.iter().map(Option::is_some).collect();
        let mut by_function: BTreeMap<String, Call> = BTreeMap::new();
        for ((function, caller), count) in counts {
            let empty = Call { function: function.clone(), count: 0, callers: Vec::new() };
            let call = by_function.entry(function).or_insert(empty);
            call.count += count;
            call.callers.push((caller, count));
        }
        let mut calls: Vec<Call> = by_function.into_values().collect();
        calls.sort_by_key(|call| std::cmp::Reverse(call.count));
        for call in &mut calls {
            call.callers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        }
        let count = calls.iter().map(|call| call.count).sum();
        (count > 0).then_some(Mpi { calls, count, are_below })
    }

    /// The samples of each recording; `None` if they are not known by thread.
    pub fn by_recording(&self, stacks: &CallStacks, ranks: &Ranks<'_>) -> Option<Vec<u64>> {
        let times = stacks.times.as_ref()?;
        let mut counts = vec![0; ranks.all().len()];
        for of in &times.counts {
            let (pid, _) = times.threads[of.thread as usize];
            let is_below = self.are_below.get(of.frame as usize).copied().unwrap_or(false);
            if let Some(recording) = ranks.recording(pid).filter(|_| is_below) {
                counts[recording] += of.count;
            }
        }
        Some(counts)
    }
}

fn named<'n>(
    names: &'n mut HashMap<u64, Vec<Symbol>>,
    symbols: &Symbols<'_>,
    address: u64,
) -> &'n [Symbol] {
    names.entry(address).or_insert_with(|| symbols.frames(address))
}

/// The outermost function of MPI among those of a frame, the innermost first, and the function there that called it.
fn call_of(functions: &[Symbol]) -> Option<(String, Option<String>)> {
    let at = functions.iter().rposition(|function| mpi_name(function).is_some())?;
    let caller = functions.get(at + 1).map(|of| of.function.clone());
    Some((mpi_name(&functions[at])?.to_string(), caller))
}

/// The name of a function of MPI, in C or in Fortran, without what tells its profiling twin and its stub apart; functions of programs that are written in small letters are none.
fn mpi_name(symbol: &Symbol) -> Option<&str> {
    let name = symbol.function.strip_suffix("@plt").unwrap_or(&symbol.function);
    let name = name.strip_prefix(['P', 'p']).unwrap_or(name);
    if name.starts_with("MPI_") {
        return Some(name);
    }
    (name.starts_with("mpi_") && name.ends_with('_') && is_of_library(symbol)).then_some(name)
}

/// Returns true for the code of a library of MPI, such as `libmpi.so.40` and `libmpifort.so`.
fn is_of_library(symbol: &Symbol) -> bool {
    let file = symbol.module.as_deref().and_then(|path| path.rsplit('/').next());
    file.is_some_and(|file| file.starts_with("lib") && file.contains("mpi"))
}

#[cfg(test)]
mod tests {
    use super::{call_of, mpi_name};
    use counterpoint::profil::write::Symbol;

    fn symbol(function: &str, module: &str) -> Symbol {
        Symbol { module: Some(module.to_string()), ..Symbol::new(function) }
    }

    #[test]
    fn functions_of_mpi_are_known_in_c_and_in_fortran() {
        for (function, module, name) in [
            ("MPI_Allreduce", "libmpi.so.40", Some("MPI_Allreduce")),
            ("PMPI_Allreduce", "/usr/lib/libmpi.so.40", Some("MPI_Allreduce")),
            ("MPI_Send@plt", "solve", Some("MPI_Send")),
            ("mpi_allreduce_", "/usr/lib/libmpi_mpifh.so.40", Some("mpi_allreduce_")),
            ("pmpi_waitall__", "libmpifort.so", Some("mpi_waitall__")),
            ("mpi_exchange_", "solve", None),
            ("opal_progress", "libopen-pal.so.40", None),
            ("ompi_mpi_init", "libmpi.so.40", None),
        ] {
            assert_eq!(mpi_name(&symbol(function, module)), name, "{function} in {module}");
        }
    }

    #[test]
    fn a_call_is_the_outermost_one_with_the_function_that_calls_it() {
        let [outer, inner] = [("mpi_init_", "libmpi_mpifh.so"), ("MPI_Init", "libmpi.so")]
            .map(|(function, module)| symbol(function, module));
        let solve = symbol("solve", "a.out");
        let found = call_of(&[inner.clone(), outer.clone(), solve]);
        assert_eq!(found, Some(("mpi_init_".to_string(), Some("solve".to_string()))));
        let found = call_of(&[inner, outer]);
        assert_eq!(found, Some(("mpi_init_".to_string(), None)));
        assert_eq!(call_of(&[symbol("main", "a.out")]), None);
    }
}
