//! A server for short requests: one thread, no waiting for a client, and a bound for everything.
//!
//! A client that says or takes nothing costs a descriptor until its time is over, and no thread.

use crate::channel::Channel;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustls::ServerConfig;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most clients at a time: for another one, the one that has been silent for longest is dropped.
const MOST: usize = 1024;
/// The longest request.
const LONGEST: usize = 8 << 10;
/// The time that a client may take to send its request, and then to take the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time that a client may take to close the connection.
const GOODBYE: Duration = Duration::from_secs(1);
/// The time for which no client is accepted after there was no descriptor for one.
const PAUSE: Duration = Duration::from_millis(100);

/// Requests that are answered in turn.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    /// The encryption of those who come from now on.
    pub tls: Option<Arc<ServerConfig>>,
    clients: Vec<Client>,
    paused_until: Option<Instant>,
    /// True while a client waits for an answer that takes long.
    has_deferred: bool,
}

/// The end of a wait.
#[derive(Debug)]
pub(crate) enum Waited {
    /// The file is readable.
    Stopped,
    /// The time is over.
    Due,
    /// The file of the answer that takes long is readable.
    Ready,
    /// The client that waited for the answer that takes long is gone.
    Left,
    /// Clients have requests, by their numbers until the next wait.
    Requests(Vec<(usize, Request)>),
}

/// The request of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub path: String,
    /// The text after the question mark.
    pub query: String,
    /// Only the head of the answer is wanted.
    pub is_head: bool,
    /// The header `Accept`.
    pub accept: String,
    /// The header `Authorization`.
    pub authorization: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub status: &'static str,
    pub content_type: &'static str,
    /// Other lines of the head, each with its end.
    pub lines: &'static str,
    pub body: Arc<[u8]>,
}

impl Response {
    pub(crate) fn plain(status: &'static str, body: impl Into<String>) -> Response {
        let (content_type, body) = ("text/plain; charset=utf-8", body.into().into_bytes().into());
        Response { status, content_type, lines: "", body }
    }
}

/// The files that are ready.
struct Polled {
    is_stopped: bool,
    is_ready: bool,
    /// A client may be accepted.
    accepts: bool,
}

#[derive(Debug)]
struct Client {
    channel: Channel,
    phase: Phase,
    deadline: Instant,
    /// True if only the head of the answer is sent.
    is_head: bool,
}

#[derive(Debug)]
enum Phase {
    Reading(Vec<u8>),
    /// The request is complete, and was not answered yet.
    Asked,
    /// The same, and the answer takes long.
    Deferred,
    Writing {
        head: Vec<u8>,
        body: Arc<[u8]>,
        written: usize,
    },
    /// The answer is sent; what the client still sends is read, so that the kernel does not take the answer back.
    Draining,
    Over,
}

impl Server {
    /// A server for the clients of a listener.
    pub(crate) fn new(listener: TcpListener) -> io::Result<Server> {
        listener.set_nonblocking(true)?;
        Ok(Server {
            listener,
            tls: None,
            clients: Vec::new(),
            paused_until: None,
            has_deferred: false,
        })
    }

    /// Serves clients until there are requests to be answered, `stop` or `ready` is readable, or it is `due`.
    pub(crate) fn wait(
        &mut self,
        stop: BorrowedFd<'_>,
        ready: Option<BorrowedFd<'_>>,
        due: Instant,
    ) -> io::Result<Waited> {
        loop {
            let now = Instant::now();
            self.clients.retain(|client| !client.is_over(now));
            if self.has_deferred && !self.clients.iter().any(Client::is_deferred) {
                self.has_deferred = false;
                return Ok(Waited::Left);
            }
            if self.paused_until.is_some_and(|until| until <= now) {
                self.paused_until = None;
            }
            if due <= now {
                return Ok(Waited::Due);
            }
            let Polled { is_stopped, is_ready, accepts } = self.poll(stop, ready, due, now)?;
            if is_stopped {
                return Ok(Waited::Stopped);
            }
            if is_ready {
                return Ok(Waited::Ready);
            }
            let mut requests = Vec::new();
            for (number, client) in self.clients.iter_mut().enumerate() {
                requests.extend(client.advance().map(|request| (number, request)));
            }
            if !requests.is_empty() {
                return Ok(Waited::Requests(requests));
            }
            if accepts {
                self.make_room();
                self.accept();
            }
        }
    }

    /// Answers the request of a client.
    pub(crate) fn answer(&mut self, number: usize, response: &Response) {
        if let Some(client) = self.clients.get_mut(number) {
            client.answer(response);
        }
    }

