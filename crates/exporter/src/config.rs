//! The configuration file: what is counted, for whom, and where it is shown.

use crate::mistake::{ConfigError, Place};
use counterpoint::Target;
use counterpoint::perf::CpuSet;
use serde::Deserialize;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;
use toml::Spanned;

/// The counted events and targets, and the address at which they are shown.
///
/// ```
/// use counterpoint_exporter::Config;
/// let config = Config::read("[[count]]\ncpus = 'all'\nevents = ['page-faults']\n")?;
/// assert_eq!(config.listen, Config::default().listen);
/// # Ok::<(), counterpoint_exporter::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address and port to listen on; loopback by default.
    pub listen: SocketAddr,
    /// The time over which metrics are computed, and after which values are sent by OTLP.
    pub interval: Duration,
    /// The greatest number of series of values.
    pub series: usize,
    /// The URL of an OTLP receiver.
    pub otlp: Option<String>,
    /// The certificate with which requests are encrypted; without it, they are not.
    pub tls: Option<TlsFiles>,
    /// The users whose requests are answered; if there are none, everybody's are.
    pub users: Vec<User>,
    /// The profiles that may be asked for; `None` if none may.
    pub profiles: Option<Profiles>,
    /// The events that are counted.
    pub counts: Vec<Counted>,
}

/// The profiles at `/debug/pprof/profile`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profiles {
    /// The event that is sampled, or several with `|` between them, of which the first that can be counted is.
    pub event: String,
    /// Samples a second, of each CPU or thread.
    pub frequency: u64,
}

/// Files in PEM, which are read again when they change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TlsFiles {
    /// The certificate of the server, with those that signed it.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// The place where they are named in the file.
    pub place: Place,
}

/// A user, by basic authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct User {
    /// The name.
    pub name: String,
    /// SHA-256 of the password.
    pub password_sha256: [u8; 32],
}

/// Events and metrics, and the targets that they are counted for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counted {
    /// Each is counted by itself.
    pub targets: Vec<Target>,
    /// The events, in perf's syntax.
    pub events: Vec<Named>,
    /// The metrics, or groups of metrics.
    pub metrics: Vec<Named>,
    /// The place where it begins in the file.
    pub place: Place,
}

/// A name in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub text: String,
    /// Its place.
    pub place: Place,
}

/// Outside the range in which exporters have ports of their own (9100 to 9999), and below the ports that systems give to clients.
const PORT: u16 = 19748;
const INTERVAL: Duration = Duration::from_secs(10);
const SERIES: usize = 10_000;
/// The CPU time of whatever runs, which every machine has, also a virtual one.
const PROFILED: &str = "cpu-clock:I";
/// Not 100, so that it does not fall into step with what programs do 100 times a second.
const FREQUENCY: u64 = 99;
const MOST_FREQUENT: u64 = 1000;
/// The events of the configuration that is used without a file.
const USUAL: [&str; 8] = [
    "cpu-clock",
    "context-switches",
    "cpu-migrations",
    "page-faults",
    "cycles",
    "instructions",
    "branches",
    "branch-misses",
];

