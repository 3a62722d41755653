//! All unsafe code of the project: the system calls that have no safe wrapper.

#![allow(unsafe_code, reason = "the only module that speaks to the kernel in its own terms")]

// 64-bit loads from read-only pages are sound on 64-bit processors; on these two, the crate also knows the registers of the counters.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
mod counter;
mod error;
mod mapping;
mod owner;
mod pages;

#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little")))]
pub(crate) use counter::CounterPage;
pub(crate) use mapping::Mapping;
pub use owner::Owner;
pub(crate) use owner::Thread;

use crate::child::{Ended, Streams};
use crate::commands::{CpuTimes, Usage};
use crate::{Cpuid, Errno, Every, Fields, OpenFailure, OpenRequest, Placement, Sampling, Wakeup};
use error::{check, last_errno};
use nix::libc;
use nix::sys::resource::{Resource, setrlimit};
use perf_event_open_sys::{bindings, ioctls, perf_event_open};
use std::ffi::{CStr, CString, c_char, c_int};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::time::Duration;

pub(crate) fn open(request: &OpenRequest<'_>) -> Result<OwnedFd, OpenFailure> {
    let mut attr = kernel_attr(request);
    let own_size = attr.size;
    let mut flags = bindings::PERF_FLAG_FD_CLOEXEC;
    let (pid, cpu) = match request.placement {
        Placement::ThisThread => (0, -1),
        // 0 would mean the calling thread.
        Placement::Thread(0) => return Err(Errno::ESRCH.into()),
        Placement::Thread(tid) => (number(*tid, Errno::ESRCH)?, -1),
        Placement::ThreadOnCpu { thread: 0, .. } => return Err(Errno::ESRCH.into()),
        Placement::ThreadOnCpu { thread, cpu } => {
            (number(*thread, Errno::ESRCH)?, number(*cpu, Errno::ENODEV)?)
        }
        Placement::Cpu(cpu) => (-1, number(*cpu, Errno::ENODEV)?),
        Placement::Cgroup { directory, cpu } => {
            flags |= bindings::PERF_FLAG_PID_CGROUP;
            (directory.as_raw_fd(), number(*cpu, Errno::ENODEV)?)
        }
    };
    let leader = request.leader.map_or(-1, |fd| fd.as_raw_fd());
    // SAFETY: `attr` is a complete, initialized perf_event_attr that outlives the call, and the kernel may write its size to it; a name whose address it contains, as for kprobes, is only read, with `EFAULT` if the address is invalid.
    // Counting changes no memory of this process except rings and pages mapped for it.
    let fd = unsafe { perf_event_open(&mut attr, pid, cpu, leader, flags.into()) };
    if fd < 0 {
        let known_attr_size = (attr.size != own_size).then_some(attr.size);
        return Err(OpenFailure { errno: last_errno(), known_attr_size });
    }
    // SAFETY: the call succeeded, so `fd` is open and has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Converts a thread or CPU number for the kernel; numbers above `i32::MAX` do not exist.
fn number(n: u32, otherwise: Errno) -> Result<c_int, Errno> {
    c_int::try_from(n).map_err(|_| otherwise)
}

fn kernel_attr(request: &OpenRequest<'_>) -> bindings::perf_event_attr {
    let (from, setup) = (request.attr, request.setup);
    let mut attr = bindings::perf_event_attr {
        size: size_of::<bindings::perf_event_attr>() as u32,
        type_: from.kind,
        config: from.config,
        config3: from.config3,
        config4: from.config4,
        ..Default::default()
    };
    attr.bp_type = from.breakpoint;
    attr.__bindgen_anon_3.config1 = from.config1;
    attr.__bindgen_anon_4.config2 = from.config2;
    attr.set_exclude_user(from.exclude.user.into());
    attr.set_exclude_kernel(from.exclude.kernel.into());
    attr.set_exclude_hv(from.exclude.hv.into());
    attr.set_exclude_idle(from.exclude.idle.into());
    attr.set_exclude_host(from.exclude.host.into());
    attr.set_exclude_guest(from.exclude.guest.into());
    attr.set_precise_ip(from.precise.into());
    attr.set_pinned(from.pinned.into());
    attr.set_exclusive(from.exclusive.into());
    attr.set_inherit(setup.inherit.into());
    attr.set_disabled(setup.disabled.into());
    attr.set_enable_on_exec(setup.enable_on_exec.into());
    let mut format = bindings::PERF_FORMAT_TOTAL_TIME_ENABLED
        | bindings::PERF_FORMAT_TOTAL_TIME_RUNNING
        | bindings::PERF_FORMAT_ID;
    if request.format.group {
        format |= bindings::PERF_FORMAT_GROUP;
    }
    if request.format.lost {
        format |= bindings::PERF_FORMAT_LOST;
    }
    attr.read_format = format.into();
    if let Some(sampling) = &request.sampling {
        set_sampling(&mut attr, sampling, from.every);
    }
    attr
}

/// The bytes of an attribute that all kernels and tools know: up to `sample_max_stack`.
const KNOWN_TO_ALL: usize = 112;

/// The bytes of the attribute of a request, to be kept in a file.
pub(crate) fn recorded_attr(request: &OpenRequest<'_>) -> Vec<u8> {
    let mut attr = kernel_attr(request);
    attr.size = KNOWN_TO_ALL as u32;
    // SAFETY: the structure is larger than this, lives until the bytes are copied, and has no padding that could be uninitialized.
    unsafe { std::slice::from_raw_parts((&raw const attr).cast::<u8>(), KNOWN_TO_ALL) }.to_vec()
}

fn set_sampling(attr: &mut bindings::perf_event_attr, sampling: &Sampling, every: Every) {
    match every {
        Every::Period(events) => attr.__bindgen_anon_1.sample_period = events,
        Every::Frequency(hertz) => {
            attr.set_freq(1);
            attr.__bindgen_anon_1.sample_freq = hertz;
        }
    }
    attr.sample_type = sampling.fields.bits();
    attr.set_sample_id_all(1);
    let tasks = sampling.tasks.into();
    attr.set_mmap(tasks);
    attr.set_mmap2(tasks);
    attr.set_mmap_data((sampling.tasks && sampling.data_files).into());
    attr.set_build_id((sampling.tasks && sampling.build_ids).into());
    attr.set_comm(tasks);
    attr.set_comm_exec(tasks);
    attr.set_task(tasks);
    attr.set_context_switch(sampling.switches.into());
    set_stack(attr, sampling);
    match sampling.wakeup {
        Wakeup::Samples(samples) => attr.__bindgen_anon_2.wakeup_events = samples,
        Wakeup::HalfFull | Wakeup::Bytes(_) => {
            attr.set_watermark(1);
            // 0 stands for half of the ring.
            attr.__bindgen_anon_2.wakeup_watermark =
                if let Wakeup::Bytes(bytes) = sampling.wakeup { bytes } else { 0 };
        }
    }
}

fn set_stack(attr: &mut bindings::perf_event_attr, sampling: &Sampling) {
    let stack = &sampling.stack;
    if sampling.fields.contains(Fields::CALLCHAIN) {
        let no_kernel = stack.exclude_kernel || attr.exclude_kernel() != 0;
        attr.set_exclude_callchain_kernel(no_kernel.into());
        attr.set_exclude_callchain_user(stack.exclude_user.into());
        attr.sample_max_stack = stack.max_frames;
    }
    #[cfg(feature = "sampling")]
    if sampling.fields.contains(Fields::REGS_USER) {
        attr.sample_regs_user = crate::records::MASK;
    }
    if sampling.fields.contains(Fields::STACK_USER) {
        attr.sample_stack_user = stack.copied_bytes.into();
    }
    if sampling.fields.contains(Fields::BRANCH_STACK) {
        let kind = bindings::PERF_SAMPLE_BRANCH_USER
            | bindings::PERF_SAMPLE_BRANCH_CALL_STACK
            | bindings::PERF_SAMPLE_BRANCH_NO_FLAGS
            | bindings::PERF_SAMPLE_BRANCH_NO_CYCLES;
        attr.branch_sample_type = kind.into();
    }
}

// The instruction itself: a return from the C library's function would not be predicted after the call, which costs 20 ns.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn read(event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno> {
    let bytes: isize;
    // SAFETY: read(2) by the convention of the kernel, which keeps all registers but these; the buffer is writable for the given length, and every bit pattern is a valid u64.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") libc::SYS_read as isize => bytes,
            in("rdi") event.as_raw_fd() as isize,
            in("rsi") words.as_mut_ptr(),
            in("rdx") size_of_val(words),
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    if bytes < 0 { Err(Errno(-bytes as i32)) } else { Ok(bytes as usize / size_of::<u64>()) }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn read(event: BorrowedFd<'_>, words: &mut [u64]) -> Result<usize, Errno> {
    // SAFETY: the buffer is writable for the given length, and every bit pattern is a valid u64.
    let bytes =
        unsafe { libc::read(event.as_raw_fd(), words.as_mut_ptr().cast(), size_of_val(words)) };
    if bytes < 0 { Err(last_errno()) } else { Ok(bytes as usize / size_of::<u64>()) }
}

pub(crate) fn id(event: BorrowedFd<'_>) -> Result<u64, Errno> {
    let mut id = 0;
    // SAFETY: the kernel writes one u64 to the address, which outlives the call.
    check(unsafe { ioctls::ID(event.as_raw_fd(), &mut id) })?;
    Ok(id)
}

pub(crate) fn enable(event: BorrowedFd<'_>) -> Result<(), Errno> {
    // SAFETY: takes a number and accesses no memory.
    check(unsafe { ioctls::ENABLE(event.as_raw_fd(), 0) })
}

pub(crate) fn disable(event: BorrowedFd<'_>) -> Result<(), Errno> {
    // SAFETY: takes a number and accesses no memory.
    check(unsafe { ioctls::DISABLE(event.as_raw_fd(), 0) })
}

pub(crate) fn filter(event: BorrowedFd<'_>, condition: &CStr) -> Result<(), Errno> {
    // SAFETY: the kernel only reads the text, up to its zero byte.
    check(unsafe { ioctls::SET_FILTER(event.as_raw_fd(), condition.as_ptr().cast_mut()) })
}

pub(crate) fn redirect(event: BorrowedFd<'_>, owner: BorrowedFd<'_>) -> Result<(), Errno> {
    // SAFETY: takes a descriptor; the kernel writes later data to a ring that is mapped for the kernel to write to.
    check(unsafe { ioctls::SET_OUTPUT(event.as_raw_fd(), owner.as_raw_fd() as _) })
}

// From the kernel's `asm-generic/fcntl.h`, the same on every architecture that has bindings.
const F_SETSIG: c_int = 10;
const F_SETOWN_EX: c_int = 15;

/// Makes the kernel send `signal` to `thread` whenever `event` becomes ready.
pub(crate) fn signal(event: BorrowedFd<'_>, signal: c_int, thread: u32) -> Result<(), Errno> {
    let fd = event.as_raw_fd();
    // `struct f_owner_ex`: F_OWNER_TID and the thread.
    let owner: [c_int; 2] = [0, number(thread, Errno::ESRCH)?];
    // SAFETY: takes a number.
    check(unsafe { libc::fcntl(fd, F_SETSIG, signal) })?;
    // SAFETY: the kernel reads a structure of two ints, which outlives the call.
    check(unsafe { libc::fcntl(fd, F_SETOWN_EX, &raw const owner) })?;
    // SAFETY: takes no argument.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    check(flags)?;
    // SAFETY: takes a number.
    check(unsafe { libc::fcntl(fd, libc::F_SETFL, flags | libc::O_ASYNC) })
}

/// A file descriptor of this process, open a second time; a command that is executed does not get it.
pub(crate) fn duplicate(number: u32) -> Result<OwnedFd, Errno> {
    // The standard streams stay free, as for every other file.
    const LOWEST: c_int = 3;
    let number = self::number(number, Errno::EBADF)?;
    // SAFETY: takes numbers, of which the first need not be a descriptor.
    let fd = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, LOWEST) };
    check(fd)?;
    // SAFETY: the call succeeded, so `fd` is open and has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// The effective user id of this process.
