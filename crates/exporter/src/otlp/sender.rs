//! A thread that sends to a receiver, so that a slow one holds nothing up.

use super::client::Receiver;
use crate::mistake::ConfigError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// The time that the last values may take.
const LAST: Duration = Duration::from_secs(3);

/// Sends the newest values to a receiver.
#[derive(Debug)]
pub(crate) struct Sender {
    url: String,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    slot: Mutex<Slot>,
    changed: Condvar,
}

/// The values that wait, and the results of those that were sent.
///
/// At most one request waits. A newer one takes its place, and nothing is lost, because counters are sums.
#[derive(Debug, Default)]
struct Slot {
    waiting: Option<Vec<u8>>,
    is_busy: bool,
    is_ended: bool,
    sent: u64,
    replaced: u64,
    problem: Option<String>,
    /// The messages that have not been said yet.
    news: Vec<String>,
}

impl Sender {
    /// Begins to send to a URL.
    ///
    /// # Errors
    /// Returns an error if values cannot be sent to such a URL, or no thread can be started.
    pub(crate) fn new(url: &str) -> Result<Sender, ConfigError> {
        let receiver = Receiver::read(url)?;
        let shared = Arc::new(Shared::default());
        let (of_thread, name) = (shared.clone(), url.to_string());
        let thread = Builder::new().name("otlp".to_string());
        thread
            .spawn(move || of_thread.run(&receiver, &name))
            .map_err(|error| ConfigError::new(Default::default(), format!("{url}: {error}")))?;
        Ok(Sender { url: url.to_string(), shared })
    }

    /// Gives a request to the thread, in place of one that still waits.
    pub(crate) fn send(&self, request: Vec<u8>) {
        let mut slot = self.shared.lock();
        slot.replaced += u64::from(slot.waiting.is_some());
        slot.waiting = Some(request);
        self.shared.changed.notify_all();
    }

    /// The changes since it was last asked.
    pub(crate) fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.shared.lock().news)
    }

    /// The state of sending, in words.
    pub(crate) fn state(&self) -> String {
        let slot = self.shared.lock();
        let problem = slot.problem.as_deref();
        let problem = problem.map(|why| format!(", but not the last: {why}")).unwrap_or_default();
        format!(
            "{} requests were sent to {}, and {} were replaced by newer ones{problem}",
            slot.sent, self.url, slot.replaced
        )
    }

    /// Waits until the last request is sent, for a short time only; returns what is to be said.
    pub(crate) fn finish(self) -> Vec<String> {
        let mut slot = self.shared.lock();
        slot.is_ended = true;
        self.shared.changed.notify_all();
        let is_busy = |slot: &mut Slot| slot.is_busy || slot.waiting.is_some();
        let waited = self.shared.changed.wait_timeout_while(slot, LAST, is_busy);
        let (mut slot, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if is_busy(&mut slot) {
            slot.news.push(format!("{}: the last values could not be sent", self.url));
        }
        std::mem::take(&mut slot.news)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, receiver: &Receiver, url: &str) {
        loop {
            let is_idle = |slot: &mut Slot| slot.waiting.is_none() && !slot.is_ended;
            let waited = self.changed.wait_while(self.lock(), is_idle);
            let mut slot = waited.unwrap_or_else(PoisonError::into_inner);
            let Some(request) = slot.waiting.take() else { return };
            slot.is_busy = true;
            drop(slot);
            let sent = receiver.send(&request);
            self.lock().note(url, sent);
            self.changed.notify_all();
        }
    }
}

impl Slot {
    /// Keeps what became of a request; a problem is said once, and its end.
    fn note(&mut self, url: &str, sent: Result<(), String>) {
        self.is_busy = false;
        match sent {
            Ok(()) => {
                self.sent += 1;
                if self.problem.take().is_some() {
                    self.news.push(format!("{url}: values are received again"));
                }
            }
            Err(why) => {
                if self.problem.is_none() {
                    self.news.push(format!(
                        "{url}: values are not received: {why}; the next ones are sent at the end of each interval"
                    ));
                }
                self.problem = Some(why);
            }
        }
    }
}