    /// Lets the only client whose answer takes long wait for it, for so long at most.
    pub(crate) fn defer(&mut self, number: usize, time: Duration) {
        if let Some(client) = self.clients.get_mut(number) {
            (client.phase, client.deadline) = (Phase::Deferred, Instant::now() + time);
            self.has_deferred = true;
        }
    }

    /// Answers the client that waits for the answer that takes long.
    pub(crate) fn answer_deferred(&mut self, response: &Response) {
        self.has_deferred = false;
        let deferred = self.clients.iter_mut().find(|client| client.is_deferred());
        deferred.into_iter().for_each(|client| client.answer(response));
    }

    /// Waits until a file is ready.
    fn poll(
        &self,
        stop: BorrowedFd<'_>,
        ready: Option<BorrowedFd<'_>>,
        due: Instant,
        now: Instant,
    ) -> io::Result<Polled> {
        let has_room = self.clients.len() < MOST || self.clients.iter().any(Client::is_idle);
        let accepts = self.paused_until.is_none() && has_room;
        let listened = if accepts { PollFlags::POLLIN } else { PollFlags::empty() };
        let mut files = vec![
            PollFd::new(stop, PollFlags::POLLIN),
            PollFd::new(self.listener.as_fd(), listened),
        ];
        files.extend(ready.map(|ready| PollFd::new(ready, PollFlags::POLLIN)));
        files.extend(self.clients.iter().map(|c| PollFd::new(c.channel.as_fd(), c.awaited())));
        let deadlines = self.clients.iter().map(|client| client.deadline);
        let first = deadlines.chain(self.paused_until).fold(due, Instant::min);
        let time = first.saturating_duration_since(now).as_micros().div_ceil(1000);
        match poll(&mut files, PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX)) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let is_ready = |file: &PollFd<'_>| file.any().unwrap_or_default();
        Ok(Polled {
            is_stopped: is_ready(&files[0]),
            accepts: accepts && is_ready(&files[1]),
            is_ready: ready.is_some() && is_ready(&files[2]),
        })
    }

    /// Drops the client that has been silent for longest if there is no room for another one.
    fn make_room(&mut self) {
        if self.clients.len() == MOST {
            let idle = self.clients.iter().enumerate().filter(|(_, client)| client.is_idle());
            if let Some((longest, _)) = idle.min_by_key(|(_, client)| client.deadline) {
                self.clients.swap_remove(longest);
            }
        }
    }

    fn accept(&mut self) {
        while self.clients.len() < MOST {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    let channel = Channel::new(stream, self.tls.as_ref());
                    self.clients.extend(channel.map(Client::new));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // No descriptor is left, or the client is gone again.
                Err(_) => {
                    self.paused_until = Some(Instant::now() + PAUSE);
                    return;
                }
            }
        }
    }
}

impl Client {
    fn new(channel: Channel) -> Client {
        let deadline = Instant::now() + PATIENCE;
        Client { channel, phase: Phase::Reading(Vec::new()), deadline, is_head: false }
    }

    fn is_over(&self, now: Instant) -> bool {
        matches!(self.phase, Phase::Over) || self.deadline <= now
    }

    /// Returns true if it is the client's turn to say something, of which nothing has come.
    fn is_idle(&self) -> bool {
        matches!(self.phase, Phase::Reading(_) | Phase::Draining)
    }

    fn is_deferred(&self) -> bool {
        matches!(self.phase, Phase::Deferred)
    }

    fn awaited(&self) -> PollFlags {
        match self.phase {
            Phase::Reading(_) | Phase::Draining if self.channel.wants_write() => {
                PollFlags::POLLIN | PollFlags::POLLOUT
            }
            // Of a client that waits, nothing is expected but that it goes.
            Phase::Reading(_) | Phase::Draining | Phase::Deferred => PollFlags::POLLIN,
            Phase::Writing { .. } => PollFlags::POLLOUT,
            Phase::Asked | Phase::Over => PollFlags::empty(),
        }
    }

    /// Reads and writes as far as that needs no waiting; returns the request when it is complete.
    fn advance(&mut self) -> Option<Request> {
        match self.phase {
            Phase::Reading(_) => return self.read(),
            Phase::Writing { .. } => self.write(),
            Phase::Draining | Phase::Deferred => self.drain(),
            Phase::Asked | Phase::Over => {}
        }
        None
    }

