//! Commands that are held before their first instruction, so that counting can begin exactly there.

use crate::sys::{self, Gate, Inherited};
use crate::{Errno, Readiness, commands};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage};
use nix::sys::signal::{SigSet, SigmaskHow, Signal as NixSignal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeValLike;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, pipe2, read, write};
use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use crate::child::{Ended, Streams};
pub use crate::commands::{
    CommandTimes, CpuTimes, Usage, command_times, keep_last_text, last_text,
};
pub use crate::sys::Owner;

/// A process that waits to execute its command.
///
/// Events opened on [`Held::pid`] with both [`Setup::disabled`](crate::Setup::disabled) and [`Setup::enable_on_exec`](crate::Setup::enable_on_exec) count exactly the command.
/// If dropped without [`Held::exec`], the process ends without running the command.
///
/// ```
/// use counterpoint_perf::process::{Ended, Held};
/// let held = Held::fork(&["true"], None)?;
/// let mut running = held.exec()?;
/// assert_eq!(running.wait()?, Ended::Exited(0));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The page faults of a command:
///
/// ```
/// use counterpoint_perf::process::Held;
/// use counterpoint_perf::{Attr, Host, Placement, Setup, pmu_type};
///
/// let held = Held::fork(&["true"], None)?;
/// let faults = Attr::new(pmu_type::SOFTWARE, 2);
/// let setup = Setup { disabled: true, enable_on_exec: true, inherit: true, ..Setup::default() };
/// let mut group = Host::local().open(&[faults], Placement::Thread(held.pid()), setup)?;
/// held.exec()?.wait()?;
/// println!("{:?}", group.read()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Held {
    pid: u32,
    /// Taken when the process is released.
    go: Option<OwnedFd>,
    failed: OwnedFd,
}

/// A process forked by another thread while the writing end of `failed` is open here would keep it open, and [`Held::exec`] would wait for that process too.
static FORKING: Mutex<()> = Mutex::new(());

impl Held {
    /// Forks a process for `command` (program and arguments) and holds it; the signals blocked by `signals` are unblocked in it.
    ///
    /// The program is searched for in `PATH`.
    /// Returns `InvalidInput` for an empty command and for an argument that contains a zero byte.
    pub fn fork(command: &[impl AsRef<OsStr>], signals: Option<&Signals>) -> io::Result<Held> {
        Held::fork_into(command, signals, Streams::default())
    }

