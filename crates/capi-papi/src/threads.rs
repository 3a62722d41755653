//! The threads that programs announce, their ids, and the pointers that they keep.

use std::ffi::{c_int, c_ulong};
use std::sync::atomic::{AtomicI32, Ordering};

use counterpoint_capi::Current;

use crate::claim::Claimed;
use crate::codes::{EBUF, EINVAL, EMISC, Failed};

/// The function by which the program numbers its threads.
pub type NumberThread = extern "C" fn() -> c_ulong;

static NUMBER: Current<NumberThread> = Current::none();
static SHARED: Current<Shared> = Current::none();

/// The data that the threads of a process share. A process that was forked makes its own, because threads that it does not have may be
/// using that of its parent.
#[derive(Debug)]
struct Shared {
    process: u32,
    /// The threads that are known, with the pointers that each keeps: those of the user, and the one of the high level.
    known: Claimed<Vec<(c_ulong, [usize; 4])>>,
    /// The locks of `PAPI_lock`.
    locks: [AtomicI32; 2],
}

impl Shared {
    fn get() -> &'static Shared {
        SHARED.get().unwrap_or_else(|| Shared::put(None, std::process::id()))
    }

    /// Puts a new one where `old` is, unless another thread was quicker; what is there then.
    fn put(old: Option<&'static Shared>, process: u32) -> &'static Shared {
        let locks = [const { AtomicI32::new(0) }; 2];
        let known = Claimed::new(Vec::new());
        SHARED.put(old, Box::new(Shared { process, known, locks }))
    }
}

/// The number that the kernel gives this thread. It is asked for each time: a thread that was forked has another one.
pub(crate) fn kernel_id() -> u32 {
    nix::unistd::gettid().as_raw() as u32
}

/// Forgets the threads of the process from which this one was forked.
pub(crate) fn forget_all(process: u32) {
    let old = SHARED.get();
    if old.is_some_and(|old| old.process != process) {
        Shared::put(old, process);
    }
}

/// Has threads numbered by a function of the program.
pub(crate) fn number_by(function: NumberThread) -> Result<(), Failed> {
    if NUMBER.get() != Some(&function) {
        // It is kept, because a handler of overflows may be about to call the one before.
        NUMBER.set(Some(Box::leak(Box::new(function))));
    }
    register()
}

/// The number of this thread, if the program said how to find it.
pub(crate) fn number() -> Result<c_ulong, Failed> {
    NUMBER.get().map(|function| function()).ok_or(EMISC)
}

fn number_or_kernel_id() -> c_ulong {
    number().unwrap_or_else(|_| c_ulong::from(kernel_id()))
}

/// Announces this thread.
pub(crate) fn register() -> Result<(), Failed> {
    let number = number_or_kernel_id();
    let mut known = Shared::get().known.claim()?;
    if !known.iter().any(|(own, _)| *own == number) {
        known.push((number, [0; 4]));
    }
    Ok(())
}

/// Forgets this thread.
pub(crate) fn unregister() -> Result<(), Failed> {
    let number = number_or_kernel_id();
    Shared::get().known.claim()?.retain(|(own, _)| *own != number);
    Ok(())
}

/// The numbers of the threads that are known.
pub(crate) fn numbers() -> Result<Vec<c_ulong>, Failed> {
    register()?;
    Ok(Shared::get().known.claim()?.iter().map(|(number, _)| *number).collect())
}

/// Keeps a pointer of this thread.
pub(crate) fn set_pointer(tag: usize, pointer: usize) -> Result<(), Failed> {
    register()?;
    let number = number_or_kernel_id();
    let mut known = Shared::get().known.claim()?;
    let own = known.iter_mut().find(|(own, _)| *own == number).ok_or(EMISC)?;
    *own.1.get_mut(tag).filter(|_| tag < 3).ok_or(EINVAL)? = pointer;
    Ok(())
}

/// The pointer that this thread keeps.
pub(crate) fn pointer(tag: usize) -> Result<usize, Failed> {
    let number = number_or_kernel_id();
    let known = Shared::get().known.claim()?;
    let pointers = known.iter().find(|(own, _)| *own == number).map_or([0; 4], |(_, own)| *own);
    pointers.get(tag).filter(|_| tag < 3).copied().ok_or(EINVAL)
}

/// The pointers that all threads keep, at most so many, with the threads' numbers.
pub(crate) fn pointers(tag: usize, most: usize) -> Result<Vec<(c_ulong, usize)>, Failed> {
    let known = Shared::get().known.claim()?;
    if known.len() > most {
        return Err(EBUF);
    }
    let one = |(number, own): &(c_ulong, [usize; 4])| Some((*number, *own.get(tag)?));
    known.iter().map(one).collect::<Option<_>>().ok_or(EINVAL)
}

/// Waits for one of the locks of users. Locks beyond them are the library's own, and are not given out.
pub(crate) fn lock(number: c_int) -> Result<(), Failed> {
    let lock = lock_of(number)?;
    while lock.swap(1, Ordering::Acquire) != 0 {
        std::thread::yield_now();
    }
    Ok(())
}

/// Gives a lock back.
pub(crate) fn unlock(number: c_int) -> Result<(), Failed> {
    lock_of(number)?.store(0, Ordering::Release);
    Ok(())
}

fn lock_of(number: c_int) -> Result<&'static AtomicI32, Failed> {
    let number = usize::try_from(number).map_err(|_| EINVAL)?;
    Shared::get().locks.get(number).ok_or(EINVAL)
}

/// The CPU that this thread runs on.
pub(crate) fn cpu() -> u32 {
    nix::sched::sched_getcpu().ok().and_then(|cpu| u32::try_from(cpu).ok()).unwrap_or(0)
}