/// The usual events on all CPUs.
impl Default for Config {
    fn default() -> Config {
        let place = Place::default();
        let events = USUAL.iter().map(|text| Named { text: (*text).to_string(), place });
        let counted = Counted {
            targets: vec![Target::AllCpus],
            events: events.collect(),
            metrics: Vec::new(),
            place,
        };
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], PORT)),
            interval: INTERVAL,
            series: SERIES,
            otlp: None,
            tls: None,
            users: Vec::new(),
            profiles: None,
            counts: vec![counted],
        }
    }
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    listen: Option<Spanned<String>>,
    interval: Option<Spanned<f64>>,
    series: Option<Spanned<usize>>,
    otlp: Option<String>,
    tls: Option<Spanned<PemFiles>>,
    #[serde(default)]
    user: Vec<Spanned<UserKeys>>,
    profiles: Option<ProfileKeys>,
    #[serde(default)]
    count: Vec<Spanned<Count>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileKeys {
    event: Option<String>,
    frequency: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PemFiles {
    certificate: PathBuf,
    key: PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UserKeys {
    name: String,
    password_sha256: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    cpus: Option<Spanned<String>>,
    cgroups: Option<Spanned<Vec<Spanned<String>>>>,
    processes: Option<Spanned<Vec<Spanned<u32>>>>,
    #[serde(default)]
    events: Vec<Spanned<String>>,
    #[serde(default)]
    metrics: Vec<Spanned<String>>,
}

const EXAMPLE: &str = "for example: [[count]] cpus = \"all\" events = [\"page-faults\"], each key on a line of its own";

impl Config {
    /// Reads the text of a configuration file.
    ///
    /// # Errors
    /// Returns the first mistake. Whether events exist is found by [`Exporter::new`](crate::Exporter::new).
    pub fn read(text: &str) -> Result<Config, ConfigError> {
        let source = Source(text);
        let file: File = toml::from_str(text).map_err(|error| {
            let place = error.span().map_or(Place { line: 1, column: 1 }, |span| source.at(span));
            ConfigError::new(place, error.message().replace('\n', "; "))
                .help("the manual page `exporter` has every key, and an example")
        })?;
        let default = Config::default();
        if file.count.is_empty() {
            let error = ConfigError::new(Place { line: 1, column: 1 }, "nothing is counted");
            return Err(error.help(format!("add a table [[count]], {EXAMPLE}")));
        }
        Ok(Config {
            listen: file.listen.map_or(Ok(default.listen), |listen| source.listen(&listen))?,
            interval: file.interval.map_or(Ok(INTERVAL), |seconds| source.interval(&seconds))?,
            series: file.series.map_or(Ok(SERIES), |series| source.series(&series))?,
            otlp: file.otlp,
            tls: file.tls.map(|tls| source.tls(tls)),
            users: file.user.iter().map(|user| source.user(user)).collect::<Result<_, _>>()?,
            profiles: file.profiles.map(|keys| source.profiles(keys)).transpose()?,
            counts: file.count.iter().map(|count| source.count(count)).collect::<Result<_, _>>()?,
        })
    }
}

/// The text of the file, in which mistakes have their places.
struct Source<'t>(&'t str);

impl Source<'_> {
    fn at(&self, span: Range<usize>) -> Place {
        let before = self.0.get(..span.start).unwrap_or(self.0);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Place { line, column }
    }

    fn wrong<T>(&self, value: &Spanned<T>, text: impl Into<String>) -> ConfigError {
        ConfigError::new(self.at(value.span()), text)
    }

    fn named(&self, names: &[Spanned<String>]) -> Vec<Named> {
        let named = |name: &Spanned<String>| Named {
            text: name.get_ref().clone(),
            place: self.at(name.span()),
        };
        names.iter().map(named).collect()
    }

    fn listen(&self, listen: &Spanned<String>) -> Result<SocketAddr, ConfigError> {
        address(listen.get_ref()).map_err(|error| {
            let place = self.at(listen.span());
            ConfigError { place, ..error }
        })
    }

    fn interval(&self, seconds: &Spanned<f64>) -> Result<Duration, ConfigError> {
        // Shorter intervals measure the exporter; those that are longer than a day are not what anyone means.
        let possible = 0.1..=86_400.0;
        match seconds.get_ref() {
            seconds if possible.contains(seconds) => Ok(Duration::from_secs_f64(*seconds)),
            other => Err(self
                .wrong(seconds, format!("`interval` is {other} seconds"))
                .help("write a number of seconds from 0.1 to 86400, such as: interval = 10")),
        }
    }

    fn series(&self, series: &Spanned<usize>) -> Result<usize, ConfigError> {
        match *series.get_ref() {
            0 => Err(self
                .wrong(series, "`series` is 0, so that no value is shown")
                .help(format!("write the greatest number of series, such as: series = {SERIES}"))),
            most => Ok(most),
        }
    }

    fn tls(&self, files: Spanned<PemFiles>) -> TlsFiles {
        let place = self.at(files.span());
        let PemFiles { certificate, key } = files.into_inner();
        TlsFiles { certificate, key, place }
    }

    fn user(&self, user: &Spanned<UserKeys>) -> Result<User, ConfigError> {
        let UserKeys { name, password_sha256 } = user.get_ref();
        if name.is_empty() || name.contains(':') {
            let text = format!("`{name}` is not the name of a user");
            return Err(self.wrong(user, text).help("write a name without a colon"));
        }
        let password_sha256 = digest(password_sha256.get_ref()).ok_or_else(|| {
            self.wrong(password_sha256, "`password_sha256` is not 64 hexadecimal digits")
                .help("print them with: printf %s PASSWORD | sha256sum")
        })?;
        Ok(User { name: name.clone(), password_sha256 })
    }

    fn profiles(&self, keys: ProfileKeys) -> Result<Profiles, ConfigError> {
        let event = keys.event.unwrap_or_else(|| PROFILED.to_string());
        let Some(frequency) = keys.frequency else {
            return Ok(Profiles { event, frequency: FREQUENCY });
        };
        match *frequency.get_ref() {
            hertz @ 1..=MOST_FREQUENT => Ok(Profiles { event, frequency: hertz }),
            other => Err(self
                .wrong(&frequency, format!("`frequency` is {other} samples a second"))
                .help(format!(
                    "write a number from 1 to {MOST_FREQUENT}, such as: frequency = {FREQUENCY}"
                ))),
        }
    }

    fn count(&self, count: &Spanned<Count>) -> Result<Counted, ConfigError> {
        let place = self.at(count.span());
        let Count { cpus, cgroups, processes, events, metrics } = count.get_ref();
        if events.is_empty() && metrics.is_empty() {
            return Err(ConfigError::new(place, "this [[count]] names no event and no metric")
                .help("add a line such as: events = [\"page-faults\"]"));
        }
        let targets = match (cpus, cgroups, processes) {
            (Some(cpus), None, None) => vec![self.cpus(cpus)?],
            (None, Some(cgroups), None) => {
                let target = |path: &Spanned<String>| Target::Cgroup(PathBuf::from(path.get_ref()));
                self.each_once(cgroups)?.iter().map(target).collect()
            }
            (None, None, Some(processes)) => {
                let target = |pid: &Spanned<u32>| Target::Processes(vec![*pid.get_ref()]);
                self.each_once(processes)?.iter().map(target).collect()
            }
            (None, None, None) => {
                return Err(ConfigError::new(place, "this [[count]] does not say for whom").help(
                    "add one of: cpus = \"all\", cgroups = [\"system.slice\"], processes = [1234]",
                ));
            }
            _ => {
                return Err(ConfigError::new(place, "this [[count]] has several kinds of targets")
                    .help("write a [[count]] for each of `cpus`, `cgroups` and `processes`"));
            }
        };
        Ok(Counted { targets, events: self.named(events), metrics: self.named(metrics), place })
    }

    fn cpus(&self, cpus: &Spanned<String>) -> Result<Target, ConfigError> {
        const HELP: &str = "write \"all\", or a list of CPUs such as \"0-3,8\"";
        match cpus.get_ref().as_str() {
            "all" => Ok(Target::AllCpus),
            list => match list.parse::<CpuSet>() {
                Ok(set) if !set.is_empty() => Ok(Target::Cpus(set)),
                Ok(_) => Err(self.wrong(cpus, "`cpus` is empty").help(HELP)),
                Err(error) => Err(self.wrong(cpus, format!("`cpus`: {error}")).help(HELP)),
            },
        }
    }

    fn each_once<'l, T: PartialEq + fmt::Display>(
        &self,
        list: &'l Spanned<Vec<Spanned<T>>>,
    ) -> Result<&'l [Spanned<T>], ConfigError> {
        let names = list.get_ref();
        if names.is_empty() {
            return Err(self.wrong(list, "the list of targets is empty").help("name one at least"));
        }
        for (index, name) in names.iter().enumerate() {
            if names[..index].iter().any(|other| other.get_ref() == name.get_ref()) {
                let text = format!("`{}` is in the list twice", name.get_ref());
                return Err(self.wrong(name, text).help("remove one of them"));
            }
        }
        Ok(names)
    }
}