    /// Does the same, with these standard streams.
    pub fn fork_into(
        command: &[impl AsRef<OsStr>],
        signals: Option<&Signals>,
        streams: Streams<'_>,
    ) -> io::Result<Held> {
        let argv = command
            .iter()
            .map(|arg| CString::new(arg.as_ref().as_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        if argv.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command given"));
        }
        let flags = nix::fcntl::OFlag::O_CLOEXEC;
        let _alone = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
        let (go_read, go) = pipe2(flags)?;
        let (failed, failed_write) = pipe2(flags)?;
        let inherited = signals.map(|signals| &signals.before);
        let gate = Gate { go: go_read.as_fd(), ours: go.as_fd(), failed: failed_write.as_fd() };
        let pid = sys::fork_held(&argv, inherited, streams, &gate)?;
        commands::hold(pid);
        Ok(Held { pid, go: Some(go), failed })
    }

    /// The process id, which exec does not change.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Starts the command; returns the error of `execvp(3)`, such as `NotFound`.
    pub fn exec(mut self) -> io::Result<Running> {
        commands::begin(self.pid);
        if let Some(go) = &self.go {
            match write(go, &[1]) {
                // A signal ended the process while it waited, which `Running` reports like any other end.
                Ok(_) | Err(nix::errno::Errno::EPIPE) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut errno = [0; 4];
        // End of file: exec has closed the other end and so has succeeded.
        let got = loop {
            match read(&self.failed, &mut errno) {
                Err(nix::errno::Errno::EINTR) => {}
                other => break other?,
            }
        };
        if got == errno.len() {
            return Err(Errno(i32::from_ne_bytes(errno)).into());
        }
        self.go = None;
        Ok(Running { pid: self.pid, ended: None })
    }
}

/// Terminates and collects a process that was not released.
///
/// Closing the pipe is not enough: processes that were forked later have copies of our end.
impl Drop for Held {
    fn drop(&mut self) {
        if self.go.is_some() {
            let mut process = Running { pid: self.pid, ended: None };
            let _ = process.kill(NixSignal::SIGKILL as i32);
            let _ = process.wait();
        }
    }
}

/// A command that is running or has ended.
#[derive(Debug)]
pub struct Running {
    pid: u32,
    ended: Option<Ended>,
}

impl Running {
    /// The process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Waits for the command to end.
    pub fn wait(&mut self) -> io::Result<Ended> {
        loop {
            match self.reap(false) {
                Ok(Some(ended)) => return Ok(ended),
                Ok(None) => {}
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Returns how the command has ended, or `None` if it has not; does not wait.
    pub fn try_wait(&mut self) -> io::Result<Option<Ended>> {
        self.reap(true)
    }

    fn reap(&mut self, is_look: bool) -> io::Result<Option<Ended>> {
        if self.ended.is_none() && commands::keeps_texts(self.pid) {
            if !has_ended(self.pid, is_look)? {
                return Ok(None);
            }
            commands::read_last_texts(self.pid, |path| std::fs::read(path).ok());
        }
        if self.ended.is_none()
            && let Some((ended, usage)) = sys::wait(self.pid, is_look)?
        {
            commands::end(self.pid, usage);
            self.ended = Some(ended);
        }
        Ok(self.ended)
    }

    /// Sends the process a signal, such as 15 (SIGTERM).
    pub fn kill(&self, signal: i32) -> io::Result<()> {
        if self.ended.is_none() {
            nix::sys::signal::kill(Pid::from_raw(self.pid as i32), NixSignal::try_from(signal)?)?;
        }
        Ok(())
    }
}

/// Returns true if a child has ended, and leaves it to be waited for; waits for that unless `is_look`.
fn has_ended(pid: u32, is_look: bool) -> io::Result<bool> {
    let mut flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
    flags.set(WaitPidFlag::WNOHANG, is_look);
    let status = waitid(Id::Pid(Pid::from_raw(pid as i32)), flags)?;
    Ok(status != WaitStatus::StillAlive)
}

/// A file descriptor with which this process was started, such as 3 of `3>FILE` in a shell.
///
/// It is a duplicate: the descriptor itself stays open, and is inherited by commands.
pub fn inherited_file(number: u32) -> io::Result<OwnedFd> {
    Ok(sys::duplicate(number)?)
}

/// The id of the calling thread, for [`Placement::Thread`](crate::Placement::Thread).
#[doc(alias = "gettid")]
pub fn this_thread() -> u32 {
    nix::unistd::gettid().as_raw().unsigned_abs()
}

/// The name of this host; empty if the kernel does not tell it.
#[doc(alias = "gethostname")]
pub fn host_name() -> String {
    nix::unistd::gethostname().unwrap_or_default().to_string_lossy().into_owned()
}

/// The CPU time of the calling thread, in user space and in the kernel.
///
/// For elapsed time, use [`std::time::Instant`].
#[doc(alias = "PAPI_get_virt_nsec")]
#[doc(alias = "PAPI_get_virt_usec")]
pub fn thread_time() -> io::Result<Duration> {
    time_of(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

/// The CPU time of all threads of this process.
pub fn process_time() -> io::Result<Duration> {
    time_of(ClockId::CLOCK_PROCESS_CPUTIME_ID)
}

fn time_of(clock: ClockId) -> io::Result<Duration> {
    Ok(clock_gettime(clock)?.into())
}

/// The user and system time of all children that have ended.
pub fn children_times() -> io::Result<(Duration, Duration)> {
    let CpuTimes { user, system } = usage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((user, system))
}

/// The user and system time of the calling thread.
pub fn thread_times() -> io::Result<CpuTimes> {
    usage(UsageWho::RUSAGE_THREAD)
}

fn usage(of: UsageWho) -> io::Result<CpuTimes> {
    let usage = getrusage(of)?;
    let duration = |time: nix::sys::time::TimeVal| {
        Duration::from_micros(time.num_microseconds().max(0) as u64)
    };
    Ok(CpuTimes { user: duration(usage.user_time()), system: duration(usage.system_time()) })
}

/// Signals that end a count or report the end of a child, read from a descriptor instead of interrupting.
#[derive(Debug)]
pub struct Signals {
    descriptor: SignalFd,
    before: Inherited,
}

/// The signal that [`Signals::wait`] received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A child ended.
    #[doc(alias = "SIGCHLD")]
    Child,
    /// A request to stop.
    Stop {
        /// SIGINT, SIGTERM or SIGHUP, or another one that ends a program.
        number: i32,
        /// True if the kernel sent it, as for Ctrl-C at a terminal, which every process in the foreground receives.
        from_terminal: bool,
    },
    /// A request to suspend this process, as a shell's job; [`suspend`] does so.
    #[doc(alias = "SIGTSTP")]
    Suspend,
}

/// Suspends this process, as a shell's job, until it is continued.
#[doc(alias = "SIGSTOP")]
pub fn suspend() -> io::Result<()> {
    Ok(nix::sys::signal::raise(NixSignal::SIGSTOP)?)
}

impl Signals {
    /// Blocks SIGCHLD, SIGINT, SIGTERM and SIGHUP in this thread and in those that it starts from now on.
    ///
    /// Requests to stop that this process ignores stay ignored, as `nohup` and shells that run a command in the background expect.
    ///
    /// Call this in the main thread before starting others: a signal to the process is delivered to any thread that does not block it, and SIGCHLD is lost if the main thread does not block it.
    pub fn block() -> io::Result<Signals> {
        Signals::blocked(&[NixSignal::SIGINT, NixSignal::SIGTERM, NixSignal::SIGHUP])
    }

    /// The same with SIGTSTP and the other signals that end a program, for one that has taken the terminal over and gives it back first.
    pub fn block_with_terminal() -> io::Result<Signals> {
        use NixSignal::{
            SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
            SIGVTALRM, SIGXCPU,
        };
        Signals::blocked(&[
            SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGABRT,
            SIGVTALRM, SIGPROF, SIGXCPU,
        ])
    }

    fn blocked(asked: &[NixSignal]) -> io::Result<Signals> {
        // A signal that is blocked would be received even though it is ignored.
        let mut mask: SigSet =
            asked.iter().copied().filter(|signal| !sys::ignores(*signal as i32)).collect();
        mask.add(NixSignal::SIGCHLD);
        sys::tell_of_children();
        let before = Inherited {
            mask: mask.thread_swap_mask(SigmaskHow::SIG_BLOCK)?,
            open_files: getrlimit(Resource::RLIMIT_NOFILE)?,
        };
        let descriptor =
            SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        Ok(Signals { descriptor, before })
    }

    /// Waits for a signal; returns `None` if `timeout` expires.
    pub fn wait(&self, timeout: Option<Duration>) -> io::Result<Option<Signal>> {
        Ok(self.wait_beside(None, timeout)?.0)
    }

    /// Like [`Signals::wait`], but also returns as soon as there is something to read from `file`, with the state of the file.
    pub fn wait_beside(
        &self,
        file: Option<BorrowedFd<'_>>,
        timeout: Option<Duration>,
    ) -> io::Result<(Option<Signal>, Readiness)> {
        let timeout = timeout.map_or(PollTimeout::NONE, poll_timeout);
        let files = [Some(self.descriptor.as_fd()), file];
        let mut asked: Vec<PollFd<'_>> =
            files.into_iter().flatten().map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
        match poll(&mut asked, timeout) {
            Ok(0) | Err(nix::errno::Errno::EINTR) => return Ok((None, Readiness::default())),
            other => other?,
        };
        let readiness = asked.get(1).map(Readiness::of).unwrap_or_default();
        Ok((self.received()?, readiness))
    }

    /// The next signal, if one has come already.
    fn received(&self) -> io::Result<Option<Signal>> {
        let Some(info) = self.descriptor.read_signal()? else { return Ok(None) };
        let number = info.ssi_signo as i32;
        Ok(Some(if number == NixSignal::SIGCHLD as i32 {
            Signal::Child
        } else if number == NixSignal::SIGTSTP as i32 {
            Signal::Suspend
        } else {
            Signal::Stop { number, from_terminal: info.ssi_code == nix::libc::SI_KERNEL }
        }))
    }
}

/// Rounded up, so that a caller with a deadline does not spin before it.
pub(crate) fn poll_timeout(time: Duration) -> PollTimeout {
    PollTimeout::try_from(time.as_micros().div_ceil(1000)).unwrap_or(PollTimeout::MAX)
}

/// Restores the thread's signal mask.
impl Drop for Signals {
    fn drop(&mut self) {
        let _ = self.before.mask.thread_set_mask();
    }
}
