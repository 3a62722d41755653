//! One request to a receiver, and its answer.

use super::messages::Answer;
use crate::mistake::{ConfigError, Place};
use prost::Message;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The time that a request and its answer may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// The longest answer that is read.
const LONGEST: usize = 64 << 10;

/// The address of a receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Receiver {
    /// The host and the port, as they are connected to.
    address: String,
    path: String,
}

impl Receiver {
    /// Reads a URL, whose port is 4318 and whose path is `/v1/metrics` unless it has others.
    pub(super) fn read(url: &str) -> Result<Receiver, ConfigError> {
        let wrong = |text: String| ConfigError::new(Place::default(), text);
        const HELP: &str =
            "write the URL of a receiver of OTLP/HTTP, such as http://127.0.0.1:4318";
        if url.starts_with("https://") {
            let text = format!("{url}: values are sent without encryption only");
            return Err(wrong(text).help("send to an OpenTelemetry Collector on this machine, such as http://127.0.0.1:4318, and let it send to this URL"));
        }
        let Some(rest) = url.strip_prefix("http://") else {
            return Err(wrong(format!("{url} is not the URL of a receiver")).help(HELP));
        };
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, "/"),
        };
        let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '@' | '?' | '#');
        if authority.is_empty() || !rest.chars().all(is_plain) {
            return Err(wrong(format!("{url} is not the URL of a receiver")).help(HELP));
        }
        // A colon within brackets belongs to the address.
        let has_port = authority.rfind(':') > authority.rfind(']');
        let address = if has_port { authority.to_string() } else { format!("{authority}:4318") };
        if address.rsplit(':').next().is_none_or(|port| port.parse::<u16>().is_err()) {
            return Err(wrong(format!("{url} has no valid port")).help(HELP));
        }
        let path = if path == "/" { "/v1/metrics".to_string() } else { path.to_string() };
        Ok(Receiver { address, path })
    }

    /// Sends a request; the error says what was wrong with the receiver.
    pub(super) fn send(&self, body: &[u8]) -> Result<(), String> {
        let answer = self.answer(body).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                format!("no answer within {} seconds", PATIENCE.as_secs())
            }
            _ => error.to_string(),
        })?;
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut head = httparse::Response::new(&mut headers);
        let Ok(httparse::Status::Complete(length)) = head.parse(&answer) else {
            return Err("the answer is not one of HTTP".to_string());
        };
        match head.code {
            Some(200..=299) => {}
            Some(code) => return Err(format!("the answer is HTTP status {code}")),
            None => return Err("the answer has no HTTP status".to_string()),
        }
        let partial = Answer::decode(&answer[length..]).ok().and_then(|a| a.partial_success);
        match partial {
            Some(partial) if partial.rejected_data_points > 0 => Err(format!(
                "{} values were rejected: {}",
                partial.rejected_data_points, partial.error_message
            )),
            _ => Ok(()),
        }
    }

    fn answer(&self, body: &[u8]) -> io::Result<Vec<u8>> {
        let deadline = Instant::now() + PATIENCE;
        let mut stream = self.connect()?;
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-protobuf\r\nContent-Length: {}\r\nUser-Agent: counterpoint/{}\r\nConnection: close\r\n\r\n",
            self.path,
            self.address,
            body.len(),
            env!("CARGO_PKG_VERSION"),
        );
        let mut rest: &[u8] = &[head.as_bytes(), body].concat();
        while !rest.is_empty() {
            stream.set_write_timeout(Some(left(deadline)?))?;
            let written = stream.write(rest)?;
            rest = &rest[written..];
        }
        let mut answer = Vec::new();
        let mut bytes = [0; 4096];
        while answer.len() < LONGEST && !is_whole(&answer) {
            stream.set_read_timeout(Some(left(deadline)?))?;
            match stream.read(&mut bytes)? {
                0 => break,
                length => answer.extend_from_slice(&bytes[..length]),
            }
        }
        Ok(answer)
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// Returns true if an answer has the length that it says; one that says none ends with the connection.
fn is_whole(answer: &[u8]) -> bool {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut headers);
    let Ok(httparse::Status::Complete(length)) = head.parse(answer) else { return false };
    let said = head.headers.iter().find(|h| h.name.eq_ignore_ascii_case("content-length"));
    let said = said.and_then(|header| std::str::from_utf8(header.value).ok()?.trim().parse().ok());
    said.is_some_and(|said: usize| answer.len() - length >= said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_the_usual_port_and_path() {
        let read = |url| Receiver::read(url).map(|r| (r.address, r.path)).unwrap();
        let usual = |address: &str| (address.to_string(), "/v1/metrics".to_string());
        assert_eq!(read("http://localhost"), usual("localhost:4318"));
        assert_eq!(read("http://[::1]/"), usual("[::1]:4318"));
        assert_eq!(read("http://[::1]:99"), usual("[::1]:99"));
        assert_eq!(read("http://a:1/b/c"), ("a:1".to_string(), "/b/c".to_string()));
    }

    #[test]
    fn a_url_that_cannot_be_sent_to_says_what_to_write() {
        for (url, says) in [
            ("https://a", "http://127.0.0.1:4318, and let it send"),
            ("localhost:4318", "such as http://127.0.0.1:4318"),
            ("http://", "such as"),
            ("http://a:99999", "such as"),
            ("http://user@a", "such as"),
            ("http://a/b\r\nX: y", "such as"),
        ] {
            let help = Receiver::read(url).unwrap_err().help.unwrap();
            assert!(help.contains(says), "{url}: {help}");
        }
    }
}