/// The bytes of 64 hexadecimal digits.
fn digest(text: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (index, byte) in digest.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(digest)
}

/// An address to listen on: an IP address or the name of a host, and a port. Of a name with several addresses it is the first of version 4, if there is one.
///
/// # Errors
/// Returns an error that says how addresses are written.
pub fn address(text: &str) -> Result<SocketAddr, ConfigError> {
    let found: Vec<SocketAddr> = text.to_socket_addrs().map(Iterator::collect).unwrap_or_default();
    let address = found.iter().find(|address| address.is_ipv4()).or(found.first());
    address.copied().ok_or_else(|| {
        let help = format!(
            "write an address and a port, such as 127.0.0.1:{PORT} or localhost:{PORT}, or 0.0.0.0:{PORT} to be reached from other machines"
        );
        ConfigError::new(Place::default(), format!("`{text}` is not an address to listen on"))
            .help(help)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (usize, usize, String, String) {
        let ConfigError { place, text, help } = Config::read(text).unwrap_err();
        (place.line, place.column, text, help.unwrap())
    }

    #[test]
    fn a_file_is_read() {
        let config = Config::read(
            "listen = '[::1]:9000'\ninterval = 2.5\nseries = 7\notlp = 'http://localhost:4318'\n\
             [profiles]\nfrequency = 7\n\
             [[count]]\ncpus = '0-1'\nevents = ['page-faults', '{cycles,instructions}']\n\
             [[count]]\ncgroups = ['a', 'b']\nmetrics = ['ipc']\n\
             [[count]]\nprocesses = [7]\nevents = ['task-clock']\n",
        )
        .unwrap();
        assert_eq!(config.listen.to_string(), "[::1]:9000");
        assert_eq!((config.interval, config.series), (Duration::from_millis(2500), 7));
        assert_eq!(config.otlp.as_deref(), Some("http://localhost:4318"));
        assert_eq!(config.profiles.unwrap().frequency, 7);
        let targets: Vec<_> = config.counts.into_iter().map(|count| count.targets).collect();
        let cgroup = |path: &str| Target::Cgroup(path.into());
        assert_eq!(
            targets,
            [
                vec![Target::Cpus("0-1".parse().unwrap())],
                vec![cgroup("a"), cgroup("b")],
                vec![Target::Processes(vec![7])],
            ]
        );
    }

    #[test]
    fn an_address_may_be_the_name_of_a_host() {
        assert_eq!(address("localhost:9000").unwrap().to_string(), "127.0.0.1:9000");
        assert_eq!(address("[::1]:9000").unwrap().to_string(), "[::1]:9000");
        assert!(address("localhost").is_err() && address("no such host:1").is_err());
    }

    #[test]
    fn a_mistake_has_its_place_and_what_to_write() {
        for (text, place, says, help) in [
            ("", (1, 1), "nothing is counted", "[[count]]"),
            ("listn = 'x'", (1, 1), "unknown field `listn`", "manual page"),
            ("interval = 0", (1, 12), "0 seconds", "interval = 10"),
            ("series = 0", (1, 10), "no value", "series = 10000"),
            ("[profiles]\nfrequency = 5000", (2, 13), "5000", "frequency = 99"),
            ("listen = '9000'", (1, 10), "`9000`", "127.0.0.1:"),
            ("\n[[count]]\ncpus = 'all'", (2, 1), "no event", "events ="),
            ("[[count]]\nevents = ['x']", (1, 1), "for whom", "cpus ="),
            ("[[count]]\nevents = ['x']\ncpus = '0-'", (3, 8), "`cpus`", "\"0-3,8\""),
            ("[[count]]\nevents = ['x']\ncpus = '0'\nprocesses = [1]", (1, 1), "several", "each"),
            ("[[count]]\nevents = ['x']\nprocesses = [1, 1]", (3, 17), "twice", "remove"),
            ("[[count]]\nevents = ['x']\ncgroups = []", (3, 11), "empty", "name one"),
            (
                "[[user]]\nname = 'a'\npassword_sha256 = 'b'\n[[count]]\nevents=['x']",
                (3, 19),
                "64",
                "sha256sum",
            ),
            (
                "[[user]]\nname = 'a:b'\npassword_sha256 = ''\n[[count]]\nevents=['x']",
                (1, 1),
                "`a:b`",
                "colon",
            ),
            ("[[count]]\nevents = 'x'", (2, 10), "invalid type", "manual page"),
            ("listen = ", (1, 10), "", "manual page"),
        ] {
            let counted = "\n[[count]]\ncpus = 'all'\nevents = ['x']\n";
            let needs = text.contains('=') && !text.contains("[[count]]");
            let whole = if needs { format!("{text}{counted}") } else { text.to_string() };
            let (line, column, found, found_help) = error(&whole);
            assert_eq!((line, column), place, "{text}: {found}");
            assert!(found.contains(says), "{text}: {found}");
            assert!(found_help.contains(help), "{text}: {found_help}");
        }
    }
}
