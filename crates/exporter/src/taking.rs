//! A profile in pprof's format that is taken, in a thread of its own.

use crate::config::Profiles;
use crate::http::Response;
use counterpoint::perf::Every;
use counterpoint::profile::{CallGraph, Pprof, Profile};
use counterpoint::{Error, EventSet};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The profiles that may be asked for, and the one that is taken.
#[derive(Debug)]
pub(crate) struct Profiling {
    limits: Profiles,
    taking: Option<Taking>,
}

/// A profile that is taken in a thread of its own.
#[derive(Debug)]
struct Taking {
    /// Is dropped to end it early.
    end: Option<Sender<()>>,
    /// Is readable when it is over.
    over: UnixStream,
    result: Receiver<Result<Vec<u8>, String>>,
}

impl Profiling {
    pub(crate) fn new(limits: Profiles) -> Profiling {
        Profiling { limits, taking: None }
    }

    /// The file that is readable when the profile is over.
    pub(crate) fn ready(&self) -> Option<BorrowedFd<'_>> {
        self.taking.as_ref().map(|taking| taking.over.as_fd())
    }

    /// Ends a profile that nobody waits for any more; until its thread has ended, there is no other.
    pub(crate) fn cancel(&mut self) {
        self.taking.iter_mut().for_each(|taking| taking.end = None);
    }

    /// The answer of the profile that is over.
    pub(crate) fn finish(&mut self) -> Response {
        let result = self.taking.take().map(|taking| taking.result.recv());
        match result {
            Some(Ok(Ok(file))) => Response {
                status: "200 OK",
                content_type: "application/octet-stream",
                lines: "Content-Disposition: attachment; filename=\"profile.pb.gz\"\r\n",
                body: file.into(),
            },
            Some(Ok(Err(why))) => {
                Response::plain("503 Service Unavailable", format!("no profile: {why}\n"))
            }
            _ => Response::plain("500 Internal Server Error", "no profile: it was interrupted\n"),
        }
    }

    /// Returns true if one is taken, of which there is one at a time.
    pub(crate) fn is_taking(&self) -> bool {
        self.taking.is_some()
    }

    pub(crate) fn begin(&mut self, set: EventSet, duration: Duration) -> io::Result<()> {
        let Profiles { event, frequency } = self.limits.clone();
        let (end, ended) = channel();
        let (over, mut wake) = UnixStream::pair()?;
        let (give, result) = channel();
        thread::Builder::new().name("profile".to_string()).spawn(move || {
            let profile = Profile::every(Every::Frequency(frequency));
            let profile = profile.call_graph(CallGraph::FramePointers);
            let taken = take(set, &event, profile, duration, &ended);
            // Both ends are there until the result is taken, unless the exporter ends.
            _ = give.send(taken.map_err(words));
            _ = wake.write_all(b"x");
        })?;
        self.taking = Some(Taking { end: Some(end), over, result });
        Ok(())
    }
}

/// Samples for a time; returns an empty file if it was ended early.
fn take(
    set: EventSet,
    event: &str,
    profile: Profile,
    duration: Duration,
    ended: &Receiver<()>,
) -> Result<Vec<u8>, Error> {
    let pprof = Pprof::begin(set, event, profile)?;
    match ended.recv_timeout(duration) {
        Err(RecvTimeoutError::Timeout) => pprof.finish(),
        _ => Ok(Vec::new()),
    }
}

fn words(error: Error) -> String {
    let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{error}{help}")
}