pub(crate) fn effective_user() -> u32 {
    // SAFETY: only returns a number.
    unsafe { libc::geteuid() }
}

/// The registers of a basic or extended leaf of `CPUID`; `None` if the processor has no such leaf.
#[cfg(target_arch = "x86_64")]
#[allow(
    unused_unsafe,
    reason = "newer compilers have it as safe, and the oldest supported one does not"
)]
pub(crate) fn cpuid(leaf: u32) -> Option<Cpuid> {
    use std::arch::x86_64::{__cpuid, CpuidResult};
    // SAFETY: every 64-bit x86 processor has the instruction, which changes only the registers that it returns.
    let of = |leaf: u32| unsafe { __cpuid(leaf) };
    // The first leaf of a range has the highest one. Above that, Intel's processors answer with the data of another leaf.
    (leaf <= of(leaf & 0x8000_0000).eax).then(|| {
        let CpuidResult { eax, ebx, ecx, edx } = of(leaf);
        Cpuid { eax, ebx, ecx, edx }
    })
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn cpuid(_: u32) -> Option<Cpuid> {
    None
}

/// Settings that this process changed for itself and that a command gets back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherited {
    pub mask: nix::sys::signal::SigSet,
    /// The soft and the hard limit on open files.
    pub open_files: (libc::rlim_t, libc::rlim_t),
}

