//! Counts the instructions of each loop without a PMU: a child runs it, and its parent executes it step by step.

use counterpoint_kernels::{BranchLoop, Cache, Kernel, Quantity, kernels};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, fork};
use std::collections::HashMap;

const CACHES: [Cache; 2] =
    [Cache { level: 1, bytes: 4 << 10, line: 64 }, Cache { level: 2, bytes: 64 << 10, line: 64 }];

#[test]
fn each_loop_has_as_many_instructions_as_it_says() {
    let mut checked = 0;
    for kernel in &mut kernels(&CACHES) {
        let Some(expected) = kernel.expected(Quantity::Instructions) else { continue };
        // Takes the memory, which is not part of a turn.
        kernel.run(1).unwrap();
        let [few, many] = [20, 60].map(|turns| steps(|| drop(kernel.run(turns))));
        let (few, many) = match (few, many) {
            (Ok(few), Ok(many)) => (few, many),
            (Err(error), _) | (_, Err(error)) => {
                return println!("skipped: a process cannot be traced here: {error}");
            }
        };
        assert_eq!(many.instructions - few.instructions, expected.of(40), "{kernel:?}");
        compare(kernel, &few, &many);
        checked += 1;
    }
    if checked == 0 {
        println!("skipped: this architecture has no loops in assembly");
    }
}

/// Each instruction of the loop is one more from the branch than the one before it.
#[test]
fn a_skid_is_the_number_of_instructions_behind_the_branch() {
    let Some(code) = BranchLoop::new() else {
        return println!("skipped: this architecture has no loops in assembly");
    };
    let (few, many) = match (steps(|| code.run(2)), steps(|| code.run(4))) {
        (Ok(few), Ok(many)) => (few, many),
        (Err(error), _) | (_, Err(error)) => {
            return println!("skipped: a process cannot be traced here: {error}");
        }
    };
    assert_eq!(many.instructions - few.instructions, 2 * code.instructions());
    let skids: Vec<u64> = many.addresses.iter().filter_map(|at| code.skid(*at)).collect();
    let expected: Vec<u64> =
        (1..=4 * code.instructions()).map(|n| n % code.instructions()).collect();
    // Elsewhere, addresses are not read.
    assert!(skids == expected || many.addresses.is_empty() && cfg!(not(target_arch = "x86_64")));
}

/// The branches, loads and stores among the instructions, by their codes.
#[cfg(target_arch = "x86_64")]
fn compare(kernel: &Kernel, few: &Steps, many: &Steps) {
    use Quantity::{Branches, ConditionalBranches, Loads, Stores, TakenBranches};
    let mut compared = 0;
    for quantity in [Branches, ConditionalBranches, TakenBranches, Loads, Stores] {
        let Some(expected) = kernel.expected(quantity) else { continue };
        let counted = many.of(quantity) - few.of(quantity);
        assert_eq!(counted, expected.of(40), "{quantity:?}: {kernel:?}");
        compared += 1;
    }
    let fp = ["singles", "doubles", "doubles-128", "doubles-256", "doubles-512", "atomics"];
    assert_eq!(compared == 0, fp.contains(&kernel.name()), "{kernel:?}");
}

#[cfg(not(target_arch = "x86_64"))]
fn compare(_: &Kernel, few: &Steps, many: &Steps) {
    // Elsewhere the codes are not decoded.
    assert!(few.kinds.is_empty() && many.kinds.is_empty());
}

/// What a child executed.
#[derive(Debug, Default)]
struct Steps {
    instructions: u64,
    addresses: Vec<u64>,
    kinds: HashMap<Quantity, u64>,
}

#[cfg(target_arch = "x86_64")]
impl Steps {
    fn of(&self, quantity: Quantity) -> u64 {
        self.kinds.get(&quantity).copied().unwrap_or_default()
    }
}

/// Runs code in a child, which stops before and after it, and executes every instruction in between as a step.
#[allow(unsafe_code, reason = "fork")]
fn steps(code: impl FnOnce()) -> nix::Result<Steps> {
    // SAFETY: the child calls a kernel, which takes no memory after its first run, and functions that a child may call.
    match unsafe { fork() }? {
        ForkResult::Child => {
            let run = || -> nix::Result<()> {
                ptrace::traceme()?;
                raise(Signal::SIGSTOP)?;
                code();
                raise(Signal::SIGSTOP)
            };
            let status = i32::from(run().is_err());
            // SAFETY: nothing of this copy of the test program is to run at its end.
            unsafe { nix::libc::_exit(status) }
        }
        ForkResult::Parent { child } => {
            let steps = follow(child);
            let _ = ptrace::kill(child);
            let _ = waitpid(child, None);
            steps
        }
    }
}

fn follow(child: Pid) -> nix::Result<Steps> {
    let mut steps = Steps::default();
    let stopped = waitpid(child, None)?;
    if stopped != WaitStatus::Stopped(child, Signal::SIGSTOP) {
        return Err(nix::errno::Errno::EPERM);
    }
    loop {
        let before = executed(child)?;
        ptrace::step(child, None)?;
        match waitpid(child, None)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                steps.instructions += 1;
                count(&mut steps, before, executed(child)?);
            }
            WaitStatus::Stopped(_, Signal::SIGSTOP) => return Ok(steps),
            other => panic!("{other:?}"),
        }
    }
}

#[cfg(target_arch = "x86_64")]
use x86::{count, executed};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Steps;
    use counterpoint_kernels::Quantity;
    use iced_x86::{
        Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess,
    };
    use nix::sys::ptrace;
    use nix::unistd::Pid;

    /// The instruction that a process executes next.
    pub(super) fn executed(child: Pid) -> nix::Result<Instruction> {
        let at = ptrace::getregs(child)?.rip;
        let words = [at, at + 8].map(|address| ptrace::read(child, address as ptrace::AddressType));
        let mut code = Vec::new();
        for word in words {
            code.extend(word?.to_ne_bytes());
        }
        Ok(Decoder::with_ip(64, &code, at, DecoderOptions::NONE).decode())
    }

    /// Counts an instruction by its kind, now that the next one is known.
    pub(super) fn count(steps: &mut Steps, done: Instruction, next: Instruction) {
        steps.addresses.push(done.ip());
        let mut add = |quantity| *steps.kinds.entry(quantity).or_default() += 1;
        let is_conditional = done.flow_control() == FlowControl::ConditionalBranch;
        if is_conditional || done.flow_control() == FlowControl::UnconditionalBranch {
            add(Quantity::Branches);
            if is_conditional {
                add(Quantity::ConditionalBranches);
            }
            if next.ip() != done.next_ip() {
                add(Quantity::TakenBranches);
            }
        }
        let mut factory = InstructionInfoFactory::new();
        for memory in factory.info(&done).used_memory() {
            match memory.access() {
                OpAccess::Read => add(Quantity::Loads),
                OpAccess::Write => add(Quantity::Stores),
                _ => {}
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn executed(_: Pid) -> nix::Result<()> {
    Ok(())
}

#[cfg(not(target_arch = "x86_64"))]
fn count(_: &mut Steps, _: (), _: ()) {}
