//! The counts, and the messages about them.

use crate::config::{Config, Counted, User};
use crate::events::{Events, Refused};
use crate::families::Families;
use crate::mistake::ConfigError;
use crate::news::News;
use crate::otlp::Sender;
use crate::taking::Profiling;
use crate::target::{is_same, labels, title};
use crate::tls::Tls;
use crate::watched::{Room, Watched};
use counterpoint::events::Resolved;
use counterpoint::{EventSet, Target};
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
/// assert!(pages.len() > 0 && text.contains("# TYPE counterpoint_process_page_faults counter\n"), "{text}");
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
    pub(crate) tls: Option<Tls>,
    pub(crate) users: Vec<User>,
    /// `None` if no profiles may be asked for.
    pub(crate) profiling: Option<Profiling>,
    /// Of this interval.
    news: News,
    /// Of intervals that are over.
    told: Vec<String>,
}

impl Exporter {
    /// Looks up the names of a configuration and opens the events of all targets that are there.
    ///
    /// `set` makes an empty set of events for a target, with the definitions that names are looked up in.
    ///
    /// # Errors
    /// Returns an error for a name that means nothing on any machine, an event that is counted twice, a URL that cannot be sent to, and a certificate that cannot be read; and the first of [`Exporter::refused`] if there is nothing else.
    /// A target that does not exist, an event that this machine does not have, and one that the kernel does not open, are not errors: they are shown as what they are, so that one file serves machines of several kinds.
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
            tls: config.tls.as_ref().map(Tls::new).transpose()?,
            users: config.users.clone(),
            profiling: config.profiles.clone().map(Profiling::new),
            news: News::default(),
            told: Vec::new(),
        };
        for (index, counted) in config.counts.iter().enumerate() {
            let Some(first) = counted.targets.first() else { continue };
            exporter.events.push(Events::new(set(first.clone())?, counted)?);
            exporter.check_once(&config.counts[..index], counted)?;
            for target in &counted.targets {
                exporter.watch(target, counted)?;
            }
        }
        if exporter.events.iter().all(|events| events.resolved.is_none())
            && let Some(refused) = exporter.refused().next()
        {
            return Err(refused.into());
        }
        exporter.read();
        Ok(exporter)
    }

    fn watch(&mut self, target: &Target, counted: &Counted) -> Result<(), ConfigError> {
        let number = self.events.len() - 1;
        let mut watched = Watched::new(target.clone(), number);
        let events = &mut self.events[number];
        while let Err(error) = watched.open(events, &mut self.families, &mut self.room) {
            if !events.refuse(counted, target, &error)? {
                // A CPU that this machine does not have: the reason is kept in `watched`.
                break;
            }
        }
        self.watched.push(watched);
        Ok(())
    }

    /// Returns an error if an event of the last table is counted for one of its targets by an earlier one, too.
    fn check_once(&self, before: &[Counted], counted: &Counted) -> Result<(), ConfigError> {
        let Some((last, others)) = self.events.split_last() else { return Ok(()) };
        let overlaps = |other: &Counted| {
            other.targets.iter().any(|a| counted.targets.iter().any(|b| is_same(a, b)))
        };
        for (_, other) in before.iter().zip(others).filter(|(table, _)| overlaps(table)) {
            let ids_of = |events: &Events| -> Vec<String> {
                let ids = events.resolved.iter().flat_map(Resolved::ids);
                ids.map(|(id, _)| id.to_string()).collect()
            };
            let of_other = ids_of(other);
            let mut ids = ids_of(last).into_iter();
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
            if let Some(why) = watched.read(events) {
                self.news.add(title(&watched.target), &format!("no longer counted: {why}"));
                // Another one may be there in its place.
                reopen(watched, events, &mut self.families, &mut self.room, &mut self.news);
            }
        }
    }

    /// Ends an interval: reads, computes the metrics, looks for targets that were not there, and sends the values if there is a receiver.
    pub fn end_interval(&mut self) {
        let left_out = self.room.left_out;
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
        self.told.extend(self.tls.as_mut().and_then(Tls::renew));
        self.told.extend(self.news.take());
        if self.room.left_out > left_out {
            self.told.push(self.left_out());
        }
    }

    /// The news of the intervals that ended since the last call, a sentence each; targets that changed in the same way share one.
    pub fn news(&mut self) -> Vec<String> {
        let mut news = std::mem::take(&mut self.told);
        news.extend(self.sender.iter().flat_map(Sender::news));
        news
    }

    /// The names that are not counted, with their places and reasons: this machine does not have their events, or cannot count them for such a target.
    pub fn refused(&self) -> impl Iterator<Item = ConfigError> {
        self.events.iter().flat_map(|events| &events.refused).map(Refused::error)
    }

    /// The things that cannot be counted beside [`Exporter::refused`], a sentence each: events with their reasons, and targets that are not there.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for watched in &self.watched {
            let target = title(&watched.target);
            problems.extend(watched.why().map(|why| format!("{target}: {why}")));
            for series in watched.series.iter().filter(|_| watched.is_counted()) {
                let Some(reason) = series.not_supported() else { continue };
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
        self.watched.iter().any(Watched::may_have_values)
    }

    /// The labels of each target, and whether something is counted for it by one of the tables that name it.
    pub(crate) fn targets(&self) -> Vec<(Vec<(&'static str, String)>, bool)> {
        let mut targets: Vec<(Vec<_>, bool)> = Vec::new();
        for watched in &self.watched {
            let labels = labels(&watched.target);
            match targets.iter_mut().find(|(known, _)| *known == labels) {
                Some((_, is_counted)) => *is_counted |= watched.may_have_values(),
                None => targets.push((labels, watched.may_have_values())),
            }
        }
        targets
    }

    /// The labels of the status of each name that is not counted.
    pub(crate) fn refused_labels(&self) -> impl Iterator<Item = Vec<(&'static str, String)>> {
        self.watched.iter().flat_map(|watched| {
            let refused = self.events[watched.events].refused.iter();
            refused.map(|refused| refused.labels(&watched.target))
        })
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
    news: &mut News,
) {
    // The reason of an error is kept in `watched`, and shown.
    let opened = watched.open(events, families, room);
    if opened.is_ok() && watched.is_counted() {
        news.add(title(&watched.target), "counted");
    }
}