/// Ensures that the ends of children are reported and can be collected, even if SIGCHLD was inherited as ignored.
pub(crate) fn tell_of_children() {
    // SAFETY: resets a disposition to the default, which installs no handler.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Collects a child that has ended, with what it and the children for which it waited used; only looks whether it has ended if `is_look`.
///
/// `None` if it has not.
pub(crate) fn wait(pid: u32, is_look: bool) -> Result<Option<(Ended, Usage)>, Errno> {
    let flags = if is_look { libc::WNOHANG } else { 0 };
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel writes an int and one structure to addresses that outlive the call.
    let found = unsafe {
        libc::wait4(number(pid, Errno::ESRCH)?, &raw mut status, flags, usage.as_mut_ptr())
    };
    check(found)?;
    // SAFETY: a structure of numbers is valid with all bytes zero, and complete if the kernel wrote to it.
    let usage = unsafe { usage.assume_init() };
    let ended = match status {
        _ if found == 0 => return Ok(None),
        status if libc::WIFEXITED(status) => Ended::Exited(libc::WEXITSTATUS(status)),
        status if libc::WIFSIGNALED(status) => Ended::Killed(libc::WTERMSIG(status)),
        _ => return Ok(None),
    };
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.max(0) as u64)
            + Duration::from_micros(time.tv_usec.max(0) as u64)
    };
    let times = CpuTimes { user: duration(usage.ru_utime), system: duration(usage.ru_stime) };
    let count = |count: libc::c_long| u64::try_from(count).unwrap_or(0);
    let used = Usage {
        times,
        max_rss: count(usage.ru_maxrss) << 10,
        minor_faults: count(usage.ru_minflt),
        major_faults: count(usage.ru_majflt),
        blocks_read: count(usage.ru_inblock),
        blocks_written: count(usage.ru_oublock),
        voluntary_switches: count(usage.ru_nvcsw),
        involuntary_switches: count(usage.ru_nivcsw),
    };
    Ok(Some((ended, used)))
}

