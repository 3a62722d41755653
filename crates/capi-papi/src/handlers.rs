//! The signal of overflows, and what is called for it.

#![allow(unsafe_code, reason = "a signal handler is installed, and calls functions of C programs")]

use counterpoint_capi::guarded;
use nix::errno::Errno;
use nix::libc::{self, SIGRTMIN};
use std::ffi::{c_int, c_void};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, Ordering};

use crate::codes::{ENOMEM, Failed};
use crate::interruption;
use crate::profile::Profile;

/// `PAPI_overflow_handler_t`: the event set, the address, a bit for each event, and the context of the signal.
pub type Handler = extern "C" fn(c_int, *mut c_void, i64, *mut c_void);

/// The action at an overflow.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Action {
    Call(Handler),
    Profile(&'static Profile),
}

/// An open event whose overflows are handled. The signal's handler may run at any time, so that all is atomic.
#[derive(Debug)]
struct Entry {
    /// The descriptor that the signal names; -1 if the entry is free, -2 while it is filled.
    file: AtomicI32,
    set: AtomicI32,
    events: AtomicU64,
    handler: AtomicPtr<()>,
    profile: AtomicPtr<Profile>,
}

const FREE: c_int = -1;
const BEING_FILLED: c_int = -2;

static ENTRIES: [Entry; 1024] = [const {
    Entry {
        file: AtomicI32::new(FREE),
        set: AtomicI32::new(0),
        events: AtomicU64::new(0),
        handler: AtomicPtr::new(ptr::null_mut()),
        profile: AtomicPtr::new(ptr::null_mut()),
    }
}; 1024];

/// Ends with its entry.
#[derive(Debug)]
pub(crate) struct Watch(&'static Entry);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.file.store(FREE, Ordering::Release);
    }
}

/// The signal of overflows.
pub(crate) fn signal() -> c_int {
    SIGRTMIN() + 2
}

/// Has an action taken at each signal for an open event.
pub(crate) fn watch(
    file: BorrowedFd<'_>,
    set: c_int,
    events: u64,
    action: Action,
) -> Result<Watch, Failed> {
    install();
    // This thread, which will be interrupted, makes its mark now: a handler must not allocate.
    interruption::is_running();
    let order = Ordering::AcqRel;
    let is_free = |entry: &&Entry| {
        entry.file.compare_exchange(FREE, BEING_FILLED, order, Ordering::Relaxed).is_ok()
    };
    let entry = ENTRIES.iter().find(is_free).ok_or(ENOMEM)?;
    let (handler, profile) = match action {
        Action::Call(handler) => (handler as *mut (), ptr::null_mut()),
        Action::Profile(profile) => (ptr::null_mut(), ptr::from_ref(profile).cast_mut()),
    };
    entry.set.store(set, Ordering::Relaxed);
    entry.events.store(events, Ordering::Relaxed);
    entry.handler.store(handler, Ordering::Relaxed);
    entry.profile.store(profile, Ordering::Relaxed);
    entry.file.store(file.as_raw_fd(), Ordering::Release);
    Ok(Watch(entry))
}

/// Installs the handler, if it is not. Two threads may do so at the same time: it is the same one.
fn install() {
    static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
    if !IS_INSTALLED.load(Ordering::Acquire) {
        let flags = libc::SA_SIGINFO | libc::SA_RESTART;
        // SAFETY: a structure of numbers and pointers, all of which may be zero.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = flags;
        // SAFETY: the handler does only what is allowed in one: atomics, and the functions of the program; the structure is whole.
        unsafe { libc::sigaction(signal(), &action, ptr::null_mut()) };
        IS_INSTALLED.store(true, Ordering::Release);
    }
}

extern "C" fn on_signal(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // The interrupted code may be about to read it.
    let errno = Errno::last_raw();
    interruption::enter();
    let file = descriptor(info);
    let address = program_counter(context);
    for entry in ENTRIES.iter().filter(|entry| entry.file.load(Ordering::Acquire) == file) {
        let profile = entry.profile.load(Ordering::Relaxed);
        // SAFETY: it is null, or was a reference that lasts.
        if let Some(profile) = unsafe { profile.as_ref() } {
            guarded((), || profile.record(address as u64));
        }
        let handler = entry.handler.load(Ordering::Relaxed);
        if !handler.is_null() {
            // SAFETY: `watch` stored a function of this type.
            let handler: Handler = unsafe { std::mem::transmute(handler) };
            let events = entry.events.load(Ordering::Relaxed) as i64;
            handler(entry.set.load(Ordering::Relaxed), address as *mut c_void, events, context);
        }
    }
    interruption::leave();
    Errno::set_raw(errno);
}

/// `si_fd`: in the part of the structure for signals of descriptors, after `long si_band`.
fn descriptor(info: *const libc::siginfo_t) -> c_int {
    if info.is_null() {
        return BEING_FILLED;
    }
    // The three numbers before are followed by the union, which is aligned for pointers.
    let union = (3 * size_of::<c_int>()).next_multiple_of(align_of::<usize>());
    let place = union + size_of::<libc::c_long>();
    // SAFETY: the kernel passes a whole structure, of 128 bytes.
    unsafe { info.cast::<u8>().wrapping_add(place).cast::<c_int>().read_unaligned() }
}

/// The address at which the program was interrupted; 0 where the context of this processor is not known.
fn program_counter(context: *const c_void) -> usize {
    let context = context.cast::<libc::ucontext_t>();
    if context.is_null() {
        return 0;
    }
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the kernel passes the context of the interrupted code.
    return unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] as usize };
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    return unsafe { (*context).uc_mcontext.pc as usize };
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    0
}
