//! Kernels of what the kernel of the system counts.

use crate::memory::{Memory, page};
use crate::{Kernel, Quantity};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, getppid};
use std::hint::black_box;
use std::io;
use std::time::Duration;

/// The CPU time of a turn of `cpu-time`.
const TURN: Duration = Duration::from_micros(10);
const SLEEP: Duration = Duration::from_micros(50);

pub(crate) fn kernels() -> Vec<Kernel> {
    let mut kernels = vec![faults(), sleeps(), cpu_time(), calls()];
    kernels.extend(migrations());
    kernels
}

fn faults() -> Kernel {
    let run = |turns: u64| {
        let words = page() / size_of::<usize>();
        let pages = usize::try_from(turns).map_err(io::Error::other)?;
        let mut memory = Memory::new(pages.checked_mul(page()).ok_or(io::ErrorKind::OutOfMemory)?)?;
        memory.words().iter_mut().step_by(words).for_each(|word| *word = 1);
        black_box(&mut memory);
        Ok(())
    };
    Kernel::new("faults", "writes to pages that are new", 2_000, run)
        .expects(Quantity::PageFaults, 1)
}

fn sleeps() -> Kernel {
    let run = |turns| {
        (0..turns).for_each(|_| std::thread::sleep(SLEEP));
        Ok(())
    };
    let why = "another thread may take the CPU away in between";
    Kernel::new("sleeps", "sleeps for 50 µs", 200, run).expects_about(
        Quantity::ContextSwitches,
        1,
        0.02,
        why,
    )
}

fn cpu_time() -> Kernel {
    let run = |turns: u64| {
        let turns = u32::try_from(turns).unwrap_or(u32::MAX);
        let now = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from);
        let end = now()? + TURN * turns;
        while now()? < end {}
        Ok(())
    };
    let why = "the clock is read at the end of a system call, and the event is stopped after it";
    let nanoseconds = TURN.subsec_nanos();
    Kernel::new("cpu-time", "is busy for 10 µs of CPU time", 1_000, run).expects_about(
        Quantity::CpuTime,
        nanoseconds,
        0.01,
        why,
    )
}

fn calls() -> Kernel {
    let run = |turns| {
        for _ in 0..turns {
            black_box(getppid());
        }
        Ok(())
    };
    Kernel::new("calls", "asks for the id of the parent process", 10_000, run)
        .expects(Quantity::SystemCalls, 1)
}

/// Moves this thread between two of its CPUs; `None` if it has one only.
fn migrations() -> Option<Kernel> {
    let this = Pid::from_raw(0);
    let allowed = sched_getaffinity(this).ok()?;
    let mut cpus =
        (0..CpuSet::count()).filter(|cpu| allowed.is_set(*cpu).unwrap_or(false)).map(one);
    let pair = [cpus.next()?.ok()?, cpus.next()?.ok()?];
    let run = move |turns: u64| {
        // Where it begins, the turn 0 is no move.
        let allowed = sched_getaffinity(this)?;
        sched_setaffinity(this, &pair[0])?;
        for turn in 1..=turns {
            sched_setaffinity(this, &pair[(turn % 2) as usize])?;
        }
        sched_setaffinity(this, &allowed)?;
        Ok(())
    };
    let why = "the scheduler may move the thread once more before and after";
    let kernel = Kernel::new("migrations", "moves to another CPU", 200, run);
    Some(kernel.expects_about(Quantity::Migrations, 1, 0.02, why))
}

/// The set of one CPU.
fn one(cpu: usize) -> nix::Result<CpuSet> {
    let mut set = CpuSet::new();
    set.set(cpu)?;
    Ok(set)
}
