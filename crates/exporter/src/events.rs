//! The events of a table: those that are counted, and the names that cannot be.

use crate::config::{ConfigError, Counted, Named};
use crate::reasons;
use crate::series::NOT_SUPPORTED;
use crate::target::labels;
use counterpoint::events::Resolved;
use counterpoint::{Error, EventSet, Target};

/// The events that are counted for some targets.
#[derive(Debug)]
pub(crate) struct Events {
    pub set: EventSet,
    /// `None` if every name is refused.
    pub resolved: Option<Resolved>,
    /// The names that are not counted, so that one file serves machines of several kinds.
    pub refused: Vec<Refused>,
}

/// A name that means nothing on this machine, or that cannot be counted for such a target.
#[derive(Debug)]
pub(crate) struct Refused {
    pub name: Named,
    pub error: Error,
}

impl Events {
    /// Looks up the names of a table.
    ///
    /// # Errors
    /// Returns an error for a name that means nothing on any machine.
    pub(crate) fn new(set: EventSet, counted: &Counted) -> Result<Events, ConfigError> {
        let mut refused = Vec::new();
        let mut known = |names: &[Named], as_metrics| {
            let mut known = Vec::new();
            for name in names {
                match alone(&set, name, as_metrics) {
                    Ok(_) => known.push(name.text.clone()),
                    Err(error) if error.is_syntax() => return Err(at(name, &error)),
                    Err(error) => refused.push(Refused { name: name.clone(), error }),
                }
            }
            Ok(known)
        };
        let (events, metrics) = (known(&counted.events, false)?, known(&counted.metrics, true)?);
        let resolved = together(&set, &events, &metrics, counted)?;
        Ok(Events { set, resolved, refused })
    }

    /// Refuses the names that cannot be counted for a target, after its events could not be opened; returns false if nothing can be counted for it.
    ///
    /// # Errors
    /// Returns the error if it is that of no name alone.
    pub(crate) fn refuse(
        &mut self,
        counted: &Counted,
        target: &Target,
        error: &Error,
    ) -> Result<bool, ConfigError> {
        // `dummy` can be counted for every target that is there.
        let is_of_target = self
            .set
            .resolve_list("dummy")
            .and_then(|dummy| self.set.open_resolved(dummy, target))
            .is_err();
        if is_of_target {
            return Ok(false);
        }
        let (mut events, mut metrics) = (Vec::new(), Vec::new());
        let before = self.refused.len();
        for (names, as_metrics, kept) in
            [(&counted.events, false, &mut events), (&counted.metrics, true, &mut metrics)]
        {
            for name in names {
                if self.refused.iter().any(|refused| refused.name == *name) {
                    continue;
                }
                let resolved = alone(&self.set, name, as_metrics);
                match resolved.and_then(|alone| self.set.open_resolved(alone, target)) {
                    Ok(_) => kept.push(name.text.clone()),
                    Err(error) => self.refused.push(Refused { name: name.clone(), error }),
                }
            }
        }
        if self.refused.len() == before {
            return Err(in_table(counted, error));
        }
        self.resolved = together(&self.set, &events, &metrics, counted)?;
        Ok(true)
    }
}

impl Refused {
    /// The labels of its status for a target.
    pub(crate) fn labels(&self, target: &Target) -> Vec<(&'static str, String)> {
        let mut pairs = vec![("event", self.name.text.clone())];
        pairs.extend(labels(target));
        pairs.push(("status", NOT_SUPPORTED.to_string()));
        pairs.push(("reason", reasons::of_error(&self.error).to_string()));
        pairs
    }

    pub(crate) fn error(&self) -> ConfigError {
        at(&self.name, &self.error)
    }
}

fn alone(set: &EventSet, name: &Named, as_metric: bool) -> Result<Resolved, Error> {
    let name = std::slice::from_ref(&name.text);
    if as_metric { set.resolve_both(&[], name) } else { set.resolve_both(name, &[]) }
}

fn together(
    set: &EventSet,
    events: &[String],
    metrics: &[String],
    counted: &Counted,
) -> Result<Option<Resolved>, ConfigError> {
    if events.is_empty() && metrics.is_empty() {
        return Ok(None);
    }
    let resolved = set.resolve_both(events, metrics);
    resolved.map(Some).map_err(|error| in_table(counted, &error))
}

fn at(name: &Named, error: &Error) -> ConfigError {
    ConfigError { help: help(error), ..ConfigError::new(name.place, error.to_string()) }
}

fn in_table(counted: &Counted, error: &Error) -> ConfigError {
    ConfigError { help: help(error), ..ConfigError::new(counted.place, error.to_string()) }
}

fn help(error: &Error) -> Option<String> {
    error.help().map(|hint| hint.to_string())
}
