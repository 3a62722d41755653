//! The counts, and the messages about them.

use crate::config::{Config, ConfigError, Counted, Named};
use crate::families::Families;
use crate::otlp::Sender;
use crate::watched::{Events, Room, Watched, labels, title};
use counterpoint::events::Resolved;
use counterpoint::perf::CpuSet;
use counterpoint::{Error, EventSet, Target};
use std::path::{Component, Path};
use std::time::{Duration, SystemTime};

/// Events that are counted for monitoring.
///
/// ```
/// use counterpoint::EventSet;
/// use counterpoint_exporter::{Config, ConfigError, Exporter, Format};
///
/// let own = std::process::id();
/// let config = Config::read(&format!("[[count]]\nprocesses = [{own}]\nevents = ['page-faults']\n"))?;
/// let mut exporter = Exporter::new(&config, |target| Ok::<_, ConfigError>(EventSet::new(target)))?;
/// let pages = vec![1_u8; 1 << 20];
/// exporter.read();
/// let text = exporter.text(Format::OpenMetrics);
/// assert!(pages.len() > 0 && text.contains("# TYPE counterpoint_page_faults counter\n"), "{text}");
/// # Ok::<(), ConfigError>(())
/// ```
#[derive(Debug)]
pub struct Exporter {
    pub(crate) events: Vec<Events>,
    pub(crate) watched: Vec<Watched>,
    pub(crate) families: Families,
    pub(crate) room: Room,
    pub(crate) interval: Duration,
    pub(crate) begun: SystemTime,
    pub(crate) sender: Option<Sender>,
    news: Vec<String>,
}

/// The status of events that stay without a value.
const NOT_SUPPORTED: &str = "not-supported";

impl Exporter {
    /// Looks up the names of a configuration and opens the events of all targets that are there.
    ///
    /// `set` makes an empty set of events for a target, with the definitions that names are looked up in.
    ///
    /// # Errors
    /// Returns an error for a name that means nothing here, an event that cannot be counted for its kind of target, an event that is counted twice, and a URL that cannot be sent to.
    /// A target that is not there, and an event that the kernel does not open, are not errors: they are shown as what they are.
    pub fn new<E: From<ConfigError>>(
        config: &Config,
        set: impl Fn(Target) -> Result<EventSet, E>,
    ) -> Result<Exporter, E> {
        let sender = config.otlp.as_deref().map(Sender::new).transpose()?;
        let mut exporter = Exporter {
            events: Vec::new(),
            watched: Vec::new(),
            families: Families::default(),
            room: Room { left: config.series, left_out: 0 },
            interval: config.interval,
            begun: SystemTime::now(),
            sender,
            news: Vec::new(),
        };
        for (index, counted) in config.counts.iter().enumerate() {
            let Some(first) = counted.targets.first() else { continue };
            let set = set(first.clone())?;
            let resolved = resolved(&set, counted)?;
            exporter.events.push(Events { set, resolved });
            exporter.check_once(&config.counts[..index], counted)?;
            for target in &counted.targets {
                exporter.watch(target, counted)?;
            }
        }
        exporter.read();
        Ok(exporter)
    }

    fn watch(&mut self, target: &Target, counted: &Counted) -> Result<(), ConfigError> {
        let number = self.events.len() - 1;
        let mut watched = Watched::new(target.clone(), number);
        let events = &self.events[number];
        watched
            .open(events, &mut self.families, &mut self.room)
            .map_err(|error| culprit(events, counted, target, error))?;
        self.watched.push(watched);
        Ok(())
    }

    /// Returns an error if an event of the last table is counted for one of its targets by an earlier one, too.
    fn check_once(&self, before: &[Counted], counted: &Counted) -> Result<(), ConfigError> {
        let Some((last, others)) = self.events.split_last() else { return Ok(()) };
        let overlaps = |other: &Counted| {
            other.targets.iter().any(|a| counted.targets.iter().any(|b| is_same_target(a, b)))
        };
        for (_, other) in before.iter().zip(others).filter(|(table, _)| overlaps(table)) {
            let of_other: Vec<String> =
                other.resolved.ids().map(|(id, _)| id.to_string()).collect();
            let mut ids = last.resolved.ids().map(|(id, _)| id.to_string());
            if let Some(id) = ids.find(|id| of_other.contains(id)) {
                let names = counted.events.iter().chain(&counted.metrics);
                let place = names.clone().find(|name| name.text.contains(&id));
                let place = place.map_or(counted.place, |name| name.place);
                let text = format!("`{id}` is counted for this target by an earlier [[count]]");
                return Err(ConfigError::new(place, text).help("remove it from one of them"));
            }
        }
        Ok(())
    }

    /// Reads the counters of all targets.
    pub fn read(&mut self) {
        for watched in &mut self.watched {
            let events = &self.events[watched.events];
            if let Some(news) = watched.read(events) {
                self.news.push(news);
                // Another one may be there in its place.
                reopen(watched, events, &mut self.families, &mut self.room, &mut self.news);
            }
        }
    }