/// Locks an open file as `flock(2)` does, until its last descriptor is closed.
pub(crate) fn lock(file: BorrowedFd<'_>, operation: c_int) -> Result<(), Errno> {
    // SAFETY: takes a number and accesses no memory.
    check(unsafe { libc::flock(file.as_raw_fd(), operation) })
}

/// Returns true if this process ignores a signal.
pub(crate) fn ignores(signal: c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: changes nothing, and writes one structure to an address that outlives the call.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: a structure of numbers and of a pointer to a function that may be null is valid with all bytes zero, and complete if the kernel wrote to it.
    let action = unsafe { action.assume_init() };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}

/// The pipes between a forked process and its parent.
pub(crate) struct Gate<'a> {
    /// The process waits here for a byte.
    pub(crate) go: BorrowedFd<'a>,
    /// The parent's end of the same pipe; the child closes it, because otherwise it would never see the end of file.
    pub(crate) ours: BorrowedFd<'a>,
    /// Takes the error number if `exec` fails.
    pub(crate) failed: BorrowedFd<'a>,
}

/// Forks a process that waits for a byte on `go` and then executes `argv` with these standard streams; if `go` is closed instead, the process exits.
///
/// `argv` contains at least the program.
pub(crate) fn fork_held(
    argv: &[CString],
    inherited: Option<&Inherited>,
    streams: Streams<'_>,
    gate: &Gate<'_>,
) -> Result<u32, Errno> {
    let mut pointers: Vec<*const c_char> = argv.iter().map(|arg| arg.as_ptr()).collect();
    pointers.push(std::ptr::null());
    let Streams { input, output, error } = streams;
    let streams =
        [(input, libc::STDIN_FILENO), (output, libc::STDOUT_FILENO), (error, libc::STDERR_FILENO)]
            .map(|(stream, number)| stream.map(|stream| (stream.as_raw_fd(), number)));
    // SAFETY: until `exec`, the child calls only functions that are safe while other threads held locks at the time of the fork: close, dup2, signals and their mask, setrlimit, read, write, _exit, and execvp, which does not allocate in glibc and musl.
    match unsafe { libc::fork() } {
        -1 => Err(last_errno()),
        0 => {
            // SAFETY: this is the child's copy of a descriptor that the child neither uses nor drops, as it does not return.
            unsafe { libc::close(gate.ours.as_raw_fd()) };
            for (stream, number) in streams.into_iter().flatten() {
                // SAFETY: takes numbers; the child returns to no code that owns its standard streams.
                unsafe { libc::dup2(stream, number) };
            }
            child(&pointers, inherited, gate.go.as_raw_fd(), gate.failed.as_raw_fd())
        }
        pid => Ok(pid as u32),
    }
}