    fn read(&mut self) -> Option<Request> {
        let Phase::Reading(input) = &mut self.phase else { return None };
        let mut bytes = [0; 1024];
        let mut is_ended = false;
        while !is_ended && input.len() <= LONGEST {
            match self.channel.read(&mut bytes) {
                Ok(0) => is_ended = true,
                Ok(length) => input.extend_from_slice(&bytes[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => is_ended = true,
            }
        }
        match parse(input) {
            Parsed::Request(request) => {
                (self.phase, self.is_head) = (Phase::Asked, request.is_head);
                return Some(request);
            }
            Parsed::Wrong(response) => self.answer(&response),
            Parsed::Partial if is_ended => self.phase = Phase::Over,
            Parsed::Partial => {}
        }
        None
    }

    fn write(&mut self) {
        let Phase::Writing { head, body, written } = &mut self.phase else { return };
        let body = if self.is_head { &[][..] } else { &body[..] };
        loop {
            let rest = match written.checked_sub(head.len()) {
                None => &head[*written..],
                Some(of_body) => &body[of_body..],
            };
            if rest.is_empty() {
                if self.channel.close().is_err_and(|error| error.kind() == ErrorKind::WouldBlock) {
                    return;
                }
                (self.phase, self.deadline) = (Phase::Draining, Instant::now() + GOODBYE);
                return;
            }
            match self.channel.write(rest) {
                Ok(length) if length > 0 => *written += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                _ => {
                    self.phase = Phase::Over;
                    return;
                }
            }
        }
    }

    fn drain(&mut self) {
        match self.channel.read(&mut [0; 1024]) {
            Ok(length) if length > 0 => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            _ => self.phase = Phase::Over,
        }
    }

    fn answer(&mut self, response: &Response) {
        let Response { status, content_type, lines, body } = response;
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n{lines}Connection: close\r\n\r\n",
            body.len()
        );
        self.phase = Phase::Writing { head: head.into_bytes(), body: body.clone(), written: 0 };
        self.deadline = Instant::now() + PATIENCE;
        self.advance();
    }
}

enum Parsed {
    Request(Request),
    Partial,
    Wrong(Response),
}

fn parse(input: &[u8]) -> Parsed {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(input) {
        Ok(httparse::Status::Partial) if input.len() <= LONGEST => return Parsed::Partial,
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
            let status = "431 Request Header Fields Too Large";
            return Parsed::Wrong(Response::plain(status, "the request is too long\n"));
        }
        Err(error) => {
            let text = format!("this is not a request of HTTP: {error}\n");
            return Parsed::Wrong(Response::plain("400 Bad Request", text));
        }
    }
    let is_head = request.method == Some("HEAD");
    if !is_head && request.method != Some("GET") {
        let text = "only GET and HEAD are answered\n";
        return Parsed::Wrong(Response::plain("405 Method Not Allowed", text));
    }
    let (path, query) = parts(request.path.unwrap_or_default());
    let (path, query) = (path.to_string(), query.to_string());
    let header = |name: &str| {
        let found = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        let values: Vec<_> = found.map(|header| String::from_utf8_lossy(header.value)).collect();
        values.join(",")
    };
    let (accept, authorization) = (header("accept"), header("authorization"));
    Parsed::Request(Request { path, query, is_head, accept, authorization })
}

/// The path and the query of a target, which may be a whole URL, as proxies send it.
fn parts(target: &str) -> (&str, &str) {
    let rest = ["http://", "https://"].iter().find_map(|scheme| target.strip_prefix(scheme));
    let path = rest.map_or(target, |rest| rest.find('/').map_or("/", |slash| &rest[slash..]));
    path.split_once('?').unwrap_or((path, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_whole() {
        let whole = b"GET /metrics?x=1 HTTP/1.1\r\nHost: x\r\nAccept: a\r\naccept: b\r\n\r\n";
        for length in 0..whole.len() {
            assert!(matches!(parse(&whole[..length]), Parsed::Partial), "{length}");
        }
        let Parsed::Request(request) = parse(whole) else { panic!("no request") };
        let [path, query, accept, authorization] =
            ["/metrics", "x=1", "a,b", ""].map(str::to_string);
        assert_eq!(request, Request { path, query, is_head: false, accept, authorization });
    }

    #[test]
    fn a_target_may_be_a_whole_url() {
        for (target, expected) in [
            ("/metrics?a=/b", ("/metrics", "a=/b")),
            ("http://host:19748/metrics?a=b", ("/metrics", "a=b")),
            ("https://host", ("/", "")),
            ("*", ("*", "")),
        ] {
            assert_eq!(parts(target), expected, "{target}");
        }
    }

    #[test]
    fn what_is_no_request_is_said() {
        let long = [b"GET / HTTP/1.1\r\nA: ".to_vec(), vec![b'a'; LONGEST]].concat();
        for (input, status) in [
            (&b"POST / HTTP/1.1\r\n\r\n"[..], "405"),
            (b"\x16\x03\x01 hello", "400"),
            (&long, "431"),
        ] {
            let Parsed::Wrong(response) = parse(input) else { panic!("{status}") };
            assert!(response.status.starts_with(status), "{response:?}");
        }
    }
}