    /// Ends an interval: reads, computes the metrics, looks for targets that were not there, and sends the values if there is a receiver.
    pub fn end_interval(&mut self) {
        self.read();
        for watched in &mut self.watched {
            watched.end_interval();
            if !watched.is_counted() {
                let events = &self.events[watched.events];
                reopen(watched, events, &mut self.families, &mut self.room, &mut self.news);
            }
        }
        if let Some(sender) = &self.sender {
            sender.send(self.otlp());
        }
    }

    /// The news since the last call, a sentence each.
    pub fn news(&mut self) -> Vec<String> {
        let mut news = std::mem::take(&mut self.news);
        news.extend(self.sender.iter().flat_map(Sender::news));
        news
    }

    /// The things that cannot be counted, a sentence each: events with their reasons, and targets that are not there.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for watched in &self.watched {
            let target = title(&watched.target);
            problems.extend(watched.why().map(|why| format!("{target}: {why}")));
            for series in watched.series.iter().filter(|_| watched.is_counted()) {
                let Some((NOT_SUPPORTED, reason)) = series.missing() else { continue };
                let problem = format!("{} of {target} cannot be counted: {reason}", series.event);
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
        if self.room.left_out > 0 {
            problems.push(self.left_out());
        }
        problems
    }

    /// Returns true if at least one value is there, or may be there at the next read.
    pub fn is_counting(&self) -> bool {
        let is_possible = |watched: &&Watched| {
            watched.is_counted()
                && watched.series.iter().any(|series| {
                    series.missing().is_none_or(|(status, _)| status != NOT_SUPPORTED)
                })
        };
        self.watched.iter().any(|watched| is_possible(&watched))
    }

    /// The labels of each target, and whether its events are open: those of every table that names it.
    pub(crate) fn targets(&self) -> Vec<(Vec<(&'static str, String)>, bool)> {
        let mut targets: Vec<(Vec<_>, bool)> = Vec::new();
        for watched in &self.watched {
            let labels = labels(&watched.target);
            match targets.iter_mut().find(|(known, _)| *known == labels) {
                Some((_, is_counted)) => *is_counted &= watched.is_counted(),
                None => targets.push((labels, watched.is_counted())),
            }
        }
        targets
    }

    /// The number of series that are left out, in words.
    pub(crate) fn left_out(&self) -> String {
        format!(
            "{} series are left out, because there are more than `series` in the configuration permits",
            self.room.left_out
        )
    }
}

fn reopen(
    watched: &mut Watched,
    events: &Events,
    families: &mut Families,
    room: &mut Room,
    news: &mut Vec<String>,
) {
    let before = room.left_out;
    // The reason of an error is kept in `watched`, and shown.
    let opened = watched.open(events, families, room);
    if opened.is_ok() && watched.is_counted() {
        news.push(format!("{} is counted", title(&watched.target)));
    }
    if room.left_out > before {
        let more = room.left_out - before;
        news.push(format!("{more} series of {} are left out", title(&watched.target)));
    }
}

/// Looks up the names of a table; the first one that is not found has its place.
fn resolved(set: &EventSet, counted: &Counted) -> Result<Resolved, ConfigError> {
    let texts = |names: &[Named]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
    set.resolve_both(&texts(&counted.events), &texts(&counted.metrics)).map_err(|error| {
        let is_bad = |name: &&Named| set.resolve_list(&name.text).is_err();
        let metric =
            |name: &&Named| set.resolve_both(&[], std::slice::from_ref(&name.text)).is_err();
        let bad = counted.events.iter().find(is_bad);
        at(bad.or_else(|| counted.metrics.iter().find(metric)), counted, error)
    })
}

/// The event that cannot be counted for a target, with its place.
fn culprit(events: &Events, counted: &Counted, target: &Target, error: Error) -> ConfigError {
    let fails = |name: &&Named| {
        let alone = events.set.resolve_list(&name.text);
        alone.and_then(|alone| events.set.open_resolved(alone, target)).is_err()
    };
    at(counted.events.iter().find(fails), counted, error)
}

fn at(name: Option<&Named>, counted: &Counted, error: Error) -> ConfigError {
    let place = name.map_or(counted.place, |name| name.place);
    let help = error.help().map(|hint| hint.to_string());
    ConfigError { help, ..ConfigError::new(place, error.to_string()) }
}

/// Returns true if two targets have counts in common that would have the same labels.
fn is_same_target(a: &Target, b: &Target) -> bool {
    let common = |a: &CpuSet, b: &CpuSet| !a.intersection(b).is_empty();
    match (a, b) {
        (Target::AllCpus, Target::AllCpus | Target::Cpus(_))
        | (Target::Cpus(_), Target::AllCpus) => true,
        (Target::Cpus(a), Target::Cpus(b)) => common(a, b),
        (Target::Cgroup(a), Target::Cgroup(b)) => names(a).eq(names(b)),
        (a, b) => a == b,
    }
}

/// The names of a path, however many slashes it is written with.
fn names(path: &Path) -> impl Iterator<Item = Component<'_>> {
    path.components().filter(|part| matches!(part, Component::Normal(_)))
}
