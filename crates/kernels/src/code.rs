//! The kernels whose loops are assembly.

use crate::Kernel;
#[cfg(assembly)]
use crate::Quantity;
#[cfg(assembly)]
use crate::isa::{CODE, Code, Line};

const TURNS: u64 = 100_000;
/// Operations that are unrolled in a turn.
const UNROLLED: u32 = 8;

const INTERRUPTS: (f64, &str) =
    (0.0001, "some processors count the return from an interrupt as an instruction and a branch");
const SPECULATION: (f64, &str) =
    (0.01, "some processors count what is done on a path that was predicted wrongly");
const CHANCE: (f64, &str) =
    (0.03, "a branch that is taken by chance is predicted wrongly about every second time");

#[cfg(not(assembly))]
pub(crate) fn kernels() -> Vec<Kernel> {
    Vec::new()
}

#[cfg(assembly)]
pub(crate) fn kernels() -> Vec<Kernel> {
    let mut kernels = vec![integers(), branches(), coin()];
    kernels.push(memory("loads", "loads eight words of one line", Quantity::Loads, CODE.loads));
    kernels.push(memory("stores", "stores eight words of one line", Quantity::Stores, CODE.stores));
    if let Some(code) = (CODE.atomics)() {
        kernels.push(memory("atomics", "adds atomically to one word", Quantity::Atomics, code));
    }
    kernels.push(floats("singles", "adds eight single-precision numbers", CODE.singles, true, 1));
    kernels.push(floats("doubles", "adds eight double-precision numbers", CODE.doubles, false, 1));
    for (bits, code) in (CODE.vectors)() {
        let (name, about) = match bits {
            128 => ("doubles-128", "adds eight vectors of two double-precision numbers"),
            256 => ("doubles-256", "adds eight vectors of four double-precision numbers"),
            _ => ("doubles-512", "adds eight vectors of eight double-precision numbers"),
        };
        let vectors = floats(name, about, code, false, bits / 64);
        kernels.push(vectors.expects_about(
            Quantity::VectorDoubles,
            UNROLLED,
            SPECULATION.0,
            SPECULATION.1,
        ));
    }
    kernels
}

#[cfg(assembly)]
impl Kernel {
    /// A loop, with its instructions.
    fn of(name: &'static str, about: &'static str, code: Code) -> Kernel {
        let mut line = Line([0; 8]);
        let run = move |turns| {
            (code.run)(turns, &mut line);
            Ok(())
        };
        let kernel = Kernel::new(name, about, TURNS, run);
        kernel.retires(Quantity::Instructions, code.instructions)
    }

    fn retires(self, quantity: Quantity, each_turn: u32) -> Kernel {
        self.expects_about(quantity, each_turn, INTERRUPTS.0, INTERRUPTS.1)
    }
}

#[cfg(assembly)]
fn integers() -> Kernel {
    Kernel::of("integers", "adds eight integers", CODE.integers)
        .retires(Quantity::Branches, 1)
        .retires(Quantity::ConditionalBranches, 1)
        .retires(Quantity::TakenBranches, 1)
}

/// Four branches are never taken, and the one of the loop always is.
#[cfg(assembly)]
fn branches() -> Kernel {
    Kernel::of("branches", "passes four branches that are never taken", CODE.branches)
        .retires(Quantity::Branches, 5)
        .retires(Quantity::ConditionalBranches, 5)
        .retires(Quantity::TakenBranches, 1)
}

/// Two branches depend on the highest bit of a random number: each is predicted wrongly every second time.
#[cfg(assembly)]
fn coin() -> Kernel {
    Kernel::of("coin", "passes two branches that are taken by chance", CODE.coin)
        .retires(Quantity::Branches, 5)
        .retires(Quantity::ConditionalBranches, 3)
        .expects_about(Quantity::BranchMisses, 1, CHANCE.0, CHANCE.1)
}

#[cfg(assembly)]
fn memory(name: &'static str, about: &'static str, quantity: Quantity, code: Code) -> Kernel {
    let each_turn = if quantity == Quantity::Atomics { UNROLLED / 2 } else { UNROLLED };
    Kernel::of(name, about, code).expects_about(quantity, each_turn, SPECULATION.0, SPECULATION.1)
}

#[cfg(assembly)]
fn floats(
    name: &'static str,
    about: &'static str,
    code: Code,
    single: bool,
    elements: u32,
) -> Kernel {
    let precision = if single { Quantity::SingleOperations } else { Quantity::DoubleOperations };
    let operations = UNROLLED * elements;
    [precision, Quantity::FpOperations]
        .into_iter()
        .fold(Kernel::of(name, about, code), |kernel, quantity| {
            kernel.expects_about(quantity, operations, SPECULATION.0, SPECULATION.1)
        })
}
