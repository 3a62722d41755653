//! The events of a table: those that are counted, and the names that cannot be.

use crate::config::{Counted, Named};
use crate::mistake::ConfigError;
use crate::reasons;
use crate::series::NOT_SUPPORTED;
use crate::target::labels;
use counterpoint::events::Resolved;
use counterpoint::pmu::syntax;
use counterpoint::{Error, EventSet, Target};

/// The events that are counted for some targets.
#[derive(Debug)]
pub(crate) struct Events {
    pub set: EventSet,
    /// `None` if every name is refused.
    pub resolved: Option<Resolved>,
    /// The names of events and of metrics that are counted.
    kept: [Vec<Named>; 2],
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
            keep(names, &mut refused, &|text| alone(&set, text, as_metrics).map(drop))
        };
        let kept = [known(&counted.events, false)?, known(&counted.metrics, true)?];
        let resolved = together(&set, &kept, counted)?;
        Ok(Events { set, resolved, kept, refused })
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
        let before = self.refused.len();
        let (set, refused) = (&self.set, &mut self.refused);
        let [events, metrics] = &self.kept;
        let mut opened = |names: &[Named], as_metrics| {
            keep(names, refused, &|text| {
                set.open_resolved(alone(set, text, as_metrics)?, target).map(drop)
            })
        };
        let kept = [opened(events, false)?, opened(metrics, true)?];
        if self.refused.len() == before {
            return Err(in_table(counted, error));
        }
        self.resolved = together(&self.set, &kept, counted)?;
        self.kept = kept;
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

/// The names that can be counted; of braces that cannot, those within that can. The others are refused.
///
/// # Errors
/// Returns an error for a text that is no list of events.
fn keep(
    names: &[Named],
    refused: &mut Vec<Refused>,
    counts: &dyn Fn(&str) -> Result<(), Error>,
) -> Result<Vec<Named>, ConfigError> {
    let mut kept = Vec::new();
    for name in names {
        let error = match counts(&name.text) {
            Ok(()) => {
                kept.push(name.clone());
                continue;
            }
            Err(error) if error.is_syntax() => return Err(at(name, &error)),
            Err(error) => error,
        };
        let (members, modifiers) = in_braces(&name.text);
        let of = |text: &str| Named { text: text.to_string(), place: name.place };
        let tried = |member: &String| (member.clone(), counts(&format!("{{{member}}}{modifiers}")));
        let (good, bad): (Vec<_>, Vec<_>) =
            members.iter().map(tried).partition(|(_, counted)| counted.is_ok());
        if bad.is_empty() {
            // Each could be counted without the others.
            refused.push(Refused { name: name.clone(), error });
            continue;
        }
        let bad = bad.into_iter().filter_map(|(member, counted)| Some((member, counted.err()?)));
        refused.extend(bad.map(|(member, error)| Refused { name: of(&member), error }));
        if !good.is_empty() {
            let good: Vec<_> = good.into_iter().map(|(member, _)| member).collect();
            kept.push(of(&format!("{{{}}}{modifiers}", good.join(","))));
        }
    }
    Ok(kept)
}

/// The events in a pair of braces, and what is behind it; none if the text is another one.
fn in_braces(text: &str) -> (Vec<String>, &str) {
    match syntax::parse(text).as_deref() {
        Ok([group]) if group.braces => {
            let behind = text.rfind('}').map_or("", |brace| &text[brace + 1..]);
            (group.events.iter().map(|event| event.text.clone()).collect(), behind)
        }
        _ => (Vec::new(), ""),
    }
}

fn alone(set: &EventSet, name: &str, as_metric: bool) -> Result<Resolved, Error> {
    let name = &[name.to_string()];
    if as_metric { set.resolve_both(&[], name) } else { set.resolve_both(name, &[]) }
}

fn together(
    set: &EventSet,
    kept: &[Vec<Named>; 2],
    counted: &Counted,
) -> Result<Option<Resolved>, ConfigError> {
    let [events, metrics] =
        kept.each_ref().map(|names| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>());
    if events.is_empty() && metrics.is_empty() {
        return Ok(None);
    }
    let resolved = set.resolve_both(&events, &metrics);
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
