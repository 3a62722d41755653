//! An exporter that serves, and a client that asks it.

use counterpoint::EventSet;
use counterpoint_exporter::{Config, ConfigError, Exporter, serve};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// An exporter on a port of its own.
pub(crate) struct Serving {
    pub address: SocketAddr,
    end: UnixStream,
    thread: JoinHandle<Vec<String>>,
}

impl Serving {
    /// Counts by the events of this machine.
    pub(crate) fn start(config: &str) -> Serving {
        let config = Config::read(config).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, end) = UnixStream::pair().unwrap();
        let thread = thread::spawn(move || {
            let mut exporter = exporter(&config);
            let mut said = Vec::new();
            serve(&mut exporter, listener, stop.as_fd(), &mut |news| said.push(news.to_string()))
                .unwrap();
            said
        });
        Serving { address, end, thread }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        get(self.address, path, "application/openmetrics-text")
    }

    /// The values of a scrape.
    pub(crate) fn scrape(&self) -> Vec<(String, f64)> {
        let answer = self.get("/metrics");
        assert!(answer.head.starts_with("HTTP/1.1 200"), "{}", answer.head);
        crate::open_metrics::samples(&answer.body)
    }

    /// Scrapes until it is so, and returns that scrape.
    pub(crate) fn scrape_until(
        &self,
        what: &str,
        is_so: impl Fn(&[(String, f64)]) -> bool,
    ) -> Vec<(String, f64)> {
        let begun = Instant::now();
        loop {
            let samples = self.scrape();
            if is_so(&samples) {
                return samples;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "{what}: {samples:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it; returns what it has said.
    pub(crate) fn end(mut self) -> Vec<String> {
        self.end.write_all(b"x").unwrap();
        self.thread.join().unwrap()
    }
}

/// An exporter of this machine.
pub(crate) fn exporter(config: &Config) -> Exporter {
    Exporter::new(config, |target| Ok::<_, ConfigError>(EventSet::new(target))).unwrap()
}

pub(crate) struct Answer {
    pub head: String,
    pub body: String,
}

pub(crate) fn get(address: SocketAddr, path: &str, accept: &str) -> Answer {
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n");
    ask(address, request.as_bytes())
}

/// Sends bytes and reads to the end.
pub(crate) fn ask(address: SocketAddr, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
    Answer { head: head.to_string(), body: body.to_string() }
}

/// The value of the only sample whose name and labels begin with this text.
pub(crate) fn value(samples: &[(String, f64)], begins: &str) -> Option<f64> {
    let mut found = samples.iter().filter(|(name, _)| name.starts_with(begins));
    let value = found.next().map(|(_, value)| *value);
    assert!(found.next().is_none(), "several samples of {begins}: {samples:?}");
    value
}

/// Returns true if this process may count whole CPUs; says so where it may not.
pub(crate) fn may_count_cpus() -> bool {
    let access = counterpoint::perf::Host::local().access();
    let may = access.is_privileged() || access.paranoid.is_some_and(|level| level <= 0);
    if !may {
        println!("skipped: needs the right to count whole CPUs (perf_event_paranoid 0)");
    }
    may
}