/// The code of the forked process; it never returns to Rust code that owns anything.
fn child(argv: &[*const c_char], inherited: Option<&Inherited>, go: c_int, failed: c_int) -> ! {
    if let Some(Inherited { mask, open_files: (soft, hard) }) = inherited {
        // The parent blocks signals to read them from a descriptor, and may have raised its limit on open files.
        let _ = mask.thread_set_mask();
        let _ = setrlimit(Resource::RLIMIT_NOFILE, *soft, *hard);
    }
    // SAFETY: resets a disposition; Rust programs ignore SIGPIPE, but the commands that they run should not.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let mut byte = 0_u8;
    loop {
        // SAFETY: one byte of writable memory.
        let got = unsafe { libc::read(go, (&raw mut byte).cast(), 1) };
        if got == 1 {
            break;
        }
        if got == 0 || last_errno() != Errno::EINTR {
            // SAFETY: ends the process without running any code of the parent.
            unsafe { libc::_exit(126) };
        }
    }
    // SAFETY: `argv` is a null-terminated array of at least one C string, which the parent built before the fork and of which the child has a copy.
    unsafe { libc::execvp(argv[0], argv.as_ptr()) };
    let errno = last_errno().0.to_ne_bytes();
    // SAFETY: the length is that of the readable bytes; if the parent is gone, there is no one to notify.
    unsafe { libc::write(failed, errno.as_ptr().cast(), errno.len()) };
    // SAFETY: ends the process without running any code of the parent.
    unsafe { libc::_exit(127) }
}
