//! What a thread waits for, by the function in which it stopped.

use std::fmt;

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Wait {
    /// A lock, a condition, or another thread: a futex, or a lock of the kernel.
    Lock,
    /// A pipe, a socket, a terminal, a file or a disk.
    Io,
    /// A time.
    Sleep,
    /// A process that it started.
    Child,
    /// A signal, or a debugger.
    Signal,
}

impl Wait {
    /// The waits by the stack, with the names of its functions, the innermost first; each says whether it is of the kernel.
    ///
    /// The functions of the kernel decide, the innermost one that is known; without their names, the innermost function of the program. `None` if neither is known.
    pub fn of<'n>(frames: impl IntoIterator<Item = (&'n str, bool)>) -> Option<Wait> {
        for (name, is_kernel) in frames {
            if !is_kernel {
                return of_program(name);
            }
            if let Some(wait) = of_kernel(name) {
                return Some(wait);
            }
        }
        None
    }

    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Wait::Lock => "lock",
            Wait::Io => "I/O",
            Wait::Sleep => "sleep",
            Wait::Child => "child",
            Wait::Signal => "signal",
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The beginnings of the names of functions of the kernel in which threads wait.
const OF_KERNEL: &[(Wait, &[&str])] = &[
    (
        Wait::Lock,
        &[
            "futex_wait",
            "futex_do_wait",
            "futex_lock",
            "__futex_wait",
            "rwsem_down",
            "__mutex_lock",
            "mutex_lock",
            "down_read",
            "down_write",
            "rt_mutex",
            "do_semtimedop",
            "fcntl_setlk",
            "locks_lock_inode_wait",
        ],
    ),
    (
        Wait::Sleep,
        &["do_nanosleep", "hrtimer_nanosleep", "common_nsleep", "msleep", "usleep_range"],
    ),
    (Wait::Child, &["do_wait", "kernel_wait4", "kernel_waitid", "wait_for_vfork_done"]),
    (
        Wait::Signal,
        &[
            "do_sigtimedwait",
            "sigsuspend",
            "__do_sys_pause",
            "__x64_sys_pause",
            "do_signal_stop",
            "ptrace_stop",
        ],
    ),
    (
        Wait::Io,
        &[
            "pipe_",
            "anon_pipe_",
            "sock_",
            "sk_",
            "unix_",
            "tcp_",
            "udp_",
            "inet_",
            "skb_",
            "__skb_",
            "vsock_",
            "netlink_",
            "do_sys_poll",
            "do_poll",
            "do_select",
            "ep_poll",
            "do_epoll_wait",
            "io_cqring_wait",
            "read_events",
            "io_schedule",
            "folio_wait",
            "__folio_lock",
            "wait_on_page",
            "filemap_",
            "submit_bio_wait",
            "blk_",
            "blkdev_",
            "wait_on_buffer",
            "__wait_on_buffer",
            "jbd2_",
            "ext4_",
            "xfs_",
            "btrfs_",
            "nfs_",
            "fuse_",
            "n_tty_",
            "tty_",
            "eventfd_",
            "timerfd_read",
            "signalfd_read",
            "inotify_read",
            "perf_read",
        ],
    ),
];

/// The names of functions of C libraries in which threads wait, without what is before and behind them.
const OF_PROGRAM: &[(Wait, &[&str])] = &[
    (
        Wait::Lock,
        &[
            "lll_lock_wait",
            "lll_lock_wait_private",
            "futex_wait",
            "futex_abstimed_wait_common64",
            "futex_abstimed_wait_common",
            "futex_abstimed_wait_cancelable64",
            "pthread_mutex_lock",
            "pthread_cond_wait",
            "pthread_cond_timedwait",
            "pthread_rwlock_rdlock",
            "pthread_rwlock_wrlock",
            "sem_wait",
            "new_sem_wait_slow64",
        ],
    ),
    (Wait::Sleep, &["nanosleep", "clock_nanosleep", "usleep", "sleep"]),
    (Wait::Child, &["wait4", "wait3", "waitpid", "waitid", "wait", "vfork"]),
    (Wait::Signal, &["pause", "sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait"]),
    (
        Wait::Io,
        &[
            "read",
            "write",
            "pread64",
            "pwrite64",
            "readv",
            "writev",
            "recv",
            "recvfrom",
            "recvmsg",
            "send",
            "sendto",
            "sendmsg",
            "accept",
            "accept4",
            "connect",
            "poll",
            "ppoll",
            "select",
            "pselect",
            "epoll_wait",
            "epoll_pwait",
            "fsync",
            "fdatasync",
            "msync",
            "sync",
            "open64",
            "openat64",
        ],
    ),
];

fn of_kernel(name: &str) -> Option<Wait> {
    let is_one = |names: &[&str]| names.iter().any(|begin| name.starts_with(begin));
    OF_KERNEL.iter().find(|(_, names)| is_one(names)).map(|(of, _)| *of)
}

fn of_program(name: &str) -> Option<Wait> {
    let name = name.split(['@', '(']).next().unwrap_or(name);
    let name = name.trim_start_matches("__libc_").trim_start_matches("__GI_").trim_matches('_');
    OF_PROGRAM.iter().find(|(_, names)| names.contains(&name)).map(|(of, _)| *of)
}
